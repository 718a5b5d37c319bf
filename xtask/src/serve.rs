//! Serves the page on this machine and builds it again when a source file changes.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::{on_path, root};
use crate::{Outcome, build};

const FIRST_PORT: u16 = 8080;
const PORTS_TO_TRY: u16 = 20;

struct Options {
    port: u16,
    open: bool,
}

/// Builds, serves on 127.0.0.1, prints the address and opens the browser; lasts until it is interrupted.
pub fn run(options: &[String]) -> Outcome {
    let options = parse(options)?;
    let site = site()?;
    // Trunk would go on serving nothing after a first build that failed.
    build::trunk_build(&site)?;
    let port = free_port(options.port)?;
    let mut child = build::trunk()?
        .args(["serve", "--release", "--address", "127.0.0.1", "--port", &port.to_string(), "--dist"])
        .arg(&site)
        .spawn()
        .map_err(|error| format!("Trunk could not be started: {error}."))?;
    wait_until_it_answers(&mut child, port)?;
    let address = format!("http://127.0.0.1:{port}/");
    println!("\nLockstep is at {address}");
    println!("Change a file, and it is built and loaded again. Ctrl-C ends this.");
    if options.open && !open(&address) {
        println!("No browser could be opened from here; open the address by hand.");
    }
    let status = child.wait().map_err(|error| format!("Trunk was lost: {error}."))?;
    if status.success() { Ok(()) } else { Err(format!("Trunk ended ({status}); what it says is above.")) }
}

fn parse(options: &[String]) -> Outcome<Options> {
    let mut parsed = Options { port: FIRST_PORT, open: true };
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match option.as_str() {
            "--no-open" => parsed.open = false,
            "--port" => {
                let word = rest.next().map_or("", String::as_str);
                parsed.port = word.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
                    format!("`--port {word}` is not a port: give a number from 1 to 65535.")
                })?;
            }
            other => {
                return Err(format!("`serve` does not know `{other}`; it takes --no-open and --port N."));
            }
        }
    }
    Ok(parsed)
}

/// The wished port, or the next one that nobody listens on.
fn free_port(wish: u16) -> Outcome<u16> {
    let is_free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    let last = wish.saturating_add(PORTS_TO_TRY);
    let port = (wish..=last)
        .find(|port| is_free(*port))
        .ok_or_else(|| format!("The ports {wish} to {last} are all taken. Choose another with --port."))?;
    if port != wish {
        println!("Port {wish} is taken by another program, so the page goes to port {port}.");
    }
    Ok(port)
}

/// Apart from dist/, so that a release site is not replaced while somebody develops.
fn site() -> Outcome<PathBuf> {
    let folder = root().join("target/serve");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("{} could not be made: {error}.", folder.display()))?;
    Ok(folder)
}

/// Trunk listens once the first build is done.
fn wait_until_it_answers(trunk: &mut Child, port: u16) -> Outcome {
    loop {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(());
        }
        if let Ok(Some(status)) = trunk.try_wait() {
            return Err(format!("Trunk ended ({status}) before it served the page; what it says is above."));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn open(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[address])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", "", address])
    } else {
        ("xdg-open", &[address])
    };
    let known = cfg!(windows) || on_path(program).is_some();
    known && start(Path::new(program), arguments)
}

fn start(program: &Path, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
