//! What the manifests may say: web crates for the browser alone, and one version of wasm-bindgen.

use std::fs;

use crate::rooms::WEB_CRATES;

/// The web crates that a manifest names for more than wasm32.
fn web_dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut complaints = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        let Some((name, _)) = line.split_once('=') else { continue };
        let name = name.trim().replace('-', "_");
        let web = WEB_CRATES.contains(&name.as_str()) || name == "console_error_panic_hook";
        if web && section.contains("dependencies") && !section.contains("cfg(target_arch = \"wasm32\")") {
            complaints.push(format!("{name} in {section}"));
        }
    }
    complaints
}

#[test]
fn the_web_crates_are_dependencies_of_wasm32_alone() {
    assert_eq!(web_dependencies(&fs::read_to_string("Cargo.toml").unwrap()), [""; 0]);
    assert_eq!(web_dependencies("[dependencies]\nserde = \"1\"\nleptos = \"0.8\"\n").len(), 1);
    let host = "[target.'cfg(not(target_arch = \"wasm32\"))'.dependencies]\nweb-sys = \"0.3\"";
    assert_eq!(web_dependencies(host).len(), 1);
}

#[test]
fn wasm_bindgen_s_program_has_the_version_of_the_lock_file() {
    let lock = fs::read_to_string("Cargo.lock").unwrap();
    let versions = lock.match_indices("name = \"wasm-bindgen\"\n").count();
    assert_eq!(versions, 1, "one wasm-bindgen");
    // There is no second place to keep in step: the tools read the lock file.
    let tools = fs::read_to_string("xtask/src/tools.rs").unwrap();
    assert!(tools.contains("locked_version(\"wasm-bindgen\")"));
    let trunk = fs::read_to_string("Trunk.toml").unwrap();
    assert!(
        !trunk.lines().any(|line| line.trim_start().starts_with("wasm_bindgen")),
        "a version in Trunk.toml"
    );
}
