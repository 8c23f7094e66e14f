//! Notation and parentheses of expressions and operations.

use super::*;
use crate::expr::BinaryOp::*;
use crate::expr::UnaryOp::*;
use crate::expr::{FloatFormat, TernaryOp};
use crate::print::Printer;

/// Checks the notation of an expression over three int variables x, y, z.
#[track_caller]
fn check(expected: &str, build: impl FnOnce(&mut Builder, Expr, Expr, Expr) -> Expr) {
    let mut b = Builder::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| b.fresh(name, I32));
    let expr = build(&mut b, x, y, z);
    assert_eq!(Printer::new(&b.program).expr(expr), expected);
}

/// Checks `(x inner y) outer z` and `x outer (y inner z)`.
#[track_caller]
fn check_nested(inner: BinaryOp, outer: BinaryOp, left: &str, right: &str) {
    check(left, |b, x, y, z| {
        let xy = b.binary(inner, x, y);
        b.binary(outer, xy, z)
    });
    check(right, |b, x, y, z| {
        let yz = b.binary(inner, y, z);
        b.binary(outer, x, yz)
    });
}

#[test]
fn parentheses_only_where_c_needs_them() {
    check_nested(Mul, Add, "x * y + z", "x + y * z");
    check_nested(Add, Mul, "(x + y) * z", "x * (y + z)");
    check_nested(Sub, Sub, "x - y - z", "x - (y - z)");
    check_nested(SignedDiv, UnsignedRem, "x / y %u z", "x %u (y / z)");
    check_nested(Add, ShiftLeft, "x + y << z", "x << y + z");
    check_nested(BitAnd, BitOr, "x & y | z", "x | y & z");
    check_nested(BitOr, BitXor, "(x | y) ^ z", "x ^ (y | z)");
    check_nested(ShiftRight, ShiftRightSigned, "x >>u y >> z", "x >> (y >>u z)");
    check("(x & y) == z", |b, x, y, z| {
        let both = b.binary(BitAnd, x, y);
        b.compare(Eq, both, z)
    });
    check("x < y == z < y", |b, x, y, z| {
        let (l, r) = (b.compare(SignedLess, x, y), b.compare(SignedLess, z, y));
        b.compare(Eq, l, r)
    });
    check("x < y && (y < z || z < x) && x == z", |b, x, y, z| {
        let (p, q, r, s) = (
            b.compare(SignedLess, x, y),
            b.compare(SignedLess, y, z),
            b.compare(SignedLess, z, x),
            b.compare(Eq, x, z),
        );
        let either = b.compare(Or, q, r);
        let rest = b.compare(And, either, s);
        b.compare(And, p, rest)
    });
    check("!(x < y && y < z)", |b, x, y, z| {
        let (p, q) = (b.compare(SignedLess, x, y), b.compare(SignedLess, y, z));
        let both = b.compare(And, p, q);
        b.not(both)
    });
    check("(x < y ? y : z) + 1", |b, x, y, z| {
        let less = b.compare(SignedLess, x, y);
        let choice = b.program.pool.intern(Node::Ternary(TernaryOp::Ite, less, y, z), I32);
        let one = b.int(1);
        b.binary(Add, choice, one)
    });
    check("-(-x) * ~(y + z)", |b, x, y, z| {
        let minus = b.unary(Neg, x, I32);
        let twice = b.unary(Neg, minus, I32);
        let sum = b.binary(Add, y, z);
        let flipped = b.unary(BitNot, sum, I32);
        b.binary(Mul, twice, flipped)
    });
}

#[test]
fn comparisons_read_naturally() {
    let with_constant = |op, constant_first: bool, negated: bool| {
        move |b: &mut Builder, x, _, _| {
            let nine = b.int(9);
            let compared = if constant_first { b.compare(op, nine, x) } else { b.compare(op, x, nine) };
            if negated { b.not(compared) } else { compared }
        }
    };
    check("x < 9", with_constant(SignedLess, false, false));
    check("x >= 9", with_constant(SignedLess, false, true));
    check("x > 9", with_constant(SignedLess, true, false));
    check("x <= 9", with_constant(SignedLess, true, true));
    check("x <=u 9", with_constant(UnsignedLessEq, false, false));
    check("x >u 9", with_constant(UnsignedLessEq, false, true));
    check("x >=u 9", with_constant(UnsignedLessEq, true, false));
    check("x <u 9", with_constant(UnsignedLessEq, true, true));
    check("x == 9", with_constant(Eq, true, false));
    check("x != 9", with_constant(Eq, false, true));
    check("!(x != y)", |b, x, y, _| {
        let equal = b.compare(Eq, x, y);
        let different = b.not(equal);
        b.not(different)
    });
}

