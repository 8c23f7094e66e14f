//! The strongest post of paper 000, §3: the effect of operations on known values.
//!
//! Generic over [`Store`], so that exploration and refinement share one semantics.

use std::ops::{Range, RangeInclusive};

use smallvec::SmallVec;

use super::assume::assume;
use super::cells::CellKey;
use super::eval::{Evaluator, Known, Semantics};
use crate::cfa::{EdgeId, FuncId, Op, Step};
use crate::expr::eval::{cell_address, written_cells};
use crate::expr::{Cell, Expr, MemorySort, Node, Sort, Var};

/// All addresses.
pub const EVERYWHERE: RangeInclusive<u64> = 0..=u64::MAX;

/// A mutable store of known values.
pub trait Store: Known {
    /// Starts an evaluation that is independent of earlier ones in the same step.
    fn begin(&mut self) {}

    /// The values read since `begin` determine which cells of `memory` an operation writes.
    fn located(&mut self, _memory: Var) {}

    /// The reads since `begin`.
    fn evaluated(&self) -> Range<u32> {
        0..0
    }

    /// Subsequent writes depend on these reads instead of those since `begin`.
    fn recall(&mut self, _reads: Range<u32>) {}

    /// Whether the value of a variable or sum is tracked.
    fn tracks(&self, _var: Var) -> bool {
        true
    }

    /// Sets a scalar variable; `None` makes it unknown.
    fn set_scalar(&mut self, var: Var, word: Option<u64>);

    /// Sets a cell; `None` makes it unknown.
    fn set_cell(&mut self, memory: Var, address: u64, word: Option<u64>);

    /// Sets a cell to the only value that an assumption allows. The rest of the assumption may use it.
    fn pin(&mut self, key: CellKey, word: u64) {
        match key.address {
            None => self.set_scalar(key.var, Some(word)),
            Some(address) => self.set_cell(key.var, address, Some(word)),
        }
    }

    /// Makes all cells with addresses in `range` unknown.
    fn forget(&mut self, memory: Var, range: RangeInclusive<u64>);

    /// Sets a memory with cells of `sort` to the initial contents with this index.
    fn initialize(&mut self, memory: Var, sort: MemorySort, contents: u32);

    /// Copies all of `source` to `target`.
    fn copy_all(&mut self, target: Var, source: Var);

    /// Drops values that are dead while the callee of `call` runs.
    fn forget_dead(&mut self, _call: EdgeId) {}

    /// Enters a function whose variables are unknown. Those of other activations of it are kept.
    fn enter(&mut self, callee: FuncId);

    /// Leaves a function.
    fn leave(&mut self, callee: FuncId);
}

/// Applies `step` to `store`. Returns false if the step cannot be taken.
pub fn transfer<S: Store>(semantics: &Semantics<'_>, store: &mut S, step: Step) -> bool {
    let program = semantics.program;
    store.begin();
    match program.edge(step.edge).op {
        Op::Skip | Op::Unsupported(_) => true,
        Op::Assume(condition) => assume(semantics, store, condition),
        Op::Assign(var, expr) => match program.var(var).sort {
            Sort::Memory(_) => assign_memory(semantics, store, var, expr),
            _ => {
                let mut evaluator = Evaluator::new(semantics, store);
                let word = evaluator.word(expr);
                if evaluator.crashed {
                    return false;
                }
                if semantics.sums.changes(step).is_empty() {
                    store.set_scalar(var, word);
                } else {
                    let mut writes = Writes::default();
                    writes.add(store, var, word);
                    writes.add_sums(semantics, store, step);
                    writes.commit(store);
                }
                true
            }
        },
        Op::Havoc(var, _) => {
            match program.var(var).sort {
                Sort::Memory(_) => store.forget(var, EVERYWHERE),
                _ => {
                    store.set_scalar(var, None);
                    semantics.sums.containing(var).iter().for_each(|&sum| store.set_scalar(sum, None));
                }
            }
            true
        }
        Op::Store { memory, address, value } => write(semantics, store, memory, address, value),
        Op::Forget { memory, address, bytes } => match range(semantics, store, memory, address, bytes) {
            Ok(Some((address, bytes))) => {
                forget_bytes(semantics, store, memory, address, bytes);
                true
            }
            Ok(None) => {
                store.forget(memory, EVERYWHERE);
                true
            }
            Err(Crashed) => false,
        },
        Op::Fill { memory, address, byte, bytes } => fill(semantics, store, memory, address, byte, bytes),
        Op::Copy { target, to, source, from, bytes } => {
            copy(semantics, store, CopyOperation { target, to, source, from, bytes })
        }
        Op::Initialize { memory, contents } => {
            store.initialize(memory, memory_sort(semantics, memory), contents);
            true
        }
        Op::Call { callee, ref args, .. } => call(semantics, store, step, callee, args),
        Op::Return(value) => {
            let Some(call) = step.call else { return true };
            return_to_caller(semantics, store, step, value, call)
        }
    }
}

