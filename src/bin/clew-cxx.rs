//! `clew-cxx`: `clew-cc` for C++, under a name that cargo allows. Scripts install it as `clew-c++`, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    clew_clang::wrapper::main()
}
