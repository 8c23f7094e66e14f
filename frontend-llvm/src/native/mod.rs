//! From a module to an executable that follows a counterexample: the program itself, the real libraries, and a harness
//! that feeds the inputs.
//!
//! The module is the one that was verified, without the models. `instrument` marks the places where a property can be
//! violated; `harness` writes the C file that gives the inputs and reports the violation.

mod build;
mod harness;
mod instrument;

pub use build::{NativeProgram, Source};
pub use harness::{InputFunction, Instructions, Recipe, RecipeInput};
pub use instrument::Place;
