//! The one text form of a scenario: links, scripts and the command line share its words.
//!
//! `v=2&clients=3&seed=1&script=pause.A@300,resume.A@9000&lane=&lane=watch=holder,take@12=zk.B`: pairs as in
//! a URL's query. What is absent has the default of the version, and a version's defaults never change. A
//! lane is a list of `decision=word`, `clients=N`, `timeout-ms=N`, `server=WORD` and choices
//! (`take@STEP=ACTION`, `hold@…`, `go@…`).
//!
//! Version 1 had no fence: its lanes are read with `resource=open`.
//!
//! Reading never fails: what cannot be read is answered with a [`Problem`] and keeps its default.
//!
//! ```
//! use lockstep::play::{decode, encode, Scenario};
//! let link = encode(&Scenario::default());
//! assert_eq!(link, "v=2&clients=3&seed=1&lane=&lane=watch=holder");
//! assert_eq!(decode(&link).scenario, Scenario::default());
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::problem::lost;
use super::{
    CLIENTS, Choice, Chosen, Lane, MAX_LANES, MAX_MS, MAX_SCRIPT, Problem, Scenario, Scripted, Timings,
};
use crate::recipe::{Decisions, Guard, Key, Preset};
use crate::world::{Action, ClientId, TIMEOUT_MS};
use crate::zookeeper::{CounterEnd, EnsembleSize};

/// The version that [`encode`] writes.
pub const VERSION: &str = "2";
/// The version before the fence.
const UNFENCED_VERSION: &str = "1";
/// Choices that a lane may have.
const MAX_CHOICES: usize = 400;
/// A link longer than this is not read at all: nothing that Lockstep writes is longer.
const MAX_LINK_BYTES: usize = 64 * 1024;

/// A scenario as read from a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub scenario: Scenario,
    pub problems: Vec<Problem>,
    /// Pairs that are not the scenario's: the reader's place, language and theme.
    pub rest: Vec<(String, String)>,
}

/// Writes a scenario. [`decode`] reads it back to an equal one.
pub fn encode(scenario: &Scenario) -> String {
    let mut out = format!("v={VERSION}&clients={}&seed={}", scenario.clients, scenario.seed);
    let usual = Timings::default();
    for (key, value, default) in timing_fields(&scenario.timings, &usual) {
        if value != default {
            let _ = write!(out, "&{key}={value}");
        }
    }
    let numbers = [
        ("servers", u64::from(scenario.servers.servers()), 1),
        ("timeout-ms", u64::from(scenario.timeout_ms), u64::from(TIMEOUT_MS)),
        ("counter", scenario.counter.into(), 0),
    ];
    for (key, value, default) in numbers {
        if value != default {
            let _ = write!(out, "&{key}={value}");
        }
    }
    if let Some(stock) = scenario.stock {
        let _ = write!(out, "&stock={stock}");
    }
    if scenario.server != CounterEnd::Sticks {
        let _ = write!(out, "&server={}", server_word(scenario.server));
    }
    if scenario.is_shared() {
        let readers: Vec<String> = scenario.readers.iter().map(ClientId::to_string).collect();
        let _ = write!(out, "&readers={}", readers.join(","));
    }
    if !scenario.script.is_empty() {
        let script: Vec<String> =
            scenario.script.iter().map(|s| format!("{}@{}", s.action, s.at_ms)).collect();
        let _ = write!(out, "&script={}", script.join(","));
    }
    for lane in &scenario.lanes {
        let _ = write!(out, "&lane={}", encode_lane(lane));
    }
    out
}

/// The servers' generations and their words.
pub const SERVERS: [(&str, CounterEnd); 2] =
    [("since-3.6", CounterEnd::Sticks), ("before-3.6", CounterEnd::Wraps)];

/// A server's generation, by what it does at the end of the sequence counter.
pub fn server_word(counter_end: CounterEnd) -> &'static str {
    SERVERS.iter().find(|(_, end)| *end == counter_end).map_or("", |(word, _)| word)
}

