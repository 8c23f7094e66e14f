//! Sparse byte memories that track which bytes are known, and which unknown bytes are copies of each other.

use rustc_hash::FxHashMap;

use crate::cfa::program::InitialCells;

/// The size of a page in bytes.
pub(super) const PAGE: usize = 4096;

/// A page and a bitmap of its known bytes.
#[derive(Clone)]
struct Page {
    bytes: [u8; PAGE],
    known: [u64; PAGE / 64],
    /// What an unknown byte shares its value with, if any of the page was copied.
    origins: Option<Box<[Origin; PAGE]>>,
}

/// The identity of an unknown byte: all copies of it have the same one, and so the same value once it is drawn. Zero if it
/// was never copied.
pub(super) type Origin = u32;

/// Not a valid page number: those have 52 bits.
const NO_PAGE: u64 = u64::MAX;

/// Sentinels in place of an index for pages that need no storage: all bytes zero, or all unknown. Indices are smaller.
const ZERO: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

static ZERO_PAGE: Page = Page { bytes: [0; PAGE], known: [u64::MAX; PAGE / 64], origins: None };
static UNKNOWN_PAGE: Page = Page { bytes: [0; PAGE], known: [0; PAGE / 64], origins: None };
static NOTHING_INITIAL: InitialCells = InitialCells { segments: Vec::new() };

/// The contents of a memory variable.
///
/// Initial contents are copied only when a page of them is touched, so large zero arrays cost nothing.
#[derive(Clone)]
pub(super) struct Memory<'p> {
    background: &'p InitialCells,
    /// The index of each page in `pages`, or one of the sentinels above.
    index: FxHashMap<u64, u32>,
    pages: Vec<Box<Page>>,
    /// The page used last, with its index.
    last: (u64, u32),
}

/// The result of a read: the bytes as a little-endian number, and a bit for each known byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    pub(super) raw: u128,
    pub(super) known: u32,
}

/// A buffer of up to one page for copying.
pub(super) struct Chunk(Page);

impl Default for Chunk {
    fn default() -> Chunk {
        Chunk(UNKNOWN_PAGE.clone())
    }
}

/// A mask of the low `n` bits.
pub(super) const fn all(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

impl Page {
    /// The known bits of `n` bytes starting at `offset`, at most 64 and all on this page.
    fn known(&self, offset: usize, n: usize) -> u64 {
        let (word, shift) = (offset / 64, offset % 64);
        let mut bits = self.known[word] >> shift;
        if shift + n > 64 {
            bits |= self.known[word + 1] << (64 - shift);
        }
        bits & all(n)
    }

    fn set_known(&mut self, offset: usize, n: usize, bits: u64) {
        let (word, shift) = (offset / 64, offset % 64);
        let mask = all(n);
        self.known[word] = self.known[word] & !(mask << shift) | (bits & mask) << shift;
        if shift + n > 64 {
            self.known[word + 1] = self.known[word + 1] & !(mask >> (64 - shift)) | (bits & mask) >> (64 - shift);
        }
    }

    /// Copies `n` bytes together with their known bits and origins.
    fn copy_from(&mut self, to: usize, source: &Page, from: usize, n: usize) {
        match (&mut self.origins, &source.origins) {
            (None, None) => {}
            (Some(origins), None) => origins[to..to + n].fill(0),
            (origins, Some(source)) => {
                let origins = origins.get_or_insert_with(|| Box::new([0; PAGE]));
                origins[to..to + n].copy_from_slice(&source[from..from + n]);
            }
        }
        self.bytes[to..to + n].copy_from_slice(&source.bytes[from..from + n]);
        for at in (0..n).step_by(64) {
            let part = (n - at).min(64);
            self.set_known(to + at, part, source.known(from + at, part));
        }
    }

    fn mark(&mut self, offset: usize, n: usize, known: bool) {
        if let Some(origins) = &mut self.origins {
            origins[offset..offset + n].fill(0);
        }
        for at in (0..n).step_by(64) {
            self.set_known(offset + at, (n - at).min(64), if known { u64::MAX } else { 0 });
        }
    }

    /// Whether all of `n` bytes are known.
    fn is_known(&self, offset: usize, n: usize) -> bool {
        (0..n).step_by(64).all(|at| {
            let part = (n - at).min(64);
            self.known(offset + at, part) == all(part)
        })
    }

    /// The origin of an unknown byte, zero if it has none.
    fn origin(&self, offset: usize) -> Origin {
        self.origins.as_ref().map_or(0, |origins| origins[offset])
    }

    fn read(&self, offset: usize, n: usize) -> Bytes {
        let bytes = &self.bytes[offset..offset + n];
        let raw = match *bytes {
            [a] => u128::from(a),
            [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => bytes.iter().rev().fold(0, |raw, &b| raw << 8 | u128::from(b)),
        };
        Bytes { raw, known: self.known(offset, n) as u32 }
    }

    fn write(&mut self, offset: usize, n: usize, raw: u128) {
        let bytes = &mut self.bytes[offset..offset + n];
        match n {
            1 => bytes[0] = raw as u8,
            4 => bytes.copy_from_slice(&(raw as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&(raw as u64).to_le_bytes()),
            _ => bytes.copy_from_slice(&raw.to_le_bytes()[..n]),
        }
        self.set_known(offset, n, u64::MAX);
    }
}

/// Splits an address range at page boundaries into (page, offset, length). Addresses wrap around.
fn parts(address: u64, bytes: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let (page, offset) = locate(address.wrapping_add(done));
        let length = (bytes - done).min((PAGE - offset) as u64);
        done += length;
        (length > 0).then_some((page, offset, length as usize))
    })
}

fn locate(address: u64) -> (u64, usize) {
    (address / PAGE as u64, address as usize % PAGE)
}

impl Default for Memory<'_> {
    fn default() -> Self {
        Memory::new(&NOTHING_INITIAL)
    }
}

