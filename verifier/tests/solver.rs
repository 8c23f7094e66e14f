//! The solver: levels, assumptions, cores, limits, and reports to its monitor.

mod hard;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clew_verifier::expr::{BinaryOp, Expr, Pool, Sort, Value, Var};
use clew_verifier::monitor::{Monitor, Queries, StopReason};
use clew_verifier::smt::{Answer, Options, Solver};
use hard::hard;

const INT: Sort = Sort::Bits(32);

/// What takes longer does not end.
const HANG: Duration = Duration::from_secs(60);

fn var(pool: &mut Pool, n: u32) -> Expr {
    pool.var(Var(n), INT)
}

/// `v < k`, unsigned.
fn below(pool: &mut Pool, n: u32, k: u128) -> Expr {
    let (v, k) = (var(pool, n), pool.bits(32, k));
    pool.binary(BinaryOp::UnsignedLess, v, k)
}

#[test]
fn levels_come_and_go() {
    let (mut pool, monitor) = (Pool::default(), Monitor::new(None));
    let mut solver = Solver::new(&monitor, Options::default());
    let (small, tiny) = (below(&mut pool, 0, 10), below(&mut pool, 0, 5));
    let large = pool.not(tiny);
    solver.assert(&pool, small);
    solver.push();
    solver.assert(&pool, large);
    let Answer::Sat(model) = solver.check(&pool) else { panic!("5 to 9 are left") };
    assert!((5..10).contains(&model.variable(Var(0), INT).raw()));
    solver.push();
    solver.assert(&pool, tiny);
    assert!(matches!(solver.check(&pool), Answer::Unsat(_)));
    solver.pop(1);
    assert!(matches!(solver.check(&pool), Answer::Sat(_)));
    solver.pop(1);
    assert!(matches!(solver.check_assuming(&pool, &[tiny]), Answer::Sat(_)));
    // The query after the first `pop` was cached.
    assert_eq!(monitor.solver_calls.load(Ordering::Relaxed), 3);
    assert_eq!(monitor.solver_cached.load(Ordering::Relaxed), 1);
}

#[test]
fn cores_omit_irrelevant_assumptions() {
    let (mut pool, monitor) = (Pool::default(), Monitor::new(None));
    let mut solver = Solver::new(&monitor, Options::default());
    let (a, b, c) = (below(&mut pool, 0, 10), below(&mut pool, 1, 10), below(&mut pool, 0, 20));
    let not_c = pool.not(c);
    match solver.core(&pool, &[b, a, not_c]) {
        Answer::Unsat(core) => assert_eq!(core, [1, 2]),
        _ => panic!("nothing is below 10 and not below 20"),
    }
    solver.assert(&pool, a);
    match solver.check_assuming(&pool, &[b, not_c]) {
        Answer::Unsat(core) => assert_eq!(core, [1]),
        _ => panic!("an assertion excludes the second assumption"),
    }
}

#[test]
fn models_have_values_for_memories_and_unconstrained_variables() {
    let (mut pool, monitor) = (Pool::default(), Monitor::new(None));
    let sort = clew_verifier::expr::MemorySort { address: 64, cell: clew_verifier::expr::Cell::Bits(8) };
    let (memory, address) = (pool.var(Var(0), Sort::Memory(sort)), pool.bits(64, 7));
    let (word, value) = (pool.read(memory, address, 2), pool.bits(16, 0x1234));
    let condition = pool.eq(word, value);
    let free = var(&mut pool, 5);
    let mut solver = Solver::new(&monitor, Options::default());
    let Answer::Sat(model) = solver.check_once(&pool, &[condition]) else { panic!("it can be so") };
    assert_eq!(model.cell(Var(0), sort, 7), Value::bits(8, 0x34));
    assert_eq!(model.cell(Var(0), sort, 8), Value::bits(8, 0x12));
    assert_eq!(model.value(&pool, word), Ok(Value::bits(16, 0x1234)));
    assert_eq!(model.value(&pool, free), Ok(model.variable(Var(5), INT)));
}

#[test]
fn queries_end_in_time() {
    let mut pool = Pool::default();
    let conditions = hard(&mut pool);
    let start = Instant::now();
    let monitor = Monitor::new(None);
    let options = Options { time: Some(Duration::from_millis(100)), memory: None };
    assert!(matches!(Solver::new(&monitor, options).check_once(&pool, &conditions), Answer::Unknown(_)));
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_millis(600)));
    assert!(matches!(Solver::new(&monitor, Options::default()).check_once(&pool, &conditions), Answer::Unknown(_)));
    let options = Options { time: None, memory: Some(1) };
    assert!(matches!(Solver::new(&monitor, options).check_once(&pool, &conditions), Answer::Unknown(_)));
    assert!(start.elapsed() < HANG, "{:?}", start.elapsed());
}

