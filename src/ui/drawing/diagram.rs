//! The space-time diagram: a line for each server and each client, and the messages between them as slanted
//! lines. Time goes to the right.

use super::geometry::{PILL_TEXT, tenth, width_of};
use super::labels::hue;
use super::target::translate;
use crate::app::scene::{Befell, Between, Diagram, Kind, ServerPhase, ServerState, Slant, duration};

use crate::text::{Lang, Text, say, text};
use crate::ui::controls::tr;
use crate::ui::el::{El, div, el, short};
use crate::world::ServerWord;

/// The view box: its width, the room for names at the left and for the newest labels at the right.
const WIDTH: f32 = 1300.0;
const LEFT: f32 = 96.0;
const RIGHT: f32 = 44.0;
/// A message under way is drawn as if it took about this long.
const USUAL_HOP_MS: f32 = 14.0;
const SERVER_Y: f32 = 20.0;
/// From one server's line to the next: room for the labels of both.
const SERVER_ROW: f32 = 44.0;
const ROW: f32 = 36.0;
/// From one tick of the axis to the next, in virtual ms.
const TICK_MS: u64 = 40;

/// The newest part of a lane's story, as messages in space and time.
pub fn space_time(lang: Lang, diagram: &Diagram) -> El {
    let drawing = Drawing::of(lang, diagram);
    let (from, to) = (duration(diagram.from_ms()), duration(diagram.to_ms()));
    let name = say(format!("Messages from {from} to {to}"), format!("{from} 到 {to} 之间的消息"));
    let name = tr(lang, name);
    let svg = el("svg")
        .attr("viewBox", format!("0 0 {} {}", short(WIDTH), short(drawing.height)))
        .attr("role", "img")
        .attr("aria-label", name.clone())
        .kids(draw(&drawing));
    let scroller =
        div("div", "scroller").attr("role", "group").attr("tabindex", "0").attr("aria-label", name);
    let legend = text(
        "solid: request · dashed: reply · dotted with a dot: event · band: believes it holds",
        "实线：请求 · 虚线：响应 · 点线带圆点：事件 · 色带：自认为持有",
    );
    let many = (!diagram.servers.is_empty()).then(|| div("p", "legend").text(tr(lang, legend_of_servers())));
    div("div", "space-time").kid(scroller.kid(svg)).kid(div("p", "legend").text(tr(lang, legend))).maybe(many)
}

fn legend_of_servers() -> Text {
    let [leads, looks, down, stalled, cut] = [
        ServerState::Leading,
        ServerState::Looking,
        ServerState::Down,
        ServerState::Stalled,
        ServerState::CutOff,
    ]
    .map(ServerState::mark);
    say(
        format!(
            "servers: thin lines are their own messages · heavy line, {leads}: leads · dashes, {looks}: looks for a leader · no line, {down}: down · {stalled} stalled · {cut} cut from · // a silence, drawn short"
        ),
        format!(
            "服务器：细线是它们之间的消息 · 粗线、{leads}：Leader · 虚线、{looks}：选主中 · 无线、{down}：已停机 · {stalled} 停滞 · {cut} 链路断开 · // 省略的空白时段"
        ),
    )
}

