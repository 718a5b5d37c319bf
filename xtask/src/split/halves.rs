//! Writes two modules of one: the first works by itself and asks for the second where it comes to a function that is
//! there.
//!
//! A call of such a function goes through the table. Its slot holds a *stand-in* at first, which calls the imported
//! loader and then the same slot again; when the second module comes, it puts the true functions into these slots, and
//! its pieces of memory in their places. It takes memory, tables, globals and the functions of the first from its
//! exports, and the browser's functions from where the first has them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, GlobalSection, ImportSection, Instruction, MemorySection, Module,
    StartSection, TableSection, TypeSection,
};
use wasmparser::{ExternalKind, Operator};

use super::parts::{Parts, instructions, unreadable};
use crate::Outcome;

/// The module by whose name the first imports the loader, and the second what the first exports.
pub const OTHER: &str = "b";

/// The name of the loader.
pub const LOAD: &str = "load";

/// A new piece of memory costs about as much as so many bytes that need not be there.
const PIECE: u32 = 16;

/// Two modules.
pub struct Halves {
    pub first: Vec<u8>,
    pub second: Vec<u8>,
}

/// Splits a module: the functions that are `hot` come first, the stretches of memory that are `cold` come second.
/// What the outside reaches by name comes first in any case. `version` is a name that no other split has: a second
/// part refuses any other first part, such as that of a site that was replaced while somebody looked at it.
///
/// # Errors
///
/// A sentence if the module has what this does not know.
pub fn halves(parts: &Parts<'_>, hot: &BTreeSet<u32>, cold: &[Range<u32>], version: &str) -> Outcome<Halves> {
    let plan = Plan::of(parts, hot, version)?;
    let mut cold = cold.to_vec();
    cold.sort_by_key(|stretch| stretch.start);
    Ok(Halves { first: plan.first(&cold)?, second: plan.second(&cold)? })
}

/// Who is where.
struct Plan<'p, 'a> {
    parts: &'p Parts<'a>,
    /// The name by which the second module asks for the memory of the first.
    version: &'p str,
    /// The functions of the first module, imported ones too, in their order.
    here: Vec<u32>,
    /// The bodies of the second module, in their order.
    there: Vec<u32>,
    /// Through which slot the first module calls a function of the second.
    slots: BTreeMap<u32, u32>,
    /// Every slot of the table that holds a function of the second module.
    to_fill: BTreeMap<u32, u32>,
    /// What the second module calls of the first, and of the browser.
    called_back: BTreeSet<u32>,
}

impl<'p, 'a> Plan<'p, 'a> {
    fn of(parts: &'p Parts<'a>, hot: &BTreeSet<u32>, version: &'p str) -> Outcome<Plan<'p, 'a>> {
        let named: BTreeSet<u32> = parts.named().collect();
        let own = parts.imported()..parts.functions.len() as u32;
        let is_hot = |function: &u32| hot.contains(function) || named.contains(function);
        let (bodies, there): (Vec<u32>, Vec<u32>) = own.partition(is_hot);
        let far: BTreeSet<u32> = there.iter().copied().collect();
        let mut to_fill: BTreeMap<u32, u32> =
            parts.slots.iter().copied().filter(|(_, function)| far.contains(function)).collect();
        let mut slots: BTreeMap<u32, u32> =
            to_fill.iter().map(|(slot, function)| (*function, *slot)).collect();
        let mut free = parts.tables.first().map_or(0, |table| table.initial as u32);
        let called_here = called(parts, &bodies)?;
        for function in called_here.intersection(&far) {
            slots.entry(*function).or_insert_with(|| {
                to_fill.insert(free, *function);
                free += 1;
                free - 1
            });
        }
        let called_back: BTreeSet<u32> = called(parts, &there)?.difference(&far).copied().collect();
        let in_slots = parts.slots.iter().map(|(_, function)| *function);
        let needed: BTreeSet<u32> = called_here.into_iter().chain(in_slots).chain(named).collect();
        let imported = (0..parts.imported()).filter(|function| needed.contains(function));
        let here = imported.chain(bodies).collect();
        Ok(Plan { parts, version, here, there, slots, to_fill, called_back })
    }

    /// The number that each function of the first module has there: the loader is imported last.
    fn numbers_here(&self) -> BTreeMap<u32, u32> {
        let after = |function: &u32| u32::from(*function >= self.parts.imported());
        (0..).zip(&self.here).map(|(number, function)| (*function, number + after(function))).collect()
    }

