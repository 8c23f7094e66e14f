//! Expressions as text with their types, such as `(sle main::i 10:32)`, and back.
//!
//! Only operators with a value for all arguments are written and read, since a predicate must be true or false.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names::{Names, Words, quoted, words};
use crate::expr::{BinaryOp, Cell, Expr, MAX_BITS, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var};

/// Longer texts are no hint. Shared subexpressions are written several times.
const MAX_TEXT: usize = 4000;

/// The deepest nesting.
const MAX_DEPTH: u32 = 100;

/// Operators on two bit-vectors of one width, with a result of this width.
const ARITHMETIC: &[(BinaryOp, &str)] = &[
    (BinaryOp::Add, "add"),
    (BinaryOp::Sub, "sub"),
    (BinaryOp::Mul, "mul"),
    (BinaryOp::BitAnd, "bitand"),
    (BinaryOp::BitOr, "bitor"),
    (BinaryOp::BitXor, "bitxor"),
];

/// Comparisons of two bit-vectors of one width.
const COMPARISONS: &[(BinaryOp, &str)] = &[
    (BinaryOp::UnsignedLess, "ult"),
    (BinaryOp::UnsignedLessEq, "ule"),
    (BinaryOp::SignedLess, "slt"),
    (BinaryOp::SignedLessEq, "sle"),
];

/// Operators on two bit-vectors that have no value for some second arguments.
const PARTIAL: &[(BinaryOp, &str)] = &[
    (BinaryOp::UnsignedDiv, "udiv"),
    (BinaryOp::UnsignedRem, "urem"),
    (BinaryOp::SignedDiv, "sdiv"),
    (BinaryOp::SignedRem, "srem"),
    (BinaryOp::ShiftLeft, "shl"),
    (BinaryOp::ShiftRight, "lshr"),
    (BinaryOp::ShiftRightSigned, "ashr"),
];

