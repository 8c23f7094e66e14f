//! The algorithms of configurable program analysis, which know no concrete domain; and bounded model checking.

pub mod bmc;
pub mod cegar;
pub mod explore;
pub mod hunt;
pub mod survey;

pub use cegar::{Answer, Hunting, Laziness, Refine, Refined, cegar};
pub use explore::{Exploration, Explorer, Path, Settings, Stops, Target};
pub use hunt::{Confirmed, Hunt, Hunter, Proofs, Witness};
pub use survey::{InTurn, Survey};
