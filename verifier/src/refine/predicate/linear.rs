//! Translation of integer formulas in SMT-LIB text to bit-vector expressions.

use std::collections::BTreeMap;

use crate::expr::{BinaryOp, Expr, Pool, Sort, UnaryOp};
use crate::smt::integers::View;

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Text {
    Word(String),
    List(Vec<Text>),
}

/// The meaning of a subformula.
#[derive(Clone, Debug)]
enum Meaning {
    Condition(Expr),
    /// The condition that a sum is at most zero.
    AtMostZero(Sum),
    Sum(Sum),
}

/// A linear combination of terms, by index, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    factors: BTreeMap<usize, i128>,
    constant: i128,
}

impl Sum {
    fn number(constant: i128) -> Sum {
        Sum { constant, ..Sum::default() }
    }

    fn times(mut self, factor: i128) -> Option<Sum> {
        self.constant = self.constant.checked_mul(factor)?;
        for one in self.factors.values_mut() {
            *one = one.checked_mul(factor)?;
        }
        Some(self)
    }

    fn plus(mut self, other: Sum) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (term, factor) in other.factors {
            let sum = self.factors.entry(term).or_default();
            *sum = sum.checked_add(factor)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }

    fn minus(self, other: Sum) -> Option<Sum> {
        self.plus(other.times(-1)?)
    }
}

/// The width in which sums are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SumWidth {
    /// The width of the terms, where sums may wrap around.
    Narrow,
    /// Twice the width, where sums do not wrap around; much harder for solvers.
    Wide,
}

/// A solution of Horn clauses.
pub(super) struct Solution(Text);

impl Solution {
    /// Parses a solution; `None` if it is malformed.
    pub(super) fn parse(text: &str) -> Option<Solution> {
        parse(text).map(Solution)
    }

    /// The interpretation of relation `name` over `terms`; `None` if it is not linear.
    pub(super) fn of(
        &self,
        name: &str,
        pool: &mut Pool,
        (view, sum_width): (View, SumWidth),
        terms: &[Expr],
    ) -> Option<Expr> {
        let Some((arguments, body)) = definition(&self.0, name) else { return Some(pool.bool(true)) };
        let mut reader = Reader { pool, view, sum_width, terms: terms.to_vec() };
        let mut names = Names::new();
        for (number, argument) in arguments.iter().enumerate().take(terms.len()) {
            let Text::Word(argument) = argument else { return None };
            names.insert(argument.clone(), reader.argument(number)?);
        }
        let meaning = reader.meaning(body, &names)?;
        reader.condition(meaning)
    }
}

/// The arguments and the body of `(= (name …) …)`, at any depth.
fn definition<'t>(text: &'t Text, name: &str) -> Option<(&'t [Text], &'t Text)> {
    let Text::List(parts) = text else { return None };
    if let [Text::Word(equal), Text::List(relation), body] = parts.as_slice()
        && equal == "="
        && let [Text::Word(head), arguments @ ..] = relation.as_slice()
        && head == name
    {
        return Some((arguments, body));
    }
    parts.iter().find_map(|part| definition(part, name))
}

fn parse(text: &str) -> Option<Text> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack: Vec<Vec<Text>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = Text::List(stack.pop()?);
                stack.last_mut()?.push(list);
            }
            _ => stack.last_mut()?.push(Text::Word(word.into())),
        }
    }
    let mut all = stack.pop().filter(|_| stack.is_empty())?;
    all.pop().filter(|_| all.is_empty())
}

struct Reader<'a> {
    pool: &'a mut Pool,
    view: View,
    sum_width: SumWidth,
    /// The arguments, and remainders of sums of them.
    terms: Vec<Expr>,
}

type Names = BTreeMap<String, Meaning>;