/// The diagram with its places worked out.
#[derive(Clone, Debug, PartialEq)]
struct Drawing {
    height: f32,
    /// Names and heights of the servers' lines.
    servers: Vec<(String, f32)>,
    /// What a server does: its class, and the piece of its line.
    phases: Vec<(&'static str, f32, f32, f32)>,
    rows: Vec<(&'static str, String, f32)>,
    ticks: Labels,
    /// Where the axis is cut, and how long the silence lasts.
    cuts: Labels,
    bands: Vec<(&'static str, f32, f32, f32)>,
    lines: Vec<Line>,
    marks: Vec<(f32, f32, String)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Line {
    class: String,
    from: (f32, f32),
    to: (f32, f32),
    /// The label and where it starts, if there is room for it.
    label: Option<(f32, f32, String)>,
    arrived: bool,
}

/// Words and the places along the axis where they stand.
type Labels = Vec<(f32, String)>;

/// Where labels may still go: for each line, under it and above it, how far along it is taken.
type Free = Vec<[f32; 2]>;

impl Drawing {
    fn of(lang: Lang, diagram: &Diagram) -> Drawing {
        let x = |ms: u64| axis(diagram, ms);
        let last_server = SERVER_ROW * diagram.servers.len().saturating_sub(1) as f32 + SERVER_Y;
        let server_y = |row: u32| SERVER_Y + SERVER_ROW * row as f32;
        let y = |row: u32| last_server + 22.0 + ROW * (row as f32 + 0.5);
        let servers =
            diagram.servers.iter().zip(0..).map(|(server, row)| (server.to_string(), server_y(row)));
        let mut servers: Vec<(String, f32)> = servers.collect();
        if servers.is_empty() {
            servers.push(("ZooKeeper".to_string(), SERVER_Y));
        }
        let phases = diagram
            .phases
            .iter()
            .map(|stay| (phase_class(stay.phase), server_y(stay.row), x(stay.from_ms), x(stay.to_ms)));
        let rows =
            diagram.clients.iter().zip(0..).map(|(client, row)| (hue(*client), client.to_string(), y(row)));
        let bands = diagram.held.iter().filter_map(|held| {
            let client = diagram.clients.get(held.row as usize)?;
            Some((hue(*client), x(held.from_ms), y(held.row), (x(held.to_ms) - x(held.from_ms)).max(2.0)))
        });
        let mut free: Free = vec![[0.0; 2]; diagram.clients.len()];
        let mut lines: Vec<Line> = Vec::new();
        for slant in &diagram.slants {
            let way = Way::of(diagram, slant.from_ms, slant.to_ms, slant.lost);
            let (own_y, server_y) = (y(slant.row), server_y(slant.server));
            let (from_y, to_y) = if slant.up { (own_y, server_y) } else { (server_y, own_y) };
            let at_client = if slant.up { way.from_x } else { way.to_x };
            // Replies go without: the request before them says what they answer.
            let wanted = (slant.kind != Kind::Reply).then_some(slant.label.as_str());
            let label = wanted.and_then(|words| label(words, at_client, own_y, &mut free, slant.row));
            lines.push(way.line(class(slant), from_y, to_y, label));
        }
        let mut free: Free = vec![[0.0; 2]; diagram.servers.len()];
        let marks = marks(diagram, &server_y, &mut free);
        for between in &diagram.between {
            let way = Way::of(diagram, between.from_ms, between.to_ms, between.lost);
            let (from_y, to_y) = (server_y(between.from), server_y(between.to));
            let wanted = between.label.as_ref();
            let words = wanted.map(|words| words.get(lang));
            let label = words.and_then(|words| label(words, way.from_x, from_y, &mut free, between.from));
            lines.push(way.line(class_between(between), from_y, to_y, label));
        }
        let (ticks, cuts) = ticks(diagram);
        Drawing {
            height: y(diagram.clients.len() as u32) + 8.0,
            servers,
            phases: phases.collect(),
            rows: rows.collect(),
            ticks,
            cuts,
            bands: bands.collect(),
            lines,
            marks,
        }
    }
}

/// The place of a moment on the axis.
fn axis(diagram: &Diagram, ms: u64) -> f32 {
    let whole: u64 = diagram.stretches.iter().map(|stretch| stretch.shown_ms).sum();
    let mut gone = 0.0;
    for stretch in &diagram.stretches {
        if ms >= stretch.to_ms {
            gone += stretch.shown_ms as f32;
            continue;
        }
        let lasts = (stretch.to_ms - stretch.from_ms).max(1) as f32;
        gone += ms.saturating_sub(stretch.from_ms) as f32 / lasts * stretch.shown_ms as f32;
        break;
    }
    tenth(LEFT + gone / whole.max(1) as f32 * (WIDTH - LEFT - RIGHT))
}

/// The labels of the axis: those of its cuts first, and ticks where there is room between them.
fn ticks(diagram: &Diagram) -> (Labels, Labels) {
    let cut = diagram.stretches.iter().filter(|stretch| stretch.is_cut()).map(|stretch| {
        let middle = (axis(diagram, stretch.from_ms) + axis(diagram, stretch.to_ms)) / 2.0;
        (tenth(middle), format!("// {}", duration(stretch.to_ms - stretch.from_ms)))
    });
    let cuts: Labels = cut.collect();
    let mut taken: Vec<(f32, f32)> = cuts.iter().map(|(x, label)| sides(*x, label)).collect();
    let mut ticks = Vec::new();
    for stretch in diagram.stretches.iter().filter(|stretch| !stretch.is_cut()) {
        let first = stretch.from_ms.div_ceil(TICK_MS) * TICK_MS;
        for ms in (first..=stretch.to_ms).step_by(TICK_MS as usize) {
            let (x, label) = (axis(diagram, ms), time_at(ms));
            let (left, right) = sides(x, &label);
            if diagram.servers.is_empty() || taken.iter().all(|(from, to)| right < *from || left > *to) {
                taken.push((left, right));
                ticks.push((x, label));
            }
        }
    }
    (ticks, cuts)
}

/// A time on the axis. Two ticks may stand 40 ms apart, late in a run too.
fn time_at(ms: u64) -> String {
    if ms < 1000 { duration(ms) } else { format!("{}.{:02} s", ms / 1000, ms % 1000 / 10) }
}

/// How far a label in the middle of `x` goes to both sides, with a little room.
fn sides(x: f32, label: &str) -> (f32, f32) {
    let half = width_of(label, PILL_TEXT) / 2.0 + 5.0;
    (x - half, x + half)
}

/// A message's way along the axis.
struct Way {
    from_x: f32,
    to_x: f32,
    arrived: bool,
    /// What share of the way it has come.
    come: f32,
}

impl Way {
    /// What is still under way has come a part of its way; nobody knows yet when it arrives. What is lost has
    /// come no further.
    fn of(diagram: &Diagram, from_ms: u64, to_ms: Option<u64>, lost: bool) -> Way {
        let now_ms = diagram.to_ms();
        let from_x = axis(diagram, from_ms);
        let to_x = axis(diagram, to_ms.unwrap_or(now_ms).max(from_ms));
        let arrived = to_ms.is_some() && !lost;
        let age = now_ms.saturating_sub(from_ms) as f32;
        let come = if arrived { 1.0 } else { (age / USUAL_HOP_MS).min(0.8) };
        Way { from_x, to_x, arrived, come }
    }

    fn line(&self, class: String, from_y: f32, to_y: f32, label: Option<(f32, f32, String)>) -> Line {
        let to = (self.to_x, tenth(from_y + (to_y - from_y) * self.come));
        Line { class, from: (self.from_x, from_y), to, label, arrived: self.arrived }
    }
}

fn class(slant: &Slant) -> String {
    let kind = match slant.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    format!("slant {kind} {}{}", hue(slant.client), if slant.lost { " lost" } else { "" })
}

fn class_between(between: &Between) -> String {
    let kind = match between.what {
        ServerWord::Forward | ServerWord::Propose | ServerWord::Validate | ServerWord::Ping => "request",
        ServerWord::Ack | ServerWord::Synced | ServerWord::Validated | ServerWord::Touched => "reply",
        ServerWord::Commit => "event",
    };
    let whose = between.client.map_or("", hue);
    format!("slant between {kind} {whose}{}", if between.lost { " lost" } else { "" })
}

fn phase_class(phase: ServerPhase) -> &'static str {
    match phase {
        ServerPhase::Following => "following",
        ServerPhase::Leading => "leading",
        ServerPhase::Looking => "looking",
        ServerPhase::Down => "down",
    }
}

/// A label goes under its line, or above it, where the one before it leaves room.
fn label(words: &str, x: f32, y: f32, free: &mut Free, row: u32) -> Option<(f32, f32, String)> {
    let width = width_of(words, PILL_TEXT);
    let start = (x + 3.0).min(WIDTH - RIGHT - width);
    let tracks = free.get_mut(row as usize)?;
    let (track, free) = tracks.iter_mut().enumerate().find(|(_, free)| start >= **free)?;
    *free = start + width + 6.0;
    Some((start, if track == 0 { y + 15.0 } else { y - 6.0 }, words.to_string()))
}

/// What befell servers, as marks on their lines; those of one moment beside each other.
fn marks(diagram: &Diagram, server_y: &impl Fn(u32) -> f32, free: &mut Free) -> Vec<(f32, f32, String)> {
    let mut marks: Vec<(f32, f32, String)> = Vec::new();
    for (server, row) in diagram.servers.iter().zip(0..) {
        let mut taken = 0.0;
        for mark in diagram.marks.iter().filter(|mark| mark.server == *server) {
            let sign = sign_of(mark.what);
            let width = width_of(&sign, PILL_TEXT);
            let x = axis(diagram, mark.at_ms).max(taken).min(WIDTH - width);
            taken = x + width + 4.0;
            marks.push((x, server_y(row), sign));
        }
        // A label above the line would lie on a mark.
        if let Some([_, above]) = free.get_mut(row as usize).filter(|_| taken > 0.0) {
            *above = taken;
        }
    }
    marks
}

fn sign_of(what: Befell) -> String {
    match what {
        Befell::Crashed => ServerState::Down.mark().to_string(),
        Befell::Restarted => "↻".to_string(),
        Befell::Stalled => ServerState::Stalled.mark().to_string(),
        Befell::Resumed => "▸".to_string(),
        Befell::Cut(other) => format!("{}{other}", ServerState::CutOff.mark()),
        Befell::Healed(other) => format!("={other}"),
        Befell::GaveUp => ServerState::Looking.mark().to_string(),
        Befell::Elected(epoch) => format!("{}{epoch}", ServerState::Leading.mark()),
        Befell::Joined => ServerState::Following.mark().to_string(),
    }
}

fn draw(drawing: &Drawing) -> Vec<El> {
    let bottom = drawing.height - 22.0;
    let mut parts = Vec::new();
    for (x, label) in &drawing.ticks {
        let d = format!("M{},{} V{}", short(*x), short(SERVER_Y), short(bottom));
        parts.push(div("path", "tick").attr("d", d));
        parts.push(div("text", "axis-label").num("x", *x).num("y", bottom + 16.0).text(label.clone()));
    }
    for (x, label) in &drawing.cuts {
        let d = format!("M{},{} V{}", short(*x), short(SERVER_Y - 14.0), short(bottom));
        parts.push(div("path", "tick cut").attr("d", d));
        parts.push(div("text", "axis-label").num("x", *x).num("y", bottom + 16.0).text(label.clone()));
    }
    let life_line = |from: f32, to: f32, y: f32| {
        let d = format!("M{},{} H{}", short(from), short(y), short(to));
        div("path", "life-line").attr("d", d)
    };
    for (name, y) in &drawing.servers {
        let words = |x: f32| el("text").num("x", x).num("y", y + 5.0).text(name.clone());
        let whole = drawing.phases.is_empty().then(|| life_line(LEFT, WIDTH, *y));
        let far = (!drawing.phases.is_empty()).then(|| div("g", "far").kid(words(WIDTH - 26.0)));
        parts.push(div("g", "life server").maybe(whole).kid(words(6.0)).maybe(far));
    }
    for (class, y, from, to) in &drawing.phases {
        parts.push(div("g", format!("life server {class}")).kid(life_line(*from, *to, *y)));
    }
    for (hue, letter, y) in &drawing.rows {
        let end = |x: f32| {
            let disc = el("circle").num("cx", x).num("cy", *y).num("r", 13.0);
            [disc, div("text", "letter").num("x", x).num("y", y + 5.5).text(letter.clone())]
        };
        let far = div("g", "far").kids(end(WIDTH - 16.0));
        let line = life_line(LEFT, WIDTH, *y);
        parts.push(div("g", format!("life {hue}")).kid(line).kids(end(74.0)).kid(far));
    }
    for (hue, x, y, w) in &drawing.bands {
        let band = el("rect").num("width", *w).attr("height", "8").attr("rx", "4");
        parts.push(div("g", format!("held {hue}")).attr("transform", translate(*x, y - 4.0)).kid(band));
    }
    for line in &drawing.lines {
        let [x, y, to_x, to_y] = [line.from.0, line.from.1, line.to.0, line.to.1].map(short);
        let end = line
            .arrived
            .then(|| div("circle", "end").attr("cx", to_x.clone()).attr("cy", to_y.clone()).attr("r", "3.5"));
        let path = el("path").attr("d", format!("M{x},{y} L{to_x},{to_y}"));
        parts.push(div("g", line.class.clone()).kid(path).maybe(end));
    }
    for (x, y, label) in drawing.lines.iter().filter_map(|line| line.label.as_ref()) {
        parts.push(div("text", "slant-label").num("x", *x).num("y", *y).text(label.clone()));
    }
    for (x, y, sign) in &drawing.marks {
        parts.push(div("text", "befell").num("x", *x).num("y", y + 5.5).text(sign.clone()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_ticks_say_the_same_time() {
        let mut before = String::new();
        for ms in (0..30_000).step_by(TICK_MS as usize) {
            let label = time_at(ms);
            assert_ne!(label, before);
            before = label;
        }
        assert_eq!([920, 1000, 22_440].map(time_at), ["920 ms", "1.00 s", "22.44 s"]);
    }
}
