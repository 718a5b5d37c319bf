//! Which functions a first visit runs: a copy of the site marks each function that it enters, and a real browser walks
//! through the whole first minute on it (tests/e2e/src/bin/walk.rs).

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, Instruction, MemArg, MemArgTarget, Module};
use wasmparser::{ExternalKind, FunctionBody};

use super::parts::{Parts, unreadable};
use super::{GLUE, WASM};
use crate::Outcome;
use crate::process::{cargo, root};

/// The size of a page of wasm memory, in bytes.
const PAGE: u64 = 65_536;

/// The functions that are entered in the first minute of the site in `dist`.
pub fn entered(dist: &Path, wasm: &[u8]) -> Outcome<BTreeSet<u32>> {
    let site = root().join("target/walk");
    let could_not = |error| format!("{} could not be filled: {error}.", site.display());
    let _ = fs::remove_dir_all(&site);
    fs::create_dir_all(&site).map_err(could_not)?;
    for entry in fs::read_dir(dist).map_err(could_not)? {
        let path = entry.map_err(could_not)?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, site.join(name)).map_err(could_not)?;
        }
    }
    let parts = Parts::of(wasm)?;
    let memory = parts.exports.iter().find(|export| export.kind == ExternalKind::Memory);
    let memory = memory.ok_or("The wasm does not export its memory.")?.name;
    let (start, count) = (parts.memory.initial * PAGE, parts.bodies.len());
    fs::write(site.join(WASM), marking(wasm)?).map_err(could_not)?;
    let glue = fs::read_to_string(site.join(GLUE)).map_err(could_not)?;
    let asked = format!(
        "globalThis.entered = () => [...new Uint8Array(wasm.{memory}.buffer, {start}, {count})]\n\
         .flatMap((mark, number) => (mark === 0 ? [] : [number]));\n"
    );
    fs::write(site.join(GLUE), glue + &asked).map_err(could_not)?;
    // Without a version, boot.js listens to Trunk.
    let html = fs::read_to_string(site.join("index.html")).map_err(could_not)?;
    fs::write(site.join("index.html"), html.replace("./boot.js\"", "./boot.js?v=walk\""))
        .map_err(could_not)?;
    let output = cargo()
        .args(["run", "--quiet", "--package", "lockstep-e2e", "--bin", "walk"])
        .env("LOCKSTEP_DIST", &site)
        .env_remove("LOCKSTEP_SITE")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("The first minute could not be walked: {error}."))?;
    let _ = fs::remove_dir_all(&site);
    let numbers = String::from_utf8_lossy(&output.stdout);
    let numbers: BTreeSet<u32> =
        numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    if !output.status.success() || numbers.is_empty() {
        return Err(
            "The first minute could not be walked in a browser; what went wrong is above.".to_string()
        );
    }
    Ok(numbers.into_iter().map(|number| number + parts.imported()).collect())
}

/// The module with a store at the beginning of each function: a mark in a page of memory that nobody else has, for
/// what allocates asks for more memory than there was at first.
fn marking(wasm: &[u8]) -> Outcome<Vec<u8>> {
    let mut marking = Marking { start: 0, next: 0 };
    let mut module = Module::new();
    marking.parse_core_module(&mut module, wasmparser::Parser::new(0), wasm).map_err(unreadable)?;
    Ok(module.finish())
}

struct Marking {
    /// Where the marks are.
    start: u64,
    /// The number of the next body, among the bodies.
    next: u64,
}

impl Reencode for Marking {
    type Error = Infallible;

    fn memory_type(
        &mut self,
        memory: wasmparser::MemoryType,
    ) -> Result<wasm_encoder::MemoryType, reencode::Error<Infallible>> {
        self.start = memory.initial * PAGE;
        let mut memory = reencode::utils::memory_type(self, memory);
        memory.minimum += 1;
        Ok(memory)
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), reencode::Error<Infallible>> {
        let mut out = self.new_function_with_parsed_locals(&body)?;
        out.instruction(&Instruction::I32Const((self.start + self.next) as i32));
        out.instruction(&Instruction::I32Const(1));
        out.instruction(&Instruction::I32Store8(MemArg {
            offset: 0,
            align: 0,
            target: MemArgTarget::Memory(0),
            ordering: None,
        }));
        self.next += 1;
        for instruction in body.get_operators_reader()? {
            out.instruction(&self.instruction(instruction?)?);
        }
        code.function(&out);
        Ok(())
    }
}
