//! The algorithms of configurable program analysis, which know no concrete domain; bounded model checking;
//! invariants; summaries; and concrete runs.

pub mod bmc;
pub mod cegar;
pub mod cells;
pub mod explore;
pub mod guess;
pub mod hunt;
pub mod invariants;
pub mod runs;
pub mod summary;
pub mod survey;
pub mod symbolic;

pub use cegar::{Hunting, Laziness, cegar};
pub use explore::{Exploration, Explorer, NodePolicy, Path, Settings, Target};
pub use hunt::{Hunt, Hunted, Hunter, Proofs};
pub use survey::{InTurn, Survey};
