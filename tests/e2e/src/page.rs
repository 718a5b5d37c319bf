//! The page in a browser of its own: act as a person would, look at what a person would see.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine;
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::driver::{Driver, Vendor};
use crate::witness::{LISTEN_FOR_REFUSALS, Witness};
use crate::{Site, axe, keys};

/// How long `wait_for…` looks again before it gives up.
const PATIENCE: Duration = Duration::from_secs(15);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Either the app has started or the panel outside it says why not.
const SETTLED: &str = "return 'started' in document.documentElement.dataset
    || document.querySelector('#fallback:not([hidden])') !== null";

/// The driver does not scroll what is on the screen, even if it is behind something that stays there.
const SCROLL_FROM_UNDER: &str = "const one = document.querySelector(arguments[0]);
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!one.contains(top)) one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });";

/// A browser with the page in it. It is closed when this is dropped.
pub struct Page {
    address: String,
    origin: String,
    witness: Witness,
    client: Option<Client>,
    runtime: Runtime,
    _driver: Driver,
}

impl Page {
    /// Opens a browser at a route of the shared site, such as `#/lab?lang=zh`, and waits until the app has started.
    pub fn open(route: &str) -> Page {
        let page = Page::blank(Site::shared());
        page.load(route);
        page
    }

    /// A page at no address yet, on which nothing glides.
    pub fn calm() -> Page {
        let page = Page::blank(Site::shared());
        page.prefers(&[("prefers-reduced-motion", "reduce")]);
        page
    }

    /// A route on a desk's screen, on which nothing glides.
    pub fn calm_at(route: &str) -> Page {
        let page = Page::calm();
        page.resize(1440, 900);
        page.load(route);
        page
    }

    /// Opens a browser that has not loaded anything, to set it up before [`Page::load`].
    pub fn blank(site: &Site) -> Page {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let driver = Driver::start();
        let client = runtime.block_on(driver.open_session());
        let page = Page {
            address: site.address().to_string(),
            origin: site.origin().to_string(),
            witness: Witness::default(),
            client: Some(client),
            runtime,
            _driver: driver,
        };
        page.before_load(LISTEN_FOR_REFUSALS);
        page.resize(1280, 800);
        page
    }

    // Going somewhere

    /// Loads the page anew at a route. What it stored is kept.
    pub fn load(&self, route: &str) {
        self.visit("about:blank");
        self.visit(&format!("{}{route}", self.address));
        self.wait_until("the app has started", SETTLED);
    }

    /// Changes the part after `#`, as a link inside the page does.
    pub fn goto(&self, route: &str) {
        self.visit(&format!("{}{route}", self.address));
    }

    /// Loads the same address again.
    pub fn reload(&self) {
        self.wait(self.client().refresh(), "reload");
        self.wait_until("the app has started", SETTLED);
    }

    pub fn back(&self) {
        self.wait(self.client().back(), "go back");
    }

    /// The whole address in the browser's bar.
    pub fn address(&self) -> String {
        self.wait(self.client().current_url(), "read the address").to_string()
    }

    /// The part of the address from `#` on.
    pub fn route(&self) -> String {
        let address = self.address();
        address.find('#').map_or(String::new(), |at| address[at..].to_string())
    }

