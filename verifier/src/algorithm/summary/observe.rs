//! Observations: the values of slots in concrete runs of the program. Contracts are guessed from them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::contract::{Contracts, Sample};
use super::interface::{Interface, Place, Slot, When};
use crate::algorithm::guess::inputs::NearConstants;
use crate::cfa::{EdgeId, FuncId, Op, Program};
use crate::expr::Value;
use crate::expr::value::mask;
use crate::interpreter::{Interpreter, Limits, State};
use crate::monitor::{Monitor, StopReason};

/// The samples of each function: of activations that returned, and of all activations with their entries only.
#[derive(Debug, Default)]
pub struct Observed {
    /// Activations that returned.
    pub returned: BTreeMap<FuncId, Vec<Sample>>,
    /// All activations, with the slots of the entry only.
    pub entered: BTreeMap<FuncId, Vec<Sample>>,
}

/// Runs the program on inputs near `constants`.
pub fn observe(
    program: &Program,
    contracts: &Contracts,
    constants: &[i128],
    monitor: &Monitor,
) -> Result<Observed, StopReason> {
    let tuning = monitor.tuning.summary;
    let interpreter = Interpreter::new(program);
    let limits = Limits { steps: tuning.run_steps, depth: tuning.run_depth };
    let mut watch = Watch {
        contracts,
        limit: tuning.samples,
        active: Vec::new(),
        observed: Observed::default(),
        seen: FxHashSet::default(),
    };
    for seed in 0..tuning.runs {
        monitor.check()?;
        let mut inputs = NearConstants::new(seed, constants);
        watch.active.clear();
        interpreter.run_observed(&mut inputs, limits, &mut |edge, state: &State<'_>| watch.look(edge, state));
    }
    Ok(watch.observed)
}

/// Watches a run.
struct Watch<'c> {
    contracts: &'c Contracts,
    limit: usize,
    /// Activations of functions with a contract: the depth of the stack, and the values at the entry.
    active: Vec<(usize, FuncId, EdgeId, Vec<Option<u128>>)>,
    observed: Observed,
    seen: FxHashSet<(FuncId, Sample)>,
}

impl Watch<'_> {
    fn look(&mut self, edge: EdgeId, state: &State<'_>) {
        let depth = state.call_stack().len();
        match state.program().edge(edge).op {
            Op::Call { callee, .. } => {
                if let Some(contract) = self.contracts.of.get(&callee) {
                    let values = entry_values(&contract.interface, state);
                    self.add(callee, values.clone(), When::Entry);
                    self.active.push((depth, callee, edge, values));
                }
            }
            Op::Return(_) => {
                while self.active.last().is_some_and(|(inner, ..)| *inner > depth) {
                    let Some((_, function, call, mut values)) = self.active.pop() else { return };
                    add_exit_values(&self.contracts.of[&function].interface, call, state, &mut values);
                    self.add(function, values, When::Exit);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, function: FuncId, values: Vec<Option<u128>>, when: When) {
        let all = match when {
            When::Entry => &mut self.observed.entered,
            When::Exit => &mut self.observed.returned,
        };
        let samples = all.entry(function).or_default();
        let sample = Sample { values: values.into_boxed_slice() };
        if samples.len() < self.limit && self.seen.insert((function, sample.clone())) {
            samples.push(sample);
        }
    }
}

fn entry_values(interface: &Interface, state: &State<'_>) -> Vec<Option<u128>> {
    let mut values = Vec::new();
    for slot in interface.slots.iter().filter(|slot| slot.when == When::Entry) {
        values.push(match slot.place {
            Place::Variable(var) => state.value(var).map(Value::raw),
            Place::Cell { param, .. } => cell(slot, state.value(param).map(Value::raw), state),
            Place::Result => None,
        });
    }
    values
}

fn add_exit_values(interface: &Interface, call: EdgeId, state: &State<'_>, values: &mut Vec<Option<u128>>) {
    for slot in interface.slots.iter().filter(|slot| slot.when == When::Exit) {
        values.push(match slot.place {
            Place::Variable(var) => state.value(var).map(Value::raw),
            Place::Result => match state.program().edge(call).op {
                Op::Call { result: Some(result), .. } => state.value(result).map(Value::raw),
                _ => None,
            },
            Place::Cell { param, .. } => cell(slot, interface.entry_of(param).and_then(|at| values[at]), state),
        });
    }
}

/// The cell of a slot, at a known address, if all of its bytes are known.
fn cell(slot: &Slot, address: Option<u128>, state: &State<'_>) -> Option<u128> {
    let Place::Cell { memory, .. } = slot.place else { return None };
    let address = address? as u64;
    let byte = |i: u64| state.byte(memory, address.wrapping_add(i)).map(|byte| u128::from(byte) << (8 * i));
    let bytes = (0..u64::from(slot.width.div_ceil(8))).map(byte);
    bytes.sum::<Option<u128>>().map(|raw| raw & mask(slot.width))
}
