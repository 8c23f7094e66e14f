//! The allocator of the process: says so when there is no memory left, instead of aborting.

use std::alloc::{GlobalAlloc, Layout, System};

use clew_verifier::monitor::Stop;
use signal_hook::low_level::exit;

use crate::check::session;
use crate::exit::INTERNAL;

/// The system's allocator; a failure ends the process in order.
pub struct Allocator;

// SAFETY: every call is passed on as it is, and so is its result.
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
    if block.is_null() {
        out_of_memory();
    }
    block
}

#[cold]
fn out_of_memory() -> ! {
    if let Some(session) = session::current() {
        session.end_at_once(Stop::Memory);
    }
    let _ = rustix::io::write(rustix::stdio::stderr(), b"clew: error: out of memory\n");
    exit(INTERNAL.into())
}
