//! Refinement selection (paper 003, Algorithm 2 and Section 5): of several ways to exclude a path, the most promising one.
//!
//! Each way comes from one infeasible sliced prefix: the path up to a contradiction, without the steps that contradicted what
//! was known before. All of them exclude the path; they differ in what has to be tracked, and where.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// What is preferred.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// A short prefix: the first contradiction.
    Short,
    /// A long prefix: the last contradiction.
    Long,
    /// Variables that are easy to track, by their domain types.
    GoodDomain,
    /// Variables that are hard to track.
    BadDomain,
    /// Something has to be tracked for few steps of the path.
    Narrow,
    /// Something has to be tracked for many steps of the path.
    Wide,
    /// Something has to be tracked from early on.
    Shallow,
    /// Nothing has to be tracked until late.
    Deep,
    /// Any, by a seed.
    Random(u64),
}

/// What there is to say of one way to exclude a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Candidate {
    /// How many steps its prefix has.
    pub length: usize,
    /// How hard its variables are to track: the sum of the logarithms of their domain-type scores.
    pub score: u64,
    /// After how many steps something is tracked for the first time.
    pub pivot: usize,
    /// For how many steps something is tracked.
    pub width: usize,
}

impl Candidate {
    /// With what has to be tracked given for each position of the path.
    pub fn new(length: usize, score: u64, is_tracked: impl Iterator<Item = bool>) -> Candidate {
        let mut positions = is_tracked.enumerate().filter(|&(_, is_tracked)| is_tracked).map(|(position, _)| position);
        let pivot = positions.next().unwrap_or(length);
        let last = positions.last().unwrap_or(pivot);
        Candidate { length, score, pivot, width: last - pivot + 1 }
    }
}

impl Candidate {
    /// The same in steps of a path, which this counts in segments between `cuts`.
    #[must_use]
    pub fn in_steps(self, cuts: &[usize], steps: usize) -> Candidate {
        let step = |cut: usize| cuts.get(cut).copied().unwrap_or(steps);
        let (pivot, last) = (step(self.pivot), step(self.pivot + self.width.saturating_sub(1)));
        Candidate { length: self.length.checked_sub(1).map_or(0, step), pivot, width: last - pivot + 1, ..self }
    }
}

/// Heuristics, each of which decides where those before it see no difference.
#[derive(Clone, Debug)]
pub struct Selection {
    heuristics: Vec<Heuristic>,
    /// How often one was selected.
    turns: u64,
}

impl Selection {
    /// These heuristics; without any, the first contradiction is taken.
    pub fn new(heuristics: &[Heuristic]) -> Selection {
        Selection { heuristics: heuristics.to_vec(), turns: 0 }
    }

    /// Is there anything to choose by?
    pub fn is_none(&self) -> bool {
        self.heuristics.is_empty()
    }

    /// Do variables that are easy to track come before all else?
    pub fn is_by_domain(&self) -> bool {
        self.heuristics.first() == Some(&Heuristic::GoodDomain)
    }

    /// The position of the most promising one; the first of several.
    pub fn select(&mut self, candidates: &[Candidate]) -> Option<usize> {
        self.turns += 1;
        (0..candidates.len()).min_by_key(|&at| self.key(at, &candidates[at]))
    }

    /// Lower is better.
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

    /// A flag that is tracked from the start on, and a counter that is tracked for two steps at the end.
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
