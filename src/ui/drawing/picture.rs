//! The wide picture worked out: every node, arc, bell, pill, bubble and card with its place and its
//! fitted words, as plain values that can be compared one by one.

use super::gate::{GateBox, gate_box};
use super::geometry::*;
use super::labels::{lag_words, wrong_words};
use super::pills::{Wanted, place};
use crate::app::scene::{ClientView, Kind, MessageView, NodeView, Stage, WatchState, Way};

use crate::text::{Lang, text};
use crate::ui::el::short;
use crate::world::ClientId;

/// A node or the hollow place of one.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeBox {
    pub view: NodeView,
    pub place: Rect,
    pub label: Fitted,
    /// `deleted`, where it fits, or why it is here without a client; a shorter word where not.
    pub gone: Fitted,
    /// How long its session lives if nothing is heard of it.
    pub left: Option<Fitted>,
}

/// A client with its bubble.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientBox {
    pub view: ClientView,
    pub x: f32,
    pub y: f32,
    pub r: f32,
    pub bubble: Rect,
    /// Where the thread from the client to its bubble starts.
    pub thread_from: f32,
    pub line1: Fitted,
    pub line2: Fitted,
    pub wrong: Option<Fitted>,
    /// The length stands in the bubble, for want of a place beneath it.
    pub wrong_inside: bool,
}

/// The arc of a watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    pub key: String,
    pub client: ClientId,
    pub path: String,
    pub fired: bool,
    /// There is no node to start from: where the arc starts with a dot.
    pub anchor: Option<(f32, f32)>,
}

/// The bell at the watched end; one for all who watch the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Bell {
    pub key: String,
    pub x: f32,
    pub y: f32,
    /// It hangs on a node that does not exist.
    pub hollow: bool,
    pub count: u32,
    /// The watcher, if there is one alone.
    pub only: Option<ClientId>,
}

/// A message on its wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Pill {
    pub view: MessageView,
    pub place: Rect,
    pub label: Fitted,
}

/// A column's wires: whether something goes up or down on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub client: ClientId,
    pub x: f32,
    /// On the wire between client and server.
    pub upper: (bool, bool),
    /// On the wire between client and ledger.
    pub lower: (bool, bool),
    pub lower_top: f32,
    /// Its library has no connection.
    pub cut: bool,
    /// It carries nothing, and nobody knows.
    pub stalled: bool,
}

/// The whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub frame: Frame,
    pub dir: &'static str,
    pub nodes: Vec<NodeBox>,
    pub arcs: Vec<Arc>,
    pub bells: Vec<Bell>,
    pub wires: Vec<Wire>,
    pub clients: Vec<ClientBox>,
    pub pills: Vec<Pill>,
    pub gate: GateBox,
}

/// Columns that a picture makes room for, so that a story of two does not sprawl.
const LEAST_COLUMNS: u32 = 2;

impl Picture {
    /// Works the picture out for a view box this wide.
    pub fn of(stage: &Stage, lang: Lang, width: f32) -> Picture {
        let frame = Frame::new(stage.columns.max(LEAST_COLUMNS), width);
        let clients: Vec<ClientBox> =
            stage.clients.iter().map(|view| client_box(&frame, view, lang)).collect();
        let pills = pills(&frame, &stage.messages, lang);
        let wires = clients.iter().map(|client| wire(client, &stage.messages)).collect();
        let bells = bells(&frame, stage);
        Picture {
            dir: stage.dir,
            nodes: stage.nodes.iter().map(|view| node_box(&frame, view, lang)).collect(),
            arcs: arcs(&frame, stage),
            bells,
            wires,
            clients,
            pills,
            gate: gate_box(&frame, &stage.ledger, lang),
            frame,
        }
    }
}

fn node_box(frame: &Frame, view: &NodeView, lang: Lang) -> NodeBox {
    let room = frame.node_w - 6.0;
    let place = Rect { x: frame.x(view.column), y: NODE_TOP, w: tenth(frame.node_w), h: NODE_H };
    // The mono face is 0.61 em wide, whatever the character.
    let natural = view.label.chars().count() as f32 * 0.61 * 20.0;
    let squeeze = (natural > room).then_some(tenth(room));
    let label = Fitted { text: view.label.clone(), squeeze };
    let (whole, short) = match (view.left_over, view.expired) {
        (true, _) => (text("left over", "残留"), text("left", "残留")),
        (false, true) => (text("expired", "会话过期"), text("expired", "过期")),
        (false, false) => (text("deleted", "已删除"), text("gone", "已删")),
    };
    let gone = if width_of(whole.get(lang), TEXT) <= room { whole } else { short };
    // A deleted node that a lagging server still shows says so, and one that it does not show yet too.
    let gone = view.lag.map_or(gone, lag_words);
    // Whole seconds, upwards: it is a fuse, not a clock.
    let left =
        view.fuse.map(|fuse| fit(format!("{} s", fuse.left_ms.div_ceil(1000)), TEXT, room / 2.0 + 2.0));
    NodeBox { view: view.clone(), place, label, gone: fit(gone.get(lang), TEXT, room), left }
}

