//! The global allocator: when memory runs out, it reports UNKNOWN and exits instead of aborting.

use std::alloc::{GlobalAlloc, Layout, System};

use clew_verifier::monitor::StopReason;
use signal_hook::low_level::exit;

use crate::check::session;
use crate::exit::INTERNAL;

/// The system allocator. A failed allocation ends the run with its report.
pub struct Allocator;

// SAFETY: every call and its result are forwarded unchanged.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn checked(block: *mut u8) -> *mut u8 {
    #[cfg(test)]
    COUNT.set(COUNT.get() + 1);
    if block.is_null() {
        out_of_memory();
    }
    block
}

#[cold]
fn out_of_memory() -> ! {
    if let Some(session) = session::current() {
        session.end_at_once(StopReason::Memory);
    }
    let _ = rustix::io::write(rustix::stdio::stderr(), b"clew: error: out of memory\n");
    exit(INTERNAL.into())
}

#[cfg(test)]
thread_local! {
    static COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// The number of allocations of this thread so far.
#[cfg(test)]
pub fn allocations() -> u64 {
    COUNT.get()
}
