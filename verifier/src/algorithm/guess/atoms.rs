//! Atoms: bounds, congruences, linear equations and differences that hold in all samples of a case.

use rustc_hash::FxHashSet;

use super::Clause;
use super::fit::fit;
use super::monomials::{Column, Monomial, combinations, linear, products};
use super::samples::{Sample, Term};
use crate::expr::{BinaryOp, Expr, Pool};

/// Larger numbers are not used for fits: products of them would wrap around.
const MAX_FITTED: i128 = 1 << 32;

/// The number of program constants that are tried on each side as a bound.
const NEAREST: usize = 2;

/// The number of greater program constants that are tried as a bound in all cases.
const MOST_ABOVE: usize = 6;

/// The maximum absolute value of a bound on a difference or a sum.
const MAX_DIFFERENCE: i128 = 1 << 12;

/// The greatest modulus that is not a power of two.
const MAX_MODULUS: i128 = 64;

/// The number of different values that show a congruence.
const MIN_RESIDUES: usize = 3;

/// A statement with its family.
type Atom = (Expr, u32);

/// Guesses clauses from the samples of one head.
pub struct Guess<'a> {
    pool: &'a mut Pool,
    samples: &'a [Sample],
    constants: &'a [i128],
    limit: usize,
    /// The clauses so far.
    pub found: Vec<Clause>,
    seen: FxHashSet<Expr>,
    families: u32,
}

