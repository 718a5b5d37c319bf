//! One chromedriver process, and the session it opens in a fresh headless browser.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// Without the background flags the browser looks up its maker's hosts at every start.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
];

/// A chromedriver that ends when this is dropped.
pub struct Driver {
    process: Child,
    address: String,
    /// Where driver and browser keep what they need for a while; the browser does not tidy up.
    scratch: PathBuf,
}

impl Driver {
    /// Starts chromedriver; it chooses a free port and says which.
    pub fn start() -> Driver {
        let program = env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let scratch = scratch();
        let mut process = Command::new(program)
            .arg("--port=0")
            .env("TMPDIR", &scratch)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts; `cargo xtask test` says what to install if it is missing");
        let mut output = BufReader::new(process.stdout.take().expect("the output is piped"));
        let mut line = String::new();
        let port = loop {
            line.clear();
            let read = output.read_line(&mut line).expect("chromedriver's output can be read");
            assert!(read > 0, "chromedriver ended before it said on which port it listens");
            if let Some(port) = announced_port(&line) {
                break port;
            }
        };
        // The rest must be read, or chromedriver would stop once the pipe is full.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Driver { process, address: format!("http://127.0.0.1:{port}"), scratch }
    }

    /// Opens a session whose console and network are recorded.
    pub async fn open_session(&self) -> Client {
        let mut options = json!({ "args": FLAGS });
        if let Some(browser) = browser() {
            options["binary"] = json!(browser);
        }
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("the value above is an object") };
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&self.address)
            .await
            .expect("chromedriver opens a browser; does its version fit the browser's?")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

/// A new folder, short enough a path for the browser's sockets.
fn scratch() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("lockstep-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder)
        .unwrap_or_else(|error| panic!("{} cannot be made: {error}", folder.display()));
    folder
}

fn announced_port(line: &str) -> Option<u16> {
    let (_, after) = line.split_once("started successfully on port ")?;
    after.trim().trim_end_matches('.').parse().ok()
}

fn browser() -> Option<PathBuf> {
    if let Some(browser) = env::var_os("CHROME") {
        return Some(PathBuf::from(browser));
    }
    let path = env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let on_path =
        |name: &&str| env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    names.iter().find_map(on_path)
}

/// A command of chromedriver's own, beyond the WebDriver standard.
#[derive(Debug)]
pub struct Vendor {
    pub path: &'static str,
    pub body: Value,
}

impl WebDriverCompatibleCommand for Vendor {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
