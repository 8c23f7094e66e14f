//! Signals that ask a run to end.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

use clew_verifier::monitor::Stop;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::low_level::{exit, register};

use super::session;
use crate::exit::INTERNAL;

/// The last signal that asked the run to end; 0 if none did.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Has a signal asked the run to end, and why?
pub fn asked() -> Option<Stop> {
    match ASKED.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(reason(signal)),
    }
}

fn reason(signal: i32) -> Stop {
    if signal == SIGXCPU { Stop::Time } else { Stop::Interrupted }
}

/// From now on these signals end the run in order, and a second one at once.
pub fn install() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
        let handler = move || {
            if ASKED.swap(signal, Ordering::Relaxed) != 0
                && let Some(session) = session::current()
            {
                session.end_at_once(reason(signal));
            }
        };
        // SAFETY: the handler touches atomics only, or ends the process without allocating or locking.
        unsafe { register(signal, handler) }?;
    }
    // SAFETY: as above.
    unsafe { register(SIGABRT, on_abort) }?;
    Ok(())
}

/// C++ libraries abort when they get no memory, which no allocator of ours sees.
fn on_abort() {
    match session::current() {
        Some(session) if memory_is_exhausted() => session.end_at_once(Stop::Memory),
        _ => {
            let _ = rustix::io::write(rustix::stdio::stderr(), b"clew: internal error: a library aborted\n");
            exit(INTERNAL.into())
        }
    }
}

/// Would the system refuse even a moderate amount of memory?
fn memory_is_exhausted() -> bool {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    const MODERATE: usize = 64 << 20;
    // SAFETY: a new mapping overlaps with nothing, and nobody else knows it when it is given back.
    unsafe {
        match mmap_anonymous(std::ptr::null_mut(), MODERATE, ProtFlags::empty(), MapFlags::PRIVATE) {
            Ok(mapped) => munmap(mapped, MODERATE).is_err(),
            Err(_) => true,
        }
    }
}
