//! Slicing: what no error and no unsupported operation depends on is removed.
//!
//! A location is kept if one of its operations writes a relevant variable or calls a relevant function. It is also kept
//! if it decides which kept location comes next (Danicic et al., "A unifying theory of control dependence and its
//! application to arbitrary program structures": weak commitment closure). A variable is relevant if a kept location
//! reads it.
//!
//! Ends of the program are observed like kept locations, so assumptions stay. Loops that wait for external functions stay,
//! since a violation behind them depends on these. Other loops without kept locations are taken to terminate, and accesses to memory to be valid: the slice may have more runs to errors than the program, never fewer.

use std::collections::BTreeSet;

use super::external::ends_of_waiting;
use super::observe::{END, EXIT, Observed, may_stick, observe};
use super::rebuild::rebuild;
use crate::cfa::program::{FuncId, LocId, Op, Program, Scope};
use crate::expr::{Expr, Node, Sort, Value, Var};
use crate::facts::loops::Prospects;

/// Removes what neither `errors` nor unsupported operations depend on.
pub(super) fn slice(program: &mut Program, errors: &[LocId], max_work: u64) {
    let sliced = {
        let mut slicer = Slicer::new(program, errors);
        if !slicer.run(max_work) {
            return;
        }
        slicer.finish()
    };
    let mut keeps = vec![false; program.edges.len()];
    for (edge, (op, to)) in sliced {
        keeps[edge as usize] = true;
        let zero = |program: &mut Program, expr: Expr| {
            Value::from_raw(program.pool.sort(expr), 0).map_or(expr, |value| program.pool.constant(value))
        };
        program.edges[edge as usize].op = match op {
            Kept::Same => program.edges[edge as usize].op.clone(),
            Kept::Skip => Op::Skip,
            Kept::Return(value) => Op::Return(Some(zero(program, value))),
            Kept::Call { callee, mut args, result, unused } => {
                for at in unused {
                    args[at] = zero(program, args[at]);
                }
                Op::Call { callee, args, result }
            }
        };
        program.edges[edge as usize].to = to;
    }
    rebuild(program, keeps);
}

/// The operation of an edge in the slice.
enum Kept {
    Same,
    Skip,
    /// Returns any value instead of this one.
    Return(Expr),
    /// A call without its irrelevant result; the arguments in `unused` may have any value.
    Call {
        callee: FuncId,
        args: Box<[Expr]>,
        result: Option<Var>,
        unused: Vec<usize>,
    },
}

struct Slicer<'p> {
    program: &'p Program,
    /// Whether an error or unsupported operation can be reached from a location, possibly after a return.
    useful: Vec<bool>,
    is_error: Vec<bool>,
    /// Whether a location decides that a loop ends which may wait for an external function.
    waits: Vec<bool>,
    kept: Vec<bool>,
    vars: Vec<bool>,
    /// Whether some call uses the result of a function.
    results: Vec<bool>,
    /// Whether a function has kept locations, or does not return to where an error can be reached.
    functions: Vec<bool>,
    /// The functions that write a variable.
    writers: Vec<Vec<FuncId>>,
    callers: Vec<Vec<FuncId>>,
    visited: Vec<bool>,
    dirty: BTreeSet<FuncId>,
    /// The number of locations that were looked at.
    work: u64,
}

impl<'p> Slicer<'p> {
    fn new(program: &'p Program, errors: &[LocId]) -> Self {
        let mut is_error = vec![false; program.locations.len()];
        errors.iter().for_each(|error| is_error[error.index()] = true);
        let mut writers = vec![Vec::new(); program.vars.len()];
        let mut callers = vec![Vec::new(); program.functions.len()];
        for function in (0..program.functions.len() as u32).map(FuncId) {
            for (_, edge) in program.edges_of(function) {
                if let Some(var) = edge.op.written()
                    && writers[var.index()].last() != Some(&function)
                {
                    writers[var.index()].push(function);
                }
                if let Op::Call { callee, .. } = edge.op
                    && callers[callee.index()].last() != Some(&function)
                {
                    callers[callee.index()].push(function);
                }
            }
        }
        Slicer {
            useful: useful(program, errors),
            is_error,
            waits: ends_of_waiting(program),
            kept: vec![false; program.locations.len()],
            vars: vec![false; program.vars.len()],
            results: vec![false; program.functions.len()],
            functions: vec![false; program.functions.len()],
            writers,
            callers,
            visited: vec![false; program.pool.len()],
            dirty: (0..program.functions.len() as u32).map(FuncId).collect(),
            work: 0,
            program,
        }
    }