impl<'a> Guess<'a> {
    /// No clauses yet.
    pub fn new(pool: &'a mut Pool, samples: &'a [Sample], constants: &'a [i128], limit: usize) -> Guess<'a> {
        Guess { pool, samples, constants, limit, found: Vec::new(), seen: FxHashSet::default(), families: 0 }
    }

    /// Guesses clauses over `terms`, in all cases and in those that `guards` tell apart; clauses about cells in those that
    /// `places` tell apart.
    pub fn all(&mut self, terms: &[Term], guards: &[Expr], places: &[Expr]) {
        let always = self.pool.bool(true);
        let none = FxHashSet::default();
        let general = self.case(always, terms, &|_| true, &none);
        for &place in places {
            self.case(place, terms, &|term| term.is_cell, &general);
        }
        for &guard in guards {
            self.case(guard, terms, &|term| term.changes && !term.is_cell, &general);
        }
    }

    /// Guesses what holds of the terms in question, in the samples that satisfy `guard`. Atoms in `known` hold in all
    /// cases. Returns all atoms.
    fn case(
        &mut self,
        guard: Expr,
        terms: &[Term],
        is_asked: &dyn Fn(&Term) -> bool,
        known: &FxHashSet<Expr>,
    ) -> FxHashSet<Expr> {
        let here: Vec<&Sample> = self.samples.iter().filter(|sample| sample.satisfies(self.pool, guard)).collect();
        if here.is_empty() {
            let asked: Vec<Term> = terms.iter().copied().filter(|term| is_asked(term)).collect();
            self.unseen(guard, &asked);
            return FxHashSet::default();
        }
        let column = |term: &Term| Column {
            term: *term,
            values: here.iter().map(|sample| sample.signed(self.pool, term.expr)).collect(),
        };
        let columns: Vec<Column> = terms.iter().map(column).collect();
        let is_guarded = self.pool.as_const(guard).is_none();
        let mut atoms = Vec::new();
        for (at, column) in columns.iter().enumerate().filter(|(_, column)| is_asked(&column.term)) {
            let Term { width, changes, .. } = column.term;
            let earlier = linear(columns[..at].iter(), width);
            if !self.equation(&earlier, column, &mut atoms) && changes && !is_guarded {
                let others = columns.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
                let products = products(others, width, self.pool);
                self.equation(&products, column, &mut atoms);
            }
            self.congruence(column, &mut atoms);
            self.bounds(column, if is_guarded { NEAREST } else { MOST_ABOVE }, &mut atoms);
        }
        for (at, b) in columns.iter().enumerate() {
            for a in columns[..at].iter().filter(|a| a.term.width == b.term.width) {
                let is_apart = a.term.is_cell != b.term.is_cell && !a.term.is_index && !b.term.is_index;
                if !is_apart && (is_asked(&a.term) || is_asked(&b.term)) {
                    self.differences(a, b, &mut atoms);
                }
            }
        }
        if !is_guarded {
            let combined = combinations(&columns, self.pool);
            for fixed in columns.iter().filter(|column| !column.term.changes && !column.term.is_index) {
                for both in combined.iter().filter(|both| both.term.width == fixed.term.width) {
                    self.differences(fixed, both, &mut atoms);
                }
            }
        }
        let new: Vec<Atom> = atoms.iter().copied().filter(|(atom, _)| !known.contains(atom)).collect();
        self.add(guard, new);
        atoms.into_iter().map(|(atom, _)| atom).collect()
    }

    /// Adds the clauses that `guard` implies each of `atoms`.
    fn add(&mut self, guard: Expr, atoms: impl IntoIterator<Item = Atom>) {
        let not = self.pool.not(guard);
        for (atom, family) in atoms {
            let clause = self.pool.or(not, atom);
            let is_new = self.pool.as_const(clause).is_none() && self.seen.insert(clause);
            if is_new && self.found.len() < self.limit {
                self.found.push(Clause { expr: clause, family });
            }
        }
    }

    /// Guesses for a case that no run has reached: cells have constants of the program, or equal each other. If no run
    /// has reached the head, numbers are bounded by constants of the program.
    fn unseen(&mut self, guard: Expr, terms: &[Term]) {
        let mut atoms = Vec::new();
        let constants = self.constants.to_vec();
        for (at, &Term { expr, width, is_cell, changes, .. }) in terms.iter().enumerate() {
            let fits = |number: &i128| (-(1 << (width - 1))..1 << (width - 1)).contains(number);
            for &constant in constants.iter().filter(|number| fits(number)) {
                let number = self.number(width, constant);
                if is_cell {
                    atoms.push((self.pool.eq(expr, number), self.family()));
                } else if changes && self.samples.is_empty() && constant >= 0 {
                    atoms.push((self.pool.binary(BinaryOp::SignedLessEq, expr, number), self.family()));
                    atoms.push((self.pool.binary(BinaryOp::SignedLessEq, number, expr), self.family()));
                }
            }
            let others = terms[..at].iter().filter(|other| other.width == width && (is_cell == other.is_cell));
            for other in others {
                if is_cell {
                    atoms.push((self.pool.eq(other.expr, expr), self.family()));
                } else if self.samples.is_empty() {
                    atoms.push((self.pool.binary(BinaryOp::SignedLessEq, other.expr, expr), self.family()));
                    atoms.push((self.pool.binary(BinaryOp::SignedLessEq, expr, other.expr), self.family()));
                }
            }
        }
        self.add(guard, atoms);
    }

    /// A new family.
    fn family(&mut self) -> u32 {
        self.families += 1;
        self.families
    }

    fn number(&mut self, width: u16, number: i128) -> Expr {
        self.pool.bits(width, number as u128)
    }

    /// Bounds: the tightest ones, and constants of the program.
    fn bounds(&mut self, column: &Column, most: usize, atoms: &mut Vec<Atom>) {
        let Some((least, greatest)) = column.range() else { return };
        let Term { expr, width, .. } = column.term;
        if least == greatest {
            return;
        }
        let mut constants: Vec<i128> = self.constants.iter().flat_map(|c| [*c, c + 1]).collect();
        constants.sort_unstable();
        constants.dedup();
        let below = constants.iter().rev().copied().filter(|c| *c < least).take(NEAREST);
        let above = constants.iter().copied().filter(|c| *c > greatest).take(most);
        let lower: Vec<i128> = [least].into_iter().chain(below).collect();
        // Inputs are small in samples, so that larger constants of the program are worth a try.
        let upper: Vec<i128> = [greatest].into_iter().chain(above).collect();
        let fits = |number: &i128| (-(1 << (width - 1))..1 << (width - 1)).contains(number);
        let family = self.family();
        for number in lower.into_iter().filter(fits) {
            let number = self.number(width, number);
            atoms.push((self.pool.binary(BinaryOp::SignedLessEq, number, expr), family));
        }
        let (signed, unsigned) = (self.family(), self.family());
        for number in upper.into_iter().filter(fits) {
            let bound = self.number(width, number);
            atoms.push((self.pool.binary(BinaryOp::SignedLessEq, expr, bound), signed));
            if least >= 0 {
                atoms.push((self.pool.binary(BinaryOp::UnsignedLessEq, expr, bound), unsigned));
            }
        }
    }

    /// `expr ≡ residue (mod modulus)`.
    fn congruence(&mut self, column: &Column, atoms: &mut Vec<Atom>) {
        let Term { expr, width, changes, is_cell, .. } = column.term;
        let Some((least, greatest)) = column.range() else { return };
        let values: FxHashSet<i128> = column.known().collect();
        let divisor = column.known().fold(0, |divisor, value| gcd(divisor, value - least));
        if !(changes || is_cell) || values.len() < MIN_RESIDUES || divisor < 2 || greatest == least {
            return;
        }
        let power = divisor & divisor.wrapping_neg();
        if power > 1 {
            let (mask, residue) = (self.number(width, power - 1), self.number(width, least & (power - 1)));
            let low = self.pool.binary(BinaryOp::BitAnd, expr, mask);
            atoms.push((self.pool.eq(low, residue), self.family()));
        }
        let odd = divisor / power;
        if least < 0 || odd < 2 {
            return;
        }
        let moduli = (2..=MAX_MODULUS).filter(|modulus| modulus & 1 == 1 && odd % modulus == 0);
        if let Some(modulus) = moduli.max() {
            let (number, residue) = (self.number(width, modulus), self.number(width, least % modulus));
            let remainder = self.pool.binary(BinaryOp::UnsignedRem, expr, number);
            atoms.push((self.pool.eq(remainder, residue), self.family()));
        }
    }

    /// An equation that gives a term as a combination of monomials. Whether there is one.
    fn equation(&mut self, monomials: &[Monomial<'_>], column: &Column, atoms: &mut Vec<Atom>) -> bool {
        let Term { expr, width, .. } = column.term;
        let mut rows = Vec::new();
        for (at, value) in column.values.iter().enumerate() {
            let others = monomials.iter().map(|monomial| monomial.value(at));
            let row = [Some(1)].into_iter().chain(others).chain([*value]).collect::<Option<Vec<i128>>>();
            rows.extend(row.filter(|row| row.iter().all(|x| x.abs() <= MAX_FITTED)));
        }
        rows.sort_unstable();
        rows.dedup();
        let Some(found) = fit(&rows) else { return false };
        // As many rows as unknowns can always be fitted.
        if found.rank > 1 && rows.len() <= found.rank {
            return false;
        }
        let mut sum = self.number(width, found.coefficients[0]);
        for (monomial, &coefficient) in monomials.iter().zip(&found.coefficients[1..]) {
            let coefficient = self.number(width, coefficient);
            let product = monomial.expr(self.pool, coefficient);
            sum = self.pool.add(sum, product);
        }
        let denominator = self.number(width, found.denominator);
        let multiple = self.pool.binary(BinaryOp::Mul, expr, denominator);
        atoms.push((self.pool.eq(multiple, sum), self.family()));
        true
    }

    /// Bounds of differences and sums of two terms.
    fn differences(&mut self, a: &Column, b: &Column, atoms: &mut Vec<Atom>) {
        let width = a.term.width;
        let pairs: Vec<(i128, i128)> =
            a.values.iter().zip(&b.values).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        let (x, y) = (a.term.expr, b.term.expr);
        let differences = pairs.iter().map(|(a, b)| b - a);
        let (Some(least), Some(greatest)) = (differences.clone().min(), differences.max()) else { return };
        if least == greatest {
            // A fit needs more samples than unknowns.
            if least.abs() <= MAX_DIFFERENCE {
                let number = self.number(width, least);
                let moved = self.pool.add(x, number);
                atoms.push((self.pool.eq(moved, y), self.family()));
            }
            return;
        }
        let zero = |bound: i128| if bound == 0 { [Some(0), None] } else { [Some(bound), Some(0)] };
        let (below, above) = (self.family(), self.family());
        for number in zero(least).into_iter().flatten().filter(|n| n.abs() <= MAX_DIFFERENCE && *n <= least) {
            let number = self.number(width, number);
            let moved = self.pool.add(x, number);
            atoms.push((self.pool.binary(BinaryOp::SignedLessEq, moved, y), below));
        }
        for number in zero(greatest).into_iter().flatten().filter(|n| n.abs() <= MAX_DIFFERENCE && *n >= greatest) {
            let number = self.number(width, number);
            let moved = self.pool.add(x, number);
            atoms.push((self.pool.binary(BinaryOp::SignedLessEq, y, moved), above));
        }
        if pairs.iter().all(|(a, b)| a != b) {
            let same = self.pool.eq(x, y);
            atoms.push((self.pool.not(same), self.family()));
        }
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
