//! The program model: functions, locations, and edges with one operation each.

pub mod assumption;
pub mod builder;
pub mod large;
pub mod path;
pub mod program;
pub mod property;
mod reached;
pub mod source;
pub mod types;
mod unread;

pub use assumption::{Assumption, Effect};
pub use builder::ProgramBuilder;
pub use path::Step;
pub use program::{
    AddressSpace, Automaton, Edge, EdgeId, External, ExternalId, FuncId, Function, Havoc, InitialCells, LocId,
    Location, LocationKind, Op, Outside, Program, Scope, Segment, VarInfo, VarKind,
};
pub use property::{Checks, Operand, Property, PropertyKind, PropertySet};
pub use source::{FileId, SourceId, SourceMap, SourcePlace};
pub use types::{Member, Shape, Slot, SourceType, TypeId, Types};
