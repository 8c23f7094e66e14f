//! The processes below this one: their CPU time and memory, and their end. From `/proc`, and a control group if there is one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

/// What processes have used so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// CPU time in seconds.
    pub cpu: f64,
    /// Resident memory in bytes; memory that processes share counts for each of them.
    pub memory: u64,
}

/// All processes below this process, which must be a subreaper: then no descendant escapes by losing its parent.
pub fn descendants() -> Vec<u32> {
    let mut found = children_of(std::process::id());
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children_of(process));
        next += 1;
    }
    found
}

/// Every thread has a list of its own of the processes that it started.
fn children_of(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).collect()
}

/// What the processes below this one use, those that ended included.
pub fn usage(processes: &[u32]) -> Usage {
    // Of this process, only what its ended children used counts.
    let mut usage = Usage { cpu: cpu_seconds(std::process::id(), false), memory: 0 };
    for &process in processes {
        usage.cpu += cpu_seconds(process, true);
        usage.memory += resident_bytes(process);
    }
    usage
}

fn cpu_seconds(process: u32, and_its_own: bool) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, may contain anything. What follows starts with field 3.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let field = |number: usize| fields.split_whitespace().nth(number - 3).and_then(|text| text.parse::<u64>().ok());
    let own = if and_its_own { field(14).unwrap_or(0) + field(15).unwrap_or(0) } else { 0 };
    let ticks = own + field(16).unwrap_or(0) + field(17).unwrap_or(0);
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

fn resident_bytes(process: u32) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// Ends all processes below this one and waits for them. Returns how many there were.
pub fn kill_descendants(group: Option<&Group>) -> usize {
    let mut killed = std::collections::BTreeSet::new();
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        // Processes can start others until they are all gone.
        let alive = descendants();
        if alive.is_empty() || Instant::now() > end {
            return killed.len();
        }
        if let Some(group) = group {
            group.kill();
        }
        for &process in &alive {
            killed.insert(process);
            if let Some(id) = Pid::from_raw(process.cast_signed()) {
                let _ = kill_process(id, Signal::KILL);
            }
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        thread::sleep(Duration::from_millis(2));
    }
}

/// A control group (version 2) for one run.
pub struct Group {
    folder: PathBuf,
    /// Where a process writes `0` to join.
    pub door: File,
    limits_memory: bool,
}

impl Group {
    /// A new group below that of this process with a limit on memory in bytes, if the system allows it.
    pub fn new(memory: u64) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?.split(' ').nth(4)?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let folder = Path::new(mount).join(own).join(format!("clew-bench-{}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let Ok(door) = File::options().write(true).open(folder.join("cgroup.procs")) else {
            let _ = fs::remove_dir(&folder);
            return None;
        };
        // Groups of a system with version 1 as well have no controllers.
        let limits_memory = fs::write(folder.join("memory.max"), memory.to_string()).is_ok()
            && fs::write(folder.join("memory.swap.max"), "0").is_ok();
        Some(Self { folder, door, limits_memory })
    }

    /// CPU time of all processes that were in the group, in seconds.
    pub fn cpu(&self) -> Option<f64> {
        let stat = fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let microseconds: f64 = stat.lines().find_map(|line| line.strip_prefix("usage_usec "))?.parse().ok()?;
        Some(microseconds / 1e6)
    }

    /// Whether the system ended a process of the group because of its memory.
    pub fn is_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let killed = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        self.limits_memory && killed.is_some_and(|count| count != "0")
    }

    fn kill(&self) {
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group is busy until its last process is gone for good.
        for _ in 0..50 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            self.kill();
            thread::sleep(Duration::from_millis(10));
        }
    }
}
