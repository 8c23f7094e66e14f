//! Evaluation with unknown values, assumptions and memory writes agree with all completions of the unknown values.

mod trees;

use std::collections::BTreeMap;

use clew_verifier::cfa::{EdgeId, FuncId, Op, Program, ProgramBuilder, Scope, SourceId, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::value::cells::CellKey;
use clew_verifier::cpa::value::eval::{Evaluator, Known};
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::cpa::value::{ValueState, Values};
use clew_verifier::expr::eval::{Env, Undefined, cell_address, evaluate};
use clew_verifier::expr::{BinaryOp, Cell, Expr, MemorySort, Pool, Sort, UnaryOp, Value, Var};
use proptest::prelude::*;
use trees::{Maker, Tree, World, build, show};

/// The number of completions tried.
const COMPLETIONS: u64 = 12;

type Facts = BTreeMap<(Var, Option<u64>), Value>;

/// Known facts completed by a world. Undefined results are arbitrary values of that world.
struct Completion<'p> {
    pool: &'p Pool,
    facts: Facts,
    world: World,
}

impl Env for Completion<'_> {
    type Stop = Undefined;

    fn var(&mut self, var: Var) -> Result<Value, Undefined> {
        match self.facts.get(&(var, None)) {
            Some(&value) => Ok(value),
            None => self.world.var(var),
        }
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Undefined> {
        let mut raw = 0;
        for i in 0..cells {
            let at = cell_address(sort, address, i);
            let value = match self.facts.get(&(memory, Some(at as u64))) {
                Some(&value) => value,
                None => self.world.read(memory, sort, at, 1)?,
            };
            match sort.cell {
                Cell::Float(_) => return Ok(value),
                Cell::Bits(width) => raw |= value.raw() << (i * width),
            }
        }
        let Cell::Bits(width) = sort.cell else { panic!("floats are read one by one") };
        Ok(Value::bits(cells * width, raw))
    }

    fn undefined(&mut self, expr: Expr, undefined: Undefined) -> Result<Value, Undefined> {
        match undefined {
            Undefined::DivisionByZero | Undefined::DivisionOverflow => Err(undefined),
            _ => Ok(self.world.scalar(Var(1000 + expr.index() as u32), self.pool.sort(expr))),
        }
    }
}

/// The known facts, for the evaluator.
struct Partial<'a, 'p> {
    values: &'a Values<'p>,
    facts: &'a Facts,
}

impl Known for Partial<'_, '_> {
    fn scalar(&mut self, var: Var) -> Option<u64> {
        self.facts.get(&(var, None)).map(|&v| self.values.semantics.words.word(v.sort(), v.raw()))
    }

    fn cell(&mut self, memory: Var, address: u64) -> Option<u64> {
        self.facts.get(&(memory, Some(address))).map(|&v| self.values.semantics.words.word(v.sort(), v.raw()))
    }
}

/// A program with one step, and the variables that its expressions use.
fn program(sorts: &[Sort], make: impl FnOnce(&mut Pool) -> Op) -> Program {
    let mut b = ProgramBuilder::new(64);
    let start = b.add_function("start", "start", None, SourceId::NONE);
    for (i, &sort) in sorts.iter().enumerate() {
        b.add_temporary(&format!("v{i}"), sort, Scope::Global);
    }
    let entry = b.function(start).entry;
    let op = make(&mut b.pool);
    let end = b.add_step(entry, op, SourceId::NONE);
    b.add_return(end, None, SourceId::NONE);
    b.finish(FuncId(0))
}

