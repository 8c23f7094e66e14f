//! Affine equations modulo a power of two, which machine arithmetic satisfies whether it wraps around or not.
//!
//! A value is a module of vectors: the first coordinate is 1 for a point, and the others are those of variables (Müller-Olm
//! and Seidl, "Analysis of modular arithmetic"). It is kept in a triangular form with one row for each leading coordinate,
//! such that reduction by the rows decides membership. Modules grow only finitely often, so there is no widening.

/// A vector modulo 2^64; those of smaller widths are scaled.
type Row = Vec<u64>;

/// An affine set of assignments of `width`-bit numbers to variables that are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Congruences {
    width: u32,
    /// The row whose first nonzero coordinate is that of its position.
    rows: Vec<Option<Row>>,
}

/// An affine expression: the constant, and the factors of variables.
pub type Affine = Vec<u64>;

impl Congruences {
    /// No assignment.
    pub fn bottom(width: u32, vars: usize) -> Congruences {
        Congruences { width, rows: vec![None; vars + 1] }
    }

    /// All assignments.
    pub fn top(width: u32, vars: usize) -> Congruences {
        let unit = |at: usize| (0..=vars).map(|i| u64::from(i == at)).collect();
        Congruences { width, rows: (0..=vars).map(|at| Some(unit(at))).collect() }
    }

    /// The vectors that span the module.
    fn vectors(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// Whether all assignments of `self` are in `other`; exact.
    pub fn leq(&self, other: &Congruences) -> bool {
        let mut joined = other.clone();
        self.vectors().all(|row| !joined.insert(row.clone()))
    }

    /// The smallest value that includes both.
    pub fn join(&self, other: &Congruences) -> Congruences {
        let mut joined = self.clone();
        for row in other.vectors() {
            joined.insert(row.clone());
        }
        joined
    }

    /// `var := value`; exact.
    pub fn assign(&mut self, var: usize, value: &Affine) {
        self.map(|row| row[var + 1] = dot(value, row));
    }

    /// `var` takes any value; exact.
    pub fn forget(&mut self, var: usize) {
        if self.vectors().next().is_none() {
            return;
        }
        self.map(|row| row[var + 1] = 0);
        let free = (0..self.rows.len()).map(|i| u64::from(i == var + 1)).collect();
        self.insert(free);
    }

    /// Keeps the assignments for which an expression is 0.
    pub fn assume_zero(&mut self, value: &Affine) {
        let tagged = self.vectors().map(|row| [&[dot(value, row)][..], row].concat());
        let mut kept = Congruences::bottom(self.width, self.rows.len() - 1);
        for row in eliminate(self.width, 1, tagged.collect()) {
            kept.insert(row);
        }
        *self = kept;
    }

    /// Expressions that are 0 for all assignments, and imply all others that are.
    pub fn equations(&self) -> Vec<Affine> {
        let size = self.rows.len();
        let vectors: Vec<&Row> = self.vectors().collect();
        let transposed = (0..size).map(|i| {
            let unit = (0..size).map(|j| u64::from(i == j));
            vectors.iter().map(|row| row[i]).chain(unit).collect()
        });
        // Combinations of coordinates that vanish for all vectors, in triangular form.
        let mut equations = Congruences::bottom(self.width, size - 1);
        for row in eliminate(self.width, vectors.len(), transposed.collect()) {
            equations.insert(row.into_iter().rev().collect());
        }
        equations.vectors().map(|row| row.iter().rev().copied().collect()).collect()
    }

    fn map(&mut self, change: impl Fn(&mut Row)) {
        let empty = vec![None; self.rows.len()];
        let rows = std::mem::replace(&mut self.rows, empty);
        for mut row in rows.into_iter().flatten() {
            change(&mut row);
            self.insert(row);
        }
    }

    /// Adds a vector to the module. Whether it was not in it.
    fn insert(&mut self, row: Row) -> bool {
        let mut grew = false;
        let mut pending = vec![row];
        while let Some(mut row) = pending.pop() {
            row.iter_mut().for_each(|number| *number = cut(self.width, *number));
            let Some(lead) = row.iter().position(|&number| number != 0) else { continue };
            let power = normalize(self.width, &mut row, lead);
            match &self.rows[lead] {
                Some(old) if old[lead].trailing_zeros() <= power => {
                    let factor = 1 << (power - old[lead].trailing_zeros());
                    subtract(&mut row, old, factor);
                    pending.push(row);
                }
                _ => {
                    grew = true;
                    // The multiple without this coordinate is in the module too, and so is the old row.
                    if power > 0 {
                        let shift = self.width - power;
                        pending.push(row.iter().map(|number| number << shift).collect());
                    }
                    pending.extend(self.rows[lead].replace(row));
                }
            }
        }
        grew
    }
}

/// The combinations of rows whose first `count` coordinates vanish, without these coordinates; together with their multiples
/// they are all such combinations.
fn eliminate(width: u32, count: usize, rows: Vec<Row>) -> Vec<Row> {
    let size = rows.first().map_or(count, Vec::len);
    let mut module = Congruences { width, rows: vec![None; size] };
    for row in rows {
        module.insert(row);
    }
    module.rows.into_iter().skip(count).flatten().map(|row| row[count..].to_vec()).collect()
}

/// The low bits of a number.
pub fn cut(width: u32, number: u64) -> u64 {
    if width >= 64 { number } else { number & ((1 << width) - 1) }
}

fn dot(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).fold(0, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)))
}

/// `row -= factor * other`.
fn subtract(row: &mut Row, other: &Row, factor: u64) {
    row.iter_mut().zip(other).for_each(|(a, b)| *a = a.wrapping_sub(b.wrapping_mul(factor)));
}

/// Multiplies a row by a unit, so that its coordinate `lead` is a power of two. Returns the exponent.
fn normalize(width: u32, row: &mut Row, lead: usize) -> u32 {
    let power = row[lead].trailing_zeros();
    let odd = row[lead] >> power;
    // Newton's iteration doubles the number of correct bits of the inverse.
    let inverse = (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
    row.iter_mut().for_each(|number| *number = cut(width, number.wrapping_mul(inverse)));
    power
}