impl<'p> Memory<'p> {
    /// A memory with initial contents `background`; all other bytes are unknown.
    pub(super) fn new(background: &'p InitialCells) -> Memory<'p> {
        Memory { background, index: FxHashMap::default(), pages: Vec::new(), last: (NO_PAGE, UNKNOWN) }
    }

    /// The `n` bytes at `address`, at most 16. The bits of unknown bytes are arbitrary.
    pub(super) fn read(&mut self, address: u64, n: usize) -> Bytes {
        let (page, offset) = locate(address);
        if offset + n <= PAGE {
            return self.page(page).read(offset, n);
        }
        let first = PAGE - offset;
        let (low, high) = (self.read(address, first), self.read(address.wrapping_add(first as u64), n - first));
        Bytes { raw: low.raw | high.raw << (8 * first), known: low.known | high.known << first }
    }

    /// Sets the `n` bytes at `address`, at most 16, to `raw`.
    pub(super) fn write(&mut self, address: u64, n: usize, raw: u128) {
        let (page, offset) = locate(address);
        if offset + n <= PAGE {
            return self.page_mut(page).write(offset, n, raw);
        }
        let first = PAGE - offset;
        self.write(address, first, raw);
        self.write(address.wrapping_add(first as u64), n - first, raw >> (8 * first));
    }

    /// The byte at `address` if it is known, else its origin. Does not materialise the page.
    pub(super) fn peek(&self, address: u64) -> Result<u8, Origin> {
        let (page, offset) = locate(address);
        let stored = match self.index.get(&page) {
            Some(&ZERO) => &ZERO_PAGE,
            Some(&UNKNOWN) => &UNKNOWN_PAGE,
            Some(&at) => &self.pages[at as usize],
            None => return self.background.read(address, 1).map(|raw| raw as u8).ok_or(0),
        };
        if stored.known(offset, 1) == 1 { Ok(stored.bytes[offset]) } else { Err(stored.origin(offset)) }
    }

    /// Makes bytes unknown.
    pub(super) fn forget(&mut self, address: u64, bytes: u64) {
        for (page, offset, length) in parts(address, bytes) {
            if length == PAGE && self.find(page) >= UNKNOWN {
                self.put(page, UNKNOWN);
            } else {
                self.page_mut(page).mark(offset, length, false);
            }
        }
    }

    /// Sets all bytes to `byte`.
    pub(super) fn fill(&mut self, address: u64, bytes: u64, byte: u8) {
        for (page, offset, length) in parts(address, bytes) {
            if length == PAGE && byte == 0 && self.find(page) >= UNKNOWN {
                self.put(page, ZERO);
                continue;
            }
            let page = self.page_mut(page);
            page.bytes[offset..offset + length].fill(byte);
            page.mark(offset, length, true);
        }
    }

    /// Gives origins from `fresh` to the unknown bytes of a range that have none. False if there are no more.
    pub(super) fn identify(&mut self, address: u64, bytes: u64, fresh: &mut Origin) -> bool {
        for (page, offset, length) in parts(address, bytes) {
            if self.page(page).is_known(offset, length) {
                continue;
            }
            let page = self.page_mut(page);
            for at in offset..offset + length {
                if page.known(at, 1) == 0 && page.origin(at) == 0 {
                    let Some(next) = fresh.checked_add(1) else { return false };
                    *fresh = next;
                    page.origins.get_or_insert_with(|| Box::new([0; PAGE]))[at] = next;
                }
            }
        }
        true
    }

    /// Reads `n` bytes, at most a page, into `chunk`.
    pub(super) fn load(&mut self, address: u64, n: usize, chunk: &mut Chunk) {
        let mut at = 0;
        for (page, offset, length) in parts(address, n as u64) {
            chunk.0.copy_from(at, self.page(page), offset, length);
            at += length;
        }
    }

    /// Writes the first `n` bytes of `chunk`.
    pub(super) fn save(&mut self, address: u64, n: usize, chunk: &Chunk) {
        let mut at = 0;
        for (page, offset, length) in parts(address, n as u64) {
            self.page_mut(page).copy_from(offset, &chunk.0, at, length);
            at += length;
        }
    }

    fn page(&mut self, page: u64) -> &Page {
        match self.find(page) {
            ZERO => &ZERO_PAGE,
            UNKNOWN => &UNKNOWN_PAGE,
            at => &self.pages[at as usize],
        }
    }

    fn page_mut(&mut self, page: u64) -> &mut Page {
        let at = match self.find(page) {
            shared @ (ZERO | UNKNOWN) => {
                self.store(page, if shared == ZERO { ZERO_PAGE.clone() } else { UNKNOWN_PAGE.clone() })
            }
            at => at,
        };
        &mut self.pages[at as usize]
    }

    #[inline]
    fn find(&mut self, page: u64) -> u32 {
        if self.last.0 != page {
            let at = match self.index.get(&page) {
                Some(&at) => at,
                None => self.materialize(page),
            };
            self.last = (page, at);
        }
        self.last.1
    }

    /// Materialises a page from the initial contents.
    fn materialize(&mut self, page: u64) -> u32 {
        let start = page * PAGE as u64;
        let end = u128::from(start) + PAGE as u128;
        let segments = &self.background.segments;
        let first = segments.partition_point(|s| u128::from(s.address) + u128::from(s.bytes) <= u128::from(start));
        let overlapping = segments[first..].iter().take_while(|s| u128::from(s.address) < end);
        let mut fresh: Option<Page> = None;
        for segment in overlapping {
            let from = segment.address.max(start);
            let to = (u128::from(segment.address) + u128::from(segment.bytes)).min(end);
            let length = (to - u128::from(from)) as usize;
            let data = usize::try_from(from - segment.address).ok().and_then(|skip| segment.data.get(skip..));
            let data = data.unwrap_or_default();
            let data = &data[..data.len().min(length)];
            if data.is_empty() && length == PAGE {
                return self.put(page, ZERO);
            }
            let offset = (from - start) as usize;
            let fresh = fresh.get_or_insert_with(|| UNKNOWN_PAGE.clone());
            fresh.bytes[offset..offset + data.len()].copy_from_slice(data);
            fresh.mark(offset, length, true);
        }
        fresh.map_or(UNKNOWN, |fresh| self.store(page, fresh))
    }

    fn store(&mut self, page: u64, contents: Page) -> u32 {
        let at = self.pages.len() as u32;
        self.pages.push(Box::new(contents));
        self.put(page, at)
    }

    fn put(&mut self, page: u64, at: u32) -> u32 {
        self.index.insert(page, at);
        self.last = (page, at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::program::Segment;

    #[test]
    fn initial_contents_show_through_without_being_stored() {
        let (base, huge) = (PAGE as u64 * 3 + 100, 100 << 20);
        let initial = InitialCells {
            segments: vec![
                Segment { address: 10, bytes: 2, data: [7, 8].into() },
                Segment { address: base, bytes: huge, data: [1, 2, 3].into() },
            ],
        };
        let mut memory = Memory::new(&initial);
        assert_eq!(memory.read(9, 4), Bytes { raw: 0x0008_0700, known: 0b0110 });
        assert_eq!(memory.read(base, 4), Bytes { raw: 0x0003_0201, known: 0b1111 });
        assert_eq!(memory.read(base + huge / 2, 8), Bytes { raw: 0, known: 0xff });
        assert_eq!(memory.read(base + huge - 1, 2).known, 1);
        assert_eq!(memory.peek(base + huge / 3), Ok(0));
        assert_eq!(memory.peek(base + huge), Err(0));
        assert!(memory.pages.len() <= 3);
        memory.write(base + huge / 2, 2, 0xabcd);
        assert_eq!(memory.read(base + huge / 2 - 1, 4), Bytes { raw: 0x00ab_cd00, known: 0b1111 });
    }

    #[test]
    fn whole_pages_can_be_filled_and_forgotten() {
        let mut memory = Memory::default();
        let (start, bytes) = (PAGE as u64 - 3, 2 * PAGE as u64 + 6);
        memory.fill(start, bytes, 0);
        assert_eq!(memory.pages.len(), 2);
        assert_eq!(memory.read(start - 1, 4).known, 0b1110);
        memory.write(PAGE as u64 + 5, 1, 9);
        memory.forget(start + 1, bytes - 2);
        assert_eq!(memory.peek(start), Ok(0));
        assert_eq!(memory.peek(start + 1), Err(0));
        assert_eq!(memory.peek(PAGE as u64 + 5), Err(0));
        assert_eq!(memory.peek(start + bytes - 1), Ok(0));
    }
}
