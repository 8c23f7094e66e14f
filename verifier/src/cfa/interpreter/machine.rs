//! The machine that runs a program: it chooses edges and evaluates expressions.

use rustc_hash::FxHashMap;

use super::inputs::{Drawn, Inputs, Record, Unknown, What};
use super::memory::Chunk;
use super::state::State;
use super::tables::Tables;
use super::{Crash, Limits, Outcome};
use crate::cfa::eval::{self, Env, Undefined};
use crate::cfa::expr::Expr;
use crate::cfa::program::{EdgeId, Havoc, Op, Program, Var};
use crate::cfa::sort::{Cell, MemorySort, Sort};
use crate::cfa::source::SourceId;
use crate::cfa::value::Value;
use crate::cfa::ways::Ways;

/// Lengths above this are taken for invalid where the program does not say where objects live.
const MAX_LENGTH: u64 = 1 << 32;

/// Why a run is over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// By the outcome that the machine knows; kept out of the results of evaluation to keep those small.
    Decided,
    /// By an operator without a value.
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
    outcome: Option<Outcome>,
    /// The edge that is being tried or taken.
    pub(super) at: EdgeId,
    pub(super) chunk: Box<Chunk>,
    pub(super) args: Vec<Value>,
    inputs: &'i mut dyn Inputs,
    /// The values drawn in this step for expressions without one, so that these mean the same wherever they occur.
    kept: FxHashMap<Expr, Value>,
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
            outcome: None,
            at: EdgeId(0),
            chunk: Box::default(),
            args: Vec::new(),
            inputs,
            kept: FxHashMap::default(),
            candidates: Vec::new(),
        }
    }

    pub(super) fn stop<T>(&mut self, outcome: Outcome) -> Result<T, Stop> {
        self.outcome = Some(outcome);
        Err(Stop::Decided)
    }

    /// How the run ended that `stop` ended.
    pub(super) fn outcome(&mut self, stop: Stop) -> Outcome {
        match stop {
            Stop::Undefined(undefined) => Outcome::Crash { why: Crash::Division(undefined), at: self.at },
            Stop::Decided => self.outcome.take().expect("whoever decides to stop says the outcome"),
        }
    }

    pub(super) fn crash<T>(&mut self, why: Crash) -> Result<T, Stop> {
        self.stop(Outcome::Crash { why, at: self.at })
    }

    /// Counts steps, and stops when there are too many.
    #[inline]
    pub(super) fn count(&mut self, steps: u64) -> Result<(), Stop> {
        if steps > self.limits.steps - self.steps {
            return self.stop(Outcome::StepLimit);
        }
        self.steps += steps;
        Ok(())
    }

    /// The edge to take next. If it has an assumption, that holds.
    pub(super) fn choose_edge(&mut self) -> Result<EdgeId, Stop> {
        if !self.kept.is_empty() {
            self.kept.clear();
        }
        while let Ways::Exit = self.tables.step(self.state.location) {
            self.give_back(None)?;
        }
        let location = self.state.location;
        match *self.tables.step(location) {
            Ways::Exit => unreachable!("exits have been left"),
            Ways::Halt => self.stop(Outcome::Halted(location)),
            Ways::Error => self.stop(Outcome::Error(location)),
            Ways::One(edge) => {
                if self.can_take(edge)? {
                    Ok(edge)
                } else {
                    self.stop(Outcome::Stuck(location))
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
                    _ => self.stop(Outcome::Stuck(location)),
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
            [] => return self.stop(Outcome::Stuck(location)),
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
            None => self.stop(Outcome::OutOfInputs),
            Some(value) => {
                self.record.values.push(Drawn { kind, source, value });
                Ok(value)
            }
        }
    }

    /// Tells the inputs that an edge was taken; they may end the run.
    pub(super) fn tell(&mut self, edge: EdgeId) -> Result<(), Stop> {
        if self.inputs.taken(edge) { Ok(()) } else { self.stop(Outcome::OutOfInputs) }
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

    /// Stops if the program must not touch `bytes` bytes at `address`.
    #[inline]
    pub(super) fn check(&mut self, address: u64, bytes: u64) -> Result<(), Stop> {
        if self.is_valid(address, bytes) { Ok(()) } else { self.crash(Crash::InvalidAccess { address }) }
    }

    fn is_valid(&self, address: u64, bytes: u64) -> bool {
        if !self.tables.checks_accesses {
            return bytes <= MAX_LENGTH;
        }
        let Some(end) = address.checked_add(bytes) else { return bytes == 0 };
        let space = &self.program.address_space;
        let below_top = |base: u64, top: Option<Var>| {
            let top = top.and_then(|var| self.state.value(var));
            base <= address && top.is_some_and(|top| end <= top.raw() as u64)
        };
        let on_null_page = address < super::memory::PAGE as u64;
        let in_fixed = space.fixed.start <= address && end <= space.fixed.end;
        let on_heap = || below_top(space.heap_base, space.heap_top);
        let on_stack = || below_top(space.stack_base, space.stack_top);
        bytes == 0 || !on_null_page && (in_fixed || on_heap() || on_stack())
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

    /// Bytes that are unknown are drawn and stay: at once if all are, else byte by byte.
    #[inline]
    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Stop> {
        let sort = eval::read_sort(sort, cells);
        let (address, n) = (address as u64, size(sort));
        self.check(address, n as u64)?;
        let all = (1 << n) - 1;
        let unknown = |offset: usize| What::Memory { memory, address, cells, offset: offset as u16 };
        let found = self.state.memory(memory).read(address, n);
        let mut raw = found.raw;
        if found.known == 0 {
            raw = self.draw(unknown(0), Havoc::Uninitialized, sort)?.raw();
            self.state.memory(memory).write(address, n, raw);
        } else if found.known != all {
            for i in (0..n).filter(|i| found.known >> i & 1 == 0) {
                let byte = self.draw(unknown(i), Havoc::Uninitialized, Sort::Bits(8))?.raw();
                self.state.memory(memory).write(address.wrapping_add(i as u64), 1, byte);
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
                if let Some(&value) = self.kept.get(&expr) {
                    return Ok(value);
                }
                let value = self.draw(What::Expression(expr), Havoc::Undefined, self.program.pool.sort(expr))?;
                self.kept.insert(expr, value);
                Ok(value)
            }
        }
    }
}

/// How many bytes of memory a value of a scalar sort takes.
pub(super) fn size(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => Cell::Bits(width).bytes() as usize,
        Sort::Float(format) => Cell::Float(format).bytes() as usize,
        Sort::Memory(_) => unreachable!("a memory is no scalar"),
    }
}
