//! Functions of the mathematics library.

use clew_verifier::expr::{BinaryOp, MathFunction, MathFunction2, UnaryOp};

use super::Val;
use super::function::FunctionLifter;
use crate::ir::Value;

impl FunctionLifter<'_> {
    /// Lifts a primitive such as `__clew_math_pow_double`, of which `name` is `pow_double`.
    pub(super) fn math(&mut self, call: Value, name: &str) {
        self.check_rounding();
        let function = name.rsplit_once('_').map_or(name, |(function, _)| function);
        let result = if let Some(function) = MathFunction::named(function) {
            let x = self.scalar(call.operand(0));
            self.l.builder.pool.unary(UnaryOp::FloatMath(function), x)
        } else if let Some(function) = MathFunction2::named(function) {
            let (x, y) = (self.scalar(call.operand(0)), self.scalar(call.operand(1)));
            self.l.builder.pool.binary(BinaryOp::FloatMath(function), x, y)
        } else {
            self.unsupported(&format!("the function `{function}`"));
            return self.define(call, Val::Undefined);
        };
        self.define(call, Val::Scalar(result));
    }
}