/// Facts chosen by `bits` from a world: some variables, and some of the cells that are read.
fn facts(pool: &Pool, sorts: &[Sort], expr: Expr, seed: u64, mut bits: u64) -> Facts {
    let mut chosen = || {
        bits = bits.rotate_left(1);
        bits & 1 == 1
    };
    let mut env = completion(pool, sorts, Facts::new(), seed);
    match pool.sort(expr) {
        Sort::Memory(_) => {}
        _ => drop(evaluate(pool, expr, &mut env)),
    }
    let mut facts = Facts::new();
    for (i, &sort) in sorts.iter().enumerate() {
        if !matches!(sort, Sort::Memory(_)) && chosen() {
            facts.insert((Var(i as u32), None), env.world.scalar(Var(i as u32), sort));
        }
    }
    let read = std::mem::take(&mut env.world.read);
    for (memory, sort, address) in read {
        if chosen() {
            let value = env.world.read(memory, sort, address, 1).expect("worlds know all cells");
            facts.insert((memory, Some(address as u64)), value);
        }
    }
    facts
}

fn completion<'p>(pool: &'p Pool, sorts: &[Sort], facts: Facts, seed: u64) -> Completion<'p> {
    Completion { pool, facts, world: World { seed, sorts: sorts.to_vec(), read: Vec::new() } }
}

fn state(values: &Values<'_>, facts: &Facts) -> ValueState {
    let mut state = values.initial();
    for (&(var, address), &value) in facts {
        let cell = values.cells.number(CellKey { var, address });
        state.set(cell, values.semantics.words.word(value.sort(), value.raw()));
    }
    state
}

/// A condition that holds in the world of `seed`: a true one, or an equality with a value of that world.
fn condition(maker: &mut Maker<'_>, seed: u64) -> Tree {
    let tree = match maker.byte() % 3 {
        0 => maker.tree(Sort::Bool, 4),
        kind => {
            let width = maker.width();
            let format = maker.format();
            let sort = maker.pick(&[Sort::Bits(width), Sort::Bits(3), Sort::Float(format), Sort::Bool]);
            let tree = maker.tree(sort, 3);
            let mut pool = Pool::default();
            let expr = build(&tree, &mut pool);
            let mut env = completion(&pool, &maker.sorts, Facts::new(), seed);
            let Ok(value) = evaluate(&pool, expr, &mut env) else { return tree_true() };
            let op = match (sort, kind) {
                (Sort::Float(_), 1) => BinaryOp::FloatEq,
                (Sort::Bits(_), 1) => maker.pick(&[BinaryOp::UnsignedLessEq, BinaryOp::SignedLessEq]),
                _ => BinaryOp::Eq,
            };
            let (tree, value) = (Box::new(tree), Box::new(Tree::Const(value)));
            if maker.byte().is_multiple_of(2) { Tree::Binary(op, tree, value) } else { Tree::Binary(op, value, tree) }
        }
    };
    let mut pool = Pool::default();
    let expr = build(&tree, &mut pool);
    let mut env = completion(&pool, &maker.sorts, Facts::new(), seed);
    match evaluate(&pool, expr, &mut env) {
        Ok(Value::Bool(true)) => tree,
        _ => Tree::Unary(UnaryOp::Not, Box::new(tree)),
    }
}

fn tree_true() -> Tree {
    Tree::Const(Value::Bool(true))
}

