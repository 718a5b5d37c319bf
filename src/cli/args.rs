//! From the words of a command line to what is to be done.
//!
//! Nothing is guessed: a word that cannot be read is answered with the words there are.

use std::ffi::OsString;

use lexopt::{Arg, Parser};
use lockstep::explore::{Budget, STATE_LIMIT};
use lockstep::judge::Property;
use lockstep::play::{
    LISTS, MAX_LANES, PLACE, Problem, SCALARS, STEP_LIMIT, Scenario, decode, decode_lane, lost, set,
};
use lockstep::recipe::Decisions;
use lockstep::text::{Lang, say};

use super::Refusal;

/// Clients that a search may have: each one more makes it about fifty times longer.
const SEARCH_CLIENTS: u32 = 8;
/// Seeds of a storm, unless told otherwise.
const USUAL_SEEDS: u32 = 20_000;
/// Seeds that a storm may be told to try.
const MAX_SEEDS: u32 = 100_000_000;
/// States that a search may be told to visit.
const MAX_STATES: u32 = 100_000_000;

/// What is to be done.
#[derive(Debug)]
pub enum Command {
    Help,
    /// No argument at all.
    Nothing,
    Run(Plan),
    Compare(Plan),
    Explore(Hunt),
    Storm(Weather),
    /// The files to replay.
    Conform(Vec<String>),
}

/// A run of each lane of a scenario, and how to show it.
#[derive(Debug)]
pub struct Plan {
    pub scenario: Scenario,
    /// Steps after which a run is cut off.
    pub steps: u32,
    pub json: bool,
    pub lang: Lang,
}

/// A search of each lane of a scenario, and how to show it.
#[derive(Debug)]
pub struct Hunt {
    pub scenario: Scenario,
    pub properties: Vec<Property>,
    /// Which faults may happen, and how often.
    pub faults: Budget,
    /// States after which a search stops.
    pub limit: u32,
    pub json: bool,
    pub lang: Lang,
}

/// A storm over each lane of a scenario, and how to show it.
#[derive(Debug)]
pub struct Weather {
    pub scenario: Scenario,
    /// How many seeds, from the scenario's own on.
    pub seeds: u32,
    pub json: bool,
    pub lang: Lang,
}

