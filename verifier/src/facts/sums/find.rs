//! Finds the sums that a program compares, by a backward analysis from the comparisons.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::linear::Linear;
use super::steps::{Transition, transitions};
use super::{Becomes, Change, Shifted, Told};
use crate::cfa::program::{FuncId, LocId, Program, Scope};
use crate::expr::narrow::signed;
use crate::expr::{BinaryOp, Expr, Node, Var};
use crate::facts::Sums;
use crate::tuning::SumLimits;

/// The maximum number of sums: the size of [`Set`], so it is no tuning parameter.
const MAX_SUMS: usize = 256;

/// The sums of `program`, without local variables of recursive functions.
pub(super) fn find(program: &Program, limits: SumLimits, is_recursive: impl Fn(FuncId) -> bool) -> Sums {
    let is_allowed = |var: Var| match program.var(var).scope {
        Scope::Global => true,
        Scope::Local(function) => !is_recursive(function),
    };
    let readings = readings(program, limits, &is_allowed);
    let mut finder = Finder {
        program,
        limits,
        found: Vec::new(),
        numbers: FxHashMap::default(),
        live: vec![Set::default(); program.locations.len()],
        worklist: Vec::new(),
        read: FxHashMap::default(),
    };
    for reading in &readings {
        finder.read.entry(reading.linear.plain()).or_default().push(reading.at);
    }
    for reading in readings.iter().filter(|reading| reading.comparison == Some(BinaryOp::Eq)) {
        finder.number(&reading.linear);
    }
    if finder.found.is_empty() {
        return Sums { first: program.vars.len() as u32, ..Sums::default() };
    }
    let transitions = transitions(program, limits, &is_allowed);
    finder.propagate_backwards(&transitions);
    finder.finish(&transitions, &readings)
}

/// A linear expression that the program evaluates at a location.
struct Reading {
    at: LocId,
    expr: Expr,
    /// The value; for a comparison, the difference of its operands.
    linear: Linear,
    comparison: Option<BinaryOp>,
}

fn readings(program: &Program, limits: SumLimits, is_allowed: &impl Fn(Var) -> bool) -> Vec<Reading> {
    use BinaryOp::*;
    let linear = |expr| Linear::of(&program.pool, expr, limits.max_nodes, is_allowed);
    let mut known: FxHashMap<Expr, Option<(Linear, Option<BinaryOp>)>> = FxHashMap::default();
    let mut seen = vec![u32::MAX; program.pool.len()];
    let (mut readings, mut worklist) = (Vec::new(), Vec::new());
    for (id, edge) in (0..).zip(&program.edges) {
        edge.op.for_each_expr(|expr| worklist.push(expr));
        while let Some(expr) = worklist.pop() {
            if std::mem::replace(&mut seen[expr.index()], id) == id {
                continue;
            }
            worklist.extend(program.pool.children(expr));
            let Node::Binary(op, a, b) = program.pool.node(expr) else { continue };
            let found = known.entry(expr).or_insert_with(|| match op {
                Add | Sub => Some((linear(expr)?, None)),
                Eq | UnsignedLess | UnsignedLessEq | SignedLess | SignedLessEq => {
                    Some((linear(a)?.plus(&linear(b)?.times(u64::MAX)), Some(op)))
                }
                _ => None,
            });
            if let Some((linear, comparison)) = found.as_ref().filter(|(linear, _)| linear.is_sum()) {
                readings.push(Reading { at: edge.from, expr, linear: linear.clone(), comparison: *comparison });
            }
        }
    }
    readings
}

/// A set of sums, by number.
#[derive(Clone, Default)]
struct Set([u64; MAX_SUMS / 64]);

impl Set {
    /// Adds a sum. Returns whether it was absent.
    fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (&mut self.0[number as usize / 64], 1 << (number % 64));
        let is_absent = *word & bit == 0;
        *word |= bit;
        is_absent
    }

    fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

struct Finder<'p> {
    program: &'p Program,
    limits: SumLimits,
    /// Normalised forms.
    found: Vec<Linear>,
    numbers: FxHashMap<Linear, u32>,
    /// For each location, the sums that may be read before one of their variables is written.
    live: Vec<Set>,
    /// Worklist of newly live sums.
    worklist: Vec<(LocId, u32)>,
    /// Where normalised forms are read.
    read: FxHashMap<Linear, Vec<LocId>>,
}

