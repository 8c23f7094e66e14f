//! Runs verifiers over lists of tasks and scores them by the rules of the verification competition (SV-COMP).
//!
//! `task` and `definition` read lists, `supervise` runs one command within limits, `campaign` runs all of them, `score`,
//! `page` and `regress` present results.

pub mod campaign;
pub mod definition;
pub mod page;
pub mod plot;
pub mod regress;
pub mod results;
pub mod score;
pub mod supervise;
pub mod task;
pub mod tree;