impl Reader<'_> {
    fn meaning(&mut self, text: &Text, names: &Names) -> Option<Meaning> {
        match text {
            Text::Word(word) => match word.as_str() {
                "true" => Some(Meaning::Condition(self.pool.bool(true))),
                "false" => Some(Meaning::Condition(self.pool.bool(false))),
                _ => names.get(word).cloned().or_else(|| Some(Meaning::Sum(Sum::number(word.parse().ok()?)))),
            },
            Text::List(parts) => match parts.as_slice() {
                [Text::Word(head), Text::List(bindings), body] if head == "let" => {
                    let mut inner = names.clone();
                    for binding in bindings {
                        let Text::List(binding) = binding else { return None };
                        let [Text::Word(name), value] = binding.as_slice() else { return None };
                        inner.insert(name.clone(), self.meaning(value, names)?);
                    }
                    self.meaning(body, &inner)
                }
                [Text::Word(head), rest @ ..] => {
                    let rest: Option<Vec<Meaning>> = rest.iter().map(|part| self.meaning(part, names)).collect();
                    self.apply(head, rest?)
                }
                _ => None,
            },
        }
    }

    fn argument(&mut self, number: usize) -> Option<Meaning> {
        let term = *self.terms.get(number)?;
        Some(match self.pool.sort(term) {
            Sort::Bool => Meaning::Condition(term),
            _ => Meaning::Sum(Sum { factors: [(number, 1)].into(), constant: 0 }),
        })
    }

    fn apply(&mut self, head: &str, arguments: Vec<Meaning>) -> Option<Meaning> {
        if head == "and" {
            return self.all(arguments).map(Meaning::Condition);
        }
        if !matches!(arguments.first(), Some(Meaning::Sum(_))) {
            let conditions: Option<Vec<Expr>> = arguments.into_iter().map(|one| self.condition(one)).collect();
            return self.connect(head, &conditions?).map(Meaning::Condition);
        }
        let mut sums = arguments.into_iter().map(as_sum).collect::<Option<Vec<Sum>>>()?.into_iter();
        let first = sums.next()?;
        Some(match (head, sums.len()) {
            ("+", _) => Meaning::Sum(sums.try_fold(first, Sum::plus)?),
            ("-", 0) => Meaning::Sum(first.times(-1)?),
            ("-", _) => Meaning::Sum(sums.try_fold(first, Sum::minus)?),
            ("*", 1) => {
                let second = sums.next()?;
                let (number, sum) = if first.factors.is_empty() { (first, second) } else { (second, first) };
                Meaning::Sum(number.factors.is_empty().then(|| sum.times(number.constant))??)
            }
            ("mod", 1) => {
                let divisor = sums.next().filter(|divisor| divisor.factors.is_empty())?.constant;
                self.remainder(first, divisor)?
            }
            ("<=", 1) => Meaning::AtMostZero(first.minus(sums.next()?)?),
            (">=", 1) => Meaning::AtMostZero(sums.next()?.minus(first)?),
            ("<", 1) => Meaning::AtMostZero(first.minus(sums.next()?)?.plus(Sum::number(1))?),
            (">", 1) => Meaning::AtMostZero(sums.next()?.minus(first)?.plus(Sum::number(1))?),
            ("=", 1) => Meaning::Condition(self.is_zero(first.minus(sums.next()?)?)),
            _ => return None,
        })
    }

    /// A conjunction. Two opposite bounds form an equation, which is valid even if numbers wrap around.
    fn all(&mut self, meanings: Vec<Meaning>) -> Option<Expr> {
        let bounds: Vec<Sum> = meanings
            .iter()
            .filter_map(|one| if let Meaning::AtMostZero(sum) = one { Some(sum.clone()) } else { None })
            .collect();
        let mut all = self.pool.bool(true);
        for meaning in meanings {
            let condition = match meaning {
                Meaning::AtMostZero(sum) if sum.clone().times(-1).is_some_and(|other| bounds.contains(&other)) => {
                    self.is_zero(sum)
                }
                other => self.condition(other)?,
            };
            all = self.pool.and(all, condition);
        }
        Some(all)
    }

    fn condition(&mut self, meaning: Meaning) -> Option<Expr> {
        match meaning {
            Meaning::Condition(condition) => Some(condition),
            Meaning::AtMostZero(sum) => self.at_most_zero(sum),
            Meaning::Sum(_) => None,
        }
    }

    /// The condition that a sum is zero, in the width of its terms.
    fn is_zero(&mut self, sum: Sum) -> Expr {
        let width = self.widest(&sum);
        let (left, right) = self.sides(width, &sum);
        self.pool.eq(left, right)
    }

    /// The remainder of a sum as a new term. As for integers, it is non-negative if the divisor is a power of two;
    /// otherwise only if the sum is.
    fn remainder(&mut self, sum: Sum, divisor: i128) -> Option<Meaning> {
        let width = self.widest(&sum);
        let (added, taken) = self.sides(width, &sum);
        let sum = self.pool.binary(BinaryOp::Sub, added, taken);
        let positive = u128::try_from(divisor).ok().filter(|&n| n > 0 && n < 1 << (width - 1))?;
        let remainder = if positive.is_power_of_two() {
            let mask = self.pool.bits(width, positive - 1);
            self.pool.binary(BinaryOp::BitAnd, sum, mask)
        } else {
            let op = if self.view == View::Signed { BinaryOp::SignedRem } else { BinaryOp::UnsignedRem };
            let divisor = self.pool.bits(width, positive);
            self.pool.binary(op, sum, divisor)
        };
        self.terms.push(remainder);
        self.argument(self.terms.len() - 1)
    }

    fn widest(&self, sum: &Sum) -> u16 {
        sum.factors.keys().map(|&term| self.pool.width(self.terms[term])).max().unwrap_or(1)
    }

    fn connect(&mut self, head: &str, conditions: &[Expr]) -> Option<Expr> {
        let (&first, rest) = conditions.split_first()?;
        let pool = &mut *self.pool;
        Some(match (head, rest) {
            ("not", []) => pool.not(first),
            ("or", _) => rest.iter().fold(first, |any, &one| pool.or(any, one)),
            ("=>", [then]) => {
                let not = pool.not(first);
                pool.or(not, *then)
            }
            ("=", [second]) => pool.eq(first, *second),
            ("ite", [yes, no]) => pool.ite(first, *yes, *no),
            _ => return None,
        })
    }

    /// The condition that a sum is at most zero.
    fn at_most_zero(&mut self, sum: Sum) -> Option<Expr> {
        let (positive, negative): (Vec<_>, Vec<_>) = sum.factors.iter().partition(|(_, factor)| **factor > 0);
        let widest = self.widest(&sum);
        let is_plain =
            |(&term, factor): (&usize, &i128)| factor.abs() == 1 && self.pool.width(self.terms[term]) == widest;
        let same = sum.factors.iter().all(is_plain);
        let constant = sum.constant;
        match (positive.as_slice(), negative.as_slice()) {
            ([], []) => Some(self.pool.bool(constant <= 0)),
            ([(term, _)], []) if same => Some(self.at_most(self.terms[**term], constant.checked_neg()?)),
            ([], [(term, _)]) if same => {
                let less = self.at_most(self.terms[**term], constant.checked_sub(1)?);
                Some(self.pool.not(less))
            }
            ([(a, _)], [(b, _)]) if same && (constant == 0 || constant == 1) => {
                let (a, b) = (self.terms[**a], self.terms[**b]);
                Some(self.compare(a, b, constant == 1))
            }
            _ if self.sum_width == SumWidth::Narrow => {
                let (left, right) = self.sides(widest, &sum);
                Some(self.compare(left, right, false))
            }
            _ => {
                let wide = widest * 2;
                let (_, high) = View::Signed.range(wide - 8);
                let fits = |n: i128| n.unsigned_abs() <= high.unsigned_abs();
                let shifted = |factor: &i128| factor.checked_mul(1 << widest).is_some_and(fits);
                if !sum.factors.values().all(shifted) || !fits(constant) {
                    return None;
                }
                let (left, right) = self.sides(wide, &sum);
                Some(self.compare(left, right, false))
            }
        }
    }

    /// The positive and the negative part of a sum, computed in `width` bits.
    fn sides(&mut self, width: u16, sum: &Sum) -> (Expr, Expr) {
        let side = |sign: i128| {
            let factors = sum.factors.iter().map(move |(&term, &factor)| (term, sign * factor));
            (factors.filter(|(_, factor)| *factor > 0).collect::<Vec<_>>(), (sign * sum.constant).max(0))
        };
        let ((added, more), (taken, less)) = (side(1), side(-1));
        (self.side(width, added, more), self.side(width, taken, less))
    }

    fn side(&mut self, width: u16, terms: Vec<(usize, i128)>, constant: i128) -> Expr {
        let mut sum = self.pool.bits(width, constant as u128);
        for (term, factor) in terms {
            let mut term = self.terms[term];
            if self.pool.width(term) < width {
                let extension = match self.view {
                    View::Signed => UnaryOp::SignExtend(width),
                    View::Unsigned => UnaryOp::ZeroExtend(width),
                };
                term = self.pool.unary(extension, term);
            }
            let factor = self.pool.bits(width, factor as u128);
            let product = self.pool.binary(BinaryOp::Mul, term, factor);
            sum = self.pool.binary(BinaryOp::Add, sum, product);
        }
        sum
    }

    fn at_most(&mut self, term: Expr, bound: i128) -> Expr {
        let width = self.pool.width(term);
        let (low, high) = self.view.range(width);
        if bound < low || bound >= high {
            return self.pool.bool(bound >= high);
        }
        let bits = if bound < 0 { bound + (1 << width) } else { bound };
        let bound = self.pool.bits(width, bits as u128);
        self.compare(term, bound, false)
    }

    fn compare(&mut self, a: Expr, b: Expr, is_strict: bool) -> Expr {
        let op = match (self.view, is_strict) {
            (View::Signed, true) => BinaryOp::SignedLess,
            (View::Signed, false) => BinaryOp::SignedLessEq,
            (View::Unsigned, true) => BinaryOp::UnsignedLess,
            (View::Unsigned, false) => BinaryOp::UnsignedLessEq,
        };
        self.pool.binary(op, a, b)
    }
}

