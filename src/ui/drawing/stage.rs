//! The wide stage: the server band above, clients under their own nodes, the ledger beneath.

use leptos::prelude::*;

use super::dots::Dots;
use super::geometry::{BAND_H, Fitted, HATCH_H, LEDGER_H, NARROW, NODE_H, PILL_H, TITLE_Y};
use super::icons::{bell, hatching, key, pause};
use super::picture::{
    Arc, Bell, Card, ClientBox, NodeBox, Picture, Pill, Wire, client_label, hue, message_label, node_label,
    tone_class, tone_mark,
};
use super::target::{Target, live};
use crate::app::scene::{self, Kind, Pick};
use crate::text::{Lang, text};
use crate::world::ClientId;

/// The stage of one lane as a picture that is as wide as its container.
#[component]
pub fn Stage(
    #[prop(into)] stage: Signal<scene::Stage>,
    #[prop(into)] lang: Signal<Lang>,
    #[prop(into)] selected: Signal<Option<ClientId>>,
    on_pick: Callback<Pick>,
    /// The width of the view box: about as many units as the container has pixels. 540 beside
    /// another lane; a lane alone may have 1040 and needs no staggering then.
    #[prop(default = Signal::stored(NARROW), into)]
    width: Signal<f32>,
) -> impl IntoView {
    let picture = Memo::new(move |_| stage.with(|stage| Picture::of(stage, lang.get(), width.get())));
    let frame = Memo::new(move |_| picture.with(|picture| picture.frame));
    let name = move || {
        text("The queue, the clients and the ledger", "队列、客户端与账本").get(lang.get()).to_string()
    };
    view! {
        <div class="stage">
            <svg
                class="stage-picture"
                viewBox=move || frame.with(|frame| format!("0 0 {} {}", frame.width, frame.height))
                role="group"
                aria-label=name
            >
                <Server picture lang on_pick />
                <For each=move || picture.with(|p| p.wires.clone()) key=|wire| wire.client let:first>
                    <WireMark picture first />
                </For>
                <For each=move || picture.with(|p| p.arcs.clone()) key=|arc| arc.key.clone() let:first>
                    <ArcMark picture first />
                </For>
                <For each=move || picture.with(|p| p.nodes.clone()) key=|n| n.view.owner let:first>
                    <NodeMark picture lang first on_pick />
                </For>
                <For each=move || picture.with(|p| p.bells.clone()) key=|bell| bell.key.clone() let:first>
                    <BellMark picture first />
                </For>
                <Ledger picture lang on_pick />
                <For each=move || picture.with(|p| p.clients.clone()) key=|c| c.view.client let:first>
                    <ClientMark picture lang selected first on_pick />
                </For>
                <For each=move || picture.with(|p| p.pills.clone()) key=|p| p.view.key.clone() let:first>
                    <PillMark picture lang first on_pick />
                </For>
            </svg>
            <Dots stage lang />
        </div>
    }
}

/// A line of text, squeezed where it must be.
fn line(class: &'static str, x: f32, y: f32, fitted: Fitted) -> impl IntoView {
    view! {
        <text
            class=class
            x=x
            y=y
            textLength=fitted.squeeze
            lengthAdjust=fitted.squeeze.map(|_| "spacingAndGlyphs")
        >
            {fitted.text}
        </text>
    }
}

#[component]
fn Server(picture: Memo<Picture>, lang: Signal<Lang>, on_pick: Callback<Pick>) -> impl IntoView {
    let width = move || picture.with(|picture| picture.frame.width);
    let dir = Memo::new(move |_| picture.with(|picture| picture.dir));
    let label = Signal::derive(move || {
        format!("{} {}", text("the server, directory", "服务器，目录").get(lang.get()), dir.get())
    });
    view! {
        <rect class="band" x="1" y="1" width=move || width() - 2.0 height=BAND_H - 1.0 rx="12" />
        <Target label class="server" at=(0.0, 0.0) act=Callback::new(move |()| on_pick.run(Pick::Server))>
            <rect class="focus" x="6" y="5" width=move || 28.0 + dir.get().len() as f32 * 9.2 height="28" rx="7" />
            <rect class="hit" x="1" y="1" width=move || 28.0 + dir.get().len() as f32 * 9.2 height="44" />
            <text class="dir" x="16" y=TITLE_Y>
                {move || dir.get()}
            </text>
        </Target>
        <text class="server-name" x=move || width() - 16.0 y=TITLE_Y>
            "ZooKeeper"
        </text>
    }
}

