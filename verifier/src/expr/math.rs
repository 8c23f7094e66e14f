//! Functions of the C mathematics library whose last digits are those of the library that computes them: the one of this
//! machine, which the checked program would use too.

use super::FloatFormat;
use super::float::{default_nan, is_nan, quiet_bits};

macro_rules! functions {
    ($(#[$doc:meta])* $kind:ident of $arity:tt { $($(#[$variant_doc:meta])* $variant:ident $name:literal $method:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $kind { $($(#[$variant_doc])* $variant,)+ }

        impl $kind {
            /// All of them.
            pub const ALL: &[$kind] = &[$($kind::$variant,)+];

            /// Its name in C, for `double`.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name,)+ }
            }

            /// The function with this name in C.
            pub fn named(name: &str) -> Option<$kind> {
                $kind::ALL.iter().copied().find(|function| function.name() == name)
            }

            /// The result for representations of `format`, which is `float` or `double`.
            pub(crate) fn apply(self, format: FloatFormat, operands: [u128; $arity]) -> Option<u128> {
                let result = match (format, self) {
                    $((FloatFormat::Single, $kind::$variant) => call!($arity f32, u32, $method, operands),)+
                    $((FloatFormat::Double, $kind::$variant) => call!($arity f64, u64, $method, operands),)+
                    _ => return None,
                };
                Some(normalised(format, result, &operands))
            }
        }
    };
}

macro_rules! call {
    (1 $real:ty, $bits:ty, $method:ident, $operands:ident) => {
        u128::from(<$real>::from_bits($operands[0] as $bits).$method().to_bits())
    };
    (2 $real:ty, $bits:ty, $method:ident, $operands:ident) => {
        u128::from(
            <$real>::from_bits($operands[0] as $bits).$method(<$real>::from_bits($operands[1] as $bits)).to_bits(),
        )
    };
}

functions! {
    /// A function of one argument.
    MathFunction of 1 {
        /// Sine.
        Sin "sin" sin,
        /// Cosine.
        Cos "cos" cos,
        /// Tangent.
        Tan "tan" tan,
        /// Inverse sine.
        Asin "asin" asin,
        /// Inverse cosine.
        Acos "acos" acos,
        /// Inverse tangent.
        Atan "atan" atan,
        /// Hyperbolic sine.
        Sinh "sinh" sinh,
        /// Hyperbolic cosine.
        Cosh "cosh" cosh,
        /// Hyperbolic tangent.
        Tanh "tanh" tanh,
        /// Power of e.
        Exp "exp" exp,
        /// Power of two.
        Exp2 "exp2" exp2,
        /// Power of e, minus one.
        Expm1 "expm1" exp_m1,
        /// Natural logarithm.
        Log "log" ln,
        /// Logarithm to base two.
        Log2 "log2" log2,
        /// Logarithm to base ten.
        Log10 "log10" log10,
        /// Natural logarithm of the argument plus one.
        Log1p "log1p" ln_1p,
        /// Cube root.
        Cbrt "cbrt" cbrt,
    }
}

functions! {
    /// A function of two arguments.
    MathFunction2 of 2 {
        /// Power.
        Pow "pow" powf,
        /// The angle of a point.
        Atan2 "atan2" atan2,
        /// The distance from the origin.
        Hypot "hypot" hypot,
    }
}

/// Gives a NaN the bits that arithmetic would: those of the first NaN among the operands, made quiet.
fn normalised(format: FloatFormat, result: u128, operands: &[u128]) -> u128 {
    if !is_nan(format, result) {
        return result;
    }
    let nan = operands.iter().find(|&&operand| is_nan(format, operand));
    nan.map_or(default_nan(format), |nan| nan | quiet_bits(format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let bits = |x: f64| u128::from(x.to_bits());
        let one = |name: &str, x| MathFunction::named(name).and_then(|f| f.apply(FloatFormat::Double, [bits(x)]));
        let two = |name: &str, x, y| {
            MathFunction2::named(name).and_then(|f| f.apply(FloatFormat::Double, [bits(x), bits(y)]))
        };
        assert_eq!(two("pow", 2.0, 3.0), Some(bits(8.0)));
        assert_eq!(two("hypot", 3.0, 4.0), Some(bits(5.0)));
        assert_eq!(one("acos", 0.0), Some(bits(std::f64::consts::FRAC_PI_2)));
        assert_eq!(one("cbrt", 27.0), Some(bits(3.0)));
        assert_eq!(one("log", -1.0), Some(default_nan(FloatFormat::Double)));
        assert_eq!(one("sin", 0.0), Some(bits(0.0)));
        let nine = u128::from(9.0f32.to_bits());
        let half = u128::from(0.5f32.to_bits());
        assert_eq!(MathFunction2::Pow.apply(FloatFormat::Single, [nine, half]), Some(u128::from(3.0f32.to_bits())));
        assert_eq!(MathFunction::Exp.apply(FloatFormat::X87, [0]), None);
        assert_eq!(MathFunction::named("pow"), None);
    }
}