fn client_box(frame: &Frame, view: &ClientView, lang: Lang) -> ClientBox {
    let x = frame.x(view.column);
    let room = frame.bubble_w - 6.0;
    let wrong = view.wrong_ms.map(|ms| wrong_for(ms, lang, room));
    let wrong_inside = frame.staggered && wrong.is_some();
    let (line1, line2) = (view.line1.get(lang), view.line2.get(lang));
    let widest = width_of(line1, TEXT).max(width_of(line2, TEXT));
    let widest = wrong.iter().map(|fitted| width_of(&fitted.text, TEXT)).fold(widest, f32::max);
    let w = between(widest + 16.0, (frame.pitch - 8.0).min(84.0), frame.bubble_w);
    ClientBox {
        x,
        y: tenth(frame.client_y),
        r: tenth(frame.radius),
        bubble: Rect { x, y: tenth(frame.bubble_y(view.column)), w: tenth(w), h: BUBBLE_H },
        thread_from: tenth(frame.client_y + frame.radius),
        line1: fit(line1, TEXT, room),
        line2: fit(line2, TEXT, room),
        wrong,
        wrong_inside,
        view: view.clone(),
    }
}

fn wrong_for(ms: u64, lang: Lang, room: f32) -> Fitted {
    let whole = wrong_words(ms, true);
    let words = if width_of(whole.get(lang), TEXT) > room { wrong_words(ms, false) } else { whole };
    fit(words.get(lang), TEXT, room)
}

/// Where the bell of a node hangs, and where the arc of its own watch starts.
fn bell_at(frame: &Frame, column: u32) -> (f32, f32) {
    (tenth(frame.x(column) + frame.node_w * 0.24), NODE_TOP - 16.0)
}

/// Where the bell of the directory hangs: behind its name.
fn dir_bell(dir: &str) -> (f32, f32) {
    (tenth(20.0 + dir.chars().count() as f32 * 0.61 * TEXT + 16.0), 10.0)
}

fn arcs(frame: &Frame, stage: &Stage) -> Vec<Arc> {
    let arc = |watch: &crate::app::scene::WatchView| {
        let has_node = stage.nodes.iter().any(|node| node.column == watch.from && !node.deleted);
        let x = frame.x(watch.from) - if has_node { frame.node_w * 0.2 } else { 0.0 };
        let start = if has_node { NODE_TOP } else { NODE_TOP + NODE_H / 2.0 };
        let fired = watch.state == WatchState::Fired;
        let path = match watch.to {
            Some(to) => {
                let (bell_x, bell_y) = bell_at(frame, to);
                let away = watch.from.abs_diff(to).max(1) as f32;
                let rise = bell_y - (8.0 + 5.0 * away).min(34.0);
                let end = if fired { NODE_TOP } else { bell_y };
                let [x, start, rise, bell_x, end] = [x, start, rise, bell_x, end].map(short);
                format!("M{x},{start} C{x},{rise} {bell_x},{rise} {bell_x},{end}")
            }
            None => {
                let (bell_x, bell_y) = dir_bell(stage.dir);
                let bend = bell_x + (x - bell_x) * 0.5;
                let end = bell_y + 18.0;
                let [x, start, bend, end, tip_x, tip_y] =
                    [x, start, bend, end, bell_x + 9.0, end - 8.0].map(short);
                format!("M{x},{start} C{x},42 {bend},{end} {tip_x},{tip_y}")
            }
        };
        Arc {
            key: format!("{}.{}.{fired}", watch.client, watch.on),
            client: watch.client,
            path,
            fired,
            anchor: (!has_node).then_some((tenth(x), tenth(start))),
        }
    };
    stage.watches.iter().map(arc).collect()
}