fn server(word: &str) -> Result<CounterEnd, Problem> {
    let found = SERVERS.iter().find(|(known, _)| *known == word);
    found.map(|(_, end)| *end).ok_or_else(|| Problem::Word {
        key: "server".into(),
        word: word.into(),
        there_are: SERVERS.iter().map(|(word, _)| *word).collect(),
    })
}

fn encode_lane(lane: &Lane) -> String {
    let mut parts = match Preset::of(&lane.decisions) {
        Some(preset) => vec![format!("as={}", preset.word)],
        None => decision_words(&lane.decisions),
    };
    parts.extend(lane.clients.map(|clients| format!("clients={clients}")));
    parts.extend(lane.timeout_ms.map(|timeout_ms| format!("timeout-ms={timeout_ms}")));
    parts.extend(lane.server.map(|end| format!("server={}", server_word(end))));
    for Choice { at, what } in &lane.choices {
        parts.push(match what {
            Chosen::Take(action) => format!("take@{at}={action}"),
            Chosen::Hold(action) => format!("hold@{at}={action}"),
            Chosen::LetGo(action) => format!("go@{at}={action}"),
        });
    }
    parts.join(",")
}

/// The decisions that differ from the defaults, as `key=word`, in the order of [`Key::ALL`].
pub fn decision_words(decisions: &Decisions) -> Vec<String> {
    let usual = Decisions::default();
    let differs = |key: &Key| decisions.chosen(*key).word != usual.chosen(*key).word;
    Key::ALL
        .into_iter()
        .filter(differs)
        .map(|key| format!("{}={}", key.word(), decisions.chosen(key).word))
        .collect()
}

