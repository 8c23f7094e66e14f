//! The rewriting to a program with ghost indices and cells.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::access::{Address, Extension, Summand, reads};
use crate::cfa::{
    AddressSpace, Edge, FuncId, Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, Scope, SourceId,
    VarKind,
};
use crate::expr::eval::{read_sort, written_cells};
use crate::expr::{BinaryOp, Expr, MemorySort, Node, Pool, Sort, Value, Var};
use crate::facts::Loops;

/// What the rewritten program knows of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Only the distinguished cells.
    Ghosts,
    /// All cells: the program does what the original one does, beside keeping the ghosts.
    All,
}

/// A rewritten program.
#[derive(Debug)]
pub struct Rewritten {
    /// The program. All of its errors count.
    pub program: Program,
    /// The ghost indices.
    pub indices: Vec<Var>,
    /// The ghost cells.
    pub cells: Vec<Var>,
}

/// A ghost cell.
#[derive(Clone, Debug)]
struct Cell {
    memory: Var,
    sort: MemorySort,
    /// The number of cells of the memory that it comprises.
    cells: u16,
    /// Its address, over ghost indices and anchors.
    address: Expr,
    /// Its contents.
    var: Var,
    /// The function where it is known, unless everywhere.
    function: Option<FuncId>,
}

impl Cell {
    fn bytes(&self) -> u64 {
        self.sort.cell.bytes() * u64::from(self.cells)
    }
}

/// The ghost indices of a watched location.
struct Watch {
    /// The terms with their indices.
    terms: Vec<(Expr, Var)>,
    /// Whether the terms had the values of the indices at the last visit.
    hit: Var,
}

/// Initial contents with more cells are not looked at.
const MAX_TABLE: usize = 64;

/// Rewrites `program`, with at most `limit` ghost cells. `None` if it has operations that are not modelled.
pub fn rewrite(
    program: &Program,
    loops: &Loops,
    errors: &BTreeSet<LocId>,
    watched: &[LocId],
    contents: Contents,
    limit: usize,
) -> Option<Rewritten> {
    let mut b = ProgramBuilder::new(program.pointer_bits);
    b.pool = program.pool.clone();
    b.sources = program.sources.clone();
    b.initial.clone_from(&program.initial);
    b.address_space = program.address_space.clone();
    b.externals.clone_from(&program.externals);
    for function in &program.functions {
        b.add_function(&function.name, &function.display_name, function.result, function.declared);
    }
    for info in &program.vars {
        b.add_var(info.clone());
    }
    for (at, function) in program.functions.iter().enumerate() {
        b.function_mut(FuncId(at as u32)).params.clone_from(&function.params);
    }
    let mut rewriter = Rewriter {
        program,
        contents,
        b,
        watches: BTreeMap::new(),
        cells: Vec::new(),
        anchors: BTreeMap::new(),
        unstable: unstable(program, loops),
        writes: writes(program),
        places: Vec::new(),
        temporaries: 0,
    };
    rewriter.watch(watched, limit);
    if rewriter.cells.is_empty() {
        return None;
    }
    rewriter.place(errors);
    rewriter.edges()?;
    let indices = rewriter.watches.values().flat_map(|watch| watch.terms.iter().map(|&(_, index)| index)).collect();
    let cells = rewriter.cells.iter().map(|cell| cell.var).collect();
    Some(Rewritten { program: rewriter.b.finish(program.start), indices, cells })
}

struct Rewriter<'p> {
    program: &'p Program,
    contents: Contents,
    b: ProgramBuilder,
    watches: BTreeMap<LocId, Watch>,
    cells: Vec<Cell>,
    /// Variables in addresses of cells. They hold the addresses of objects, such as a pointer to an array on the heap.
    anchors: BTreeMap<Var, BTreeSet<Var>>,
    /// Variables that some loop changes.
    unstable: BTreeSet<Var>,
    /// The memories that each function writes, including its callees.
    writes: Vec<BTreeSet<Var>>,
    /// The new locations.
    places: Vec<LocId>,
    temporaries: u32,
}

