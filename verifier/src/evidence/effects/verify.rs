//! A second run of a counterexample, which compares all values that are shown with the state at their steps.

use std::collections::VecDeque;

use super::contents::read;
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, Program};
use crate::evidence::counterexample::{Change, Counterexample, Origin};
use crate::expr::{FloatFormat, Sort, Value};
use crate::interpreter::{Inputs, Interpreter, Limits, Observer, State, Unknown};

/// Compares the values of a counterexample with another run.
///
/// # Panics
/// If the run differs, or had another value.
pub(crate) fn verify(program: &Program, found: &Counterexample) {
    let inputs = found.inputs.iter().map(|input| input.value).collect();
    let mut inputs = Again { path: &found.path, inputs, position: 0 };
    let mut judge = Judge { found, position: 0 };
    Interpreter::new(program).run_observed(&mut inputs, Limits::default(), &mut judge);
    assert_eq!(judge.position, found.records.len(), "the run is as long as before");
}

/// Repeats a run.
struct Again<'a> {
    path: &'a [Step],
    inputs: VecDeque<Value>,
    position: usize,
}

impl Inputs for Again<'_> {
    fn next(&mut self, _: Unknown) -> Option<Value> {
        self.inputs.pop_front()
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        let wanted = self.path.get(self.position).map(|step| step.edge);
        options.iter().position(|&edge| Some(edge) == wanted).unwrap_or(0)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        assert_eq!(Some(edge), self.path.get(self.position).map(|step| step.edge), "the run takes the same path");
        self.position += 1;
        true
    }
}

/// Compares values.
struct Judge<'a> {
    found: &'a Counterexample,
    position: usize,
}

impl Observer for Judge<'_> {
    fn edge(&mut self, _: EdgeId, state: &State<'_>) {
        for change in &self.found.records[self.position].changes {
            let Some(value) = change.value else { continue };
            let actual = self.actual(state, change, value);
            assert_eq!(Some(value.raw()), actual, "step {}: the value of {}", self.position, change.name);
            if let Some(shown) = number_in(&change.text, value) {
                assert_eq!(value.raw(), shown, "step {}: {} = {}", self.position, change.name, change.text);
            }
        }
        self.position += 1;
    }
}

impl Judge<'_> {
    /// The bits that the place of a change has.
    fn actual(&self, state: &State<'_>, change: &Change, value: Value) -> Option<u128> {
        let (bits, mask) = bits(value);
        match change.origin {
            Origin::Variable(var) => state.value(var).map(Value::raw),
            Origin::Part(var, first) => state.value(var).map(|value| value.raw() >> first & mask),
            Origin::Memory(memory, address, first) => {
                let bytes = (0..u64::from((first + bits).div_ceil(8))).rev();
                let raw = bytes.into_iter().try_fold(0_u128, |raw, i| {
                    Some(raw << 8 | u128::from(state.byte(memory, address.wrapping_add(i))?))
                });
                raw.map(|raw| raw >> first & mask)
            }
            Origin::Cell(memory, address) => read(state, memory, value.sort(), address).map(Value::raw),
        }
    }
}

/// The width of a value, and the mask of its bits.
fn bits(value: Value) -> (u16, u128) {
    let bits = match value.sort() {
        Sort::Bits(width) => width,
        Sort::Float(format) => format.bits(),
        Sort::Bool | Sort::Memory(_) => 1,
    };
    (bits, u128::MAX >> (128 - bits))
}

/// The bits of the number that a text shows, if it is one.
fn number_in(text: &str, value: Value) -> Option<u128> {
    let word = text.split(" '").next()?;
    let is_float = word.contains(['.', 'e']) && !word.starts_with("0x");
    match value.sort() {
        Sort::Float(FloatFormat::Single) => {
            word.parse::<f32>().ok().filter(|n| !n.is_nan()).map(|n| n.to_bits().into())
        }
        Sort::Float(FloatFormat::Double) => {
            word.parse::<f64>().ok().filter(|n| !n.is_nan()).map(|n| n.to_bits().into())
        }
        Sort::Bits(32) if is_float => word.parse::<f32>().ok().map(|n| n.to_bits().into()),
        Sort::Bits(64) if is_float => word.parse::<f64>().ok().map(|n| n.to_bits().into()),
        Sort::Bits(_) => {
            let number = word.parse::<i128>().map(|n| n as u128).or_else(|_| word.parse::<u128>()).ok()?;
            Some(number & bits(value).1)
        }
        _ => None,
    }
}
