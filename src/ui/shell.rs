//! The frame of the page: the bar, the notices, the page itself, the live region.

use super::controls::{icon, quiet, tr, unseen};
use super::el::{Act, El, div, el};
use super::first::first_minute;
use super::help::help;
use super::lab::lab_page;
use crate::app::{LabScene, Model, Msg, Page, Theme, first_scene};
use crate::text::{Lang, Text, text};

/// The whole page. `lab` is the lab's scene where the lab is shown; `live` is what the live region
/// says; `copied` is whether the link has just been copied; `working` is whether lanes are being run.
pub fn page(model: &Model, lab: Option<&LabScene>, live: &str, copied: bool, working: bool) -> El {
    let lang = model.lang();
    let content = match (model.page, lab) {
        (Page::Lab, Some(lab)) => lab_page(model, lab),
        (Page::Lab | Page::First, _) => first_minute(lang, model.layout, &first_scene(&model.first)),
    };
    let name = match model.page {
        Page::First => "first",
        Page::Lab => "lab",
    };
    let live = if working { tr(lang, work()) } else { live.to_string().into() };
    let skip = div("a", "skip").attr("href", "#main").text(tr(lang, text("Skip to the lesson", "跳到内容")));
    let main = el("main").attr("id", "main").attr("tabindex", "-1").attr("data-page", name);
    el("div")
        .kid(skip.click(Act::SkipTo("#main")))
        .kid(bar(model, copied))
        .kid(main.kid(notices(model)).kid(content.key(name)))
        .maybe(working.then(|| div("p", "working").key("working").text(tr(lang, work()))))
        .kid(div("p", "live").key("live").attr("role", "status").attr("aria-live", "polite").text(live))
        .kid(help(model))
}

fn work() -> Text {
    text(
        "Running every lane; with so many clients it takes some seconds.",
        "正在运行各个方案；客户端很多，需要几秒钟。",
    )
}

fn bar(model: &Model, copied: bool) -> El {
    let lang = model.lang();
    let link = |page: Page, href: &'static str, label| {
        let here = (model.page == page).then_some("page".into());
        el("a").attr("href", href).opt("aria-current", here).text(tr(lang, label))
    };
    let nav = el("nav")
        .attr("aria-label", tr(lang, text("Pages", "页面")))
        .kid(link(Page::First, "#/", text("First minute", "第一分钟")))
        .kid(link(Page::Lab, "#/lab", text("Lab", "实验室")));
    let copy = if copied { text("Copied", "已复制") } else { text("Copy link", "复制链接") };
    let copy = tr(lang, copy);
    let copy_link = div("button", "bar-button")
        .flag("data-copy-link", true)
        .attr("aria-label", copy.clone())
        .attr("title", copy)
        .kid(icon(if copied { "check" } else { "link" }))
        .click(Act::CopyLink);
    let help = div("button", "bar-button")
        .flag("data-help", true)
        .attr("aria-label", tr(lang, text("Help and keys", "帮助与按键")))
        .kid(icon("help"))
        .sends(Msg::Help(true));
    let tools = div("div", "bar-tools").kid(copy_link).kid(languages(lang)).kid(themes(model)).kid(help);
    let brand = div("h1", "brand").kid(el("a").attr("href", "#/").text("Lockstep"));
    div("header", "bar").kid(brand).kid(nav).kid(tools)
}

fn languages(shown: Lang) -> El {
    let buttons = Lang::ALL.map(|lang| {
        div("button", "bar-button word")
            .attr("lang", lang.tag())
            .attr("data-lang", lang.word())
            .aria("aria-pressed", lang == shown)
            .text(lang.own_name())
            .sends(Msg::Lang(lang))
    });
    div("div", "segmented").attr("role", "group").attr("aria-label", "Language 语言").kids(buttons)
}

fn themes(model: &Model) -> El {
    let lang = model.lang();
    let shown = model.theme();
    let name = |theme| match theme {
        Theme::Light => text("Light", "浅色"),
        Theme::Dark => text("Dark", "深色"),
        Theme::Contrast => text("High contrast", "高对比度"),
    };
    let options = Theme::ALL.map(|theme| {
        let option = el("option").attr("value", theme.word()).flag("selected", theme == shown);
        option.text(tr(lang, name(theme)))
    });
    let chosen = |word: String| Theme::ALL.into_iter().find(|theme| theme.word() == word).map(Msg::Theme);
    let select = el("select").flag("data-theme-select", true).kids(options).attr(".value", shown.word());
    div("label", "bar-select")
        .kid(unseen(tr(lang, text("Theme", "主题"))))
        .kid(icon("theme"))
        .kid(select.value_sends(chosen))
}

fn notices(model: &Model) -> El {
    let lang = model.lang();
    let notices = model.notices.iter().enumerate().map(|(at, notice)| {
        let away = text("Put this notice away", "关闭此提示");
        div("p", "notice").kid(el("span").text(tr(lang, notice.clone()))).kid(quiet(
            lang,
            "close",
            away,
            Msg::Dismiss(at),
        ))
    });
    div("div", "notices").attr("role", "alert").kids(notices)
}
