//! The versions of all programs that take part in a check, of which each may change verdicts.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use clew_frontend_llvm::compile::Clang;
use clew_verifier::smt::z3_version;

use super::store::Store;
use crate::check::solvers::bitwuzla_version;

/// Variables that clang and Clew read.
const VARIABLES: &[&str] = &[
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CLEW_CLANG",
    "CLEW_SOLVERS",
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SDKROOT",
    "LD_LIBRARY_PATH",
];

/// The versions as text: this executable by its content, the others as they tell it, and what steers them.
pub fn versions(store: &Store) -> String {
    let own = env::current_exe().ok().and_then(|program| content(&program, store));
    // Without it, nothing is found again.
    let own = own.unwrap_or_else(|| format!("{:?}", (std::process::id(), std::time::SystemTime::now())));
    let clang = Clang::find().map_or_else(|error| error.to_string(), |clang| clang.version().to_owned());
    let mut parts = vec![
        own,
        clang,
        z3_version().to_string(),
        bitwuzla_version().unwrap_or_default(),
        format!("{} {}", env::consts::OS, env::consts::ARCH),
    ];
    parts.extend(VARIABLES.iter().map(|name| format!("{name}={:?}", env::var_os(name))));
    parts.join("\n")
}

/// The hash of a program. Reading it takes long, so the hash is remembered as long as the file looks the same.
fn content(program: &Path, store: &Store) -> Option<String> {
    let data = fs::metadata(program).ok()?;
    let times = (data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec());
    let state = format!("{:?}", (program, data.dev(), data.ino(), data.len(), times));
    if let Some(hash) = store.program(&state) {
        return String::from_utf8(hash).ok();
    }
    let hash = blake3::hash(&fs::read(program).ok()?).to_hex().to_string();
    store.set_program(&state, hash.as_bytes());
    Some(hash)
}