fn name_of(table: &[(BinaryOp, &'static str)], op: BinaryOp) -> Option<&'static str> {
    table.iter().find(|(other, _)| *other == op).map(|(_, name)| *name)
}

fn named(table: &[(BinaryOp, &'static str)], name: &str) -> Option<BinaryOp> {
    table.iter().find(|(_, other)| *other == name).map(|(op, _)| *op)
}

/// Whether an operator of `PARTIAL` has a value whatever the first argument is.
fn is_total(op: BinaryOp, width: u16, second: Value) -> bool {
    let bits = second.raw();
    match op {
        BinaryOp::UnsignedDiv | BinaryOp::UnsignedRem => bits != 0,
        // The quotient by -1 may overflow.
        BinaryOp::SignedDiv | BinaryOp::SignedRem => bits != 0 && second != Value::bits(width, u128::MAX),
        _ => bits < u128::from(width),
    }
}

/// The variables of an expression.
pub(super) fn variables(pool: &Pool, expr: Expr) -> BTreeSet<Var> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            if let Node::Var(var) = pool.node(expr) {
                found.insert(var);
            }
            open.extend(pool.children(expr));
        }
    }
    found
}

/// The text of an expression; `None` if it has an operator or a name without one.
pub(super) fn text(pool: &Pool, names: &Names, expr: Expr) -> Option<String> {
    let mut out = String::new();
    write(pool, names, expr, MAX_DEPTH, &mut out)?;
    Some(out)
}

fn write(pool: &Pool, names: &Names, expr: Expr, depth: u32, out: &mut String) -> Option<()> {
    let depth = depth.checked_sub(1).filter(|_| out.len() < MAX_TEXT)?;
    let mut apply = |head: &str, arguments: &[Expr]| {
        let _ = write!(out, "({head}");
        for &argument in arguments {
            out.push(' ');
            write(pool, names, argument, depth, out)?;
        }
        out.push(')');
        Some(())
    };
    match pool.node(expr) {
        Node::Const(Value::Bool(value)) => {
            let _ = write!(out, "{value}");
            Some(())
        }
        Node::Const(Value::Bits { width, bits }) => {
            let _ = write!(out, "{bits}:{width}");
            Some(())
        }
        Node::Const(Value::Float { .. }) | Node::Write { .. } => None,
        Node::Var(var) => {
            out.push_str(&quoted(names.name(var)?));
            Some(())
        }
        Node::Unary(op, a) => match op {
            UnaryOp::Not => apply("not", &[a]),
            UnaryOp::BitNot => apply("bitnot", &[a]),
            UnaryOp::Neg => apply("neg", &[a]),
            UnaryOp::Extract { low, width } => apply(&format!("extract {low} {width}"), &[a]),
            UnaryOp::ZeroExtend(width) => apply(&format!("zext {width}"), &[a]),
            UnaryOp::SignExtend(width) => apply(&format!("sext {width}"), &[a]),
            _ => None,
        },
        Node::Binary(BinaryOp::Eq, a, b) => apply("eq", &[a, b]),
        Node::Binary(BinaryOp::And, a, b) => apply("and", &[a, b]),
        Node::Binary(BinaryOp::Or, a, b) => apply("or", &[a, b]),
        Node::Binary(BinaryOp::Concat, a, b) => apply("concat", &[a, b]),
        Node::Binary(op, a, b) => {
            if let Some(name) = name_of(PARTIAL, op) {
                let is_total = pool.as_const(b).is_some_and(|value| is_total(op, pool.width(b), value));
                return if is_total { apply(name, &[a, b]) } else { None };
            }
            apply(name_of(ARITHMETIC, op).or_else(|| name_of(COMPARISONS, op))?, &[a, b])
        }
        Node::Ternary(TernaryOp::Ite, a, b, c) => apply("ite", &[a, b, c]),
        Node::Ternary(..) => None,
        Node::Read { memory, address, cells } => apply(&format!("read {cells}"), &[memory, address]),
    }
}

/// The expression with this text; `None` if it has none, or not one with fitting types.
pub(super) fn parse(pool: &mut Pool, names: &Names, text: &str) -> Option<Expr> {
    let mut words = words(text);
    let expr = read(pool, names, &mut words, MAX_DEPTH)?;
    let is_all = words.rest().trim().is_empty();
    is_all.then_some(expr).filter(|&expr| !matches!(pool.sort(expr), Sort::Memory(_)) && !pool.may_trap(expr))
}

fn read(pool: &mut Pool, names: &Names, words: &mut Words<'_>, depth: u32) -> Option<Expr> {
    let depth = depth.checked_sub(1)?;
    let (word, is_quoted) = words.read()?;
    if is_quoted || !word.starts_with(|c: char| c == '(' || c == ')' || c.is_ascii_digit()) {
        if !is_quoted && (word == "true" || word == "false") {
            return Some(pool.bool(word == "true"));
        }
        let var = names.var(&word)?;
        return Some(pool.var(var, names.sort(var)));
    }
    if word != "(" {
        let (bits, width) = word.split_once(':')?;
        let (bits, width): (u128, u16) = (bits.parse().ok()?, width.parse().ok()?);
        let is_valid = (1..=MAX_BITS).contains(&width) && Value::bits(width, bits).raw() == bits;
        return is_valid.then(|| pool.bits(width, bits));
    }
    let head = words.next()?;
    let count = match head.as_str() {
        "extract" => 2,
        "zext" | "sext" | "read" => 1,
        _ => 0,
    };
    let mut numbers = Vec::new();
    for _ in 0..count {
        numbers.push(words.next()?.parse::<u16>().ok()?);
    }
    let mut arguments = Vec::new();
    while !words.rest().trim_start().starts_with(')') {
        arguments.push(read(pool, names, words, depth)?);
    }
    words.next()?;
    apply(pool, &head, &numbers, &arguments)
}

/// Applies an operator if the sorts fit: the constructors of expressions do not ask.
fn apply(pool: &mut Pool, head: &str, numbers: &[u16], arguments: &[Expr]) -> Option<Expr> {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| pool.sort(argument)).collect();
    match (head, numbers, arguments, &sorts[..]) {
        ("not", _, &[a], [Sort::Bool]) => Some(pool.not(a)),
        ("bitnot", _, &[a], [Sort::Bits(_)]) => Some(pool.unary(UnaryOp::BitNot, a)),
        ("neg", _, &[a], [Sort::Bits(_)]) => Some(pool.unary(UnaryOp::Neg, a)),
        ("extract", &[low, width], &[a], &[Sort::Bits(all)]) => {
            let fits = width > 0 && low.checked_add(width).is_some_and(|end| end <= all);
            fits.then(|| pool.extract(a, low, width))
        }
        ("zext", &[width], &[a], &[Sort::Bits(old)]) if old < width && width <= MAX_BITS => {
            Some(pool.zero_extend(a, width))
        }
        ("sext", &[width], &[a], &[Sort::Bits(old)]) if old < width && width <= MAX_BITS => {
            Some(pool.sign_extend(a, width))
        }
        ("eq", _, &[a, b], [left @ (Sort::Bool | Sort::Bits(_)), right]) if left == right => Some(pool.eq(a, b)),
        ("and", _, &[a, b], [Sort::Bool, Sort::Bool]) => Some(pool.and(a, b)),
        ("or", _, &[a, b], [Sort::Bool, Sort::Bool]) => Some(pool.or(a, b)),
        ("concat", _, &[a, b], &[Sort::Bits(high), Sort::Bits(low)]) if high + low <= MAX_BITS => {
            Some(pool.binary(BinaryOp::Concat, a, b))
        }
        ("ite", _, &[a, b, c], [Sort::Bool, left @ (Sort::Bool | Sort::Bits(_)), right]) if left == right => {
            Some(pool.ite(a, b, c))
        }
        ("read", &[cells], &[memory, address], &[Sort::Memory(sort), Sort::Bits(width)]) => {
            let size = match sort.cell {
                Cell::Bits(bits) => bits.checked_mul(cells),
                Cell::Float(_) => None,
            };
            let fits = cells > 0 && width == sort.address && size.is_some_and(|bits| bits <= MAX_BITS);
            fits.then(|| pool.read(memory, address, cells))
        }
        (name, _, &[a, b], &[Sort::Bits(left), Sort::Bits(right)]) if left == right => {
            if let Some(op) = named(PARTIAL, name) {
                let second = pool.as_const(b)?;
                return is_total(op, right, second).then(|| pool.binary(op, a, b));
            }
            let op = named(ARITHMETIC, name).or_else(|| named(COMPARISONS, name))?;
            Some(pool.binary(op, a, b))
        }
        _ => None,
    }
}