fn timing_fields(timings: &Timings, usual: &Timings) -> [(&'static str, u64, u64); 7] {
    [
        ("gap-ms", timings.arrival_gap_ms, usual.arrival_gap_ms),
        ("hold-ms", timings.hold_ms, usual.hold_ms),
        ("poll-ms", timings.poll_ms, usual.poll_ms),
        ("hop-ms", timings.hop_ms, usual.hop_ms),
        ("spread-ms", timings.hop_spread_ms, usual.hop_spread_ms),
        ("tick-ms", timings.tick_ms, usual.tick_ms),
        ("lag-ms", timings.lag_ms, usual.lag_ms),
    ]
}

/// Reads a scenario from the query part of a link. Never fails; see [`Decoded::problems`].
pub fn decode(query: &str) -> Decoded {
    let mut decoded = Decoded { scenario: Scenario::default(), problems: Vec::new(), rest: Vec::new() };
    if query.len() > MAX_LINK_BYTES {
        decoded.problems.push(Problem::TooLong);
        return decoded;
    }
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let version = pairs.iter().find(|(key, _)| key == "v").map_or(VERSION, |(_, word)| word);
    let known_version = version == VERSION || version == UNFENCED_VERSION;
    if !known_version {
        decoded.problems.push(Problem::Version { word: version.to_string() });
    }
    let mut base = Decisions::default();
    if version == UNFENCED_VERSION {
        base.resource = Guard::Open;
        decoded.scenario.lanes.iter_mut().for_each(|lane| lane.decisions.resource = Guard::Open);
    }
    let mut lanes = Vec::new();
    let mut said: Vec<String> = Vec::new();
    for (key, word) in pairs {
        let is_ours = key == "v" || key == "lane" || SCALARS.contains(&&*key) || LISTS.contains(&&*key);
        match (&*key, is_ours && known_version) {
            ("lane", true) => lanes.push(word),
            ("v", true) => {}
            (_, true) => {
                let pair = format!("{key}={word}");
                decoded.problems.extend(lost(said.iter().map(String::as_str), &pair));
                said.push(pair);
                set(&mut decoded.scenario, &key, &word, &mut decoded.problems);
            }
            (_, false) if is_ours => {}
            (_, false) => decoded.rest.push((key, word)),
        }
    }
    if lanes.len() > MAX_LANES {
        decoded.problems.push(Problem::Lanes);
        lanes.truncate(MAX_LANES);
    }
    if !lanes.is_empty() {
        decoded.scenario.lanes =
            lanes.iter().map(|lane| decode_lane(base, lane, &mut decoded.problems)).collect();
    }
    decoded
}

/// The keys of a scenario that are one number each.
pub const SCALARS: [&str; 13] = [
    "clients",
    "seed",
    "gap-ms",
    "hold-ms",
    "poll-ms",
    "hop-ms",
    "spread-ms",
    "tick-ms",
    "servers",
    "lag-ms",
    "timeout-ms",
    "stock",
    "counter",
];

/// The keys of a scenario that are words or lists.
pub const LISTS: [&str; 3] = ["server", "readers", "script"];

/// The keys of a link that are the reader's: the place, the language and the theme.
pub const PLACE: [&str; 4] = ["step", "focus", "lang", "theme"];

/// Sets one of [`SCALARS`] or [`LISTS`]. What cannot be read is added to the problems, and the rest is kept.
pub fn set(scenario: &mut Scenario, key: &str, word: &str, problems: &mut Vec<Problem>) {
    match key {
        "server" => match server(word) {
            Ok(end) => scenario.server = end,
            Err(problem) => problems.push(problem),
        },
        "readers" => {
            let names = word.split(',').filter(|name| !name.is_empty());
            let clients: Result<BTreeSet<ClientId>, ()> = names.map(str::parse).collect();
            match clients {
                Ok(readers) if readers.iter().all(|c| CLIENTS.contains(&(c.0 + 1))) => {
                    scenario.readers = readers;
                }
                Ok(_) | Err(()) => problems.push(Problem::Clients { key: key.into(), word: word.into() }),
            }
        }
        "script" => {
            scenario.script = Vec::new();
            for part in word.split(',').filter(|part| !part.is_empty()) {
                match scripted(part) {
                    Some(scripted) if scenario.script.len() < MAX_SCRIPT => scenario.script.push(scripted),
                    Some(_) => {
                        problems.push(Problem::TooMany { word: part.into(), most: MAX_SCRIPT as u32 });
                    }
                    None => problems.push(Problem::Script { word: part.into() }),
                }
            }
            scenario.script.sort_by_key(|line| line.at_ms);
        }
        _ => problems.extend(set_number(scenario, key, word).err()),
    }
}

/// One part of a script: `pause.A@300`.
fn scripted(part: &str) -> Option<Scripted> {
    let (action, at) = part.split_once('@')?;
    let action: Action = action.parse().ok()?;
    let at_ms = at.parse().ok().filter(|at_ms| *at_ms <= MAX_MS)?;
    action.is_from_outside().then_some(Scripted { at_ms, action })
}

/// Sets one of [`SCALARS`].
///
/// # Errors
/// [`Problem::Number`] if `word` is not a whole number in the key's range; [`Problem::Word`] if
/// there is no such key.
pub fn set_number(scenario: &mut Scenario, key: &str, word: &str) -> Result<(), Problem> {
    let timings = &mut scenario.timings;
    let field = match key {
        "clients" => {
            scenario.clients =
                number(key, word, u64::from(*CLIENTS.start())..=u64::from(*CLIENTS.end()))? as u32;
            return Ok(());
        }
        "seed" => {
            scenario.seed = number(key, word, 0..=u64::MAX)?;
            return Ok(());
        }
        "gap-ms" => &mut timings.arrival_gap_ms,
        "hold-ms" => &mut timings.hold_ms,
        "poll-ms" => {
            // A poll without a pause would stop virtual time.
            timings.poll_ms = number(key, word, 1..=MAX_MS)?;
            return Ok(());
        }
        "tick-ms" => {
            timings.tick_ms = number(key, word, 1..=60_000)?;
            return Ok(());
        }
        "servers" => {
            let size = EnsembleSize::ALL.into_iter().find(|size| size.servers().to_string() == word);
            scenario.servers = size.ok_or_else(|| Problem::Word {
                key: key.into(),
                word: word.into(),
                there_are: vec!["1", "3", "5"],
            })?;
            return Ok(());
        }
        "lag-ms" => &mut timings.lag_ms,
        "timeout-ms" => {
            scenario.timeout_ms = number(key, word, 1..=MAX_MS)? as u32;
            return Ok(());
        }
        "stock" => {
            scenario.stock = Some(number(key, word, 0..=1_000_000)? as u32);
            return Ok(());
        }
        "counter" => {
            scenario.counter = number(key, word, 0..=i32::MAX as u64)? as u32;
            return Ok(());
        }
        "hop-ms" => &mut timings.hop_ms,
        "spread-ms" => &mut timings.hop_spread_ms,
        _ => return Err(Problem::Word { key: "key".into(), word: key.into(), there_are: SCALARS.to_vec() }),
    };
    *field = number(key, word, 0..=MAX_MS)?;
    Ok(())
}

fn number(key: &str, word: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, Problem> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|n| digits && range.contains(n)).ok_or_else(|| Problem::Number {
        key: key.to_string(),
        word: word.to_string(),
        least: *range.start(),
        most: *range.end(),
    })
}

