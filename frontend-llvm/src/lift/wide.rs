//! Integers of more than 128 bits, which clang uses for runs of bit-fields and `_BitInt`: limbs of 64 bits, lowest
//! first.

use clew_verifier::expr::{BinaryOp, Expr, Sort};
use llvm_sys::LLVMIntPredicate as Int;

use super::Val;
use super::function::FunctionLifter;
use crate::ir::{Opcode, Predicate, Type, Value};

impl FunctionLifter<'_> {
    /// The limbs of a lifted wide integer, or the single expression of a narrow one.
    fn limbs(&mut self, value: Val, ty: Type) -> Vec<Expr> {
        let mut limbs = Vec::new();
        self.scalars(value, ty, &mut limbs);
        limbs.into_iter().map(|l| self.without_bool(l)).collect()
    }

    fn without_bool(&mut self, value: Expr) -> Expr {
        match self.l.builder.pool.sort(value) {
            Sort::Bool => self.l.builder.pool.bool_to_bits(value, 1),
            _ => value,
        }
    }

    /// The result of an operation with a wide operand or result; `None` if it is not supported.
    pub fn wide_operation(&mut self, i: Value, opcode: Opcode, operands: &[Val]) -> Option<Val> {
        use Opcode::*;
        let ty = i.ty();
        let from = i.operand(0).ty();
        let a = self.limbs(operands[0].clone(), from);
        match opcode {
            LLVMTrunc | LLVMZExt => Some(self.resize(&a, ty, None)),
            LLVMSExt => {
                let top = *a.last()?;
                let width = self.l.builder.pool.width(top);
                let sign = self.l.builder.pool.extract(top, width - 1, 1);
                let fill = self.l.builder.pool.sign_extend(sign, 64);
                Some(self.resize(&a, ty, Some(fill)))
            }
            LLVMAnd | LLVMOr | LLVMXor => {
                let b = self.limbs(operands[1].clone(), from);
                let op = match opcode {
                    LLVMAnd => BinaryOp::BitAnd,
                    LLVMOr => BinaryOp::BitOr,
                    _ => BinaryOp::BitXor,
                };
                let limbs = a.iter().zip(&b).map(|(&x, &y)| self.l.builder.pool.binary(op, x, y)).collect();
                Some(self.assemble_limbs(limbs, ty))
            }
            LLVMAdd | LLVMSub => {
                let b = self.limbs(operands[1].clone(), from);
                Some(self.add(&a, &b, opcode == LLVMSub, ty))
            }
            LLVMShl | LLVMLShr | LLVMAShr => {
                let b = self.limbs(operands[1].clone(), from);
                let distance = u32::try_from(self.as_number(b[0])?).ok()?;
                if b[1..].iter().any(|&limb| self.as_number(limb) != Some(0)) {
                    return None;
                }
                self.shift(&a, distance, opcode, ty)
            }
            LLVMICmp => {
                let b = self.limbs(operands[1].clone(), from);
                let Predicate::Int(predicate) = i.predicate(opcode) else { return None };
                Some(Val::Scalar(self.compare_limbs(predicate, &a, &b)))
            }
            _ => None,
        }
    }

    /// A value of type `ty` with these limbs. A limb of one bit is a truth value.
    fn assemble_limbs(&mut self, limbs: Vec<Expr>, ty: Type) -> Val {
        let count = ty.element_count();
        let parts = limbs.into_iter().enumerate().map(|(n, limb)| {
            let sort = self.l.sort(ty.element(n as u64));
            Val::Scalar(if sort == Some(Sort::Bool) { self.convert(limb, Sort::Bool) } else { limb })
        });
        let parts: Vec<Val> = parts.collect();
        debug_assert_eq!(parts.len() as u64, count);
        Val::Aggregate(parts)
    }

    /// The bits `low .. low + width` of limbs, extended by `fill` or zeros.
    fn bits_of(&mut self, limbs: &[Expr], low: u32, width: u16, fill: Option<Expr>) -> Expr {
        let mut result: Option<Expr> = None;
        let mut at = 0u32;
        let end = low + u32::from(width);
        for &limb in limbs {
            let size = u32::from(self.l.builder.pool.width(limb));
            let (from, to) = (at.max(low), (at + size).min(end));
            if from < to {
                let piece = self.l.builder.pool.extract(limb, (from - at) as u16, (to - from) as u16);
                result = Some(match result {
                    None => piece,
                    Some(lower) => self.l.builder.pool.binary(BinaryOp::Concat, piece, lower),
                });
            }
            at += size;
        }
        let have = result.map_or(0, |r| self.l.builder.pool.width(r));
        if have == width {
            return result.expect("it has bits");
        }
        let missing = width - have;
        let above = match fill {
            Some(fill) => self.l.builder.pool.extract(fill, 0, missing),
            None => self.bits(missing, 0),
        };
        match result {
            None => above,
            Some(lower) => self.l.builder.pool.binary(BinaryOp::Concat, above, lower),
        }
    }

    fn resize(&mut self, limbs: &[Expr], ty: Type, fill: Option<Expr>) -> Val {
        if !ty.is_wide_integer() {
            let width = ty.integer_width().min(128) as u16;
            let bits = self.bits_of(limbs, 0, width, fill);
            return Val::Scalar(if width == 1 { self.convert(bits, Sort::Bool) } else { bits });
        }
        self.moved_limbs(limbs, 0, ty, fill)
    }

    /// The limbs of a value of type `ty` that starts at bit `low` of `limbs`.
    fn moved_limbs(&mut self, limbs: &[Expr], low: u32, ty: Type, fill: Option<Expr>) -> Val {
        let count = ty.element_count();
        let moved = (0..count)
            .map(|n| {
                let width = ty.element(n).integer_width() as u16;
                self.bits_of(limbs, low + 64 * n as u32, width, fill)
            })
            .collect();
        self.assemble_limbs(moved, ty)
    }

    fn shift(&mut self, limbs: &[Expr], distance: u32, opcode: Opcode, ty: Type) -> Option<Val> {
        let width = ty.integer_width();
        if distance >= width {
            return Some(Val::Undefined);
        }
        if opcode == Opcode::LLVMShl {
            let mut longer = Vec::new();
            let mut left = distance;
            while left > 0 {
                let part = left.min(64);
                longer.push(self.bits(part as u16, 0));
                left -= part;
            }
            longer.extend(limbs);
            return Some(self.moved_limbs(&longer, 0, ty, None));
        }
        if opcode == Opcode::LLVMLShr {
            return Some(self.moved_limbs(limbs, distance, ty, None));
        }
        let top = limbs[limbs.len() - 1];
        let size = self.l.builder.pool.width(top);
        let sign = self.l.builder.pool.extract(top, size - 1, 1);
        let fill = self.l.builder.pool.sign_extend(sign, 64);
        // Sign bits may have to fill more than one limb.
        let mut longer = limbs.to_vec();
        longer.extend(std::iter::repeat_n(fill, limbs.len()));
        Some(self.moved_limbs(&longer, distance, ty, Some(fill)))
    }

    fn add(&mut self, a: &[Expr], b: &[Expr], subtract: bool, ty: Type) -> Val {
        let (op, overflows) = match subtract {
            true => (BinaryOp::Sub, BinaryOp::UnsignedSubOverflows),
            false => (BinaryOp::Add, BinaryOp::UnsignedAddOverflows),
        };
        let mut carry = self.l.builder.pool.bool(false);
        let mut limbs = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            let pool = &mut self.l.builder.pool;
            let width = pool.width(x);
            let (partial, first) = (pool.binary(op, x, y), pool.binary(overflows, x, y));
            let carried = pool.bool_to_bits(carry, width);
            let second = pool.binary(overflows, partial, carried);
            let sum = pool.binary(op, partial, carried);
            carry = pool.or(first, second);
            carry = self.save(carry);
            limbs.push(self.save(sum));
        }
        self.assemble_limbs(limbs, ty)
    }

    fn compare_limbs(&mut self, predicate: Int, a: &[Expr], b: &[Expr]) -> Expr {
        use Int::*;
        let (a, b) = match predicate {
            LLVMIntUGT | LLVMIntUGE | LLVMIntSGT | LLVMIntSGE => (b, a),
            _ => (a, b),
        };
        let pool = &mut self.l.builder.pool;
        let mut equal = pool.bool(true);
        for (&x, &y) in a.iter().zip(b) {
            let same = pool.eq(x, y);
            equal = pool.and(equal, same);
        }
        match predicate {
            LLVMIntEQ => return equal,
            LLVMIntNE => return pool.not(equal),
            _ => {}
        }
        let signed = matches!(predicate, LLVMIntSGT | LLVMIntSGE | LLVMIntSLT | LLVMIntSLE);
        let strict = matches!(predicate, LLVMIntUGT | LLVMIntULT | LLVMIntSGT | LLVMIntSLT);
        let mut less = pool.bool(!strict);
        let last = a.len() - 1;
        for (n, (&x, &y)) in a.iter().zip(b).enumerate() {
            let op = if signed && n == last { BinaryOp::SignedLess } else { BinaryOp::UnsignedLess };
            let (below, same) = (pool.binary(op, x, y), pool.eq(x, y));
            let tie = pool.and(same, less);
            less = pool.or(below, tie);
        }
        less
    }
}

/// The limbs of a decimal number in two's complement.
pub(super) fn parse_limbs(text: &str, count: usize) -> Option<Vec<u64>> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let mut limbs = vec![0u64; count];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for limb in &mut limbs {
            let value = u128::from(*limb) * 10 + carry;
            *limb = value as u64;
            carry = value >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
    }
    Some(limbs)
}

#[cfg(test)]
mod tests {
    use super::parse_limbs;

    #[test]
    fn numbers_of_several_limbs() {
        assert_eq!(parse_limbs("18446744073709551616", 3), Some(vec![0, 1, 0]));
        assert_eq!(parse_limbs("-1", 3), Some(vec![u64::MAX; 3]));
        assert_eq!(parse_limbs("-18446744073709551616", 2), Some(vec![0, u64::MAX]));
        assert_eq!(parse_limbs("x", 2), None);
    }
}