impl Finder<'_> {
    /// The number of the sum with this form, added if necessary; `None` if it is no sum or exceeds the limits. A new
    /// one is marked live where it is read.
    fn number(&mut self, linear: &Linear) -> Option<u32> {
        let plain = linear.plain();
        if let Some(&known) = self.numbers.get(&plain) {
            return Some(known);
        }
        let is_small =
            plain.parts.iter().all(|&(_, factor)| signed(plain.sort, factor).unsigned_abs() <= self.limits.max_factor);
        let has_room = plain.parts.len() <= self.limits.max_parts && self.found.len() < MAX_SUMS;
        if !plain.is_sum() || !is_small || !has_room {
            return None;
        }
        let number = self.found.len() as u32;
        for at in self.read.get(&plain).cloned().unwrap_or_default() {
            self.mark(at, number);
        }
        self.found.push(plain.clone());
        self.numbers.insert(plain, number);
        Some(number)
    }

    fn mark(&mut self, at: LocId, number: u32) {
        if self.live[at.index()].insert(number) {
            self.worklist.push((at, number));
        }
    }

    /// Propagates liveness of sums backwards to a fixpoint.
    fn propagate_backwards(&mut self, transitions: &[Transition]) {
        let mut incoming: Vec<Vec<&Transition>> = vec![Vec::new(); self.program.locations.len()];
        for transition in transitions {
            incoming[transition.to.index()].push(transition);
        }
        while let Some((at, number)) = self.worklist.pop() {
            for transition in &incoming[at.index()] {
                let sum = &self.found[number as usize];
                let before = if transition.changes(sum) {
                    let before = transition.before(sum);
                    before.and_then(|before| self.number(&before))
                } else {
                    Some(number)
                };
                if let Some(before) = before {
                    self.mark(transition.from, before);
                }
            }
        }
    }

    /// A form as a sum or variable up to sign and constant; `None` if it is not a known sum.
    fn shifted(&self, linear: &Linear) -> Option<Shifted> {
        let plain = linear.plain();
        let of = match *plain.parts {
            [] => None,
            [(var, 1)] => Some(var),
            _ => Some(Var(self.program.vars.len() as u32 + self.numbers.get(&plain)?)),
        };
        Some(Shifted { of, is_negated: linear.is_negative(), constant: linear.constant, sort: linear.sort })
    }

    fn finish(self, transitions: &[Transition], readings: &[Reading]) -> Sums {
        let program = self.program;
        let first = program.vars.len() as u32;
        let mut sums = Sums { first, changes: vec![Vec::new(); program.edges.len()], ..Sums::default() };
        for (sum, linear) in (first..).map(Var).zip(&self.found) {
            let mut functions = SmallVec::<[FuncId; 2]>::new();
            for &(var, _) in &linear.parts {
                sums.containing.entry(var).or_default().push(sum);
                if let Scope::Local(function) = program.var(var).scope
                    && !functions.contains(&function)
                {
                    functions.push(function);
                    sums.of_function.entry(function).or_default().push(sum);
                }
            }
            sums.functions.push(functions);
        }
        let mut dead = vec![Set::default(); program.locations.len()];
        for transition in transitions {
            let (before, after) = (&self.live[transition.from.index()], &self.live[transition.to.index()]);
            for number in (0..self.found.len() as u32).filter(|&sum| before.contains(sum) && !after.contains(sum)) {
                dead[transition.to.index()].insert(number);
            }
            let mut changed: Vec<Var> =
                transition.writes.iter().flat_map(|(var, _)| sums.containing(*var)).copied().collect();
            changed.sort_unstable();
            changed.dedup();
            for sum in changed {
                let is_live = after.contains(sum.0 - first);
                let becomes = if is_live { self.becomes(transition, sum, &sums) } else { Becomes::Unknown };
                sums.add_change(transition.step, Change { sum, becomes });
            }
        }
        let vars =
            |set: &Set| (0..self.found.len() as u32).filter(|&n| set.contains(n)).map(|n| Var(first + n)).collect();
        sums.dead = dead.iter().map(vars).collect();
        for reading in readings {
            let told = self.shifted(&reading.linear).map(|shifted| match reading.comparison {
                None => Told::Value(shifted),
                Some(op) => Told::Difference(op, shifted),
            });
            sums.told.extend(told.map(|told| (reading.expr, told)));
        }
        sums.sums = self.found;
        sums
    }

    /// The effect of a step on a sum that is live after it.
    fn becomes(&self, transition: &Transition, sum: Var, sums: &Sums) -> Becomes {
        let linear = &self.found[sum.index() - self.program.vars.len()];
        // Local variables are lost when their function returns.
        if transition.step.call.is_some()
            && sums.functions(sum).contains(&self.program.location(transition.from).function)
        {
            return Becomes::Unknown;
        }
        match transition.before(linear) {
            Some(before) => self.shifted(&before).map_or(Becomes::Unknown, Becomes::Shifted),
            None => transition.computed(linear),
        }
    }
}
