//! Worker processes: copies of this process, made by `fork`, that each run one analysis and send what they find.
//!
//! A worker has the program in memory already, shared with this process until it is written to. It ends with this
//! process, however that ends.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clew_frontend_llvm::compile::{nest_scratch_folders, share_scratch_folder};
use clew_verifier::monitor::{StopReason, WorkerEnd, WorkerId, Workers};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group, set_parent_process_death_signal,
    setpgid, waitpid,
};
use signal_hook::low_level::exit;

use super::session;
use super::usage::{self, Usage};
use crate::exit::INTERNAL;

/// The most workers that may exist at a time.
const MAX_WORKERS: usize = 64;

/// The workers that exist, by process; 0 for a free slot. Signal handlers read it.
static ALIVE: [AtomicI32; MAX_WORKERS] = [const { AtomicI32::new(0) }; MAX_WORKERS];

/// Kills all workers and waits for their end, so that their time counts as that of this process. Neither allocates nor
/// locks.
pub fn kill_all() {
    if session::is_worker() {
        return;
    }
    for slot in &ALIVE {
        if let Some(process) = Pid::from_raw(slot.swap(0, Ordering::Relaxed)) {
            let _ = kill_process_group(process, Signal::KILL);
            let _ = kill_process(process, Signal::KILL);
            let _ = waitpid(Some(process), WaitOptions::empty());
        }
    }
}

/// The usage of all workers that exist. Allocates nothing.
pub fn usage() -> Usage {
    let alive = ALIVE.iter().filter_map(|slot| Pid::from_raw(slot.load(Ordering::Relaxed)));
    alive.map(usage::with_children).fold(Usage::default(), |sum, one| sum + one)
}

/// A worker of this process.
#[derive(Debug)]
struct Worker {
    process: Pid,
    /// Where it sends its result; `None` once it has ended.
    result: Option<File>,
    received: Vec<u8>,
    /// Its time on the processors, once it has ended.
    spent: Duration,
}

/// The worker processes of a run.
#[derive(Debug)]
pub struct Processes {
    workers: Mutex<Vec<Worker>>,
    jobs: usize,
    memory: u64,
}

impl Processes {
    /// At most `jobs` at a time, which may use so much memory together.
    pub fn new(jobs: usize, memory: u64) -> Processes {
        Processes { workers: Mutex::default(), jobs, memory }
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self, worker: WorkerId, signal: Signal) {
        let workers = self.workers();
        if workers[worker].result.is_some() {
            // Its solvers are in its group.
            let _ = kill_process_group(workers[worker].process, signal);
        }
    }
}

