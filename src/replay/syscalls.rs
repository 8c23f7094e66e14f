//! The system calls that a confined program may make, with their numbers on x86-64 and i386 (-1: there is none).
//!
//! They concern the program itself, or files, which Landlock restricts. Absent are those that create processes, sockets or
//! namespaces, trace or signal other processes, and change the system or the permissions of files.

/// A system call: its name, and its numbers on x86-64 and on i386.
pub type Call = (&'static str, i64, i64);

/// Allowed with any arguments.
#[rustfmt::skip]
pub const ALLOWED: &[Call] = &[
    ("read", 0, 3), ("write", 1, 4), ("open", 2, 5), ("close", 3, 6), ("stat", 4, 106), ("fstat", 5, 108),
    ("lstat", 6, 107), ("poll", 7, 168), ("lseek", 8, 19), ("mmap", 9, 90), ("mmap2", -1, 192), ("mprotect", 10, 125),
    ("munmap", 11, 91), ("brk", 12, 45), ("rt_sigaction", 13, 174), ("rt_sigprocmask", 14, 175),
    ("rt_sigreturn", 15, 173), ("sigaction", -1, 67), ("sigprocmask", -1, 126), ("sigreturn", -1, 119),
    ("rt_sigpending", 127, 176), ("rt_sigsuspend", 130, 179), ("rt_sigtimedwait", 128, 177), ("pread64", 17, 180),
    ("pwrite64", 18, 181), ("readv", 19, 145), ("writev", 20, 146), ("preadv", 295, 333), ("pwritev", 296, 334),
    ("access", 21, 33), ("pipe", 22, 42), ("pipe2", 293, 331), ("select", 23, 82), ("_newselect", -1, 142),
    ("pselect6", 270, 308), ("pselect6_time64", -1, 413), ("ppoll", 271, 309), ("ppoll_time64", -1, 414),
    ("sched_yield", 24, 158), ("sched_getaffinity", 204, 242), ("mremap", 25, 163), ("msync", 26, 144),
    ("mincore", 27, 218), ("madvise", 28, 219), ("dup", 32, 41), ("dup2", 33, 63), ("dup3", 292, 330),
    ("pause", 34, 29), ("nanosleep", 35, 162), ("clock_nanosleep", 230, 267), ("clock_nanosleep_time64", -1, 407),
    ("getitimer", 36, 105), ("setitimer", 38, 104), ("alarm", 37, 27), ("getpid", 39, 20), ("getppid", 110, 64),
    ("gettid", 186, 224), ("getpgrp", 111, 65), ("getuid", 102, 24), ("geteuid", 107, 49), ("getgid", 104, 47),
    ("getegid", 108, 50), ("getuid32", -1, 199), ("geteuid32", -1, 201), ("getgid32", -1, 200),
    ("getegid32", -1, 202), ("exit", 60, 1), ("exit_group", 231, 252), ("execve", 59, 11), ("uname", 63, 122),
    ("flock", 73, 143), ("fsync", 74, 118), ("fdatasync", 75, 148), ("truncate", 76, 92), ("truncate64", -1, 193),
    ("ftruncate", 77, 93), ("ftruncate64", -1, 194), ("getdents", 78, 141), ("getdents64", 217, 220),
    ("getcwd", 79, 183), ("chdir", 80, 12), ("fchdir", 81, 133), ("rename", 82, 38), ("renameat", 264, 302),
    ("renameat2", 316, 353), ("mkdir", 83, 39), ("mkdirat", 258, 296), ("rmdir", 84, 40), ("creat", 85, 8),
    ("unlink", 87, 10), ("unlinkat", 263, 301), ("link", 86, 9), ("linkat", 265, 303), ("symlink", 88, 83),
    ("symlinkat", 266, 304), ("readlink", 89, 85), ("readlinkat", 267, 305), ("umask", 95, 60),
    ("gettimeofday", 96, 78), ("time", 201, 13), ("times", 100, 43), ("clock_gettime", 228, 265),
    ("clock_gettime64", -1, 403), ("clock_getres", 229, 266), ("clock_getres_time64", -1, 406), ("getrlimit", 97, 76),
    ("ugetrlimit", -1, 191), ("getrusage", 98, 77), ("sysinfo", 99, 116), ("sigaltstack", 131, 186),
    ("statfs", 137, 99), ("fstatfs", 138, 100), ("statfs64", -1, 268), ("fstatfs64", -1, 269),
    ("arch_prctl", 158, 384), ("set_thread_area", 205, 243), ("set_tid_address", 218, 258),
    ("set_robust_list", 273, 311), ("get_robust_list", 274, 312), ("futex", 202, 240), ("futex_time64", -1, 422),
    ("restart_syscall", 219, 0), ("openat", 257, 295), ("newfstatat", 262, -1), ("fstatat64", -1, 300),
    ("stat64", -1, 195), ("lstat64", -1, 196), ("fstat64", -1, 197), ("statx", 332, 383), ("faccessat", 269, 307),
    ("faccessat2", 439, 439), ("getrandom", 318, 355), ("rseq", 334, 386), ("memfd_create", 319, 356),
    ("copy_file_range", 326, 377), ("sendfile", 40, 187), ("sendfile64", -1, 239), ("_llseek", -1, 140),
    ("fadvise64", 221, 250), ("getcpu", 309, 318), ("membarrier", 324, 375), ("close_range", 436, 436),
];

/// Allowed if the first argument is the program's own process.
pub const SIGNALS: &[Call] = &[("kill", 62, 37), ("tkill", 200, 238), ("tgkill", 234, 270)];

/// `fcntl`, except for commands that send signals.
pub const FCNTL: &[Call] = &[("fcntl", 72, 55), ("fcntl64", -1, 221)];

/// `ioctl`, for questions about terminals and pipes only.
pub const IOCTL: Call = ("ioctl", 16, 54);

/// `prlimit64`, for questions only.
pub const PRLIMIT: Call = ("prlimit64", 302, 340);
