//! The site for any static host: Trunk builds it, wasm-opt shrinks it, the addresses get a stamp, and it is weighed.

use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use siphasher::sip::SipHasher13;

use crate::process::{on_path, path_with, root, run};
use crate::wasm::Module;
use crate::{Outcome, lighten, order, split, system, tools};

/// What a first visit may cost before its first minute works to its end, in gzip bytes. Raising it is a decision, so
/// it stands here.
///
/// Most of it is code: what Leptos needs, one server, the clients, the run of a story and its picture. What the first
/// minute does not run comes after it ([`split`]). A change of a few lines may weigh 1000 more or less than its own
/// bytes, for the order of functions is a good one and not the best, and two walks do not see quite the same.
const GATE_GZIP_BYTES: u64 = 180_000;

/// What comes after that, for the lab, in gzip bytes.
const GATE_SECOND_GZIP_BYTES: u64 = 180_000;

/// What wasm-opt does beside its passes for size, for gzip's sake: a function that has one caller stays by itself,
/// control flow is written anew first, and alignments, which engines ignore, are left out. What occurs several times
/// is not made one, in a function or of several: gzip does that for less. Nothing lives in the first 1024 bytes: rustc
/// puts the stack there, which grows down.
const SHRINKING: [&str; 10] = [
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--dealign",
    "--low-memory-unused",
    "--always-inline-max-function-size=4",
    "--one-caller-inline-max-function-size=1",
    "--skip-pass=local-cse",
    "--skip-pass=merge-similar-functions",
];

/// The first time, wasm-opt puts the functions that are called most in front, and keeps names.
const TO_COMPARE: [&str; 2] = ["--reorder-functions", "--debuginfo"];

/// The second time, their names are their order.
const TO_SHIP: [&str; 3] =
    ["--reorder-functions-by-name", "--minify-imports-and-exports-and-modules", "--debuginfo"];

/// Numbers below this one take one byte in wasm; so the functions that are called most get them.
const SHORT_NUMBERS: usize = 128;

/// The one style sheet of the built page.
const STYLE: &str = "lockstep.css";

/// Builds `dist/`, prints its weight and fails if a visit would cost more than the gates allow. Without a browser to
/// see what the first minute needs, the wasm stays in one piece, which works as well and has no gate.
pub fn site() -> Outcome {
    let started = Instant::now();
    let dist = root().join("dist");
    trunk_build(&dist)?;
    let names = shrink(&dist)?;
    tidy(&dist)?;
    match system::for_a_browser() {
        Ok(()) => split::site(&dist, &names, &linked()?)?,
        Err(sentence) => println!(
            "{sentence}\nWithout it the wasm stays in one piece: the site works, and its first visit loads all of it."
        ),
    }
    stamp(&dist)?;
    println!(
        "The site is in dist/ after {} s. Any static host can serve it, under any path.",
        seconds(started)
    );
    weigh(&dist)
}

/// The wasm as the linker has made it.
fn linked() -> Outcome<Vec<u8>> {
    let path = tools::target()?.join("wasm32-unknown-unknown/release/lockstep.wasm");
    fs::read(&path).map_err(|error| could_not("read", &path, &error))
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
    // Cargo joins this with the flags in .cargo/config.toml.
    if let Some(flags) = tools::sources().ok().and_then(|folders| cutting(&folders)) {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    }
    Ok(command)
}

/// What makes rustc name a dependency's file from its package on: messages of panics hold it, and where somebody
/// keeps it is only weight.
fn cutting(folders: &[PathBuf]) -> Option<String> {
    let names = folders.iter().filter_map(|folder| folder.to_str());
    // Spaces part the flags, so what has one in it stays as it is.
    let names = names.filter(|name| !name.contains(char::is_whitespace));
    let flags: Vec<String> = names.map(|name| format!("--remap-path-prefix={name}=")).collect();
    (!flags.is_empty()).then(|| flags.join(" "))
}

