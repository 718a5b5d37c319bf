//! What is asked of the browser: drawing, address, storage, timers, keys, media.

use std::cell::{Cell, RefCell};

use gloo_timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, MediaQueryList, Storage};

use super::el::Act;
use super::patch::{Drawn, Heard, act_at, draw, typing};
use super::shell::page;
use crate::app::Effect as Asked;
use crate::app::{
    FirstMsg, FocusIn, LabScene, Layout, Model, Msg, Page, STORE_KEY, dispatch, first_scene, lab_scene,
    read_settings, takes_long, update,
};
use crate::text::{Lang, text};

/// The address is written once things have paused for this long: browsers throttle it.
const PAUSE_MS: u32 = 300;
/// What has been drawn is on the screen after this long, if the browser has nothing else to do.
const PAINTED_MS: u32 = 40;
/// How long the button says that the link has been copied.
const COPIED_MS: u32 = 2500;

/// What the page is made of.
#[derive(Clone, Copy)]
struct Ctx {
    model: RwSignal<Model>,
    /// The lab's scene, while the lab is shown.
    lab: Memo<Option<LabScene>>,
    /// What the live region says.
    live: RwSignal<String>,
    copied: RwSignal<bool>,
    /// Whether lanes are being run that take so long that one must be told.
    working: RwSignal<bool>,
}

#[derive(Default)]
struct Timers {
    ticker: Option<(u32, Interval)>,
    address: Option<Timeout>,
    live: Option<Timeout>,
}

thread_local! {
    static TIMERS: RefCell<Timers> = RefCell::default();
    static DRAWN: RefCell<Option<Drawn>> = const { RefCell::new(None) };
    /// Whether a drawing has been asked for and not been made yet.
    static WILL_DRAW: Cell<bool> = const { Cell::new(false) };
    /// What has been done since long work was announced, in order; it waits until the announcement is seen.
    static WAITING: RefCell<Vec<Msg>> = const { RefCell::new(Vec::new()) };
}

/// Draws the page into `#app` of index.html and keeps it up to date.
pub fn mount() {
    let host = document().get_element_by_id("app").expect("index.html has a place for the page, #app");
    let owner = Owner::new();
    owner.with(|| start(&host));
    // It owns the signals for as long as the page lives.
    std::mem::forget(owner);
}

fn start(host: &Element) {
    let model = RwSignal::new(opening_model());
    let lab = Memo::new(move |_| model.with(|model| (model.page == Page::Lab).then(|| lab_scene(model))));
    let (live, copied, working) = (RwSignal::new(String::new()), RwSignal::new(false), RwSignal::new(false));
    let ctx = Ctx { model, lab, live, copied, working };
    listen(ctx, host);
    // Leptos' other effects run in an executor of futures, which the page would carry for this alone.
    ImmediateEffect::new_scoped(move || {
        ctx.model.track();
        ctx.live.track();
        ctx.copied.track();
        ctx.working.track();
        draw_soon(ctx);
    });
}

/// Draws when what is being heard has been carried out, however many messages that takes.
fn draw_soon(ctx: Ctx) {
    if WILL_DRAW.replace(true) {
        return;
    }
    let draw = Closure::once_into_js(move || {
        WILL_DRAW.set(false);
        draw_now(ctx);
    });
    window().queue_microtask(draw.unchecked_ref());
}

fn draw_now(ctx: Ctx) {
    let Some(host) = document().get_element_by_id("app") else { return };
    let el = ctx.model.with_untracked(|model| {
        dress_document(model);
        ctx.lab.with_untracked(|lab| {
            ctx.live.with_untracked(|live| {
                let (copied, working) = (ctx.copied.get_untracked(), ctx.working.get_untracked());
                page(model, lab.as_ref(), live, copied, working)
            })
        })
    });
    // Taken out while drawing: closing a dialog is heard at once.
    let before = DRAWN.take();
    let had_focus =
        document().active_element().is_some_and(|one| one.closest("main").ok().flatten().is_some());
    DRAWN.set(draw(&host, before, el));
    if had_focus {
        keep_focus();
    }
}

