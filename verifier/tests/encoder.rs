//! The solver and evaluation agree on expressions.

mod trees;

use clew_verifier::expr::eval::{Env, evaluate};
use clew_verifier::expr::{Expr, FloatFormat, Pool, Sort, Value, Var};
use clew_verifier::monitor::Monitor;
use clew_verifier::smt::{Answer, Options, Solver};
use proptest::prelude::*;
use std::time::Duration;
use trees::{Maker, World, build, show};

/// `expr` with its value in the world, and everything that evaluation read from the world.
fn facts(pool: &mut Pool, expr: Expr, world: &mut World) -> Option<(Vec<Expr>, Expr)> {
    let value = evaluate(pool, expr, world).ok()?;
    let mut facts = Vec::new();
    for (index, &sort) in world.sorts.iter().enumerate() {
        if !matches!(sort, Sort::Memory(_)) {
            let var = Var(index as u32);
            let (variable, value) = (pool.var(var, sort), pool.constant(world.scalar(var, sort)));
            facts.push(pool.eq(variable, value));
        }
    }
    for (memory, sort, address) in std::mem::take(&mut world.read) {
        let value = world.read(memory, sort, address, 1).ok()?;
        let (memory, address) = (pool.var(memory, Sort::Memory(sort)), pool.bits(sort.address, address));
        let (cell, value) = (pool.read(memory, address, 1), pool.constant(value));
        facts.push(pool.eq(cell, value));
    }
    let value = pool.constant(value);
    Some((facts, pool.eq(expr, value)))
}

/// Whether a time limit was exceeded.
fn is_slow(why: &str) -> bool {
    ["timeout", "canceled"].iter().any(|word| why.contains(word))
}

fn check(bytes: &[u8], seed: u64) {
    let mut maker = Maker::new(bytes);
    let sort = match maker.byte() % 4 {
        0 => Sort::Bool,
        1 | 2 => Sort::Bits(maker.width()),
        _ => Sort::Float(maker.format()),
    };
    let tree = maker.tree(sort, 3);
    let mut pool = Pool::default();
    let expr = build(&tree, &mut pool);
    let mut world = World { seed, sorts: maker.sorts.clone(), read: Vec::new() };
    let Some((mut facts, claim)) = facts(&mut pool, expr, &mut world) else { return };
    let monitor = Monitor::new(None);
    let options = Options { time: Some(Duration::from_secs(1)), memory: None };
    let mut solver = Solver::new(&monitor, options);
    let contrary = pool.not(claim);
    facts.push(claim);
    match solver.check_once(&pool, &facts) {
        Answer::Sat(model) => assert_eq!(model.value(&pool, claim), Ok(Value::Bool(true))),
        Answer::Unknown(why) if why.contains("does not satisfy") && format!("{tree:?}").contains("FloatRem") => {}
        Answer::Unsat(_) => panic!("{tree:?} became {}, which cannot have its value", show(&pool, expr)),
        Answer::Unknown(why) => assert!(is_slow(&why), "{tree:?}: {why}"),
    }
    *facts.last_mut().expect("a claim") = contrary;
    match solver.check_once(&pool, &facts) {
        Answer::Unsat(_) => {}
        // The remainder of large floats is over-approximated, but no wrong model is reported.
        Answer::Unknown(why) if why.contains("does not satisfy") && format!("{tree:?}").contains("FloatRem") => {}
        Answer::Sat(_) => panic!("{tree:?} became {}, which can have another value", show(&pool, expr)),
        Answer::Unknown(why) => assert!(is_slow(&why), "{tree:?}: {why}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 500, cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]

    #[test]
    fn the_encoding_agrees_with_evaluation(bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        check(&bytes, seed);
    }
}

/// Asserted equations let Z3 compute values during simplification. Assumed ones exercise the bit-blasted encoding, as
/// in incremental queries.
fn check_bit_by_bit(bytes: &[u8], seed: u64) {
    let mut maker = Maker::new(bytes);
    let sort = maker.pick(&[Sort::Bool, Sort::Bits(8), Sort::Bits(3), Sort::Float(FloatFormat::Half)]);
    let tree = maker.tree(sort, 1);
    let narrow = |sort: &Sort| match *sort {
        Sort::Float(format) => matches!(format, FloatFormat::Half | FloatFormat::BFloat | FloatFormat::Single),
        Sort::Bits(width) => width <= 32,
        _ => true,
    };
    if !maker.sorts.iter().all(narrow) {
        return;
    }
    let mut pool = Pool::default();
    let expr = build(&tree, &mut pool);
    let mut world = World { seed, sorts: maker.sorts.clone(), read: Vec::new() };
    let Some((facts, claim)) = facts(&mut pool, expr, &mut world) else { return };
    let monitor = Monitor::new(None);
    let options = Options { time: Some(Duration::from_secs(1)), memory: None };
    let mut solver = Solver::new(&monitor, options);
    let contrary = pool.not(claim);
    let mut conditions: Vec<Expr> = facts;
    conditions.push(contrary);
    assert!(!matches!(solver.core(&pool, &conditions), Answer::Sat(_)), "{tree:?} can have another value");
    *conditions.last_mut().expect("a claim") = claim;
    assert!(!matches!(solver.core(&pool, &conditions), Answer::Unsat(_)), "{tree:?} cannot have its value");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 500, cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]

    #[test]
    fn so_does_its_propositional_form(bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        check_bit_by_bit(&bytes, seed);
    }
}