fn bells(frame: &Frame, stage: &Stage) -> Vec<Bell> {
    let mut bells: Vec<Bell> = Vec::new();
    for watch in stage.watches.iter().filter(|watch| watch.state != WatchState::Fired) {
        if let Some(bell) = bells.iter_mut().find(|bell| bell.key == watch.on) {
            bell.count += 1;
            bell.only = None;
            continue;
        }
        let (x, y) = watch.to.map_or_else(|| dir_bell(stage.dir), |to| bell_at(frame, to));
        let hollow = watch.state == WatchState::OnMissing;
        bells.push(Bell { key: watch.on.clone(), x, y, hollow, count: 1, only: Some(watch.client) });
    }
    bells
}

fn is_upper(way: Way) -> bool {
    matches!(way, Way::ToServer | Way::ToClient)
}

fn goes_up(way: Way) -> bool {
    matches!(way, Way::ToServer | Way::FromLedger)
}

fn wire(client: &ClientBox, messages: &[MessageView]) -> Wire {
    let any = |upper: bool, up: bool| {
        let here = |m: &&MessageView| m.client == client.view.client;
        messages.iter().filter(here).any(|m| is_upper(m.way) == upper && goes_up(m.way) == up)
    };
    let hatch = match (&client.wrong, client.wrong_inside) {
        (None, _) => 0.0,
        (Some(_), true) => HATCH_H,
        (Some(_), false) => HATCH_H + 21.0,
    };
    Wire {
        client: client.view.client,
        x: client.x,
        upper: (any(true, true), any(true, false)),
        lower: (any(false, true), any(false, false)),
        lower_top: client.bubble.bottom() + hatch,
        cut: client.view.cut,
        stalled: client.view.stalled,
    }
}

/// The space that a pill needs besides its label: padding, and a bell or a pause mark.
pub fn pill_extra(view: &MessageView) -> f32 {
    let mark = |has: bool| if has { 15.0 } else { 0.0 };
    // A torn pill has teeth.
    10.0 + mark(view.kind == Kind::Event && !view.lost) + mark(view.held) + mark(view.lost)
}

fn pill_label(view: &MessageView, lang: Lang, room: f32) -> Fitted {
    let label = view.label.get(lang);
    if width_of(label, PILL_TEXT) <= room {
        return fit(label, PILL_TEXT, room);
    }
    // Of a long event name the part that tells it from the others.
    let short = match label.strip_prefix("Node").and_then(|rest| rest.strip_suffix("Changed")) {
        Some(middle) => format!("{middle}…"),
        None => label.to_string(),
    };
    fit(short, PILL_TEXT, room)
}

