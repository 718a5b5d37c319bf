//! `cargo xtask`: builds, serves, tests and photographs Lockstep.
//!
//! Each command brings the tools it needs (see [`tools`] and [`system`]) and says what it does and how long that
//! may last. Whatever goes wrong is told as sentences: what happened, and what to do.

mod build;
mod process;
mod serve;
mod shots;
mod speed;
mod system;
mod test;
mod tools;

use std::process::ExitCode;

/// A result whose error is a sentence for the person at the keyboard.
type Outcome<T = ()> = Result<T, String>;

const HELP: &str = "\
cargo xtask serve [--no-open] [--port N]  builds the page, serves it on 127.0.0.1 and opens the browser
cargo xtask build                         builds the site for any static host into dist/
cargo xtask test                          runs every check and every test
cargo xtask shots [--no-build] [--route R] [--size WxH] [--lang en|zh] [--theme light|dark|contrast]
                                          takes screenshots into shots/
cargo xtask speed [--no-build]            prints what the page weighs and how long Chromium works for a step
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(sentence) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Outcome<ExitCode> {
    let Some((command, options)) = arguments.split_first() else {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    match command.as_str() {
        "serve" => serve::run(options)?,
        "build" => {
            no_options(command, options)?;
            build::site()?;
        }
        "test" => {
            no_options(command, options)?;
            return Ok(test::run_all());
        }
        "shots" => shots::run_with(options)?,
        "speed" => speed::run_with(options)?,
        "help" | "--help" | "-h" => print!("{HELP}"),
        other => return Err(format!("There is no command `{other}`. These exist:\n\n{HELP}")),
    }
    Ok(ExitCode::SUCCESS)
}

fn no_options(command: &str, options: &[String]) -> Outcome {
    match options {
        [] => Ok(()),
        [first, ..] => {
            Err(format!("`{command}` takes no options, but got `{first}`. See `cargo xtask help`."))
        }
    }
}
