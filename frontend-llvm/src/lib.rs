//! From C, C++ and LLVM bitcode to control-flow automata. LLVM lives here and nowhere else.

pub mod compile;
