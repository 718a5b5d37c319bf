//! A static host on a free loopback port: the files of `dist/` under a sub-path, and nothing else.
//!
//! Each connection has a thread of its own and carries one request. (tiny_http keeps connections and
//! shares a pool of threads between them; with the spare connections that a browser opens, a page now
//! and then waited for ever.)

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;

/// Where the site is mounted. Nobody who builds the page may know it, so it is an unlikely one.
const MOUNT: &str = "/any/sub/path/";

/// A running host; it lasts as long as the test binary.
pub struct Site {
    address: String,
}

impl Site {
    /// The whole site, shared by all stories of a test binary. `LOCKSTEP_SITE` names one that is served already,
    /// such as `http://127.0.0.1:8080/` by `cargo xtask serve`.
    pub fn shared() -> &'static Site {
        static SITE: OnceLock<Site> = OnceLock::new();
        SITE.get_or_init(|| match std::env::var("LOCKSTEP_SITE") {
            Ok(address) => Site { address },
            Err(_) => Site::start(&[]),
        })
    }

    /// A site on which these files are missing.
    pub fn without(missing: &[&str]) -> Site {
        Site::start(missing)
    }

    /// The address of index.html, which ends in a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The scheme, host and port.
    pub fn origin(&self) -> &str {
        let host = self.address.find("//").map_or(0, |slashes| slashes + 2);
        self.address[host..].find('/').map_or(&self.address, |end| &self.address[..host + end])
    }

    fn start(missing: &[&str]) -> Site {
        let dist = dist();
        assert!(
            dist.join("index.html").is_file(),
            "There is no site in {}: `cargo xtask build` makes it.",
            dist.display()
        );
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        let port = listener.local_addr().expect("a bound listener has an address").port();
        let missing: Arc<[String]> = missing.iter().map(|name| name.to_string()).collect();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (dist, missing) = (dist.clone(), Arc::clone(&missing));
                // The browser may have gone away meanwhile; that is no fault of the site.
                thread::spawn(move || drop(answer(connection, &dist, &missing)));
            }
        });
        Site { address: format!("http://127.0.0.1:{port}{MOUNT}") }
    }
}

fn dist() -> PathBuf {
    std::env::var_os("LOCKSTEP_DIST")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"), PathBuf::from)
}

fn answer(mut connection: TcpStream, dist: &Path, missing: &[String]) -> io::Result<()> {
    let mut lines = BufReader::new(connection.try_clone()?).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    // The rest of the head says nothing that matters here, but must be read.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let url = first.split(' ').nth(1).unwrap_or_default();
    let name = file_name(url).filter(|name| !missing.contains(name));
    let found = name.and_then(|name| Some((fs::read(dist.join(&name)).ok()?, content_type(&name))));
    let (status, kind, body) = match found {
        Some((bytes, kind)) => ("200 OK", kind, bytes),
        None => ("404 Not Found", "text/plain", b"There is no such file.".to_vec()),
    };
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    connection.write_all(&body)?;
    connection.flush()
}

/// The file that an address names, below the mount only.
fn file_name(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?.strip_prefix(MOUNT)?;
    let name =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_string() };
    Path::new(&name).components().all(|part| matches!(part, Component::Normal(_))).then_some(name)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_mount_are_served() {
        assert_eq!(file_name("/any/sub/path/").as_deref(), Some("index.html"));
        assert_eq!(file_name("/any/sub/path/boot.js?v=1").as_deref(), Some("boot.js"));
        assert_eq!(file_name("/boot.js"), None);
        assert_eq!(file_name("/any/sub/path/../../Cargo.toml"), None);
    }
}
