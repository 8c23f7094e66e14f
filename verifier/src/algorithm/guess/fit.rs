//! Fits: a quantity as a linear combination of others, from samples.
//!
//! Elimination is done in a prime field, so that nothing overflows; small coefficients are recovered from it. What is
//! found is a guess like any other.

/// A Mersenne prime. Products of two numbers below it fit 128 bits.
const PRIME: i128 = (1 << 61) - 1;

/// Common denominators of coefficients that are tried.
const DENOMINATORS: [i128; 5] = [1, 2, 3, 4, 6];

/// Larger coefficients are taken for chance.
const MAX_COEFFICIENT: i128 = 1 << 16;

/// `denominator * target = Σ coefficients[i] * features[i]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    /// One coefficient for each feature.
    pub coefficients: Vec<i128>,
    /// At least 1.
    pub denominator: i128,
    /// The number of independent features in the samples.
    pub rank: usize,
}

/// The combination of features that gives the target in all rows, each of which ends with the target. Earlier features
/// are preferred.
pub fn fit(rows: &[Vec<i128>]) -> Option<Fit> {
    let width = rows.first()?.len();
    let mut rows: Vec<Vec<i128>> = rows.iter().map(|row| row.iter().map(|x| x.rem_euclid(PRIME)).collect()).collect();
    let mut pivots = Vec::new();
    for column in 0..width {
        let done = pivots.len();
        let Some(at) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        if column == width - 1 {
            return None;
        }
        rows.swap(done, at);
        let inverse = power(rows[done][column], PRIME - 2);
        rows[done].iter_mut().for_each(|x| *x = *x * inverse % PRIME);
        let pivot = rows[done].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != done && factor != 0 {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x = (*x - factor * p % PRIME + PRIME) % PRIME);
            }
        }
        pivots.push(column);
    }
    let found = DENOMINATORS.into_iter().find_map(|denominator| {
        let mut coefficients = vec![0; width - 1];
        for (row, &column) in pivots.iter().enumerate() {
            let residue = rows[row][width - 1] * denominator % PRIME;
            let number = if residue > PRIME / 2 { residue - PRIME } else { residue };
            if number.abs() > MAX_COEFFICIENT {
                return None;
            }
            coefficients[column] = number;
        }
        Some((coefficients, denominator))
    });
    found.map(|(coefficients, denominator)| Fit { coefficients, denominator, rank: pivots.len() })
}

fn power(mut base: i128, mut exponent: i128) -> i128 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations() {
        // Rows: 1, n, n * n, n * (n + 1) / 2.
        let rows: Vec<Vec<i128>> = (-3..9).map(|n| vec![1, n, n * n, n * (n + 1) / 2]).collect();
        let found = fit(&rows).expect("there is one");
        assert_eq!((found.coefficients, found.denominator, found.rank), (vec![0, 1, 1], 2, 3));
    }

    #[test]
    fn earlier_features_are_preferred() {
        let rows: Vec<Vec<i128>> = (0..5).map(|n| vec![1, n, n, 3 - 2 * n]).collect();
        assert_eq!(fit(&rows).expect("there is one").coefficients, [3, -2, 0]);
    }

    #[test]
    fn none() {
        let rows: Vec<Vec<i128>> = (0..9).map(|n| vec![1, n, 1 << n]).collect();
        assert_eq!(fit(&rows), None);
        assert_eq!(fit(&[]), None);
    }
}
