//! As much of the binary format of wasm as it takes to cut exports and to order functions: sections, not instructions.

use std::collections::BTreeMap;

use crate::Outcome;

const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;

/// The custom section of names, and its part with those of functions.
const NAMES: &[u8] = b"name";
const OF_FUNCTIONS: u8 = 1;

/// A module as its sections, each an id and a content, in their order.
#[derive(Clone)]
pub struct Module {
    header: [u8; 8],
    sections: Vec<(u8, Vec<u8>)>,
}

impl Module {
    pub fn read(bytes: &[u8]) -> Outcome<Self> {
        let sections = |mut bytes: Bytes| {
            let header = bytes.take(8)?.try_into().ok()?;
            let mut sections = Vec::new();
            while !bytes.0.is_empty() {
                sections.push((bytes.byte()?, bytes.block()?.to_vec()));
            }
            Some(Module { header, sections })
        };
        sections(Bytes(bytes)).ok_or_else(unreadable)
    }

    pub fn written(&self) -> Vec<u8> {
        let mut out = self.header.to_vec();
        for (id, content) in &self.sections {
            out.push(*id);
            put_block(&mut out, content);
        }
        out
    }

    /// Takes away what no engine needs: the custom sections.
    pub fn strip(&mut self) {
        self.sections.retain(|(id, _)| *id != CUSTOM);
    }

    /// Takes away what the linker has left for [`crate::split`]: it is about places that are no more.
    pub fn forget_relocations(&mut self) {
        let is_of_linker = |content: &[u8]| {
            let name = Bytes(content).block().unwrap_or_default();
            name == b"linking" || name.starts_with(b"reloc.")
        };
        self.sections.retain(|(id, content)| *id != CUSTOM || !is_of_linker(content));
    }

    /// How many functions are imported; the module's own ones are numbered after them.
    pub fn imported(&self) -> Outcome<usize> {
        let imported = |mut bytes: Bytes| {
            let count = bytes.number()?;
            for _ in 0..count {
                let (_module, _name, kind, _type) =
                    (bytes.block()?, bytes.block()?, bytes.byte()?, bytes.number()?);
                (kind == 0).then_some(())?;
            }
            Some(count)
        };
        imported(self.section(IMPORTS)?).ok_or_else(unreadable)
    }

    /// The bodies of the module's own functions.
    pub fn bodies(&self) -> Outcome<Vec<&[u8]>> {
        let mut bytes = self.section(CODE)?;
        let count = bytes.number().ok_or_else(unreadable)?;
        (0..count).map(|_| bytes.block().ok_or_else(unreadable)).collect()
    }

    /// The names of functions, by number.
    pub fn names(&self) -> Outcome<BTreeMap<usize, String>> {
        let names = |mut bytes: Bytes| {
            let mut names = BTreeMap::new();
            while !bytes.0.is_empty() {
                let (part, mut bytes) = (bytes.byte()?, Bytes(bytes.block()?));
                let count = if part == OF_FUNCTIONS { bytes.number()? } else { 0 };
                for _ in 0..count {
                    names.insert(bytes.number()?, str::from_utf8(bytes.block()?).ok()?.to_string());
                }
            }
            Some(names)
        };
        let customs = self.sections.iter().filter(|(id, _)| *id == CUSTOM);
        let mut customs = customs.map(|(_, content)| Bytes(content));
        let found = customs.find_map(|mut bytes| (bytes.block()? == NAMES).then_some(bytes));
        names(found.ok_or_else(unreadable)?).ok_or_else(unreadable)
    }

    /// Gives the functions these names and no others.
    pub fn set_names(&mut self, names: &BTreeMap<usize, String>) {
        let mut part = Vec::new();
        put_number(&mut part, names.len());
        for (number, name) in names {
            put_number(&mut part, *number);
            put_block(&mut part, name.as_bytes());
        }
        let mut section = Vec::new();
        put_block(&mut section, NAMES);
        section.push(OF_FUNCTIONS);
        put_block(&mut section, &part);
        self.sections.retain(|(id, content)| *id != CUSTOM || Bytes(content).block() != Some(NAMES));
        self.sections.push((CUSTOM, section));
    }

