//! Trails: the branches taken between two nodes, a few bits each.

/// The branches taken from one node to the next, as a range of [`Trails`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    start: u32,
    steps: u32,
}

impl Trail {
    /// The number of steps.
    pub fn steps(self) -> usize {
        self.steps as usize
    }
}

/// All trails of a graph.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    words: Vec<u64>,
}

/// A trail that is being written.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    words: smallvec::SmallVec<[u64; 2]>,
    used: u32,
    steps: u32,
}

/// The number of bits that encode one of `options` choices.
fn bits(options: usize) -> u32 {
    usize::BITS - (options - 1).leading_zeros()
}

impl Draft {
    /// Appends a step: the choice `choice` among `options` steps.
    #[inline]
    pub fn push(&mut self, choice: usize, options: usize) {
        self.steps += 1;
        let width = if options > 1 { bits(options) } else { return };
        let mut rest = choice as u64;
        for _ in 0..width {
            if self.used.is_multiple_of(64) {
                self.words.push(0);
            }
            let last = self.words.len() - 1;
            self.words[last] |= (rest & 1) << (self.used % 64);
            self.used += 1;
            rest >>= 1;
        }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u32 {
        self.steps
    }
}

/// A trail that is being read.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    words: &'t [u64],
    at: u32,
}

impl Reader<'_> {
    /// The next choice, among `options` steps.
    pub fn next(&mut self, options: usize) -> usize {
        if options <= 1 {
            return 0;
        }
        let mut choice = 0;
        for i in 0..bits(options) {
            let bit = self.words[self.at as usize / 64] >> (self.at % 64) & 1;
            choice |= (bit as usize) << i;
            self.at += 1;
        }
        choice
    }
}

impl Trails {
    /// Stores a trail.
    pub fn keep(&mut self, draft: &Draft) -> Trail {
        let start = u32::try_from(self.words.len()).expect("less than 32 GiB of trails");
        self.words.extend_from_slice(&draft.words);
        Trail { start, steps: draft.steps }
    }

    /// Reads a trail.
    pub fn read(&self, trail: Trail) -> Reader<'_> {
        Reader { words: &self.words[trail.start as usize..], at: 0 }
    }

    /// Drops all trails.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut trails = Trails::default();
        let choices: Vec<(usize, usize)> = (0..200).map(|i| (i * 7 % (i % 5 + 1), i % 5 + 1)).collect();
        for _ in 0..2 {
            let mut draft = Draft::default();
            choices.iter().for_each(|&(choice, options)| draft.push(choice, options));
            let trail = trails.keep(&draft);
            let mut reader = trails.read(trail);
            assert!(choices.iter().all(|&(choice, options)| reader.next(options) == choice));
            assert_eq!(trail.steps(), 200);
        }
    }
}
