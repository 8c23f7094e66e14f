//! Abstractions agree with enumeration of all values, and regions behave as sets of assignments.

mod hard;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use clew_verifier::abstraction::{Abstraction, Method, Region, Regions, Statistics};
use clew_verifier::expr::eval::{Env, Undefined, evaluate};
use clew_verifier::expr::{BinaryOp, Expr, MemorySort, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var};
use clew_verifier::monitor::{Monitor, StopReason};
use clew_verifier::smt::{Answer, Options, Solver};
use hard::hard;
use proptest::prelude::*;

/// The number of variables in formulas, and the bits of each.
const VARS: u32 = 3;
const WIDTH: u16 = 3;
const NARROW: Sort = Sort::Bits(WIDTH);

/// Values of variables, three bits each, or one bit for truth values.
struct Values {
    bits: u128,
    sort: Sort,
}

impl Env for Values {
    type Stop = Undefined;

    fn var(&mut self, var: Var) -> Result<Value, Undefined> {
        Ok(match self.sort {
            Sort::Bool => Value::Bool(self.bits >> var.0 & 1 == 1),
            _ => Value::bits(WIDTH, self.bits >> (var.0 * u32::from(WIDTH)) & 7),
        })
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Undefined> {
        unreachable!("there are no memories")
    }
}

fn holds(pool: &Pool, expr: Expr, bits: u128, sort: Sort) -> Option<bool> {
    evaluate(pool, expr, &mut Values { bits, sort }).ok().map(|value| value == Value::Bool(true))
}

/// Builds expressions from bytes: fewer and smaller bytes yield smaller expressions.
struct Maker<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// Whether to use partial operators.
    partial: bool,
}

impl Maker<'_> {
    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn number(&mut self, pool: &mut Pool, depth: u32) -> Expr {
        use BinaryOp::*;
        let kind = if depth == 0 { self.byte() % 2 } else { self.byte() % 6 };
        match kind {
            0 => pool.var(Var(u32::from(self.byte()) % VARS), NARROW),
            1 => pool.bits(WIDTH, u128::from(self.byte() % 8)),
            2 => {
                let condition = self.truth(pool, depth - 1);
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                pool.ite(condition, a, b)
            }
            _ => {
                let total = [Add, Sub, Mul, BitAnd, BitOr, BitXor];
                let partial = [UnsignedDiv, SignedRem, ShiftLeft, Add, Sub, Mul];
                let ops = if self.partial { partial } else { total };
                let op = ops[usize::from(self.byte()) % ops.len()];
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                pool.binary(op, a, b)
            }
        }
    }

    fn truth(&mut self, pool: &mut Pool, depth: u32) -> Expr {
        use BinaryOp::*;
        match self.byte() % if depth == 0 { 5 } else { 8 } {
            kind @ 0..5 => {
                let op = [SignedLess, Eq, UnsignedLess, SignedLessEq, UnsignedAddOverflows][usize::from(kind)];
                let (a, b) = (self.number(pool, depth), self.number(pool, depth));
                pool.binary(op, a, b)
            }
            5 => {
                let a = self.truth(pool, depth - 1);
                pool.not(a)
            }
            kind => {
                let (a, b) = (self.truth(pool, depth - 1), self.truth(pool, depth - 1));
                pool.binary(if kind == 6 { And } else { Or }, a, b)
            }
        }
    }
}

/// A formula and predicates, with numbers that differ from their positions.
fn question(bytes: &[u8], partial: bool, pool: &mut Pool) -> (Vec<Expr>, Vec<(u32, Expr)>) {
    let mut maker = Maker { bytes: bytes.iter(), partial };
    let conjuncts = maker.byte() % 4;
    let predicates = 1 + u32::from(maker.byte() % 6);
    let formula = (0..conjuncts).map(|_| maker.truth(pool, 2)).collect();
    (formula, (0..predicates).map(|n| (3 * n + 2, maker.truth(pool, 1))).collect())
}

/// The values of the formula and the predicates, for all values of the variables.
type Row = (Option<bool>, Vec<Option<bool>>);

