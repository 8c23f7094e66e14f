//! Simplified expressions have the same meaning as the originals.
//!
//! A tree language without simplification is evaluated by the definitions of the operators and compared.

mod trees;

use clew_verifier::expr::eval::{self, Env, Undefined, cell_address, evaluate};
use clew_verifier::expr::value::mask;
use clew_verifier::expr::{BinaryOp, Cell, MemorySort, Pool, Sort, TernaryOp, Value};
use proptest::prelude::*;
use trees::{Maker, Tree, World, build, show};

/// The value without simplification.
fn plain(tree: &Tree, env: &mut World) -> Result<Value, Undefined> {
    match tree {
        Tree::Const(value) => Ok(*value),
        Tree::Var(var, _) => env.var(*var),
        Tree::Unary(op, a) => eval::unary(*op, plain(a, env)?),
        Tree::Binary(op, a, b) => {
            let first = plain(a, env)?;
            match (op, first) {
                (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => Ok(first),
                _ => eval::binary(*op, first, plain(b, env)?),
            }
        }
        Tree::Ternary(TernaryOp::Ite, c, a, b) => plain(if plain(c, env)?.is_true() { a } else { b }, env),
        Tree::Ternary(op, a, b, c) => eval::ternary(*op, plain(a, env)?, plain(b, env)?, plain(c, env)?),
        Tree::Read(sort, memory, address, cells) => {
            let address = plain(address, env)?.raw();
            let mut bits = 0;
            for i in 0..*cells {
                let address = cell_address(*sort, address, i);
                bits |= plain_cell(memory, *sort, address, env)? << (i * (sort.cell.bytes() as u16 * 8));
            }
            Ok(match sort.cell {
                Cell::Bits(width) => Value::bits(width * cells, bits),
                Cell::Float(format) => Value::float(format, bits),
            })
        }
        Tree::Write(..) => panic!("a memory has no value"),
    }
}

fn plain_cell(memory: &Tree, sort: MemorySort, address: u128, env: &mut World) -> Result<u128, Undefined> {
    match memory {
        Tree::Write(below, written, value, cells) => {
            let written = plain(written, env)?.raw();
            match (0..*cells).find(|&i| cell_address(sort, written, i) == address) {
                Some(i) => {
                    Ok(plain(value, env)?.raw() >> (i * sort.cell.bytes() as u16 * 8)
                        & mask(sort.cell.bytes() as u16 * 8))
                }
                None => plain_cell(below, sort, address, env),
            }
        }
        Tree::Ternary(TernaryOp::Ite, c, a, b) => {
            plain_cell(if plain(c, env)?.is_true() { a } else { b }, sort, address, env)
        }
        Tree::Var(var, _) => env.read(*var, sort, address, 1).map(Value::raw),
        _ => panic!("not a memory"),
    }
}

fn check(bytes: &[u8], seed: u64) {
    let mut maker = Maker::new(bytes);
    let sort = match maker.byte() % 4 {
        0 | 1 => Sort::Bool,
        2 => Sort::Bits(maker.width()),
        _ => Sort::Float(maker.format()),
    };
    let tree = maker.tree(sort, 4);
    let mut pool = Pool::default();
    let expr = build(&tree, &mut pool);
    assert_eq!(pool.sort(expr), sort, "{tree:?}");
    for round in 0..4 {
        let mut env = World { seed: seed.wrapping_add(round), sorts: maker.sorts.clone(), read: Vec::new() };
        let expected = plain(&tree, &mut env);
        let result = evaluate(&pool, expr, &mut env);
        match expected {
            Ok(value) => assert_eq!(result, Ok(value), "{tree:?} became {}", show(&pool, expr)),
            // A crash is preserved; other undefined expressions may have become defined.
            Err(Undefined::DivisionByZero | Undefined::DivisionOverflow) => {
                assert!(result.is_err(), "{tree:?} became {}", show(&pool, expr));
            }
            Err(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60_000) })]

    #[test]
    fn simplified_expressions_have_the_same_value(bytes in prop::collection::vec(any::<u8>(), 0..400), seed in any::<u64>()) {
        check(&bytes, seed);
    }
}
