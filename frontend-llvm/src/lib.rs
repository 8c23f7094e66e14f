//! From C, C++ and LLVM bitcode to control-flow automata. LLVM lives here and nowhere else.

mod ir;
mod names;
mod pointsto;
