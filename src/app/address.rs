//! The address: which page, which scenario, which stop. Everything after `#` in the URL.

use super::model::{Page, Theme};
use crate::play::{Decoded, LISTS, MAX_LANES, Problem, SCALARS, Scenario, decode, encode};
use crate::text::{Lang, Text, say};

/// An address, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub page: Page,
    /// `None` where the address says nothing about it.
    pub scenario: Option<Scenario>,
    pub stop: u32,
    /// The lane in focus, from 0.
    pub focus: usize,
    pub lang: Option<Lang>,
    pub theme: Option<Theme>,
    /// Sentences about what could not be read.
    pub problems: Vec<Text>,
}

/// Reads the part of the URL from `#` on. Never fails: what cannot be read is said in `problems`.
pub fn read_address(hash: &str) -> Address {
    let hash = hash.strip_prefix('#').unwrap_or(hash);
    let (path, query) = hash.split_once('?').unwrap_or((hash, ""));
    let mut problems = Vec::new();
    let page = match path.trim_end_matches('/') {
        "" => Page::First,
        "/lab" => Page::Lab,
        _ => {
            let short: String = path.chars().filter(|c| !c.is_control()).take(24).collect();
            problems.push(say(
                format!("There is no page “{short}”. This is the first one; nothing was lost."),
                format!("没有“{short}”这个页面，已回到首页，没有丢失任何内容。"),
            ));
            Page::First
        }
    };
    let mut address = Address { page, scenario: None, stop: 0, focus: 0, lang: None, theme: None, problems };
    read_query(&mut address, query);
    address
}

/// Reads the scenario first, then what is the page's own.
fn read_query(address: &mut Address, query: &str) {
    let Decoded { scenario, problems, rest } = decode(query);
    address.problems.extend(problems.iter().map(Problem::sentence));
    address.scenario = form_urlencoded::parse(query.as_bytes())
        .any(|(key, _)| key == "lane" || key == "v" || SCALARS.contains(&&*key) || LISTS.contains(&&*key))
        .then_some(scenario);
    for (key, word) in rest {
        read_pair(address, &key, &word);
    }
}

fn read_pair(address: &mut Address, key: &str, word: &str) {
    let short = |s: &str| -> String { s.chars().filter(|c| !c.is_control()).take(24).collect() };
    let known = match key {
        "step" => word.parse().map(|stop| address.stop = stop).is_ok(),
        "focus" => {
            // An address without a scenario shows whatever story the lab has.
            let lanes = address.scenario.as_ref().map_or(MAX_LANES, |scenario| scenario.lanes.len());
            let lane = word.parse::<usize>().ok().and_then(|lane| lane.checked_sub(1));
            let lane = lane.filter(|lane| *lane < lanes);
            lane.map(|lane| address.focus = lane).is_some()
        }
        "lang" => {
            address.lang = Lang::ALL.into_iter().find(|lang| lang.word() == word);
            address.lang.is_some()
        }
        "theme" => {
            address.theme = Theme::ALL.into_iter().find(|theme| theme.word() == word);
            address.theme.is_some()
        }
        _ => false,
    };
    if !known {
        let (key, word) = (short(key), short(word));
        address.problems.push(say(
            format!("The link says “{key}={word}”, which means nothing here. The rest of the link is kept."),
            format!("链接里的“{key}={word}”在这里没有意义，链接的其余部分已保留。"),
        ));
    }
}

/// Writes the address of the lab. The lane in focus, counted from 0 here and from 1 in the address, is left out
/// where it is the first.
pub fn lab_address(scenario: &Scenario, stop: u32, focus: usize) -> String {
    let address = format!("#/lab?{}&step={stop}", encode(scenario));
    if focus == 0 { address } else { format!("{address}&focus={}", focus + 1) }
}