impl Rewriter<'_> {
    /// Makes the ghosts of the watched locations.
    fn watch(&mut self, watched: &[LocId], limit: usize) {
        let pool = &self.program.pool;
        for &location in watched {
            let mut terms: Vec<(Expr, Var)> = Vec::new();
            let mut wanted = Vec::new();
            for read in self.reads_at(location) {
                let Node::Read { memory, address, cells } = pool.node(read) else { continue };
                let (Node::Var(memory), Some(address)) = (pool.node(memory), Address::new(pool, address)) else {
                    continue;
                };
                for summand in &address.summands {
                    if self.anchor(location, &address, summand).is_none()
                        && terms.iter().all(|(term, _)| *term != summand.term)
                    {
                        let name = format!("index.{}", self.temporaries);
                        self.temporaries += 1;
                        let index = self.ghost(&name, pool.sort(summand.term), Scope::Global);
                        terms.push((summand.term, index));
                    }
                }
                wanted.push((memory, cells, location, address));
            }
            if wanted.is_empty() {
                continue;
            }
            // The same element of other arrays.
            if let [(_, index)] = *terms {
                for (memory, cells, at, mut address) in self.accesses() {
                    let anchored: Vec<bool> =
                        address.summands.iter().map(|summand| self.anchor(at, &address, summand).is_some()).collect();
                    let mut free = address.summands.iter_mut().zip(anchored).filter(|(_, anchored)| !anchored);
                    if let (Some((summand, _)), None) = (free.next(), free.next())
                        && pool.sort(summand.term) == self.program_sort(index)
                    {
                        summand.term = terms[0].0;
                        wanted.push((memory, cells, at, address));
                    }
                }
            }
            let hit = self.ghost(&format!("hit.{}", location.0), Sort::Bool, Scope::Global);
            for (memory, cells, at, address) in wanted {
                self.add_cell(memory, cells, at, &address, &terms, limit);
            }
            self.watches.insert(location, Watch { terms, hit });
        }
    }

    /// The variable of a summand that is the address of an object: of full width, and unchanged by loops. Constant base
    /// addresses need none.
    fn anchor(&self, location: LocId, address: &Address, summand: &Summand) -> Option<Var> {
        let Node::Var(var) = self.program.pool.node(summand.term) else { return None };
        let is_visible = match self.program.var(var).scope {
            Scope::Global => true,
            Scope::Local(function) => function == self.program.location(location).function,
        };
        let is_base = summand.extension == Extension::None && summand.factor == 1;
        let is_object = address.base < AddressSpace::NULL_PAGE.into();
        (is_visible && is_base && is_object && !self.unstable.contains(&var)).then_some(var)
    }

    fn program_sort(&self, var: Var) -> Sort {
        self.b.var(var).sort
    }

    fn ghost(&mut self, name: &str, sort: Sort, scope: Scope) -> Var {
        let var = self.b.add_temporary(name, sort, scope);
        self.b.var_mut(var).kind = VarKind::Model;
        var
    }

    fn add_cell(&mut self, memory: Var, cells: u16, at: LocId, address: &Address, terms: &[(Expr, Var)], limit: usize) {
        let Sort::Memory(sort) = self.program.var(memory).sort else { return };
        if address.width != sort.address || self.cells.len() >= limit {
            return;
        }
        let mut sum = self.b.pool.bits(address.width, address.base);
        let mut scope = self.program.var(memory).scope;
        let mut anchors = Vec::new();
        for summand in &address.summands {
            let var = match terms.iter().find(|(term, _)| *term == summand.term) {
                Some(&(_, index)) => index,
                None => {
                    let Some(anchor) = self.anchor(at, address, summand) else { return };
                    match (scope, self.program.var(anchor).scope) {
                        (Scope::Local(one), Scope::Local(other)) if one != other => return,
                        (Scope::Global, local) => scope = local,
                        _ => {}
                    }
                    anchors.push(anchor);
                    anchor
                }
            };
            let mut value = self.b.read(var);
            value = match summand.extension {
                Extension::None => value,
                Extension::Zero => self.b.pool.zero_extend(value, address.width),
                Extension::Sign => self.b.pool.sign_extend(value, address.width),
            };
            let factor = self.b.pool.bits(address.width, summand.factor);
            value = self.b.pool.binary(BinaryOp::Mul, value, factor);
            sum = self.b.pool.add(sum, value);
        }
        if self.cells.iter().any(|cell| (cell.memory, cell.cells, cell.address) == (memory, cells, sum)) {
            return;
        }
        let name = format!("cell.{}", self.cells.len());
        let var = self.ghost(&name, read_sort(sort, cells), scope);
        for anchor in anchors {
            self.anchors.entry(anchor).or_default().insert(var);
        }
        let function = match scope {
            Scope::Global => None,
            Scope::Local(function) => Some(function),
        };
        self.cells.push(Cell { memory, sort, cells, address: sum, var, function });
    }

    fn reads_at(&self, location: LocId) -> Vec<Expr> {
        let mut roots = Vec::new();
        for (_, edge) in self.program.leaving(location) {
            edge.op.for_each_expr(|expr| roots.push(expr));
        }
        reads(&self.program.pool, &roots)
    }

    /// The reads and writes of the program, with the numbers of cells.
    fn accesses(&self) -> Vec<(Var, u16, LocId, Address)> {
        let pool = &self.program.pool;
        let mut found = Vec::new();
        for edge in &self.program.edges {
            let mut roots = Vec::new();
            edge.op.for_each_expr(|expr| roots.push(expr));
            for read in reads(pool, &roots) {
                if let Node::Read { memory, address, cells } = pool.node(read)
                    && let Node::Var(memory) = pool.node(memory)
                    && let Some(address) = Address::new(pool, address)
                {
                    found.push((memory, cells, edge.from, address));
                }
            }
            if let Op::Store { memory, address, value } = edge.op
                && let Sort::Memory(sort) = self.program.var(memory).sort
                && let Some(address) = Address::new(pool, address)
            {
                found.push((memory, written_cells(pool, sort, value), edge.from, address));
            }
        }
        found
    }

    /// Makes the locations. Errors that do not count end the program.
    fn place(&mut self, errors: &BTreeSet<LocId>) {
        for (at, location) in self.program.locations.iter().enumerate() {
            let at = LocId(at as u32);
            let function = self.b.function(location.function);
            let place = if self.program.function(location.function).entry == at {
                function.entry
            } else if self.program.function(location.function).exit == at {
                function.exit
            } else {
                let kind = match &location.kind {
                    LocationKind::Error(property) if errors.contains(&at) => {
                        LocationKind::Error(Property { operands: Box::default(), ..property.clone() })
                    }
                    LocationKind::Error(_) => LocationKind::Halt,
                    kind => kind.clone(),
                };
                self.b.add_location(location.function, kind)
            };
            self.places.push(place);
        }
    }

    fn edges(&mut self) -> Option<()> {
        for at in (0..self.program.locations.len() as u32).map(LocId) {
            let function = self.program.location(at).function;
            let source = self.program.leaving(at).next().map_or(SourceId::NONE, |(_, edge)| edge.source);
            let mut from = self.places[at.index()];
            if self.program.function(self.program.start).entry == at {
                let always = self.b.pool.bool(true);
                let hits: Vec<Var> = self.watches.values().map(|watch| watch.hit).collect();
                for hit in hits {
                    from = self.b.add_step(from, Op::Assign(hit, always), source);
                }
            }
            let mut values = FxHashMap::default();
            from = self.read(at, from, function, source, &mut values)?;
            let edges: Vec<Edge> = self.program.leaving(at).map(|(_, edge)| edge.clone()).collect();
            for edge in edges {
                self.edge(&edge, from, function, &mut values)?;
            }
        }
        Some(())
    }

    fn temporary(&mut self, sort: Sort, function: FuncId) -> Var {
        self.temporaries += 1;
        self.b.add_temporary(&format!("any.{}", self.temporaries), sort, Scope::Local(function))
    }

    /// A fresh value.
    fn anything(&mut self, at: &mut LocId, sort: Sort, function: FuncId, source: SourceId) -> Expr {
        let var = self.temporary(sort, function);
        *at = self.b.add_step(*at, Op::Havoc(var, Havoc::Uninitialized), source);
        self.b.read(var)
    }

    /// Reads what the edges from `location` need into `values`, and notes whether a watched location is hit.
    fn read(
        &mut self,
        location: LocId,
        mut at: LocId,
        function: FuncId,
        source: SourceId,
        values: &mut FxHashMap<Expr, Expr>,
    ) -> Option<LocId> {
        for read in self.reads_at(location) {
            let Node::Read { memory, address, cells } = self.program.pool.node(read) else { continue };
            let var = self.temporary(self.program.pool.sort(read), function);
            let mut op = Op::Havoc(var, Havoc::Uninitialized);
            let mut value = self.b.read(var);
            if let Node::Var(memory) = self.program.pool.node(memory) {
                let traps = self.program.pool.may_trap(address);
                let address = replace(&mut self.b.pool, address, values)?;
                if self.contents == Contents::All {
                    let memory = self.b.read(memory);
                    op = Op::Assign(var, self.b.pool.read(memory, address, cells));
                } else if !traps {
                    for cell in self.of_memory(memory, function).iter().rev().filter(|cell| cell.cells == cells) {
                        let is_here = self.b.pool.eq(address, cell.address);
                        let contents = self.b.read(cell.var);
                        value = self.b.pool.ite(is_here, contents, value);
                    }
                }
            }
            at = self.b.add_step(at, op, source);
            values.insert(read, value);
        }
        let Some(watch) = self.watches.get(&location) else { return Some(at) };
        let (terms, hit) = (watch.terms.clone(), watch.hit);
        let mut all = self.b.pool.bool(true);
        for (term, index) in terms {
            if self.program.pool.may_trap(term) {
                return None;
            }
            let term = replace(&mut self.b.pool, term, values)?;
            let index = self.b.read(index);
            let is_hit = self.b.pool.eq(term, index);
            all = self.b.pool.and(all, is_hit);
        }
        Some(self.b.add_step(at, Op::Assign(hit, all), source))
    }

    fn edge(
        &mut self,
        edge: &Edge,
        mut from: LocId,
        function: FuncId,
        values: &mut FxHashMap<Expr, Expr>,
    ) -> Option<()> {
        let to = self.places[edge.to.index()];
        let source = edge.source;
        let pool = &self.program.pool;
        let is_memory = |expr: Expr| matches!(pool.sort(expr), Sort::Memory(_));
        let nothing = Op::Assume(self.b.pool.bool(true));
        let mut of = |rewriter: &mut Self, expr| replace(&mut rewriter.b.pool, expr, values);
        let op = match &edge.op {
            Op::Assign(memory, contents) if is_memory(*contents) => {
                let is_same = matches!(pool.node(*contents), Node::Var(other) if other == *memory);
                if !is_same {
                    self.forget(&mut from, *memory, None, function, source);
                }
                if self.contents == Contents::All { edge.op.clone() } else { nothing }
            }
            Op::Havoc(memory, _) if matches!(self.program.var(*memory).sort, Sort::Memory(_)) => {
                self.forget(&mut from, *memory, None, function, source);
                if self.contents == Contents::All { edge.op.clone() } else { nothing }
            }
            &Op::Store { memory, address, value } => {
                let (address, value) = (of(self, address)?, of(self, value)?);
                self.store(&mut from, memory, address, value, function, source);
                if self.contents == Contents::All { Op::Store { memory, address, value } } else { nothing }
            }
            &Op::Forget { memory, address, bytes } => {
                let (address, bytes) = (of(self, address)?, of(self, bytes)?);
                self.forget(&mut from, memory, Some((address, bytes)), function, source);
                if self.contents == Contents::All { Op::Forget { memory, address, bytes } } else { nothing }
            }
            &Op::Fill { memory, address, byte, bytes } => {
                let (address, byte, bytes) = (of(self, address)?, of(self, byte)?, of(self, bytes)?);
                self.fill(&mut from, memory, (address, byte, bytes), function, source);
                if self.contents == Contents::All { Op::Fill { memory, address, byte, bytes } } else { nothing }
            }
            &Op::Copy { target, to, source: copied, from: start, bytes } => {
                let (to, start, bytes) = (of(self, to)?, of(self, start)?, of(self, bytes)?);
                self.forget(&mut from, target, Some((to, bytes)), function, source);
                let exact = Op::Copy { target, to, source: copied, from: start, bytes };
                if self.contents == Contents::All { exact } else { nothing }
            }
            &Op::Initialize { memory, contents } => {
                self.initialize(&mut from, memory, contents, function, source);
                if self.contents == Contents::All { edge.op.clone() } else { nothing }
            }
            Op::Assign(var, value) => Op::Assign(*var, of(self, *value)?),
            Op::Assume(condition) => Op::Assume(of(self, *condition)?),
            Op::Return(Some(value)) => Op::Return(Some(of(self, *value)?)),
            Op::Call { callee, args, result } => {
                let args: Option<Box<[Expr]>> = args.iter().map(|&arg| of(self, arg)).collect();
                Op::Call { callee: *callee, args: args?, result: *result }
            }
            Op::Skip | Op::Havoc(..) | Op::Return(None) | Op::Unsupported(_) => edge.op.clone(),
        };
        let is_error = matches!(self.program.location(edge.to).kind, LocationKind::Error(_));
        let unknown = self.unknown_after(&edge.op, function);
        if !is_error && unknown.is_empty() {
            self.b.add_edge(from, op, to, source);
            return Some(());
        }
        let before = self.b.add_step(from, op, source);
        if let Some((&last, others)) = unknown.split_last() {
            let mut at = before;
            for &cell in others {
                at = self.b.add_step(at, Op::Havoc(cell, Havoc::Uninitialized), source);
            }
            self.b.add_edge(at, Op::Havoc(last, Havoc::Uninitialized), to, source);
            return Some(());
        }
        let mut all = self.b.pool.bool(true);
        let hits: Vec<Var> = self.watches.values().map(|watch| watch.hit).collect();
        for hit in hits {
            let hit = self.b.read(hit);
            all = self.b.pool.and(all, hit);
        }
        self.b.add_edge(before, Op::Assume(all), to, source);
        Some(())
    }

    /// The cells that an operation makes unknown beside what it does to memory: it changes their address, or a callee
    /// writes to memory where they are not known.
    fn unknown_after(&self, op: &Op, function: FuncId) -> Vec<Var> {
        let anchored = op.written().and_then(|var| self.anchors.get(&var)).into_iter().flatten().copied();
        let mut unknown: BTreeSet<Var> = anchored.collect();
        if let Op::Call { callee, .. } = op {
            let writes = &self.writes[callee.index()];
            let is_lost = |cell: &&Cell| cell.function == Some(function) && writes.contains(&cell.memory);
            unknown.extend(self.cells.iter().filter(is_lost).map(|cell| cell.var));
            let returns_to = |anchor: &Var| self.writes[callee.index()].contains(anchor);
            let changed = self.anchors.iter().filter(|(anchor, _)| returns_to(anchor));
            unknown.extend(changed.flat_map(|(_, cells)| cells.iter().copied()));
        }
        let is_visible = |var: &Var| match self.b.var(*var).scope {
            Scope::Global => true,
            Scope::Local(other) => other == function,
        };
        unknown.into_iter().filter(is_visible).collect()
    }

    /// The cells of a memory that are known in `function`.
    fn of_memory(&self, memory: Var, function: FuncId) -> Vec<Cell> {
        let is_known = |cell: &&Cell| cell.function.is_none_or(|other| other == function);
        self.cells.iter().filter(|cell| cell.memory == memory).filter(is_known).cloned().collect()
    }

    /// Whether some of `bytes` bytes at `address`, at least one, belong to the cell. Addresses wrap around.
    fn overlaps(&mut self, cell: &Cell, address: Expr, bytes: Expr) -> Expr {
        let pool = &mut self.b.pool;
        let after = pool.binary(BinaryOp::Sub, address, cell.address);
        let before = pool.binary(BinaryOp::Sub, cell.address, address);
        let size = pool.bits(cell.sort.address, cell.bytes().into());
        let starts_inside = pool.binary(BinaryOp::UnsignedLess, after, size);
        let is_covered = pool.binary(BinaryOp::UnsignedLess, before, bytes);
        pool.or(starts_inside, is_covered)
    }

    fn update(&mut self, at: &mut LocId, cell: &Cell, value: Expr, source: SourceId) {
        *at = self.b.add_step(*at, Op::Assign(cell.var, value), source);
    }

    fn store(&mut self, at: &mut LocId, memory: Var, address: Expr, value: Expr, function: FuncId, source: SourceId) {
        for cell in self.of_memory(memory, function) {
            let sort = self.b.pool.sort(value);
            let bytes = match sort {
                Sort::Bits(width) => u64::from(width.div_ceil(8)),
                _ => cell.sort.cell.bytes(),
            };
            let unknown = self.anything(at, read_sort(cell.sort, cell.cells), function, source);
            let old = self.b.read(cell.var);
            let bytes = self.b.pool.bits(cell.sort.address, bytes.into());
            let overlaps = self.overlaps(&cell, address, bytes);
            let mut new = self.b.pool.ite(overlaps, unknown, old);
            if sort == read_sort(cell.sort, cell.cells) {
                let is_here = self.b.pool.eq(address, cell.address);
                new = self.b.pool.ite(is_here, value, new);
            }
            self.update(at, &cell, new, source);
        }
    }

    /// Cells in a range, or all of them, become unknown.
    fn forget(&mut self, at: &mut LocId, memory: Var, range: Option<(Expr, Expr)>, function: FuncId, source: SourceId) {
        for cell in self.of_memory(memory, function) {
            let unknown = self.anything(at, read_sort(cell.sort, cell.cells), function, source);
            let old = self.b.read(cell.var);
            let new = match range {
                Some((address, bytes)) if self.b.pool.width(bytes) == cell.sort.address => {
                    let overlaps = self.overlaps(&cell, address, bytes);
                    self.b.pool.ite(overlaps, unknown, old)
                }
                _ => unknown,
            };
            self.update(at, &cell, new, source);
        }
    }

    fn fill(
        &mut self,
        at: &mut LocId,
        memory: Var,
        (address, byte, bytes): (Expr, Expr, Expr),
        function: FuncId,
        source: SourceId,
    ) {
        for cell in self.of_memory(memory, function) {
            let sort = read_sort(cell.sort, cell.cells);
            let unknown = self.anything(at, sort, function, source);
            let old = self.b.read(cell.var);
            let mut new = unknown;
            if self.b.pool.width(bytes) == cell.sort.address {
                let overlaps = self.overlaps(&cell, address, bytes);
                new = self.b.pool.ite(overlaps, unknown, old);
                if let Sort::Bits(width) = sort
                    && u64::from(width) == 8 * cell.bytes()
                {
                    let pool = &mut self.b.pool;
                    let offset = pool.binary(BinaryOp::Sub, cell.address, address);
                    let rest = pool.binary(BinaryOp::Sub, bytes, offset);
                    let size = pool.bits(cell.sort.address, cell.bytes().into());
                    let starts_inside = pool.binary(BinaryOp::UnsignedLess, offset, bytes);
                    let fits = pool.binary(BinaryOp::UnsignedLessEq, size, rest);
                    let is_inside = pool.and(starts_inside, fits);
                    let mut filled = byte;
                    for _ in 1..cell.bytes() {
                        filled = pool.binary(BinaryOp::Concat, byte, filled);
                    }
                    new = pool.ite(is_inside, filled, new);
                }
            }
            self.update(at, &cell, new, source);
        }
    }

    fn initialize(&mut self, at: &mut LocId, memory: Var, contents: u32, function: FuncId, source: SourceId) {
        for cell in self.of_memory(memory, function) {
            let sort = read_sort(cell.sort, cell.cells);
            let mut value = self.anything(at, sort, function, source);
            let size = cell.bytes();
            for segment in &self.program.initial_cells(contents).segments {
                let data = segment.data.iter().rposition(|&byte| byte != 0).map_or(0, |last| last as u64 + 1);
                let pool = &mut self.b.pool;
                // The rest of the segment is zero.
                let zeros = data.next_multiple_of(size);
                if let Some(room) = segment.bytes.checked_sub(zeros + size)
                    && let Some(zero) = Value::from_raw(sort, 0)
                {
                    let first = pool.bits(cell.sort.address, (segment.address + zeros).into());
                    let offset = pool.binary(BinaryOp::Sub, cell.address, first);
                    let last = pool.bits(cell.sort.address, room.into());
                    let is_zero = pool.binary(BinaryOp::UnsignedLessEq, offset, last);
                    let zero = pool.constant(zero);
                    value = pool.ite(is_zero, zero, value);
                }
                let count = data.div_ceil(size);
                for offset in (0..count).map(|i| i * size).take(if count <= MAX_TABLE as u64 { MAX_TABLE } else { 0 }) {
                    let known = self.program.initial_cells(contents).read(segment.address + offset, size);
                    let Some(known) = known.and_then(|raw| Value::from_raw(sort, raw)) else { continue };
                    let here = pool.bits(cell.sort.address, (segment.address + offset).into());
                    let is_here = pool.eq(cell.address, here);
                    let known = pool.constant(known);
                    value = pool.ite(is_here, known, value);
                }
            }
            self.update(at, &cell, value, source);
        }
    }
}

