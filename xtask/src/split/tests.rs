//! A small module is split by hand, and both parts are run in Node.js, as a browser would.

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::Command;

use wasmparser::Validator;

use super::halves::{Halves, halves};
use super::parts::Parts;

/// Functions: 0 is the browser's, 1 is exported, 2 helps it, 3 and 4 are what may come later; 4 is in the table.
const WHOLE: &str = r#"(module
  (import "a" "print" (func $print (param i32)))
  (memory (export "memory") 1)
  (global $count (export "count") (mut i32) (i32.const 0))
  (table 3 3 funcref)
  (elem (i32.const 1) $in_table $helps)
  (data (i32.const 1024) "\07")
  (data (i32.const 2048) "\05\00\00\06")
  (func $run (export "run") (param i32) (result i32)
    (i32.add
      (call $later (local.get 0) (i32.load8_u (i32.const 1024)))
      (call_indirect (param i32) (result i32) (local.get 0) (i32.const 1))))
  (func $helps (param i32) (result i32)
    (call $print (local.get 0))
    (i32.add (local.get 0) (i32.const 1)))
  (func $later (param i32 i32) (result i32)
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (call $print (i32.load8_u (i32.const 2051)))
    (i32.mul (call $helps (local.get 0)) (local.get 1)))
  (func $in_table (param i32) (result i32)
    (i32.add
      (call_indirect (param i32) (result i32) (local.get 0) (i32.const 2))
      (i32.load8_u (i32.const 2048)))))"#;

/// Runs `run(3)` twice, and prints what it printed, what it returned, how often the second part was asked for, and
/// what stood at 2048 before.
const HOST: &str = r#"
const [first, second] = process.argv.slice(1).map((bytes) => new WebAssembly.Module(Buffer.from(bytes, "hex")));
const said = [];
const a = { print: (number) => said.push(number) };
let loads = 0, exports;
const load = () => { loads += 1; new WebAssembly.Instance(second, { a, b: exports }); };
exports = new WebAssembly.Instance(first, { a, b: { load } }).exports;
const before = new Uint8Array(exports.memory.buffer)[2048];
const results = [exports.run(3), exports.run(3)];
console.log(JSON.stringify({ said, results, loads, count: exports.count.value, before }));
"#;

fn split(hot: &[u32], cold: &[Range<u32>]) -> Halves {
    split_as("one", hot, cold)
}

fn split_as(version: &str, hot: &[u32], cold: &[Range<u32>]) -> Halves {
    let whole = wat::parse_str(WHOLE).unwrap();
    let hot: BTreeSet<u32> = hot.iter().copied().collect();
    let halves = halves(&Parts::of(&whole).unwrap(), &hot, cold, version).unwrap();
    for half in [&halves.first, &halves.second] {
        Validator::new().validate_all(half).unwrap();
    }
    halves
}

fn run(halves: &Halves) -> String {
    try_to_run(halves).unwrap_or_else(|fault| panic!("{fault}"))
}

/// What Node.js prints, or why it failed.
fn try_to_run(halves: &Halves) -> Result<String, String> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let output = Command::new("node")
        .args(["--eval", HOST, &hex(&halves.first), &hex(&halves.second)])
        .output()
        .expect("Node.js runs");
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    if output.status.success() { Ok(words(&output.stdout)) } else { Err(words(&output.stderr)) }
}

fn told(loads: u32, before: u32) -> String {
    format!(
        "{{\"said\":[6,3,3,6,3,3],\"results\":[37,37],\"loads\":{loads},\"count\":2,\"before\":{before}}}"
    )
}

#[test]
fn what_is_later_is_loaded_when_it_is_called_first_and_the_rest_is_as_it_was() {
    // All three ways lead over the border: a call, a slot of the table, and back.
    assert_eq!(run(&split(&[1, 2], &[2048..2049, 2051..2052])), told(1, 0));
    // Only the table leads there, or only a call does.
    assert_eq!(run(&split(&[1, 2, 3], &[])), told(1, 5));
    assert_eq!(run(&split(&[1, 2, 4], &[])), told(1, 5));
    // What is exported comes first, whether it was seen or not; what helps it may come later.
    assert_eq!(run(&split(&[], &[2048..2049, 2049..2052])), told(1, 0));
    // All of it was seen.
    assert_eq!(run(&split(&[1, 2, 3, 4], &[])), told(0, 5));
}

#[test]
fn the_first_part_has_neither_the_bodies_nor_the_data_of_the_second() {
    let halves = split(&[1, 2], &[2051..2052, 2048..2051]);
    let first = Parts::of(&halves.first).unwrap();
    // Two stand-ins: one in a new slot for the call, one in the old slot.
    assert_eq!((first.bodies.len(), first.tables[0].initial), (4, 4));
    assert_eq!(first.slots.iter().map(|(slot, _)| *slot).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((first.memory_at(2048..2052), first.memory_at(1024..1025)), (vec![0; 4], vec![7]));
    let holds = |half: &[u8], data: &[u8]| half.windows(data.len()).any(|window| window == data);
    assert!(holds(&halves.second, b"\x05\x00\x00\x06") && !holds(&halves.first, b"\x05\x00\x00\x06"));
}

#[test]
fn parts_of_two_builds_do_not_work_together() {
    let (old, new) = (split_as("old", &[1, 2], &[]), split_as("new", &[1, 2], &[]));
    let fault = try_to_run(&Halves { first: old.first, second: new.second }).unwrap_err();
    assert!(fault.contains("LinkError"), "{fault}");
}

#[test]
fn a_module_that_is_not_known_through_and_through_is_refused() {
    for strange in [
        "(module (memory 1) (memory 1))",
        "(module (memory (import \"a\" \"m\") 1))",
        "(module (memory 1) (data \"later\"))",
        "(module (table 1 funcref) (func $f) (elem declare func $f))",
    ] {
        let bytes = wat::parse_str(strange).unwrap();
        assert!(Parts::of(&bytes).is_err(), "{strange}");
    }
}
