//! Up to 64 words in one allocation, with as many bytes each as the largest word needs.
//!
//! There are many states, and most of their values are small: machine states, flags, counters. With eight bytes each,
//! values would dominate the memory of a run.

use std::rc::Rc;

/// Words at some of 64 positions. Copies share the allocation; a change copies it unless it is unshared.
///
/// Layout: a bitmap of the positions present, the width of a word in bytes, the words without gaps, and padding.
#[derive(Clone)]
pub(super) struct Leaf(Rc<[u8]>);

/// The number of positions in a leaf.
pub(super) const PLACES: u32 = 64;
/// The size of the header in bytes.
const HEADER: usize = 9;
/// The granularity of the allocator and the overhead of an `Rc` slice (two counts and the length), in bytes.
const GRANULE: usize = 16;
const RC_OVERHEAD: usize = 24;

/// The number of bytes that a word needs.
#[inline]
fn width_of(word: u64) -> usize {
    match word {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// The word at the start of `bytes`.
#[inline]
fn load(bytes: &[u8], width: usize) -> u64 {
    match width {
        1 => u64::from(bytes[0]),
        2 => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        _ => u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")),
    }
}

/// Writes a word, which must fit, to the start of `bytes`.
#[inline]
fn save(bytes: &mut [u8], width: usize, word: u64) {
    match width {
        1 => bytes[0] = word as u8,
        2 => bytes[..2].copy_from_slice(&(word as u16).to_le_bytes()),
        4 => bytes[..4].copy_from_slice(&(word as u32).to_le_bytes()),
        _ => bytes[..8].copy_from_slice(&word.to_le_bytes()),
    }
}

impl Leaf {
    /// A leaf with one word.
    pub fn new(place: u32, word: u64) -> Leaf {
        Leaf::pack(1 << place, width_of(word), [word].into_iter())
    }

    /// A leaf with the given words at the positions in `present`.
    fn pack(present: u64, width: usize, words: impl Iterator<Item = u64>) -> Leaf {
        let used = HEADER + width * present.count_ones() as usize;
        let len = (used + RC_OVERHEAD).next_multiple_of(GRANULE) - RC_OVERHEAD;
        let mut shared: Rc<[u8]> = std::iter::repeat_n(0, len).collect();
        let bytes = Rc::get_mut(&mut shared).expect("it is new");
        bytes[..8].copy_from_slice(&present.to_le_bytes());
        bytes[8] = width as u8;
        for (place, word) in bytes[HEADER..].chunks_exact_mut(width).zip(words) {
            save(place, width, word);
        }
        Leaf(shared)
    }

    /// A bitmap of the positions that have a word.
    #[inline]
    pub fn present(&self) -> u64 {
        load(&self.0, 8)
    }

    #[inline]
    fn width(&self) -> usize {
        usize::from(self.0[8])
    }

    /// The offset of the word at `place`, or where it would be inserted.
    #[inline]
    fn position(&self, place: u32) -> usize {
        let before = self.present() & ((1 << place) - 1);
        HEADER + self.width() * before.count_ones() as usize
    }

    fn has(&self, place: u32) -> bool {
        self.present() >> place & 1 == 1
    }

    /// The word at a position.
    #[inline]
    pub fn get(&self, place: u32) -> Option<u64> {
        self.has(place).then(|| load(&self.0[self.position(place)..], self.width()))
    }

    /// All words with their positions, in order.
    pub fn words(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let (mut rest, width) = (self.present(), self.width());
        self.0[HEADER..].chunks_exact(width).map_while(move |bytes| {
            let place = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some((place, load(bytes, width)))
        })
    }

    /// Sets the word at a position.
    pub fn set(&mut self, place: u32, word: u64) {
        let (width, position) = (self.width(), self.position(place));
        if width_of(word) <= width {
            if self.has(place) {
                return save(&mut self.bytes()[position..], width, word);
            }
            let end = self.position(PLACES - 1) + if self.has(PLACES - 1) { width } else { 0 };
            if end + width <= self.0.len()
                && let Some(bytes) = Rc::get_mut(&mut self.0)
            {
                bytes.copy_within(position..end, position + width);
                save(&mut bytes[position..], width, word);
                bytes[place as usize / 8] |= 1 << (place % 8);
                return;
            }
        }
        let present = self.present() | 1 << place;
        let before = self.words().take_while(|&(other, _)| other < place);
        let after = self.words().skip_while(|&(other, _)| other <= place);
        let words = before.chain([(place, word)]).chain(after).map(|(_, word)| word);
        *self = Leaf::pack(present, width.max(width_of(word)), words);
    }

    /// Keeps only the words at the positions in `kept`, of which at least one must be present.
    pub fn retain(&mut self, kept: u64) {
        let kept = kept & self.present();
        if kept == self.present() {
            return;
        }
        let words = || self.words().filter(|&(place, _)| kept >> place & 1 == 1).map(|(_, word)| word);
        let width = words().map(width_of).max().unwrap_or(1);
        *self = Leaf::pack(kept, width, words());
    }

    /// Whether every word of this leaf is also in `other`.
    pub fn is_within(&self, other: &Leaf) -> bool {
        if Rc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let (mine, others) = (self.present(), other.present());
        if mine == others && self.width() == other.width() {
            let end = HEADER + self.width() * mine.count_ones() as usize;
            return self.0[..end] == other.0[..end];
        }
        mine & !others == 0 && self.words().all(|(place, word)| other.get(place) == Some(word))
    }

    /// Mutable access, unshared.
    fn bytes(&mut self) -> &mut [u8] {
        Rc::make_mut(&mut self.0)
    }
}
