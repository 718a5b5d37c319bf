//! The tall stage: the queue from top to bottom, a row a client, for narrow screens.

use leptos::prelude::*;

use super::dots::Dots;
use super::icons::{bell, key, pause};
use super::picture::{client_label, hue, message_label, node_label, tone_class, tone_mark};
use super::watches::Rail;
use crate::app::scene::{ClientView, Kind, LedgerView, MessageView, NodeView, Pick, Stage, Way, duration};
use crate::text::{Lang, text};
use crate::world::ClientId;

/// The stage of one lane as rows of at least 44 px.
#[component]
pub fn TallStage(
    #[prop(into)] stage: Signal<Stage>,
    #[prop(into)] lang: Signal<Lang>,
    #[prop(into)] selected: Signal<Option<ClientId>>,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let clients = move || stage.with(|stage| stage.clients.iter().map(|c| c.client).collect::<Vec<_>>());
    let dir = Memo::new(move |_| stage.with(|stage| stage.dir));
    let on_dir =
        Memo::new(move |_| stage.with(|stage| stage.watches.iter().filter(|w| w.to.is_none()).count()));
    view! {
        <div class="tall">
            <button class="tall-server" on:click=move |_| on_pick.run(Pick::Server)>
                <span class="dir">{move || dir.get()}</span>
                {move || (on_dir.get() > 0).then(|| view! { <Icon shape="bell" /> <span>{on_dir.get()}</span> })}
                <span class="server-name">"ZooKeeper"</span>
            </button>
            <div class="tall-queue">
                <Rail stage />
                <ol>
                    <For each=clients key=|client| *client let:client>
                        <Row stage lang selected client on_pick />
                    </For>
                </ol>
            </div>
            <LedgerRow stage lang on_pick />
            <Dots stage lang />
        </div>
    }
}

/// A small mark in a line of text.
#[component]
fn Icon(shape: &'static str) -> impl IntoView {
    let (view_box, mark) = match shape {
        "key" => ("-14 -9 30 18", key().into_any()),
        "pause" => ("-8 -8 16 16", pause().into_any()),
        _ => ("-9 -1 18 18", bell().into_any()),
    };
    view! {
        <svg class=format!("icon icon-{shape}") viewBox=view_box aria-hidden="true">
            {mark}
        </svg>
    }
}

#[component]
fn Row(
    stage: Signal<Stage>,
    lang: Signal<Lang>,
    selected: Signal<Option<ClientId>>,
    client: ClientId,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let find = move |stage: &Stage| stage.clients.iter().find(|c| c.client == client).cloned();
    let view = Memo::new(move |before: Option<&Option<ClientView>>| {
        stage.with(find).or_else(|| before.cloned().flatten())
    });
    let node =
        Memo::new(move |_| stage.with(|stage| stage.nodes.iter().find(|n| n.owner == client).cloned()));
    let messages = move || {
        stage.with(|stage| stage.messages.iter().filter(|m| m.client == client).cloned().collect::<Vec<_>>())
    };
    let messages = Memo::new(move |_| messages());
    let chosen = move || selected.get() == Some(client);
    let tone = move || view.with(|view| view.as_ref().map_or("away", |view| tone_class(view.tone)));
    let label = move || view.with(|view| view.as_ref().map(|view| client_label(view, lang.get())));
    view! {
        <li class=move || format!("tall-row {} {}{}", hue(client), tone(), if chosen() { " chosen" } else { "" })>
            {move || node.get().map_or_else(
                || view! { <span class="tall-node none" aria-hidden="true">"–"</span> }.into_any(),
                |node| tall_node(node, lang, on_pick).into_any(),
            )}
            <button
                class="tall-client"
                aria-label=label
                aria-pressed=move || chosen().to_string()
                on:click=move |_| on_pick.run(Pick::Client(client))
            >
                <span class="tall-letter">{client.to_string()}</span>
                <span class="tall-words">{move || view.get().map(|view| words(view, lang.get()))}</span>
            </button>
            <span class="tall-messages">
                <For each=move || messages.get() key=|m| m.key.clone() let:first>
                    <Chip messages lang first on_pick />
                </For>
            </span>
        </li>
    }
}

