//! Cells of small objects as variables of their own.
//!
//! An access at a symbolic address concerns a few cells that its span allows, or those that are known: all cells that
//! were accessed, and those of small objects with initial contents. A read chooses among them by the bits of the index,
//! and a write changes each on the condition that the address is its own. So formulas have no arrays, for which solvers
//! are slow. Where there are too many cells, an access is one to an array as ever (see `memory`).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::execution::Execution;
use super::lazy::{Definition, Range};
use super::memory::Contents;
use super::symbols::Symbol;
use crate::expr::eval::cell_address;
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, MemorySort, Node, TernaryOp, Var};

/// The addresses that an access may have.
struct Places {
    addresses: Vec<u64>,
    /// Whether it can have no other.
    is_complete: bool,
}

/// Neighbours at equal distances, with their values.
struct Run {
    first: u64,
    values: Vec<Expr>,
}

impl Execution<'_> {
    /// Represents cells of small objects by variables from now on. The conditions of a state must then be used as a
    /// whole, since values are simplified with them.
    pub fn track_cells(&mut self) {
        self.tracks_cells = true;
    }

    /// The addresses of an access that reaches over `cells` cells. `None` if there are too many.
    fn places(&mut self, memory: Var, address: Expr, cells: u16, limit: u64) -> Option<Places> {
        let span = self.span(address)?;
        if span.count() <= limit {
            return Some(Places { addresses: span.values().collect(), is_complete: true });
        }
        let sort = self.memory_sort(memory);
        let mut known: BTreeSet<u64> = BTreeSet::new();
        let base = self.memory(memory).base();
        if let Node::Var(symbol) = self.pool.node(base)
            && let Some(&Definition::Initial(contents)) = self.definitions.get(&symbol)
        {
            let size = sort.cell.bytes();
            for segment in &self.program.initial_cells(contents).segments {
                let count = segment.bytes / size;
                if count > limit {
                    return None;
                }
                known.extend((0..count).map(|n| segment.address + n * size));
                if known.len() as u64 > limit {
                    return None;
                }
            }
        } else if self.memory(memory).table().is_empty() {
            return None;
        }
        known.extend(self.memory(memory).cells().map(|(address, _)| address));
        // An access that begins before a known cell may reach it.
        let mut addresses: BTreeSet<u64> = BTreeSet::new();
        for &cell in &known {
            for before in 0..cells {
                let offset = cell_address(sort, 0, before);
                let start = (u128::from(cell).wrapping_sub(offset) & mask(sort.address)) as u64;
                if span.contains(start) {
                    addresses.insert(start);
                }
            }
        }
        let few = addresses.len() as u64 <= limit;
        few.then(|| Places { addresses: addresses.into_iter().collect(), is_complete: false })
    }

    /// The cells at a symbolic address, chosen among few cells; `None` if there are too many.
    pub(super) fn choose(&mut self, memory: Var, address: Expr, cells: u16) -> Option<Expr> {
        if !self.tracks_cells {
            return None;
        }
        if let Some(value) = self.choose_by_case(memory, address, cells) {
            return Some(value);
        }
        let places = self.places(memory, address, cells, self.tuning.max_read_places)?;
        let step = self.memory_sort(memory).cell.bytes();
        let (mut values, mut unknown) = (Vec::new(), 0);
        for &at in &places.addresses {
            let value = self.peek_cells(memory, at, cells);
            unknown += u64::from(self.pool.as_const(value).is_none());
            if unknown > self.tuning.max_written_places {
                return None;
            }
            values.push((at, value));
        }
        if places.is_complete {
            let step = self.span(address)?.stride();
            let first = values.first()?.0;
            let values: Vec<Expr> = values.into_iter().map(|(_, value)| value).collect();
            return Some(self.pick(address, first, step, &values));
        }
        let base = self.memory(memory).base();
        let mut value = self.pool.read(base, address, cells);
        if let Node::Read { memory: below, address, cells } = self.pool.node(value) {
            if self.knows_initial_cells(memory, base) {
                for &symbol in self.symbols_in(below).iter() {
                    if let Node::Var(var) = self.pool.node(symbol) {
                        self.link_originals(symbol, var);
                    }
                }
            } else {
                self.spell_out(below, address, cells);
            }
        }
        for Run { first, values } in runs(values, step) {
            let inside = self.is_in_run(address, first, step, values.len() as u64);
            let chosen = self.pick(address, first, step, &values);
            value = self.pool.ite(inside, chosen, value);
        }
        Some(value)
    }

    /// Whether reads outside the places of an access concern unknown cells only.
    fn knows_initial_cells(&mut self, memory: Var, base: Expr) -> bool {
        let is_symbol = matches!(self.pool.node(base), Node::Var(_));
        let size = self.memory_sort(memory).cell.bytes();
        for &symbol in self.symbols_in(base).iter() {
            let Node::Var(var) = self.pool.node(symbol) else { return false };
            match self.definitions.get(&var) {
                None => {}
                Some(Definition::Initial(_)) if is_symbol => {}
                Some(&Definition::Initial(contents)) => {
                    let segments = &self.program.initial_cells(contents).segments;
                    let mut cells = segments.iter().flat_map(|s| (0..s.bytes / size).map(|n| s.address + n * size));
                    let table = self.memory(memory).table().clone();
                    if !cells.all(|cell| table.contains_key(&cell)) {
                        return false;
                    }
                }
                Some(Definition::Range { .. }) => return false,
            }
        }
        true
    }

    /// Whether an address is one of `count` ones from `first` on.
    fn is_in_run(&mut self, address: Expr, first: u64, step: u64, count: u64) -> Expr {
        let width = self.pool.width(address);
        let start = self.pool.bits(width, first.into());
        if count == 1 {
            return self.pool.eq(address, start);
        }
        let offset = self.pool.binary(BinaryOp::Sub, address, start);
        let last = self.pool.bits(width, u128::from(step * (count - 1)));
        let within = self.pool.binary(BinaryOp::UnsignedLessEq, offset, last);
        let shift = step.trailing_zeros() as u16;
        if !step.is_power_of_two() {
            let width_bits = self.pool.bits(width, step.into());
            let rest = self.pool.binary(BinaryOp::UnsignedRem, offset, width_bits);
            let zero = self.pool.bits(width, 0);
            let aligned = self.pool.eq(rest, zero);
            return self.pool.and(within, aligned);
        }
        if shift == 0 {
            return within;
        }
        let low = self.pool.extract(offset, 0, shift);
        let zero = self.pool.bits(shift, 0);
        let aligned = self.pool.eq(low, zero);
        self.pool.and(within, aligned)
    }

    /// The value with the index that an address has, which is one of those from `first` on.
    fn pick(&mut self, address: Expr, first: u64, step: u64, values: &[Expr]) -> Expr {
        if values.iter().all(|value| *value == values[0]) {
            return values[0];
        }
        let width = self.pool.width(address);
        let start = self.pool.bits(width, first.into());
        let offset = self.pool.binary(BinaryOp::Sub, address, start);
        match self.index(offset, step) {
            Some(index) => {
                let bits = (values.len() as u64 - 1).ilog2() as u16 + 1;
                self.pick_by_bits(index, bits, values)
            }
            None => self.pick_by_order(offset, step, 0, values),
        }
    }

    /// `offset / step`, where the offset is known to be a small multiple of the step.
    fn index(&mut self, offset: Expr, step: u64) -> Option<Expr> {
        let factor = match self.pool.node(offset) {
            Node::Binary(BinaryOp::Mul, x, k) => self.pool.as_const(k).map(|k| (x, k.raw())),
            Node::Binary(BinaryOp::ShiftLeft, x, k) => {
                self.pool.as_const(k).filter(|k| k.raw() < 64).map(|k| (x, 1 << k.raw()))
            }
            _ => None,
        };
        if let Some((index, factor)) = factor
            && factor == u128::from(step)
            && let Some(span) = self.span(index)
            && u128::from(span.unsigned().1) * factor <= mask(self.pool.width(offset))
        {
            return Some(index);
        }
        if !step.is_power_of_two() {
            return None;
        }
        let shift = step.trailing_zeros() as u16;
        let width = self.pool.width(offset);
        Some(self.pool.extract(offset, shift, width - shift))
    }

    /// A tree over the bits of an index below the number of values.
    fn pick_by_bits(&mut self, index: Expr, bits: u16, values: &[Expr]) -> Expr {
        let Some(bit) = bits.checked_sub(1) else { return values[0] };
        let half = 1 << bit;
        if values.len() <= half {
            return self.pick_by_bits(index, bit, values);
        }
        let low = self.pick_by_bits(index, bit, &values[..half]);
        let high = self.pick_by_bits(index, bit, &values[half..]);
        if low == high {
            return low;
        }
        let (one, digit) = (self.pool.bits(1, 1), self.pool.extract(index, bit, 1));
        let is_set = self.pool.eq(digit, one);
        self.pool.ite(is_set, high, low)
    }

    /// A tree over comparisons with an offset; the first value has the index `from`.
    fn pick_by_order(&mut self, offset: Expr, step: u64, from: u64, values: &[Expr]) -> Expr {
        if values.len() == 1 {
            return values[0];
        }
        let (half, width) = (values.len() / 2, self.pool.width(offset));
        let low = self.pick_by_order(offset, step, from, &values[..half]);
        let high = self.pick_by_order(offset, step, from + half as u64, &values[half..]);
        if low == high {
            return low;
        }
        let limit = self.pool.bits(width, u128::from(from + half as u64) * u128::from(step));
        let is_below = self.pool.binary(BinaryOp::UnsignedLess, offset, limit);
        self.pool.ite(is_below, low, high)
    }

    /// A read at one of several constant addresses on conditions is a value on the same conditions.
    fn choose_by_case(&mut self, memory: Var, address: Expr, cells: u16) -> Option<Expr> {
        let mut cases = 0;
        if !self.is_choice_of_constants(address, &mut cases, &mut BTreeMap::new()) {
            return None;
        }
        self.read_by_case(memory, address, 0, cells, &mut FxHashMap::default())
    }

    /// Whether an address is a conditional between constants, each of them plus a constant.
    fn is_choice_of_constants(&self, expr: Expr, nodes: &mut u64, seen: &mut BTreeMap<Expr, bool>) -> bool {
        if let Some(&known) = seen.get(&expr) {
            return known;
        }
        *nodes += 1;
        if *nodes > self.tuning.max_written_places {
            return false;
        }
        let known = match self.pool.node(expr) {
            Node::Const(_) => true,
            Node::Ternary(TernaryOp::Ite, _, a, b) => {
                self.is_choice_of_constants(a, nodes, seen) && self.is_choice_of_constants(b, nodes, seen)
            }
            Node::Binary(BinaryOp::Add, x, k) if self.pool.as_const(k).is_some() => {
                self.is_choice_of_constants(x, nodes, seen)
            }
            _ => false,
        };
        seen.insert(expr, known);
        known
    }

    fn read_by_case(
        &mut self,
        memory: Var,
        address: Expr,
        plus: u128,
        cells: u16,
        done: &mut FxHashMap<(Expr, u128), Expr>,
    ) -> Option<Expr> {
        if let Some(&value) = done.get(&(address, plus)) {
            return Some(value);
        }
        let mask = mask(self.pool.width(address));
        let value = match self.pool.node(address) {
            Node::Const(at) => self.read_cells(memory, (at.raw().wrapping_add(plus) & mask) as u64, cells),
            Node::Ternary(_, condition, a, b) => {
                let a = self.read_by_case(memory, a, plus, cells, done)?;
                let b = self.read_by_case(memory, b, plus, cells, done)?;
                self.pool.ite(condition, a, b)
            }
            Node::Binary(_, x, k) => {
                let plus = plus.wrapping_add(self.pool.as_const(k)?.raw()) & mask;
                self.read_by_case(memory, x, plus, cells, done)?
            }
            _ => return None,
        };
        done.insert((address, plus), value);
        Some(value)
    }

    /// Whether an address, which is a small choice of constants, is `at`.
    fn is_at(&mut self, address: Expr, at: u128, done: &mut FxHashMap<(Expr, u128), Expr>) -> Expr {
        if let Some(&value) = done.get(&(address, at)) {
            return value;
        }
        let width = self.pool.width(address);
        let value = match self.pool.node(address) {
            Node::Ternary(TernaryOp::Ite, condition, a, b) => {
                let (a, b) = (self.is_at(a, at, done), self.is_at(b, at, done));
                self.pool.ite(condition, a, b)
            }
            Node::Binary(BinaryOp::Add, x, k) if self.pool.as_const(k).is_some() => {
                let k = self.pool.as_const(k).map_or(0, |k| k.raw());
                self.is_at(x, at.wrapping_sub(k) & mask(width), done)
            }
            _ => {
                let at = self.pool.bits(width, at);
                self.pool.eq(address, at)
            }
        };
        done.insert((address, at), value);
        value
    }

    /// Writes to each cell that may be meant, on the condition that it is. Returns whether that was possible.
    pub(super) fn write_places(&mut self, memory: Var, address: Expr, parts: &[Expr], value: Expr) -> bool {
        if !self.tracks_cells {
            return false;
        }
        let sort = self.memory_sort(memory);
        let Some(places) = self.places(memory, address, parts.len() as u16, self.tuning.max_written_places) else {
            return false;
        };
        let mut changed: BTreeMap<u64, Expr> = BTreeMap::new();
        let by_case = self.is_choice_of_constants(address, &mut 0, &mut BTreeMap::new());
        let (mut done, width) = (FxHashMap::default(), self.pool.width(address));
        for &at in &places.addresses {
            let is_here = if by_case {
                self.is_at(address, at.into(), &mut done)
            } else {
                let at = self.pool.bits(width, at.into());
                self.pool.eq(address, at)
            };
            for (cell, &part) in parts.iter().enumerate() {
                let target = cell_address(sort, at.into(), cell as u16) as u64;
                let before = match changed.get(&target) {
                    Some(&value) => value,
                    None => self.contents(memory, target).value,
                };
                let after = self.pool.ite(is_here, part, before);
                changed.insert(target, after);
            }
        }
        if !places.is_complete {
            self.keep_initial_cells(memory);
            let base = self.memory(memory).base();
            let base = self.pool.write(base, address, value);
            self.memory(memory).replace_base(base);
        }
        for (target, value) in changed {
            self.memory(memory).put(target, Contents { value, written: true });
        }
        true
    }

    /// Keeps all cells with initial contents in the table, since what lies below is about to change.
    fn keep_initial_cells(&mut self, memory: Var) {
        let base = self.memory(memory).base();
        let Node::Var(symbol) = self.pool.node(base) else { return };
        let Some(&Definition::Initial(contents)) = self.definitions.get(&symbol) else { return };
        let (program, size) = (self.program, self.memory_sort(memory).cell.bytes());
        for segment in &program.initial_cells(contents).segments {
            for at in (0..segment.bytes / size).map(|n| segment.address + n * size) {
                let value = self.contents(memory, at).value;
                self.memory(memory).put(at, Contents { value, written: true });
            }
        }
    }

    /// Changes each cell of a range of bounded length, on the condition that it lies inside. Returns whether that was
    /// possible.
    pub(super) fn change_range(&mut self, memory: Var, range: Range, inside: RangeValue) -> bool {
        let Some(targets) = self.range_places(memory, range) else { return false };
        let sort = self.memory_sort(memory);
        let mut values = Vec::new();
        for &target in &targets {
            let at = self.pool.bits(sort.address, target.into());
            let is_inside = self.relative_position(sort, at, range);
            let new = match inside {
                RangeValue::Unknown => self.unknown_cell(memory, target),
                RangeValue::Filled(byte) => self.repeated(sort, byte),
                RangeValue::Copied { source, from } => {
                    let twin = self.twin(at, range, from);
                    match self.pool.as_const(twin) {
                        Some(twin) => self.contents(source, twin.raw() as u64).value,
                        None => self.search(source, twin, 1),
                    }
                }
            };
            let old = self.contents(memory, target).value;
            let rest = match sort.cell.bytes() {
                // A byte is inside or outside.
                1 => old,
                _ => {
                    let torn = self.unknown_cell(memory, target);
                    self.pool.ite(is_inside.outside, old, torn)
                }
            };
            values.push(self.pool.ite(is_inside.inside, new, rest));
        }
        for (target, value) in targets.into_iter().zip(values) {
            self.memory(memory).put(target, Contents { value, written: true });
        }
        true
    }

    /// The cells that a range may concern. `None` if there are too many.
    fn range_places(&mut self, memory: Var, range: Range) -> Option<Vec<u64>> {
        if !self.tracks_cells {
            return None;
        }
        let (sort, limit) = (self.memory_sort(memory), self.tuning.max_written_places);
        let (starts, bytes) = (self.span(range.address)?, self.span(range.bytes)?.unsigned().1);
        let size = sort.cell.bytes();
        if starts.count() > limit || bytes > limit.saturating_mul(size) {
            return None;
        }
        let mut targets = BTreeSet::new();
        for start in starts.values() {
            // Cells that begin before the range may overlap it too.
            let first = if size == 1 { 0 } else { 1 - size as i64 };
            targets.extend((first..bytes as i64).map(|n| start.wrapping_add_signed(n) & mask(sort.address) as u64));
        }
        (targets.len() as u64 <= limit).then(|| targets.into_iter().collect())
    }

    fn unknown_cell(&mut self, memory: Var, address: u64) -> Expr {
        let symbol = Symbol::Cell { step: self.steps, memory, address };
        let sort = self.memory_sort(memory).cell.sort();
        self.symbols.expr(&mut self.pool, symbol, sort)
    }

    /// The symbol of an unknown cell of a memory symbol, unless that is an array already.
    pub(super) fn original_cell(&mut self, symbol: Var, sort: MemorySort, address: Expr) -> Option<Expr> {
        let at = self.pool.as_const(address)?.raw() as u64;
        if !self.tracks_cells {
            return None;
        }
        if let Some(&cell) = self.originals.get(&symbol).and_then(|cells| cells.get(&at)) {
            return Some(cell);
        }
        if self.arrays.contains(&symbol) {
            return None;
        }
        let name = Symbol::Original { memory: symbol, address: at };
        let cell = self.symbols.expr(&mut self.pool, name, sort.cell.sort());
        self.originals.entry(symbol).or_default().insert(at, cell);
        Some(cell)
    }

    /// States that the symbols of unknown cells are those of the array, before it is read as one.
    pub(super) fn link_originals(&mut self, memory: Expr, symbol: Var) {
        if !self.tracks_cells {
            return;
        }
        self.arrays.insert(symbol);
        if self.state.linked.insert(symbol).is_some() {
            return;
        }
        let sort = self.sort_of(memory);
        let cells: Vec<(u64, Expr)> =
            self.originals.get(&symbol).into_iter().flatten().map(|(&at, &cell)| (at, cell)).collect();
        for (at, cell) in cells {
            let at = self.pool.bits(sort.address, at.into());
            let element = self.pool.read(memory, at, 1);
            let fact = self.pool.eq(element, cell);
            self.pending.push(fact);
        }
    }
}

/// What a range of a memory variable receives.
#[derive(Clone, Copy)]
pub(super) enum RangeValue {
    Unknown,
    Filled(Expr),
    Copied { source: Var, from: Expr },
}

/// Groups sorted cells into runs of neighbours.
fn runs(cells: Vec<(u64, Expr)>, step: u64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (address, value) in cells {
        match runs.last_mut() {
            Some(run) if address - run.first == step * run.values.len() as u64 => run.values.push(value),
            _ => runs.push(Run { first: address, values: vec![value] }),
        }
    }
    runs
}
