//! Truth strips: above, when a client believed that it held the lock; below, when the server agreed; and
//! what the ledger took of it.

use super::labels::hue;
use crate::app::scene::{Bar, Fate, StripRow, Strips, Took, duration, fate_word};

use crate::text::{Lang, say, text};
use crate::ui::controls::{tr, unseen};
use crate::ui::el::{El, div, el};

/// The two strips of the chosen client in every lane, on one axis of virtual time.
pub fn truth_strips(lang: Lang, strips: &Strips) -> El {
    let line = |words| el("p").text(tr(lang, words));
    let client =
        el("p").text(tr(lang, text("Client ", "客户端 "))).kid(el("b").text(strips.client.to_string()));
    let key = div("div", "truth-key")
        .kid(client)
        .kid(line(text("believes it holds", "自认为持有")))
        .kid(line(text("the server agrees", "服务器认可")))
        .kid(line(text("the ledger took", "账本接受")));
    let lanes = strips.rows.iter().map(|row| lane(lang, strips, row));
    div("div", format!("truth {}", hue(strips.client))).kid(key).kid(div("div", "truth-lanes").kids(lanes))
}

/// A place on the axis in percent.
fn share(ms: u64, end_ms: u64) -> String {
    let hundredths = ms.saturating_mul(10_000) / end_ms.max(1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

fn lane(lang: Lang, strips: &Strips, row: &StripRow) -> El {
    let bar = |bar: &Bar| {
        div("span", if bar.alone { "truth-bar alone" } else { "truth-bar" })
            .attr("--at", share(bar.from_ms, strips.end_ms))
            .attr("--wide", share(bar.to_ms.saturating_sub(bar.from_ms), strips.end_ms))
    };
    let list = |bars: &[Bar]| {
        let spans = bars.iter().map(|bar| format!("{} – {}", duration(bar.from_ms), duration(bar.to_ms)));
        let spans: Vec<String> = spans.collect();
        if spans.is_empty() { "–".to_string() } else { spans.join(", ") }
    };
    let (believed, agreed) = (list(&row.belief), list(&row.truth));
    let said = say(
        format!("Believed it held: {believed}. The server agreed: {agreed}."),
        format!("自认为持有：{believed}。服务器认可：{agreed}。"),
    );
    let took: Vec<String> = row
        .taken
        .iter()
        .map(|took| format!("{} {}", duration(took.at_ms), fate_word(took.fate).get(lang)))
        .collect();
    let took = if took.is_empty() { "–".to_string() } else { took.join(", ") };
    let said = say(format!("{} The ledger: {took}.", said.en), format!("{}账本：{took}。", said.zh));
    let shown = apart(&row.taken, strips.end_ms);
    let mark = |(at, took): &(u64, Took)| {
        let (class, sign) = match took.fate {
            Fate::Taken => ("took", "✓"),
            Fate::Stale => ("took stale", "!"),
            Fate::Refused => ("took refused", "✗"),
        };
        div("span", class).attr("--at", share(*at, 10_000)).text(sign)
    };
    let number = row.lane + 1;
    let name = say(format!("lane {number}"), format!("方案 {number}"));
    let bars = div("div", "truth-bars")
        .attr("aria-hidden", "true")
        .kid(div("div", "belief").kids(row.belief.iter().map(bar)))
        .kid(div("div", "agreed").kids(row.truth.iter().map(bar)))
        .kid(div("div", "taken").kids(shown.iter().map(mark)))
        .kid(div("span", "now").attr("--at", share(strips.now_ms, strips.end_ms)));
    div("div", "truth-lane")
        .kid(div("b", "lane-name").text(tr(lang, name)))
        .kid(bars)
        .kid(div("p", "truth-note").text(tr(lang, row.note.clone())))
        .kid(unseen(tr(lang, said)))
}

/// From one mark to the next, in hundredths of a percent of the axis: as wide as one is on a phone.
const APART: u64 = 520;

/// The marks with their places in hundredths of a percent. Of equal ones that would touch the first is kept;
/// others are pushed apart.
fn apart(taken: &[Took], end_ms: u64) -> Vec<(u64, Took)> {
    let mut marks: Vec<(u64, Took)> = Vec::new();
    for took in taken {
        let at = took.at_ms.saturating_mul(10_000) / end_ms.max(1);
        match marks.last() {
            Some((last, before)) if at < last + APART && before.fate == took.fate => {}
            Some((last, _)) => marks.push((at.max(last + APART), *took)),
            None => marks.push((at.max(APART / 2), *took)),
        }
    }
    let mut most = 10_000 - APART / 2;
    for (at, _) in marks.iter_mut().rev() {
        *at = (*at).min(most);
        most = most.saturating_sub(APART);
    }
    marks
}