fn as_sum(meaning: Meaning) -> Option<Sum> {
    match meaning {
        Meaning::Sum(sum) => Some(sum),
        Meaning::Condition(_) | Meaning::AtMostZero(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Value;

    /// Whether a formula over `A` and `B` holds for two numbers. Expressions over constants fold to constants.
    fn holds(text: &str, form: (View, SumWidth), numbers: [i32; 2]) -> Option<bool> {
        let mut pool = Pool::default();
        let terms = numbers.map(|n| pool.bits(32, u128::from(n as u32)));
        let text = format!("(and (= error false) (forall ((A Int) (B Int)) (! (= (relation0 A B) {text}) :weight 0)))");
        let condition = Solution::parse(&text)?.of("relation0", &mut pool, form, &terms)?;
        match pool.as_const(condition) {
            Some(Value::Bool(holds)) => Some(holds),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn formulas_keep_their_meaning() {
        type Meaning = fn(i64, i64) -> bool;
        let cases: [(&str, Meaning); 9] = [
            ("(<= A 7)", |a, _| a <= 7),
            ("(not (>= (+ A (* (- 1) B)) 1))", |a, b| a <= b),
            ("(< (* 3 A) (- B 5))", |a, b| 3 * a < b - 5),
            ("(= A (+ B 1))", |a, b| a == b + 1),
            ("(and (<= (- A B) 0) (>= (- A B) 0))", |a, b| a == b),
            ("(let ((a!1 (>= A B)) (a!2 (> B 2))) (or a!1 (not a!2)))", |a, b| a >= b || b <= 2),
            ("(=> (= (mod A 4) 1) (> B (- 3)))", |a, b| a.rem_euclid(4) != 1 || b > -3),
            ("(>= A (- 5000000000))", |_, _| true),
            ("(ite (> A 0) true (= B 0))", |a, b| a > 0 || b == 0),
        ];
        let numbers = [i32::MIN, -100, -5, -1, 0, 1, 2, 5, 7, 8, 100, i32::MAX];
        for (text, meaning) in cases {
            for a in numbers {
                for b in numbers {
                    let (expected, form) = (meaning(a.into(), b.into()), (View::Signed, SumWidth::Wide));
                    // Equations and remainders may wrap around at any width, other conditions only in the narrow one.
                    let is_small = a.abs_diff(0) <= 100 && b.abs_diff(0) <= 100;
                    if is_small || !text.contains('=') || text.contains("5000000000") {
                        assert_eq!(holds(text, form, [a, b]), Some(expected), "{text} for {a}, {b}");
                    }
                    if is_small {
                        assert_eq!(
                            holds(text, (View::Signed, SumWidth::Narrow), [a, b]),
                            Some(expected),
                            "{text}, {a}, {b}"
                        );
                    }
                    if is_small && a >= 0 && b >= 5 && text.contains("(* 3 A)") {
                        assert_eq!(
                            holds("(< (* 3 A) (- B 5))", (View::Unsigned, SumWidth::Wide), [a, b]),
                            Some(expected)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn nonlinear_formulas_are_rejected() {
        for text in ["(<= (* A B) 7)", "(<= (div A 2) 7)", "(<= A", "(<= A x)", "A"] {
            assert_eq!(holds(text, (View::Signed, SumWidth::Wide), [1, 2]), None, "{text}");
        }
    }
}
