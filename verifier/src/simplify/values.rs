//! What is known of variables and memory cells at a location.

use crate::cfa::program::{Op, Program};
use crate::expr::eval::{self, Env, Undefined, evaluate};
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Sort, UnaryOp, Value, Var};
use crate::facts::Constants;

/// A scalar variable at 0, a memory cell at its address, or, at [`CONTENTS`], all other cells of a memory.
pub(super) type Place = (Var, u64);

/// The place for all cells of a memory that have no fact of their own.
const CONTENTS: u64 = u64::MAX;

/// What is known of a place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Fact {
    /// It has this value.
    Value(Value),
    /// The cells are those of this entry of [`Program::initial`].
    Contents(u32),
    /// Nothing, although the other cells of the memory have known contents.
    Unknown,
}

/// Facts that hold at a location, sorted by place. A place without a fact may have any value.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Known {
    facts: Vec<(Place, Fact)>,
}

/// What knowledge is about.
#[derive(Clone, Copy)]
pub(super) struct Context<'p> {
    pub program: &'p Program,
    /// Never changed; there are no other facts about them.
    pub constants: &'p Constants,
    /// The number of facts about a memory.
    pub max_cells: usize,
    /// The number of facts at a location.
    pub max_facts: usize,
}

impl Known {
    /// The known facts.
    pub fn iter(&self) -> impl Iterator<Item = &(Place, Fact)> {
        self.facts.iter()
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Only the facts for which `keep` holds.
    pub fn filtered(&self, keep: impl Fn(Var) -> bool) -> Known {
        Known { facts: self.facts.iter().copied().filter(|((var, _), _)| keep(*var)).collect() }
    }

    /// Adds facts about other variables.
    pub fn extend(&mut self, facts: impl Iterator<Item = (Place, Fact)>) {
        self.facts.extend(facts);
        self.facts.sort_unstable_by_key(|(place, _)| *place);
    }

    /// Keeps so many facts. The known contents of a memory go before what is excepted from them.
    pub fn truncate(&mut self, count: usize) {
        self.facts.truncate(count);
    }

    fn get(&self, place: Place) -> Option<Fact> {
        self.facts.binary_search_by_key(&place, |(place, _)| *place).ok().map(|at| self.facts[at].1)
    }

    /// Sets what is known of a place.
    pub fn set(&mut self, place: Place, fact: Option<Fact>) {
        match (self.facts.binary_search_by_key(&place, |(place, _)| *place), fact) {
            (Ok(at), Some(fact)) => self.facts[at].1 = fact,
            (Ok(at), None) => drop(self.facts.remove(at)),
            (Err(at), Some(fact)) => self.facts.insert(at, (place, fact)),
            (Err(_), None) => {}
        }
    }

    fn range(&self, var: Var) -> std::ops::Range<usize> {
        let start = self.facts.partition_point(|((other, _), _)| *other < var);
        start..start + self.facts[start..].partition_point(|((other, _), _)| *other == var)
    }

    /// Forgets a variable with all its cells.
    pub fn forget(&mut self, var: Var) {
        let range = self.range(var);
        self.facts.drain(range);
    }

    /// One cell of a memory.
    fn cell(&self, context: Context<'_>, memory: Var, sort: MemorySort, address: u64) -> Option<Value> {
        let contents = match (context.constants.memories.get(&memory), self.get((memory, address))) {
            (Some(contents), _) => *contents,
            (None, Some(Fact::Value(value))) => return Some(value),
            (None, None) if is_aligned(sort, address) => match self.get((memory, CONTENTS)) {
                Some(Fact::Contents(contents)) => contents,
                _ => return None,
            },
            _ => return None,
        };
        let bits = context.program.initial_cells(contents).read(address, sort.cell.bytes())?;
        Value::from_raw(sort.cell.sort(), bits)
    }

    /// Writes whole cells. An unknown address, or too many cells, may change any of them.
    fn store(&mut self, context: Context<'_>, memory: Var, address: Option<u64>, value: Expr, stored: Option<Value>) {
        let Sort::Memory(sort) = context.program.var(memory).sort else { return };
        let cells = eval::written_cells(&context.program.pool, sort, value);
        let is_tracked = |_: &u64| self.range(memory).len() + usize::from(cells) <= context.max_cells;
        let Some(address) = address.filter(|address| is_aligned(sort, *address)).filter(is_tracked) else {
            return self.forget(memory);
        };
        for i in 0..cells {
            let place = (memory, wrapped(sort, address, i));
            let part = stored.map(|value| match sort.cell {
                Cell::Bits(width) if cells > 1 => Value::bits(width, value.raw() >> (i * width)),
                _ => value,
            });
            // Without known contents, there is nothing to except the cell from.
            let unknown = self.get((memory, CONTENTS)).map(|_| Fact::Unknown);
            self.set(place, part.map(Fact::Value).or(unknown));
        }
    }

    /// Keeps only what `other` agrees with. Returns whether anything has changed.
    pub fn join(&mut self, other: &Known, context: Context<'_>) -> bool {
        if self == other {
            return false;
        }
        let mut joined = Vec::with_capacity(self.facts.len());
        let (mut a, mut b) = (self.facts.iter().peekable(), other.facts.iter().peekable());
        loop {
            let place = match (a.peek(), b.peek()) {
                (Some((x, _)), Some((y, _))) => *x.min(y),
                (Some((x, _)), None) | (None, Some((x, _))) => *x,
                (None, None) => break,
            };
            let here = a.next_if(|(x, _)| *x == place).map(|(_, fact)| *fact);
            let there = b.next_if(|(y, _)| *y == place).map(|(_, fact)| *fact);
            if let Some(fact) = self.common(other, place, (here, there), context) {
                joined.push((place, fact));
            }
        }
        let changed = joined != self.facts;
        self.facts = joined;
        changed
    }

    fn common(
        &self,
        other: &Known,
        place: Place,
        facts: (Option<Fact>, Option<Fact>),
        context: Context<'_>,
    ) -> Option<Fact> {
        let Some(Sort::Memory(sort)) = context.program.vars.get(place.0.index()).map(|info| info.sort) else {
            return facts.0.filter(|_| facts.0 == facts.1);
        };
        let contents = self.get((place.0, CONTENTS)).filter(|fact| Some(*fact) == other.get((place.0, CONTENTS)));
        if place.1 == CONTENTS {
            return contents;
        }
        let value = |known: &Known| known.cell(context, place.0, sort, place.1);
        match (value(self), value(other)) {
            (Some(x), Some(y)) if x == y => Some(Fact::Value(x)),
            _ => contents.map(|_| Fact::Unknown),
        }
    }

    /// The value of an expression, if it is known.
    pub fn value(&self, context: Context<'_>, expr: Expr) -> Option<Value> {
        evaluate(&context.program.pool, expr, &mut Lookup { known: self, context }).ok()
    }

    /// The effect of an operation other than an assumption, a call or a return.
    pub fn apply(&mut self, context: Context<'_>, op: &Op) {
        let Context { constants: Constants { scalars, memories }, .. } = context;
        if op.written().is_some_and(|var| scalars.contains_key(&var) || memories.contains_key(&var)) {
            return;
        }
        match *op {
            Op::Assign(var, expr) => match context.program.var(var).sort {
                Sort::Memory(_) => self.forget(var),
                _ => {
                    let value = self.value(context, expr);
                    self.set((var, 0), value.map(Fact::Value));
                }
            },
            Op::Store { memory, address, value } => {
                let at = self.value(context, address).map(|address| address.raw() as u64);
                let stored = self.value(context, value);
                self.store(context, memory, at, value, stored);
            }
            Op::Initialize { memory, contents } => {
                self.forget(memory);
                self.set((memory, CONTENTS), Some(Fact::Contents(contents)));
            }
            _ => op.written().into_iter().for_each(|var| self.forget(var)),
        }
    }

    /// What follows if `condition` holds.
    pub fn assume(&mut self, context: Context<'_>, condition: Expr, holds: bool) {
        let pool = &context.program.pool;
        match pool.node(condition) {
            Node::Var(var) => self.learn(context, var, Value::Bool(holds)),
            Node::Unary(UnaryOp::Not, inner) => self.assume(context, inner, !holds),
            Node::Binary(BinaryOp::And, a, b) if holds => {
                [a, b].into_iter().for_each(|e| self.assume(context, e, true))
            }
            Node::Binary(BinaryOp::Or, a, b) if !holds => {
                [a, b].into_iter().for_each(|e| self.assume(context, e, false));
            }
            Node::Binary(BinaryOp::Eq, a, b) if holds => {
                if let (Node::Var(var), Some(value)) = (pool.node(a), pool.as_const(b)) {
                    self.learn(context, var, value);
                }
            }
            _ => {}
        }
    }

    fn learn(&mut self, context: Context<'_>, var: Var, value: Value) {
        if !context.constants.scalars.contains_key(&var) {
            self.set((var, 0), Some(Fact::Value(value)));
        }
    }
}

/// Whether a cell is at a multiple of its size. Only such cells have facts, so that no two of them overlap.
fn is_aligned(sort: MemorySort, address: u64) -> bool {
    address.is_multiple_of(sort.cell.bytes())
}

/// The address of the cell `i` cells after `address`.
fn wrapped(sort: MemorySort, address: u64, i: u16) -> u64 {
    let end = u128::from(address) + u128::from(i) * u128::from(sort.cell.bytes());
    (end & crate::expr::value::mask(sort.address)) as u64
}

/// Evaluates expressions as far as their variables are known.
struct Lookup<'a> {
    known: &'a Known,
    context: Context<'a>,
}

/// A value is not known, or there is none.
struct Unknown;

impl From<Undefined> for Unknown {
    fn from(_: Undefined) -> Unknown {
        Unknown
    }
}

impl Env for Lookup<'_> {
    type Stop = Unknown;

    fn var(&mut self, var: Var) -> Result<Value, Unknown> {
        match (self.known.get((var, 0)), self.context.constants.scalars.get(&var)) {
            (Some(Fact::Value(value)), _) => Ok(value),
            (_, Some(&value)) => Ok(value),
            _ => Err(Unknown),
        }
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Unknown> {
        let cell = |i| self.known.cell(self.context, memory, sort, wrapped(sort, address as u64, i)).ok_or(Unknown);
        if cells == 1 {
            return cell(0);
        }
        let Cell::Bits(width) = sort.cell else { return Err(Unknown) };
        let mut raw = 0;
        for i in 0..cells {
            raw |= cell(i)?.raw() << (i * width);
        }
        Value::from_raw(eval::read_sort(sort, cells), raw).ok_or(Unknown)
    }
}