/// The options as they were given, before they are put together.
#[derive(Default)]
struct Given {
    link: Option<String>,
    numbers: Vec<(&'static str, String)>,
    sets: Vec<String>,
    lanes: Vec<String>,
    steps: Option<u32>,
    limit: Option<u32>,
    properties: Vec<Property>,
    faults: Budget,
    seeds: Option<u32>,
    json: bool,
    lang: Lang,
    help: bool,
}

/// Reads a command line.
///
/// What is understood and changes nothing is said in the notes.
pub fn parse(mut parser: Parser, notes: &mut Vec<String>) -> Result<Command, Refusal> {
    let command = match parser.next().map_err(refused)? {
        None => return Ok(Command::Nothing),
        Some(Arg::Value(word)) => text(word)?,
        Some(Arg::Short('h') | Arg::Long("help")) => "help".to_string(),
        Some(other) => {
            return Err(Refusal(format!("{} stands before the command. {COMMANDS}", name(&other))));
        }
    };
    match &*command {
        "help" => Ok(Command::Help),
        "conform" => conform(parser),
        "run" => plan(parser, &[""], Command::Run, notes),
        "compare" => plan(parser, &["", "watch=holder"], Command::Compare, notes),
        "explore" => explore(parser, notes),
        "storm" => storm(parser, notes),
        other => Err(Refusal(format!("There is no command {}. {COMMANDS}", quote(other)))),
    }
}

const COMMANDS: &str = "The commands are: run, compare, explore, storm, conform, help.";

/// `conform` reads its own words: files, and `--help`.
fn conform(mut parser: Parser) -> Result<Command, Refusal> {
    let words = parser.raw_args().map_err(refused)?.map(text);
    Ok(Command::Conform(words.collect::<Result<_, _>>()?))
}

fn plan(
    parser: Parser,
    usual: &[&str],
    command: fn(Plan) -> Command,
    notes: &mut Vec<String>,
) -> Result<Command, Refusal> {
    let given = read(parser, &["steps"])?;
    if given.help {
        return Ok(Command::Help);
    }
    let scenario = scenario(&given, usual, notes)?;
    let steps = given.steps.unwrap_or(STEP_LIMIT);
    Ok(command(Plan { scenario, steps, json: given.json, lang: given.lang }))
}

fn explore(parser: Parser, notes: &mut Vec<String>) -> Result<Command, Refusal> {
    let given = read(parser, &["limit", "property", "faults"])?;
    if given.help {
        return Ok(Command::Help);
    }
    let mut scenario = scenario(&given, &[""], notes)?;
    if !scenario.script.is_empty() || scenario.lanes.iter().any(|lane| !lane.choices.is_empty()) {
        let ignored = say(
            "A search tries every order: it ignores the script and what a hand chose. Name faults with --faults.",
            "搜索会尝试所有顺序，不看脚本，也不看手动选择。要有故障，请用 --faults。",
        );
        notes.push(ignored.get(given.lang).to_string());
    }
    for (at, lane) in scenario.lanes.iter_mut().enumerate() {
        // A search tries every order: what a hand chose means nothing to it.
        lane.choices.clear();
        let clients = lane.clients.unwrap_or(scenario.clients);
        if clients > SEARCH_CLIENTS {
            let lane = at + 1;
            return Err(Refusal(format!(
                "Lane {lane} has {clients} clients. A search can have 1 to {SEARCH_CLIENTS}: \
                 each one more makes it about fifty times longer."
            )));
        }
    }
    let properties = if given.properties.is_empty() { Property::ALL.to_vec() } else { given.properties };
    let limit = given.limit.unwrap_or(STATE_LIMIT);
    let (json, lang) = (given.json, given.lang);
    Ok(Command::Explore(Hunt { scenario, properties, faults: given.faults, limit, json, lang }))
}

fn storm(parser: Parser, notes: &mut Vec<String>) -> Result<Command, Refusal> {
    let given = read(parser, &["seeds"])?;
    if given.help {
        return Ok(Command::Help);
    }
    let scenario = scenario(&given, &[""], notes)?;
    let seeds = given.seeds.unwrap_or(USUAL_SEEDS);
    Ok(Command::Storm(Weather { scenario, seeds, json: given.json, lang: given.lang }))
}

/// Reads the options that every run has and those in `own`.
fn read(mut parser: Parser, own: &[&str]) -> Result<Given, Refusal> {
    let mut given = Given::default();
    while let Some(arg) = parser.next().map_err(refused)? {
        let Arg::Long(option) = arg else {
            match arg {
                Arg::Short('h') => given.help = true,
                Arg::Value(word) => {
                    let word = quote(&text(word)?);
                    return Err(Refusal(format!("{word} is not an option. {}", options(own))));
                }
                other => return Err(no_option(&name(&other), own)),
            }
            continue;
        };
        let option = option.to_string();
        match &*option {
            "help" => given.help = true,
            "json" => given.json = true,
            "link" => given.link = Some(value(&mut parser, &option)?),
            "set" => given.sets.push(value(&mut parser, &option)?),
            "lane" => given.lanes.push(value(&mut parser, &option)?),
            "lang" => given.lang = lang(&value(&mut parser, &option)?)?,
            "steps" if own.contains(&"steps") => {
                given.steps = Some(number(&option, &value(&mut parser, &option)?, STEP_LIMIT)?);
            }
            "limit" if own.contains(&"limit") => {
                given.limit = Some(number(&option, &value(&mut parser, &option)?, MAX_STATES)?);
            }
            "property" if own.contains(&"property") => {
                given.properties.extend(properties(&value(&mut parser, &option)?)?);
            }
            "faults" if own.contains(&"faults") => {
                let word = value(&mut parser, &option)?;
                given.faults = Budget::parse(&word).map_err(|problem| Refusal(problem.en.to_string()))?;
            }
            "seeds" if own.contains(&"seeds") => {
                given.seeds = Some(number(&option, &value(&mut parser, &option)?, MAX_SEEDS)?);
            }
            other => match SCALARS.into_iter().chain(LISTS).find(|key| *key == other) {
                Some(scalar) => given.numbers.push((scalar, value(&mut parser, &option)?)),
                None => return Err(no_option(&format!("--{other}"), own)),
            },
        }
    }
    Ok(given)
}

/// Puts a scenario together: the link first, then the numbers, the decisions, the lanes. Without a
/// link it has the `usual` lanes.
fn scenario(given: &Given, usual: &[&str], notes: &mut Vec<String>) -> Result<Scenario, Refusal> {
    let mut problems = Vec::new();
    let mut scenario = match &given.link {
        Some(link) => from_link(link, &mut problems)?,
        None => Scenario::default(),
    };
    let numbers: Vec<String> = given.numbers.iter().map(|(key, word)| format!("{key}={word}")).collect();
    for (at, (key, word)) in given.numbers.iter().enumerate() {
        problems.extend(lost(numbers[..at].iter().map(String::as_str), &numbers[at]));
        set(&mut scenario, key, word, &mut problems);
    }
    let sets = given.sets.iter().flat_map(|set| set.split(',')).filter(|word| !word.is_empty());
    let sets = sets.collect::<Vec<_>>().join(",");
    let mut lanes: Vec<&str> = given.lanes.iter().map(String::as_str).collect();
    if lanes.is_empty() && given.link.is_none() {
        lanes = usual.to_vec();
    }
    if lanes.len() > MAX_LANES {
        return Err(refusal(&Problem::Lanes));
    }
    if lanes.is_empty() {
        for lane in &mut scenario.lanes {
            lane.decisions = decided(lane.decisions, &sets, &mut problems)?;
        }
    } else {
        let base = decided(Decisions::default(), &sets, &mut problems)?;
        for words in &lanes {
            let by_library = words.split(',').find(|word| word.starts_with("as="));
            problems.extend(by_library.into_iter().flat_map(|library| lost(sets.split(','), library)));
        }
        scenario.lanes = lanes.into_iter().map(|words| decode_lane(base, words, &mut problems)).collect();
    }
    if let Some(problem) = problems.iter().find(|problem| !problem.is_harmless()) {
        return Err(refusal(problem));
    }
    let harmless = problems.iter().map(Problem::sentence).chain(scenario.without_effect());
    notes.extend(harmless.map(|note| note.get(given.lang).to_string()));
    Ok(scenario)
}

/// The decisions with those of `--set`: one by one, or a library's.
fn decided(base: Decisions, sets: &str, problems: &mut Vec<Problem>) -> Result<Decisions, Refusal> {
    let key_of = |word: &str| word.split_once('=').map_or(word, |(key, _)| key).to_string();
    let of_a_lane = |key: &String| ["clients", "timeout-ms", "server"].contains(&&**key) || key.contains('@');
    if let Some(key) = sets.split(',').map(key_of).find(of_a_lane) {
        let key = plain(&key);
        return Err(Refusal(format!("--set takes decisions; {key} stands in a lane: --lane {key}=…")));
    }
    Ok(decode_lane(base, sets, problems).decisions)
}

fn from_link(link: &str, problems: &mut Vec<Problem>) -> Result<Scenario, Refusal> {
    let query = link.split_once('?').map_or(link, |(_, query)| query);
    let decoded = decode(query);
    problems.extend(decoded.problems);
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).count();
    if decoded.rest.len() >= pairs {
        let link = quote(link);
        return Err(Refusal(format!(
            "The link {link} holds no scenario; one looks like v=2&clients=3&seed=1&lane=watch=holder."
        )));
    }
    if let Some((key, _)) = decoded.rest.iter().find(|(key, _)| !PLACE.contains(&&**key)) {
        let there_are: Vec<&str> = ["v"].into_iter().chain(SCALARS).chain(LISTS).chain(["lane"]).collect();
        let key = quote(key);
        return Err(Refusal(format!("A link has no {key}; its keys are: {}.", there_are.join(", "))));
    }
    Ok(decoded.scenario)
}

