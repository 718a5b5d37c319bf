//! The frame of the page: the bar, the notices, the page itself, the live region.

use leptos::prelude::*;

use super::Ctx;
use super::browser::copy_link;
use super::controls::icon;
use super::first::FirstMinute;
use super::help::Help;
use super::lab::LabPage;
use crate::app::{Msg, Page, Theme};
use crate::text::{Lang, Text, text};

/// The whole page.
#[component]
pub fn Shell(ctx: Ctx, live: RwSignal<String>) -> impl IntoView {
    let page = Memo::new(move |_| ctx.model.with(|model| model.page));
    view! {
        <a class="skip" href="#main" on:click=skip_to_main>{ctx.tr(text("Skip to the lesson", "跳到内容"))}</a>
        <Bar ctx=ctx page=page />
        <main id="main" tabindex="-1" data-page=move || match page.get() { Page::First => "first", Page::Lab => "lab" }>
            <Notices ctx=ctx />
            {move || match page.get() {
                Page::First => view! { <FirstMinute ctx=ctx /> }.into_any(),
                Page::Lab => view! { <LabPage ctx=ctx /> }.into_any(),
            }}
        </main>
        <p class="live" role="status" aria-live="polite">{move || live.get()}</p>
        <Help ctx=ctx />
    }
}

/// The hash is the route, so an in-page link has to move the focus itself.
fn skip_to_main(event: web_sys::MouseEvent) {
    use wasm_bindgen::JsCast;
    event.prevent_default();
    if let Some(main) = document().get_element_by_id("main") {
        let _ = main.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

#[component]
fn Bar(ctx: Ctx, page: Memo<Page>) -> impl IntoView {
    let here = move |which| move || (page.get() == which).then_some("page");
    view! {
        <header class="bar">
            <h1 class="brand"><a href="#/">"Lockstep"</a></h1>
            <nav aria-label=ctx.tr(text("Pages", "页面"))>
                <a href="#/" aria-current=here(Page::First)>{ctx.tr(text("First minute", "第一分钟"))}</a>
                <a href="#/lab" aria-current=here(Page::Lab)>{ctx.tr(text("Lab", "实验室"))}</a>
            </nav>
            <div class="bar-tools">
                <CopyLink ctx=ctx />
                <Languages ctx=ctx />
                <Themes ctx=ctx />
                <button class="bar-button" data-help on:click=move |_| ctx.send(Msg::Help(true))
                    aria-label=ctx.tr(text("Help and keys", "帮助与按键"))>{icon("help")}</button>
            </div>
        </header>
    }
}

#[component]
fn CopyLink(ctx: Ctx) -> impl IntoView {
    let done = RwSignal::new(false);
    let label = move || {
        let label = if done.get() { text("Copied", "已复制") } else { text("Copy link", "复制链接") };
        ctx.say(&label)
    };
    view! {
        <button class="bar-button" data-copy-link on:click=move |_| copy_link(ctx, done) aria-label=label title=label>
            {move || icon(if done.get() { "check" } else { "link" })}
        </button>
    }
}

#[component]
fn Languages(ctx: Ctx) -> impl IntoView {
    let buttons = Lang::ALL.map(|lang| {
        let pressed = move || (ctx.lang.get() == lang).to_string();
        view! {
            <button class="bar-button word" lang=lang.tag() data-lang=lang.word() aria-pressed=pressed
                on:click=move |_| ctx.send(Msg::Lang(lang))>{lang.own_name()}</button>
        }
    });
    view! { <div class="segmented" role="group" aria-label="Language 语言">{buttons.collect_view()}</div> }
}

#[component]
fn Themes(ctx: Ctx) -> impl IntoView {
    let theme = Memo::new(move |_| ctx.model.with(|model| model.theme()));
    let name = |theme| match theme {
        Theme::Light => text("Light", "浅色"),
        Theme::Dark => text("Dark", "深色"),
        Theme::Contrast => text("High contrast", "高对比度"),
    };
    let options = move || {
        Theme::ALL
            .map(|each| {
                let chosen = move || theme.get() == each;
                view! { <option value=each.word() selected=chosen>{ctx.say(&name(each))}</option> }
            })
            .collect_view()
    };
    let changed = move |event| {
        let word = event_target_value(&event);
        if let Some(theme) = Theme::ALL.into_iter().find(|theme| theme.word() == word) {
            ctx.send(Msg::Theme(theme));
        }
    };
    view! {
        <label class="bar-select">
            <span class="sr">{ctx.tr(text("Theme", "主题"))}</span>
            {icon("theme")}
            <select data-theme-select on:change=changed prop:value=move || theme.get().word()>{options}</select>
        </label>
    }
}

#[component]
fn Notices(ctx: Ctx) -> impl IntoView {
    let notices = Memo::new(move |_| ctx.model.with(|model| model.notices.clone()));
    let items = move || notices.get().into_iter().enumerate().collect::<Vec<(usize, Text)>>();
    view! {
        <div class="notices" role="alert">
            <For each=items key=|(at, notice)| (*at, notice.clone()) let((at, notice))>
                <p class="notice">
                    <span>{ctx.tr(notice)}</span>
                    <button class="quiet" on:click=move |_| ctx.send(Msg::Dismiss(at))
                        aria-label=ctx.tr(text("Put this notice away", "关闭此提示"))>{icon("close")}</button>
                </p>
            </For>
        </div>
    }
}