    /// Whether that took at most `max_work`; if not, something may be missing.
    fn run(&mut self, max_work: u64) -> bool {
        for (location, property) in self.program.error_locations() {
            if self.is_error[location.index()] && self.useful[location.index()] {
                property.operands.iter().for_each(|operand| self.read(operand.value));
            }
        }
        while let Some(function) = self.dirty.pop_last() {
            while self.grow(function) {
                if self.work > max_work {
                    return false;
                }
            }
            let entry = self.program.function(function).entry;
            let observed = self.observed(function);
            if observed.at(entry) != EXIT && !std::mem::replace(&mut self.functions[function.index()], true) {
                self.dirty.extend(&self.callers[function.index()]);
            }
        }
        true
    }

    fn observed(&self, function: FuncId) -> Observed {
        observe(self.program, function, &self.kept, &self.useful)
    }

    /// Adds locations of a function that must be kept. Returns whether there are any.
    fn grow(&mut self, function: FuncId) -> bool {
        let program = self.program;
        let mut new: Vec<LocId> = Vec::new();
        for location in program.function(function).locations.clone().map(LocId) {
            if self.useful[location.index()] && !self.kept[location.index()] && self.matters(location) {
                new.push(location);
            }
        }
        for &location in &new {
            self.kept[location.index()] = true;
        }
        let observed = self.observed(function);
        self.work += observed.work;
        let deciding = observed.deciding(program, &self.kept, &self.useful);
        for &location in &deciding {
            self.kept[location.index()] = true;
        }
        new.extend(deciding);
        // Which arguments and results are read depends on other functions, so these are looked at again.
        let passes_values = |op: &Op| matches!(op, Op::Call { .. } | Op::Return(_));
        let kept = program.function(function).locations.clone().map(LocId).filter(|l| self.kept[l.index()]);
        let calls = kept.filter(|&l| program.leaving(l).any(|(_, edge)| passes_values(&edge.op)));
        let calls: Vec<LocId> = calls.collect();
        for location in new.iter().copied().chain(calls) {
            for (_, edge) in program.leaving(location) {
                self.read_operands(function, &edge.op);
            }
        }
        !new.is_empty()
    }

    /// Whether a location must be kept for what its edges do.
    fn matters(&self, location: LocId) -> bool {
        let program = self.program;
        let traps = |op: &Op| {
            let mut traps = false;
            op.for_each_expr(|expr| traps |= program.pool.may_trap(expr));
            traps
        };
        let mut edges = program.leaving(location);
        self.is_error[location.index()]
            || self.waits[location.index()]
            || may_stick(program, location)
            || edges.any(|(_, edge)| {
                edge.op.written().is_some_and(|var| self.vars[var.index()])
                    || traps(&edge.op)
                    || match edge.op {
                        Op::Unsupported(_) => true,
                        Op::Call { callee, .. } => self.functions[callee.index()],
                        Op::Return(_) => {
                            self.results[program.location(location).function.index()]
                                || program.location(location).leaving.len() > 1
                        }
                        _ => false,
                    }
            })
            || self.makes_relevant_object(location)
    }

    /// Whether an external function makes an object here whose contents matter.
    fn makes_relevant_object(&self, location: LocId) -> bool {
        let objects = &self.program.outside.objects;
        let first = objects.partition_point(|(at, ..)| *at < location);
        let here = objects[first..].iter().take_while(|(at, ..)| *at == location);
        here.flat_map(|(_, _, memories)| memories).any(|memory| self.vars[memory.index()])
    }

    fn read_operands(&mut self, function: FuncId, op: &Op) {
        match op {
            Op::Call { callee, args, result } => {
                for (&arg, &param) in args.iter().zip(&self.program.function(*callee).params) {
                    if self.vars[param.index()] || self.program.pool.may_trap(arg) {
                        self.read(arg);
                    }
                }
                if result.is_some_and(|result| self.vars[result.index()])
                    && !std::mem::replace(&mut self.results[callee.index()], true)
                {
                    self.dirty.insert(*callee);
                }
            }
            Op::Return(Some(value)) => {
                if self.results[function.index()] || self.program.pool.may_trap(*value) {
                    self.read(*value);
                }
            }
            _ => {
                op.for_each_expr(|expr| self.read(expr));
                if let Op::Copy { source, .. } = op {
                    self.add_var(*source);
                }
            }
        }
    }

