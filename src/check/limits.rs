//! Resource limits: those of the user, and those of the machine.

use std::fs;
use std::path::Path;
use std::time::Duration;

use clew_verifier::report;
use rustix::process::{Resource, getrlimit};

use super::arguments::LimitArgs;

/// Resource limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time since the process started.
    pub time: Option<Duration>,
    /// CPU time, from `RLIMIT_CPU`.
    pub cpu: Option<Duration>,
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Address space in bytes, from `RLIMIT_AS`.
    pub address_space: Option<u64>,
}

impl Limits {
    /// Combines the arguments with the limits of the system.
    pub fn new(arguments: &LimitArgs) -> Limits {
        let address_space = getrlimit(Resource::As).current;
        Limits {
            time: arguments.time_limit.0,
            cpu: getrlimit(Resource::Cpu).current.map(Duration::from_secs),
            memory: arguments.memory_limit.map_or_else(default_memory, |size| size.as_u64()),
            address_space,
        }
    }

    /// The limits for the report.
    pub fn recorded(&self) -> report::Limits {
        let Limits { time, cpu, memory, address_space } = *self;
        report::Limits { time, cpu, memory, address_space, elapsed: None }
    }

    /// The shorter of the limits on wall-clock and CPU time.
    pub fn shortest(&self) -> Option<Duration> {
        [self.time, self.cpu].into_iter().flatten().min()
    }

    /// How long a run may take to stop after a stop request.
    pub fn grace(&self) -> Duration {
        (self.shortest().unwrap_or_default() / 50).clamp(Duration::from_millis(500), Duration::from_secs(5))
    }
}

/// 85 % of the available memory. The rest is for clang, the system and an orderly exit.
pub fn default_memory() -> u64 {
    let bounds = [machine(), cgroup(), getrlimit(Resource::As).current];
    bounds.into_iter().flatten().min().map_or(u64::MAX, |available| available / 100 * 85)
}

/// Available memory of the machine.
fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Available memory within the control groups of this process.
fn cgroup() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let bounds = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            within("/sys/fs/cgroup", path, ["memory.max", "memory.current", "inactive_file"])
        } else if controllers.split(',').any(|c| c == "memory") {
            let files = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"];
            within("/sys/fs/cgroup/memory", path, files)
        } else {
            None
        }
    });
    bounds.min()
}

/// The minimum over a group and its ancestors. Inside a container, only the outermost group may be visible.
fn within(root: &str, path: &str, [limit, used, reclaimable]: [&str; 3]) -> Option<u64> {
    let number = |file: &Path| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let bounds = Path::new(path.trim_start_matches('/')).ancestors().filter_map(|group| {
        let folder = Path::new(root).join(group);
        let limit = number(&folder.join(limit))?;
        let used = number(&folder.join(used)).unwrap_or(0);
        let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        // Page cache is reclaimed on demand.
        let cache = statistics.lines().find_map(|l| l.strip_prefix(reclaimable)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
    });
    bounds.min()
}
