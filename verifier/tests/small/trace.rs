//! The concrete states of a run, for comparison with abstract states.

use std::ops::Range;

use clew_verifier::cfa::{EdgeId, FuncId, LocId, Op, Program, Scope, Step};
use clew_verifier::expr::{Sort, Value, Var};
use clew_verifier::interpreter::{FinishedRun, Inputs, Interpreter, Limits, State};

/// The known part of a concrete state: globals and the locals of the innermost function. Missing entries have no value
/// yet, and may get any.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Snapshot {
    pub location: LocId,
    /// The depth of the call stack.
    pub depth: usize,
    /// The scalars.
    pub values: Vec<(Var, Value)>,
    /// The bytes of memories.
    pub bytes: Vec<(Var, u64, u8)>,
    /// The unknown bytes that are copies of each other, numbered in the order in which they appear.
    pub copies: Vec<(Var, u64, usize)>,
}

/// Takes snapshots of programs made by [`generate`](super::generate).
pub struct Camera<'p> {
    program: &'p Program,
    addresses: Range<u64>,
    /// The scalars visible in each function.
    scalars: Vec<Vec<Var>>,
    memories: Vec<Vec<Var>>,
}

impl<'p> Camera<'p> {
    pub fn new(program: &'p Program) -> Camera<'p> {
        let fixed = program.address_space.fixed.clone();
        // If accesses are not checked, addresses are narrow.
        let addresses = if fixed.is_empty() { 0..1 << program.pointer_bits } else { fixed };
        let seen_by = |function: FuncId, memories: bool| {
            let all = (0..program.vars.len() as u32).map(Var);
            all.filter(|&var| {
                let info = program.var(var);
                matches!(info.sort, Sort::Memory(_)) == memories
                    && (info.scope == Scope::Global || info.scope == Scope::Local(function))
            })
            .collect()
        };
        let functions = || (0..program.functions.len() as u32).map(FuncId);
        Camera {
            program,
            addresses,
            scalars: functions().map(|f| seen_by(f, false)).collect(),
            memories: functions().map(|f| seen_by(f, true)).collect(),
        }
    }

    pub fn take(&self, state: &State<'_>) -> Snapshot {
        let function = self.program.location(state.location()).function.index();
        let values = self.scalars[function].iter().filter_map(|&var| Some((var, state.value(var)?)));
        let bytes = self.memories[function].iter().flat_map(|&memory| {
            let byte = move |address| Some((memory, address, state.byte(memory, address)?));
            self.addresses.clone().filter_map(byte)
        });
        let mut seen: Vec<u32> = Vec::new();
        let copies = self.memories[function].iter().flat_map(|&memory| {
            self.addresses.clone().filter_map(move |address| Some((memory, address, state.origin(memory, address)?)))
        });
        let copies = copies.map(|(memory, address, origin)| {
            let number = seen.iter().position(|&other| other == origin).unwrap_or_else(|| {
                seen.push(origin);
                seen.len() - 1
            });
            (memory, address, number)
        });
        let copies = copies.collect();
        Snapshot {
            location: state.location(),
            depth: state.call_stack().len(),
            values: values.collect(),
            bytes: bytes.collect(),
            copies,
        }
    }
}

/// One step of a run and the state after it.
#[derive(Clone, Debug)]
pub struct Moment {
    pub step: Step,
    pub after: Snapshot,
}

/// Runs the program and records every step.
pub fn trace(program: &Program, inputs: &mut dyn Inputs, limits: Limits) -> (Vec<Moment>, FinishedRun) {
    let (camera, mut moments, mut calls) = (Camera::new(program), Vec::new(), Vec::new());
    let mut observe = |edge: EdgeId, state: &State<'_>| {
        let step = match program.edge(edge).op {
            Op::Return(_) => calls.pop().map_or(Step::along(edge), |call| Step::back(edge, call)),
            _ => Step::along(edge),
        };
        if let Op::Call { .. } = program.edge(edge).op {
            calls.push(edge);
        }
        moments.push(Moment { step, after: camera.take(state) });
    };
    let run = Interpreter::new(program).run_observed(inputs, limits, &mut observe);
    (moments, run)
}
