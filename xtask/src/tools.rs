//! The tools that come from package registries, each at one version, built once per person and kept by version.
//!
//! A right version on PATH is used as it is. Otherwise the tool goes into the cache folder, which is
//! `$LOCKSTEP_CACHE`, or `$XDG_CACHE_HOME/lockstep`, or `~/.cache/lockstep`; a fresh clone finds it there again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::Outcome;
use crate::process::{cargo, on_path, output_of, root, run};

/// The newest Trunk that this project's Rust version can build.
const TRUNK: &str = "0.21.14";
/// Debian's wasm-opt is too old for what rustc emits; npm's runs wherever Node.js does.
const BINARYEN: &str = "132.0.0";
/// The accessibility rules that the browser tests apply.
const AXE: &str = "4.14.1";

/// The program `trunk`.
pub fn trunk() -> Outcome<PathBuf> {
    crate_program(
        "trunk",
        "trunk",
        TRUNK,
        &["--locked", "--no-default-features", "--features", "rustls"],
        "2 to 6 minutes",
    )
}

/// The program `wasm-bindgen`, at the version that Cargo.lock names: another one refuses to work.
pub fn wasm_bindgen() -> Outcome<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    crate_program("wasm-bindgen", "wasm-bindgen-cli", &version, &[], "1 or 2 minutes")
}

/// Binaryen's `wasm-opt`, as a script for Node.js.
pub fn wasm_opt() -> Outcome<PathBuf> {
    npm_file("binaryen", BINARYEN, "bin/wasm-opt")
}

/// The source of axe-core.
pub fn axe() -> Outcome<PathBuf> {
    npm_file("axe-core", AXE, "axe.min.js")
}

/// Adds the target wasm32-unknown-unknown to the Rust toolchain if it is missing.
pub fn wasm_target() -> Outcome {
    let sysroot = output_of("rustc", &["--print", "sysroot"])
        .ok_or("rustc does not answer. Install Rust from https://rustup.rs, then run this again.")?;
    if Path::new(&sysroot).join("lib/rustlib/wasm32-unknown-unknown/lib").is_dir() {
        return Ok(());
    }
    println!("Adding the target wasm32-unknown-unknown to the Rust toolchain (some 20 MB) ...");
    run(Command::new("rustup").args(["target", "add", "wasm32-unknown-unknown"]).current_dir(root())).map_err(
        |error| {
            format!("{error} The page needs this target: `rustup target add wasm32-unknown-unknown` adds it.")
        },
    )
}

/// Brings the sources of all dependencies, so that Trunk can work offline and never downloads tools of its own.
pub fn dependencies() -> Outcome {
    run(cargo().args(["fetch", "--quiet"])).map_err(|error| {
        format!("{error} The sources of the dependencies could not be fetched; check the connection and try again.")
    })
}

/// The folder that holds everything a clone can share with the next one.
pub fn cache() -> Outcome<PathBuf> {
    set("LOCKSTEP_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("lockstep")))
        .or_else(|| home().map(|home| home.join(".cache/lockstep")))
        .ok_or_else(|| {
            "There is no home folder to keep tools in. Set LOCKSTEP_CACHE to a folder.".to_string()
        })
}

fn home() -> Option<PathBuf> {
    set("HOME").or_else(|| set("USERPROFILE"))
}

/// A folder that a variable names.
fn set(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn crate_program(
    name: &str,
    package: &str,
    version: &str,
    options: &[&str],
    lasts: &str,
) -> Outcome<PathBuf> {
    let is_right = |program: &Path| {
        output_of(program, &["--version"])
            .is_some_and(|line| line.split_whitespace().any(|word| word == version))
    };
    if let Some(program) = on_path(name).filter(|program| is_right(program)) {
        return Ok(program);
    }
    let folder = cache()?.join("tools").join(format!("{name}-{version}"));
    let program = folder.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if is_right(&program) {
        return Ok(program);
    }
    println!("Building {package} {version} into {} ...", folder.display());
    println!("This takes {lasts} on two cores, and happens once for each version.");
    let started = Instant::now();
    let scratch = cache()?.join(format!("build-{name}-{version}-{}", std::process::id()));
    let built = run(cargo()
        .args(["install", package, "--version", version, "--quiet", "--force", "--root"])
        .arg(&folder)
        .args(options)
        // Their own release profiles optimise for minutes; these tools are idle most of the time.
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_TARGET_DIR", &scratch)
        .env_remove("RUSTFLAGS"));
    let _ = fs::remove_dir_all(&scratch);
    built.map_err(|error| {
        format!(
            "{error} {package} {version} could not be built. What it printed is above; a {name} {version} \
             on PATH would be used instead."
        )
    })?;
    println!("{package} {version} is ready after {} s.", started.elapsed().as_secs());
    Ok(program)
}

fn npm_file(package: &str, version: &str, file: &str) -> Outcome<PathBuf> {
    let folder = cache()?.join("tools").join(format!("{package}-{version}"));
    let path = folder.join("node_modules").join(package).join(file);
    if path.is_file() {
        return Ok(path);
    }
    let npm = on_path("npm").or_else(|| on_path("npm.cmd")).ok_or_else(|| {
        format!(
            "{package} comes from npm, and npm is not installed. Install Node.js 18 or newer, then try again."
        )
    })?;
    println!("Fetching {package} {version} from npm into {} (a few seconds) ...", folder.display());
    fs::create_dir_all(&folder)
        .map_err(|error| format!("{} could not be made: {error}. Set LOCKSTEP_CACHE.", folder.display()))?;
    run(Command::new(npm)
        .args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
        .arg(&folder)
        .arg(format!("{package}@{version}")))
    .map_err(|error| {
        format!("{error} {package} could not be fetched; check the connection and try again.")
    })?;
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{package} {version} has no file {file}. Has its layout changed?"))
    }
}

/// The version of a package in Cargo.lock.
fn locked_version(package: &str) -> Outcome<String> {
    let path = root().join("Cargo.lock");
    let lock = fs::read_to_string(&path)
        .map_err(|error| format!("{} cannot be read: {error}. `cargo fetch` makes it.", path.display()))?;
    version_in(&lock, package)
        .ok_or_else(|| format!("Cargo.lock does not name {package}. Run `cargo fetch`."))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    Some(lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_version_of_wasm_bindgen() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \
                    \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "leptos"), None);
    }
}