    fn loader(&self) -> u32 {
        self.here.iter().filter(|function| **function < self.parts.imported()).count() as u32
    }

    /// The number that each function has in the second module: what it imports, the browser's first, then its own.
    fn numbers_there(&self) -> BTreeMap<u32, u32> {
        self.called_back.iter().chain(&self.there).copied().zip(0..).collect()
    }

    fn first(&self, cold: &[Range<u32>]) -> Outcome<Vec<u8>> {
        let parts = self.parts;
        let numbers = self.numbers_here();
        let mut renumber = Renumber { numbers: &numbers };
        let (mut imports, mut functions, mut code) =
            (ImportSection::new(), FunctionSection::new(), CodeSection::new());
        let mut types = self.types(&mut renumber)?;
        let nothing = parts.types.len() as u32;
        types.ty().function([], []);
        for function in &self.here {
            let of_type = parts.functions[*function as usize];
            match parts.body(*function) {
                None => {
                    let import = &parts.imports[*function as usize];
                    imports.import(import.module, import.name, EntityType::Function(of_type));
                }
                Some(body) => {
                    functions.function(of_type);
                    code.function(&renumber.body(body, |function| {
                        let slot = self.slots.get(&function)?;
                        Some((*slot, parts.functions[function as usize]))
                    })?);
                }
            }
        }
        imports.import(OTHER, LOAD, EntityType::Function(nothing));
        let stand_ins = self.here.len() as u32 + 1;
        for (slot, function) in &self.to_fill {
            let of_type = parts.functions[*function as usize];
            functions.function(of_type);
            code.function(&self.stand_in(*slot, of_type));
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&self.tables(&mut renumber)?);
        let mut memories = MemorySection::new();
        memories.memory(renumber.memory_type(parts.memory).map_err(unreadable)?);
        module.section(&memories);
        let mut globals = GlobalSection::new();
        for global in &parts.globals {
            let of_type = renumber.global_type(global.ty).map_err(unreadable)?;
            globals.global(of_type, &renumber.const_expr(global.init_expr.clone()).map_err(unreadable)?);
        }
        module.section(&globals).section(&self.exports(&numbers)?);
        if let Some(start) = parts.start {
            module.section(&StartSection { function_index: numbers[&start] });
        }
        let places: BTreeMap<u32, u32> = self.to_fill.keys().copied().zip(stand_ins..).collect();
        let near = parts.slots.iter().filter(|(slot, _)| !places.contains_key(slot));
        let mut table: BTreeMap<u32, u32> = near.map(|(slot, function)| (*slot, numbers[function])).collect();
        table.extend(places);
        module.section(&elements(&table)).section(&code).section(&self.data_here(cold));
        Ok(module.finish())
    }

    fn second(&self, cold: &[Range<u32>]) -> Outcome<Vec<u8>> {
        let parts = self.parts;
        let numbers = self.numbers_there();
        let mut renumber = Renumber { numbers: &numbers };
        let offers = self.offers();
        let (mut imports, mut functions, mut code) =
            (ImportSection::new(), FunctionSection::new(), CodeSection::new());
        for function in &self.called_back {
            let of_type = EntityType::Function(parts.functions[*function as usize]);
            match parts.imports.get(*function as usize) {
                Some(import) => imports.import(import.module, import.name, of_type),
                None => imports.import(OTHER, &offers[&(Kind::Function, *function)], of_type),
            };
        }
        for (number, table) in (0..).zip(&parts.tables) {
            let mut of_type = renumber.table_type(*table).map_err(unreadable)?;
            self.widen(number, &mut of_type);
            imports.import(OTHER, &offers[&(Kind::Table, number)], EntityType::Table(of_type));
        }
        let memory = renumber.memory_type(parts.memory).map_err(unreadable)?;
        imports.import(OTHER, &offers[&(Kind::Memory, 0)], EntityType::Memory(memory));
        for (number, global) in (0..).zip(&parts.globals) {
            let of_type = renumber.global_type(global.ty).map_err(unreadable)?;
            imports.import(OTHER, &offers[&(Kind::Global, number)], EntityType::Global(of_type));
        }
        for function in &self.there {
            functions.function(parts.functions[*function as usize]);
            let body = parts.body(*function).ok_or("A function of the second module has no body.")?;
            code.function(&renumber.body(body, |_| None)?);
        }
        let filled = self.to_fill.iter().map(|(slot, function)| (*slot, numbers[function])).collect();
        let mut data = DataSection::new();
        for piece in joined(cold.to_vec()) {
            put(&mut data, parts, piece);
        }
        let mut module = Module::new();
        module.section(&self.types(&mut renumber)?).section(&imports).section(&functions);
        module.section(&elements(&filled)).section(&code).section(&data);
        Ok(module.finish())
    }

