//! The `lockstep` command line on the host; the page on wasm32.

#[cfg(target_arch = "wasm32")]
mod panic_panel;

#[cfg(target_arch = "wasm32")]
fn main() {
    panic_panel::install();
    lockstep::ui::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let code = match args.split_first() {
        Some((command, files)) if command == "conform" => {
            lockstep::conform::run(files, &mut std::io::stdout().lock())
        }
        Some(_) | None => {
            eprintln!("usage: lockstep conform FILE...");
            2
        }
    };
    std::process::exit(code);
}
