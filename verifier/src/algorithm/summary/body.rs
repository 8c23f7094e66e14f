//! Bodies: symbolic execution of one function, where calls of recursive functions only do what their contracts say.
//!
//! All paths are executed at once; they join where they meet. Other callees are executed in place. A loop is executed
//! once, from any state: the variables that it changes are unknown. So all runs of the body are covered.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::Ordering::Relaxed;

use super::contract::{Contracts, Part};
use super::interface::{Interface, Place, When};
use crate::algorithm::bmc::position::{Key, Position};
use crate::cfa::{EdgeId, FuncId, LocId, LocationKind, Op, Program, Step};
use crate::expr::{Expr, Sort};
use crate::facts::{Facts, Flow, Liveness, Loops};
use crate::formula::{Execution, State};
use crate::monitor::{Monitor, StopReason};

/// A point of a body where a part of a contract must hold.
#[derive(Debug)]
pub struct Event {
    /// The function whose contract it is.
    pub function: FuncId,
    /// The part that must hold.
    pub part: Part,
    /// The conditions for reaching the point.
    pub conditions: Vec<Expr>,
    /// The values of the slots; at an entry, those of the entry only.
    pub slots: Vec<Expr>,
}

/// A body that was executed.
pub struct Body<'p> {
    /// The execution that the expressions belong to.
    pub execution: Execution<'p>,
    /// The points where contracts must hold.
    pub events: Vec<Event>,
    /// The conditions for reaching each target: an error, or what is not modelled.
    pub targets: Vec<Vec<Expr>>,
}

/// Executes bodies of a program.
pub struct Bodies<'a, 'p> {
    program: &'p Program,
    flow: &'a Flow,
    loops: &'a Loops,
    liveness: &'a Liveness,
    errors: &'a [LocId],
    monitor: &'a Monitor,
}

struct Waiting {
    state: State,
    position: Position,
}

/// The execution of one body.
struct Run<'r, 'p> {
    bodies: &'r Bodies<'r, 'p>,
    contracts: &'r Contracts,
    /// The function with the values of its slots at the entry, and the call that it returns to; `None` for the start.
    root: Option<(FuncId, Vec<Expr>, EdgeId)>,
    body: Body<'p>,
    pending: BTreeMap<Key, Waiting>,
}

impl<'a, 'p> Bodies<'a, 'p> {
    /// Bodies of the program of `facts`; `errors` are sorted.
    pub fn new(
        facts: &Facts<'p>,
        (flow, loops, liveness): (&'a Flow, &'a Loops, &'a Liveness),
        errors: &'a [LocId],
        monitor: &'a Monitor,
    ) -> Bodies<'a, 'p> {
        Bodies { program: facts.program, flow, loops, liveness, errors, monitor }
    }

    /// Executes the body of a recursive function, or that of the start function with all that it calls.
    pub fn run(&self, function: Option<FuncId>, contracts: &Contracts) -> Result<Body<'p>, StopReason> {
        let execution = Execution::new(self.program, self.monitor.tuning.formula);
        let body = Body { execution, events: Vec::new(), targets: Vec::new() };
        let mut run = Run { bodies: self, contracts, root: None, body, pending: BTreeMap::new() };
        run.start(function);
        while let Some((_, waiting)) = run.pending.pop_first() {
            self.monitor.states.fetch_add(1, Relaxed);
            run.expand(waiting)?;
        }
        Ok(run.body)
    }
}

