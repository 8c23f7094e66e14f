//! Constraints as expressions over the variables of a program.

use std::collections::BTreeSet;

use crate::cfa::Program;
use crate::cpa::numeric::modular::Equation;
use crate::cpa::numeric::views::View;
use crate::expr::value::signed;
use crate::expr::{BinaryOp, Expr, Pool, Sort, Var};
use crate::numeric::Linear;

/// Writes constraints as expressions of a pool.
pub(super) struct Statements<'a> {
    pub(super) program: &'a Program,
    pub(super) pool: &'a mut Pool,
    pub(super) views: &'a [Option<View>],
}

impl Statements<'_> {
    /// Expressions that hold exactly if the constraints `form <= 0` hold, for numbers in the ranges of their types.
    pub(super) fn of(&mut self, constraints: &[Linear]) -> Vec<Expr> {
        let key = |form: &Linear| (form.parts.to_vec(), form.low);
        let all: BTreeSet<(Vec<(Var, i128)>, i128)> = constraints.iter().map(key).collect();
        let mut statements = Vec::new();
        for form in constraints {
            let is_equation = all.contains(&key(&form.negated()));
            if is_equation && form.parts.first().is_some_and(|&(_, factor)| factor < 0) {
                // The negated form says the same.
                continue;
            }
            statements.extend(self.constraint(form, is_equation));
        }
        statements
    }

    fn view(&self, var: Var) -> Option<View> {
        self.views.get(var.index()).copied().flatten()
    }

    /// `form <= 0`, or `form == 0`. `None` if the ranges of the types imply it.
    fn constraint(&mut self, form: &Linear, is_equation: bool) -> Option<Expr> {
        let (mut low, mut high, mut most) = (form.low, form.low, form.low.abs());
        for &(var, factor) in &form.parts {
            let (min, max) = self.view(var)?.range();
            let ends = [min * factor, max * factor];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
            most += ends[0].abs().max(ends[1].abs());
        }
        if high <= 0 && !is_equation {
            return None;
        }
        if low > 0 || is_equation && high < 0 {
            return Some(self.pool.bool(false));
        }
        if let Some(statement) = self.narrow(form, is_equation) {
            return Some(statement);
        }
        // Wide enough for all sums.
        let width = (130 - most.leading_zeros()) as u16;
        if width > crate::expr::MAX_BITS {
            return None;
        }
        let constant = self.pool.bits(width, form.low.unsigned_abs());
        let zero = self.pool.bits(width, 0);
        let (mut left, mut right) = if form.low < 0 { (zero, constant) } else { (constant, zero) };
        for &(var, factor) in &form.parts {
            let value = self.extended(var, width)?;
            let factor_bits = self.pool.bits(width, factor.unsigned_abs());
            let multiple = self.pool.binary(BinaryOp::Mul, value, factor_bits);
            let side = if factor > 0 { &mut left } else { &mut right };
            *side = self.pool.add(*side, multiple);
        }
        let op = if is_equation { BinaryOp::Eq } else { BinaryOp::SignedLessEq };
        Some(self.pool.binary(op, left, right))
    }

    /// A statement in the width of its variables: about one variable, or a comparison of two.
    fn narrow(&mut self, form: &Linear, is_equation: bool) -> Option<Expr> {
        let (view, left, right) = match *form.parts {
            [(var, factor @ (1 | -1))] => {
                let view = self.view(var)?;
                let value = self.program.var(var).sort;
                let number = -form.low * factor;
                let (min, max) = view.range();
                if !(min..=max).contains(&number) {
                    return None;
                }
                if value == Sort::Bool {
                    let value = self.pool.var(var, value);
                    // Of a bound that says something, or an equation, the number is the value.
                    return Some(if number == 1 { value } else { self.pool.not(value) });
                }
                let value = self.pool.var(var, value);
                let number = self.pool.bits(view.width, number as u128);
                if factor > 0 { (view, value, number) } else { (view, number, value) }
            }
            [(a, factor @ (1 | -1)), (b, other)] if factor == -other && form.low == 0 && form.high == 0 => {
                let view = self.view(a)?;
                let sort = self.program.var(a).sort;
                if self.view(b) != Some(view) || sort == Sort::Bool || self.program.var(b).sort != sort {
                    return None;
                }
                let (a, b) = (self.pool.var(a, sort), self.pool.var(b, sort));
                if factor > 0 { (view, a, b) } else { (view, b, a) }
            }
            _ => return None,
        };
        let op = match view.is_signed {
            _ if is_equation => BinaryOp::Eq,
            true => BinaryOp::SignedLessEq,
            false => BinaryOp::UnsignedLessEq,
        };
        Some(self.pool.binary(op, left, right))
    }

    /// An equation modulo a power of two, which is what arithmetic of its width says.
    pub(super) fn equation(&mut self, equation: &Equation) -> Expr {
        let Equation { width, parts, constant } = equation;
        let (mut left, zero) = (self.pool.bits(*width, 0), self.pool.bits(*width, 0));
        let (mut right, constant) = (zero, self.pool.bits(*width, u128::from(constant.wrapping_neg())));
        for &(var, factor) in parts {
            // Small factors are easier for the solver.
            let factor = signed(*width, factor.into());
            let value = self.pool.var(var, Sort::Bits(*width));
            let number = self.pool.bits(*width, factor.unsigned_abs());
            let multiple = self.pool.binary(BinaryOp::Mul, value, number);
            let side = if factor > 0 { &mut left } else { &mut right };
            *side = self.pool.add(*side, multiple);
        }
        right = self.pool.add(right, constant);
        self.pool.eq(left, right)
    }

    /// A variable in a larger width.
    fn extended(&mut self, var: Var, width: u16) -> Option<Expr> {
        let view = self.view(var)?;
        let sort = self.program.var(var).sort;
        let value = self.pool.var(var, sort);
        Some(match sort {
            Sort::Bool => self.pool.bool_to_bits(value, width),
            _ if view.is_signed => self.pool.sign_extend(value, width),
            _ => self.pool.zero_extend(value, width),
        })
    }
}
