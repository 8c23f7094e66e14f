//! LLVM intrinsics.

use clew_verifier::cfa::{Assumption, LocationKind, Op};
use clew_verifier::expr::{BinaryOp, Expr, Rounding, Sort, TernaryOp, UnaryOp};

use super::function::{FunctionLifter, Written};
use super::{Lifter, Val};
use crate::ir::{Type, TypeKind, Value};
use crate::pointsto::va_list_bytes;

/// Intrinsics without effect on the program.
const IGNORED: &[&str] = &[
    "dbg.value",
    "dbg.label",
    "dbg.assign",
    "lifetime.end",
    "invariant.end",
    "sideeffect",
    "donothing",
    "prefetch",
    "experimental.noalias.scope.decl",
    "var.annotation",
    "codeview.annotation",
    "va_end",
    "debugtrap",
    "pseudoprobe",
    "instrprof.increment",
    "eh.begincatch",
    "eh.endcatch",
    "fake.use",
];

/// Mathematical functions that yield an arbitrary value.
const APPROXIMATE: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log", "log2",
    "log10", "pow", "powi", "ldexp", "atan2",
];

impl FunctionLifter<'_> {
    /// Lifts a call of an intrinsic, given by its name without type suffixes.
    pub fn intrinsic(&mut self, call: Value, stem: &str) {
        if IGNORED.contains(&stem) {
            return;
        }
        match stem {
            "lifetime.start" => self.lifetime_start(call, call.operand(1)),
            "dbg.declare" => self.declaration(call),
            // A false assumption is undefined behaviour that the programmer has ruled out.
            "assume" => {
                let fact = self.scalar(call.operand(0));
                self.assume(fact);
            }
            "memcpy" | "memmove" | "memcpy.inline" => self.copy(call.operand(0), call.operand(1), call.operand(2)),
            "memset" | "memset.inline" => {
                let byte = self.scalar(call.operand(1));
                self.fill(call.operand(0), byte, call.operand(2));
            }
            "masked.store" => self.masked_store(call),
            "trap" => self.halt(),
            "ubsantrap" => {
                let number = self.scalar(call.operand(0));
                match self.as_number(number).and_then(|number| u8::try_from(number).ok()) {
                    Some(number) => self.trap(number),
                    None => self.unsupported("a check of clang without a number"),
                }
            }
            "stacksave" => {
                let top = self.l.stack_top();
                let value = self.read_var(top);
                self.define(call, Val::Scalar(value));
            }
            "stackrestore" => {
                let value = self.scalar(call.operand(0));
                let top = self.l.stack_top();
                // Reads from slots that disappear must happen before.
                self.save_readers(Written::Memories);
                self.assign(top, value);
            }
            "va_start" => self.va_start(call),
            "va_copy" => {
                let bytes = va_list_bytes(u64::from(self.l.layout.pointer_bits() / 8));
                if let (Some(to), Some(from)) = (self.pointer(call.operand(0)), self.pointer(call.operand(1))) {
                    let bits = self.l.layout.pointer_bits();
                    let length = self.bits(bits, u128::from(bytes));
                    self.copy_range(to, from, Some(bytes), length);
                }
            }
            "invariant.start"
            | "returnaddress"
            | "frameaddress"
            | "sponentry"
            | "addressofreturnaddress"
            | "thread.pointer"
            | "readcyclecounter"
            | "readsteadycounter"
            | "get.rounding" => self.anything(call),
            _ if APPROXIMATE.contains(&stem) => {
                self.rests_on(Assumption::LooseModel(stem.into()));
                self.anything(call);
            }
            _ => {
                let value = self.intrinsic_value(call, stem);
                match value {
                    Some(value) => self.define(call, value),
                    None => {
                        self.unsupported(&format!("the intrinsic {stem}"));
                        self.define(call, Val::Undefined);
                    }
                }
            }
        }
    }

    /// An arbitrary result.
    fn anything(&mut self, call: Value) {
        let mut scalars = Vec::new();
        let why = self.havoc_of_library(call);
        for leaf in Lifter::leaves(call.ty()) {
            if let Some(sort) = self.l.sort(leaf) {
                scalars.push(Val::Scalar(self.unknown(sort, why)));
            }
        }
        let mut scalars = scalars.into_iter();
        let value = super::function::assemble(call.ty(), &mut || scalars.next().unwrap_or(Val::Undefined));
        self.set_value(call, value);
    }

    fn intrinsic_value(&mut self, call: Value, stem: &str) -> Option<Val> {
        Some(match stem {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ptr.annotation"
            | "annotation"
            | "ssa.copy"
            | "threadlocal.address"
            | "arithmetic.fence" => self.value(call.operand(0)),
            "is.constant" => Val::Scalar(self.l.builder.pool.bool(false)),
            "objectsize" => {
                let minimum = self.scalar(call.operand(1));
                let minimum = self.l.builder.pool.as_const(minimum).is_some_and(|c| c.is_true());
                let Sort::Bits(width) = self.l.sort(call.ty())? else { return None };
                Val::Scalar(self.bits(width, if minimum { 0 } else { u128::MAX }))
            }
            "eh.typeid.for" => {
                let id = self.l.type_id(crate::pointsto::resolve_alias(call.operand(0)));
                Val::Scalar(self.bits(32, u128::from(id)))
            }
            "ptrmask" => {
                let (pointer, mask) = (self.scalar(call.operand(0)), self.scalar(call.operand(1)));
                let width = self.l.builder.pool.width(pointer);
                let mask = self.l.builder.pool.zero_extend(mask, width);
                Val::Scalar(self.l.builder.pool.binary(BinaryOp::BitAnd, pointer, mask))
            }
            "sadd.with.overflow" => self.with_overflow(call, BinaryOp::Add, BinaryOp::SignedAddOverflows),
            "uadd.with.overflow" => self.with_overflow(call, BinaryOp::Add, BinaryOp::UnsignedAddOverflows),
            "ssub.with.overflow" => self.with_overflow(call, BinaryOp::Sub, BinaryOp::SignedSubOverflows),
            "usub.with.overflow" => self.with_overflow(call, BinaryOp::Sub, BinaryOp::UnsignedSubOverflows),
            "smul.with.overflow" => self.with_overflow(call, BinaryOp::Mul, BinaryOp::SignedMulOverflows),
            "umul.with.overflow" => self.with_overflow(call, BinaryOp::Mul, BinaryOp::UnsignedMulOverflows),
            "load.relative" => self.load_relative(call)?,
            "masked.load" => self.masked_load(call)?,
            _ if stem.starts_with("vector.reduce.") => self.reduce(call, &stem["vector.reduce.".len()..])?,
            _ => return self.elementwise(call, stem),
        })
    }

    /// Loads the vector elements selected by a mask.
    fn masked_load(&mut self, call: Value) -> Option<Val> {
        let (ty, pointer) = (call.ty(), self.pointer(call.operand(0))?);
        let (mask, rest) = (self.parts(call.operand(2)), self.parts(call.operand(3)));
        let mut lanes = Vec::new();
        for (n, (chosen, other)) in mask.into_iter().zip(rest).enumerate() {
            let element = ty.element(n as u64);
            let at = self.further(pointer, self.l.layout.element_offset(ty, n as u64));
            let loaded = self.load(at, element);
            let (loaded, other) = (self.scalar_of(loaded, element), self.scalar_of(other, element));
            let chosen = self.scalar_of(chosen, call.operand(2).ty().element(0));
            lanes.push(Val::Scalar(self.l.builder.pool.ite(chosen, loaded, other)));
        }
        Some(Val::Aggregate(lanes))
    }

    /// Stores the vector elements selected by a mask.
    fn masked_store(&mut self, call: Value) {
        let ty = call.operand(0).ty();
        let (values, mask) = (self.parts(call.operand(0)), self.parts(call.operand(3)));
        let Some(pointer) = self.pointer(call.operand(1)) else { return };
        for (n, (value, chosen)) in values.into_iter().zip(mask).enumerate() {
            let chosen = self.scalar_of(chosen, call.operand(3).ty().element(0));
            let not = self.l.builder.pool.not(chosen);
            let at = self.further(pointer, self.l.layout.element_offset(ty, n as u64));
            // Unsaved values must be saved before the paths diverge.
            self.save_readers(Written::Anything);
            let (start, join) = (self.at, self.l.builder.add_location(self.id, LocationKind::Normal));
            if self.l.builder.pool.as_const(chosen).is_none_or(|c| c.is_true()) {
                self.assume(chosen);
                self.store(at, value, ty.element(n as u64));
                self.emit_to(Op::Skip, join);
            }
            self.at = start;
            if self.l.builder.pool.as_const(not).is_none_or(|c| c.is_true()) {
                self.assume(not);
                self.emit_to(Op::Skip, join);
            }
            self.at = join;
        }
    }

    /// An entry of a table of offsets relative to its start.
    fn load_relative(&mut self, call: Value) -> Option<Val> {
        let cell = self.l.points_to.cell(call.operand(0))?;
        let (table, offset) = (self.scalar(call.operand(0)), self.scalar(call.operand(1)));
        let bits = self.l.layout.pointer_bits();
        let offset = self.l.builder.pool.sign_extend(offset, bits);
        let entry = self.l.builder.pool.add(table, offset);
        let entry = self.pointer_at(entry, cell);
        let distance = self.load_bits(entry, 32);
        let distance = self.l.builder.pool.sign_extend(distance, bits);
        Some(Val::Scalar(self.l.builder.pool.add(table, distance)))
    }

    fn with_overflow(&mut self, call: Value, op: BinaryOp, overflows: BinaryOp) -> Val {
        let (a, b) = (call.operand(0), call.operand(1));
        if a.ty().is_aggregate() {
            self.unsupported("overflow checks of vectors");
            return Val::Undefined;
        }
        if !matches!(self.l.sort(a.ty()), Some(Sort::Bits(_))) {
            self.unsupported(&format!("overflow checks of {}", super::function::describe(a.ty())));
            return Val::Undefined;
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        let pool = &mut self.l.builder.pool;
        Val::Aggregate(vec![Val::Scalar(pool.binary(op, a, b)), Val::Scalar(pool.binary(overflows, a, b))])
    }

    /// An operation on scalars, or on each element of vectors.
    fn elementwise(&mut self, call: Value, stem: &str) -> Option<Val> {
        let ty = call.ty();
        let args: Vec<Value> = call.args().collect();
        if !ty.is_aggregate() {
            self.l.sort(ty)?;
            if args.iter().any(|a| self.l.sort(a.ty()).is_none()) {
                return None;
            }
            let scalars: Vec<Expr> = args.iter().map(|&a| self.scalar(a)).collect();
            return self.scalar_intrinsic(stem, &scalars, ty).map(Val::Scalar);
        }
        if !matches!(ty.kind(), TypeKind::Vector(..)) {
            return None;
        }
        let columns: Vec<(Vec<Val>, Type)> = args
            .iter()
            .map(|&a| match a.ty().is_aggregate() {
                true => (self.parts(a), a.ty().element(0)),
                // A flag or an exponent that applies to all elements.
                false => (vec![self.value(a); ty.element_count() as usize], a.ty()),
            })
            .collect();
        let mut rows = Vec::new();
        for row in 0..ty.element_count() as usize {
            let scalars: Vec<Expr> = columns.iter().map(|(c, ty)| self.scalar_of(c[row].clone(), *ty)).collect();
            rows.push(Val::Scalar(self.scalar_intrinsic(stem, &scalars, ty.element(0))?));
        }
        Some(Val::Aggregate(rows))
    }

    fn pick(&mut self, less: BinaryOp, a: Expr, b: Expr, smaller: bool) -> Expr {
        let pool = &mut self.l.builder.pool;
        let condition = pool.binary(less, a, b);
        if smaller { pool.ite(condition, a, b) } else { pool.ite(condition, b, a) }
    }

    fn scalar_intrinsic(&mut self, stem: &str, a: &[Expr], ty: Type) -> Option<Expr> {
        let sort = self.l.sort(ty)?;
        if sort == Sort::Bool && stem != "is.fpclass" {
            return None;
        }
        if matches!(stem, "sqrt" | "fma" | "fmuladd") {
            self.check_rounding();
        }
        let round = |rounding| Some(UnaryOp::FloatRound(rounding));
        let unary = match stem {
            "ctpop" => Some(UnaryOp::PopCount),
            // The flag makes the result for zero undefined; the defined result is one of those allowed.
            "ctlz" => Some(UnaryOp::LeadingZeros),
            "cttz" => Some(UnaryOp::TrailingZeros),
            "bswap" => Some(UnaryOp::ByteSwap),
            "bitreverse" => Some(UnaryOp::BitReverse),
            "fabs" => Some(UnaryOp::FloatAbs),
            "sqrt" => Some(UnaryOp::FloatSqrt),
            "floor" => round(Rounding::Down),
            "ceil" => round(Rounding::Up),
            "trunc" => round(Rounding::TowardZero),
            "roundeven" => round(Rounding::NearestEven),
            "round" => round(Rounding::NearestAway),
            _ => None,
        };
        if let Some(op) = unary {
            return Some(self.l.builder.pool.unary(op, a[0]));
        }
        let binary = match stem {
            "minnum" => Some(BinaryOp::FloatMin),
            "maxnum" => Some(BinaryOp::FloatMax),
            _ => None,
        };
        if let Some(op) = binary {
            return Some(self.l.builder.pool.binary(op, a[0], a[1]));
        }
        Some(match stem {
            "smin" => self.pick(BinaryOp::SignedLess, a[0], a[1], true),
            "smax" => self.pick(BinaryOp::SignedLess, a[0], a[1], false),
            "umin" => self.pick(BinaryOp::UnsignedLess, a[0], a[1], true),
            "umax" => self.pick(BinaryOp::UnsignedLess, a[0], a[1], false),
            "abs" => {
                let width = self.l.builder.pool.width(a[0]);
                let zero = self.bits(width, 0);
                let pool = &mut self.l.builder.pool;
                let negative = pool.binary(BinaryOp::SignedLess, a[0], zero);
                let negated = pool.unary(UnaryOp::Neg, a[0]);
                pool.ite(negative, negated, a[0])
            }
            "minimum" | "maximum" => {
                let op = if stem == "minimum" { BinaryOp::FloatMin } else { BinaryOp::FloatMax };
                let pool = &mut self.l.builder.pool;
                let (x, y) = (pool.unary(UnaryOp::FloatIsNan, a[0]), pool.unary(UnaryOp::FloatIsNan, a[1]));
                let number = pool.binary(op, a[0], a[1]);
                let second = pool.ite(y, a[1], number);
                pool.ite(x, a[0], second)
            }
            "scmp" | "ucmp" => {
                let less = if stem == "scmp" { BinaryOp::SignedLess } else { BinaryOp::UnsignedLess };
                let Sort::Bits(width) = sort else { return None };
                let (minus, zero, one) = (self.bits(width, u128::MAX), self.bits(width, 0), self.bits(width, 1));
                let pool = &mut self.l.builder.pool;
                let (below, above) = (pool.binary(less, a[0], a[1]), pool.binary(less, a[1], a[0]));
                let rest = pool.ite(above, one, zero);
                pool.ite(below, minus, rest)
            }
            "fshl" | "fshr" => self.funnel_shift(stem == "fshl", a),
            "sadd.sat" | "ssub.sat" | "uadd.sat" | "usub.sat" => self.saturating(stem, a[0], a[1]),
            "sshl.sat" | "ushl.sat" => self.saturating_shift(stem == "sshl.sat", a[0], a[1]),
            "fma" | "fmuladd" if stem == "fma" => self.l.builder.pool.ternary(TernaryOp::FloatFma, a[0], a[1], a[2]),
            // Clang only contracts on targets with the instruction; on x86 without flags, both steps are rounded.
            "fmuladd" => {
                let product = self.l.builder.pool.binary(BinaryOp::FloatMul, a[0], a[1]);
                self.l.builder.pool.binary(BinaryOp::FloatAdd, product, a[2])
            }
            "canonicalize" => a[0],
            "copysign" => {
                let pool = &mut self.l.builder.pool;
                let magnitude = pool.unary(UnaryOp::FloatAbs, a[0]);
                let negative = pool.unary(UnaryOp::FloatNeg, magnitude);
                let sign = pool.unary(UnaryOp::FloatSignBit, a[1]);
                pool.ite(sign, negative, magnitude)
            }
            "is.fpclass" => self.float_class(a[0], a[1])?,
            "fptosi.sat" | "fptoui.sat" => self.saturating_cast(stem == "fptosi.sat", a[0], sort)?,
            "rint" | "nearbyint" => self.round_by_mode(a[0]),
            "lround" | "llround" | "lrint" | "llrint" => {
                let Sort::Bits(width) = sort else { return None };
                let rounded = match stem.ends_with("rint") {
                    true => self.round_by_mode(a[0]),
                    false => self.l.builder.pool.unary(UnaryOp::FloatRound(Rounding::NearestAway), a[0]),
                };
                self.l.builder.pool.unary(UnaryOp::FloatToSigned(width), rounded)
            }
            _ => return None,
        })
    }

    fn funnel_shift(&mut self, left: bool, a: &[Expr]) -> Expr {
        let width = self.l.builder.pool.width(a[0]);
        let modulus = self.bits(width, u128::from(width));
        let zero = self.bits(width, 0);
        let pool = &mut self.l.builder.pool;
        let distance = pool.binary(BinaryOp::UnsignedRem, a[2], modulus);
        let rest = pool.binary(BinaryOp::Sub, modulus, distance);
        let (up, down) = if left { (distance, rest) } else { (rest, distance) };
        let high = pool.binary(BinaryOp::ShiftLeft, a[0], up);
        let low = pool.binary(BinaryOp::ShiftRight, a[1], down);
        let both = pool.binary(BinaryOp::BitOr, high, low);
        let still = pool.eq(distance, zero);
        pool.ite(still, if left { a[0] } else { a[1] }, both)
    }

    fn saturating(&mut self, stem: &str, a: Expr, b: Expr) -> Expr {
        let width = self.l.builder.pool.width(a);
        let (max, min) = (self.bits(width, u128::MAX >> (129 - width)), self.bits(width, 1 << (width - 1)));
        let (ones, zero) = (self.bits(width, u128::MAX), self.bits(width, 0));
        let pool = &mut self.l.builder.pool;
        let (op, overflows) = match stem {
            "sadd.sat" => (BinaryOp::Add, BinaryOp::SignedAddOverflows),
            "ssub.sat" => (BinaryOp::Sub, BinaryOp::SignedSubOverflows),
            "uadd.sat" => (BinaryOp::Add, BinaryOp::UnsignedAddOverflows),
            _ => (BinaryOp::Sub, BinaryOp::UnsignedSubOverflows),
        };
        let bound = match stem {
            "uadd.sat" => ones,
            "usub.sat" => zero,
            _ => {
                let negative = pool.binary(BinaryOp::SignedLess, a, zero);
                pool.ite(negative, min, max)
            }
        };
        let (result, overflow) = (pool.binary(op, a, b), pool.binary(overflows, a, b));
        pool.ite(overflow, bound, result)
    }

    fn saturating_shift(&mut self, signed: bool, a: Expr, b: Expr) -> Expr {
        let width = self.l.builder.pool.width(a);
        let (max, min) = (self.bits(width, u128::MAX >> (129 - width)), self.bits(width, 1 << (width - 1)));
        let (ones, zero) = (self.bits(width, u128::MAX), self.bits(width, 0));
        let pool = &mut self.l.builder.pool;
        let shifted = pool.binary(BinaryOp::ShiftLeft, a, b);
        let back = if signed { BinaryOp::ShiftRightSigned } else { BinaryOp::ShiftRight };
        let back = pool.binary(back, shifted, b);
        let same = pool.eq(back, a);
        let bound = if signed {
            let negative = pool.binary(BinaryOp::SignedLess, a, zero);
            pool.ite(negative, min, max)
        } else {
            ones
        };
        pool.ite(same, shifted, bound)
    }

    /// `llvm.is.fpclass`: a mask of classes from the least significant bit: signalling NaN, quiet NaN; negative
    /// infinity, normal, subnormal, zero; positive zero, subnormal, normal, infinity.
    fn float_class(&mut self, value: Expr, mask: Expr) -> Option<Expr> {
        let mask = self.as_number(mask)?;
        let Sort::Float(format) = self.l.builder.pool.sort(value) else { return None };
        if mask & 3 == 1 || mask & 3 == 2 {
            return None; // only one of the two kinds of NaN
        }
        let zero = self.l.builder.pool.constant(clew_verifier::expr::Value::float(format, 0));
        let pool = &mut self.l.builder.pool;
        let nan = pool.unary(UnaryOp::FloatIsNan, value);
        let infinite = pool.unary(UnaryOp::FloatIsInfinite, value);
        let subnormal = pool.unary(UnaryOp::FloatIsSubnormal, value);
        let is_zero = pool.binary(BinaryOp::FloatEq, value, zero);
        let negative = pool.unary(UnaryOp::FloatSignBit, value);
        let positive = pool.not(negative);
        let special = {
            let a = pool.or(nan, infinite);
            let b = pool.or(subnormal, is_zero);
            pool.or(a, b)
        };
        let normal = pool.not(special);
        let mut result = pool.bool(false);
        if mask & 3 == 3 {
            result = pool.or(result, nan);
        }
        let classes = [
            (2, infinite, negative),
            (3, normal, negative),
            (4, subnormal, negative),
            (5, is_zero, negative),
            (6, is_zero, positive),
            (7, subnormal, positive),
            (8, normal, positive),
            (9, infinite, positive),
        ];
        for (bit, class, sign) in classes {
            if mask >> bit & 1 == 1 {
                let both = pool.and(class, sign);
                result = pool.or(result, both);
            }
        }
        Some(result)
    }

    fn saturating_cast(&mut self, signed: bool, value: Expr, sort: Sort) -> Option<Expr> {
        let Sort::Bits(width) = sort else { return None };
        let Sort::Float(format) = self.l.builder.pool.sort(value) else { return None };
        let (max, min) = match signed {
            true => (self.bits(width, u128::MAX >> (129 - width)), self.bits(width, 1 << (width - 1))),
            false => (self.bits(width, u128::MAX), self.bits(width, 0)),
        };
        let zero = self.bits(width, 0);
        let pool = &mut self.l.builder.pool;
        let (cast, limit) = match signed {
            true => (UnaryOp::FloatToSigned(width), UnaryOp::SignedToFloat(format)),
            false => (UnaryOp::FloatToUnsigned(width), UnaryOp::UnsignedToFloat(format)),
        };
        // The bounds may round up to a power of two, which is already out of range.
        let (top, bottom) = (pool.unary(limit, max), pool.unary(limit, min));
        let fits = pool.unary(cast, value);
        let nan = pool.unary(UnaryOp::FloatIsNan, value);
        let high = pool.binary(BinaryOp::FloatLessEq, top, value);
        let low = pool.binary(BinaryOp::FloatLessEq, value, bottom);
        let inner = pool.ite(low, min, fits);
        let inner = pool.ite(high, max, inner);
        Some(pool.ite(nan, zero, inner))
    }

    fn reduce(&mut self, call: Value, what: &str) -> Option<Val> {
        let last = call.args().count() as u32 - 1;
        let vector = call.operand(last);
        let element = vector.ty().element(0);
        let parts = self.parts(vector);
        let mut scalars: Vec<Expr> = parts.into_iter().map(|p| self.scalar_of(p, element)).collect();
        if last == 1 {
            // Ordered float reductions have a start value.
            let start = self.scalar(call.operand(0));
            scalars.insert(0, start);
        }
        let op = match what {
            "add" => Some(BinaryOp::Add),
            "mul" => Some(BinaryOp::Mul),
            "and" => Some(BinaryOp::BitAnd),
            "or" => Some(BinaryOp::BitOr),
            "xor" => Some(BinaryOp::BitXor),
            "fadd" => Some(BinaryOp::FloatAdd),
            "fmul" => Some(BinaryOp::FloatMul),
            "fmin" => Some(BinaryOp::FloatMin),
            "fmax" => Some(BinaryOp::FloatMax),
            "smin" | "smax" | "umin" | "umax" => None,
            _ => return None,
        };
        let boolean = self.l.sort(element)? == Sort::Bool;
        let mut result = scalars[0];
        for &next in &scalars[1..] {
            result = match op {
                Some(BinaryOp::BitAnd) if boolean => self.l.builder.pool.and(result, next),
                Some(BinaryOp::BitOr) if boolean => self.l.builder.pool.or(result, next),
                _ if boolean => return None,
                Some(op) => self.l.builder.pool.binary(op, result, next),
                None => self.scalar_intrinsic(what, &[result, next], element)?,
            };
        }
        Some(Val::Scalar(result))
    }

    /// Initialises a `va_list` such that all arguments are found on the stack.
    fn va_start(&mut self, call: Value) {
        let Some(area) = self.variadic_area else {
            return self.unsupported("va_start in a function that is not variadic");
        };
        let Some(list) = self.pointer(call.operand(0)) else { return };
        let area = self.read_var(area);
        let pointer_bytes = u64::from(self.l.layout.pointer_bits() / 8);
        if pointer_bytes == 8 {
            // Both register save areas are marked as exhausted.
            for (offset, used) in [(0, 48), (4, 176)] {
                let value = self.bits(32, used);
                let at = self.further(list, offset);
                self.store_scalar(at, value, 4);
            }
            let at = self.further(list, 8);
            self.store_scalar(at, area, 8);
        } else {
            self.store_scalar(list, area, pointer_bytes);
        }
    }
}
