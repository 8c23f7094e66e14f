//! The rounding mode of floating-point arithmetic.
//!
//! Expressions round to nearest. Only functions that round to whole numbers, such as `rint`, follow the current mode;
//! other arithmetic in another mode is `Unsupported` unless its result is exact. Programs that never change the mode
//! have no variable for it.

use clew_verifier::expr::{BinaryOp, Expr, Rounding, Sort, UnaryOp, Var};

use super::function::FunctionLifter;
use super::{Lifter, Val};
use crate::ir::{Opcode, Type, Value};

/// The primitive that changes the mode.
const SET: &str = "__clew_set_rounding";

/// The width of the mode.
const WIDTH: u16 = 32;

/// The modes other than to nearest, as `fenv.h` numbers them on x86.
const DIRECTED: [(u128, Rounding); 3] = [(0x400, Rounding::Down), (0x800, Rounding::Up), (0xc00, Rounding::TowardZero)];

impl Lifter {
    /// The variable with the mode; `None` if the program never changes it.
    fn rounding_mode(&mut self) -> Option<Var> {
        self.module.function(SET)?;
        if self.model.rounding.is_none() {
            self.model.rounding = Some(self.model_var("rounding.mode", Sort::Bits(WIDTH)));
        }
        self.model.rounding
    }

    /// The variable with the mode, and its value at the start.
    pub(super) fn initial_rounding(&mut self) -> Option<(Var, Expr)> {
        Some((self.model.rounding?, self.builder.pool.bits(WIDTH, 0)))
    }
}

impl FunctionLifter<'_> {
    pub(super) fn set_rounding(&mut self, call: Value) {
        let mode = self.scalar(call.operand(0));
        if let Some(var) = self.l.rounding_mode() {
            self.assign(var, mode);
        }
    }

    pub(super) fn current_rounding(&mut self, call: Value) {
        let mode = match self.l.rounding_mode() {
            Some(var) => self.read_var(var),
            None => self.bits(WIDTH, 0),
        };
        self.define(call, Val::Scalar(mode));
    }

    /// `a` as a whole number in the current mode.
    pub(super) fn round_by_mode(&mut self, a: Expr) -> Expr {
        let round = |l: &mut Lifter, rounding| l.builder.pool.unary(UnaryOp::FloatRound(rounding), a);
        let nearest = round(self.l, Rounding::NearestEven);
        let Some(var) = self.l.rounding_mode() else { return nearest };
        let mode = self.read_var(var);
        DIRECTED.into_iter().fold(nearest, |otherwise, (number, rounding)| {
            let rounded = round(self.l, rounding);
            let number = self.bits(WIDTH, number);
            let is_current = self.l.builder.pool.eq(mode, number);
            self.l.builder.pool.ite(is_current, rounded, otherwise)
        })
    }

    /// Checks the mode before an instruction whose result may depend on it.
    pub(super) fn check_rounding_of(&mut self, i: Value, opcode: Opcode, operands: &[Val]) {
        use Opcode::*;
        match opcode {
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFPTrunc => self.check_rounding(),
            LLVMSIToFP | LLVMUIToFP if self.l.rounding_mode().is_some() => {
                let from = i.operand(0).ty();
                match (self.scalar_sort(from), self.scalar_sort(i.ty())) {
                    (Some(Sort::Bool), _) => {}
                    (Some(Sort::Bits(width)), Some(Sort::Float(to))) if u32::from(width) <= to.precision() => {}
                    (Some(Sort::Bits(_)), Some(Sort::Float(to))) if !from.is_aggregate() => {
                        let number = self.scalar_of(operands[0].clone(), from);
                        let is_exact = self.is_small(number, opcode == LLVMSIToFP, to.precision());
                        self.check_rounding_unless(is_exact);
                    }
                    _ => self.check_rounding(),
                }
            }
            _ => {}
        }
    }

    /// Whether the magnitude of a number is at most `2^bits`.
    fn is_small(&mut self, number: Expr, is_signed: bool, bits: u32) -> Expr {
        let pool = &mut self.l.builder.pool;
        let width = pool.width(number);
        let most = pool.bits(width, 1 << bits);
        if !is_signed {
            return pool.binary(BinaryOp::UnsignedLessEq, number, most);
        }
        let least = pool.unary(UnaryOp::Neg, most);
        let above = pool.binary(BinaryOp::SignedLessEq, least, number);
        let below = pool.binary(BinaryOp::SignedLessEq, number, most);
        pool.and(above, below)
    }

    /// The sort of a scalar, or of the elements of a vector.
    fn scalar_sort(&mut self, ty: Type) -> Option<Sort> {
        self.l.sort(if ty.is_aggregate() { ty.element(0) } else { ty })
    }

    /// Continues only where the mode is to nearest.
    pub(super) fn check_rounding(&mut self) {
        let never = self.l.builder.pool.bool(false);
        self.check_rounding_unless(never);
    }

    /// Continues only where the mode is to nearest, or a result is exact.
    fn check_rounding_unless(&mut self, is_exact: Expr) {
        let Some(var) = self.l.rounding_mode() else { return };
        let (mode, nearest) = (self.read_var(var), self.bits(WIDTH, 0));
        let is_nearest = self.l.builder.pool.binary(BinaryOp::Eq, mode, nearest);
        let is_covered = self.l.builder.pool.or(is_nearest, is_exact);
        self.unsupported_unless(is_covered, "arithmetic in a rounding mode other than to nearest");
    }
}