impl Workers for Processes {
    fn start(&self, job: &mut dyn FnMut() -> Vec<u8>) -> Result<WorkerId, String> {
        let slot = ALIVE.iter().find(|slot| slot.load(Ordering::Relaxed) == 0).ok_or("there are too many workers")?;
        share_scratch_folder().map_err(|error| error.to_string())?;
        let (result, sender) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| error.to_string())?;
        let parent = getpid();
        // SAFETY: no other thread holds a lock that the new process needs: the main thread waits for this one, and the
        // watchdog takes only locks that a worker does not use. The C library makes its allocator usable after `fork`.
        match unsafe { libc::fork() } {
            -1 => Err(std::io::Error::last_os_error().to_string()),
            0 => become_worker(parent, sender, job),
            child => {
                let process = Pid::from_raw(child).ok_or("no process")?;
                // Both processes do it, so that it is done before either needs it.
                let _ = setpgid(Some(process), Some(process));
                slot.store(child, Ordering::Relaxed);
                drop(sender);
                let mut workers = self.workers();
                workers.push(Worker {
                    process,
                    result: Some(File::from(result)),
                    received: Vec::new(),
                    spent: Duration::ZERO,
                });
                Ok(workers.len() - 1)
            }
        }
    }

    fn pause(&self, worker: WorkerId) {
        self.signal(worker, Signal::STOP);
    }

    fn resume(&self, worker: WorkerId) {
        self.signal(worker, Signal::CONT);
    }

    fn kill(&self, worker: WorkerId) {
        self.signal(worker, Signal::KILL);
    }

    fn wait(&self, time: Duration) -> Option<(WorkerId, WorkerEnd)> {
        let mut workers = self.workers();
        let open: Vec<WorkerId> = (0..workers.len()).filter(|&at| workers[at].result.is_some()).collect();
        let files = open.iter().filter_map(|&at| workers[at].result.as_ref());
        let mut polled: Vec<PollFd<'_>> = files.map(|file| PollFd::new(file, PollFlags::IN)).collect();
        let time = rustix::event::Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        poll(&mut polled, Some(&time)).ok()?;
        let ready: Vec<bool> = polled.iter().map(|one| !one.revents().is_empty()).collect();
        let ready = open.into_iter().zip(ready).filter(|(_, ready)| *ready).map(|(at, _)| at);
        ready.collect::<Vec<_>>().into_iter().find_map(|at| Some((at, workers[at].receive()?)))
    }

    fn cpu(&self, worker: WorkerId) -> Duration {
        let worker = &self.workers()[worker];
        if worker.result.is_some() { usage::with_children(worker.process).cpu } else { worker.spent }
    }

    fn memory(&self, worker: WorkerId) -> u64 {
        let worker = &self.workers()[worker];
        if worker.result.is_some() { usage::with_children(worker.process).resident } else { 0 }
    }

    fn jobs(&self) -> usize {
        self.jobs
    }

    fn memory_limit(&self) -> u64 {
        self.memory
    }
}

impl Worker {
    /// Reads what it has sent; its end, if that was all.
    fn receive(&mut self) -> Option<WorkerEnd> {
        let mut buffer = [0; 1 << 16];
        match self.result.as_mut()?.read(&mut buffer) {
            Ok(0) => {}
            Ok(length) => {
                self.received.extend(&buffer[..length]);
                return None;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return None,
            Err(_) => {}
        }
        self.spent = usage::of(self.process).cpu;
        self.result = None;
        let raw = self.process.as_raw_nonzero().get();
        // Its descriptor may be closed before it has ended, if something else closed it.
        let _ = kill_process_group(self.process, Signal::CONT);
        let status = loop {
            match waitpid(Some(self.process), WaitOptions::empty()) {
                Err(Errno::INTR) => {}
                Ok(Some((_, status))) => break Some(status),
                Ok(None) | Err(_) => break None,
            }
        };
        for slot in ALIVE.iter().filter(|slot| slot.load(Ordering::Relaxed) == raw) {
            slot.store(0, Ordering::Relaxed);
        }
        let code = status.and_then(|status| status.exit_status());
        Some(match code {
            Some(0) => WorkerEnd::Sent(std::mem::take(&mut self.received)),
            Some(code) if code == session::worker_code(StopReason::Memory) => WorkerEnd::OutOfMemory,
            Some(code) => WorkerEnd::Crashed(format!("ended with exit code {code}")),
            None => match status.and_then(|status| status.terminating_signal()) {
                Some(signal) => WorkerEnd::Crashed(format!("killed by signal {signal}")),
                None => WorkerEnd::Crashed("lost".into()),
            },
        })
    }
}

/// Runs `job` in the new process.
fn become_worker(parent: Pid, sender: OwnedFd, job: &mut dyn FnMut() -> Vec<u8>) -> ! {
    session::become_worker();
    let _ = setpgid(None, None);
    let is_tied = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    // The parent may have ended before the signal was set.
    if !is_tied || getppid() != Some(parent) {
        exit(INTERNAL.into());
    }
    nest_scratch_folders();
    let bytes = job();
    let mut sender = File::from(sender);
    let code = if sender.write_all(&bytes).is_ok() { 0 } else { i32::from(INTERNAL) };
    exit(code)
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
