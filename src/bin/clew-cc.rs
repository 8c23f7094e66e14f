//! `clew-cc`: clang, which also puts bitcode for Clew into objects and programs. As `clew-c++`, it is clang++.

use std::process::ExitCode;

fn main() -> ExitCode {
    clew_clang::wrapper::main()
}