    fn section(&self, id: u8) -> Outcome<Bytes<'_>> {
        let section = self.sections.iter().find(|section| section.0 == id);
        section.map(|(_, content)| Bytes(content)).ok_or_else(unreadable)
    }

    /// Takes away the exports that nobody asks for. What only they reach, wasm-opt then takes away.
    pub fn keep_exports(&mut self, asked_for: impl Fn(&str) -> bool) -> Outcome {
        let kept = |mut bytes: Bytes| {
            let (mut count, mut kept) = (0, Vec::new());
            for _ in 0..bytes.number()? {
                let (name, kind, index) = (bytes.block()?, bytes.byte()?, bytes.number()?);
                if asked_for(str::from_utf8(name).ok()?) {
                    count += 1;
                    put_block(&mut kept, name);
                    kept.push(kind);
                    put_number(&mut kept, index);
                }
            }
            let mut out = Vec::new();
            put_number(&mut out, count);
            out.extend(kept);
            Some(out)
        };
        let exports = self.sections.iter_mut().find(|(id, _)| *id == EXPORTS).ok_or_else(unreadable)?;
        exports.1 = kept(Bytes(&exports.1)).ok_or_else(unreadable)?;
        Ok(())
    }
}

/// What is still to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    /// A number in LEB128: seven bits a byte, the low ones first.
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte < 128 {
                return Some(number);
            }
        }
    }

    /// Bytes with their count in front.
    fn block(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        self.take(count)
    }
}

fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_block(out: &mut Vec<u8>, block: &[u8]) {
    put_number(out, block.len());
    out.extend(block);
}

fn unreadable() -> String {
    "The wasm is not laid out as expected. Has rustc or wasm-opt changed?".to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [u8; 8] = *b"\0asm\x01\0\0\0";

    fn module(sections: &[(u8, &[u8])]) -> Module {
        let sections = sections.iter().map(|(id, content)| (*id, content.to_vec())).collect();
        Module { header: HEADER, sections }
    }

    #[test]
    fn a_module_is_written_as_it_was_read() {
        let bytes = module(&[(CUSTOM, &[1; 300]), (EXPORTS, &[0])]).written();
        assert_eq!(bytes.len(), 8 + 3 + 300 + 3);
        assert_eq!(Module::read(&bytes).unwrap().written(), bytes);
        assert!(Module::read(&bytes[..20]).is_err());
    }

    #[test]
    fn exports_that_nobody_asks_for_go_and_so_do_custom_sections() {
        let mut module = module(&[(EXPORTS, b"\x02\x01a\0\x05\x02bc\0\xac\x02"), (CUSTOM, b"\x04name")]);
        module.keep_exports(|name| name == "bc").unwrap();
        module.strip();
        assert_eq!(module.written(), [&HEADER[..], b"\x07\x07\x01\x02bc\0\xac\x02"].concat());
    }

    #[test]
    fn relocations_are_forgotten_and_other_custom_sections_stay() {
        let mut module =
            module(&[(CUSTOM, b"\x07linking"), (CUSTOM, b"\x0areloc.CODE1"), (CUSTOM, b"\x04name")]);
        module.forget_relocations();
        assert_eq!(module.written(), [&HEADER[..], b"\x00\x05\x04name"].concat());
    }

    #[test]
    fn functions_have_bodies_and_the_names_they_are_given() {
        let mut module = module(&[
            (IMPORTS, b"\x02\x01a\x01b\0\x05\x01a\x01c\0\x06"),
            (CODE, b"\x02\x01x\x02yz"),
            (CUSTOM, b"\x04name\x00\x01m\x01\x04\x01\x02\x01f"),
        ]);
        assert_eq!(module.imported().unwrap(), 2);
        assert_eq!(module.bodies().unwrap(), [&b"x"[..], b"yz"]);
        assert_eq!(module.names().unwrap(), BTreeMap::from([(2, "f".to_string())]));
        let names = BTreeMap::from([(3, "g".to_string()), (300, "h".to_string())]);
        module.set_names(&names);
        assert_eq!(module.names().unwrap(), names);
    }
}
