//! Handlers of the signals that stop a run.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

use clew_verifier::monitor::StopReason;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::low_level::{exit, register};

use super::session;
use crate::exit::INTERNAL;

/// The last stop signal; 0 if there was none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// The stop reason of the last signal, if there was one.
pub fn received() -> Option<StopReason> {
    match RECEIVED.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(reason(signal)),
    }
}

fn reason(signal: i32) -> StopReason {
    if signal == SIGXCPU { StopReason::Time } else { StopReason::Interrupted }
}

/// Installs the handlers. The first signal stops the run; a second one exits immediately.
pub fn install() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
        let handler = move || {
            if session::is_worker() {
                // Only the process that started it decides when it ends, except for its time on the processors.
                if signal == SIGXCPU {
                    exit(session::worker_code(StopReason::Time));
                }
                return;
            }
            if RECEIVED.swap(signal, Ordering::Relaxed) != 0
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

/// LLVM and Z3 abort when an allocation of theirs fails, which does not reach the global allocator of Rust.
fn on_abort() {
    match session::current() {
        Some(session) if memory_is_exhausted() => session.end_at_once(StopReason::Memory),
        _ if session::is_worker() => exit(INTERNAL.into()),
        _ => {
            let _ = rustix::io::write(rustix::stdio::stderr(), b"clew: internal error: a library aborted\n");
            exit(INTERNAL.into())
        }
    }
}

/// Whether a mapping of moderate size fails.
fn memory_is_exhausted() -> bool {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    const PROBE_SIZE: usize = 64 << 20;
    // SAFETY: a new mapping overlaps no other, and no pointer into it is kept.
    unsafe {
        match mmap_anonymous(std::ptr::null_mut(), PROBE_SIZE, ProtFlags::empty(), MapFlags::PRIVATE) {
            Ok(mapped) => munmap(mapped, PROBE_SIZE).is_err(),
            Err(_) => true,
        }
    }
}
