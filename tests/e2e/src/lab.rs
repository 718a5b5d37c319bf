//! The lab as a person reads it: captions, nodes, clients, watches, the line of code, the place.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Page;

/// Parts the stages from what stands under them.
const UNDER: &str = "\n=====\n";

/// Looks at the lab on a page.
#[derive(Clone, Copy)]
pub struct Lab<'a> {
    page: &'a Page,
}

impl Page {
    pub fn lab(&self) -> Lab<'_> {
        Lab { page: self }
    }
}

impl Lab<'_> {
    /// The stop that the scrubber stands on.
    pub fn stop(self) -> u32 {
        self.number("return Number(document.querySelector('[data-scrubber]').value)")
    }

    /// The last stop there is.
    pub fn last(self) -> u32 {
        self.number("return Number(document.querySelector('[data-scrubber]').max)")
    }

    /// The virtual time that is shown, in ms.
    pub fn at_ms(self) -> u32 {
        let place = self.page.text("[data-place]");
        let time = place.split('·').map(str::trim).find(|part| part.ends_with(" ms") || part.ends_with(" s"));
        let time = time.unwrap_or_else(|| panic!("`{place}` says a time"));
        match time.strip_suffix(" ms") {
            Some(ms) => ms.parse().expect("whole milliseconds"),
            None => {
                let seconds: f64 = time.trim_end_matches(" s").parse().expect("seconds");
                (seconds * 1000.0).round() as u32
            }
        }
    }

    /// Goes to a stop, as following a link inside the page does.
    pub fn seek(self, stop: u32) {
        let script = "const range = document.querySelector('[data-scrubber]');
            range.value = arguments[0]; range.dispatchEvent(new Event('input', { bubbles: true }));";
        self.page.eval_with(script, &[json!(stop)]);
        self.page.wait_until(
            &format!("the stop is {stop}"),
            &format!("return Number(document.querySelector('[data-scrubber]').value) === {stop}"),
        );
    }

    /// What just happened in a lane.
    pub fn caption(self, lane: usize) -> String {
        let css = format!("[data-caption='{lane}'] > span:last-child");
        self.page.texts(&css).into_iter().next().unwrap_or_else(|| panic!("lane {lane} has a caption"))
    }

    /// The step that each client of a lane stands at, such as `A asleep, B holding`.
    pub fn steps(self, lane: usize) -> BTreeMap<String, String> {
        let script = "return Object.fromEntries([...document.querySelectorAll(
            `.lane[data-lane='${arguments[0]}'] [data-client]`)].map((one) => [one.dataset.client, one.dataset.step]))";
        let answer = self.page.eval_with(script, &[json!(lane)]);
        let steps = answer.as_object().expect("an object").iter();
        steps.map(|(client, step)| (client.clone(), step.as_str().unwrap_or_default().to_string())).collect()
    }

    /// The step of one client.
    pub fn step_of(self, lane: usize, client: &str) -> String {
        let mut steps = self.steps(lane);
        steps
            .remove(client)
            .unwrap_or_else(|| panic!("lane {lane} shows client {client}, not only {steps:?}"))
    }

    /// The two lines of a client's bubble.
    pub fn bubble(self, lane: usize, client: &str) -> String {
        let css = format!(".lane[data-lane='{lane}'] [data-client='{client}']");
        self.page.attr(&css, "aria-label").unwrap_or_default()
    }

    /// The labels of the nodes that exist, first first; the one with the key has a `*`.
    pub fn nodes(self, lane: usize) -> Vec<String> {
        let script = "const nodes = [...document.querySelectorAll(`.lane[data-lane='${arguments[0]}'] .node.there`)];
            const left = (node) => node.getBoundingClientRect().left;
            return nodes.sort((a, b) => left(a) - left(b))
                .map((node) => node.querySelector('.number').textContent + (node.querySelector('.key') ? '*' : ''))";
        strings(&self.page.eval_with(script, &[json!(lane)]))
    }

    /// The watches of a lane as `armed` or `fired` arcs, each by its watcher's hue.
    pub fn arcs(self, lane: usize, state: &str) -> u64 {
        self.page.count(&format!(".lane[data-lane='{lane}'] .arc.{state}"))
    }

    /// The names of the messages on their way in a lane, sorted.
    pub fn messages(self, lane: usize) -> Vec<String> {
        let script = "return [...document.querySelectorAll(`.lane[data-lane='${arguments[0]}'] [data-message]`)]
            .map((one) => `${one.dataset.message} ${one.querySelector('.call, .chip-text').textContent}`).sort()";
        strings(&self.page.eval_with(script, &[json!(lane)]))
    }

    /// The line of pseudo-code that is lit, as it reads with what is chosen in its slots.
    pub fn lit(self) -> String {
        let script = "const lit = document.querySelectorAll('.code-line[data-lit]');
            if (lit.length !== 1) return `${lit.length} lines are lit`;
            return [...lit[0].childNodes].map((node) => node.querySelector?.('select')
                ? node.querySelector('select').selectedOptions[0].textContent : node.textContent).join('').trim()";
        self.page.eval(script).as_str().unwrap_or_default().to_string()
    }

    /// What the live region says.
    pub fn said(self) -> String {
        self.page.texts(".live").join("")
    }

    /// Everything that the stages show, as one text: words, places, states; with captions and place.
    pub fn stages(self) -> String {
        let all = self.picture();
        all.split(UNDER).next().unwrap_or_default().to_string()
    }

    /// The stages, and what stands under and beside them.
    pub fn picture(self) -> String {
        let script = "const one = (node) => [node.getAttribute('class'), node.dataset.client, node.dataset.step,
                node.dataset.message, node.getAttribute('aria-label'),
                node.style.getPropertyValue('--x'), node.style.getPropertyValue('--y')].filter(Boolean).join(' ');
            return [...document.querySelectorAll('.lane')].map((lane) => [
                lane.innerText,
                ...[...lane.querySelectorAll('svg text, svg .target, svg .arc, svg .bell-mark')]
                    .map((node) => node.tagName === 'text' ? node.textContent : one(node)),
            ].join('\\n')).join('\\n---\\n')
            + '\\n---\\n' + document.querySelector('.captions').innerText
            + '\\n---\\n' + document.querySelector('[data-place]').innerText
            + '\\n=====\\n' + document.querySelector('.under-body').innerText
            + '\\n---\\n' + [...document.querySelectorAll('.rail')].map((rail) => rail.innerText).join('')";
        self.page.eval(script).as_str().unwrap_or_default().to_string()
    }

    /// The verdict's word of a lane, if there is one yet.
    pub fn verdict(self, lane: usize) -> Option<String> {
        let script = "return document.querySelector(`.lane[data-lane='${arguments[0]}'] [data-verdict]`)?.dataset.verdict ?? null";
        self.page.eval_with(script, &[json!(lane)]).as_str().map(str::to_string)
    }

    /// By keyboard alone: opens a story from the list, goes a moment on and then to its end, and reads the
    /// verdicts of some lanes.
    pub fn verdicts_of_story(self, story: &str, lanes: &[usize]) -> Vec<String> {
        let page = self.page;
        page.wait_for("[data-stage]");
        page.tab_to("[data-setup]");
        page.press("Enter");
        let button = format!("[data-story='{story}']");
        page.wait_for(&button);
        page.tab_to(&button);
        page.press("Enter");
        // Whoever has chosen a story is shown it, not the list.
        page.wait_for_no(&button);
        // A moment first: one predicts or walks past.
        page.tab_to("[data-transport=moment]");
        page.press("Enter");
        assert!(self.stop() > 0, "{story} moves on");
        page.tab_to("[data-transport=last]");
        page.press("Enter");
        assert_eq!(self.stop(), self.last());
        lanes.iter().map(|lane| self.verdict(*lane).unwrap_or_default()).collect()
    }

    /// Moves a pause long, so that the address and the live region follow.
    pub fn wait_for_address(self, part: &str) {
        let script = format!("return location.hash.includes({})", json!(part));
        self.page.wait_until(&format!("the address says `{part}`"), &script);
    }

    fn number(self, script: &str) -> u32 {
        let number = self.page.eval(script);
        number.as_u64().and_then(|n| n.try_into().ok()).unwrap_or_else(|| panic!("{number} is no number"))
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}