impl<'p> Run<'_, 'p> {
    fn start(&mut self, function: Option<FuncId>) {
        let Bodies { program, loops, .. } = *self.bodies;
        let position = Position::at_entry(program, loops, function.unwrap_or(program.start));
        if let Some(function) = function {
            let call = self.contracts.of[&function].interface.call;
            let execution = &mut self.body.execution;
            execution.state = execution.state_at(program.function(function).entry, [call]);
            let entry = self.entry_slots(function);
            self.assume(function, Part::Requires, &entry);
            self.root = Some((function, entry, call));
        }
        let state = self.body.execution.state.clone();
        self.arrive(Waiting { state, position });
    }

    /// Follows all edges of a location.
    fn expand(&mut self, mut waiting: Waiting) -> Result<(), StopReason> {
        let Bodies { program, monitor, errors, .. } = *self.bodies;
        let location = waiting.state.location;
        if let Some(turn) = waiting.position.at_head() {
            let changed = self.bodies.loops.changes(program, turn.head);
            let execution = &mut self.body.execution;
            execution.state = waiting.state;
            execution.make_unknown(&changed);
            waiting.state = execution.state.clone();
        }
        if let LocationKind::Error(_) = program.location(location).kind {
            if errors.binary_search(&location).is_ok() {
                self.target(&waiting.state);
            }
            return Ok(());
        }
        for edge in program.location(location).leaving.clone().map(EdgeId) {
            monitor.check()?;
            monitor.transfers.fetch_add(1, Relaxed);
            if let Some(next) = self.follow(&waiting, edge) {
                self.arrive(next);
            }
        }
        Ok(())
    }

    fn target(&mut self, state: &State) {
        let conditions = self.body.execution.conditions(state);
        self.body.targets.push(conditions);
    }

    /// The successor along an edge; `None` if the edge is infeasible, a target, or leaves the body.
    fn follow(&mut self, from: &Waiting, id: EdgeId) -> Option<Waiting> {
        let Bodies { program, flow, loops, liveness, .. } = *self.bodies;
        let edge = program.edge(id);
        let mut position = from.position.clone();
        self.body.execution.state = from.state.clone();
        let mut root_return = None;
        let step = match edge.op {
            Op::Unsupported(_) => {
                self.target(&from.state);
                return None;
            }
            Op::Return(_) => match (position.leave(program, loops), &self.root) {
                (Some(call), _) => Step::back(id, call),
                (None, Some((_, _, call))) => {
                    root_return = Some(*call);
                    Step::back(id, *call)
                }
                (None, None) => return None,
            },
            Op::Call { callee, .. } if flow.is_recursive(callee) => {
                position.go(loops, edge.to);
                Step::along(id)
            }
            Op::Call { callee, .. } => {
                position.call(program, loops, id, callee);
                Step::along(id)
            }
            _ => {
                position.go(loops, edge.to);
                Step::along(id)
            }
        };
        match self.body.execution.step(step) {
            Ok(Some(condition)) if self.body.execution.pool.as_const(condition).is_some() => return None,
            Ok(_) => {}
            Err(_) => {
                self.target(&from.state);
                return None;
            }
        }
        if root_return.is_some() {
            self.leave_root();
            return None;
        }
        if let Op::Call { callee, .. } = edge.op
            && flow.is_recursive(callee)
        {
            self.apply_contract(callee);
        }
        self.body.execution.forget_dead(liveness);
        Some(Waiting { state: self.body.execution.state.clone(), position })
    }

    /// Does what the contract of `callee` says, from its entry to the location after the call.
    fn apply_contract(&mut self, callee: FuncId) {
        let mut slots = self.entry_slots(callee);
        let conditions = self.body.execution.conditions(&self.body.execution.state);
        self.body.events.push(Event { function: callee, part: Part::Requires, conditions, slots: slots.clone() });
        let contracts = self.contracts;
        let interface = &contracts.of[&callee].interface;
        self.body.execution.make_unknown(&interface.modified);
        let result = self.body.execution.return_unknown();
        self.add_exit_slots(interface, &mut slots, result);
        self.assume(callee, Part::Ensures, &slots);
    }

    /// Records that the root returns. The state is that of its caller.
    fn leave_root(&mut self) {
        let Some((function, entry, call)) = self.root.clone() else { return };
        let contracts = self.contracts;
        let mut slots = entry;
        let result = match self.bodies.program.edge(call).op {
            Op::Call { result: Some(result), .. } => Some(self.body.execution.variable(result)),
            _ => None,
        };
        self.add_exit_slots(&contracts.of[&function].interface, &mut slots, result);
        let conditions = self.body.execution.conditions(&self.body.execution.state);
        self.body.events.push(Event { function, part: Part::Ensures, conditions, slots });
    }

    /// The values of the slots at the entry of a function, where the current state is.
    fn entry_slots(&mut self, function: FuncId) -> Vec<Expr> {
        let interface = &self.contracts.of[&function].interface;
        let mut values = Vec::new();
        for slot in interface.slots.iter().filter(|slot| slot.when == When::Entry) {
            let execution = &mut self.body.execution;
            let value = match slot.place {
                Place::Variable(var) => execution.variable(var),
                Place::Cell { memory, param } => {
                    let address = execution.variable(param);
                    execution.cell_at(memory, address)
                }
                Place::Result => unreachable!("there is no result yet"),
            };
            let value = self.as_bits(value, slot.width);
            values.push(value);
        }
        values
    }

    /// Appends the values of the slots at the exit, where the current state is.
    fn add_exit_slots(&mut self, interface: &Interface, slots: &mut Vec<Expr>, result: Option<Expr>) {
        for slot in interface.slots.iter().filter(|slot| slot.when == When::Exit) {
            let execution = &mut self.body.execution;
            let value = match slot.place {
                Place::Variable(var) => execution.variable(var),
                Place::Result => result.expect("the interface has a result"),
                Place::Cell { memory, param } => {
                    let at_entry = interface.entry_of(param).expect("parameters have slots");
                    execution.cell_at(memory, slots[at_entry])
                }
            };
            let value = self.as_bits(value, slot.width);
            slots.push(value);
        }
    }

    /// A value as a bit-vector, since contracts have no truth values.
    fn as_bits(&mut self, value: Expr, width: u16) -> Expr {
        let pool = &mut self.body.execution.pool;
        match pool.sort(value) {
            Sort::Bool => pool.bool_to_bits(value, width),
            _ => value,
        }
    }

    /// Assumes a part of a contract in the current state.
    fn assume(&mut self, function: FuncId, part: Part, slots: &[Expr]) {
        let execution = &mut self.body.execution;
        for clause in self.contracts.instantiate(function, part, slots, &mut execution.pool) {
            execution.assume(clause);
        }
    }

    /// Queues a state; joins it with one at the same position.
    fn arrive(&mut self, waiting: Waiting) {
        // Further iterations of a loop are covered already.
        if waiting.position.at_head().is_some_and(|turn| turn.iteration > 1) {
            return;
        }
        match self.pending.entry(waiting.position.key()) {
            Entry::Vacant(entry) => {
                entry.insert(waiting);
            }
            Entry::Occupied(mut entry) => {
                let other = entry.get_mut();
                let execution = &mut self.body.execution;
                execution.join(&other.state, &waiting.state);
                other.state = execution.state.clone();
                other.position.merge(&waiting.position);
            }
        }
    }
}
