//! The interpolation that Clew ships agrees with Algorithms 3 and 4 of paper 000 as they are printed.

mod literal;
mod small;

use std::collections::BTreeSet;

use clew_verifier::cfa::{Havoc, Op, Program, ProgramBuilder, Scope, SourceId, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::value::cells::CellId;
use clew_verifier::cpa::value::precision::{Sharing, ValuePrecision};
use clew_verifier::cpa::value::{ValueState, Values};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};
use clew_verifier::facts::Facts;
use clew_verifier::refine::value::{interpolate, record};
use literal::{Constraint, Literal, without};
use small::Random;
use small::occurrences::{occurrences, tell_path};

const PROGRAMS: u64 = 500;
const WALKS: u64 = 6;
const LONGEST_WALK: usize = 60;

/// The interpolants of a path at positions 1 to n−1, where its last step contradicts those before.
struct Both {
    shipped: Vec<ValueState>,
    literal: Vec<ValueState>,
}

/// Interpolates along the path by both algorithms, up to the first contradiction; `None` if values find none.
///
/// # Panics
/// If only one of them finds the path infeasible, or at another step.
fn interpolate_both(values: &Values<'_>, path: &[Step]) -> Option<(usize, Both)> {
    let literal = Literal { values };
    let operations: Vec<Constraint> = path.iter().map(|&step| Constraint::Operation(step)).collect();
    // The feasibility check of the paper: the path with full precision.
    let contradicting = (0..path.len()).find(|&i| literal.sp_of_nothing(&operations[..=i]).is_none());
    let recording = record(&values.semantics, path);
    let interpolants = interpolate(&recording, 0);
    let found = interpolants.as_ref().map(|interpolants| interpolants.len() - 1);
    assert_eq!(found, contradicting, "where the path is contradicted\n{}", tell_path(values.program(), path));
    let (last, interpolants) = (contradicting?, interpolants?);
    let state = |position: usize| {
        let mut state = values.initial();
        for &(key, word) in interpolants.at(position) {
            state.set(values.cells.outer(key.cell, recording.activations_since(position, key)), word);
        }
        state
    };
    let refined = literal.refine(&path[..=last]);
    let of_literal = |(tracked, gamma): &(BTreeSet<CellId>, Vec<Constraint>)| {
        let v = literal.sp_of_nothing(gamma).expect("an interpolant is not contradicting");
        assert!(v.entries().iter().all(|(x, _)| tracked.contains(x)));
        v
    };
    let both = Both { shipped: (1..=last).map(state).collect(), literal: refined.iter().map(of_literal).collect() };
    assert_eq!(both.shipped.len(), both.literal.len());
    Some((last, both))
}

/// Which condition of interpolants does not hold, for the sequence of one algorithm.
fn violation(values: &Values<'_>, path: &[Step], interpolants: &[ValueState]) -> Option<String> {
    let literal = Literal { values };
    let operations: Vec<Constraint> = path.iter().map(|&step| Constraint::Operation(step)).collect();
    let occurrences: Vec<BTreeSet<Var>> =
        occurrences(values.program(), path).into_iter().map(|s| s.into_iter().map(|(var, _)| var).collect()).collect();
    for (i, state) in interpolants.iter().enumerate() {
        let position = i + 1;
        let strongest = literal.sp_of_nothing(&operations[..position]).expect("the first steps are feasible");
        if !state.is_within(&strongest) {
            return Some(format!("{position}: not implied by the prefix"));
        }
        if literal.sp(&operations[position..], state).is_some() {
            return Some(format!("{position}: does not contradict the suffix"));
        }
        let before = if i == 0 { values.initial() } else { interpolants[i - 1].clone() };
        if literal.sp(&operations[i..position], &before).is_none_or(|next| !state.is_within(&next)) {
            return Some(format!("{position}: not inductive"));
        }
        for (cell, _) in state.entries() {
            let var = values.cells.key(cell).0.var;
            // A sum occurs where one of its variables does.
            let is_it = |other: &Var| match values.semantics.sums.parts(var) {
                Some(parts) => parts.iter().any(|part| part.0 == *other),
                None => *other == var,
            };
            let (prefix, suffix) = occurrences.split_at(position);
            if ![prefix, suffix].iter().all(|side| side.iter().any(|vars| vars.iter().any(is_it))) {
                return Some(format!("{position}: {var:?} does not occur on both sides"));
            }
        }
    }
    None
}