fn table(pool: &Pool, formula: &[Expr], predicates: &[(u32, Expr)]) -> Vec<Row> {
    let row = |bits| {
        let conjuncts: Option<Vec<bool>> = formula.iter().map(|&c| holds(pool, c, bits, NARROW)).collect();
        let values = predicates.iter().map(|&(_, p)| holds(pool, p, bits, NARROW)).collect();
        (conjuncts.map(|list| list.iter().all(|&value| value)), values)
    };
    (0..1u128 << (VARS * u32::from(WIDTH))).map(row).collect()
}

fn cube(regions: &Regions, predicates: &[(u32, Expr)], values: &[Option<bool>]) -> Region {
    let literals = predicates.iter().zip(values).filter_map(|(&(index, _), value)| Some((index, (*value)?)));
    regions.cube(&literals.collect::<Vec<_>>())
}

fn check_exact(bytes: &[u8]) {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let mut solver = Solver::new(&monitor, Options::default());
    let (formula, predicates) = question(bytes, false, &mut pool);
    let rows: BTreeSet<_> = table(&pool, &formula, &predicates)
        .into_iter()
        .filter_map(|(formula, values)| formula.expect("total operators").then_some(values))
        .collect();
    let expected = rows.iter().fold(regions.none(), |all, row| regions.or(&all, &cube(&regions, &predicates, row)));
    let hull: Vec<Option<bool>> = (0..predicates.len())
        .map(|i| {
            let values: BTreeSet<_> = rows.iter().map(|row| row[i]).collect();
            if values.len() == 1 { *values.first().expect("one") } else { None }
        })
        .collect();
    let expected_hull = if rows.is_empty() { regions.none() } else { cube(&regions, &predicates, &hull) };

    let mut abstraction = Abstraction::new();
    let mut compute = |solver: &mut Solver<'_>, pool: &mut Pool, method| {
        abstraction.compute(solver, pool, &regions, &formula, &predicates, method).expect("the run is not stopped")
    };
    let boolean = compute(&mut solver, &mut pool, Method::Boolean);
    let cartesian = compute(&mut solver, &mut pool, Method::Cartesian);
    assert_eq!(boolean, expected, "{:?} is not {:?}", regions.cubes(&boolean, 99), regions.cubes(&expected, 99));
    assert_eq!(cartesian, expected_hull);
    assert!(regions.implies(&boolean, &cartesian));

    let value = |_: &mut Pool, index| predicates.iter().find(|predicate| predicate.0 == index).expect("it exists").1;
    let implied = regions.to_expr(&boolean, &mut pool, value);
    let contrary = pool.not(implied);
    let query: Vec<Expr> = formula.iter().copied().chain([contrary]).collect();
    assert!(matches!(solver.check_once(&pool, &query), Answer::Unsat(_)), "the formula implies its abstraction");
    assert!(!solver.has_assertions());
}