fn folder_of(program: &Path) -> &Path {
    program.parent().unwrap_or(program)
}

/// Shrinks the wasm with what nobody reaches left out, and gives its imports and exports short names; in the glue too.
/// Returns the linker's names of the functions that are left, as far as they are known.
fn shrink(dist: &Path) -> Outcome<BTreeMap<u32, String>> {
    let (wasm, glue) = (dist.join("lockstep_bg.wasm"), dist.join("lockstep.js"));
    let bytes = fs::read(&wasm).map_err(|error| could_not("read", &wasm, &error))?;
    let script = read(&glue)?;
    let reached = lighten::reached(&script)?;
    let mut module = Module::read(&bytes)?;
    module.keep_exports(|name| lighten::asks_for(&reached, name))?;
    module.forget_relocations();
    let linked_names = module.names()?;
    let order = order(&mut module, &wasm)?;
    let (mut module, names) = wasm_opt(&module, &wasm, &TO_SHIP)?;
    let left = module.names()?.into_iter().filter_map(|(number, name)| {
        let before = order.get(&name)?;
        Some((number as u32, linked_names.get(before)?.clone()))
    });
    let left = left.collect();
    module.strip();
    let script = lighten::reached(&lighten::without_idle_imports(&script, &names))?;
    write(&glue, &lighten::renamed(&script, &names)?)?;
    fs::write(&wasm, module.written()).map_err(|error| could_not("write", &wasm, &error))?;
    println!("wasm-opt: {} bytes became {}.", bytes.len(), size_of(&wasm)?);
    Ok(left)
}

/// Names the functions so that their names, sorted, put alike ones together. Whether they are alike is seen only when
/// they are shrunk, so that happens twice. Returns which function each new name is for, by its number.
fn order(module: &mut Module, wasm: &Path) -> Outcome<BTreeMap<String, usize>> {
    let imported = module.imported()?;
    let numbers = imported..imported + module.bodies()?.len();
    let mut names: BTreeMap<usize, String> = numbers.map(|number| (number, number.to_string())).collect();
    module.set_names(&names);
    let (shrunk, _) = wasm_opt(module, wasm, &TO_COMPARE)?;
    let (imported, numbers) = (shrunk.imported()?, shrunk.names()?);
    let order = order::by_likeness(&shrunk.bodies()?, SHORT_NUMBERS.saturating_sub(imported));
    for (place, body) in order.into_iter().enumerate() {
        // A function that wasm-opt has made itself has no name, and comes last.
        if let Some(number) = numbers.get(&(imported + body)).and_then(|name| name.parse().ok()) {
            names.insert(number, format!("a{place:05}"));
        }
    }
    module.set_names(&names);
    Ok(names.into_iter().map(|(number, name)| (name, number)).collect())
}

/// What wasm-opt makes of a module, and what it prints. It works in the place where the built one lies.
fn wasm_opt(module: &Module, wasm: &Path, options: &[&str]) -> Outcome<(Module, String)> {
    let script = tools::wasm_opt()?;
    let node = on_path("node").ok_or(
        "wasm-opt runs in Node.js, which is not installed. Install Node.js 18 or newer, then try again.",
    )?;
    fs::write(wasm, module.written()).map_err(|error| could_not("write", wasm, &error))?;
    let mut command = Command::new(node);
    command.arg(script).args(SHRINKING).args(options).arg(wasm).arg("-o").arg(wasm);
    let ran = command.stderr(Stdio::inherit()).output();
    let ran = ran.map_err(|error| format!("Node.js could not be started: {error}."))?;
    if !ran.status.success() {
        return Err("wasm-opt could not read what rustc made; what it says is above.".to_string());
    }
    let smaller = fs::read(wasm).map_err(|error| could_not("read", wasm, &error))?;
    Ok((Module::read(&smaller)?, String::from_utf8_lossy(&ran.stdout).into_owned()))
}

