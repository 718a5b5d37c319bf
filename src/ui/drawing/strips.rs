//! Truth strips: above, when a client believed that it held the lock; below, when the server agreed.

use leptos::prelude::*;

use super::picture::hue;
use crate::app::scene::{Bar, Strips, duration};
use crate::text::{Lang, text};

/// The two strips of the chosen client in every lane, on one axis of virtual time.
#[component]
pub fn TruthStrips(#[prop(into)] strips: Signal<Strips>, #[prop(into)] lang: Signal<Lang>) -> impl IntoView {
    let client = Memo::new(move |_| strips.with(|strips| strips.client));
    let lanes = Memo::new(move |_| strips.with(|strips| strips.rows.len()));
    view! {
        <div class=move || format!("truth {}", hue(client.get()))>
            <div class="truth-key">
                <p>
                    {move || text("Client", "客户端").get(lang.get()).to_string()} " "
                    <b>{move || client.get().to_string()}</b>
                </p>
                <p>{move || text("believes it holds", "自认为持有").get(lang.get()).to_string()}</p>
                <p>{move || text("the server agrees", "服务器认可").get(lang.get()).to_string()}</p>
            </div>
            <div class="truth-lanes">
                <For each=move || 0..lanes.get() key=|lane| *lane let:lane>
                    <Lane strips lang lane />
                </For>
            </div>
        </div>
    }
}

#[component]
fn Lane(strips: Signal<Strips>, lang: Signal<Lang>, lane: usize) -> impl IntoView {
    let row = Memo::new(move |_| strips.with(|strips| strips.rows.get(lane).cloned()));
    let span = Memo::new(move |_| strips.with(|strips| (strips.now_ms, strips.end_ms)));
    let share = move |ms: u64| ms as f64 * 100.0 / span.get().1.max(1) as f64;
    let bar = move |bar: Bar| {
        view! {
            <span
                class=if bar.alone { "bar alone" } else { "bar" }
                style:left=move || format!("{:.2}%", share(bar.from_ms))
                style:width=move || format!("{:.2}%", share(bar.to_ms.saturating_sub(bar.from_ms)))
            ></span>
        }
    };
    let bars = move |belief: bool| {
        let bars = row.get().map(|row| if belief { row.belief } else { row.truth });
        bars.unwrap_or_default().into_iter().map(bar).collect_view()
    };
    let said = move || {
        let Some(row) = row.get() else { return String::new() };
        let list = |bars: &[Bar]| {
            let spans: Vec<String> = bars
                .iter()
                .map(|bar| format!("{} – {}", duration(bar.from_ms), duration(bar.to_ms)))
                .collect();
            if spans.is_empty() { "–".to_string() } else { spans.join(", ") }
        };
        match lang.get() {
            Lang::En => {
                format!("Believed it held: {}. The server agreed: {}.", list(&row.belief), list(&row.truth))
            }
            Lang::Zh => format!("自认为持有：{}。服务器认可：{}。", list(&row.belief), list(&row.truth)),
        }
    };
    view! {
        <div class="truth-lane">
            <b class="lane-name">
                {move || text("lane", "方案").get(lang.get()).to_string()} " " {lane + 1}
            </b>
            <div class="truth-bars" aria-hidden="true">
                <div class="belief">{move || bars(true)}</div>
                <div class="agreed">{move || bars(false)}</div>
                <span class="now" style:left=move || format!("{:.2}%", share(span.get().0))></span>
            </div>
            <p class="truth-note">
                {move || row.with(|row| row.as_ref().map(|row| row.note.get(lang.get()).to_string()))}
            </p>
            <p class="said">{said}</p>
        </div>
    }
}
