//! Repetitions in a listing: of the iterations of a loop that pass the same lines, the first and the last are shown.

use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::listing::Line;

/// A part of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// The line with this index.
    Line(usize),
    /// Iterations that are left out, with their lines.
    Folded(usize, Range<usize>),
}

impl Item {
    /// The indices of its lines.
    pub(super) fn lines(&self) -> Range<usize> {
        match self {
            Item::Line(index) => *index..index + 1,
            Item::Folded(_, lines) => lines.clone(),
        }
    }
}

/// Fewer iterations are shown in full.
const LEAST: usize = 4;
/// The maximum number of parts in an iteration.
const MAX_PERIOD: usize = 64;

/// An item with what it looks like: iterations look the same if they pass the same lines.
struct Piece {
    key: u64,
    items: Vec<Item>,
    lines: Range<usize>,
}

/// The listing without most of the repetitions.
pub(super) fn shortened(lines: &[Line<'_>]) -> Vec<Item> {
    let key = |line: &Line<'_>| {
        let Line { depth, place, .. } = line;
        let enters = line.enters.as_ref().map(|(function, _)| *function);
        FxBuildHasher.hash_one((depth, place.line, place.file, enters))
    };
    let piece = |(i, line)| Piece { key: key(line), items: vec![Item::Line(i)], lines: i..i + 1 };
    let mut pieces: Vec<Piece> = lines.iter().enumerate().map(piece).collect();
    // Inner loops first: then the iterations of outer ones look the same.
    for period in 1..=MAX_PERIOD {
        pieces = folded(pieces, period);
    }
    pieces.into_iter().flat_map(|piece| piece.items).collect()
}

/// Folds repetitions of `period` pieces.
fn folded(pieces: Vec<Piece>, period: usize) -> Vec<Piece> {
    let keys: Vec<u64> = pieces.iter().map(|piece| piece.key).collect();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at + LEAST * period <= keys.len() {
        let same = (at..keys.len() - period).take_while(|&i| keys[i] == keys[i + period]).count();
        let count = same / period + 1;
        if count >= LEAST {
            runs.push((at, count));
            at += count * period;
        } else {
            // Wherever a repetition starts before the difference, it is too short.
            at += same + 1;
        }
    }
    if runs.is_empty() {
        return pieces;
    }
    let mut pieces = pieces.into_iter();
    let (mut out, mut at) = (Vec::new(), 0);
    for (start, count) in runs {
        out.extend(pieces.by_ref().take(start - at));
        let iterations: Vec<Piece> = pieces.by_ref().take(count * period).collect();
        at = start + count * period;
        let first = period;
        let last = iterations.len() - period;
        let lines = iterations[0].lines.start..iterations[iterations.len() - 1].lines.end;
        let left_out = iterations[first].lines.start..iterations[last].lines.start;
        // However often a loop runs, it looks the same.
        let key =
            FxBuildHasher.hash_one(("loop", iterations[..period].iter().map(|piece| piece.key).collect::<Vec<_>>()));
        let mut items = Vec::new();
        for (i, piece) in iterations.into_iter().enumerate() {
            if i == first {
                items.push(Item::Folded(count - 2, left_out.clone()));
            }
            if i < first || i >= last {
                items.extend(piece.items);
            }
        }
        out.push(Piece { key, items, lines });
    }
    out.extend(pieces);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A listing of one line for each letter, written with counts of iterations that are left out.
    fn of(text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let mut pieces: Vec<Piece> = letters
            .iter()
            .enumerate()
            .map(|(i, &c)| Piece { key: c.into(), items: vec![Item::Line(i)], lines: i..i + 1 })
            .collect();
        for period in 1..=MAX_PERIOD {
            pieces = folded(pieces, period);
        }
        let items = pieces.into_iter().flat_map(|piece| piece.items);
        items
            .map(|item| match item {
                Item::Line(i) => letters[i].to_string(),
                Item::Folded(count, lines) => format!("<{count}:{}>", lines.len()),
            })
            .collect()
    }

    #[test]
    fn repetitions_keep_their_first_and_their_last_iteration() {
        assert_eq!(of("abc"), "abc");
        assert_eq!(of("xaaay"), "xaaay", "three are shown");
        assert_eq!(of("xaaaay"), "xa<2:2>ay");
        assert_eq!(of("xababababy"), "xab<2:4>aby");
        assert_eq!(of("xabababababa"), "xab<3:6>aba");
        assert_eq!(of("abcabdabcabd"), "abcabdabcabd", "other ways are shown");
        assert_eq!(of(&"ab".repeat(100)), "ab<98:196>ab");
        // Loops in loops, with different numbers of iterations.
        assert_eq!(of(&["o", &"i".repeat(9)].concat().repeat(5)), "oi<7:7>i<3:30>oi<7:7>i");
        assert_eq!(of("oiiiioiiiiioiiiiiioiiiiz"), "oi<2:2>i<2:13>oi<2:2>iz");
    }
}