/// The variables that some loop changes.
fn unstable(program: &Program, loops: &Loops) -> BTreeSet<Var> {
    let heads = (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head);
    heads.flat_map(|head| loops.changes(program, head)).collect()
}

/// The variables that each function writes, including its callees.
fn writes(program: &Program) -> Vec<BTreeSet<Var>> {
    let mut writes: Vec<BTreeSet<Var>> = vec![BTreeSet::new(); program.functions.len()];
    loop {
        let mut changed = false;
        for at in 0..program.functions.len() {
            let before = writes[at].len();
            for (_, edge) in program.edges_of(FuncId(at as u32)) {
                writes[at].extend(edge.op.written());
                if let Op::Call { callee, .. } = edge.op {
                    let others = writes[callee.index()].clone();
                    writes[at].extend(others);
                }
            }
            changed |= writes[at].len() > before;
        }
        if !changed {
            return writes;
        }
    }
}

/// An expression with its reads replaced by `values`. `None` if it is a memory.
fn replace(pool: &mut Pool, root: Expr, values: &mut FxHashMap<Expr, Expr>) -> Option<Expr> {
    let mut worklist = vec![(root, false)];
    while let Some((expr, ready)) = worklist.pop() {
        if values.contains_key(&expr) {
            continue;
        }
        if matches!(pool.sort(expr), Sort::Memory(_)) {
            return None;
        }
        if !ready {
            worklist.push((expr, true));
            worklist.extend(pool.children(expr).map(|child| (child, false)));
            continue;
        }
        let new = match pool.node(expr) {
            Node::Const(_) | Node::Var(_) => expr,
            Node::Unary(op, a) => {
                let a = values[&a];
                pool.unary(op, a)
            }
            Node::Binary(op, a, b) => pool.binary(op, values[&a], values[&b]),
            Node::Ternary(op, a, b, c) => pool.ternary(op, values[&a], values[&b], values[&c]),
            Node::Read { .. } | Node::Write { .. } => return None,
        };
        values.insert(expr, new);
    }
    values.get(&root).copied()
}