/// Whether the precision of the interpolants excludes the path.
fn excludes(values: &Values<'_>, path: &[Step], interpolants: &[ValueState]) -> bool {
    let mut precision = ValuePrecision::empty(values.program(), Sharing::Location);
    for (step, state) in path.iter().zip(interpolants) {
        for (cell, _) in state.entries() {
            precision.add(step.target(values.program()), cell);
        }
    }
    let end = path.iter().try_fold(values.initial(), |state, &step| {
        let next = values.transfer(state, &precision, step).pop()?;
        Some(values.adjust(next, &precision, step.target(values.program())))
    });
    end.is_none()
}

fn facts(interpolants: &[ValueState]) -> usize {
    interpolants.iter().map(ValueState::len).sum()
}

#[test]
fn shipped_and_literal_interpolants_agree_on_random_paths() {
    let (mut infeasible, mut shipped, mut literal, mut fewer, mut more) = (0, 0, 0, 0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let values = Values::with_dead_variables(&Facts::new(&program, &Default::default()));
        let mut random = Random::new(seed);
        for _ in 0..WALKS {
            let path = small::walk(&program, &mut random, (1, LONGEST_WALK));
            let Some((last, both)) = interpolate_both(&values, &path) else { continue };
            let path = &path[..=last];
            infeasible += 1;
            for (name, interpolants) in [("shipped", &both.shipped), ("literal", &both.literal)] {
                if let Some(why) = violation(&values, path, interpolants) {
                    panic!("seed {seed}, {name}, {why}\n{}", tell_path(&program, path));
                }
                assert!(excludes(&values, path, interpolants), "seed {seed}, {name}\n{}", tell_path(&program, path));
            }
            // Algorithm 3 leaves nothing that could be dropped.
            let algorithms = Literal { values: &values };
            let operations: Vec<Constraint> = path.iter().map(|&step| Constraint::Operation(step)).collect();
            for (i, v) in both.literal.iter().enumerate() {
                for (x, _) in v.entries() {
                    let rest = algorithms.sp(&operations[i + 1..], &without(v, x));
                    assert!(
                        rest.is_some(),
                        "seed {seed}, {}: {x:?} is redundant\n{}",
                        i + 1,
                        tell_path(&program, path)
                    );
                }
            }
            shipped += facts(&both.shipped);
            literal += facts(&both.literal);
            for (shipped, literal) in both.shipped.iter().zip(&both.literal) {
                fewer += usize::from(shipped.len() < literal.len());
                more += usize::from(shipped.len() > literal.len());
            }
        }
    }
    eprintln!("{infeasible} infeasible paths: {shipped} facts, {literal} of the literal algorithm");
    eprintln!("fewer at {fewer} positions, more at {more}");
    assert!(infeasible > 1000, "only {infeasible} paths are contradicted");
    // Which variables can be dropped depends on the order, and Clew takes the contradiction that a run meets first.
    assert!(shipped * 10 <= literal * 13, "{shipped} facts instead of {literal}");
}

/// A path of a program without branches, from its operations.
struct Listing {
    b: ProgramBuilder,
    vars: Vec<Var>,
    ops: Vec<Op>,
}

impl Listing {
    fn new(names: &[&str]) -> Listing {
        let mut b = ProgramBuilder::new(64);
        let main = b.add_function("main", "main", None, SourceId::NONE);
        let vars = names.iter().map(|name| b.add_temporary(name, Sort::Bits(32), Scope::Local(main))).collect();
        Listing { b, vars, ops: Vec::new() }
    }

    fn number(&mut self, number: u128) -> Expr {
        self.b.pool.bits(32, number)
    }

    fn var(&mut self, index: usize) -> Expr {
        self.b.read(self.vars[index])
    }

    fn assign(&mut self, index: usize, value: Expr) {
        self.ops.push(Op::Assign(self.vars[index], value));
    }

    fn call(&mut self, index: usize) {
        self.ops.push(Op::Havoc(self.vars[index], Havoc::Input));
    }

    /// `[left < right]`, of signed numbers.
    fn assume_less(&mut self, left: Expr, right: Expr) {
        let condition = self.b.pool.binary(BinaryOp::SignedLess, left, right);
        self.ops.push(Op::Assume(condition));
    }

    fn assume_equal(&mut self, left: Expr, right: Expr, is_so: bool) {
        let condition = self.b.pool.eq(left, right);
        let condition = if is_so { condition } else { self.b.pool.not(condition) };
        self.ops.push(Op::Assume(condition));
    }