/// What had the focus may have gone with this drawing (a message that was delivered, a button that was
/// answered): then the stage takes it, or the page's content, so that the next key goes on from there.
fn keep_focus() {
    let lost = document().active_element().is_none_or(|one| one.tag_name() == "BODY");
    let find = |css: &str| document().query_selector(css).ok().flatten();
    if lost && let Some(heir) = find("[data-stage]").or_else(|| find("main")) {
        let calm = web_sys::FocusOptions::new();
        calm.set_prevent_scroll(true);
        let _ = heir.unchecked_into::<HtmlElement>().focus_with_options(&calm);
    }
}

/// The document's own attributes follow the model. Setting one to what it is already would have the browser style
/// every element anew.
fn dress_document(model: &Model) {
    let lang = model.lang();
    if let Some(root) = document().document_element() {
        for (name, value) in [("lang", lang.tag()), ("data-theme", model.theme().word())] {
            if root.get_attribute(name).is_none_or(|now| now != value) {
                let _ = root.set_attribute(name, value);
            }
        }
    }
    let title = match model.page {
        Page::First => text("Lockstep: the ZooKeeper distributed lock", "Lockstep：ZooKeeper 分布式锁"),
        Page::Lab => text("The lab · Lockstep", "实验室 · Lockstep"),
    };
    let title = title.get(lang);
    if document().title() != title {
        document().set_title(title);
    }
}

