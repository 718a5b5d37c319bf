//! Which function needs which piece of the constant data, from the relocations that the linker leaves in the module
//! when it is told `--emit-relocs`: for every place in code and data that holds an address, the symbol it points to.
//!
//! A symbol never moves after linking, and code that works with an address has it from the symbol it belongs to. So
//! what a set of functions can read is what they refer to, and what that refers to, and so on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    KnownCustom, Linking, Operator, Parser, Payload, RelocSectionReader, RelocationEntry, RelocationType,
    SymbolInfo,
};

use super::parts::{Parts, unreadable};
use crate::Outcome;

/// The segment that nothing writes to.
const CONSTANTS: &str = ".rodata";

/// Who refers to what.
pub struct Needs {
    /// The stretches of memory that symbols name.
    symbols: Vec<Range<u32>>,
    /// The symbols that never change.
    constant: BTreeSet<usize>,
    /// The names of all functions.
    known: BTreeSet<String>,
    /// What each function refers to, by its name.
    functions: BTreeMap<String, BTreeSet<usize>>,
    /// What each symbol refers to.
    data: BTreeMap<usize, BTreeSet<usize>>,
    /// Addresses outside of the symbol that they are for, with that symbol: where the function that holds one was
    /// written into another, the address does not say what it is for.
    from_outside: BTreeSet<(u32, usize)>,
    /// Every address that stands in code and is within the symbol that it is for.
    in_code: BTreeSet<u32>,
    /// The numbers in each function that look like addresses of data and are none: no relocation is about them. One
    /// beyond the last character, which stands for no character, is the most frequent.
    plain: BTreeMap<String, BTreeSet<u32>>,
}

/// wasm-opt may have added so much to an address that stands in a body, or taken it away.
const MOVED: u32 = 64;

impl Needs {
    /// Reads what the linker has written.
    ///
    /// # Errors
    ///
    /// A sentence if there are no relocations, or one does not hold what its symbol says.
    pub fn read(linked: &[u8]) -> Outcome<Needs> {
        Reader::of(linked)?.needs()
    }

    /// Whether the linker knew a function of this name.
    pub fn knows(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// Whether a number in the function of this name is one that only looks like an address.
    pub fn is_plain(&self, name: &str, number: u32) -> bool {
        let is_address = || {
            let mut outside = self.from_outside.range((number, 0)..).take_while(|(at, _)| *at == number);
            self.in_code.contains(&number) || outside.next().is_some()
        };
        self.plain.get(name).is_some_and(|plain| plain.contains(&number)) && !is_address()
    }

    /// The stretches of memory that need not be there for the functions with the names `hot`, whose bodies hold these
    /// `numbers`: an address may have come from a function that was written into another.
    pub fn idle(&self, hot: &BTreeSet<&str>, numbers: &BTreeSet<u32>) -> Vec<Range<u32>> {
        let named = hot.iter().filter_map(|name| self.functions.get(*name)).flatten().copied();
        let pointed = |symbol: &usize| numbers.range(self.symbols[*symbol].clone()).next().is_some();
        let mut next: Vec<usize> = named.chain((0..self.symbols.len()).filter(pointed)).collect();
        // A number that is an address of something else is not one that was moved.
        let moved = |number: &u32| !self.in_code.contains(number);
        let near = |at: u32| numbers.range(at.saturating_sub(MOVED)..=at + MOVED);
        let held = |at: u32| numbers.contains(&at) || near(at).any(moved);
        next.extend(self.from_outside.iter().filter(|(at, _)| held(*at)).map(|(_, symbol)| symbol));
        next.extend((0..self.symbols.len()).filter(|symbol| !self.constant.contains(symbol)));
        let mut needed = BTreeSet::new();
        while let Some(symbol) = next.pop() {
            if needed.insert(symbol) {
                next.extend(self.data.get(&symbol).into_iter().flatten());
            }
        }
        // Symbols may lie in one another.
        let kept: Vec<Range<u32>> = needed.iter().map(|symbol| self.symbols[*symbol].clone()).collect();
        let overlaps =
            |idle: &Range<u32>| kept.iter().any(|kept| kept.start < idle.end && idle.start < kept.end);
        let idle = (0..self.symbols.len()).filter(|symbol| !needed.contains(symbol));
        idle.map(|symbol| self.symbols[symbol].clone())
            .filter(|idle| !idle.is_empty() && !overlaps(idle))
            .collect()
    }
}

/// A symbol of the linker's table, as far as it concerns data.
#[derive(Clone, Copy)]
enum Symbol {
    /// The number among those of data.
    Data(usize),
    Other,
}

struct Reader<'a> {
    bytes: &'a [u8],
    parts: Parts<'a>,
    table: Vec<Symbol>,
    symbols: Vec<Range<u32>>,
    constant: BTreeSet<usize>,
    /// The name of each function that is not imported.
    names: BTreeMap<u32, String>,
    /// Where the contents of each section begin.
    sections: Vec<usize>,
    code: usize,
    relocations: Vec<RelocSectionReader<'a>>,
}