/// A read of several cells after nearby writes, whose addresses are unknown until values are known.
fn read_of_writes(maker: &mut Maker<'_>) -> (Sort, Tree) {
    let sort = MemorySort { address: 64, cell: Cell::Bits(8) };
    let near = |maker: &mut Maker<'_>| {
        let (var, seven) = (maker.var(Sort::Bits(64)), Tree::Const(Value::bits(64, 7)));
        let offset = Tree::Const(Value::bits(64, u128::from(maker.byte() % 4)));
        let few = Tree::Binary(BinaryOp::BitAnd, Box::new(var), Box::new(seven));
        Box::new(Tree::Binary(BinaryOp::Add, Box::new(few), Box::new(offset)))
    };
    let mut memory = maker.var(Sort::Memory(sort));
    for _ in 0..1 + maker.byte() % 4 {
        let cells = 1 + u16::from(maker.byte() % 8);
        let (address, value) = (near(maker), maker.var(Sort::Bits(8 * cells)));
        memory = Tree::Write(Box::new(memory), address, Box::new(value), cells);
    }
    let cells = 1 + u16::from(maker.byte() % 8);
    (Sort::Bits(8 * cells), Tree::Read(sort, Box::new(memory), near(maker), cells))
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn what_is_evaluated_holds_in_all_completions(
        bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>(), known in any::<u64>(),
    ) {
        let mut maker = Maker::new(&bytes);
        let (width, format) = (maker.width(), maker.format());
        let sort = maker.pick(&[Sort::Bits(width), Sort::Bool, Sort::Float(format)]);
        let (sort, tree) = match maker.byte() % 3 {
            0 => read_of_writes(&mut maker),
            _ => (sort, maker.tree(sort, 4)),
        };
        maker.sorts.push(sort);
        let (sorts, target) = (maker.sorts.clone(), Var(maker.sorts.len() as u32 - 1));
        let program = program(&sorts, |pool| Op::Assign(target, build(&tree, pool)));
        let Op::Assign(_, expr) = program.edges[0].op else { unreachable!("that is the only step") };
        let values = Values::new(&clew_verifier::facts::Facts::new(&program, &Default::default()));
        let facts = facts(&program.pool, &sorts, expr, seed, known);
        let mut partial = Partial { values: &values, facts: &facts };
        let mut evaluator = Evaluator::new(&values.semantics, &mut partial);
        let word = evaluator.word(expr);
        let crashed = evaluator.crashed;
        let value = word.and_then(|w| values.semantics.words.value(sort, w));
        for other in 0..COMPLETIONS {
            let mut env = completion(&program.pool, &sorts, facts.clone(), seed.wrapping_add(other));
            // If the program crashes instead, the value is irrelevant.
            if let Ok(really) = evaluate(&program.pool, expr, &mut env) {
                let agrees = value.is_none_or(|value| value == really);
                prop_assert!(!crashed, "crashed: {}\n{facts:?}", show(&program.pool, expr));
                prop_assert!(agrees, "{value:?} is not {really:?}: {}\n{facts:?}", show(&program.pool, expr));
            }
        }
    }

    #[test]
    fn assumptions_keep_all_that_fulfils_them(
        bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>(), known in any::<u64>(),
    ) {
        let mut maker = Maker::new(&bytes);
        let tree = condition(&mut maker, seed);
        let sorts = maker.sorts.clone();
        let program = program(&sorts, |pool| Op::Assume(build(&tree, pool)));
        let Op::Assume(expr) = program.edges[0].op else { unreachable!("that is the only step") };
        let values = Values::new(&clew_verifier::facts::Facts::new(&program, &Default::default()));
        let facts = facts(&program.pool, &sorts, expr, seed, known);
        let before = state(&values, &facts);
        let after = values.transfer(before, &ValuePrecision::full(), Step::along(EdgeId(0)));
        for other in 0..COMPLETIONS {
            let mut env = completion(&program.pool, &sorts, facts.clone(), seed.wrapping_add(other));
            if evaluate(&program.pool, expr, &mut env) != Ok(Value::Bool(true)) {
                continue;
            }
            prop_assert!(!after.is_empty(), "no successor of {}\n{facts:?}", show(&program.pool, expr));
            for (cell, word) in after[0].entries() {
                let (key, _) = values.cells.key(cell);
                let sort = values.sort_of(key.var);
                let really = match (values.semantics.sums.parts(key.var), key.address) {
                    (Some(parts), _) => Ok(sum(sort, parts, &mut env)),
                    (None, Some(a)) => {
                        let Sort::Memory(memory) = sorts[key.var.index()] else { unreachable!("cells have addresses") };
                        env.read(key.var, memory, a.into(), 1)
                    }
                    (None, None) => env.var(key.var),
                };
                let said = values.semantics.words.value(sort, word);
                prop_assert!(said == really.ok(), "{key:?} is {said:?} instead of {really:?} after {}\n{facts:?}", show(&program.pool, expr));
            }
        }
    }

    #[test]
    fn written_memories_hold_what_was_written(
        bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>(), known in any::<u64>(),
    ) {
        let mut maker = Maker::new(&bytes);
        let format = maker.format();
        let cell = maker.pick(&[Cell::Bits(8), Cell::Bits(32), Cell::Bits(128), Cell::Float(format)]);
        let sort = MemorySort { address: maker.pick(&[16, 64]), cell };
        let tree = maker.memory(sort, 4, 2);
        let Tree::Var(target, _) = maker.var(Sort::Memory(sort)) else { unreachable!("a variable was asked for") };
        let sorts = maker.sorts.clone();
        let program = program(&sorts, |pool| Op::Assign(target, build(&tree, pool)));
        let Op::Assign(_, expr) = program.edges[0].op else { unreachable!("that is the only step") };
        let values = Values::new(&clew_verifier::facts::Facts::new(&program, &Default::default()));
        // Reading many addresses reveals the cells.
        let mut pool = program.pool.clone();
        let mut facts_here = Facts::new();
        for i in 0..16u128 {
            let address = pool.bits(sort.address, (i * u128::from(cell.bytes())).wrapping_sub(4));
            let read = pool.read(expr, address, 1);
            facts_here.extend(facts(&pool, &sorts, read, seed, known.rotate_left(i as u32 * 7)));
        }
        let scalars = |(var, _): &(Var, Option<u64>)| known >> (var.0 % 64) & 1 == 1;
        facts_here.retain(|key, _| key.1.is_some() || scalars(key));
        let before = state(&values, &facts_here);
        let after = values.transfer(before, &ValuePrecision::full(), Step::along(EdgeId(0)));
        for other in 0..COMPLETIONS {
            let world = seed.wrapping_add(other);
            // A division by zero anywhere in the expression ends the program.
            let mut env = completion(&program.pool, &sorts, facts_here.clone(), world);
            if !evaluates(&program.pool, expr, &mut env) {
                continue;
            }
            prop_assert!(!after.is_empty(), "no successor of {}\n{facts_here:?}", show(&program.pool, expr));
            for (id, word) in after[0].entries() {
                let (key, _) = values.cells.key(id);
                let (Some(address), true) = (key.address, key.var == target) else { continue };
                let address = pool.bits(sort.address, address.into());
                let read = pool.read(expr, address, 1);
                let pool = &pool;
                let mut env = completion(pool, &sorts, facts_here.clone(), world);
                let (said, really) = (values.semantics.words.value(cell.sort(), word), evaluate(pool, read, &mut env));
                prop_assert!(said == really.ok(), "{key:?} is {said:?} instead of {really:?} after {}\n{facts_here:?}", show(pool, expr));
            }
        }
    }
}

/// The sum of multiples of variables.
fn sum(sort: Sort, parts: &[(Var, u64)], env: &mut Completion<'_>) -> Value {
    let term = |&(var, factor): &(Var, u64)| env.var(var).map_or(0, Value::raw).wrapping_mul(factor.into());
    Value::from_raw(sort, parts.iter().map(term).fold(0, u128::wrapping_add)).expect("sums are numbers")
}

/// Whether all parts of a memory have a value; of a conditional, only the chosen one counts.
fn evaluates(pool: &Pool, memory: Expr, env: &mut Completion<'_>) -> bool {
    use clew_verifier::expr::{Node, TernaryOp};
    match pool.node(memory) {
        Node::Write { memory, address, value } => {
            evaluate(pool, address, env).is_ok() && evaluate(pool, value, env).is_ok() && evaluates(pool, memory, env)
        }
        Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => match evaluate(pool, condition, env) {
            Ok(holds) => evaluates(pool, if holds.is_true() { then } else { otherwise }, env),
            Err(_) => false,
        },
        _ => true,
    }
}
