//! The site for any static host: Trunk builds it, wasm-opt shrinks it, the addresses get a stamp, and it is weighed.

use std::fs;
use std::hash::Hasher;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use siphasher::sip::SipHasher13;

use crate::process::{on_path, path_with, root, run};
use crate::{Outcome, tools};

/// What a first visit may cost, in gzip bytes. Raising it is a decision, so it stands here.
///
/// It weighs 430 kB, 406 of them wasm. The old gate of 180 kB was our own number, and set wrongly: to keep it, the build
/// took the wasm apart by what a browser was seen to run, and the house bent around that. 420 kB held until the page
/// learnt why somebody waits and what real clients do about errors: 23 kB of sentences and rules in two languages. A
/// later step splits the page by Leptos' own means, and lowers the gate.
const GATE_GZIP_BYTES: u64 = 450_000;

/// Builds `dist/`, prints its weight and fails if a first visit would cost more than the gate allows.
pub fn site() -> Outcome {
    let started = Instant::now();
    let dist = root().join("dist");
    trunk_build(&dist)?;
    shrink(&dist.join("lockstep_bg.wasm"))?;
    stamp(&dist)?;
    println!(
        "The site is in dist/ after {} s. Any static host can serve it, under any path.",
        started.elapsed().as_secs()
    );
    weigh(&dist)
}

/// Prints the weight of what was built last.
pub fn weigh_site() -> Outcome {
    weigh(&root().join("dist"))
}

/// Builds the page into a folder, neither shrunk nor stamped.
pub fn trunk_build(folder: &Path) -> Outcome {
    let mut trunk = trunk()?;
    println!("Building the page (about a minute on two cores the first time) ...");
    run(trunk.args(["build", "--release", "--dist"]).arg(folder))
        .map_err(|error| format!("{error} The page was not built; what the compiler says is above."))
}

/// Trunk with the right tools on its PATH. It works offline, so it never downloads others.
pub fn trunk() -> Outcome<Command> {
    tools::wasm_target()?;
    let trunk = tools::trunk()?;
    let bindgen = tools::wasm_bindgen()?;
    tools::dependencies()?;
    let mut command = Command::new(&trunk);
    command
        .current_dir(root())
        .env("PATH", path_with(&[folder_of(&bindgen)])?)
        .env("TRUNK_OFFLINE", "true")
        .env("RUST_LOG", "warn")
        // Trunk understands only `true` and `false` here, and most people set 1.
        .env_remove("NO_COLOR")
        // A compile error needs no backtrace of Trunk.
        .env("RUST_LIB_BACKTRACE", "0");
    Ok(command)
}

fn folder_of(program: &Path) -> &Path {
    program.parent().unwrap_or(program)
}

/// Makes the wasm smaller. Trunk could do it too, but `cargo xtask serve` would then wait for it after each change.
fn shrink(wasm: &Path) -> Outcome {
    let script = tools::wasm_opt()?;
    let node = on_path("node").ok_or(
        "wasm-opt runs in Node.js, which is not installed. Install Node.js 18 or newer, then try again.",
    )?;
    println!("Making the wasm smaller (a quarter of a minute) ...");
    run(Command::new(node).arg(script).arg("-Oz").arg(wasm).arg("-o").arg(wasm))
        .map_err(|error| format!("{error} wasm-opt could not make the wasm smaller; what it says is above."))
}

/// Adds `?v=<hash of the site>` to the addresses in index.html, so that a browser never mixes two builds.
/// `boot.js` hands its own stamp on to the glue and the wasm.
fn stamp(dist: &Path) -> Outcome {
    let files = files_under(dist)?;
    let mut hash = SipHasher13::new();
    for path in &files {
        hash.write(&fs::read(path).map_err(|error| could_not("read", path, &error))?);
    }
    let index = dist.join("index.html");
    let html = fs::read_to_string(&index).map_err(|error| could_not("read", &index, &error))?;
    let names: Vec<String> =
        files.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_string())).collect();
    let html = stamped(&html, &names, &format!("{:016x}", hash.finish()));
    fs::write(&index, html).map_err(|error| could_not("write", &index, &error))
}

fn stamped(html: &str, names: &[String], version: &str) -> String {
    let mut html: String =
        html.lines().filter(|line| !line.contains("data-trunk")).map(|line| format!("{line}\n")).collect();
    for name in
        names.iter().filter(|name| name.ends_with(".js") || name.ends_with(".css") || name.ends_with(".wasm"))
    {
        html = html.replace(&format!("\"./{name}\""), &format!("\"./{name}?v={version}\""));
    }
    html
}

/// Prints what each file weighs. What index.html and boot.js ask for at once is the first load.
fn weigh(dist: &Path) -> Outcome {
    let index = dist.join("index.html");
    let html = fs::read_to_string(&index).map_err(|error| could_not("read", &index, &error))?;
    let mut total = (0, 0);
    println!("\n{:>10} {:>10}  file", "raw", "gzip");
    for path in files_under(dist)? {
        let name = path.strip_prefix(dist).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&path).map_err(|error| could_not("read", &path, &error))?;
        let (raw, gzip) = (bytes.len() as u64, gzip_size(&bytes));
        let at_once = name == "index.html" || html.contains(&format!("\"./{name}"));
        if at_once {
            total = (total.0 + raw, total.1 + gzip);
        }
        println!("{raw:>10} {gzip:>10}  {name}{}", if at_once { "" } else { "  (on demand)" });
    }
    println!("{:>10} {:>10}  first load, of at most {GATE_GZIP_BYTES} gzip bytes", total.0, total.1);
    light_enough(total.1, GATE_GZIP_BYTES)
}

fn light_enough(gzip: u64, gate: u64) -> Outcome {
    if gzip <= gate {
        return Ok(());
    }
    Err(format!(
        "The first load weighs {gzip} gzip bytes and the gate is {gate}. Make it lighter, load something on demand, or \
         raise the gate in xtask/src/build.rs and say why."
    ))
}

fn gzip_size(bytes: &[u8]) -> u64 {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_or(bytes.len() as u64, |packed| packed.len() as u64)
}

fn files_under(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| could_not("read", folder, &error))? {
        let path = entry.map_err(|error| could_not("read", folder, &error))?.path();
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn could_not(verb: &str, path: &Path, error: &std::io::Error) -> String {
    format!("Could not {verb} {}: {error}.", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_get_the_stamp_and_leftovers_of_trunk_go() {
        let html =
            "<link data-trunk rel=\"rust\" />\n<link href=\"./main.css\"/>\n<link href=\"./favicon.svg\"/>\n";
        let names = ["favicon.svg".to_string(), "main.css".to_string()];
        assert_eq!(
            stamped(html, &names, "7"),
            "<link href=\"./main.css?v=7\"/>\n<link href=\"./favicon.svg\"/>\n"
        );
    }

    #[test]
    fn what_weighs_more_than_the_gate_is_refused() {
        assert_eq!(light_enough(10, 10), Ok(()));
        let sentence = light_enough(11, 10).unwrap_err();
        assert!(sentence.contains("weighs 11 gzip bytes and the gate is 10."), "{sentence}");
    }

    #[test]
    fn the_same_bytes_weigh_less_when_packed() {
        assert!(gzip_size(&[7; 10_000]) < 100);
    }
}
