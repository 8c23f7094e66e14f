//! Links the Z3 that `scripts/setup` has installed, and has programs find it when they start.
//!
//! All packages with programs or tests use this script.

use std::env;
use std::path::{Path, PathBuf};

/// The version that `scripts/setup` installs.
const VERSION: &str = "5.4.0.0";

/// The version of Bitwuzla that it installs, which is not needed to build.
const BITWUZLA: &str = "0.9.1";

fn main() {
    println!("cargo:rerun-if-env-changed=CLEW_Z3_LIB");
    let folder = env::var_os("CLEW_Z3_LIB").map_or_else(installed, PathBuf::from);
    let library = folder.join("libz3.so");
    println!("cargo:rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo:error=Z3 {VERSION} is missing ({}): run scripts/setup", library.display());
        return;
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    let bitwuzla = folder.join(format!("../../bitwuzla-{BITWUZLA}/bin/bitwuzla"));
    println!("cargo:rustc-env=CLEW_BITWUZLA={}", bitwuzla.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
}

/// Where `scripts/setup` installs it.
fn installed() -> PathBuf {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let is_root = |folder: &&Path| folder.join("scripts/setup").exists();
    let root = package.ancestors().find(is_root).unwrap_or(&package);
    root.join(format!(".solvers/z3-solver-{VERSION}/lib"))
}