/// Undefined predicates may have any value; defined ones must not be excluded.
fn check_partial(bytes: &[u8]) {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let mut solver = Solver::new(&monitor, Options::default());
    let (formula, predicates) = question(bytes, true, &mut pool);
    let rows: BTreeSet<_> = table(&pool, &formula, &predicates).into_iter().collect();
    let mut abstraction = Abstraction::new();
    for method in [Method::Cartesian, Method::Boolean] {
        let region = abstraction
            .compute(&mut solver, &mut pool, &regions, &formula, &predicates, method)
            .expect("the run is not stopped");
        for (_, values) in rows.iter().filter(|row| row.0 == Some(true)) {
            let state = cube(&regions, &predicates, values);
            assert_ne!(regions.and(&state, &region), regions.none(), "{values:?} is lost, {method:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 300, cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]

    #[test]
    fn abstractions_are_what_all_values_give(bytes in prop::collection::vec(any::<u8>(), 0..160)) {
        check_exact(&bytes);
    }

    #[test]
    fn nothing_is_lost_where_operators_are_partial(bytes in prop::collection::vec(any::<u8>(), 0..160)) {
        check_partial(&bytes);
    }
}

/// The number of predicates in random regions.
const PREDICATES: u32 = 5;

/// A random region with its truth table.
fn random_region(regions: &Regions, bytes: &mut std::slice::Iter<'_, u8>, depth: u32) -> (Region, u32) {
    let mut byte = || bytes.next().copied().unwrap_or(0);
    let column = |i: u32| (0..32).filter(|row| row >> i & 1 == 1).fold(0u32, |table, row| table | 1 << row);
    match byte() % if depth == 0 { 3 } else { 8 } {
        0 => (regions.all(), !0),
        1 => (regions.none(), 0),
        2 => {
            let (index, value) = (u32::from(byte()) % PREDICATES, byte() % 2 == 0);
            (regions.literal(index, value), if value { column(index) } else { !column(index) })
        }
        3 => {
            let (a, table) = random_region(regions, bytes, depth - 1);
            (regions.not(&a), !table)
        }
        kind => {
            let (a, x) = random_region(regions, bytes, depth - 1);
            let (b, y) = random_region(regions, bytes, depth - 1);
            if kind % 2 == 0 { (regions.and(&a, &b), x & y) } else { (regions.or(&a, &b), x | y) }
        }
    }
}

/// The region of an expression over truth values.
fn region_of(pool: &Pool, regions: &Regions, expr: Expr) -> Region {
    let of = |expr| region_of(pool, regions, expr);
    match pool.node(expr) {
        Node::Const(value) if value.is_true() => regions.all(),
        Node::Const(_) => regions.none(),
        Node::Var(var) => regions.literal(var.0, true),
        Node::Unary(UnaryOp::Not, a) => regions.not(&of(a)),
        Node::Binary(BinaryOp::And, a, b) => regions.and(&of(a), &of(b)),
        Node::Binary(BinaryOp::Or, a, b) => regions.or(&of(a), &of(b)),
        Node::Ternary(TernaryOp::Ite, c, a, b) => {
            let (c, a, b) = (of(c), of(a), of(b));
            regions.or(&regions.and(&c, &a), &regions.and(&regions.not(&c), &b))
        }
        node => unreachable!("regions do not become {node:?}"),
    }
}

fn check_regions(first: &[u8], second: &[u8]) {
    let regions = Regions::new(1 << 16);
    let (a, x) = random_region(&regions, &mut first.iter(), 5);
    let (b, y) = random_region(&regions, &mut second.iter(), 5);
    assert_eq!(a == b, x == y);
    assert_eq!(regions.implies(&a, &b), x & !y == 0);
    assert_eq!(regions.implies(&a, &b), x & !y == 0, "remembered");

    let row_of = |row: u32, index: u32| row >> index & 1 == 1;
    let cubes = regions.cubes(&a, 32).expect("no more cubes than assignments");
    for row in 0..32 {
        let within = cubes.iter().filter(|cube| cube.iter().all(|&(index, value)| row_of(row, index) == value)).count();
        assert_eq!(within, (x >> row & 1) as usize, "cubes exclude each other");
    }
    assert_eq!(regions.some_cube(&a), cubes.first().cloned());
    assert_eq!(regions.cubes(&a, cubes.len()).as_ref(), Some(&cubes));
    assert!(cubes.is_empty() || regions.cubes(&a, cubes.len() - 1).is_none());
    let union = cubes.iter().fold(regions.none(), |all, cube| regions.or(&all, &regions.cube(cube)));
    assert_eq!(union, a);

    let matters = |index: &u32| (0..32).any(|row: u32| (x >> row ^ x >> (row ^ 1 << index)) & 1 == 1);
    assert_eq!(regions.support(&a), (0..PREDICATES).filter(matters).collect::<Vec<_>>());

    let mut pool = Pool::default();
    let expr = regions.to_expr(&a, &mut pool, |pool, index| pool.var(Var(index), Sort::Bool));
    for row in 0..32 {
        assert_eq!(holds(&pool, expr, row, Sort::Bool), Some(x >> row & 1 == 1));
    }
    assert_eq!(region_of(&pool, &regions, expr), a);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn regions_are_sets_of_assignments(first in prop::collection::vec(any::<u8>(), 0..60), second in prop::collection::vec(any::<u8>(), 0..60)) {
        check_regions(&first, &second);
    }
}

#[test]
fn regions_outlive_what_is_forgotten() {
    let regions = Regions::new(1 << 16);
    let parity = |count: u32| {
        (0..count).fold(regions.none(), |odd, index| {
            let one = regions.literal(index, true);
            let (less, more) = (regions.and(&odd, &regions.not(&one)), regions.and(&regions.not(&odd), &one));
            regions.or(&less, &more)
        })
    };
    let kept = parity(20);
    assert_eq!(regions.nodes(&kept), 2 * 20 + 1);
    let mut largest = 0;
    for n in 0..100_000u32 {
        let (a, b) = (regions.literal(n % 1000, true), regions.literal(1000 + n / 1000, false));
        let both = regions.and(&a, &b);
        assert!(regions.implies(&both, &a) && both != kept);
        if n % 1000 == 0 {
            largest = largest.max(regions.size().0);
        }
    }
    assert!(regions.size().0 < largest, "unused diagrams are forgotten");
    assert_eq!(parity(20), kept);
    assert_eq!(regions.not(&regions.not(&kept)), kept);
}

fn below(pool: &mut Pool, var: u32, limit: u128) -> Expr {
    let (var, limit) = (pool.var(Var(var), Sort::Bits(32)), pool.bits(32, limit));
    pool.binary(BinaryOp::UnsignedLess, var, limit)
}

#[test]
fn what_is_known_is_not_asked_again() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let (mut solver, mut abstraction) = (Solver::new(&monitor, Options::default()), Abstraction::new());
    let formula = [below(&mut pool, 0, 5), below(&mut pool, 1, 5)];
    let always = (9, pool.bool(true));
    let predicates: Vec<_> = (0..8).map(|n| (n, below(&mut pool, n % 2, u128::from(n)))).chain([always]).collect();
    let mut compute = |formula: &[Expr], predicates: &[_]| {
        let region = abstraction
            .compute(&mut solver, &mut pool, &regions, formula, predicates, Method::Boolean)
            .expect("no stop");
        (region, abstraction.statistics())
    };
    let (region, first) = compute(&formula, &predicates);
    let literals: Vec<_> = [(0, false), (5, true), (6, true), (7, true), (9, true)].to_vec();
    let implies = |a, b| regions.or(&regions.literal(a, false), &regions.literal(b, true));
    let expected = regions.and(&regions.and(&implies(1, 3), &implies(2, 4)), &regions.cube(&literals));
    assert_eq!(region, expected);
    assert_eq!((first.abstractions, first.cached, first.groups, first.cached_groups), (1, 0, 2, 0));

    let reversed: Vec<_> = predicates.iter().rev().copied().collect();
    let (same, second) = compute(&formula, &reversed);
    assert_eq!(same, region);
    assert_eq!(second, Statistics { abstractions: 2, cached: 1, ..first });

    let (half, third) = compute(&formula[..1], &predicates);
    assert!(regions.implies(&region, &half) && half != region);
    assert_eq!((third.cached, third.groups, third.cached_groups), (1, 4, 1));
}

#[test]
fn a_formula_without_models_allows_nothing() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let (mut solver, mut abstraction) = (Solver::new(&monitor, Options::default()), Abstraction::new());
    let (low, high) = (below(&mut pool, 0, 5), below(&mut pool, 0, 9));
    let high = pool.not(high);
    let (of_it, of_another) = ((0, below(&mut pool, 0, 3)), (1, below(&mut pool, 1, 3)));
    let constant = (2, pool.bool(false));
    for method in [Method::Cartesian, Method::Boolean] {
        for predicates in [&[][..], &[of_it], &[of_another], &[constant], &[of_it, of_another, constant]] {
            let region = abstraction.compute(&mut solver, &mut pool, &regions, &[low, high], predicates, method);
            assert_eq!(region, Ok(regions.none()));
            let region = abstraction.compute(&mut solver, &mut pool, &regions, &[low], predicates, method);
            assert_ne!(region, Ok(regions.none()));
        }
    }
}

/// The bits of a number as predicates, two of which are linked: 3 * 2^10 assignments.
#[test]
fn too_many_assignments_weaken_the_result() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let (mut solver, mut abstraction) = (Solver::new(&monitor, Options::default()), Abstraction::new());
    let number = pool.var(Var(0), Sort::Bits(32));
    let one = pool.bits(1, 1);
    let bit = |pool: &mut Pool, n| {
        let bit = pool.extract(number, n, 1);
        pool.eq(bit, one)
    };
    let predicates: Vec<_> = (0..12).map(|n| (u32::from(n), bit(&mut pool, n))).collect();
    let (a, b) = (predicates[3].1, predicates[7].1);
    let formula = [pool.or(a, b)];
    let region = abstraction
        .compute(&mut solver, &mut pool, &regions, &formula, &predicates, Method::Boolean)
        .expect("the run is not stopped");
    let exact = regions.or(&regions.literal(3, true), &regions.literal(7, true));
    assert!(regions.implies(&exact, &region));
    let statistics = abstraction.statistics();
    assert_eq!(statistics.weakened, 1);
    assert!(statistics.models <= 1100, "{statistics:?}");
    // Refutations before the limit still count.
    assert_eq!(region, exact);
}

