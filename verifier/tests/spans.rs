//! Spans contain all values that expressions have.

mod trees;

use std::collections::HashMap;

use clew_verifier::expr::eval::evaluate;
use clew_verifier::expr::span::{self, Span};
use clew_verifier::expr::{BinaryOp, Expr, Node, Pool, Sort, UnaryOp, Value, Var, eval};
use proptest::prelude::*;
use trees::{Maker, World, build, show};

fn check(bytes: &[u8], seed: u64) {
    let mut maker = Maker::new(bytes);
    let sort = if maker.byte().is_multiple_of(2) { Sort::Bool } else { Sort::Bits(maker.width()) };
    let tree = maker.tree(sort, 5);
    let mut pool = Pool::default();
    build(&tree, &mut pool);
    let mut spans: HashMap<Expr, Option<Span>> = HashMap::new();
    for expr in pool.exprs() {
        let span = span::transfer(&pool, expr, |part| spans[&part]);
        spans.insert(expr, span);
    }
    for round in 0..4 {
        let mut world = World { seed: seed.wrapping_add(round), sorts: maker.sorts.clone(), read: Vec::new() };
        for expr in pool.exprs().filter(|&expr| !matches!(pool.sort(expr), Sort::Memory(_))) {
            // Without a value, an expression may have any, and so may those around it.
            let Ok(value) = evaluate(&pool, expr, &mut world) else { continue };
            if let Some(span) = spans[&expr] {
                assert!(span.contains(value.raw() as u64), "{} is {value:?}, not in {span:?}", show(&pool, expr));
            }
            if pool.sort(expr) != Sort::Bool {
                continue;
            }
            for (part, span) in span::learn(&pool, expr, value.is_true(), |part| spans[&part]) {
                if let Ok(known) = evaluate(&pool, part, &mut world) {
                    let text = (show(&pool, expr), show(&pool, part));
                    assert!(span.contains(known.raw() as u64), "{text:?}: {known:?} is not in {span:?}");
                }
            }
            if let Node::Binary(op, a, b) = pool.node(expr)
                && let (Some(x), Some(y)) = (spans[&a], spans[&b])
                && let Some(decided) = span::decide(op, x, y)
            {
                assert_eq!(value, Value::Bool(decided), "{}", show(&pool, expr));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn values_are_in_spans(bytes in prop::collection::vec(any::<u8>(), 0..400), seed in any::<u64>()) {
        check(&bytes, seed);
    }
}

/// All spans over `width` bits with a power of two or a small number as stride.
fn all_spans(width: u16) -> Vec<Span> {
    let count = 1u64 << width;
    let mut spans: Vec<Span> = (0..count).map(|value| Span::single(width, value)).collect();
    for low in 0..count {
        spans.extend((0..count).map(|high| Span::interval(width, low, high)));
    }
    // Multiples and shifted multiples.
    let mut pool = Pool::default();
    let var = pool.var(Var(0), Sort::Bits(width));
    for factor in 2..count {
        let factor = pool.bits(width, factor.into());
        let product = pool.binary(BinaryOp::Mul, var, factor);
        for from in [0, 1, count / 2, count - 2] {
            let interval = Span::interval(width, from, (from + 2) % count);
            let of = |part: Expr| match pool.node(part) {
                Node::Var(_) => Some(interval),
                _ => span::transfer(&pool, part, |_| None),
            };
            spans.extend(span::transfer(&pool, product, of));
        }
    }
    spans.sort_by_key(|span| format!("{span:?}"));
    spans.dedup();
    spans
}

/// Each operator on each pair of spans of three bits, by enumeration.
#[test]
fn operators_on_small_spans_are_covered() {
    use BinaryOp::*;
    const WIDTH: u16 = 3;
    let spans = all_spans(WIDTH);
    let mut pool = Pool::default();
    let [a, b] = [0, 1].map(|n| pool.var(Var(n), Sort::Bits(WIDTH)));
    let binary = [Add, Sub, Mul, UnsignedDiv, SignedDiv, UnsignedRem, SignedRem, BitAnd, BitOr, BitXor, Concat];
    let shifts = [ShiftLeft, ShiftRight];
    let predicates = [
        Eq,
        UnsignedLess,
        UnsignedLessEq,
        SignedLess,
        SignedLessEq,
        SignedAddOverflows,
        SignedSubOverflows,
        SignedMulOverflows,
        UnsignedAddOverflows,
        UnsignedSubOverflows,
        UnsignedMulOverflows,
    ];
    let mut contained = 0;
    for &x in &spans {
        for &y in &spans {
            let of = |part: Expr| Some(if part == a { x } else { y });
            for value in x.values() {
                assert!(x.contains(value) && x.join(y).contains(value) && y.join(x).contains(value));
                assert!(!y.contains(value) || x.meet(y).contains(value), "{value} in the meet of {x:?} and {y:?}");
            }
            for op in binary.into_iter().chain(shifts) {
                let expr = pool.binary(op, a, b);
                let Some(result) = span::transfer(&pool, expr, of) else { continue };
                for (m, n) in x.values().flat_map(|m| y.values().map(move |n| (m, n))) {
                    let operands = [m, n].map(|value| Value::bits(WIDTH, value.into()));
                    if let Ok(value) = eval::binary(op, operands[0], operands[1]) {
                        assert!(
                            result.contains(value.raw() as u64),
                            "{op:?} of {m} in {x:?} and {n} in {y:?}: {result:?}"
                        );
                        contained += 1;
                    }
                }
            }
            for op in predicates {
                // Simplification may have turned it into another operator, so this does not ask for the expression.
                let decided = span::decide(op, x, y);
                for (m, n) in x.values().flat_map(|m| y.values().map(move |n| (m, n))) {
                    let operands = [m, n].map(|value| Value::bits(WIDTH, value.into()));
                    let Ok(value) = eval::binary(op, operands[0], operands[1]) else { continue };
                    assert!(decided.is_none_or(|decided| Value::Bool(decided) == value), "{op:?} of {x:?} and {y:?}");
                }
            }
        }
        for op in [
            UnaryOp::Neg,
            UnaryOp::BitNot,
            UnaryOp::ZeroExtend(5),
            UnaryOp::SignExtend(5),
            UnaryOp::PopCount,
            UnaryOp::LeadingZeros,
            UnaryOp::TrailingZeros,
            UnaryOp::Extract { low: 0, width: 2 },
            UnaryOp::Extract { low: 1, width: 2 },
            UnaryOp::Extract { low: 1, width: 1 },
        ] {
            let expr = pool.unary(op, a);
            let Some(result) = span::transfer(&pool, expr, |_| Some(x)) else { continue };
            for value in x.values() {
                let exact = eval::unary(op, Value::bits(WIDTH, value.into())).expect("these operators are total");
                assert!(result.contains(exact.raw() as u64), "{op:?} of {value} in {x:?}: {result:?}");
            }
        }
        for (low, high) in (0..8).flat_map(|low| (0..8).map(move |high| (low, high))) {
            for value in x.values() {
                let signed = i128::from(value) - if value >= 4 { 8 } else { 0 };
                let (least, greatest) = (i128::from(low) - 4, i128::from(high) - 4);
                assert!(!(low..=high).contains(&value) || x.clip(low, high).contains(value), "{x:?} {low} {high}");
                let clipped = x.clip_signed(least, greatest);
                assert!(!(least..=greatest).contains(&signed) || clipped.contains(value), "{x:?} {least} {greatest}");
            }
        }
    }
    assert!(contained > 100_000, "{contained}");
}

/// What makes spans worth their name.
#[test]
fn common_forms_have_tight_spans() {
    let mut pool = Pool::default();
    let byte = pool.var(Var(0), Sort::Bits(8));
    let wide = pool.zero_extend(byte, 64);
    let mask = pool.bits(64, 15);
    let index = pool.binary(BinaryOp::BitAnd, wide, mask);
    let size = pool.bits(64, 12);
    let offset = pool.binary(BinaryOp::Mul, index, size);
    let base = pool.bits(64, 0x1000);
    let address = pool.add(offset, base);
    let mut spans: HashMap<Expr, Option<Span>> = HashMap::new();
    for expr in pool.exprs() {
        let span = span::transfer(&pool, expr, |part| spans[&part]);
        spans.insert(expr, span);
    }
    let addresses: Vec<u64> = spans[&address].unwrap().values().collect();
    assert_eq!(addresses, (0..16).map(|n| 0x1000 + n * 12).collect::<Vec<u64>>());
    let ten = pool.bits(8, 10);
    let small = pool.binary(BinaryOp::UnsignedLess, byte, ten);
    let learned = span::learn(&pool, small, true, |part| match pool.node(part) {
        Node::Const(value) => Some(Span::single(8, value.raw() as u64)),
        _ => Span::full(pool.sort(part)),
    });
    assert!(learned.contains(&(byte, Span::interval(8, 0, 9))), "{learned:?}");
}