#[test]
fn negated_float_comparisons_stay_negated() {
    let mut b = Builder::new();
    let double = Sort::Float(FloatFormat::Double);
    let [d, e] = ["d", "e"].map(|name| b.fresh(name, double));
    let less = b.compare(FloatLess, d, e);
    let not_less = b.not(less);
    let equal = b.compare(FloatEq, d, e);
    let different = b.not(equal);
    let same = b.compare(Eq, d, e);
    let printer = Printer::new(&b.program);
    assert_eq!(printer.expr(not_less), "!(d < e)");
    assert_eq!(printer.expr(different), "d != e");
    assert_eq!(printer.expr(same), "same(d, e)");
}

#[test]
fn constants() {
    let mut b = Builder::new();
    let mut print = |width, value| {
        let constant = b.bits(width, value);
        Printer::new(&b.program).expr(constant)
    };
    assert_eq!(print(32, -1), "-1");
    assert_eq!(print(32, i32::MIN.into()), "0x80000000");
    assert_eq!(print(32, i32::MAX.into()), "2147483647");
    assert_eq!(print(64, 1 << 40), "0x10000000000");
    assert_eq!(print(64, 0), "0");
    assert_eq!(print(64, 0x10000), "&a");
    assert_eq!(print(64, 0x10004), "&a + 4");
    assert_eq!(print(64, 0x10028), "65576", "one past the end");
    assert_eq!(print(32, 0x10000), "65536", "too narrow for a pointer");
    assert_eq!(print(64, 0x1000), "&handler");

    let mut float = |format, bits| {
        let value = Value::float(format, bits);
        let constant = b.program.pool.intern(Node::Const(value), value.sort());
        Printer::new(&b.program).expr(constant)
    };
    assert_eq!(float(FloatFormat::Double, 1.5f64.to_bits().into()), "1.5");
    assert_eq!(float(FloatFormat::Double, (-0.0f64).to_bits().into()), "-0.0");
    assert_eq!(float(FloatFormat::Single, 0.1f32.to_bits().into()), "0.1f");
    assert_eq!(float(FloatFormat::Single, f32::INFINITY.to_bits().into()), "INFINITY");
    assert_eq!(float(FloatFormat::Double, 0x7ff8_0000_0000_0001), "nan(0x7ff8000000000001)");
    assert_eq!(float(FloatFormat::X87, 0x3fff_8000_0000_0000_0000), "1.0L");
    assert_eq!(float(FloatFormat::Half, 0xfc00), "-INFINITY");
    check("x <u 4294967295", |b, x, _, _| {
        let all = b.int(-1);
        b.compare(UnsignedLess, x, all)
    });
    check("x - 1 + 2", |b, x, _, _| {
        let (one, two) = (b.int(-1), b.int(-2));
        let less = b.binary(Add, x, one);
        b.binary(Sub, less, two)
    });
}

#[test]
fn casts_tell_signed_from_unsigned() {
    check("(u64)x", |b, x, _, _| b.unary(ZeroExtend(64), x, I64));
    check("(i64)(x + y)", |b, x, y, _| {
        let sum = b.binary(Add, x, y);
        b.unary(SignExtend(64), sum, I64)
    });
    check("(i32)(i8)x", |b, x, _, _| {
        let byte = b.unary(Extract { low: 0, width: 8 }, x, Sort::Bits(8));
        b.unary(SignExtend(32), byte, I32)
    });
    check("(u32)(u8)x", |b, x, _, _| {
        let byte = b.unary(Extract { low: 0, width: 8 }, x, Sort::Bits(8));
        b.unary(ZeroExtend(32), byte, I32)
    });
    check("(x + y)[15:8]", |b, x, y, _| {
        let sum = b.binary(Add, x, y);
        b.unary(Extract { low: 8, width: 8 }, sum, Sort::Bits(8))
    });
    let double = Sort::Float(FloatFormat::Double);
    check("(double)x", move |b, x, _, _| b.unary(SignedToFloat(FloatFormat::Double), x, double));
    check("(double)(u32)x", move |b, x, _, _| b.unary(UnsignedToFloat(FloatFormat::Double), x, double));
}