/// The program crashes.
struct Crashed;

/// Simultaneous writes to scalar variables and sums: all values are those before the step.
#[derive(Default)]
struct Writes {
    writes: SmallVec<[Write; 4]>,
}

/// A write with the reads that its value depends on.
struct Write {
    var: Var,
    word: Option<u64>,
    reads: Range<u32>,
}

impl Writes {
    /// Adds a write to `var` of the value that was evaluated last.
    fn add<S: Store>(&mut self, store: &S, var: Var, word: Option<u64>) {
        self.writes.push(Write { var, word, reads: store.evaluated() });
    }

    /// Adds writes to the sums whose variables `step` writes.
    fn add_sums<S: Store>(&mut self, semantics: &Semantics<'_>, store: &mut S, step: Step) {
        for change in semantics.sums.changes(step) {
            store.begin();
            let word =
                if store.tracks(change.sum) { Evaluator::new(semantics, store).sum(&change.becomes) } else { None };
            self.add(store, change.sum, word);
        }
    }

    fn commit<S: Store>(self, store: &mut S) {
        for Write { var, word, reads } in self.writes {
            store.recall(reads);
            store.set_scalar(var, word);
        }
    }
}

fn memory_sort(semantics: &Semantics<'_>, memory: Var) -> MemorySort {
    match semantics.program.var(memory).sort {
        Sort::Memory(sort) => sort,
        sort => panic!("a memory is expected, this is of sort {sort}"),
    }
}

/// Assigns a memory expression: copies the base variable, then applies the writes from the innermost outwards.
fn assign_memory<S: Store>(semantics: &Semantics<'_>, store: &mut S, var: Var, mut expr: Expr) -> bool {
    let pool = &semantics.program.pool;
    let mut writes = SmallVec::<[(u64, u128, Expr); 2]>::new();
    let base = loop {
        let mut evaluator = Evaluator::new(semantics, store);
        match pool.node(expr) {
            Node::Var(base) => break base,
            Node::Ternary(_, condition, then, otherwise) => match evaluator.truth(condition) {
                _ if evaluator.crashed => return false,
                Some(holds) => expr = if holds { then } else { otherwise },
                None => {
                    store.forget(var, EVERYWHERE);
                    return true;
                }
            },
            Node::Write { memory, address, value } => {
                let (place, raw) = (evaluator.raw(address), evaluator.raw(value));
                if evaluator.crashed {
                    return false;
                }
                let Some(place) = place else {
                    store.forget(var, EVERYWHERE);
                    return true;
                };
                match raw {
                    Some(raw) => writes.push((place as u64, raw, value)),
                    // The cells that this write overwrites must not stay known, so the whole memory is havocked.
                    None => {
                        store.forget(var, EVERYWHERE);
                        return true;
                    }
                }
                expr = memory;
            }
            node => unreachable!("not a memory: {node:?}"),
        }
    };
    store.located(var);
    if base != var {
        store.copy_all(var, base);
    }
    for (address, raw, value) in writes.into_iter().rev() {
        put(semantics, store, var, address, Some(raw), value);
    }
    true
}

/// Writes the cells of `value`, whose raw value is `raw`, starting at `address`.
fn put<S: Store>(semantics: &Semantics<'_>, store: &mut S, memory: Var, address: u64, raw: Option<u128>, value: Expr) {
    let sort = memory_sort(semantics, memory);
    let cells = written_cells(&semantics.program.pool, sort, value);
    let cell_sort = sort.cell.sort();
    for i in 0..cells {
        let part = raw.map(|raw| match sort.cell {
            Cell::Bits(width) => semantics.words.word(cell_sort, raw >> (i * width) & crate::expr::value::mask(width)),
            Cell::Float(_) => semantics.words.word(cell_sort, raw),
        });
        store.set_cell(memory, cell_address(sort, address.into(), i) as u64, part);
    }
}

fn write<S: Store>(semantics: &Semantics<'_>, store: &mut S, memory: Var, address: Expr, value: Expr) -> bool {
    let mut evaluator = Evaluator::new(semantics, store);
    let place = evaluator.raw(address);
    if let Some(place) = place {
        evaluator.access(place as u64);
    }
    if evaluator.crashed {
        return false;
    }
    evaluator.known.located(memory);
    let raw = evaluator.raw(value);
    if evaluator.crashed {
        return false;
    }
    match place {
        Some(place) => put(semantics, store, memory, place as u64, raw, value),
        None => store.forget(memory, EVERYWHERE),
    }
    true
}

/// Evaluates an address and a length; `None` if either is unknown.
fn range<S: Store>(
    semantics: &Semantics<'_>,
    store: &mut S,
    memory: Var,
    address: Expr,
    bytes: Expr,
) -> Result<Option<(u64, u64)>, Crashed> {
    let mut evaluator = Evaluator::new(semantics, store);
    let (address, bytes) = (evaluator.raw(address), evaluator.raw(bytes));
    if let (Some(address), Some(1..)) = (address, bytes) {
        evaluator.access(address as u64);
    }
    if evaluator.crashed {
        return Err(Crashed);
    }
    store.located(memory);
    Ok(address.zip(bytes).and_then(|(a, b)| Some((u64::try_from(a).ok()?, u64::try_from(b).ok()?))))
}

