//! What a worker sends: its verdict, and what it has counted.

use serde::{Deserialize, Serialize};

use crate::evidence::Verdict;
use crate::monitor::Counters;

/// The result of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Message {
    pub verdict: Verdict,
    pub counters: Counters,
    /// What the proof rests on.
    pub proof: Option<String>,
}

impl Message {
    /// As bytes. The receiver has the same program, so locations and expressions are numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("all of it can be written")
    }

    /// From bytes; `None` if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Message> {
        postcard::from_bytes(bytes).ok()
    }
}