    /// Runs a script in every document from now on, before the page's own.
    pub fn before_load(&self, script: &str) {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    // What kind of screen and person

    /// A screen of a desk machine, with a mouse.
    pub fn resize(&self, width: u32, height: u32) {
        self.screen(width, height, 1, false);
    }

    /// A screen that is touched, with two device pixels a pixel.
    pub fn phone(&self, width: u32, height: u32) {
        self.screen(width, height, 2, true);
    }

    /// What the person prefers, such as `("prefers-color-scheme", "dark")`. It replaces earlier preferences.
    pub fn prefers(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.cdp("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Cuts the network, or joins it again.
    pub fn offline(&self, offline: bool) {
        self.cdp("Network.enable", json!({}));
        let conditions =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.cdp("Network.emulateNetworkConditions", conditions);
    }

    // Acting

    /// Presses and releases a key or a chord: `a`, `Space`, `ArrowRight`, `Shift+Tab`, `Control+z`.
    pub fn press(&self, key: &str) {
        self.wait(self.client().perform_actions(keys::chord(key)), &format!("press {key}"));
    }

    /// Puts text where the caret is, as an input method does: there are input events, and no key events.
    pub fn type_text(&self, text: &str) {
        self.cdp("Input.insertText", json!({ "text": text }));
    }

    /// Clicks the first element that fits, as a pointer would: a covered or hidden one is a fault.
    pub fn click(&self, css: &str) {
        self.wait_for(css);
        self.eval_with(SCROLL_FROM_UNDER, &[json!(css)]);
        self.wait(self.element(css).click(), &format!("click {css}"));
    }

    // Looking

    /// The visible text of the first element that fits.
    pub fn text(&self, css: &str) -> String {
        self.wait(self.element(css).text(), &format!("read {css}"))
    }

    /// The visible texts of all elements that fit.
    pub fn texts(&self, css: &str) -> Vec<String> {
        // What is not shown has no visible text, though innerText would give it.
        let script = "return [...document.querySelectorAll(arguments[0])]
            .map((one) => one.checkVisibility() ? one.innerText ?? one.textContent : '')";
        let texts = self.eval_with(script, &[json!(css)]);
        texts.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
    }

    pub fn attr(&self, css: &str, name: &str) -> Option<String> {
        self.wait(self.element(css).attr(name), &format!("read {name} of {css}"))
    }

    pub fn count(&self, css: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.eval_with(script, &[json!(css)]).as_u64().expect("a length is a number")
    }

    pub fn exists(&self, css: &str) -> bool {
        self.count(css) > 0
    }

    /// True if the first element that fits can be seen.
    pub fn is_visible(&self, css: &str) -> bool {
        let script = "const one = document.querySelector(arguments[0]);
            return one !== null && one.checkVisibility({ opacityProperty: true, visibilityProperty: true })";
        self.eval_with(script, &[json!(css)]) == true
    }

    /// The result of a script, which says `return`.
    pub fn eval(&self, script: &str) -> Value {
        self.eval_with(script, &[])
    }

    /// The result of a script that reads `arguments[0]` and so on.
    pub fn eval_with(&self, script: &str, arguments: &[Value]) -> Value {
        self.wait(self.client().execute(script, arguments.to_vec()), &format!("run `{script}`"))
    }

    /// True if the page can be scrolled sideways, which no screen should need.
    pub fn scrolls_sideways(&self) -> bool {
        self.eval("const page = document.documentElement; return page.scrollWidth > page.clientWidth") == true
    }

    // Waiting

    /// Until an element fits.
    pub fn wait_for(&self, css: &str) {
        self.look_again(&format!("an element fits `{css}`"), || self.exists(css));
    }

    /// Until no element fits.
    pub fn wait_for_no(&self, css: &str) {
        self.look_again(&format!("no element fits `{css}`"), || !self.exists(css));
    }

    /// Until the visible text of an element that fits contains this.
    pub fn wait_for_text(&self, css: &str, text: &str) {
        let wish = format!("`{css}` shows `{text}`");
        self.look_again(&wish, || self.texts(css).iter().any(|shown| shown.contains(text)));
    }

    /// Until a script returns true; `wish` says in words what is waited for.
    pub fn wait_until(&self, wish: &str, script: &str) {
        self.look_again(wish, || self.eval(script) == true);
    }

    /// Until fonts are there and two frames have been drawn.
    pub fn wait_for_paint(&self) {
        let script = "document.fonts.ready.then(() => new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))";
        assert_eq!(self.evaluate_promise(script), json!(true), "two frames are drawn");
    }

    // What the browser recorded

    /// Everything that the console shows in red.
    pub fn console_errors(&self) -> Vec<String> {
        self.witness.hear_console(self.vendor("se/log", json!({ "type": "browser" })));
        self.witness.console_errors()
    }

    /// Requests to any other origin than the site's.
    pub fn foreign_requests(&self) -> Vec<String> {
        self.witness.hear_network(self.vendor("se/log", json!({ "type": "performance" })));
        self.witness.foreign_requests(&self.origin)
    }

    /// All requests, in order.
    pub fn requests(&self) -> Vec<String> {
        self.witness.hear_network(self.vendor("se/log", json!({ "type": "performance" })));
        self.witness.requests()
    }

    /// What the Content-Security-Policy refused in the document that is loaded.
    pub fn csp_violations(&self) -> Vec<String> {
        let refused = self.eval("return window.__refused ?? []");
        refused.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
    }

    /// The violations that axe-core finds, a readable line each.
    pub fn axe(&self) -> Vec<String> {
        if self.eval("return typeof axe === 'undefined'") == true {
            self.cdp("Runtime.evaluate", json!({ "expression": axe::source() }));
        }
        axe::lines(&self.evaluate_promise(axe::RUN))
    }

    /// No error in the console, no request to a foreign host, nothing refused by the policy.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!(self.console_errors(), Vec::<String>::new(), "the console shows no error");
        assert_eq!(self.foreign_requests(), Vec::<String>::new(), "nothing is asked of another host");
        assert_eq!(self.csp_violations(), Vec::<String>::new(), "the policy refuses nothing");
    }

    /// Axe-core finds nothing.
    #[track_caller]
    pub fn assert_accessible(&self) {
        let lines = self.axe();
        assert!(lines.is_empty(), "axe-core finds {} faults:\n{}", lines.len(), lines.join("\n"));
    }

    /// Writes what the screen shows as a PNG file.
    pub fn screenshot(&self, path: &Path) {
        let shot = self.cdp("Page.captureScreenshot", json!({ "format": "png" }));
        let data = shot["data"].as_str().expect("a screenshot has data");
        let png = base64::engine::general_purpose::STANDARD.decode(data).expect("the data is base64");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .unwrap_or_else(|error| panic!("{} cannot be made: {error}", folder.display()));
        }
        fs::write(path, png).unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
    }

    /// A command of the Chrome DevTools Protocol.
    pub fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.vendor("goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    fn screen(&self, width: u32, height: u32, ratio: u32, touch: bool) {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": touch });
        self.cdp("Emulation.setDeviceMetricsOverride", screen);
        self.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": touch }));
    }

    fn visit(&self, address: &str) {
        self.wait(self.client().goto(address), &format!("go to {address}"));
    }

    pub(crate) fn element(&self, css: &str) -> Element {
        self.wait_for(css);
        self.wait(self.client().find(Locator::Css(css)), &format!("find {css}"))
    }

    pub(crate) fn evaluate_promise(&self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.cdp("Runtime.evaluate", parameters);
        assert!(
            answer["exceptionDetails"].is_null(),
            "`{expression}` failed: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].clone()
    }

    pub(crate) fn look_again(&self, wish: &str, mut holds: impl FnMut() -> bool) {
        let started = Instant::now();
        while !holds() {
            if started.elapsed() > PATIENCE {
                let errors = self.console_errors().join("\n");
                panic!("After {PATIENCE:?} it is still not so that {wish}.\nConsole errors:\n{errors}");
            }
            std::thread::sleep(LOOK_AGAIN);
        }
    }

    fn vendor(&self, path: &'static str, body: Value) -> Value {
        let what = format!("{path} {}", body["cmd"].as_str().unwrap_or_default());
        self.wait(self.client().issue_cmd(Vendor { path, body }), &what)
    }

    pub(crate) fn client(&self) -> &Client {
        self.client.as_ref().expect("the session lasts as long as the page")
    }

    /// Lets the browser work until the answer is there.
    pub(crate) fn wait<T, E: std::fmt::Display>(
        &self,
        work: impl Future<Output = Result<T, E>>,
        what: &str,
    ) -> T {
        let bounded = async { tokio::time::timeout(PATIENCE * 2, work).await };
        match self.runtime.block_on(bounded) {
            Ok(Ok(value)) => value,
            Ok(Err(error)) => panic!("The browser could not {what}: {error}"),
            Err(_) => panic!("The browser did not {what} within {:?}.", PATIENCE * 2),
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self
                .runtime
                .block_on(async { tokio::time::timeout(Duration::from_secs(5), client.close()).await });
        }
    }
}