/// Two equivalent predicates at the end of a block hold together, and together exclude a third one.
#[test]
fn predicates_of_one_value_hold_together() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let (mut solver, mut abstraction) = (Solver::new(&monitor, Options::default()), Abstraction::new());
    let number = pool.var(Var(0), Sort::Bits(8));
    let mut is = |value| {
        let value = pool.bits(8, value);
        pool.eq(number, value)
    };
    let predicates = [(0, is(5)), (1, is(5)), (2, is(6)), (3, is(7))];
    let region = abstraction
        .compute(&mut solver, &mut pool, &regions, &[], &predicates, Method::Boolean)
        .expect("the run is not stopped");
    let rows = [[true, true, false, false], [false, false, true, false], [false, false, false, true], [false; 4]];
    let cubes = rows.map(|row| regions.cube(&(0..).zip(row).collect::<Vec<_>>()));
    assert_eq!(region, cubes.iter().fold(regions.none(), |all, cube| regions.or(&all, cube)));
}

#[test]
fn what_the_solver_does_not_know_stays_open() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let options = Options { time: Some(Duration::from_millis(100)), memory: None };
    let (mut solver, mut abstraction) = (Solver::new(&monitor, options), Abstraction::new());
    let formula = hard(&mut pool);
    let (a, b) = (pool.var(Var(10), Sort::Bits(64)), pool.var(Var(11), Sort::Bits(64)));
    let predicates = [
        (0, pool.binary(BinaryOp::UnsignedLess, a, b)),
        (1, formula[1]),
        (2, below(&mut pool, 0, 3)),
        (3, pool.bool(false)),
    ];
    for method in [Method::Cartesian, Method::Boolean] {
        let region = abstraction
            .compute(&mut solver, &mut pool, &regions, &formula, &predicates, method)
            .expect("the run is not stopped");
        // Assignments that are not contradictory remain.
        for value in [true, false] {
            let state = regions.cube(&[(0, value), (1, true), (2, value), (3, false)]);
            assert!(regions.implies(&state, &region));
        }
        assert!(regions.implies(&region, &regions.literal(3, false)));
    }
    assert_eq!(abstraction.statistics().weakened, 2);
}

#[test]
fn it_stops_when_asked_to() {
    let (mut pool, regions, monitor) = (Pool::default(), Regions::new(1 << 16), Monitor::new(None));
    let (mut solver, mut abstraction) = (Solver::new(&monitor, Options::default()), Abstraction::new());
    let formula = hard(&mut pool);
    let predicates = [(0, pool.not(formula[1]))];
    let start = Instant::now();
    let region = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            monitor.request_stop(StopReason::Interrupted);
        });
        abstraction.compute(&mut solver, &mut pool, &regions, &formula, &predicates, Method::Boolean)
    });
    assert_eq!(region, Err(StopReason::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(!solver.has_assertions(), "its own assertions are gone");
}
