//! Records what the steps of a run change, by looking at the states of the interpreter.

use super::counterexample::StepRecord;
use super::replay::{Watcher, stored};
use crate::cfa::program::{EdgeId, Op, Program};
use crate::expr::eval::{self, Env, Undefined, evaluate};
use crate::expr::{Expr, MemorySort, Sort, Value, Var};
use crate::interpreter::{Observer, State};
use crate::print::values::Addresses;

/// Records the effects of every step, those on memory included.
pub(super) struct Recorder<'a> {
    watcher: Watcher<'a>,
}

impl<'a> Recorder<'a> {
    /// Has recorded nothing yet.
    pub fn new(program: &'a Program) -> Recorder<'a> {
        let addresses = Addresses::new(program);
        Recorder { watcher: Watcher { program, records: Vec::new(), addresses, depth: 1 } }
    }

    /// What was recorded.
    pub fn records(self) -> Vec<StepRecord> {
        self.watcher.records
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, id: EdgeId, state: &State<'_>) {
        self.watcher.edge(id, state);
        let program = self.watcher.program;
        let Op::Store { memory, address, value } = program.edge(id).op else { return };
        // The new contents are read back, as the operands of the store may have changed by it.
        let Some(address) = evaluate(&program.pool, address, &mut Known { state }).ok() else { return };
        let sort = program.pool.sort(value);
        let Some(value) = read_back(state, memory, sort, address.raw() as u64) else { return };
        let change = stored(program, &self.watcher.addresses, address.raw() as u64, value);
        self.watcher.records.last_mut().expect("the step was recorded").changes.push(change);
    }
}

/// A value in memory, if all its bytes are known.
fn read_back(state: &State<'_>, memory: Var, sort: Sort, address: u64) -> Option<Value> {
    let bytes = match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => u64::from(width.div_ceil(8)),
        Sort::Float(format) => u64::from(format.bits().div_ceil(8)),
        Sort::Memory(_) => return None,
    };
    let bytes = (0..bytes).map(|i| state.byte(memory, address.wrapping_add(i)));
    let raw = bytes.rev().try_fold(0_u128, |raw, byte| Some(raw << 8 | u128::from(byte?)))?;
    Value::from_raw(sort, raw)
}

/// Evaluates expressions in a state, without drawing values.
pub(super) struct Known<'a, 'p> {
    pub state: &'a State<'p>,
}

/// There is no value.
pub(super) struct NoValue;

impl From<Undefined> for NoValue {
    fn from(_: Undefined) -> NoValue {
        NoValue
    }
}

impl Env for Known<'_, '_> {
    type Stop = NoValue;

    fn var(&mut self, var: Var) -> Result<Value, NoValue> {
        self.state.value(var).ok_or(NoValue)
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, NoValue> {
        read_back(self.state, memory, eval::read_sort(sort, cells), address as u64).ok_or(NoValue)
    }

    fn undefined(&mut self, _: Expr, _: Undefined) -> Result<Value, NoValue> {
        Err(NoValue)
    }
}
