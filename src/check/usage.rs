//! Resource usage of this process. Reading it allocates nothing, so that it works when memory has run out.

use std::ffi::CStr;
use std::io::Write;
use std::ops::Add;
use std::time::Duration;

use rustix::fs::{Mode, OFlags, open};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

/// Resource usage of a process.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// Resident memory, in bytes.
    pub resident: u64,
    /// The size of the address space, in bytes.
    pub address_space: u64,
    /// CPU time, including that of finished children.
    pub cpu: Duration,
}

impl Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        Usage {
            resident: self.resident + other.resident,
            address_space: self.address_space + other.address_space,
            cpu: self.cpu + other.cpu,
        }
    }
}

/// The current usage of this process; zero if `/proc` is not readable.
pub fn now() -> Usage {
    let mut buffer = [0; 1024];
    parse(read(c"/proc/self/stat", &mut buffer)).map_or(Usage::default(), |(_, usage)| usage)
}

/// The current usage of another process; zero if it has ended. Allocates nothing.
pub fn of(process: Pid) -> Usage {
    let mut path = [0; 32];
    let mut rest = &mut path[..];
    // A number of ten digits fits.
    let _ = write!(rest, "/proc/{}/stat\0", process.as_raw_nonzero());
    let mut buffer = [0; 1024];
    let Ok(path) = CStr::from_bytes_until_nul(&path) else { return Usage::default() };
    parse(read(path, &mut buffer)).map_or(Usage::default(), |(_, usage)| usage)
}

/// The current usage of another process and of the children of its main thread, which are the solvers of a worker.
/// Allocates nothing.
pub fn with_children(process: Pid) -> Usage {
    let mut path = [0; 64];
    let mut rest = &mut path[..];
    let raw = process.as_raw_nonzero();
    let _ = write!(rest, "/proc/{raw}/task/{raw}/children\0");
    let mut buffer = [0; 1024];
    let children = CStr::from_bytes_until_nul(&path).map_or("", |path| read(path, &mut buffer));
    let children = children.split_ascii_whitespace().filter_map(|child| Pid::from_raw(child.parse().ok()?));
    children.map(of).fold(of(process), Add::add)
}

/// Peak resident memory, in bytes.
pub fn peak_memory() -> u64 {
    let mut buffer = [0; 2048];
    let status = read(c"/proc/self/status", &mut buffer);
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0u64) * 1024
}

/// The total usage of running child processes. Allocates.
pub fn of_children() -> Usage {
    let this = u64::from(std::process::id());
    let Ok(processes) = std::fs::read_dir("/proc") else { return Usage::default() };
    let stats = processes.flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        std::fs::read_to_string(entry.path().join("stat")).ok()
    });
    let of_ours = stats.filter_map(|stat| parse(&stat)).filter(|&(parent, _)| parent == this);
    of_ours.map(|(_, usage)| usage).fold(Usage::default(), Add::add)
}

/// The parent and the usage from a line of `/proc/PID/stat`.
fn parse(stat: &str) -> Option<(u64, Usage)> {
    // Field 2, the name in parentheses, may contain any character, so parsing starts after it, at field 3.
    let (_, after_name) = stat.rsplit_once(')')?;
    let field = |number: usize| after_name.split_ascii_whitespace().nth(number - 3)?.parse::<u64>().ok();
    let ticks: u64 = [14, 15, 16, 17].into_iter().filter_map(field).sum();
    let usage = Usage {
        resident: field(24)? * page_size() as u64,
        address_space: field(23)?,
        cpu: Duration::from_millis(ticks * 1000 / clock_ticks_per_second().max(1)),
    };
    Some((field(4)?, usage))
}

/// The start of a small text file; empty if it cannot be read.
fn read<'b>(path: &CStr, buffer: &'b mut [u8]) -> &'b str {
    let Ok(file) = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else { return "" };
    let length = rustix::io::read(&file, &mut *buffer).unwrap_or(0);
    match std::str::from_utf8(&buffer[..length]) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&buffer[..error.valid_up_to()]).unwrap_or(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_something() {
        let usage = now();
        assert!(usage.resident > 100_000 && usage.address_space > usage.resident, "{usage:?}");
        assert!(peak_memory() >= 100_000);
    }

    #[test]
    fn names_with_parentheses() {
        let stat = "7 (a) b (c) S 3 0 0 0 0 0 0 0 0 0 100 50 25 25 0 0 0 0 0 8192 2 0";
        let (parent, usage) = parse(stat).unwrap();
        assert_eq!((parent, usage.address_space, usage.resident), (3, 8192, 2 * page_size() as u64));
        assert_eq!(usage.cpu, Duration::from_millis(200 * 1000 / clock_ticks_per_second()));
    }
}
