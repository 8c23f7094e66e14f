//! The strongest post of paper 000, §3: what an operation does to what is known.
//!
//! It works on any [`Store`], so that exploration and refinement cannot differ in what they think an operation does.

use std::ops::{Range, RangeInclusive};

use smallvec::SmallVec;

use super::assume::assume;
use super::cells::Place;
use super::eval::{Evaluator, Known, Semantics};
use crate::cfa::eval::{cell_address, written_cells};
use crate::cfa::{Cell, EdgeId, Expr, FuncId, MemorySort, Node, Op, Sort, Step, Var};

/// Operations on more cells than this forget them instead.
pub const MANY_CELLS: u64 = 1 << 16;

/// All addresses.
pub const EVERYWHERE: RangeInclusive<u64> = 0..=u64::MAX;

/// What is known, and can change.
pub trait Store: Known {
    /// An evaluation begins that does not depend on those before, within one step.
    fn begin(&mut self) {}

    /// What was evaluated since `begin` decides which cells of `memory` an operation changes.
    fn located(&mut self, _memory: Var) {}

    /// What was read since `begin`.
    fn evaluated(&self) -> Range<u32> {
        0..0
    }

    /// What is set from now on depends on these reads.
    fn recall(&mut self, _reads: Range<u32>) {}

    /// Does it matter what value a variable, or a sum, takes?
    fn wants(&self, _var: Var) -> bool {
        true
    }

    /// A scalar variable takes a value; `None` is an unknown one.
    fn set_scalar(&mut self, var: Var, word: Option<u64>);

    /// A cell takes a value.
    fn set_cell(&mut self, memory: Var, address: u64, word: Option<u64>);

    /// An assumption leaves one value to a cell. The rest of the assumption can rely on it.
    fn pin(&mut self, place: Place, word: u64) {
        match place.address {
            None => self.set_scalar(place.var, Some(word)),
            Some(address) => self.set_cell(place.var, address, Some(word)),
        }
    }

    /// All cells at the addresses in `range` take unknown values.
    fn forget(&mut self, memory: Var, range: RangeInclusive<u64>);

    /// The memory takes the initial contents of that number; its cells are of `sort`.
    fn initialize(&mut self, memory: Var, sort: MemorySort, contents: u32);

    /// All of `target` becomes what `source` is.
    fn copy_all(&mut self, target: Var, source: Var);

    /// What is dead while the callee of `call` runs need not be known any more.
    fn bury(&mut self, _call: EdgeId) {}

    /// A function starts, all of whose variables are unknown; those of activations of it that are under way stay.
    fn enter(&mut self, callee: FuncId);

    /// A function ends.
    fn leave(&mut self, callee: FuncId);
}

/// Changes `store` by `step`. False if the step cannot be taken.
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
                    writes.carry_out(store);
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
            give_back(semantics, store, step, value, call)
        }
    }
}

/// The program ends at an operation.
struct Crashed;

/// Scalar variables and sums that are written at once: all values are those of before.
#[derive(Default)]
struct Writes {
    writes: SmallVec<[Write; 4]>,
}

/// A variable or sum, its new value, and what that depends on.
struct Write {
    var: Var,
    word: Option<u64>,
    reads: Range<u32>,
}

impl Writes {
    /// What was evaluated last becomes the value of `var`.
    fn add<S: Store>(&mut self, store: &S, var: Var, word: Option<u64>) {
        self.writes.push(Write { var, word, reads: store.evaluated() });
    }

    /// The sums whose variables are written in `step` as well.
    fn add_sums<S: Store>(&mut self, semantics: &Semantics<'_>, store: &mut S, step: Step) {
        for change in semantics.sums.changes(step) {
            store.begin();
            let word =
                if store.wants(change.sum) { Evaluator::new(semantics, store).sum(&change.becomes) } else { None };
            self.add(store, change.sum, word);
        }
    }

    fn carry_out<S: Store>(self, store: &mut S) {
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

/// `var = expr` for memories: the variable below all writes, then the writes from the innermost one on.
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
                    // Later writes cannot bring back what this one hides, so nothing is kept of the whole.
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

/// Writes the cells of `value`, whose representation is `raw`, from `address` on.
fn put<S: Store>(semantics: &Semantics<'_>, store: &mut S, memory: Var, address: u64, raw: Option<u128>, value: Expr) {
    let sort = memory_sort(semantics, memory);
    let cells = written_cells(&semantics.program.pool, sort, value);
    let cell_sort = sort.cell.sort();
    for i in 0..cells {
        let part = raw.map(|raw| match sort.cell {
            Cell::Bits(width) => semantics.words.word(cell_sort, raw >> (i * width) & crate::cfa::value::mask(width)),
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

/// Evaluates an address and a length; `None` if one of them is unknown.
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

/// All cells that have a byte in the range take unknown values.
fn forget_bytes<S: Store>(semantics: &Semantics<'_>, store: &mut S, memory: Var, address: u64, bytes: u64) {
    let size = memory_sort(semantics, memory).cell.bytes();
    if bytes > 0 {
        store.forget(memory, address.saturating_sub(size - 1)..=address.saturating_add(bytes - 1));
    }
}

/// The addresses of the cells that lie in the range, if they fill it and are not too many.
fn whole_cells(semantics: &Semantics<'_>, memory: Var, address: u64, bytes: u64) -> Option<impl Iterator<Item = u64>> {
    let size = memory_sort(semantics, memory).cell.bytes();
    let fits = bytes.is_multiple_of(size) && bytes / size <= MANY_CELLS && address.checked_add(bytes).is_some();
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
        let raw = crate::cfa::Value::from_raw(sort, repeated).map(|value| value.raw());
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
    store.bury(step.edge);
    store.enter(callee);
    writes.carry_out(store);
    true
}

/// Leaves a function and gives its result to the variable that `call` names.
fn give_back<S: Store>(
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
    writes.carry_out(store);
    true
}
