//! Where the values come from that a program does not determine: given ones, random ones, or those of an earlier run.

use std::collections::VecDeque;

use crate::cfa::eval;
use crate::cfa::expr::{Expr, UnaryOp};
use crate::cfa::program::{EdgeId, Havoc, Var};
use crate::cfa::sort::{FloatFormat, Sort};
use crate::cfa::source::SourceId;
use crate::cfa::value::{Value, mask};

/// A source of values for all that is unknown.
pub trait Inputs {
    /// A value for what is `unknown`; `None` stops the run.
    fn next(&mut self, unknown: Unknown) -> Option<Value>;

    /// One of the edges in `options` that can be taken, by position; there are at least 2.
    fn choose(&mut self, options: &[EdgeId]) -> usize;

    /// `edge` has been taken. Whether the run goes on.
    fn taken(&mut self, _edge: EdgeId) -> bool {
        true
    }
}

/// Something without a value, which has to come from somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// What it is.
    pub what: What,
    /// Why it is unknown.
    pub kind: Havoc,
    /// The scalar sort of its value.
    pub sort: Sort,
    /// Where.
    pub source: SourceId,
}

/// What can be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// What a `Havoc` gives to a variable.
    Havoc(Var),
    /// A variable that is read before it has a value.
    Variable(Var),
    /// Bytes of memory that are read before they have a value: from `offset` on in `cells` cells at `address`.
    Memory {
        /// The memory variable.
        memory: Var,
        /// The address that is read.
        address: u64,
        /// How many cells are read.
        cells: u16,
        /// Where in them the bytes are.
        offset: u16,
    },
    /// An expression whose operator has no value.
    Expression(Expr),
}

/// All that a run drew from its inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The values, in order.
    pub values: Vec<Drawn>,
    /// The choices among edges, in order.
    pub choices: Vec<u32>,
}

/// A value that was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Why it was unknown.
    pub kind: Havoc,
    /// Where.
    pub source: SourceId,
    /// The value.
    pub value: Value,
}

/// Zero for everything, and always the first edge.
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

/// Pseudorandom values, the same for the same seed. Small numbers and those at the edges of the range are more likely
/// than others, as programs tend to tell them apart.
#[derive(Clone, Debug)]
pub struct SeededInputs {
    state: u64,
}

impl SeededInputs {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> SeededInputs {
        SeededInputs { state: seed }
    }

    /// The splitmix64 generator: a counter with a large odd step, scrambled.
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
            // The bits of a double may be any; those of an x87 number may not.
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
    /// A value; its representation counts where the sort is another.
    Value(Value),
    /// An integer, cut to the width that is asked for, or the nearest float.
    Integer(i128),
    /// A float in the nearest one of the format that is asked for, or the integer towards zero.
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

/// Given values for what the program asks for ([`Havoc::Input`]), in order; all else, and what is asked for after the
/// last one, comes from `rest`.
#[derive(Clone, Debug)]
pub struct GivenInputs<Rest> {
    given: VecDeque<Given>,
    rest: Rest,
    stops: bool,
}

impl<Rest: Inputs> GivenInputs<Rest> {
    /// `given`, then `rest`.
    pub fn new(given: impl IntoIterator<Item = Given>, rest: Rest) -> Self {
        GivenInputs { given: given.into_iter().collect(), rest, stops: false }
    }

    /// Ends the run ([`Outcome::OutOfInputs`](super::Outcome::OutOfInputs)) when the given values are used up.
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

/// What an earlier run drew, in the same order; the run ends when it is used up.
#[derive(Clone, Debug)]
pub struct ReplayInputs {
    values: std::vec::IntoIter<Drawn>,
    choices: std::vec::IntoIter<u32>,
}

impl ReplayInputs {
    /// Repeats `record`.
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
