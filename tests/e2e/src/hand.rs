//! More ways to act: hold a key, type into a field, choose from a list, tap, click twice, open a second tab.

use fantoccini::Client;
use serde_json::{Value, json};

use crate::Page;

impl Page {
    /// Holds an arrow key down for so many repeats, then lets it go.
    pub fn hold(&self, key: &str, repeats: u32) {
        let (code, number) = match key {
            "ArrowLeft" => ("ArrowLeft", 37),
            "ArrowRight" => ("ArrowRight", 39),
            _ => panic!("`{key}` is not a key that stories hold down."),
        };
        let event = |kind: &str, repeated: bool| json!({ "type": kind, "code": code, "key": key, "windowsVirtualKeyCode": number, "autoRepeat": repeated });
        for repeat in 0..repeats {
            self.cdp("Input.dispatchKeyEvent", event("rawKeyDown", repeat > 0));
        }
        self.cdp("Input.dispatchKeyEvent", event("keyUp", false));
    }

    /// Puts the focus on the first element that fits.
    pub fn focus(&self, css: &str) {
        self.wait_for(css);
        let script = "const one = document.querySelector(arguments[0]); one.focus();
            return document.activeElement === one";
        assert_eq!(self.eval_with(script, &[json!(css)]), true, "`{css}` takes the focus");
    }

    /// Chooses the option with this value from a list.
    pub fn choose(&self, css: &str, value: &str) {
        self.wait(self.element(css).select_by_value(value), &format!("choose {value} from {css}"));
    }

    /// Types into a field in place of what is there, and confirms with Enter.
    pub fn fill(&self, css: &str, value: &str) {
        self.focus(css);
        self.eval_with("document.querySelector(arguments[0]).select()", &[json!(css)]);
        match value {
            "" => self.press("Delete"),
            value => self.type_text(value),
        }
        self.press("Enter");
    }

    /// Presses and lets go twice, as fast as a hand does.
    pub fn double_click(&self, css: &str) {
        let (x, y) = self.middle(css);
        for clicks in [1, 2] {
            for kind in ["mousePressed", "mouseReleased"] {
                let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": clicks });
                self.cdp("Input.dispatchMouseEvent", event);
            }
        }
    }

    /// Touches the first element that fits with a finger. Something else lying over it is a fault.
    pub fn tap(&self, css: &str) {
        let (x, y) = self.middle(css);
        let touch = |kind: &str, points: Value| json!({ "type": kind, "touchPoints": points });
        self.cdp("Input.dispatchTouchEvent", touch("touchStart", json!([{ "x": x, "y": y }])));
        self.cdp("Input.dispatchTouchEvent", touch("touchEnd", json!([])));
    }

    /// What a person sees at the middle of an element, once it has been scrolled to, must be that element.
    fn middle(&self, css: &str) -> (f64, f64) {
        self.wait_for(css);
        let script = "const one = document.querySelector(arguments[0]);
            one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
            const box = one.getBoundingClientRect();
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            const top = document.elementFromPoint(x, y);
            return [x, y, one.contains(top) ? '' : (top?.outerHTML ?? 'nothing').slice(0, 200)]";
        let answer = self.eval_with(script, &[json!(css)]);
        let over = answer[2].as_str().expect("the script says what lies there");
        assert!(over.is_empty(), "`{css}` lies under {over}");
        (answer[0].as_f64().expect("x is a number"), answer[1].as_f64().expect("y is a number"))
    }

    /// Opens a second tab at a route, runs `there` in it, and comes back.
    pub fn in_second_tab(&self, route: &str, there: impl FnOnce(&Page)) {
        let client: &Client = self.client();
        let here = self.wait(client.window(), "say which tab this is");
        let other = self.wait(client.new_window(true), "open a tab");
        self.wait(client.switch_to_window(other.handle), "go to the second tab");
        self.load(route);
        there(self);
        self.wait(client.close_window(), "close the second tab");
        self.wait(client.switch_to_window(here), "go back to the first tab");
    }

    /// Presses Tab until an element that fits has the focus.
    pub fn tab_to(&self, css: &str) {
        let script = "return document.activeElement?.matches(arguments[0]) ?? false";
        for _ in 0..120 {
            if self.eval_with(script, &[json!(css)]) == true {
                return;
            }
            self.press("Tab");
        }
        panic!("`{css}` cannot be reached by Tab");
    }

    /// All that can be reached by Tab from the top of the page, in order: what it is, in which region, whether the
    /// focus is seen on it and whether the foot covers it.
    pub fn tab_order(&self, most: usize) -> Vec<Value> {
        self.eval(
            "document.activeElement?.blur(); window.getSelection().removeAllRanges(); scrollTo(0, 0);
            window.passed = new Set()",
        );
        let script = "const one = document.activeElement;
            if (one === null || one === document.body || window.passed.has(one)) return null;
            window.passed.add(one);
            const shown = getComputedStyle(one), box = one.getBoundingClientRect();
            const mark = one.querySelector(':scope > .focus');
            const parent = one.parentElement === null ? '' : getComputedStyle(one.parentElement).outlineStyle;
            const seen = shown.outlineStyle !== 'none' || parent !== 'none'
                || (mark !== null && getComputedStyle(mark).stroke !== 'none');
            const foot = document.querySelector('.foot');
            const covered = foot !== null && !foot.contains(one) && getComputedStyle(foot).position === 'sticky'
                && box.top >= foot.getBoundingClientRect().top;
            return {
                what: one.getAttribute('aria-label') ?? one.innerText ?? one.textContent,
                id: one.id, tag: one.tagName, data: { ...one.dataset }, class: one.getAttribute('class') ?? '',
                region: (one.closest('.bar, .question, .setup, .stage-side, .under, .inspector, .rail, .foot, .notices')
                    ?.className ?? one.closest('[class]')?.className),
                seen, covered, x: box.x, y: box.y, width: box.width, height: box.height,
            }";
        let mut passed = Vec::new();
        for _ in 0..most {
            self.press("Tab");
            match self.eval(script) {
                Value::Null => break,
                one => passed.push(one),
            }
        }
        passed
    }

    /// Forgets everything that the site keeps in this browser.
    pub fn forget(&self) {
        self.eval("localStorage.clear()");
    }
}