#[component]
fn NodeMark(
    picture: Memo<Picture>,
    lang: Signal<Lang>,
    first: NodeBox,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let owner = first.view.owner;
    let node = live(picture, first, move |p| p.nodes.iter().find(|node| node.view.owner == owner));
    let label = Signal::derive(move || node.with(|node| node_label(&node.view, lang.get())));
    let class = Signal::derive(move || {
        let state = node.with(|node| if node.view.deleted { "gone" } else { "there" });
        format!("node {} {state}", hue(owner))
    });
    let at = Signal::derive(move || node.with(|node| (node.place.x, node.place.y)));
    let w = move || node.with(|node| node.place.w);
    let act =
        Callback::new(move |()| on_pick.run(Pick::Node(node.with_untracked(|node| node.view.path.clone()))));
    view! {
        <Target label class at act>
            <rect class="focus" x=move || -w() / 2.0 - 3.0 y="-3" width=move || w() + 6.0 height=NODE_H + 6.0 rx="9" />
            <rect class="slot" x=move || -w() / 2.0 width=w height=NODE_H rx="7" />
            {move || line("number", 0.0, 22.0, node.with(|node| node.label.clone()))}
            {move || {
                let (gone, first) = node.with(|node| (node.view.deleted, node.view.first));
                match (gone, first) {
                    (true, _) => line("gone-word", 0.0, 42.0, node.with(|node| node.gone.clone())).into_any(),
                    (false, true) => view! { <g transform="translate(0, 37)">{key()}</g> }.into_any(),
                    (false, false) => ().into_any(),
                }
            }}
        </Target>
    }
}

#[component]
fn ArcMark(picture: Memo<Picture>, first: Arc) -> impl IntoView {
    let key = first.key.clone();
    let class = format!("arc {} {}", hue(first.client), if first.fired { "fired" } else { "armed" });
    let arc = live(picture, first, move |p| p.arcs.iter().find(|arc| arc.key == key));
    view! {
        <g class=class>
            <path class="thread" d=move || arc.with(|arc| arc.path.clone()) />
            {move || arc.with(|arc| arc.anchor).map(|(x, y)| view! { <circle class="anchor" cx=x cy=y r="5" /> })}
        </g>
    }
}

#[component]
fn BellMark(picture: Memo<Picture>, first: Bell) -> impl IntoView {
    let key = first.key.clone();
    let mark = live(picture, first, move |p| p.bells.iter().find(|bell| bell.key == key));
    let class = move || {
        mark.with(|mark| {
            format!("bell-mark {} {}", mark.only.map_or("", hue), if mark.hollow { "hollow" } else { "" })
        })
    };
    let count = move || mark.with(|mark| (mark.count > 1).then(|| mark.count.to_string()));
    view! {
        <g class=class transform=move || mark.with(|mark| format!("translate({}, {})", mark.x, mark.y))>
            {bell()} <text class="bell-count" x="10" y="11">{count}</text>
        </g>
    }
}

#[component]
fn WireMark(picture: Memo<Picture>, first: Wire) -> impl IntoView {
    let client = first.client;
    let wire = live(picture, first, move |p| p.wires.iter().find(|wire| wire.client == client));
    let frame = Memo::new(move |_| picture.with(|picture| picture.frame));
    let upper_end = move || frame.with(|f| f.client_y - f.radius - 5.0);
    let head = |x: f32, y: f32, up: bool| {
        let d = if up { format!("M{x},{y} l-6,9 h12 Z") } else { format!("M{x},{y} l-6,-9 h12 Z") };
        view! { <path class="head" d=d /> }
    };
    view! {
        <g class=format!("wire {}", hue(client))>
            <path
                class=move || wire.with(|w| if w.upper.0 || w.upper.1 { "lead busy" } else { "lead" })
                d=move || format!("M{0},{BAND_H} V{1}", wire.with(|w| w.x), upper_end())
            />
            {move || wire.with(|w| w.upper.0.then(|| head(w.x, BAND_H, true)))}
            {move || wire.with(|w| w.upper.1.then(|| head(w.x, upper_end(), false)))}
            {move || {
                let w = wire.get();
                let bottom = frame.with(|f| f.ledger_top);
                (w.lower.0 || w.lower.1)
                    .then(|| {
                        view! {
                            <path class="lead busy" d=format!("M{},{} V{bottom}", w.x, w.lower_top) />
                            {w.lower.0.then(|| head(w.x, bottom, false))}
                            {w.lower.1.then(|| head(w.x, w.lower_top, true))}
                        }
                    })
            }}
        </g>
    }
}