fn pills(frame: &Frame, messages: &[MessageView], lang: Lang) -> Vec<Pill> {
    let mut pills = Vec::new();
    for upper in [true, false] {
        let here: Vec<&MessageView> = messages.iter().filter(|m| is_upper(m.way) == upper).collect();
        let labels: Vec<Fitted> =
            here.iter().map(|m| pill_label(m, lang, frame.pill_room() - pill_extra(m))).collect();
        let wanted: Vec<Wanted> = here
            .iter()
            .zip(&labels)
            .map(|(m, label)| {
                let come = m.percent as f32 / 100.0;
                // Those behind on the same link stay behind, even if they have come as far.
                let come = come - 0.001 * m.behind as f32;
                let width = label.squeeze.unwrap_or_else(|| width_of(&label.text, PILL_TEXT));
                let width = (width + pill_extra(m)).max(44.0);
                Wanted { column: m.column, width, down: if goes_up(m.way) { 1.0 - come } else { come } }
            })
            .collect();
        let range = if upper { frame.upper() } else { frame.lower() };
        let places = place(frame, range, &wanted);
        for ((view, label), place) in here.into_iter().zip(labels).zip(places) {
            pills.push(Pill { view: view.clone(), place, label });
        }
    }
    pills
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::{Look, Past, stage};
    use crate::play::{Comparison, Fold, decode};

    /// Every stop of these stories, in both languages and beside another lane or alone.
    const STORIES: [&str; 9] = [
        "clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open&lane=",
        "clients=3&timeout-ms=6000&script=stall.A@100,heal.A@9000&lane=resource=open&lane=disconnect=requeue",
        "clients=4&stock=1&script=lost-reply.B@50,crash.A@200,restart.A@900&lane=resource=forgetful&lane=lost-reply=again",
        "clients=8&lane=&lane=watch=holder&lane=watch=parent",
        "clients=8&lane=watch=holder,wake=assume&lane=watch=poll",
        "clients=7&lane=node=ephemeral-single&lane=watch=holder,wake=assume",
        "clients=6&lane=watch=holder,wake=assume&lane=missing=requeue",
        "clients=5&hold-ms=20&lane=watch=parent&lane=check=separate",
        "clients=3&lane=watch=holder,wake=assume&lane=",
    ];

    fn each_picture(story: &str, mut look_at: impl FnMut(&Stage, &Picture)) {
        let comparison = Comparison::run(&decode(story).scenario);
        for timeline in comparison.lanes() {
            let fold = Fold::over(timeline, Past::default(), Past::see);
            for steps in 0..=timeline.len() {
                let (world, scheduler) = timeline.at(steps);
                let past = fold.at(timeline, steps);
                let last = steps.checked_sub(1).map(|at| &timeline.steps()[at as usize]);
                let now_ms = last.map_or(0, |step| step.at_ms);
                let look = Look {
                    world: &world,
                    scheduler: &scheduler,
                    past: &past,
                    last,
                    now_ms,
                    stuck: &[],
                    beats: true,
                };
                let stage = stage(&look, None);
                for lang in Lang::ALL {
                    for width in [NARROW, 1040.0] {
                        look_at(&stage, &Picture::of(&stage, lang, width));
                    }
                }
            }
        }
    }

    /// The bubble with its hatched band and the length beneath it.
    fn whole_bubble(client: &ClientBox) -> Rect {
        let under = match (&client.wrong, client.wrong_inside) {
            (None, _) => 0.0,
            (Some(_), true) => HATCH_H,
            (Some(_), false) => HATCH_H + 20.0,
        };
        Rect { h: client.bubble.h + under, ..client.bubble }
    }

    #[test]
    fn nothing_in_a_picture_covers_anything_else() {
        for story in STORIES {
            each_picture(story, |_, picture| {
                let bubbles = picture.clients.iter().map(whole_bubble);
                let boxes: Vec<Rect> = picture.pills.iter().map(|pill| pill.place).chain(bubbles).collect();
                for (i, a) in boxes.iter().enumerate() {
                    assert!(a.left() >= 0.0 && a.right() <= picture.frame.width, "{a:?} leaves {story}");
                    assert!(a.bottom() <= picture.frame.ledger_top, "{a:?} lies on the ledger in {story}");
                    for b in &boxes[i + 1..] {
                        assert!(!a.overlaps(b), "{a:?} covers {b:?} in {story}");
                    }
                }
                for (i, a) in picture.gate.cards.iter().enumerate() {
                    assert!(
                        a.place.bottom() <= picture.frame.height && a.place.right() <= picture.frame.width
                    );
                    assert!(picture.gate.cards[i + 1..].iter().all(|b| !a.place.overlaps(&b.place)));
                }
            });
        }
    }

    #[test]
    fn no_text_is_squeezed_by_more_than_a_quarter_even_in_the_widest_font() {
        for story in STORIES {
            each_picture(story, |_, picture| {
                let words = picture.clients.iter().flat_map(|c| {
                    let lines = [&c.line1, &c.line2].into_iter().chain(&c.wrong);
                    lines.map(|line| (line.clone(), TEXT)).collect::<Vec<_>>()
                });
                let calls = picture.pills.iter().map(|pill| (pill.label.clone(), PILL_TEXT));
                let cards = picture.gate.cards.iter().map(|card| (card.text.clone(), TEXT));
                let gone = picture.nodes.iter().map(|node| (node.gone.clone(), TEXT));
                let left = picture.nodes.iter().filter_map(|node| node.left.clone()).map(|left| (left, TEXT));
                let gate = picture.gate.words().into_iter().map(|words| (words, TEXT));
                for (fitted, size) in words.chain(calls).chain(cards).chain(gone).chain(left).chain(gate) {
                    let natural = width_of(&fitted.text, size);
                    let room = fitted.squeeze.unwrap_or(natural);
                    assert!(room >= natural * 0.75, "{fitted:?} would be {natural} wide in {story}");
                }
            });
        }
    }

    #[test]
    fn every_message_and_watch_of_the_scene_is_in_the_picture() {
        each_picture(STORIES[0], |stage, picture| {
            assert_eq!(picture.pills.len(), stage.messages.len());
            assert_eq!(picture.arcs.len(), stage.watches.len());
            let watchers: u32 = picture.bells.iter().map(|bell| bell.count).sum();
            let waiting = stage.watches.iter().filter(|watch| watch.state != WatchState::Fired).count();
            assert_eq!(watchers as usize, waiting);
        });
    }
}
