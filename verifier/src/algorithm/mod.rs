//! The algorithms of configurable program analysis, which know no concrete domain; and bounded model checking.

pub mod bmc;
pub mod cegar;
pub mod explore;
pub mod hunt;

pub use cegar::{Answer, Hunting, Laziness, Refine, Refined, cegar};
pub use explore::{Exploration, Explorer, Path, Settings, Stops, Target};
pub use hunt::{Hunt, Hunter, Witness};
