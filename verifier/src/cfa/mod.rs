//! The program model: locations, edges, operations and expressions, with one definition of what they mean.

mod build;
pub mod builder;
pub mod constants;
pub mod domain;
pub mod eval;
pub mod expr;
pub(crate) mod float;
pub mod flow;
pub mod interpreter;
pub mod large;
pub mod live;
pub mod loops;
pub(crate) mod narrow;
pub mod path;
pub mod print;
pub mod program;
mod simplify;
pub mod sort;
pub mod source;
pub mod sums;
mod unread;
pub mod value;
pub mod ways;

pub use builder::ProgramBuilder;
pub use constants::Constants;
pub use domain::{DomainType, DomainTypes};
pub use expr::{BinaryOp, Expr, Node, Pool, TernaryOp, UnaryOp};
pub use flow::Flow;
pub use path::Step;
pub use program::{
    Edge, EdgeId, FuncId, Function, Havoc, InitialCells, LocId, Location, LocationKind, Op, Program, Property, Scope,
    Segment, Var, VarInfo, VarKind,
};
pub use sort::{Cell, FloatFormat, MemorySort, Sort};
pub use source::{FileId, SourceId, SourceMap, SourcePlace};
pub use sums::Sums;
pub use value::Value;
