//! What every compilation for Clew has.

use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Flags for every compilation.
///
/// `-O1` makes clang emit what optimizers would use (lifetimes, and no `optnone`), but no optimizer runs. Nothing may
/// exploit undefined behaviour before the lift, hence wrapping arithmetic and no type-based aliasing. Contraction is
/// off, since `a * b + c` is rounded twice on the target. Value names are kept for readability.
pub const FLAGS: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    // Their cleanup code would route `return` and `break` through a variable; the lifter uses declarations instead.
    "-Xclang",
    "-disable-lifetime-markers",
    "-g",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-discard-value-names",
    "-fbracket-depth=100000",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
    "-ferror-limit=0",
    "-w",
    "-emit-llvm",
    "-c",
];

/// What precedes a C++ file: how libstdc++ treats templates that its binary, which Clew does not see, has instances of.
/// The macro cannot be set on the command line, since the library's configuration defines it.
pub const fn cxx_prelude(own_streams: bool) -> &'static str {
    match own_streams {
        // Everything is instantiated in the program.
        true => {
            "\
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
"
        }
        // All but the streams, which need the library's locales.
        false => {
            "\
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
"
        }
    }
}

/// Clang recurses into nested brackets and expressions; for generated programs, the default stack of 8 MB is too small.
pub fn with_large_stack(command: &mut Command) -> &mut Command {
    const LARGE: u64 = 1_000_000 << 10;
    let enlarge = || {
        let Rlimit { current, maximum } = getrlimit(Resource::Stack);
        let wanted = maximum.map_or(LARGE, |maximum| maximum.min(LARGE));
        if current.is_some_and(|current| current < wanted) {
            setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum })?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec only system calls happen.
    unsafe { command.pre_exec(enlarge) }
}
