//! A wasm module taken apart into what it takes to write two of it. Whatever rustc and wasm-opt do not emit today
//! (several memories, passive segments, a table of functions with gaps in it is fine) is refused, not guessed.

use std::ops::Range;

use wasmparser::{
    DataKind, ElementItems, ElementKind, Export, ExternalKind, FuncType, FunctionBody, Global, Import,
    MemoryType, Operator, Parser, Payload, TableType, TypeRef,
};

use crate::Outcome;

/// The parts. Functions are numbered with the imported ones first; addresses and slots count from 0.
pub struct Parts<'a> {
    pub types: Vec<FuncType>,
    /// All of them functions.
    pub imports: Vec<Import<'a>>,
    /// The type of each function.
    pub functions: Vec<u32>,
    /// The first is the one that functions are called through.
    pub tables: Vec<TableType>,
    pub memory: MemoryType,
    pub globals: Vec<Global<'a>>,
    pub exports: Vec<Export<'a>>,
    /// Which function is in which slot of the first table.
    pub slots: Vec<(u32, u32)>,
    pub start: Option<u32>,
    /// The bodies of the functions that are not imported.
    pub bodies: Vec<FunctionBody<'a>>,
    /// Pieces of memory, in order: where each begins, and its bytes.
    pub data: Vec<(u32, &'a [u8])>,
}

impl<'a> Parts<'a> {
    /// Takes a module apart.
    ///
    /// # Errors
    ///
    /// A sentence if it is no module, or has what this does not know.
    pub fn of(bytes: &'a [u8]) -> Outcome<Parts<'a>> {
        let mut parts = Parts {
            types: Vec::new(),
            imports: Vec::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            memory: MemoryType {
                memory64: false,
                shared: false,
                initial: 0,
                maximum: None,
                page_size_log2: None,
            },
            globals: Vec::new(),
            exports: Vec::new(),
            slots: Vec::new(),
            start: None,
            bodies: Vec::new(),
            data: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(bytes) {
            parts.add(payload.map_err(unreadable)?)?;
        }
        Ok(parts)
    }

    fn add(&mut self, payload: Payload<'a>) -> Outcome {
        match payload {
            Payload::TypeSection(types) => {
                self.types =
                    types.into_iter_err_on_gc_types().collect::<Result<_, _>>().map_err(unreadable)?;
            }
            Payload::ImportSection(imports) => {
                self.imports = imports.into_imports().collect::<Result<_, _>>().map_err(unreadable)?;
                for import in &self.imports {
                    let TypeRef::Func(of_type) = import.ty else {
                        return strange("an import that is no function");
                    };
                    self.functions.push(of_type);
                }
            }
            Payload::FunctionSection(functions) => {
                for of_type in functions {
                    self.functions.push(of_type.map_err(unreadable)?);
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    self.tables.push(table.map_err(unreadable)?.ty);
                }
            }
            Payload::MemorySection(memories) => {
                let memories = memories.into_iter().collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
                let [memory] = memories[..] else { return strange("another number of memories than one") };
                self.memory = memory;
            }
            Payload::GlobalSection(globals) => {
                self.globals = globals.into_iter().collect::<Result<_, _>>().map_err(unreadable)?;
            }
            Payload::ExportSection(exports) => {
                self.exports = exports.into_iter().collect::<Result<_, _>>().map_err(unreadable)?;
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(elements) => {
                for element in elements {
                    self.add_element(element.map_err(unreadable)?)?;
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(data) => {
                for data in data {
                    let data = data.map_err(unreadable)?;
                    let DataKind::Active { memory_index: 0, offset_expr } = data.kind else {
                        return strange("data that is not put into memory at once");
                    };
                    self.data.push((number(&offset_expr)?, data.data));
                }
                self.data.sort_by_key(|(start, _)| *start);
            }
            Payload::TagSection(_) => return strange("exceptions"),
            _ => {}
        }
        Ok(())
    }

    fn add_element(&mut self, element: wasmparser::Element<'a>) -> Outcome {
        let ElementKind::Active { table_index: None | Some(0), offset_expr } = element.kind else {
            return strange("elements that are not put into the first table at once");
        };
        let ElementItems::Functions(functions) = element.items else {
            return strange("elements that are not plain functions");
        };
        for (slot, function) in (number(&offset_expr)?..).zip(functions) {
            self.slots.push((slot, function.map_err(unreadable)?));
        }
        Ok(())
    }

    /// How many functions are imported.
    pub fn imported(&self) -> u32 {
        self.imports.len() as u32
    }

    /// The body of a function that is not imported.
    pub fn body(&self, function: u32) -> Option<&FunctionBody<'a>> {
        self.bodies.get(function.checked_sub(self.imported())? as usize)
    }

    /// The functions that others reach by name: what is exported, and what runs at the start.
    pub fn named(&self) -> impl Iterator<Item = u32> {
        let exported = self.exports.iter().filter(|export| export.kind == ExternalKind::Func);
        exported.map(|export| export.index).chain(self.start)
    }

    /// The bytes of a stretch of memory as they are at the start.
    pub fn memory_at(&self, stretch: Range<u32>) -> Vec<u8> {
        let mut out = vec![0; stretch.len()];
        for (start, bytes) in &self.data {
            for (address, byte) in (*start..).zip(*bytes).filter(|(address, _)| stretch.contains(address)) {
                out[(address - stretch.start) as usize] = *byte;
            }
        }
        out
    }
}

/// What each instruction of a body does, one after the other.
pub fn instructions<'a>(body: &FunctionBody<'a>) -> impl Iterator<Item = Outcome<Operator<'a>>> {
    let reader = body.get_operators_reader();
    let (reader, fault) = match reader {
        Ok(reader) => (Some(reader), None),
        Err(fault) => (None, Some(Err(unreadable(fault)))),
    };
    let all = reader.into_iter().flatten().map(|instruction| instruction.map_err(unreadable));
    fault.into_iter().chain(all)
}

/// The number that a constant expression is.
fn number(expression: &wasmparser::ConstExpr<'_>) -> Outcome<u32> {
    match expression.get_operators_reader().read().map_err(unreadable)? {
        Operator::I32Const { value } => Ok(value as u32),
        _ => strange("an offset that is no number"),
    }
}

pub fn unreadable(fault: impl std::fmt::Display) -> String {
    format!("The wasm cannot be read: {fault}.")
}

fn strange<T>(what: &str) -> Outcome<T> {
    Err(format!("The wasm has {what}, which xtask/src/split does not know. Has rustc or wasm-opt changed?"))
}
