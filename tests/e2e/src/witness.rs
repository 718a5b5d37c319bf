//! What the browser recorded beside the page: its console, its network, its policy's complaints.

use std::cell::RefCell;

use serde_json::Value;

/// Runs before the page's own scripts and collects what its Content-Security-Policy refuses.
pub const LISTEN_FOR_REFUSALS: &str = "window.__refused = [];
document.addEventListener('securitypolicyviolation', (event) => window.__refused.push(
    `${event.effectiveDirective} refused ${event.blockedURI} in ${event.sourceFile}:${event.lineNumber}`));";

/// The logs read so far. Chromedriver forgets what it has handed over, so it is kept here.
#[derive(Default)]
pub struct Witness {
    console: RefCell<Vec<Value>>,
    network: RefCell<Vec<Value>>,
}

impl Witness {
    pub fn hear_console(&self, entries: Value) {
        self.console.borrow_mut().extend(list(entries));
    }

    pub fn hear_network(&self, entries: Value) {
        self.network.borrow_mut().extend(list(entries));
    }

    /// Everything the console shows in red, uncaught errors and failed requests among it.
    pub fn console_errors(&self) -> Vec<String> {
        let is_error = |entry: &&Value| entry["level"] == "SEVERE";
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_string();
        self.console.borrow().iter().filter(is_error).map(message).collect()
    }

    /// The addresses of all requests to another origin than this one.
    pub fn foreign_requests(&self, origin: &str) -> Vec<String> {
        let home = format!("{origin}/");
        let is_foreign = |url: &String| {
            let inside = ["data:", "blob:", "about:", "chrome:", "devtools:"];
            // A web socket of the same host is no other origin.
            !url.replacen("ws://", "http://", 1).starts_with(&home)
                && !inside.iter().any(|scheme| url.starts_with(scheme))
        };
        self.requests().into_iter().filter(is_foreign).collect()
    }

    /// The addresses of all requests so far, in order.
    pub fn requests(&self) -> Vec<String> {
        self.network.borrow().iter().filter_map(request_address).collect()
    }
}

fn list(entries: Value) -> Vec<Value> {
    match entries {
        Value::Array(entries) => entries,
        other => panic!("chromedriver's log is not a list: {other}"),
    }
}

fn request_address(entry: &Value) -> Option<String> {
    let inner: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
    let message = &inner["message"];
    let address = match message["method"].as_str()? {
        "Network.requestWillBeSent" => &message["params"]["request"]["url"],
        "Network.webSocketCreated" => &message["params"]["url"],
        _ => return None,
    };
    Some(address.as_str()?.to_string())
}
