//! The concrete states that a run passes, in a form that abstract states can be compared with.

use std::ops::Range;

use clew_verifier::cfa::interpreter::{Inputs, Interpreter, Limits, Run, State};
use clew_verifier::cfa::{EdgeId, FuncId, LocId, Op, Program, Scope, Sort, Step, Value, Var};

/// What is known of a concrete state: global variables and those of the innermost function. What is missing has no value
/// yet, and may still get any.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Snapshot {
    pub location: LocId,
    /// How many functions are under way.
    pub depth: usize,
    /// The scalars.
    pub values: Vec<(Var, Value)>,
    /// The bytes of memories.
    pub bytes: Vec<(Var, u64, u8)>,
}

/// Takes snapshots of a program that [`generate`](super::generate) made.
pub struct Camera<'p> {
    program: &'p Program,
    addresses: Range<u64>,
    /// What each function sees.
    scalars: Vec<Vec<Var>>,
    memories: Vec<Vec<Var>>,
}

impl<'p> Camera<'p> {
    pub fn new(program: &'p Program) -> Camera<'p> {
        let fixed = program.address_space.fixed.clone();
        // Where accesses are not checked, addresses are narrow.
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
        Snapshot {
            location: state.location(),
            depth: state.call_stack().len(),
            values: values.collect(),
            bytes: bytes.collect(),
        }
    }
}

/// One step of a run and where it led.
#[derive(Clone, Debug)]
pub struct Moment {
    pub step: Step,
    pub after: Snapshot,
}

/// Runs the program and shows every step of it.
pub fn trace(program: &Program, inputs: &mut dyn Inputs, limits: Limits) -> (Vec<Moment>, Run) {
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
