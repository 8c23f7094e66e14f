//! Library functions whose results come from outside of the program, so that each of them is an input in effect.
//!
//! What the models allow for them can really happen, given the right files, arguments, devices or clock. Functions whose
//! results depend on their arguments alone are not among them, however loosely they are modelled. Nor are those that read
//! files, if the program may have written the files itself.

/// Sorted by name.
#[rustfmt::skip]
const ENVIRONMENT: &[&str] = &[
    "access", "alarm", "arc4random", "arc4random_uniform", "chmod", "clearerr", "clock", "clock_gettime", "close", "creat",
    "dprintf", "drand48", "dup", "dup2", "fclose", "fdopen", "feof", "ferror", "fflush", "fgetc", "fgets", "fileno", "fopen",
    "fopen64", "fork", "fprintf", "fputc", "fputs", "fread", "freopen", "fscanf", "fseek", "fseeko", "ftell", "ftello",
    "fwrite", "getc", "getc_unlocked", "getchar", "getchar_unlocked", "getcwd", "getdelim", "getenv", "getline", "getpid",
    "gets", "gettimeofday", "isatty", "kill", "localtime", "localtime_r", "lrand48", "lseek", "main", "mkdir", "mrand48",
    "nanosleep", "open", "open64", "pclose", "perror", "pipe", "popen", "printf", "pthread_mutex_trylock", "pthread_self",
    "putc", "putchar", "puts", "raise", "rand", "rand_r", "random", "read", "remove", "rename", "scanf", "sched_yield",
    "secure_getenv", "setbuf", "setvbuf", "sigaction", "sleep", "sysconf", "system", "time", "timespec_get", "tmpfile",
    "ungetc", "usleep", "vdprintf", "vfork", "vfprintf", "vfscanf", "vprintf", "vscanf", "write",
];

/// Those that read files or ask about them, sorted by name. What comes from the standard input only is not among them.
#[rustfmt::skip]
const READ_FILES: &[&str] = &[
    "access", "feof", "fgetc", "fgets", "fread", "fscanf", "fseek", "fseeko", "ftell", "ftello", "getc", "getc_unlocked",
    "getdelim", "getline", "lseek", "read", "ungetc", "vfscanf",
];

/// Prefixes and suffixes of the names that headers give to checked or standard-specific variants.
const PREFIXES: [&str; 3] = ["__isoc99_", "__isoc23_", "__"];

/// The name of all functions that read from a stream of C++.
pub(super) const STREAM: &str = "std::istream";

/// The name of those that read texts, whose model is looser than what can be read.
pub(super) const STREAM_TEXT: &str = "std::istream (a text)";

/// Whether the environment decides what a library function returns. `writes`: whether the program may write files.
pub(super) fn is_environment(name: &str, writes: bool) -> bool {
    let is_listed = |name: &str| ENVIRONMENT.binary_search(&name).is_ok() && !(writes && reads_files(name));
    let checked = name.strip_suffix("_chk").unwrap_or(name);
    (name == STREAM && !writes)
        || is_listed(name)
        || PREFIXES.iter().any(|prefix| checked.strip_prefix(prefix).is_some_and(is_listed))
}

fn reads_files(name: &str) -> bool {
    READ_FILES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(ENVIRONMENT.is_sorted() && READ_FILES.is_sorted());
        let is_input = |name| is_environment(name, false);
        assert!(is_input("scanf") && is_input("__isoc99_scanf") && is_input("__fgets_chk") && is_input(STREAM));
        assert!(!is_input("sscanf") && !is_input("__isoc99_sscanf") && !is_input("pow") && !is_input(STREAM_TEXT));
        assert!(
            is_environment("scanf", true) && !is_environment("fread", true) && !is_environment("__fgets_chk", true)
        );
    }
}