    fn finish(mut self) -> (Program, Vec<Step>) {
        let main = clew_verifier::cfa::FuncId(0);
        let mut at = self.b.function(main).entry;
        for op in self.ops {
            at = self.b.add_step(at, op, SourceId::NONE);
        }
        self.b.add_return(at, None, SourceId::NONE);
        let program = self.b.finish(main);
        let path = (0..program.edges.len() as u32 - 1).map(|i| Step::along(clew_verifier::cfa::EdgeId(i))).collect();
        (program, path)
    }
}

/// Clew never tracks more than the literal algorithm here; the names of what is tracked at each position.
fn tracked((program, path): (Program, Vec<Step>)) -> Vec<String> {
    let values = Values::with_dead_variables(&Facts::new(&program, &Default::default()));
    let (last, both) = interpolate_both(&values, &path).expect("the path is contradicted");
    assert_eq!(last + 1, path.len(), "the last step is the one that cannot be taken");
    for (position, (shipped, literal)) in both.shipped.iter().zip(&both.literal).enumerate() {
        assert!(shipped.len() <= literal.len(), "more at {}: {shipped:?} {literal:?}", position + 1);
    }
    for interpolants in [&both.shipped, &both.literal] {
        assert_eq!(violation(&values, &path, interpolants), None);
        assert!(excludes(&values, &path, interpolants));
    }
    let name = |(cell, word): (CellId, u64)| format!("{}={word}", program.var(values.cells.key(cell).0.var).name);
    let names = |state: &ValueState| state.entries().into_iter().map(name).collect::<Vec<_>>().join(" ");
    both.shipped.iter().map(names).collect()
}

/// Listing 1.1: the first error path through the loop body, left by `result == 0`. Only `flag` is tracked.
#[test]
fn listing_1_1_leaving_by_the_result() {
    let mut code = Listing::new(&["x", "flag", "ticks", "result"]);
    let (zero, one) = (code.number(0), code.number(1));
    code.assign(1, zero);
    code.assign(2, zero);
    let ticks = code.var(2);
    let more = code.b.pool.binary(BinaryOp::Add, ticks, one);
    code.assign(2, more);
    code.call(3);
    let (result, flag) = (code.var(3), code.var(1));
    code.assume_equal(result, zero, true);
    code.assume_less(zero, flag);
    assert_eq!(tracked(code.finish()), ["flag=0"; 5]);
}

/// Listing 1.1: two rounds, left by `ticks > x`. The counter is not tracked either.
#[test]
fn listing_1_1_leaving_by_the_ticks() {
    let mut code = Listing::new(&["x", "flag", "ticks", "result"]);
    let (zero, one) = (code.number(0), code.number(1));
    code.assign(1, zero);
    code.assign(2, zero);
    for round in 0..2 {
        let ticks = code.var(2);
        let more = code.b.pool.binary(BinaryOp::Add, ticks, one);
        code.assign(2, more);
        code.call(3);
        let (result, x) = (code.var(3), code.var(0));
        code.assume_equal(result, zero, false);
        if round == 1 {
            code.assume_less(x, ticks);
        }
    }
    let flag = code.var(1);
    code.assume_less(zero, flag);
    assert_eq!(tracked(code.finish()), ["flag=0"; 9]);
}

/// §3: of `v = {x ↦ 2, y ↦ 5}` only `x` is in the precision that excludes `[x ≠ 2]`.
#[test]
fn the_abstraction_of_section_3() {
    let mut code = Listing::new(&["x", "y"]);
    let (two, five) = (code.number(2), code.number(5));
    code.assign(0, two);
    code.assign(1, five);
    let x = code.var(0);
    code.assume_equal(x, two, false);
    assert_eq!(tracked(code.finish()), ["x=2"; 2]);
}

/// Inductive interpolants pass a value on from variable to variable.
#[test]
fn values_that_are_passed_on() {
    let mut code = Listing::new(&["a", "b", "c"]);
    let (one, three) = (code.number(1), code.number(3));
    code.assign(0, one);
    let a = code.var(0);
    let next = code.b.pool.binary(BinaryOp::Add, a, one);
    code.assign(1, next);
    code.call(0);
    let b = code.var(1);
    let next = code.b.pool.binary(BinaryOp::Add, b, one);
    code.assign(2, next);
    let c = code.var(2);
    code.assume_equal(c, three, false);
    assert_eq!(tracked(code.finish()), ["a=1", "b=2", "b=2", "c=3"]);
}