/// Sets one decision from `key=word`.
///
/// # Errors
/// [`Problem::Word`] with the words there are.
pub fn set_decision(decisions: Decisions, pair: &str) -> Result<Decisions, Problem> {
    let (key, word) = pair.split_once('=').unwrap_or((pair, ""));
    let Some(decision) = Key::from_word(key) else {
        let there_are = Key::ALL.map(Key::word).to_vec();
        return Err(Problem::Word { key: "decision".into(), word: key.into(), there_are });
    };
    decisions.with(decision, word).ok_or_else(|| Problem::Word {
        key: key.into(),
        word: word.into(),
        there_are: decision.options().iter().map(|option| option.word).collect(),
    })
}

/// Reads a lane on top of these decisions. What cannot be read is added to the problems, and the rest is kept.
pub fn decode_lane(base: Decisions, text: &str, problems: &mut Vec<Problem>) -> Lane {
    let mut lane = Lane::of(base);
    let mut said = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        match decode_part(&mut lane, part) {
            Ok(()) => {
                problems.extend(lost(said.iter().copied(), part));
                said.push(part);
            }
            Err(problem) => problems.push(problem),
        }
    }
    lane.choices.sort_by_key(|choice| choice.at);
    lane
}

/// Reads one part of a lane: a decision, `clients=N`, or a choice.
///
/// # Errors
/// The [`Problem`] with it; the lane is unchanged then.
pub fn decode_part(lane: &mut Lane, part: &str) -> Result<(), Problem> {
    if let Some(word) = part.strip_prefix("clients=") {
        let range = u64::from(*CLIENTS.start())..=u64::from(*CLIENTS.end());
        lane.clients = Some(number("clients", word, range)? as u32);
        return Ok(());
    }
    if let Some(word) = part.strip_prefix("timeout-ms=") {
        lane.timeout_ms = Some(number("timeout-ms", word, 1..=MAX_MS)? as u32);
        return Ok(());
    }
    if let Some(word) = part.strip_prefix("server=") {
        lane.server = Some(server(word)?);
        return Ok(());
    }
    // A library's name stands for all of its decisions.
    if let Some(word) = part.strip_prefix("as=") {
        let preset = Preset::from_word(word).ok_or_else(|| Problem::Word {
            key: "as".into(),
            word: word.into(),
            there_are: Preset::words(),
        })?;
        lane.decisions = preset.decisions();
        return Ok(());
    }
    if part.contains('@') {
        let choice = decode_choice(part).ok_or_else(|| Problem::Choice { word: part.to_string() })?;
        if lane.choices.len() >= MAX_CHOICES {
            return Err(Problem::TooMany { word: part.to_string(), most: MAX_CHOICES as u32 });
        }
        lane.choices.push(choice);
        return Ok(());
    }
    lane.decisions = set_decision(lane.decisions, part)?;
    Ok(())
}

fn decode_choice(part: &str) -> Option<Choice> {
    let (verb, rest) = part.split_once('@')?;
    let (at, action) = rest.split_once('=')?;
    let action: Action = action.parse().ok()?;
    let what = match verb {
        "take" => Chosen::Take(action),
        "hold" => Chosen::Hold(action),
        "go" => Chosen::LetGo(action),
        _ => return None,
    };
    Some(Choice { at: at.parse().ok()?, what })
}
