//! The boxes of all text on a page: nothing is cut off, lies on something else or stands outside the screen.

use serde_json::{Value, json};

use crate::Page;

const MEASURE: &str = include_str!("boxes.js");

/// A screen that the page is made for.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    /// It is touched.
    pub phone: bool,
}

/// A desk, a tablet and a phone.
pub const SCREENS: [Screen; 3] = [
    Screen { width: 1440, height: 900, phone: false },
    Screen { width: 1024, height: 768, phone: false },
    Screen { width: 390, height: 844, phone: true },
];

impl std::fmt::Display for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl Page {
    /// Shows the page on this screen.
    pub fn show_on(&self, screen: Screen) {
        match screen.phone {
            true => self.phone(screen.width, screen.height),
            false => self.resize(screen.width, screen.height),
        }
    }

    /// The faults of the boxes as they are now, a readable line each.
    pub fn box_faults(&self) -> Vec<String> {
        let script = format!("return ({MEASURE})()");
        lines(&self.eval(&script))
    }

    /// The faults of the boxes at each of these stops of the lab; each line begins with its stop.
    pub fn box_faults_at(&self, stops: &[u32]) -> Vec<String> {
        let script = format!(
            "(async () => {{
                const measure = {MEASURE};
                const range = document.querySelector('[data-scrubber]');
                const faults = [];
                for (const stop of {}) {{
                    range.value = stop;
                    range.dispatchEvent(new Event('input', {{ bubbles: true }}));
                    await new Promise((done) => setTimeout(done, 0));
                    if (Number(range.value) !== stop) faults.push(`the stop ${{stop}} was not shown`);
                    faults.push(...measure().map((fault) => `step ${{stop}}: ${{fault}}`));
                }}
                return faults;
            }})()",
            json!(stops)
        );
        lines(&self.evaluate_promise(&script))
    }
}

fn lines(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}
