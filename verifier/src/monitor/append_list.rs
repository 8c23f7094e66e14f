//! A list that only grows. Readers take no lock, even while a thread appends.
//!
//! Signal handlers and a failing allocator read it too. They may have interrupted the writer, so a lock that the writer
//! holds would never be released. Reading neither locks nor allocates.

use std::fmt;
use std::iter;
use std::sync::OnceLock;

/// The list. Items are never removed or changed, so references to them stay valid.
pub struct AppendList<T> {
    first: Slot<T>,
}

/// The slot of the next item. Readers see it empty or complete.
type Slot<T> = OnceLock<Box<Link<T>>>;

struct Link<T> {
    item: T,
    next: Slot<T>,
}

impl<T> AppendList<T> {
    /// Appends an item. Takes time in proportion to the length of the list.
    pub fn push(&self, item: T) {
        // The memory is allocated before any slot is touched: an allocation that fails leaves the list as it was.
        let mut new = Box::new(Link { item, next: OnceLock::new() });
        let mut slot = &self.first;
        loop {
            match slot.set(new) {
                Ok(()) => return,
                Err(rejected) => new = rejected,
            }
            match slot.get() {
                Some(link) => slot = &link.next,
                None => unreachable!("only a full slot rejects an item"),
            }
        }
    }

    /// The items in the order in which they were appended.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let links = iter::successors(self.first.get(), |link| link.next.get());
        links.map(|link| &link.item)
    }

    /// The current number of items.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.first.get().is_none()
    }
}

impl<T> Default for AppendList<T> {
    fn default() -> AppendList<T> {
        AppendList { first: OnceLock::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for AppendList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Drop for AppendList<T> {
    /// Link by link: the drop of a box inside a box inside a box would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn keeps_the_order() {
        let list = AppendList::default();
        assert!(list.is_empty());
        for item in 0..100 {
            list.push(item);
        }
        assert_eq!(list.len(), 100);
        assert!(list.iter().copied().eq(0..100));
    }

    #[test]
    fn writers_of_several_threads_lose_nothing() {
        let list = AppendList::default();
        thread::scope(|scope| {
            for writer in 0..4 {
                let list = &list;
                scope.spawn(move || (0..50).for_each(|item| list.push((writer, item))));
            }
        });
        for writer in 0..4 {
            let items = list.iter().filter(|(by, _)| *by == writer).map(|(_, item)| *item);
            assert!(items.eq(0..50));
        }
    }

    /// The writer stops inside the only step that changes the list, as if a signal had interrupted it there.
    #[test]
    fn an_interrupted_writer_does_not_block_readers() {
        let list = AppendList::default();
        list.push("complete");
        let (entered, has_entered) = channel();
        let (resume, resumed) = channel::<()>();
        thread::scope(|scope| {
            let last = &list.first.get().expect("one item").next;
            scope.spawn(move || {
                last.get_or_init(|| {
                    entered.send(()).expect("the reader waits");
                    // Ends when the reader is done, even by a panic.
                    let _ = resumed.recv();
                    Box::new(Link { item: "late", next: OnceLock::new() })
                });
            });
            has_entered.recv().expect("the writer has begun");
            assert!(list.iter().eq(&["complete"]));
            assert_eq!((list.len(), list.is_empty()), (1, false));
            drop(resume);
        });
        assert!(list.iter().eq(&["complete", "late"]));
    }

    #[test]
    fn long_lists_are_dropped_without_recursion() {
        // Built from its end, since `push` walks from the start.
        let mut next = OnceLock::new();
        for item in 0..1_000_000 {
            next = OnceLock::from(Box::new(Link { item, next }));
        }
        drop(AppendList { first: next });
    }
}