/// The model as address, storage and browser say.
fn opening_model() -> Model {
    let mut model = Model::open(&hash());
    if let Some(line) = storage().and_then(|storage| storage.get_item(STORE_KEY).ok().flatten()) {
        let (settings, whole) = read_settings(&line);
        model.settings = settings;
        if !whole {
            model.notices.push(text(
                "Some settings that this browser had kept could not be read. Those have their defaults again; the rest is kept.",
                "浏览器里保存的部分设置无法读取，已恢复默认值，其余设置保留。",
            ));
        }
    }
    let languages = window().navigator().language().unwrap_or_default();
    model.browser_lang = if languages.starts_with("zh") { Lang::Zh } else { Lang::En };
    model.system_dark = is_dark();
    model.layout = layout();
    model
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn media(query: &str) -> Option<MediaQueryList> {
    window().match_media(query).ok().flatten()
}

/// The media query for a dark system.
const DARK: &str = "(prefers-color-scheme: dark)";

fn is_dark() -> bool {
    media(DARK).is_some_and(|query| query.matches())
}

fn layout() -> Layout {
    let at_most = |query: &str| media(query).is_some_and(|query| query.matches());
    if at_most("(max-width: 719px)") {
        Layout::Narrow
    } else if at_most("(max-width: 1199px)") {
        Layout::Medium
    } else {
        Layout::Wide
    }
}

/// Takes a message. One that takes long is announced first, and carried out when that has been painted.
fn send(ctx: Ctx, msg: Msg) {
    let waits = ctx.working.get_untracked();
    if !waits && !ctx.model.with_untracked(|model| takes_long(model, &msg)) {
        return take(ctx, msg);
    }
    WAITING.with_borrow_mut(|waiting| waiting.push(msg));
    if !waits {
        ctx.working.set(true);
        let work = move || {
            for msg in WAITING.take() {
                take(ctx, msg);
            }
            ctx.working.set(false);
        };
        Timeout::new(PAINTED_MS, work).forget();
    }
}

/// Takes a message and carries out its effects.
fn take(ctx: Ctx, msg: Msg) {
    let mut effects = Vec::new();
    ctx.model.update(|model| effects = update(model, msg));
    for effect in effects {
        carry_out(ctx, effect);
    }
    speak_after_pause(ctx);
}

fn carry_out(ctx: Ctx, effect: Asked) {
    TIMERS.with_borrow_mut(|timers| match effect {
        Asked::WriteAddress(address) => {
            timers.address = Some(Timeout::new(PAUSE_MS, move || {
                let history = window().history();
                let _ = history.and_then(|h| h.replace_state_with_url(&"".into(), "", Some(&address)));
            }));
        }
        // Storage that is full or forbidden costs only the remembered settings.
        Asked::Remember(line) => {
            let _ = storage().map(|storage| storage.set_item(STORE_KEY, &line));
        }
        Asked::Ticker(ms) => {
            if timers.ticker.as_ref().is_none_or(|(running, _)| *running != ms) {
                timers.ticker = Some((ms, Interval::new(ms, move || send(ctx, Msg::Tick))));
            }
        }
        Asked::Reveal(css) => {
            let reveal = move || {
                if let Ok(Some(element)) = document().query_selector(css) {
                    element.scroll_into_view_with_bool(false);
                }
            };
            Timeout::new(0, reveal).forget();
        }
        // Dropped later: this may be called from the ticker itself.
        Asked::StopTicker => {
            if let Some((_, ticker)) = timers.ticker.take() {
                Timeout::new(0, move || drop(ticker)).forget();
            }
        }
    });
}

/// Says the last step once things pause: holding a key says only where one ended up.
fn speak_after_pause(ctx: Ctx) {
    let speak = move || {
        let lang = ctx.model.with_untracked(Model::lang);
        let in_lab = ctx.lab.with_untracked(|lab| lab.as_ref().map(|lab| lab.said.clone()));
        let first = || ctx.model.with_untracked(|model| first_scene(&model.first).said);
        let said = in_lab.unwrap_or_else(first);
        let said = said.get(lang).to_string();
        if ctx.live.with_untracked(|now| *now != said) {
            ctx.live.set(said);
        }
    };
    TIMERS.with_borrow_mut(|timers| timers.live = Some(Timeout::new(PAUSE_MS, speak)));
}

/// Listens for as long as the page lives.
fn listen(ctx: Ctx, host: &Element) {
    let window = window();
    on(&window, "hashchange", false, move |_| send(ctx, Msg::Address(hash())));
    on(&window, "keydown", false, move |event| key_down(ctx, event.unchecked_ref()));
    on(&window, "resize", false, move |_| {
        let now = layout();
        if ctx.model.with_untracked(|model| model.layout) != now {
            send(ctx, Msg::Layout(now));
        }
    });
    for (name, heard) in [
        ("click", Heard::Click),
        ("change", Heard::Change),
        ("input", Heard::Change),
        ("close", Heard::Change),
    ] {
        // `close` does not bubble; it is heard on its way down.
        on(host, name, true, move |event| hear(ctx, heard, event));
    }
    if let Some(query) = media(DARK) {
        on(&query, "change", false, move |_| send(ctx, Msg::SystemDark(is_dark())));
    }
}

fn on(target: &EventTarget, name: &str, on_its_way_down: bool, hear: impl Fn(&Event) + 'static) {
    let hear = Closure::<dyn Fn(Event)>::new(move |event: Event| hear(&event));
    let _ = target.add_event_listener_with_callback_and_bool(
        name,
        hear.as_ref().unchecked_ref(),
        on_its_way_down,
    );
    hear.forget();
}

/// Something happened to an element of the page.
fn hear(ctx: Ctx, heard: Heard, event: &Event) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    let Some((act, element)) = act_at(&target, heard) else { return };
    // A field sends its value when it has changed; only the scrubber sends it on the way there.
    let scrubber = element.has_attribute("data-scrubber");
    match &*event.type_() {
        "input" if !scrubber => typing(Some(&element)),
        "change" => typing(None),
        _ => {}
    }
    if scrubber != (event.type_() == "input") && matches!(&*event.type_(), "input" | "change") {
        return;
    }
    // In the first minute each press moves what can be pressed: the second of a double click must not lead back.
    let again = event.dyn_ref::<web_sys::UiEvent>().is_some_and(|event| event.detail() > 1);
    if again && matches!(act, Act::Send(Msg::FirstMinute(FirstMsg::Back | FirstMsg::Again))) {
        return;
    }
    match act {
        Act::Send(msg) => send(ctx, msg),
        Act::Both(first, second) => {
            send(ctx, first);
            send(ctx, second);
        }
        Act::Value(msg) => {
            let value = element.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value);
            let value =
                value.unwrap_or_else(|| element.unchecked_ref::<web_sys::HtmlSelectElement>().value());
            if let Some(msg) = msg(value) {
                send(ctx, msg);
            }
        }
        Act::Checked(msg) => {
            let checked = element.dyn_ref::<HtmlInputElement>().is_some_and(HtmlInputElement::checked);
            send(ctx, msg(checked));
        }
        Act::CopyLink => copy_link(ctx),
        Act::SkipTo(css) => {
            // The hash is the route, so an in-page link has to move the focus itself.
            event.prevent_default();
            if let Ok(Some(there)) = document().query_selector(css) {
                let _ = there.unchecked_into::<HtmlElement>().focus();
            }
        }
    }
}

