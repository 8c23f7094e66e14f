//! Sums of variables, such as `x - y`, that a program compares. Their values can be known where those of the variables
//! are not.
//!
//! Sums are found at equality tests and propagated backwards through assignments, calls and returns: up to a constant,
//! a sum after a step equals another sum before it. Each sum gets an additional variable after those of the program,
//! which no operation mentions.

mod find;
mod linear;
mod steps;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, FuncId, LocId, Program};
use crate::expr::narrow::cut;
use crate::expr::{BinaryOp, Expr, Sort, Var};
use crate::tuning::SumLimits;
use linear::Linear;

/// A constant plus or minus a variable or a sum, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shifted {
    /// The variable or sum.
    pub of: Option<Var>,
    /// Whether it is subtracted.
    pub is_negated: bool,
    /// The constant.
    pub constant: u64,
    /// The common sort.
    pub sort: Sort,
}

impl Shifted {
    /// The value if that of the variable or sum is `word`.
    pub fn value(&self, word: u64) -> u64 {
        let term = if self.is_negated { word.wrapping_neg() } else { word };
        cut(self.sort, self.constant.wrapping_add(term))
    }

    /// The value of the variable or sum for which the total is `word`.
    pub fn inverse(&self, word: u64) -> u64 {
        let term = word.wrapping_sub(self.constant);
        cut(self.sort, if self.is_negated { term.wrapping_neg() } else { term })
    }
}

/// The result of an operator in terms of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// The result itself.
    Value(Shifted),
    /// A comparison of operands with this difference.
    Difference(BinaryOp, Shifted),
}

impl Told {
    /// The value or the difference.
    pub fn shifted(self) -> Shifted {
        let (Told::Value(shifted) | Told::Difference(_, shifted)) = self;
        shifted
    }
}

/// The effect of a step on a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The sum.
    pub sum: Var,
    /// The sum after the step in terms of values before it.
    pub becomes: Becomes,
}

/// The new value of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Becomes {
    /// A shifted variable or sum.
    Shifted(Shifted),
    /// `factor · value` plus multiples of variables.
    Computed {
        /// The factor of the value.
        factor: u64,
        /// An expression that is not linear.
        value: Expr,
        /// Variables with their factors.
        others: Box<[(Var, u64)]>,
    },
    /// Any value.
    Unknown,
}

/// The sums of a program.
#[derive(Debug, Default)]
pub struct Sums {
    /// The variable number of the first sum.
    first: u32,
    sums: Vec<Linear>,
    /// The functions whose local variables occur in each sum.
    functions: Vec<SmallVec<[FuncId; 2]>>,
    containing: FxHashMap<Var, Vec<Var>>,
    of_function: FxHashMap<FuncId, Vec<Var>>,
    told: FxHashMap<Expr, Told>,
    /// Indexed by edge.
    changes: Vec<Vec<Change>>,
    /// The changes at returns, by return and call edge.
    returned: FxHashMap<(EdgeId, EdgeId), Vec<Change>>,
    /// Indexed by location.
    dead: Vec<Box<[Var]>>,
}

impl Sums {
    /// The sums of `program`. Local variables of recursive functions are excluded, because several instances may exist
    /// at once.
    pub fn new(program: &Program, limits: SumLimits, is_recursive: impl Fn(FuncId) -> bool) -> Sums {
        find::find(program, limits, is_recursive)
    }

    /// The number of sums.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there are no sums.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// All sums.
    pub fn iter(&self) -> impl Iterator<Item = Var> + use<> {
        (self.first..self.first + self.sums.len() as u32).map(Var)
    }

    fn add_change(&mut self, step: Step, change: Change) {
        match step.call {
            None => self.changes[step.edge.index()].push(change),
            Some(call) => self.returned.entry((step.edge, call)).or_default().push(change),
        }
    }

    fn sum(&self, var: Var) -> Option<&Linear> {
        self.sums.get(var.0.checked_sub(self.first)? as usize)
    }

    /// The variables of a sum with their factors; `None` if `var` is a variable of the program.
    pub fn parts(&self, var: Var) -> Option<&[(Var, u64)]> {
        self.sum(var).map(|sum| &*sum.parts)
    }

    /// The sort of a sum; `None` if `var` is a variable of the program.
    pub fn sort(&self, var: Var) -> Option<Sort> {
        self.sum(var).map(|sum| sum.sort)
    }

    /// The functions whose local variables occur in a sum.
    pub fn functions(&self, var: Var) -> &[FuncId] {
        var.0.checked_sub(self.first).map_or(&[], |at| &self.functions[at as usize])
    }

    /// The sums in which a variable occurs.
    pub fn containing(&self, var: Var) -> &[Var] {
        self.containing.get(&var).map_or(&[], |sums| sums)
    }

    /// The sums in which local variables of a function occur.
    pub fn of_function(&self, function: FuncId) -> &[Var] {
        self.of_function.get(&function).map_or(&[], |sums| sums)
    }

    /// The value of an expression in terms of sums, if there is one.
    #[inline]
    pub fn told(&self, expr: Expr) -> Option<Told> {
        if self.is_empty() { None } else { self.told.get(&expr).copied() }
    }

