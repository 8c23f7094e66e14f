//! The algorithms of configurable program analysis; they know no concrete domain.

pub mod cegar;
pub mod explore;
mod hunt;

pub use cegar::{Answer, Laziness, Refine, Refined, cegar};
pub use explore::{Exploration, Explorer, Path, Settings, Stops, Target};