/// A problem with a word, said to somebody who can type it again.
fn refusal(problem: &Problem) -> Refusal {
    Refusal(match problem {
        Problem::Word { key, word, there_are } => {
            format!("{} has no {}; the words are: {}.", plain(key), quote(word), there_are.join(", "))
        }
        Problem::Number { key, word, least, most } => not_a_number(key, word, *least, *most),
        Problem::Version { word } => format!(
            "The link is of version {}; this lockstep knows version {}.",
            quote(word),
            lockstep::play::VERSION
        ),
        Problem::Lanes => format!("There can be {MAX_LANES} lanes at most."),
        Problem::Choice { word } => format!(
            "{} is not a step and an action, such as take@12=zk.B, hold@12=zk.B or go@20=zk.B.",
            quote(word)
        ),
        Problem::Script { word } => format!(
            "{} is not a fault at a time, such as pause.A@300, delete.dir@500 or restart.zk@800.",
            quote(word)
        ),
        Problem::Clients { key, word } => {
            format!("{} is {}, which is not a list of clients such as B,C.", plain(key), quote(word))
        }
        Problem::TooMany { word, most } => {
            format!("{} is too many: there can be {most} of its kind at most.", quote(word))
        }
        Problem::Lost { .. } => problem.sentence().en.to_string(),
        Problem::TooLong => "The link is longer than any that Lockstep makes.".into(),
    })
}