#[test]
fn the_stack_survives_a_query_without_answer() {
    let (mut pool, monitor) = (Pool::default(), Monitor::new(None));
    let options = Options { time: Some(Duration::from_millis(50)), memory: None };
    let mut solver = Solver::new(&monitor, options);
    let small = below(&mut pool, 0, 10);
    let large = pool.not(small);
    solver.assert(&pool, small);
    solver.push();
    solver.push();
    for condition in hard(&mut pool) {
        solver.assert(&pool, condition);
    }
    assert!(matches!(solver.check(&pool), Answer::Unknown(_)));
    solver.pop(1);
    assert!(matches!(solver.check(&pool), Answer::Sat(_)));
    solver.assert(&pool, large);
    assert!(matches!(solver.check(&pool), Answer::Unsat(_)));
    solver.pop(1);
    assert!(matches!(solver.check(&pool), Answer::Sat(_)));
}

#[test]
fn a_limit_stays_from_one_query_to_the_next() {
    let (mut pool, monitor) = (Pool::default(), Monitor::new(None));
    let options = Options { time: Some(Duration::from_millis(50)), memory: None };
    let mut solver = Solver::new(&monitor, options);
    let (small, conditions) = (below(&mut pool, 0, 10), hard(&mut pool));
    solver.assert(&pool, small);
    for _ in 0..2 {
        assert!(matches!(solver.check(&pool), Answer::Sat(_)));
        let start = Instant::now();
        assert!(matches!(solver.check_assuming(&pool, &conditions), Answer::Unknown(_)));
        assert!(start.elapsed() < HANG);
    }
}

#[test]
fn queries_end_when_the_run_is_stopped() {
    let mut pool = Pool::default();
    let conditions = hard(&mut pool);
    let monitor = Monitor::new(None);
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(600));
            monitor.request_stop(StopReason::Interrupted);
        });
        let answer = Solver::new(&monitor, Options::default()).check_once(&pool, &conditions);
        assert!(matches!(answer, Answer::Unknown(_)));
    });
    assert!(start.elapsed() < HANG, "{:?}", start.elapsed());
}

#[test]
fn queries_can_be_seen_as_text() {
    let seen = Seen::default();
    let mut pool = Pool::default();
    let monitor = Monitor::new(None).with_queries(Some(Box::new(seen.clone())));
    let (a, b, c) = (below(&mut pool, 0, 10), below(&mut pool, 1, 20), below(&mut pool, 0, 20));
    let not_c = pool.not(c);
    let mut solver = Solver::new(&monitor, Options::default());
    solver.assert(&pool, a);
    solver.push();
    solver.name(&pool, c);
    solver.assert(&pool, b);
    solver.check(&pool);
    solver.check_assuming(&pool, &[not_c]);
    solver.check_assuming(&pool, &[not_c]);
    solver.pop(1);
    solver.check_once(&pool, &[not_c]);
    let seen = seen.0.lock().unwrap();
    let answers: Vec<&str> = seen.iter().map(|(_, answer)| answer.as_str()).collect();
    assert_eq!(answers, ["sat", "unsat", "sat"], "what is known is not asked again");
    for (text, answer) in &*seen {
        let z3 = z3::Solver::new();
        z3.from_string(text.as_str());
        assert_eq!(z3.get_assertions().len(), text.matches("(assert").count(), "{text}");
        assert_eq!(z3.check() == z3::SatResult::Sat, answer == "sat", "{text}");
    }
}

/// Queries with their answers.
#[derive(Clone, Debug, Default)]
struct Seen(Arc<Mutex<Vec<(String, String)>>>);

impl Queries for Seen {
    fn asked(&self, text: &str) -> u64 {
        let mut seen = self.0.lock().unwrap();
        seen.push((text.into(), String::new()));
        seen.len() as u64 - 1
    }

    fn answered(&self, number: u64, answer: &str) {
        self.0.lock().unwrap()[number as usize].1 = answer.into();
    }
}

#[test]
fn an_interrupt_between_queries_is_forgotten() {
    // A race may interrupt Z3 just when it has answered.
    let x = z3::ast::BV::new_const("x", 32);
    for _ in 0..2 {
        let z3 = z3::Solver::new();
        z3.assert(x.bvmul(&x).eq(z3::ast::BV::from_u64(49, 32)));
        z3.get_context().handle().interrupt();
        assert_eq!(z3.check(), z3::SatResult::Sat, "{:?}", z3.get_reason_unknown());
    }
}