    /// Calls the loader, and then what is in the slot by now, with the same arguments.
    fn stand_in(&self, slot: u32, of_type: u32) -> Function {
        let mut body = Function::new([]);
        body.instruction(&Instruction::Call(self.loader()));
        for argument in 0..self.parts.types[of_type as usize].params().len() {
            body.instruction(&Instruction::LocalGet(argument as u32));
        }
        body.instruction(&Instruction::I32Const(slot as i32));
        body.instruction(&Instruction::CallIndirect { type_index: of_type, table_index: 0 });
        body.instruction(&Instruction::End);
        body
    }

    fn types(&self, renumber: &mut Renumber<'_>) -> Outcome<TypeSection> {
        let mut types = TypeSection::new();
        for of_type in &self.parts.types {
            types.ty().func_type(&renumber.func_type(of_type.clone()).map_err(unreadable)?);
        }
        Ok(types)
    }

    fn tables(&self, renumber: &mut Renumber<'_>) -> Outcome<TableSection> {
        let mut tables = TableSection::new();
        for (number, table) in (0..).zip(&self.parts.tables) {
            let mut of_type = renumber.table_type(*table).map_err(unreadable)?;
            self.widen(number, &mut of_type);
            tables.table(of_type);
        }
        Ok(tables)
    }

    /// Makes room in the first table for the new slots.
    fn widen(&self, number: u32, table: &mut wasm_encoder::TableType) {
        let last = self.to_fill.keys().next_back();
        if let (0, Some(last)) = (number, last) {
            let new = (u64::from(*last) + 1).saturating_sub(table.minimum);
            table.minimum += new;
            table.maximum = table.maximum.map(|most| most + new);
        }
    }

    /// The names by which the first module offers what the second needs: those it has anyway, and new short ones.
    fn offers(&self) -> BTreeMap<(Kind, u32), String> {
        let parts = self.parts;
        let mut wanted: Vec<(Kind, u32)> = Vec::new();
        wanted.extend((0..parts.tables.len() as u32).map(|number| (Kind::Table, number)));
        wanted.extend((0..parts.globals.len() as u32).map(|number| (Kind::Global, number)));
        let own = self.called_back.iter().filter(|function| **function >= parts.imported());
        wanted.extend(own.map(|function| (Kind::Function, *function)));
        let taken: BTreeSet<&str> = parts.exports.iter().map(|export| export.name).collect();
        let mut names = (0..).map(short_name).filter(|name| !taken.contains(name.as_str()));
        let name = |what: (Kind, u32)| {
            let had = parts
                .exports
                .iter()
                .find(|export| (Kind::of(export.kind), export.index) == (Some(what.0), what.1));
            had.map_or_else(|| names.next().unwrap_or_default(), |export| export.name.to_string())
        };
        let named = wanted.iter().copied().zip(wanted.iter().copied().map(name));
        named.chain([((Kind::Memory, 0), self.version.to_string())]).collect()
    }

    fn exports(&self, numbers: &BTreeMap<u32, u32>) -> Outcome<ExportSection> {
        let number = |kind: Kind, index: u32| match kind {
            Kind::Function => numbers[&index],
            Kind::Table | Kind::Memory | Kind::Global => index,
        };
        let mut exports = ExportSection::new();
        let had: BTreeSet<&str> = self.parts.exports.iter().map(|export| export.name).collect();
        for export in &self.parts.exports {
            let kind = Kind::of(export.kind).ok_or("The wasm exports what xtask/src/split does not know.")?;
            exports.export(export.name, kind.exported(), number(kind, export.index));
        }
        for ((kind, index), name) in self.offers().iter().filter(|(_, name)| !had.contains(name.as_str())) {
            exports.export(name, kind.exported(), number(*kind, *index));
        }
        Ok(exports)
    }

    /// The memory of the first module: all but the cold stretches.
    fn data_here(&self, cold: &[Range<u32>]) -> DataSection {
        let mut stretches = Vec::new();
        for (start, bytes) in &self.parts.data {
            let (mut from, end) = (*start, *start + bytes.len() as u32);
            for cold in cold.iter().filter(|cold| cold.start < end && cold.end > *start) {
                stretches.push(from..cold.start.max(from));
                from = cold.end.max(from);
            }
            stretches.push(from..end.max(from));
        }
        let mut data = DataSection::new();
        for piece in joined(stretches) {
            put(&mut data, self.parts, piece);
        }
        data
    }
}