fn not_a_number(key: &str, word: &str, least: u64, most: u64) -> String {
    format!("{} is {}, which is not a whole number from {least} to {most}.", plain(key), quote(word))
}

fn number(option: &str, word: &str, most: u32) -> Result<u32, Refusal> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let number = word.parse().ok().filter(|n| digits && (1..=most).contains(n));
    number.ok_or_else(|| Refusal(not_a_number(option, word, 1, most.into())))
}

fn properties(words: &str) -> Result<Vec<Property>, Refusal> {
    let find = |word| {
        Property::from_word(word).ok_or_else(|| {
            let there_are = Property::ALL.map(Property::word).join(", ");
            Refusal(format!("property has no {}; the words are: {there_are}.", quote(word)))
        })
    };
    words.split(',').map(find).collect()
}

fn lang(word: &str) -> Result<Lang, Refusal> {
    let found = Lang::ALL.into_iter().find(|lang| lang.word() == word);
    found.ok_or_else(|| Refusal(format!("lang has no {}; the words are: en, zh.", quote(word))))
}

fn value(parser: &mut Parser, option: &str) -> Result<String, Refusal> {
    match parser.value() {
        Ok(word) => text(word),
        Err(_) => Err(Refusal(format!("--{option} needs a value after it."))),
    }
}

fn text(word: OsString) -> Result<String, Refusal> {
    word.into_string()
        .map_err(|word| Refusal(format!("{} is not valid UTF-8 text.", quote(&word.to_string_lossy()))))
}

fn no_option(option: &str, own: &[&str]) -> Refusal {
    Refusal(format!("There is no option {}. {}", plain(option), options(own)))
}

fn options(own: &[&str]) -> String {
    let all = ["link", "set", "lane"]
        .iter()
        .chain(&SCALARS)
        .chain(&LISTS)
        .chain(own)
        .chain(&["json", "lang", "help"]);
    let all: Vec<String> = all.map(|option| format!("--{option}")).collect();
    format!("The options are: {}.", all.join(", "))
}

fn name(arg: &Arg<'_>) -> String {
    match arg {
        Arg::Short(letter) => plain(&format!("-{letter}")),
        Arg::Long(word) => plain(&format!("--{word}")),
        Arg::Value(word) => quote(&word.to_string_lossy()),
    }
}

fn refused(error: lexopt::Error) -> Refusal {
    Refusal(match error {
        lexopt::Error::UnexpectedValue { option, .. } => format!("{} takes no value.", plain(&option)),
        other => plain(&other.to_string()),
    })
}

/// Foreign text in quotes.
fn quote(word: &str) -> String {
    format!("“{}”", plain(word))
}

/// Foreign text: short, and without control characters.
fn plain(word: &str) -> String {
    let mut short: String = word.chars().filter(|c| !c.is_control()).take(60).collect();
    if word.chars().count() > 60 {
        short.push('…');
    }
    short
}
