//! The `lockstep` command line on the host; the page on wasm32.

#[cfg(not(target_arch = "wasm32"))]
mod cli;
#[cfg(target_arch = "wasm32")]
mod panic_panel;

#[cfg(target_arch = "wasm32")]
fn main() {
    panic_panel::install();
    lockstep::ui::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::main()
}