#[component]
fn ClientMark(
    picture: Memo<Picture>,
    lang: Signal<Lang>,
    selected: Signal<Option<ClientId>>,
    first: ClientBox,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let client = first.view.client;
    let item = live(picture, first, move |p| p.clients.iter().find(|c| c.view.client == client));
    let label = Signal::derive(move || item.with(|item| client_label(&item.view, lang.get())));
    let chosen = Signal::derive(move || selected.get() == Some(client));
    let class = Signal::derive(move || {
        let tone = item.with(|item| tone_class(item.view.tone));
        format!("client {} {tone}{}", hue(client), if chosen.get() { " chosen" } else { "" })
    });
    let at = Signal::derive(move || item.with(|item| (item.x, item.y)));
    let r = Memo::new(move |_| item.with(|item| item.r));
    let acted = Memo::new(move |_| item.with(|item| item.view.acted));
    let act = Callback::new(move |()| on_pick.run(Pick::Client(client)));
    view! {
        <Target label class at pressed=chosen act>
            <rect class="hit" x=move || -r.get().max(24.0) y=move || -r.get().max(24.0)
                width=move || 2.0 * r.get().max(24.0) height=move || 2.0 * r.get().max(24.0) />
            <circle class="focus" r=move || r.get() + 7.0 />
            <circle class=move || if acted.get() { "halo acted" } else { "halo" } r=move || r.get() + 4.0 />
            <circle class="disc" r=move || r.get() />
            <text class="letter" y="8">{client.to_string()}</text>
            {move || bubble(item.get())}
        </Target>
    }
}

/// The bubble under a client, relative to the middle of its disc.
fn bubble(item: ClientBox) -> impl IntoView {
    let (w, h) = (item.bubble.w, item.bubble.h);
    let (left, top) = (-w / 2.0, item.bubble.y - item.y);
    let below = item.wrong.clone().filter(|_| !item.wrong_inside);
    let second = item.wrong.clone().filter(|_| item.wrong_inside);
    let (second_class, second) = second.map_or(("second", item.line2.clone()), |wrong| ("wrong-word", wrong));
    let mark = tone_mark(item.view.tone);
    let hatch = item.wrong.is_some().then(|| {
        view! {
            <g transform=format!("translate({left}, {})", top + h)>
                <rect class="hatch-ground" width=w height=HATCH_H rx="3" />
                <path class="hatch" d=hatching(w, HATCH_H) />
            </g>
        }
    });
    view! {
        <path class="string" d=format!("M0,{} V{top}", item.thread_from - item.y) />
        <rect class="bubble" x=left y=top width=w height=h rx="8" />
        {line("first", 0.0, top + 18.0, item.line1)}
        {line(second_class, 0.0, top + 37.0, second)}
        {hatch}
        {below.map(|wrong| line("wrong-word", 0.0, top + h + HATCH_H + 16.0, wrong))}
        {mark
            .map(|mark| {
                view! {
                    <g class="badge" transform=format!("translate({}, {})", left + 7.0, top)>
                        <circle r="9.5" />
                        <text y="5">{mark}</text>
                    </g>
                }
            })}
    }
}