/// Makes one style sheet of several, and leaves out what only people read.
fn tidy(dist: &Path) -> Outcome {
    let index = dist.join("index.html");
    let (html, names) = lighten::one_style_sheet(&read(&index)?, STYLE);
    let mut styles = String::new();
    for path in names.iter().map(|name| dist.join(name)) {
        styles.push_str(&lighten::style(&read(&path)?));
        fs::remove_file(&path).map_err(|error| could_not("remove", &path, &error))?;
    }
    write(&dist.join(STYLE), &styles)?;
    write(&index, &html)?;
    for path in ["boot.js", "lockstep.js"].map(|name| dist.join(name)) {
        write(&path, &lighten::script(&read(&path)?))?;
    }
    Ok(())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| could_not("read", path, &error))
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| could_not("write", path, &error))
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
    let mut first_load = BTreeMap::new();
    let mut total = (0, 0);
    let mut second = None;
    println!("\n{:>10} {:>10}  file", "raw", "gzip");
    for path in files_under(dist)? {
        let name = path.strip_prefix(dist).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&path).map_err(|error| could_not("read", &path, &error))?;
        let (raw, gzip) = (bytes.len() as u64, gzip_size(&bytes));
        let when = if name == "index.html" || html.contains(&format!("\"./{name}")) {
            first_load.insert(name.clone(), gzip);
            total = (total.0 + raw, total.1 + gzip);
            ""
        } else if name == split::SECOND {
            second = Some(gzip);
            "  (after the start)"
        } else {
            "  (on demand)"
        };
        println!("{raw:>10} {gzip:>10}  {name}{when}");
    }
    println!("{:>10} {:>10}  first load, of at most {GATE_GZIP_BYTES} gzip bytes", total.0, total.1);
    let Some(second) = second else {
        println!("There is no second part to weigh, so this is not gated.");
        return Ok(());
    };
    println!("{:>10} {second:>10}  after it, of at most {GATE_SECOND_GZIP_BYTES} gzip bytes", "");
    let heaviest = first_load.iter().max_by_key(|(_, gzip)| **gzip).map_or("", |(name, _)| name.as_str());
    light_enough("The first load", total.1, GATE_GZIP_BYTES, heaviest)?;
    light_enough("What comes after it", second, GATE_SECOND_GZIP_BYTES, split::SECOND)
}

fn light_enough(what: &str, gzip: u64, gate: u64, heaviest: &str) -> Outcome {
    if gzip <= gate {
        return Ok(());
    }
    Err(format!(
        "{what} weighs {gzip} gzip bytes and the gate is {gate}. Make it lighter ({heaviest} is the heaviest file), \
         load something on demand, or raise the gate in xtask/src/build.rs and say why."
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

fn size_of(path: &Path) -> Outcome<u64> {
    Ok(fs::metadata(path).map_err(|error| could_not("read", path, &error))?.len())
}

fn could_not(verb: &str, path: &Path, error: &std::io::Error) -> String {
    format!("Could not {verb} {}: {error}.", path.display())
}

fn seconds(started: Instant) -> u64 {
    started.elapsed().as_secs()
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
    fn folders_of_sources_are_cut_unless_a_space_is_in_them() {
        let folders = ["/a/src/x-1", "/b c/src/x-1", "/a/src/y-2"].map(PathBuf::from);
        let flags = "--remap-path-prefix=/a/src/x-1= --remap-path-prefix=/a/src/y-2=";
        assert_eq!(cutting(&folders).as_deref(), Some(flags));
        assert_eq!(cutting(&[]), None);
    }

    #[test]
    fn what_weighs_more_than_its_gate_is_refused_by_name() {
        assert_eq!(light_enough("It", 10, 10, "a.wasm"), Ok(()));
        let sentence = light_enough("It", 11, 10, "a.wasm").unwrap_err();
        assert!(sentence.starts_with("It weighs 11 gzip bytes and the gate is 10."), "{sentence}");
    }

    #[test]
    fn the_same_bytes_weigh_less_when_packed() {
        assert!(gzip_size(&[7; 10_000]) < 100);
    }
}