    fn read(&mut self, expr: Expr) {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if std::mem::replace(&mut self.visited[expr.index()], true) {
                continue;
            }
            if let Node::Var(var) = self.program.pool.node(expr) {
                self.add_var(var);
            }
            stack.extend(self.program.pool.children(expr));
        }
    }

    fn add_var(&mut self, var: Var) {
        if std::mem::replace(&mut self.vars[var.index()], true) {
            return;
        }
        self.dirty.extend(&self.writers[var.index()]);
        let info = self.program.var(var);
        if let Scope::Local(function) = info.scope
            && self.program.function(function).params.contains(&var)
        {
            self.dirty.extend(&self.callers[function.index()]);
        }
        if let Sort::Memory(_) = info.sort {
            // They bound valid accesses.
            let space = &self.program.address_space;
            [space.heap_top, space.stack_top].into_iter().flatten().for_each(|top| self.add_var(top));
            let makers = self.program.outside.objects.iter().map(|(at, ..)| self.program.location(*at).function);
            self.dirty.extend(makers);
        }
    }

    /// The edges of the slice with their operations and targets.
    fn finish(self) -> Vec<(u32, (Kept, LocId))> {
        let mut sliced = Vec::new();
        for function in (0..self.program.functions.len() as u32).map(FuncId) {
            self.finish_function(function, &mut sliced);
        }
        sliced
    }

    fn finish_function(&self, function: FuncId, sliced: &mut Vec<(u32, (Kept, LocId))>) {
        let program = self.program;
        let observed = self.observed(function);
        let locations = || program.function(function).locations.clone().map(LocId);
        let is_skipped = |l: &LocId| self.useful[l.index()] && !self.kept[l.index()];
        let returns = |l: LocId| program.leaving(l).any(|(_, edge)| matches!(edge.op, Op::Return(_)));
        // All returns that are not kept are alike.
        let leave = locations().filter(is_skipped).find(|&l| returns(l));
        let target = |to: LocId| match observed.at(to) {
            EXIT => leave.unwrap_or(to),
            END => to,
            observed => LocId(observed),
        };
        for location in locations().filter(|l| self.kept[l.index()]) {
            for (id, edge) in program.leaving(location) {
                let goes_on = self.useful[edge.to.index()];
                let kept = match &edge.op {
                    Op::Return(_) | Op::Unsupported(_) => Some((self.operation(function, &edge.op), edge.to)),
                    Op::Call { callee, .. } => {
                        let to = if goes_on { target(edge.to) } else { edge.to };
                        let enters = self.useful[program.function(*callee).entry.index()];
                        enters.then(|| (self.operation(function, &edge.op), to))
                    }
                    op => goes_on.then(|| (self.operation(function, op), target(edge.to))),
                };
                sliced.extend(kept.map(|kept| (id.0, kept)));
            }
        }
        let entry = program.function(function).entry;
        let skipped = Some(entry).filter(is_skipped).filter(|&entry| Some(entry) != leave);
        if let Some(first) = skipped.and_then(|entry| program.leaving(entry).next()) {
            sliced.push((first.0.0, (Kept::Skip, target(entry))));
        }
        for (id, edge) in leave.into_iter().flat_map(|leave| program.leaving(leave)) {
            sliced.push((id.0, (self.operation(function, &edge.op), edge.to)));
        }
    }

    fn operation(&self, function: FuncId, op: &Op) -> Kept {
        let may_trap = |expr: Expr| self.program.pool.may_trap(expr);
        match op {
            Op::Return(Some(value)) if !self.results[function.index()] && !may_trap(*value) => Kept::Return(*value),
            Op::Call { callee, args, result } => {
                let params = &self.program.function(*callee).params;
                let is_unused = |&at: &usize| !self.vars[params[at].index()] && !may_trap(args[at]);
                let unused = (0..params.len()).filter(is_unused).collect();
                let result = result.filter(|result| self.vars[result.index()]);
                Kept::Call { callee: *callee, args: args.clone(), result, unused }
            }
            _ => Kept::Same,
        }
    }
}

/// The locations from which an error or unsupported operation can be reached, possibly after a return.
fn useful(program: &Program, errors: &[LocId]) -> Vec<bool> {
    let prospects = Prospects::new(program, errors);
    let mut after = vec![false; program.functions.len()];
    let is_useful = |location: LocId, after: &[bool]| {
        let function = program.location(location).function;
        prospects.is_ahead(location) || prospects.returns(location) && after[function.index()]
    };
    loop {
        let mut changed = false;
        for edge in &program.edges {
            if let Op::Call { callee, .. } = edge.op
                && is_useful(edge.to, &after)
            {
                changed |= !std::mem::replace(&mut after[callee.index()], true);
            }
        }
        if !changed {
            break;
        }
    }
    (0..program.locations.len() as u32).map(|location| is_useful(LocId(location), &after)).collect()
}
