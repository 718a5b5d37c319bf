//! Splits the wasm in two, so that a first visit loads what its first minute runs, and the rest a moment later.
//!
//! It is done to the finished module, by what a browser was seen to run ([`walk`]), so no line of the page's own code
//! needs to know. What was not seen works all the same: the first part then loads the second at once, however it comes
//! there ([`halves`] and `second.js`). Constant data goes the same way ([`needs`]): what the functions of the first
//! part refer to, whether they were seen to read it or not, comes first.

mod halves;
mod needs;
mod parts;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::Hasher;
use std::path::Path;

use siphasher::sip::SipHasher13;
use wasmparser::Operator;

use crate::{Outcome, lighten};
use needs::Needs;
use parts::{Parts, instructions};

/// The wasm as Trunk names it; it becomes the first part.
pub const WASM: &str = "lockstep_bg.wasm";
/// The second part.
pub const SECOND: &str = "lockstep_second.wasm";
/// The glue of wasm-bindgen.
pub const GLUE: &str = "lockstep.js";

/// What is appended to the glue.
const LOADING: &str = include_str!("second.js");

/// Functions that come first though they may not be seen: how memory is found differs from visit to visit.
const ALWAYS: [&str; 3] = ["dlmalloc", "__rust_", "__rdl_"];

/// The functions that wasm-bindgen adds are no larger than this. They hand values on and have no data of their own; all
/// others are the linker's, which says what data they have.
const SHIM_BYTES: u64 = 100;

/// Splits the wasm of the site in `dist`. `names` are the linker's names of its functions, as far as they are known;
/// `linked` is the module as the linker made it.
pub fn site(dist: &Path, names: &BTreeMap<u32, String>, linked: &[u8]) -> Outcome {
    println!(
        "Walking through the first minute, to see what it needs (half a minute, and some minutes the first time) ..."
    );
    let wasm = fs::read(dist.join(WASM)).map_err(|error| format!("{WASM} cannot be read: {error}."))?;
    let parts = Parts::of(&wasm)?;
    let mut hot = walk::entered(dist, &wasm)?;
    hot.extend(parts.named());
    hot.extend(allocator(names)?);
    unmoved(&Parts::of(linked)?, &parts)?;
    let needs = Needs::read(linked)?;
    known(&hot, &parts, names, &needs)?;
    let numbers = numbers_in(&hot, &parts, names, &needs)?;
    let hot_names = hot.iter().filter_map(|function| names.get(function)).map(String::as_str).collect();
    let cold = needs.idle(&hot_names, &numbers);
    let halves = halves::halves(&parts, &hot, &cold, &version(&wasm, &hot))?;
    let glue =
        fs::read_to_string(dist.join(GLUE)).map_err(|error| format!("{GLUE} cannot be read: {error}."))?;
    let glue = lighten::with_second(&glue, &lighten::script(LOADING), halves::OTHER, halves::LOAD)?;
    for (name, bytes) in [(WASM, &halves.first[..]), (SECOND, &halves.second[..]), (GLUE, glue.as_bytes())] {
        fs::write(dist.join(name), bytes).map_err(|error| format!("{name} cannot be written: {error}."))?;
    }
    println!(
        "The first minute enters {} of {} functions; {} bytes of constant data come later.",
        hot.len(),
        parts.bodies.len(),
        cold.iter().map(|stretch| stretch.len()).sum::<usize>()
    );
    Ok(())
}

/// The functions of [`ALWAYS`].
fn allocator(names: &BTreeMap<u32, String>) -> Outcome<BTreeSet<u32>> {
    let mut found = BTreeSet::new();
    for part in ALWAYS {
        let before = found.len();
        found.extend(names.iter().filter(|(_, name)| name.contains(part)).map(|(function, _)| *function));
        if found.len() == before {
            return Err(format!("No function of the wasm is called `{part}…`. Has the allocator changed?"));
        }
    }
    Ok(found)
}

/// A name for what this split makes of this module.
fn version(wasm: &[u8], hot: &BTreeSet<u32>) -> String {
    let mut hash = SipHasher13::new();
    hash.write(wasm);
    hot.iter().for_each(|function| hash.write_u32(*function));
    format!("{:016x}", hash.finish())
}

/// Constant data stays where the linker has put it, as it is. If that were not so, what the relocations say would
/// not be about this module.
fn unmoved(linked: &Parts<'_>, parts: &Parts<'_>) -> Outcome {
    let end = |parts: &Parts<'_>| parts.data.iter().map(|(start, piece)| start + piece.len() as u32).max();
    let all = 0..end(linked).max(end(parts)).unwrap_or(0);
    match linked.memory_at(all.clone()) == parts.memory_at(all) {
        true => Ok(()),
        false => Err("The data is not where the linker has put it, so it cannot be split.".to_string()),
    }
}

/// The linker must know every function that comes first, or what data it needs would not be known.
fn known(hot: &BTreeSet<u32>, parts: &Parts<'_>, names: &BTreeMap<u32, String>, needs: &Needs) -> Outcome {
    let stranger = hot.iter().find(|function| {
        let size = parts.body(**function).map_or(0, |body| body.range().end - body.range().start);
        size > SHIM_BYTES && !names.get(function).is_some_and(|name| needs.knows(name))
    });
    match stranger {
        None => Ok(()),
        Some(function) => Err(format!(
            "The linker does not know function {function} of the wasm, so what data it needs is not known. Has \
             wasm-bindgen changed?"
        )),
    }
}

/// All numbers in these functions that may be an address.
fn numbers_in(
    functions: &BTreeSet<u32>,
    parts: &Parts<'_>,
    names: &BTreeMap<u32, String>,
    needs: &Needs,
) -> Outcome<BTreeSet<u32>> {
    let mut numbers = BTreeSet::new();
    for function in functions {
        let name = names.get(function).map_or("", String::as_str);
        for instruction in parts.body(*function).into_iter().flat_map(instructions) {
            numbers.extend(constant(&instruction?).filter(|number| !needs.is_plain(name, *number)));
        }
    }
    Ok(numbers)
}

/// The number in an instruction that may be an address.
fn constant(instruction: &Operator<'_>) -> Option<u32> {
    use Operator::*;
    match instruction {
        I32Const { value } => Some(*value as u32),
        I32Load { memarg }
        | I64Load { memarg }
        | F32Load { memarg }
        | F64Load { memarg }
        | I32Load8S { memarg }
        | I32Load8U { memarg }
        | I32Load16S { memarg }
        | I32Load16U { memarg }
        | I64Load8S { memarg }
        | I64Load8U { memarg }
        | I64Load16S { memarg }
        | I64Load16U { memarg }
        | I64Load32S { memarg }
        | I64Load32U { memarg } => Some(memarg.offset as u32),
        _ => None,
    }
}
