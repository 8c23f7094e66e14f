//! Refinement selection (paper 003, Algorithm 2 and Section 5): selects the most promising of several refinements.
//!
//! Each refinement stems from one infeasible sliced prefix: the path up to a contradiction, without the steps that
//! contradicted earlier facts. All of them exclude the path; they differ in what must be tracked, and where.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// A preference among refinements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// A short prefix: the first contradiction.
    Short,
    /// A long prefix: the last contradiction.
    Long,
    /// Variables with domain types that are easy to track.
    GoodDomain,
    /// Variables with domain types that are hard to track.
    BadDomain,
    /// Facts needed for few steps of the path.
    Narrow,
    /// Facts needed for many steps of the path.
    Wide,
    /// Facts needed from early on.
    Shallow,
    /// No facts needed until late.
    Deep,
    /// Pseudorandom, with a seed.
    Random(u64),
}

/// Measures of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Candidate {
    /// The number of steps of its prefix.
    pub length: usize,
    /// The tracking cost of its variables: the sum of the logarithms of their domain-type scores.
    pub score: u64,
    /// The number of steps before the first fact is needed.
    pub pivot: usize,
    /// The number of steps during which facts are needed.
    pub width: usize,
}

impl Candidate {
    /// A candidate; `is_tracked` says for each position of the path whether facts are needed there.
    pub fn new(length: usize, score: u64, is_tracked: impl Iterator<Item = bool>) -> Candidate {
        let mut positions = is_tracked.enumerate().filter(|&(_, is_tracked)| is_tracked).map(|(position, _)| position);
        let pivot = positions.next().unwrap_or(length);
        let last = positions.last().unwrap_or(pivot);
        Candidate { length, score, pivot, width: last - pivot + 1 }
    }
}

impl Candidate {
    /// Converts measures that count segments between `cuts` to steps of the path.
    #[must_use]
    pub fn in_steps(self, cuts: &[usize], steps: usize) -> Candidate {
        let step = |cut: usize| cuts.get(cut).copied().unwrap_or(steps);
        let (pivot, last) = (step(self.pivot), step(self.pivot + self.width.saturating_sub(1)));
        Candidate { length: self.length.checked_sub(1).map_or(0, step), pivot, width: last - pivot + 1, ..self }
    }
}

/// A list of heuristics; later ones break ties.
#[derive(Clone, Debug)]
pub struct Selection {
    heuristics: Vec<Heuristic>,
    /// The number of selections so far.
    turns: u64,
}

impl Selection {
    /// A selection by these heuristics; without any, the first contradiction is selected.
    pub fn new(heuristics: &[Heuristic]) -> Selection {
        Selection { heuristics: heuristics.to_vec(), turns: 0 }
    }

    /// Whether there are no heuristics.
    pub fn is_none(&self) -> bool {
        self.heuristics.is_empty()
    }

    /// Whether domain types are the primary criterion.
    pub fn is_by_domain(&self) -> bool {
        self.heuristics.first() == Some(&Heuristic::GoodDomain)
    }

    /// The index of the best candidate; the first one of several.
    pub fn select(&mut self, candidates: &[Candidate]) -> Option<usize> {
        self.turns += 1;
        (0..candidates.len()).min_by_key(|&at| self.key(at, &candidates[at]))
    }

    /// The sort key; lower is better.
    fn key(&self, at: usize, candidate: &Candidate) -> Vec<i128> {
        let value = |heuristic: &Heuristic| match heuristic {
            Heuristic::Short => candidate.length as i128,
            Heuristic::Long => -(candidate.length as i128),
            Heuristic::GoodDomain => candidate.score.into(),
            Heuristic::BadDomain => -i128::from(candidate.score),
            Heuristic::Narrow => candidate.width as i128,
            Heuristic::Wide => -(candidate.width as i128),
            Heuristic::Shallow => candidate.pivot as i128,
            Heuristic::Deep => -(candidate.pivot as i128),
            Heuristic::Random(seed) => FxBuildHasher.hash_one((seed, self.turns, at)).into(),
        };
        self.heuristics.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flag tracked from the start, and a counter tracked for two steps at the end.
    const FLAG: Candidate = Candidate { length: 9, score: 1, pivot: 1, width: 8 };
    const COUNTER: Candidate = Candidate { length: 6, score: 24, pivot: 4, width: 2 };

    #[test]
    fn each_heuristic_has_its_preference() {
        use Heuristic::*;
        let chosen = |list: &[Heuristic]| Selection::new(list).select(&[FLAG, COUNTER]);
        for (heuristic, expected) in
            [(Short, 1), (Long, 0), (GoodDomain, 0), (BadDomain, 1), (Narrow, 1), (Wide, 0), (Shallow, 0), (Deep, 1)]
        {
            assert_eq!(chosen(&[heuristic]), Some(expected), "{heuristic:?}");
        }
        assert_eq!(chosen(&[]), Some(0));
        assert_eq!(Selection::new(&[Short]).select(&[]), None);
    }

    #[test]
    fn ties_are_broken_by_the_next_one() {
        let other = Candidate { score: 1, ..COUNTER };
        let list = [Heuristic::GoodDomain, Heuristic::Narrow];
        assert_eq!(Selection::new(&list).select(&[FLAG, COUNTER, other]), Some(2));
    }

    #[test]
    fn a_seed_gives_the_same_choices_again() {
        let choices = |seed| {
            let mut selection = Selection::new(&[Heuristic::Random(seed)]);
            (0..64).map(|_| selection.select(&[FLAG, COUNTER])).collect::<Vec<_>>()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        assert!([Some(0), Some(1)].iter().all(|choice| choices(1).contains(choice)));
    }

    #[test]
    fn where_something_is_tracked_counts() {
        let tracked = [false, false, true, false, true, false];
        let candidate = Candidate::new(5, 3, tracked.into_iter());
        assert_eq!(candidate, Candidate { length: 5, score: 3, pivot: 2, width: 3 });
    }
}
