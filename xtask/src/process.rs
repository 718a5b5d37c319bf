//! Running other programs: where the project is, finding a program on PATH, and exit codes as sentences.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Cargo, as the one that runs this program; in the folder of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// Runs a program to its end, with its output shown.
pub fn run(command: &mut Command) -> Outcome {
    let name = name_of(command);
    let status = command.status().map_err(|error| format!("`{name}` could not be started: {error}."))?;
    if status.success() { Ok(()) } else { Err(format!("`{name}` failed ({status}).")) }
}

/// Runs a program to its end, shows its output and hands each line of it to `look`.
pub fn run_and_read(command: &mut Command, mut look: impl FnMut(&str)) -> Outcome {
    let name = name_of(command);
    let could_not = |error| format!("`{name}` could not be started: {error}.");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(could_not)?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let Ok(line) = line else { break };
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            look(&line);
        }
    }
    let status = child.wait().map_err(could_not)?;
    if status.success() { Ok(()) } else { Err(format!("`{name}` failed ({status}).")) }
}

/// What a program prints, if it can be started and succeeds.
pub fn output_of(program: impl AsRef<Path>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program.as_ref()).args(arguments).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The first program of that name on PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

/// PATH with these folders in front.
pub fn path_with(folders: &[&Path]) -> Outcome<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|folder| folder.to_path_buf()).chain(env::split_paths(&old));
    env::join_paths(all).map_err(|error| format!("PATH could not be extended: {error}."))
}

fn name_of(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    let words = words.filter(|word| !word.starts_with('-')).take(2);
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}