    /// The sums that may have a value at `location` but are no longer live there.
    #[inline]
    pub fn dead_at(&self, location: LocId) -> &[Var] {
        self.dead.get(location.index()).map_or(&[], |dead| dead)
    }

    /// The effects of `step` on the sums whose variables it writes.
    #[inline]
    pub fn changes(&self, step: Step) -> &[Change] {
        let changes = match step.call {
            _ if self.is_empty() => None,
            None => self.changes.get(step.edge.index()),
            Some(call) => self.returned.get(&(step.edge, call)),
        };
        changes.map_or(&[], |changes| changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{Havoc, Op, ProgramBuilder, Scope, SourceId};

    const NOWHERE: SourceId = SourceId::NONE;

    /// `x = input; y = x + 3; z = inc(x); assume(z == y);` with `inc(p) { return p + 1; }`
    #[test]
    fn sums_are_followed_through_assignments_calls_and_returns() {
        let mut b = ProgramBuilder::new(64);
        let sort = Sort::Bits(8);
        let inc = b.add_function("inc", "inc", Some(sort), NOWHERE);
        let p = b.add_temporary("p", sort, Scope::Local(inc));
        b.add_param(p);
        let (one, three) = (b.pool.bits(8, 1), b.pool.bits(8, 3));
        let read_p = b.read(p);
        let more = b.pool.add(read_p, one);
        b.add_return(b.function(inc).entry, Some(more), NOWHERE);
        let main = b.add_function("main", "main", None, NOWHERE);
        let [x, y, z] = ["x", "y", "z"].map(|name| b.add_temporary(name, sort, Scope::Local(main)));
        let [read_x, read_y, read_z] = [x, y, z].map(|var| b.read(var));
        let at = b.add_step(b.function(main).entry, Op::Havoc(x, Havoc::Input), NOWHERE);
        let shifted = b.pool.add(read_x, three);
        let at = b.add_step(at, Op::Assign(y, shifted), NOWHERE);
        let at = b.add_step(at, Op::Call { callee: inc, args: [read_x].into(), result: Some(z) }, NOWHERE);
        let equal = b.pool.eq(read_z, read_y);
        let at = b.add_step(at, Op::Assume(equal), NOWHERE);
        b.add_return(at, None, NOWHERE);
        let program = b.finish(main);
        let sums = Sums::new(&program, SumLimits::default(), |_| false);

        let minus = u64::from(u8::MAX);
        let named = |parts: &[(Var, u64)]| sums.iter().find(|&sum| sums.parts(sum) == Some(parts)).expect("a sum");
        let (of_z, of_p, of_x) =
            (named(&[(y, 1), (z, minus)]), named(&[(p, 1), (y, minus)]), named(&[(x, 1), (y, minus)]));
        assert_eq!(sums.len(), 3);
        assert_eq!(sums.functions(of_p), [inc, main]);
        assert_eq!(sums.containing(y), [of_z, of_p, of_x]);
        let Some(Told::Difference(BinaryOp::Eq, difference)) = sums.told(equal) else { panic!("it is told") };
        assert_eq!((difference.of, difference.value(2)), (Some(of_z), 2));

        let edge = |is_it: fn(&Op) -> bool| {
            let at = program.edges.iter().position(|edge| is_it(&edge.op)).expect("an edge");
            EdgeId(at as u32)
        };
        let becomes = |step: Step, sum: Var| {
            let change = sums.changes(step).iter().find(|change| change.sum == sum).expect("it changes");
            change.becomes.clone()
        };
        let shifted = |of, is_negated, constant| Becomes::Shifted(Shifted { of, is_negated, constant, sort });
        let call = edge(|op| matches!(op, Op::Call { .. }));
        let back = Step { edge: edge(|op| matches!(op, Op::Return(Some(_)))), call: Some(call) };
        // y - z = y - (p + 1) = -(p - y) - 1
        assert_eq!(becomes(back, of_z), shifted(Some(of_p), true, minus));
        assert_eq!(becomes(Step::along(call), of_p), shifted(Some(of_x), false, 0));
        let assign = Step::along(edge(|op| matches!(op, Op::Assign(..))));
        assert_eq!(becomes(assign, of_x), shifted(None, false, minus - 2));
        let input = Step::along(edge(|op| matches!(op, Op::Havoc(..))));
        assert_eq!(becomes(input, of_x), Becomes::Unknown);
    }

    /// Several instances of a variable may exist at once.
    #[test]
    fn variables_of_recursive_functions_are_in_no_sum() {
        let mut b = ProgramBuilder::new(64);
        let main = b.add_function("main", "main", None, NOWHERE);
        let local = b.add_temporary("x", Sort::Bits(8), Scope::Local(main));
        let global = b.add_temporary("g", Sort::Bits(8), Scope::Global);
        let (x, g) = (b.read(local), b.read(global));
        let equal = b.pool.eq(x, g);
        let at = b.add_step(b.function(main).entry, Op::Assume(equal), NOWHERE);
        b.add_return(at, None, NOWHERE);
        let program = b.finish(main);
        assert_eq!(Sums::new(&program, SumLimits::default(), |_| false).len(), 1);
        assert!(Sums::new(&program, SumLimits::default(), |_| true).is_empty());
    }
}
