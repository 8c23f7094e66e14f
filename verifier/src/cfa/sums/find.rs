//! Looks for the sums that a program compares, backwards from where it does, and for what becomes of them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::linear::Linear;
use super::steps::{Passage, passages};
use super::{Becomes, Change, Shifted, Sums, Told};
use crate::cfa::expr::{BinaryOp, Expr, Node};
use crate::cfa::narrow::signed;
use crate::cfa::program::{FuncId, LocId, Program, Scope, Var};

/// There are no more sums than this: others are not tracked.
const MOST_SUMS: usize = 256;
/// A sum has at most so many variables.
const MOST_PARTS: usize = 4;
/// Variables are multiplied by no more than this.
const LARGEST_FACTOR: u64 = 4;

/// The sums of `program`, without local variables of recursive functions.
pub(super) fn find(program: &Program, is_recursive: impl Fn(FuncId) -> bool) -> Sums {
    let is_allowed = |var: Var| match program.var(var).scope {
        Scope::Global => true,
        Scope::Local(function) => !is_recursive(function),
    };
    let readings = readings(program, &is_allowed);
    let mut finder = Finder {
        program,
        found: Vec::new(),
        numbers: FxHashMap::default(),
        live: vec![Set::default(); program.locations.len()],
        open: Vec::new(),
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
    let passages = passages(program, &is_allowed);
    finder.go_back(&passages);
    finder.finish(&passages, &readings)
}

/// Something linear that the program evaluates at a location.
struct Reading {
    at: LocId,
    expr: Expr,
    /// The value; for a comparison, the difference of its sides.
    linear: Linear,
    comparison: Option<BinaryOp>,
}

fn readings(program: &Program, is_allowed: &impl Fn(Var) -> bool) -> Vec<Reading> {
    use BinaryOp::*;
    let linear = |expr| Linear::of(&program.pool, expr, is_allowed);
    let mut known: FxHashMap<Expr, Option<(Linear, Option<BinaryOp>)>> = FxHashMap::default();
    let mut seen = vec![u32::MAX; program.pool.len()];
    let (mut readings, mut open) = (Vec::new(), Vec::new());
    for (id, edge) in (0..).zip(&program.edges) {
        edge.op.for_each_expr(|expr| open.push(expr));
        while let Some(expr) = open.pop() {
            if std::mem::replace(&mut seen[expr.index()], id) == id {
                continue;
            }
            open.extend(program.pool.children(expr));
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

/// A set of sums, by their numbers.
#[derive(Clone, Default)]
struct Set([u64; MOST_SUMS / 64]);

impl Set {
    /// Adds a sum. Was it missing?
    fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (&mut self.0[number as usize / 64], 1 << (number % 64));
        let is_missing = *word & bit == 0;
        *word |= bit;
        is_missing
    }

    fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

struct Finder<'p> {
    program: &'p Program,
    /// Plain forms.
    found: Vec<Linear>,
    numbers: FxHashMap<Linear, u32>,
    /// For each location, the sums that may be read before one of their variables is written.
    live: Vec<Set>,
    /// What has become live and was not followed yet.
    open: Vec<(LocId, u32)>,
    /// Where plain forms are read.
    read: FxHashMap<Linear, Vec<LocId>>,
}

impl Finder<'_> {
    /// The number of the sum that a form is, if it is one and not too large. A new one is live where it is read.
    fn number(&mut self, linear: &Linear) -> Option<u32> {
        let plain = linear.plain();
        if let Some(&known) = self.numbers.get(&plain) {
            return Some(known);
        }
        let is_small =
            plain.parts.iter().all(|&(_, factor)| signed(plain.sort, factor).unsigned_abs() <= LARGEST_FACTOR);
        let has_room = plain.parts.len() <= MOST_PARTS && self.found.len() < MOST_SUMS;
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
            self.open.push((at, number));
        }
    }

    /// Follows sums back through all steps.
    fn go_back(&mut self, passages: &[Passage]) {
        let mut coming: Vec<Vec<&Passage>> = vec![Vec::new(); self.program.locations.len()];
        for passage in passages {
            coming[passage.to.index()].push(passage);
        }
        while let Some((at, number)) = self.open.pop() {
            for passage in &coming[at.index()] {
                let sum = &self.found[number as usize];
                let before = if passage.changes(sum) {
                    let before = passage.before(sum);
                    before.and_then(|before| self.number(&before))
                } else {
                    Some(number)
                };
                if let Some(before) = before {
                    self.mark(passage.from, before);
                }
            }
        }
    }

    /// A form by the sum or variable that it is up to its sign and a constant; `None` if that is unknown.
    fn shifted(&self, linear: &Linear) -> Option<Shifted> {
        let plain = linear.plain();
        let of = match *plain.parts {
            [] => None,
            [(var, 1)] => Some(var),
            _ => Some(Var(self.program.vars.len() as u32 + self.numbers.get(&plain)?)),
        };
        Some(Shifted { of, is_negated: linear.is_negative(), constant: linear.constant, sort: linear.sort })
    }

    fn finish(self, passages: &[Passage], readings: &[Reading]) -> Sums {
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
        for passage in passages {
            let (before, after) = (&self.live[passage.from.index()], &self.live[passage.to.index()]);
            for number in (0..self.found.len() as u32).filter(|&sum| before.contains(sum) && !after.contains(sum)) {
                dead[passage.to.index()].insert(number);
            }
            let mut changed: Vec<Var> =
                passage.writes.iter().flat_map(|(var, _)| sums.containing(*var)).copied().collect();
            changed.sort_unstable();
            changed.dedup();
            for sum in changed {
                let is_live = after.contains(sum.0 - first);
                let becomes = if is_live { self.becomes(passage, sum, &sums) } else { Becomes::Unknown };
                sums.add_change(passage.step, Change { sum, becomes });
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

    /// What a sum that is read later becomes in a step.
    fn becomes(&self, passage: &Passage, sum: Var, sums: &Sums) -> Becomes {
        let linear = &self.found[sum.index() - self.program.vars.len()];
        // Of what a function leaves behind, nothing is known.
        if passage.step.call.is_some() && sums.functions(sum).contains(&self.program.location(passage.from).function) {
            return Becomes::Unknown;
        }
        match passage.before(linear) {
            Some(before) => self.shifted(&before).map_or(Becomes::Unknown, Becomes::Shifted),
            None => passage.computed(linear),
        }
    }
}