#[test]
fn accesses_show_elements_where_they_can() {
    let mut b = Builder::new();
    let a = b.region("a", Cell::Bits(32));
    let bytes = b.region("b", Cell::Bits(8));
    let next = b.region("node.next", Cell::Bits(64));
    let [p, i] = [("p", I64), ("i", I32)].map(|(name, sort)| b.fresh(name, sort));
    let (base, four, eight, two) = (b.bits(64, 0x10000), b.bits(64, 4), b.bits(64, 8), b.bits(64, 2));
    let wide = b.unary(SignExtend(64), i, I64);
    let scaled = b.binary(Mul, four, wide);
    let element = b.binary(Add, base, scaled);
    let after = b.binary(Add, element, four);
    let before = b.binary(Sub, element, four);
    let shifted = b.binary(ShiftLeft, wide, two);
    let shifted = b.binary(Add, shifted, base);
    let fixed = b.bits(64, 0x10008);
    let odd = b.bits(64, 0x10002);
    let field = b.binary(Add, p, eight);
    let in_bytes = b.bits(64, 0x10104);
    let unscaled = b.binary(Add, base, wide);
    let cases = [
        (b.read(a, element, 1), "a[i]"),
        (b.read(a, after, 1), "a[i + 1]"),
        (b.read(a, before, 1), "a[i - 1]"),
        (b.read(a, shifted, 1), "a[i]"),
        (b.read(a, fixed, 1), "a[2]"),
        (b.read(a, odd, 1), "*(i32 *)(&a + 2)"),
        (b.read(a, unscaled, 1), "*(i32 *)(&a + (i64)i)"),
        (b.read(a, p, 1), "*p"),
        (b.read(next, field, 1), "p->next"),
        (b.read(bytes, in_bytes, 4), "*(u32 *)&b[4]"),
    ];
    let (memory, seven) = (b.read_var(a), b.int(7));
    let sort = b.program.pool.sort(memory);
    let update = b.program.pool.intern(Node::Write { memory, address: element, value: seven }, sort);
    let printer = Printer::new(&b.program);
    for (expr, expected) in cases {
        assert_eq!(printer.expr(expr), expected);
    }
    assert_eq!(printer.expr(update), "a[i := 7]");
}

#[test]
fn parts_of_elements_look_like_fields() {
    let mut b = Builder::new();
    let next = b.region("node.next", Cell::Bits(64));
    let other = b.region("node.next#2", Cell::Bits(64));
    let key = b.region("a.key", Cell::Bits(32));
    let row = b.region("int[4]", Cell::Bits(32));
    let [p, i] = [("p", I64), ("i", I32)].map(|(name, sort)| b.fresh(name, sort));
    let mut plus = |pointer: Expr, offset: i128| {
        let offset = b.bits(64, offset);
        b.binary(Add, pointer, offset)
    };
    let (field, after, four) = (plus(p, 8), plus(p, 24), plus(p, 4));
    let (in_object, past_it) = (b.bits(64, 0x10008), b.bits(64, 0x10018));
    let (ten, object) = (b.bits(64, 20), b.bits(64, 0x10004));
    let wide = b.unary(SignExtend(64), i, I64);
    let scaled = b.binary(Mul, wide, ten);
    let (of_object, of_pointer) = (b.binary(Add, scaled, object), b.binary(Add, p, scaled));
    let of_pointer = b.binary(Add, of_pointer, four);
    let second = b.bits(64, 0x10018);
    let cases = [
        (b.read(next, field, 1), "p->next"),
        (b.read(next, after, 1), "node.next[p + 24]"),
        (b.read(next, in_object, 1), "a.next"),
        (b.read(next, past_it, 1), "node.next[&a + 24]"),
        // The other region of that name has the field at the same offset, although no access shows it.
        (b.read(other, after, 1), "node.next#2[p + 24]"),
        (b.read(key, of_object, 1), "a[i].key"),
        (b.read(key, second, 1), "a[1].key"),
        (b.read(key, four, 1), "p->key"),
        (b.read(key, after, 1), "p[1].key"),
        (b.read(key, of_pointer, 1), "(p + p)[i].key"),
        (b.read(row, four, 1), "p[1]"),
        (b.read(row, p, 1), "*p"),
        (b.read(row, p, 2), "*(u64 *)p"),
        (b.read(row, four, 2), "*(u64 *)&p[1]"),
    ];
    let printer = Printer::new(&b.program);
    for (expr, expected) in cases {
        assert_eq!(printer.expr(expr), expected);
    }
}