/// What a module exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Function,
    Table,
    Memory,
    Global,
}

impl Kind {
    fn of(kind: ExternalKind) -> Option<Kind> {
        match kind {
            ExternalKind::Func => Some(Kind::Function),
            ExternalKind::Table => Some(Kind::Table),
            ExternalKind::Memory => Some(Kind::Memory),
            ExternalKind::Global => Some(Kind::Global),
            ExternalKind::Tag | ExternalKind::FuncExact => None,
        }
    }

    fn exported(self) -> ExportKind {
        match self {
            Kind::Function => ExportKind::Func,
            Kind::Table => ExportKind::Table,
            Kind::Memory => ExportKind::Memory,
            Kind::Global => ExportKind::Global,
        }
    }
}

/// The functions that these bodies call by number.
fn called(parts: &Parts<'_>, functions: &[u32]) -> Outcome<BTreeSet<u32>> {
    let mut called = BTreeSet::new();
    for body in functions.iter().filter_map(|function| parts.body(*function)) {
        for instruction in instructions(body) {
            if let Operator::Call { function_index } = instruction? {
                called.insert(function_index);
            }
        }
    }
    Ok(called)
}

/// Writes instructions with other numbers of functions.
struct Renumber<'n> {
    numbers: &'n BTreeMap<u32, u32>,
}

impl Reencode for Renumber<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<String>> {
        let strange = || format!("it names function {function} other than by a call");
        self.numbers.get(&function).copied().ok_or_else(strange).map_err(reencode::Error::UserError)
    }
}

impl Renumber<'_> {
    /// A body in which calls of what is `far` go through its slot, given with the function's type.
    fn body(
        &mut self,
        body: &wasmparser::FunctionBody<'_>,
        far: impl Fn(u32) -> Option<(u32, u32)>,
    ) -> Outcome<Function> {
        let mut out = self.new_function_with_parsed_locals(body).map_err(unreadable)?;
        for instruction in instructions(body) {
            let instruction = instruction?;
            let through = match instruction {
                Operator::Call { function_index } => far(function_index),
                _ => None,
            };
            if let Some((slot, type_index)) = through {
                out.instruction(&Instruction::I32Const(slot as i32));
                out.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
            } else {
                out.instruction(&self.instruction(instruction).map_err(unreadable)?);
            }
        }
        Ok(out)
    }
}

/// Functions in slots, a segment for slots in a row.
fn elements(slots: &BTreeMap<u32, u32>) -> ElementSection {
    let mut rows: Vec<(u32, Vec<u32>)> = Vec::new();
    for (slot, function) in slots {
        match rows.last_mut() {
            Some((start, row)) if *start + row.len() as u32 == *slot => row.push(*function),
            _ => rows.push((*slot, vec![*function])),
        }
    }
    let mut elements = ElementSection::new();
    for (start, row) in rows {
        elements.active(None, &ConstExpr::i32_const(start as i32), Elements::Functions(row.into()));
    }
    elements
}

/// Stretches in order, with those that lie close together as one.
fn joined(mut stretches: Vec<Range<u32>>) -> Vec<Range<u32>> {
    stretches.retain(|stretch| !stretch.is_empty());
    stretches.sort_by_key(|stretch| stretch.start);
    let mut joined: Vec<Range<u32>> = Vec::new();
    for stretch in stretches {
        match joined.last_mut() {
            Some(last) if stretch.start < last.end + PIECE => last.end = last.end.max(stretch.end),
            _ => joined.push(stretch),
        }
    }
    joined
}

fn put(data: &mut DataSection, parts: &Parts<'_>, piece: Range<u32>) {
    let start = ConstExpr::i32_const(piece.start as i32);
    data.active(0, &start, parts.memory_at(piece));
}

/// `a` to `z`, `A` to `Z`, then two letters, and so on.
fn short_name(mut number: usize) -> String {
    let mut name = Vec::new();
    loop {
        let letter = (number % 52) as u8;
        name.push(if letter < 26 { b'a' + letter } else { b'A' + letter - 26 });
        number /= 52;
        if number == 0 {
            return String::from_utf8_lossy(&name).into_owned();
        }
        number -= 1;
    }
}