fn key_down(ctx: Ctx, event: &web_sys::KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
        return;
    }
    // What is a button by role alone is pressed by Enter and Space like any other.
    if matches!(&*event.code(), "Enter" | "NumpadEnter" | "Space")
        && let Some(active) = document().active_element()
        && active.get_attribute("role").as_deref() == Some("button")
        && let Some((act, _)) = act_at(&active, Heard::Click)
    {
        event.prevent_default();
        match act {
            Act::Send(msg) => send(ctx, msg),
            Act::Both(first, second) => {
                send(ctx, first);
                send(ctx, second);
            }
            Act::Value(_) | Act::Checked(_) | Act::CopyLink | Act::SkipTo(_) => {}
        }
        return;
    }
    let (page, letters, help) =
        ctx.model.with_untracked(|model| (model.page, model.settings.letters, model.help));
    if page != Page::Lab || (help && event.code() != "Escape") {
        return;
    }
    if let Some(msg) = dispatch(&event.code(), event.shift_key(), focus_in(), letters) {
        event.prevent_default();
        send(ctx, msg);
    }
}

fn focus_in() -> FocusIn {
    let Some(active) = document().active_element() else { return FocusIn::Page };
    let within = |css: &str| active.closest(css).ok().flatten().is_some();
    if within("[data-stage]") && !is_field(&active) {
        FocusIn::Stage { button: within("button, a, [role=button]") }
    } else if is_field(&active) || active.matches(".scroll, .scroller").unwrap_or(false) {
        FocusIn::Control
    } else if within("button, a, summary, [role=button]") {
        FocusIn::Button
    } else {
        FocusIn::Page
    }
}

fn is_field(element: &Element) -> bool {
    matches!(&*element.tag_name(), "INPUT" | "SELECT" | "TEXTAREA")
}

/// Copies the full link to what is shown, and says so where the browser lets it.
fn copy_link(ctx: Ctx) {
    let address = ctx.model.with_untracked(|model| match model.page {
        Page::Lab => crate::app::lab_address(&model.lab.scenario, model.lab.stop, model.lab.focus),
        Page::First => "#/".to_string(),
    });
    let base = window().location().href().unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default().to_string();
    let link = format!("{base}{address}");
    // The address bar holds the same link, for browsers that forbid the clipboard.
    let _ = window().history().and_then(|h| h.replace_state_with_url(&"".into(), "", Some(&address)));
    // Undefined where the page is not served securely.
    let clipboard = window().navigator().clipboard();
    if clipboard.is_undefined() {
        return;
    }
    let copied = Closure::once(move |_| {
        ctx.copied.set(true);
        Timeout::new(COPIED_MS, move || ctx.copied.set(false)).forget();
    });
    let _ = clipboard.write_text(&link).then(&copied);
    copied.forget();
}