#[test]
fn single_bits_are_tested_with_a_mask() {
    for (value, negated, expected) in
        [(1, false, "(x & 8) != 0"), (0, false, "(x & 8) == 0"), (1, true, "(x & 8) == 0"), (-1, false, "(x & 8) != 0")]
    {
        check(expected, |b, x, _, _| {
            let bit = b.unary(Extract { low: 3, width: 1 }, x, Sort::Bits(1));
            let value = b.bits(1, value);
            let equal = b.compare(Eq, bit, value);
            if negated { b.not(equal) } else { equal }
        });
    }
}

#[test]
fn operations() {
    let mut b = Builder::new();
    let f = b.function("ns::f(int, char const*) const", 1, Some(I32));
    let g = b.function("functor::operator()", 1, None);
    let a = b.region("a", Cell::Bits(32));
    let bytes = b.region("b", Cell::Bits(8));
    let global = b.var("x", I32, Scope::Global);
    let x = b.var("x", I32, Scope::Local(f));
    let (base, in_bytes, p) = (b.bits(64, 0x10004), b.bits(64, 0x10100), b.fresh("p", I64));
    let (value, zero, length) = (b.read_var(global), b.bits(8, 0), b.bits(64, 16));
    let program = b.program;
    let printer = Printer::new(&program).inside(f);
    let check = |op: Op, expected: &str| assert_eq!(printer.op(&op), expected);
    check(Op::Assign(x, value), "x = ::x");
    check(Op::Havoc(x, Havoc::Input), "x = input()");
    check(Op::Havoc(x, Havoc::Uninitialized), "x = uninitialized");
    check(Op::Havoc(x, Havoc::External(ExternalId(0))), "x = external()");
    check(Op::Havoc(x, Havoc::Undefined), "x = undefined()");
    check(Op::Store { memory: a, address: base, value }, "a[1] = ::x");
    check(Op::Store { memory: bytes, address: in_bytes, value }, "*(u32 *)&b[0] = ::x");
    check(Op::Forget { memory: a, address: base, bytes: length }, "forget a[&a + 4 .. 16 bytes]");
    check(Op::Fill { memory: a, address: p, byte: zero, bytes: length }, "memset(a[p], 0, 16)");
    check(Op::Copy { target: a, to: p, source: a, from: base, bytes: length }, "memmove(a[p], a[1], 16)");
    check(Op::Initialize { memory: a, contents: 0 }, "initialize a");
    check(Op::Call { callee: f, args: [value, p].into(), result: Some(x) }, "x = ns::f(::x, p)");
    check(Op::Call { callee: g, args: [].into(), result: None }, "functor::operator()()");
    check(Op::Return(Some(value)), "return ::x");
    check(Op::Return(None), "return");
    check(Op::Unsupported("inline assembly".into()), "unsupported: inline assembly");
    check(Op::Skip, "skip");
    assert_eq!(Printer::new(&program).var(x), "ns::f::x");
}

#[test]
fn shared_and_deep_expressions_stay_short() {
    let mut b = Builder::new();
    let x = b.fresh("x", I32);
    let (mut shared, mut deep) = (x, x);
    for _ in 0..100_000 {
        shared = b.binary(Mul, shared, shared);
        deep = b.binary(Add, deep, x);
    }
    let printer = Printer::new(&b.program);
    for text in [printer.expr(shared), printer.expr(deep)] {
        assert!(text.len() < 2100 && text.contains('…'), "{text}");
    }
}