/// Makes all cells that overlap the range unknown.
fn forget_bytes<S: Store>(semantics: &Semantics<'_>, store: &mut S, memory: Var, address: u64, bytes: u64) {
    let size = memory_sort(semantics, memory).cell.bytes();
    if bytes > 0 {
        store.forget(memory, address.saturating_sub(size - 1)..=address.saturating_add(bytes - 1));
    }
}

/// The addresses of the cells in a range, if they fill it exactly and are not too many. Operations on more cells havoc
/// them.
fn whole_cells(semantics: &Semantics<'_>, memory: Var, address: u64, bytes: u64) -> Option<impl Iterator<Item = u64>> {
    let size = memory_sort(semantics, memory).cell.bytes();
    let fits = bytes.is_multiple_of(size)
        && bytes / size <= semantics.tuning.max_cells
        && address.checked_add(bytes).is_some();
    fits.then(|| (address..address + bytes).step_by(size as usize))
}

fn fill<S: Store>(
    semantics: &Semantics<'_>,
    store: &mut S,
    memory: Var,
    address: Expr,
    byte: Expr,
    bytes: Expr,
) -> bool {
    let Ok(place) = range(semantics, store, memory, address, bytes) else { return false };
    let mut evaluator = Evaluator::new(semantics, store);
    let byte = evaluator.raw(byte);
    if evaluator.crashed {
        return false;
    }
    let Some((address, bytes)) = place else {
        store.forget(memory, EVERYWHERE);
        return true;
    };
    forget_bytes(semantics, store, memory, address, bytes);
    if let (Some(byte), Some(cells)) = (byte, whole_cells(semantics, memory, address, bytes)) {
        let sort = memory_sort(semantics, memory).cell.sort();
        let repeated = (0..16).fold(0, |raw, i| raw | (byte & 0xff) << (8 * i));
        let raw = crate::expr::Value::from_raw(sort, repeated).map(|value| value.raw());
        let word = raw.map(|raw| semantics.words.word(sort, raw));
        for cell in cells {
            store.set_cell(memory, cell, word);
        }
    }
    true
}

struct CopyOperation {
    target: Var,
    to: Expr,
    source: Var,
    from: Expr,
    bytes: Expr,
}

fn copy<S: Store>(semantics: &Semantics<'_>, store: &mut S, copy: CopyOperation) -> bool {
    let CopyOperation { target, to, source, from, bytes } = copy;
    let Ok(written) = range(semantics, store, target, to, bytes) else { return false };
    let Ok(read) = range(semantics, store, target, from, bytes) else { return false };
    let Some((to, bytes)) = written else {
        store.forget(target, EVERYWHERE);
        return true;
    };
    let cells = read.and_then(|(from, _)| Some((from, whole_cells(semantics, source, from, bytes)?)));
    let values = cells.map(|(from, cells)| {
        let values = cells.map(|address| (address - from, store.cell(source, address)));
        values.filter_map(|(offset, word)| Some((offset, word?))).collect::<Vec<_>>()
    });
    forget_bytes(semantics, store, target, to, bytes);
    for (offset, word) in values.unwrap_or_default() {
        store.set_cell(target, to.wrapping_add(offset), Some(word));
    }
    true
}

fn call<S: Store>(semantics: &Semantics<'_>, store: &mut S, step: Step, callee: FuncId, args: &[Expr]) -> bool {
    let mut writes = Writes::default();
    for (&param, &arg) in semantics.program.function(callee).params.iter().zip(args) {
        store.begin();
        let mut evaluator = Evaluator::new(semantics, store);
        let word = evaluator.word(arg);
        if evaluator.crashed {
            return false;
        }
        writes.add(store, param, word);
    }
    writes.add_sums(semantics, store, step);
    store.forget_dead(step.edge);
    store.enter(callee);
    writes.commit(store);
    true
}

/// Leaves a function and assigns its result to the variable of `call`.
fn return_to_caller<S: Store>(
    semantics: &Semantics<'_>,
    store: &mut S,
    step: Step,
    value: Option<Expr>,
    call: EdgeId,
) -> bool {
    let program = semantics.program;
    let mut evaluator = Evaluator::new(semantics, store);
    let word = value.and_then(|value| evaluator.word(value));
    if evaluator.crashed {
        return false;
    }
    let mut writes = Writes::default();
    if let Op::Call { result: Some(var), .. } = program.edge(call).op {
        writes.add(store, var, word);
        writes.add_sums(semantics, store, step);
    }
    store.leave(program.location(program.edge(step.edge).from).function);
    writes.commit(store);
    true
}
