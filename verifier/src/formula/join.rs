//! Joins: one state for several paths.
//!
//! A choice selects the path, and values that differ become conditionals on it. If the paths diverge on a condition and
//! its negation, that condition is the choice. Otherwise it is a fresh symbol, so that no run is lost where both paths
//! are feasible. The choices of a model determine one path.

use std::collections::BTreeSet;

use imbl::ordmap::DiffItem;

use super::execution::Execution;
use super::memory::{Contents, Memory};
use super::past::all;
use super::spans;
use super::state::{Frame, Origin, State};
use super::symbols::Symbol;
use crate::cfa::program::{EdgeId, FuncId, Op};
use crate::expr::{Expr, Sort, Var};
use crate::facts::live::Liveness;

impl Execution<'_> {
    /// Joins two states at the same location, with the same active calls, of executions with the same start. The result
    /// becomes the current state; the previous one is irrelevant.
    pub fn join(&mut self, a: &State, b: &State) {
        debug_assert!(a.location == b.location && a.calls().eq(b.calls()));
        let common = self.pasts.common(a.condition, b.condition);
        let mut branches = [a, b].map(|state| self.pasts.conditions(common, state.condition));
        let choice = self.choice(&mut branches);
        let [first, second] = branches.map(|conditions| all(&mut self.pool, &conditions));
        let condition = self.pool.ite(choice, first, second);
        let past = self.pasts.join(choice, a.past, b.past);
        let spelled_out = match a.spelled_out.ptr_eq(&b.spelled_out) {
            true => a.spelled_out.clone(),
            false => a.spelled_out.clone().intersection(b.spelled_out.clone()),
        };
        let linked = match a.linked.ptr_eq(&b.linked) {
            true => a.linked.clone(),
            false => a.linked.clone().intersection(b.linked.clone()),
        };
        let facts = spans::join(&a.facts, &b.facts);
        self.state = State { condition: common, past, spelled_out, linked, facts, ..a.clone() };
        self.pending.push(condition);
        self.state.globals = self.join_frames(choice, &a.globals, &b.globals, None);
        for (i, (a, b)) in a.frames.iter().zip(&b.frames).enumerate() {
            let function = a.call.map_or(self.program.start, |call| self.callee(call));
            self.state.frames[i] = self.join_frames(choice, a, b, Some(function));
        }
        self.commit_pending();
    }

    /// The condition that selects the first path; removed from the conditions of both.
    fn choice(&mut self, branches: &mut [Vec<Expr>; 2]) -> Expr {
        if let [Some(&first), Some(&second)] = [branches[0].first(), branches[1].first()]
            && self.pool.not(first) == second
        {
            for branch in branches {
                branch.remove(0);
            }
            return first;
        }
        self.choices += 1;
        let symbol = Symbol::Choice { step: self.steps, number: self.choices };
        self.symbols.expr(&mut self.pool, symbol, Sort::Bool)
    }

    fn join_frames(&mut self, choice: Expr, a: &Frame, b: &Frame, function: Option<FuncId>) -> Frame {
        let mut joined = a.clone();
        let is_before = |frame: &Frame| matches!(frame.origin, Origin::Before(_));
        if let Some(function) = function
            && a.origin != b.origin
            && (is_before(a) || is_before(b))
        {
            // Variables without an entry differ too.
            for var in self.program.function(function).locals.clone() {
                match self.program.var(var).sort {
                    Sort::Memory(_) => self.join_memory(choice, a, b, &mut joined, var),
                    _ => self.join_scalar(choice, a, b, &mut joined, var),
                }
            }
            return joined;
        }
        let scalars: Vec<Var> = a.scalars.diff(&b.scalars).map(|item| changed(&item)).collect();
        for var in scalars {
            self.join_scalar(choice, a, b, &mut joined, var);
        }
        // Memories cannot be compared cheaply, but there are few.
        for (&var, _) in a.memories.iter().chain(b.memories.iter().filter(|(var, _)| !a.memories.contains_key(*var))) {
            self.join_memory(choice, a, b, &mut joined, var);
        }
        joined
    }

    fn join_scalar(&mut self, choice: Expr, a: &Frame, b: &Frame, joined: &mut Frame, var: Var) {
        let [first, second] = [a, b].map(|frame| match frame.scalars.get(&var) {
            Some(&value) => value,
            None => self.original(frame.origin, var),
        });
        let value = self.pool.ite(choice, first, second);
        joined.scalars.insert(var, value);
    }

    fn join_memory(&mut self, choice: Expr, a: &Frame, b: &Frame, joined: &mut Frame, var: Var) {
        let [first, second] = [a, b].map(|frame| match frame.memories.get(&var) {
            Some(memory) => memory.clone(),
            None => Memory::new(self.original(frame.origin, var)),
        });
        let memory = match first.base() == second.base() {
            true => self.join_cells(choice, first, &second),
            false if self.are_small(&first, &second) => self.join_all_cells(choice, &first, &second),
            false => {
                let sort = self.memory_sort(var);
                let [first, second] = [first, second].map(|memory| self.with_cells_written(&memory, sort));
                Memory::new(self.pool.ite(choice, first, second))
            }
        };
        joined.memories.insert(var, memory);
    }

    /// Whether memories with different bases are joined cell by cell.
    fn are_small(&self, first: &Memory, second: &Memory) -> bool {
        let cells = first.table().len() + second.table().len();
        self.tracks_cells && cells as u64 <= self.tuning.max_read_places
    }

    /// Joins memories with different bases such that all known cells stay apart from the base.
    fn join_all_cells(&mut self, choice: Expr, first: &Memory, second: &Memory) -> Memory {
        let mut joined = Memory::new(self.pool.ite(choice, first.base(), second.base()));
        let addresses: BTreeSet<u64> = first.table().keys().chain(second.table().keys()).copied().collect();
        for address in addresses {
            let [a, b] = [first, second].map(|memory| match memory.table().get(&address) {
                Some(contents) => contents.value,
                None => self.base_cell(memory.base(), address),
            });
            joined.put(address, Contents { value: self.pool.ite(choice, a, b), written: true });
        }
        joined
    }

    /// Joins memories with the same base: they differ only in cells.
    fn join_cells(&mut self, choice: Expr, first: Memory, second: &Memory) -> Memory {
        let changed: Vec<u64> = first.table().diff(second.table()).map(|item| changed(&item)).collect();
        let mut joined = first.clone();
        for address in changed {
            let [a, b] = [&first, second].map(|memory| match memory.table().get(&address) {
                Some(&contents) => contents,
                None => Contents { value: self.base_cell(memory.base(), address), written: false },
            });
            let value = self.pool.ite(choice, a.value, b.value);
            joined.put(address, Contents { value, written: a.written || b.written });
        }
        joined
    }

    /// Replaces dead variables by a common symbol, so that they do not differ at joins.
    pub fn forget_dead(&mut self, liveness: &Liveness) {
        for &var in liveness.dead_at(self.state.location) {
            let value = self.symbols.expr(&mut self.pool, Symbol::Dead { var }, self.program.var(var).sort);
            self.set(var, value);
        }
    }

    pub(super) fn callee(&self, call: EdgeId) -> FuncId {
        match self.program.edge(call).op {
            Op::Call { callee, .. } => callee,
            _ => unreachable!("only calls begin activations"),
        }
    }
}

fn changed<K: Copy, V>(item: &DiffItem<'_, '_, K, V>) -> K {
    match item {
        DiffItem::Add(key, _) | DiffItem::Remove(key, _) => **key,
        DiffItem::Update { old: (key, _), .. } => **key,
    }
}
