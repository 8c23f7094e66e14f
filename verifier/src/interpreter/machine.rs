//! The machine that runs a program: selection of edges and evaluation of expressions.

use rustc_hash::FxHashMap;

use super::inputs::{Drawn, Inputs, Record, Unknown, What};
use super::memory::Chunk;
use super::state::State;
use super::tables::Tables;
use super::{Crash, Limits, RunEnd};
use crate::cfa::program::{AddressSpace, EdgeId, Havoc, Op, Program};
use crate::cfa::source::SourceId;
use crate::expr::eval::{self, Env, Undefined};
use crate::expr::{Cell, Expr, MemorySort, Sort, Value, Var};
use crate::facts::ways::Ways;

/// Why a run ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// [`Machine::end`] holds the reason. Keeping it out of the results of evaluation keeps them small.
    Decided,
    /// An operator without a value.
    Undefined(Undefined),
}

impl From<Undefined> for Stop {
    fn from(undefined: Undefined) -> Stop {
        Stop::Undefined(undefined)
    }
}

pub(super) struct Machine<'p, 'i> {
    pub(super) tables: &'p Tables<'p>,
    pub(super) program: &'p Program,
    pub(super) state: State<'p>,
    pub(super) limits: Limits,
    pub(super) steps: u64,
    pub(super) record: Record,
    end: Option<RunEnd>,
    /// The edge that is evaluated or taken.
    pub(super) at: EdgeId,
    pub(super) chunk: Box<Chunk>,
    pub(super) args: Vec<Value>,
    inputs: &'i mut dyn Inputs,
    /// Values drawn in this step for undefined expressions: all occurrences of an expression have the same value.
    undefined_values: FxHashMap<Expr, Value>,
    candidates: Vec<EdgeId>,
}

impl<'p, 'i> Machine<'p, 'i> {
    pub(super) fn new(tables: &'p Tables<'p>, inputs: &'i mut dyn Inputs, limits: Limits) -> Machine<'p, 'i> {
        Machine {
            tables,
            program: tables.program,
            state: State::new(tables),
            limits,
            steps: 0,
            record: Record::default(),
            end: None,
            at: EdgeId(0),
            chunk: Box::default(),
            args: Vec::new(),
            inputs,
            undefined_values: FxHashMap::default(),
            candidates: Vec::new(),
        }
    }

    pub(super) fn stop<T>(&mut self, end: RunEnd) -> Result<T, Stop> {
        self.end = Some(end);
        Err(Stop::Decided)
    }

    /// How the run ended, given the `stop` that ended it.
    pub(super) fn end(&mut self, stop: Stop) -> RunEnd {
        match stop {
            Stop::Undefined(undefined) => RunEnd::Crash { why: Crash::Division(undefined), at: self.at },
            Stop::Decided => self.end.take().expect("a decided stop has recorded its end"),
        }
    }

    pub(super) fn crash<T>(&mut self, why: Crash) -> Result<T, Stop> {
        self.stop(RunEnd::Crash { why, at: self.at })
    }

    /// Counts steps against the limit.
    #[inline]
    pub(super) fn count(&mut self, steps: u64) -> Result<(), Stop> {
        if steps > self.limits.steps - self.steps {
            return self.stop(RunEnd::StepLimit);
        }
        self.steps += steps;
        Ok(())
    }

    /// The next edge. If it is an assumption, it holds.
    pub(super) fn choose_edge(&mut self) -> Result<EdgeId, Stop> {
        if !self.undefined_values.is_empty() {
            self.undefined_values.clear();
        }
        while let Ways::Exit = self.tables.ways(self.state.location) {
            self.return_to_caller(None)?;
        }
        let location = self.state.location;
        match *self.tables.ways(location) {
            Ways::Exit => unreachable!("exits have been left"),
            Ways::Halt => self.stop(RunEnd::Halted(location)),
            Ways::Error => self.stop(RunEnd::Error(location)),
            Ways::One(edge) => {
                if self.can_take(edge)? {
                    Ok(edge)
                } else {
                    self.stop(RunEnd::Stuck(location))
                }
            }
            Ways::Branch { condition, yes, no } => {
                self.at = yes;
                Ok(if self.eval(condition)?.is_true() { yes } else { no })
            }
            Ways::Switch { subject, ref cases, otherwise } => {
                self.at = EdgeId(self.program.location(location).leaving.start);
                let value = self.eval(subject)?;
                if let Some(&edge) = cases.get(&value.raw()) {
                    return Ok(edge);
                }
                match otherwise {
                    Some(edge) if self.can_take(edge)? => Ok(edge),
                    _ => self.stop(RunEnd::Stuck(location)),
                }
            }
            Ways::Any => self.choose_among_all(),
        }
    }

    fn choose_among_all(&mut self) -> Result<EdgeId, Stop> {
        let location = self.state.location;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for edge in self.program.location(location).leaving.clone().map(EdgeId) {
            if self.can_take(edge)? {
                candidates.push(edge);
            }
        }
        let chosen = match *candidates {
            [] => return self.stop(RunEnd::Stuck(location)),
            [edge] => edge,
            _ => {
                let choice = self.inputs.choose(&candidates).min(candidates.len() - 1);
                self.record.choices.push(choice as u32);
                candidates[choice]
            }
        };
        self.candidates = candidates;
        Ok(chosen)
    }

