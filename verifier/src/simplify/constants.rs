//! Conditional constant propagation through variables and memory cells, over calls.
//!
//! Facts flow from the start of the program along edges that can be taken, as far as it is known (Wegman and Zadeck,
//! "Constant propagation with conditional branches"). A function has one set of facts for all calls; what it does not
//! write keeps its facts at each call.

use std::collections::BTreeSet;

use super::effects::Effects;
use super::rebuild::rebuild;
use super::rewrite::{operation, subexpressions};
use super::values::{Context, Fact, Known};
use crate::cfa::program::{Edge, EdgeId, FuncId, LocId, Op, Program};
use crate::expr::{Expr, Node, Value, Var};
use crate::facts::Constants;
use crate::tuning;

/// Stands for the result of a function.
const RESULT: Var = Var(u32::MAX);

/// Replaces what is constant where it is used, and removes edges that cannot be taken.
pub(super) fn propagate(program: &mut Program, tuning: tuning::Simplify) {
    let constants = Constants::new(program);
    let (uses, mut keeps) = {
        let tuning::Simplify { max_cells, max_facts, .. } = tuning;
        let context = Context { program, constants: &constants, max_cells, max_facts };
        let mut propagation = Propagation::new(context);
        if !propagation.run(tuning.max_work) {
            return;
        }
        propagation.uses()
    };
    for (id, known) in uses {
        let op = operation(&mut program.pool, &program.edges[id.index()].op, &known);
        if let Op::Assume(condition) = op {
            keeps[id.index()] = program.pool.as_const(condition) != Some(Value::Bool(false));
        }
        program.edges[id.index()].op = op;
    }
    rebuild(program, keeps);
}

struct Propagation<'p> {
    context: Context<'p>,
    effects: Effects,
    /// Whether facts are stored at a location. The others have one entering edge and are passed at once.
    is_stored: Vec<bool>,
    stored: Vec<Option<Known>>,
    /// What holds where a function returns: globals that it may write, and its result.
    exits: Vec<Option<Known>>,
    /// The locations of the calls of each function.
    calls: Vec<Vec<LocId>>,
    worklist: BTreeSet<LocId>,
    /// The number of facts that edges have passed on.
    work: u64,
}

/// Receives what holds before an edge.
type Visit<'v> = dyn FnMut(EdgeId, &Known) + 'v;

/// The facts that edges use, and whether each edge can be taken.
type Uses = (Vec<(EdgeId, Vec<(Expr, Value)>)>, Vec<bool>);

impl<'p> Propagation<'p> {
    fn new(context: Context<'p>) -> Self {
        let Context { program, constants, .. } = context;
        let is_constant = |var: &Var| constants.scalars.contains_key(var) || constants.memories.contains_key(var);
        let mut entering = vec![0_u32; program.locations.len()];
        let mut is_stored = vec![false; program.locations.len()];
        let mut calls = vec![Vec::new(); program.functions.len()];
        for edge in &program.edges {
            entering[edge.to.index()] += 1;
            if let Op::Call { callee, .. } = edge.op {
                is_stored[edge.from.index()] = true;
                is_stored[edge.to.index()] = true;
                calls[callee.index()].push(edge.from);
            }
        }
        for function in &program.functions {
            is_stored[function.entry.index()] = true;
        }
        is_stored.iter_mut().zip(entering).for_each(|(stored, entering)| *stored |= entering != 1);
        Propagation {
            effects: Effects::new(program, |var| !is_constant(&var)),
            context,
            is_stored,
            stored: vec![None; program.locations.len()],
            exits: vec![None; program.functions.len()],
            calls,
            worklist: BTreeSet::new(),
            work: 0,
        }
    }

    /// Whether that took at most `max_work`; if not, the facts are no facts.
    fn run(&mut self, max_work: u64) -> bool {
        let program = self.context.program;
        self.reach(program.function(program.start).entry, Known::default());
        while let Some(location) = self.worklist.pop_first() {
            let Some(known) = self.stored[location.index()].clone() else { continue };
            self.follow(location, known, None);
            if self.work > max_work {
                return false;
            }
        }
        true
    }

    /// Follows all edges from a location up to the next ones where facts are stored. Passes what holds before each edge
    /// to `visit`; then nothing is stored any more.
    fn follow(&mut self, from: LocId, known: Known, mut visit: Option<&mut Visit<'_>>) {
        let program = self.context.program;
        let mut stack = vec![(from, known)];
        while let Some((location, known)) = stack.pop() {
            let Some(last) = program.location(location).leaving.clone().last() else { continue };
            let mut known = Some(known);
            for (id, edge) in program.leaving(location) {
                let known = if id.0 == last { known.take() } else { known.clone() }.unwrap_or_default();
                self.work += 1 + known.len() as u64;
                if let Some(visit) = visit.as_deref_mut() {
                    visit(id, &known);
                }
                let Some(next) = self.step(location, edge, known) else { continue };
                if !self.is_stored[edge.to.index()] {
                    stack.push((edge.to, next));
                } else if visit.is_none() {
                    self.reach(edge.to, next);
                }
            }
        }
    }