fn tall_node(node: NodeView, lang: Signal<Lang>, on_pick: Callback<Pick>) -> impl IntoView {
    let class = if node.deleted { "tall-node gone" } else { "tall-node there" };
    let label = node.clone();
    let (path, gone, first) = (node.path, node.deleted, node.first);
    view! {
        <button
            class=class
            aria-label=move || node_label(&label, lang.get())
            on:click=move |_| on_pick.run(Pick::Node(path.clone()))
        >
            <span class="number">{node.label}</span>
            {first.then(|| view! { <Icon shape="key" /> })}
            {move || gone.then(|| text("deleted", "已删除").get(lang.get()).to_string())
                .map(|gone| view! { <span class="gone-word">{gone}</span> })}
        </button>
    }
}

fn words(view: ClientView, lang: Lang) -> impl IntoView {
    let mark = tone_mark(view.tone).map(|mark| view! { <span class="mark">{mark}</span> });
    let second = match view.wrong_ms.map(duration) {
        Some(ms) => match lang {
            Lang::En => format!("wrong for {ms}"),
            Lang::Zh => format!("错了 {ms}"),
        },
        None => view.line2.get(lang).to_string(),
    };
    view! {
        <span class="first">{mark} {view.line1.get(lang).to_string()}</span>
        <span class="second">{second}</span>
    }
}

#[component]
fn Chip(
    messages: Memo<Vec<MessageView>>,
    lang: Signal<Lang>,
    first: MessageView,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let kind = match first.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    let (key, action, text) = (first.key.clone(), first.action, first.label.clone());
    let away = match first.way {
        Way::ToServer | Way::ToLedger => "→",
        Way::ToClient | Way::FromLedger => "←",
    };
    let live = Memo::new(move |before: Option<&MessageView>| {
        let now = messages.with(|messages| messages.iter().find(|m| m.key == key).cloned());
        now.or_else(|| before.cloned()).unwrap_or_else(|| first.clone())
    });
    view! {
        <button
            class=format!("chip {kind}")
            aria-label=move || live.with(|m| message_label(m, lang.get()))
            on:click=move |_| on_pick.run(Pick::Link(action))
        >
            <span class="chip-face">
                {(kind == "event").then(|| view! { <Icon shape="bell" /> })}
                {move || live.with(|m| m.held).then(|| view! { <Icon shape="pause" /> })}
                <span class="chip-text">{away} " " {text}</span>
            </span>
        </button>
    }
}

#[component]
fn LedgerRow(stage: Signal<Stage>, lang: Signal<Lang>, on_pick: Callback<Pick>) -> impl IntoView {
    let ledger: Memo<LedgerView> = Memo::new(move |_| stage.with(|stage| stage.ledger.clone()));
    let harmed = move || ledger.with(|ledger| ledger.entries.iter().any(|entry| entry.harm));
    let entry = move |entry: crate::app::scene::LedgerEntry| {
        view! {
            <span class=format!("tall-entry {}{}", hue(entry.client), if entry.harm { " harm" } else { "" })>
                <b>{entry.client.to_string()}</b>
                {entry.harm.then_some("✗ ")}
                {entry.text.get(lang.get()).to_string()}
            </span>
        }
    };
    view! {
        <button class="tall-ledger" on:click=move |_| on_pick.run(Pick::Ledger)>
            <span>
                <span class="ledger-name">{move || text("ledger", "账本").get(lang.get()).to_string()}</span>
                <span class=move || if harmed() { "stock harmed" } else { "stock" }>
                    {move || text("stock", "库存").get(lang.get()).to_string()} " "
                    {move || ledger.with(|ledger| ledger.stock)}
                </span>
            </span>
            <span class="tall-entries">
                {move || ledger.get().entries.into_iter().rev().take(2).map(entry).collect_view()}
            </span>
        </button>
    }
}