    fn can_take(&mut self, edge: EdgeId) -> Result<bool, Stop> {
        match self.program.edge(edge).op {
            Op::Assume(condition) => {
                self.at = edge;
                Ok(self.eval(condition)?.is_true())
            }
            _ => Ok(true),
        }
    }

    pub(super) fn draw(&mut self, what: What, kind: Havoc, sort: Sort) -> Result<Value, Stop> {
        let source = self.source();
        let drawn = self.inputs.next(Unknown { what, kind, sort, source });
        match drawn.and_then(|value| Value::from_raw(sort, value.raw())) {
            None => self.stop(RunEnd::OutOfInputs),
            Some(value) => {
                self.record.values.push(Drawn { kind, source, value });
                Ok(value)
            }
        }
    }

    /// Notifies the inputs of an edge that was taken; they may end the run.
    pub(super) fn notify(&mut self, edge: EdgeId) -> Result<(), Stop> {
        if self.inputs.taken(edge) { Ok(()) } else { self.stop(RunEnd::OutOfInputs) }
    }

    fn source(&self) -> SourceId {
        self.program.edge(self.at).source
    }

    /// The value of a scalar expression.
    #[inline]
    pub(super) fn eval(&mut self, expr: Expr) -> Result<Value, Stop> {
        if !self.tables.is_narrow(expr) {
            return eval::evaluate(&self.program.pool, expr, self);
        }
        let raw = self.eval_narrow(expr)?;
        Ok(Value::from_raw(self.program.pool.sort(expr), raw.into()).expect("narrow expressions are scalar"))
    }

    /// Crashes unless `bytes` bytes at `address` are accessible.
    #[inline]
    pub(super) fn check(&mut self, address: u64, bytes: u64) -> Result<(), Stop> {
        if self.is_valid(address, bytes) { Ok(()) } else { self.crash(Crash::InvalidAccess { address }) }
    }

    fn is_valid(&self, address: u64, bytes: u64) -> bool {
        if !self.tables.checks_accesses {
            return bytes <= AddressSpace::MAX_LENGTH;
        }
        let Some(end) = address.checked_add(bytes) else { return bytes == 0 };
        let space = &self.program.address_space;
        let below_top = |base: u64, top: Option<Var>| {
            let top = top.and_then(|var| self.state.value(var));
            base <= address && top.is_some_and(|top| end <= top.raw() as u64)
        };
        let on_null_page = address < AddressSpace::NULL_PAGE;
        let in_fixed = space.fixed.start <= address && end <= space.fixed.end;
        let outside = space.outside.start <= address && end <= space.outside.end;
        let on_heap = || below_top(space.heap_base, space.heap_top);
        let on_stack = || below_top(space.stack_base, space.stack_top);
        bytes == 0 || !on_null_page && (in_fixed || outside || on_heap() || on_stack())
    }
}

impl Env for Machine<'_, '_> {
    type Stop = Stop;

    #[inline]
    fn var(&mut self, var: Var) -> Result<Value, Stop> {
        match self.state.value(var) {
            Some(value) => Ok(value),
            None => {
                let value = self.draw(What::Variable(var), Havoc::Uninitialized, self.program.var(var).sort)?;
                self.state.set(var, Some(value));
                Ok(value)
            }
        }
    }

    /// Unknown bytes are drawn and stored: as one value if all of them are unknown, else one by one.
    #[inline]
    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Stop> {
        let sort = eval::read_sort(sort, cells);
        let (address, n) = (address as u64, size(sort));
        self.check(address, n as u64)?;
        let all = (1 << n) - 1;
        let unknown = |offset: usize| What::Memory { memory, address, cells, offset: offset as u16 };
        let mut found = self.state.memory(memory).read(address, n);
        if found.known != all && self.state.has_copies() {
            self.state.settle(memory, address, n);
            found = self.state.memory(memory).read(address, n);
        }
        let mut raw = found.raw;
        if found.known == 0 {
            raw = self.draw(unknown(0), Havoc::Uninitialized, sort)?.raw();
            self.state.write_drawn(memory, address, n, raw);
        } else if found.known != all {
            for i in (0..n).filter(|i| found.known >> i & 1 == 0) {
                let byte = self.draw(unknown(i), Havoc::Uninitialized, Sort::Bits(8))?.raw();
                self.state.write_drawn(memory, address.wrapping_add(i as u64), 1, byte);
                raw = raw & !(0xff << (8 * i)) | byte << (8 * i);
            }
        }
        Ok(Value::from_raw(sort, raw).expect("what is read is a scalar"))
    }

    #[cold]
    fn undefined(&mut self, expr: Expr, undefined: Undefined) -> Result<Value, Stop> {
        match undefined {
            Undefined::DivisionByZero | Undefined::DivisionOverflow => Err(undefined.into()),
            Undefined::ShiftTooFar | Undefined::FloatToInteger => {
                if let Some(&value) = self.undefined_values.get(&expr) {
                    return Ok(value);
                }
                let value = self.draw(What::Expression(expr), Havoc::Undefined, self.program.pool.sort(expr))?;
                self.undefined_values.insert(expr, value);
                Ok(value)
            }
        }
    }
}

/// The size of a scalar sort in memory, in bytes.
pub(super) fn size(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => Cell::Bits(width).bytes() as usize,
        Sort::Float(format) => Cell::Float(format).bytes() as usize,
        Sort::Memory(_) => unreachable!("a memory is no scalar"),
    }
}
