//! Sources of the values that a program does not determine: given, random, or recorded in an earlier run.

use std::collections::VecDeque;

use crate::cfa::program::{EdgeId, Havoc};
use crate::cfa::source::SourceId;
use crate::expr::value::mask;
use crate::expr::{Expr, FloatFormat, Sort, UnaryOp, Value, Var, eval};

/// A source of unknown values.
pub trait Inputs {
    /// A value for `unknown`; `None` ends the run.
    fn next(&mut self, unknown: Unknown) -> Option<Value>;

    /// Chooses among the edges in `options`, of which all can be taken, by position. There are at least 2.
    fn choose(&mut self, options: &[EdgeId]) -> usize;

    /// Notifies that `edge` was taken. Returns whether the run continues.
    fn taken(&mut self, _edge: EdgeId) -> bool {
        true
    }
}

/// A request for a value that the program does not determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// What the value is for.
    pub what: What,
    /// Why it is unknown.
    pub kind: Havoc,
    /// The scalar sort of its value.
    pub sort: Sort,
    /// The source position of the request.
    pub source: SourceId,
}

/// What an unknown value is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The value of a `Havoc`.
    Havoc(Var),
    /// A variable that is read before it is written.
    Variable(Var),
    /// Bytes that are read before they are written: those from `offset` on in a read of `cells` cells at `address`.
    Memory {
        /// The memory variable.
        memory: Var,
        /// The address that is read.
        address: u64,
        /// The number of cells that are read.
        cells: u16,
        /// The offset of the unknown bytes in the range, in bytes.
        offset: u16,
    },
    /// The result of an undefined operation.
    Expression(Expr),
}

/// Everything that a run drew from its inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The values, in order.
    pub values: Vec<Drawn>,
    /// The choices among edges, in order.
    pub choices: Vec<u32>,
}

/// A value drawn from the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Why it was unknown.
    pub kind: Havoc,
    /// The source position of the request.
    pub source: SourceId,
    /// The value.
    pub value: Value,
}

/// Always zero, and always the first edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        Value::from_raw(unknown.sort, 0)
    }

    fn choose(&mut self, _: &[EdgeId]) -> usize {
        0
    }
}

/// Pseudorandom values, determined by the seed. Small numbers and those at the limits of the range are more likely,
/// because programs tend to distinguish them.
#[derive(Clone, Debug)]
pub struct SeededInputs {
    state: u64,
}

impl SeededInputs {
    /// The sequence for `seed`.
    pub fn new(seed: u64) -> SeededInputs {
        SeededInputs { state: seed }
    }

    /// The splitmix64 generator.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random() % bound
    }

    fn random_bits(&mut self) -> u128 {
        u128::from(self.random()) << 64 | u128::from(self.random())
    }

    fn integer(&mut self, width: u16) -> u128 {
        let sign = 1 << (width - 1);
        match self.below(8) {
            0..=2 => u128::from(self.below(17)),
            3 => (self.below(9) as u128).wrapping_neg(),
            4 => [sign - 1, sign, mask(width), 1][self.below(4) as usize],
            5 => 1 << self.below(u64::from(width)),
            _ => self.random_bits(),
        }
    }

    fn float(&mut self, format: FloatFormat) -> u128 {
        let small = |x: u64| Value::bits(16, (x as u128).wrapping_sub(8));
        let special = |x: u64| Value::float(FloatFormat::Double, u128::from(x));
        let value = match self.below(8) {
            0..=3 => eval::unary(UnaryOp::SignedToFloat(format), small(self.below(17))),
            4 => {
                let specials = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5, -1e-300, 1e300];
                eval::unary(UnaryOp::FloatToFloat(format), special(specials[self.below(8) as usize].to_bits()))
            }
            // Any bits form a valid double, but not a valid x87 number.
            _ => eval::unary(UnaryOp::FloatToFloat(format), special(self.random())),
        };
        value.map_or(0, Value::raw)
    }
}

impl Inputs for SeededInputs {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let raw = match unknown.sort {
            Sort::Bool => u128::from(self.below(2)),
            Sort::Bits(width) => self.integer(width),
            Sort::Float(format) => self.float(format),
            Sort::Memory(_) => return None,
        };
        Value::from_raw(unknown.sort, raw)
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.below(options.len() as u64) as usize
    }
}

/// A given input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Given {
    /// A value, converted bit by bit if the sort differs.
    Value(Value),
    /// An integer, truncated to the requested width, or converted to the nearest float.
    Integer(i128),
    /// A float, rounded to the requested format, or truncated towards zero to an integer.
    Float(f64),
}

impl Given {
    fn to(self, sort: Sort) -> Option<Value> {
        match (self, sort) {
            (Given::Integer(n), Sort::Float(format)) => {
                eval::unary(UnaryOp::SignedToFloat(format), Value::bits(128, n as u128)).ok()
            }
            (Given::Float(x), Sort::Float(format)) => {
                let double = Value::float(FloatFormat::Double, u128::from(x.to_bits()));
                eval::unary(UnaryOp::FloatToFloat(format), double).ok()
            }
            (Given::Integer(n), Sort::Bool) => Some(Value::Bool(n != 0)),
            (Given::Float(x), Sort::Bool) => Some(Value::Bool(x != 0.0)),
            (Given::Integer(n), _) => Value::from_raw(sort, n as u128),
            (Given::Float(x), _) => Value::from_raw(sort, x as i128 as u128),
            (Given::Value(value), _) => Value::from_raw(sort, value.raw()),
        }
    }
}

/// Given values for [`Havoc::Input`], in order. All other values, and those after the last given one, come from `rest`.
#[derive(Clone, Debug)]
pub struct GivenInputs<Rest> {
    given: VecDeque<Given>,
    rest: Rest,
    stops: bool,
}

impl<Rest: Inputs> GivenInputs<Rest> {
    /// `given` followed by `rest`.
    pub fn new(given: impl IntoIterator<Item = Given>, rest: Rest) -> Self {
        GivenInputs { given: given.into_iter().collect(), rest, stops: false }
    }

    /// Ends the run with [`RunEnd::OutOfInputs`](super::RunEnd::OutOfInputs) after the last given value.
    pub fn stop_when_used_up(self) -> Self {
        GivenInputs { stops: true, ..self }
    }
}

impl<Rest: Inputs> Inputs for GivenInputs<Rest> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        match unknown.kind {
            Havoc::Input => match self.given.pop_front() {
                Some(given) => given.to(unknown.sort),
                None if self.stops => None,
                None => self.rest.next(unknown),
            },
            _ => self.rest.next(unknown),
        }
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.rest.choose(options)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        self.rest.taken(edge)
    }
}

/// The values that an earlier run drew, in the same order. The run ends after the last one.
#[derive(Clone, Debug)]
pub struct ReplayInputs {
    values: std::vec::IntoIter<Drawn>,
    choices: std::vec::IntoIter<u32>,
}

impl ReplayInputs {
    /// Replays `record`.
    pub fn new(record: Record) -> ReplayInputs {
        ReplayInputs { values: record.values.into_iter(), choices: record.choices.into_iter() }
    }
}

impl Inputs for ReplayInputs {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let Unknown { kind, sort, source, .. } = unknown;
        let fits = |d: &Drawn| d.kind == kind && d.source == source && d.value.sort() == sort;
        self.values.next().filter(fits).map(|d| d.value)
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.choices.next().map_or(0, |c| (c as usize).min(options.len() - 1))
    }
}