impl<'a> Reader<'a> {
    fn of(bytes: &'a [u8]) -> Outcome<Reader<'a>> {
        let mut reader = Reader {
            bytes,
            parts: Parts::of(bytes)?,
            table: Vec::new(),
            symbols: Vec::new(),
            constant: BTreeSet::new(),
            names: BTreeMap::new(),
            sections: Vec::new(),
            code: 0,
            relocations: Vec::new(),
        };
        let mut segments = Vec::new();
        let mut tables = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(unreadable)?;
            if let Some((_, range)) = payload.as_section() {
                reader.sections.push(range.start as usize);
            }
            match payload {
                Payload::CodeSectionStart { unchecked_range, .. } => {
                    reader.code = unchecked_range.start as usize
                }
                Payload::CustomSection(custom) => match custom.as_known() {
                    KnownCustom::Reloc(section) => reader.relocations.push(section),
                    KnownCustom::Linking(linking) => {
                        for part in linking.subsections() {
                            match part.map_err(unreadable)? {
                                Linking::SymbolTable(table) => tables.push(table),
                                Linking::SegmentInfo(info) => {
                                    for segment in info {
                                        segments.push(segment.map_err(unreadable)?.name);
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        for symbol in tables.into_iter().flatten() {
            reader.add_symbol(symbol.map_err(unreadable)?, &segments);
        }
        Ok(reader)
    }

    fn add_symbol(&mut self, symbol: SymbolInfo<'a>, segments: &[&str]) {
        let mut entry = Symbol::Other;
        match symbol {
            SymbolInfo::Data { symbol: Some(symbol), .. } => {
                // Segments are in the order of memory here, as the linker writes them.
                if let Some((start, _)) = self.parts.data.get(symbol.index as usize) {
                    entry = Symbol::Data(self.symbols.len());
                    if segments.get(symbol.index as usize) == Some(&CONSTANTS) {
                        self.constant.insert(self.symbols.len());
                    }
                    let start = start + symbol.offset;
                    self.symbols.push(start..start + symbol.size);
                }
            }
            SymbolInfo::Func { index, name: Some(name), .. } => {
                self.names.insert(index, name.to_string());
            }
            _ => {}
        }
        self.table.push(entry);
    }

    fn needs(self) -> Outcome<Needs> {
        if self.relocations.is_empty() || self.symbols.is_empty() {
            return Err(
                "The linked wasm has no relocations. Is --emit-relocs in .cargo/config.toml?".to_string()
            );
        }
        let mut functions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let mut data: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let (mut from_outside, mut in_code, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut by_start: Vec<usize> = (0..self.symbols.len()).collect();
        by_start.sort_by_key(|symbol| self.symbols[*symbol].start);
        for section in &self.relocations {
            let start = *self.sections.get(section.section_index() as usize).ok_or_else(not_so)?;
            for entry in section.entries() {
                let entry = entry.map_err(unreadable)?;
                let Some(to) = self.pointed(&entry) else { continue };
                let at = start + entry.offset as usize;
                let (held, symbol) = (self.held(&entry, at)?, &self.symbols[to]);
                if i64::from(held) != i64::from(symbol.start) + entry.addend {
                    return Err(not_so());
                }
                if start == self.code {
                    places.insert(at);
                    match (symbol.start..=symbol.end).contains(&held) {
                        true => in_code.insert(held),
                        false => from_outside.insert((held, to)),
                    };
                    functions.entry(self.function_at(at)?).or_default().insert(to);
                } else {
                    let from = self.address(at)?;
                    // Whoever holds the place may follow what stands there.
                    let later = by_start.partition_point(|symbol| self.symbols[*symbol].start <= from);
                    let holders = by_start[..later].iter().rev();
                    let holder = holders.copied().find(|symbol| self.symbols[*symbol].contains(&from));
                    data.entry(holder.ok_or_else(not_so)?).or_default().insert(to);
                }
            }
        }
        let plain = self.plain(&places)?;
        let Reader { symbols, constant, names, .. } = self;
        let known = names.into_values().collect();
        Ok(Needs { symbols, constant, known, functions, data, from_outside, in_code, plain })
    }

    /// The numbers in each function that are within the data, and not in one of these places of relocations.
    fn plain(&self, places: &BTreeSet<usize>) -> Outcome<BTreeMap<String, BTreeSet<u32>>> {
        let start = self.parts.data.first().map_or(0, |(start, _)| *start);
        let end = self.parts.data.last().map_or(0, |(start, piece)| start + piece.len() as u32);
        let mut plain: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for (number, body) in (self.parts.imported()..).zip(&self.parts.bodies) {
            let Some(name) = self.names.get(&number) else { continue };
            let mut reader = body.get_operators_reader().map_err(unreadable)?;
            while !reader.eof() {
                let (instruction, at) = reader.read_with_offset().map_err(unreadable)?;
                if let Operator::I32Const { value } = instruction
                    && (start..end).contains(&(value as u32))
                    // The number stands behind the code of the instruction, which is one byte.
                    && !places.contains(&(at as usize + 1))
                {
                    plain.entry(name.clone()).or_default().insert(value as u32);
                }
            }
        }
        Ok(plain)
    }

    /// The data symbol that a place points to, if it points to data.
    fn pointed(&self, entry: &RelocationEntry) -> Option<usize> {
        use RelocationType::{MemoryAddrI32, MemoryAddrLeb, MemoryAddrSleb};
        match (entry.ty, self.table.get(entry.index as usize)?) {
            (MemoryAddrI32 | MemoryAddrLeb | MemoryAddrSleb, Symbol::Data(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// The number that stands in a place: four bytes in data, five of seven bits each in code.
    fn held(&self, entry: &RelocationEntry, at: usize) -> Outcome<u32> {
        let wide = entry.ty == RelocationType::MemoryAddrI32;
        let (count, bits) = if wide { (4, 8) } else { (5, 7) };
        let bytes = self.bytes.get(at..at + count).ok_or_else(not_so)?;
        let digit = |byte: u8| u64::from(byte) & ((1 << bits) - 1);
        let all = bytes.iter().rev().fold(0_u64, |sum, byte| sum << bits | digit(*byte));
        Ok(all as u32)
    }

    /// The name of the function in whose body a place is.
    fn function_at(&self, at: usize) -> Outcome<String> {
        let place = self.parts.bodies.partition_point(|body| body.range().start as usize <= at);
        let number = place.checked_sub(1).ok_or_else(not_so)? as u32 + self.parts.imported();
        Ok(self.names.get(&number).ok_or_else(not_so)?.clone())
    }

    /// The address in memory of a byte of the module.
    fn address(&self, at: usize) -> Outcome<u32> {
        let begins = |piece: &[u8]| piece.as_ptr() as usize - self.bytes.as_ptr() as usize;
        let holds = |piece: &&(u32, &[u8])| (begins(piece.1)..begins(piece.1) + piece.1.len()).contains(&at);
        let (start, piece) = self.parts.data.iter().find(holds).ok_or_else(not_so)?;
        Ok(start + (at - begins(piece)) as u32)
    }
}

fn not_so() -> String {
    "The relocations of the linked wasm are not as expected. Has the linker changed?".to_string()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::process::root;

    /// `here` reaches NEAR through TABLE, `there` reaches FAR, `writes` has a place that changes.
    const SOURCE: &str = r#"#![no_std]
        use core::sync::atomic::{AtomicU8, Ordering};
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! { loop {} }
        static TABLE: [&[u8; 8]; 2] = [b"near one", b"near two"];
        static FAR: [u8; 8] = *b"far away";
        static CHANGES: AtomicU8 = AtomicU8::new(7);
        #[unsafe(no_mangle)]
        pub extern "C" fn here(at: usize) -> u8 { TABLE[at & 1][at & 7] }
        #[unsafe(no_mangle)]
        pub extern "C" fn there(at: usize) -> u8 { FAR[at & 7] }
        #[unsafe(no_mangle)]
        pub extern "C" fn counts(from: u32) -> u32 { from ^ 0x10_0001 }
        #[unsafe(no_mangle)]
        pub extern "C" fn writes(to: u8) -> u8 { CHANGES.swap(to, Ordering::Relaxed) }
    "#;

    /// What rustc makes of it, with this argument for the linker.
    fn linked(name: &str, argument: &str) -> Vec<u8> {
        let folder = root().join("target/relocations");
        std::fs::create_dir_all(&folder).unwrap();
        let (source, wasm) = (folder.join(format!("{name}.rs")), folder.join(format!("{name}.wasm")));
        std::fs::write(&source, SOURCE).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["--target", "wasm32-unknown-unknown", "--crate-type", "cdylib", "--edition", "2024"]);
        rustc.args(["-C", "opt-level=2", "-C", "panic=abort", "-C"]).arg(format!("link-arg={argument}"));
        let output = rustc.arg("-o").args([&wasm, &source]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(wasm).unwrap()
    }

    #[test]
    fn what_a_function_refers_to_is_needed_and_so_is_what_that_refers_to() {
        let linked = linked("with", "--emit-relocs");
        let (needs, parts) = (Needs::read(&linked).unwrap(), Parts::of(&linked).unwrap());
        let memory = |idle: &[Range<u32>]| -> Vec<u8> {
            idle.iter().flat_map(|stretch| parts.memory_at(stretch.clone())).collect()
        };
        let idle = |hot: &[&str], numbers: &[u32]| {
            needs.idle(&hot.iter().copied().collect(), &numbers.iter().copied().collect())
        };
        let holds = |memory: &[u8], word: &[u8; 8]| memory.windows(8).any(|window| window == word);
        let after_here = memory(&idle(&["here"], &[]));
        assert_eq!(
            [b"near one", b"near two", b"far away"].map(|word| holds(&after_here, word)),
            [false, false, true]
        );
        let after_there = memory(&idle(&["there"], &[]));
        assert_eq!(
            [b"near one", b"near two", b"far away"].map(|word| holds(&after_there, word)),
            [true, true, false]
        );
        // A number in a body keeps what it points into.
        let far = idle(&["here"], &[])
            .into_iter()
            .find(|stretch| holds(&parts.memory_at(stretch.clone()), b"far away"));
        let kept = memory(&idle(&["here"], &[far.unwrap().start + 7]));
        assert!(!holds(&kept, b"far away"));
        // What may change is never left out.
        let changes = needs.symbols.iter().enumerate().filter(|(symbol, _)| !needs.constant.contains(symbol));
        let changes: Vec<&Range<u32>> = changes.map(|(_, stretch)| stretch).collect();
        assert!(!changes.is_empty());
        assert!(
            idle(&[], &[])
                .iter()
                .all(|idle| changes.iter().all(|one| one.end <= idle.start || idle.end <= one.start))
        );
        assert!(needs.knows("here") && !needs.knows("nowhere"));
        // The number in `counts` is where data lies; an address is not plain.
        let table = *needs.in_code.first().unwrap();
        assert!(needs.is_plain("counts", 0x10_0001) && !needs.is_plain("here", 0x10_0001));
        assert!(!needs.is_plain("here", table) && !needs.is_plain("there", table));
    }

    #[test]
    fn an_address_outside_of_its_symbol_keeps_the_symbol_where_it_stands_in_a_body() {
        let needs = Needs {
            symbols: vec![1000..1010, 2000..2010],
            constant: BTreeSet::from([0, 1]),
            known: BTreeSet::new(),
            functions: BTreeMap::new(),
            data: BTreeMap::new(),
            from_outside: BTreeSet::from([(600, 0)]),
            in_code: BTreeSet::from([620]),
            plain: BTreeMap::new(),
        };
        let idle = |number: u32| needs.idle(&BTreeSet::new(), &BTreeSet::from([number]));
        assert_eq!(idle(616), [2000..2010, 2010..2010][..1]);
        assert_eq!(idle(600), idle(616));
        for other in [900, 620] {
            assert_eq!(idle(other), [1000..1010, 2000..2010]);
        }
        assert_eq!(idle(2009), [1000..1010, 1010..1010][..1]);
    }

    #[test]
    fn a_module_without_relocations_is_refused() {
        assert!(Needs::read(&linked("without", "--gc-sections")).is_err());
    }
}