#[component]
fn PillMark(
    picture: Memo<Picture>,
    lang: Signal<Lang>,
    first: Pill,
    on_pick: Callback<Pick>,
) -> impl IntoView {
    let (key, client) = (first.view.key.clone(), first.view.client);
    let kind = match first.view.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    let action = first.view.action;
    let pill = live(picture, first, move |p| p.pills.iter().find(|pill| pill.view.key == key));
    let label = Signal::derive(move || pill.with(|pill| message_label(&pill.view, lang.get())));
    let at = Signal::derive(move || pill.with(|pill| (pill.place.x, pill.place.y)));
    let w = Memo::new(move |_| pill.with(|pill| pill.place.w));
    let face = Memo::new(move |_| pill.with(|pill| (pill.label.clone(), pill.view.held)));
    let act = Callback::new(move |()| on_pick.run(Pick::Link(action)));
    view! {
        <Target label class=format!("pill {kind} {}", hue(client)) at act>
            <rect class="hit" x=move || -w.get() / 2.0 y="-1" width=move || w.get() height=PILL_H + 2.0 />
            <rect class="focus" x=move || -w.get() / 2.0 - 3.0 y="-3" width=move || w.get() + 6.0 height=PILL_H + 6.0 rx="13" />
            <rect class="body" x=move || -w.get() / 2.0 + 0.5 y="0.5" width=move || w.get() - 1.0 height=PILL_H - 1.0 rx="11" />
            {move || {
                let (fitted, held) = face.get();
                let (mut left, mut right) = (-w.get() / 2.0, w.get() / 2.0);
                let bell = (kind == "event").then(|| {
                    left += 15.0;
                    view! { <g transform=format!("translate({}, 4)", left - 3.0)>{bell()}</g> }
                });
                let pause = held.then(|| {
                    right -= 15.0;
                    view! { <g transform=format!("translate({}, 11)", right + 3.0)>{pause()}</g> }
                });
                view! { {bell} {pause} {line("call", (left + right) / 2.0, 15.5, fitted)} }
            }}
        </Target>
    }
}

#[component]
fn Ledger(picture: Memo<Picture>, lang: Signal<Lang>, on_pick: Callback<Pick>) -> impl IntoView {
    let frame = Memo::new(move |_| picture.with(|picture| picture.frame));
    let stock = Memo::new(move |_| picture.with(|picture| picture.stock));
    let cards = Memo::new(move |_| picture.with(|picture| picture.cards.clone()));
    let title = move || text("ledger", "账本").get(lang.get()).to_string();
    let count = move || format!("{} {}", text("stock", "库存").get(lang.get()), stock.get());
    let label = Signal::derive(move || format!("{}, {}", title(), count()));
    let harmed = move || cards.with(|cards| cards.iter().any(|card| card.entry.harm));
    let at = Signal::derive(move || (0.0, frame.with(|frame| frame.ledger_top)));
    let width = move || frame.with(|frame| frame.width) - 2.0;
    view! {
        <Target label class="ledger" at act=Callback::new(move |()| on_pick.run(Pick::Ledger))>
            <rect class="plate" x="1" y="1" width=width height=LEDGER_H - 2.0 rx="12" />
            <rect class="focus" x="3" y="3" width=move || width() - 4.0 height=LEDGER_H - 6.0 rx="10" />
            <text class="ledger-name" x="16" y="25">{title}</text>
            <text class=move || if harmed() { "stock harmed" } else { "stock" } x="16" y="53">{count}</text>
        </Target>
        <g class="cards">
            {move || cards.get().into_iter().map(card).collect_view()}
        </g>
    }
}

fn card(card: Card) -> impl IntoView {
    let place = card.place;
    let class = format!("card {}{}", hue(card.entry.client), if card.entry.harm { " harm" } else { "" });
    let text_x = place.left() + if card.entry.harm { 48.0 } else { 30.0 };
    view! {
        <g class=class>
            <rect x=place.left() y=place.y width=place.w height=place.h rx="8" />
            <circle cx=place.left() + 15.0 cy=place.y + 14.0 r="10" />
            <text class="card-letter" x=place.left() + 15.0 y=place.y + 19.0>{card.entry.client.to_string()}</text>
            {card.entry.harm.then(|| view! { <text class="card-mark" x=place.left() + 37.0 y=place.y + 19.5>"✗"</text> })}
            {line("card-text", text_x, place.y + 19.5, card.text)}
        </g>
    }
}