    /// The facts after an edge; `None` if it cannot be taken as far as is known.
    fn step(&mut self, location: LocId, edge: &Edge, mut known: Known) -> Option<Known> {
        let context = self.context;
        match &edge.op {
            Op::Assume(condition) => {
                if known.value(context, *condition) == Some(Value::Bool(false)) {
                    return None;
                }
                known.assume(context, *condition, true);
                Some(known)
            }
            Op::Call { callee, args, result } => {
                let entry = self.at_entry(*callee, args, &known);
                self.reach(context.program.function(*callee).entry, entry);
                self.after_call(*callee, *result, &known)
            }
            Op::Return(value) => {
                let function = context.program.location(location).function;
                let mut exit = known.filtered(|var| self.effects.writes(function, var));
                let value = value.and_then(|value| known.value(context, value));
                exit.set((RESULT, 0), value.map(Fact::Value));
                self.leave(function, exit);
                None
            }
            Op::Unsupported(_) => None,
            op => {
                known.apply(context, op);
                Some(known)
            }
        }
    }

    fn at_entry(&self, callee: FuncId, args: &[Expr], known: &Known) -> Known {
        let mut entry = known.filtered(|var| self.effects.uses(callee, var));
        let params = self.context.program.function(callee).params.iter().zip(args);
        let values =
            params.filter_map(|(param, arg)| Some(((*param, 0), Fact::Value(known.value(self.context, *arg)?))));
        entry.extend(values);
        entry
    }

    /// What holds after a call, once the callee is known to return.
    fn after_call(&self, callee: FuncId, result: Option<Var>, known: &Known) -> Option<Known> {
        let exit = self.exits[callee.index()].as_ref()?;
        let mut after = known.filtered(|var| !self.effects.writes(callee, var));
        let globals = exit.iter().copied().filter(|((var, _), _)| *var != RESULT);
        after.extend(globals);
        if let Some(result) = result {
            let returned = exit.iter().find(|((var, _), _)| *var == RESULT).map(|(_, fact)| *fact);
            after.set((result, 0), returned);
        }
        Some(after)
    }

    fn reach(&mut self, location: LocId, mut known: Known) {
        known.truncate(self.context.max_facts);
        let changed = match &mut self.stored[location.index()] {
            Some(before) => before.join(&known, self.context),
            new => {
                *new = Some(known);
                true
            }
        };
        if changed {
            self.worklist.insert(location);
        }
    }

    fn leave(&mut self, function: FuncId, known: Known) {
        let changed = match &mut self.exits[function.index()] {
            Some(before) => before.join(&known, self.context),
            new => {
                *new = Some(known);
                true
            }
        };
        if changed {
            let calls = &self.calls[function.index()];
            self.worklist.extend(calls.iter().filter(|call| self.stored[call.index()].is_some()));
        }
    }

    /// The facts about the expressions of each edge that can be taken.
    fn uses(mut self) -> Uses {
        let context = self.context;
        let mut keeps = vec![false; context.program.edges.len()];
        let mut uses = Vec::new();
        let stored: Vec<Option<Known>> = self.stored.clone();
        for (location, known) in (0..).map(LocId).zip(stored) {
            let Some(known) = known else { continue };
            self.follow(
                location,
                known,
                Some(&mut |id: EdgeId, known: &Known| {
                    keeps[id.index()] = true;
                    let used = used(context, &context.program.edge(id).op, known);
                    if !used.is_empty() {
                        uses.push((id, used));
                    }
                }),
            );
        }
        (uses, keeps)
    }
}

/// The variables and reads of an operation whose values are known.
fn used(context: Context<'_>, op: &Op, known: &Known) -> Vec<(Expr, Value)> {
    let pool = &context.program.pool;
    let mut open = Vec::new();
    op.for_each_expr(|expr| open.push(expr));
    let is_leaf = |expr: &Expr| match pool.node(*expr) {
        Node::Var(var) => !matches!(context.program.var(var).sort, crate::expr::Sort::Memory(_)),
        Node::Read { memory, .. } => matches!(pool.node(memory), Node::Var(_)),
        _ => false,
    };
    let leaves = subexpressions(pool, open).into_iter().filter(is_leaf);
    leaves.filter_map(|leaf| Some((leaf, known.value(context, leaf)?))).collect()
}
