//! Waitlists: the nodes to be expanded, and the order of exploration.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::NodeId;

/// The order in which nodes are taken from the waitlist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// The newest first.
    DepthFirst,
    /// The oldest first: short error paths, which refine well.
    #[default]
    BreadthFirst,
    /// Innermost calls first, then reverse postorder of the automaton, so that paths join before they continue.
    ReversePostorder,
    /// Nodes in the innermost loops first.
    LoopDepth,
    /// The newest and the oldest alternately: depth-first and breadth-first at once.
    Alternating,
    /// Pseudo-random, with this seed.
    Random(u64),
}

/// A node with its stamp, since the id of a removed node may have been reused.
type Entry = (NodeId, u32);

/// The nodes to be expanded.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    queue: Queue,
    /// The number of insertions and removals so far.
    count: u64,
}

#[derive(Debug)]
enum Queue {
    Both(VecDeque<Entry>),
    /// Ordered by rank, lowest first, then by age, oldest first.
    Ranked(BinaryHeap<Reverse<(u64, u64, Entry)>>),
    Any(Vec<Entry>, u64),
}

impl Waitlist {
    /// An empty waitlist.
    pub fn new(order: Order) -> Waitlist {
        let queue = match order {
            Order::DepthFirst | Order::BreadthFirst | Order::Alternating => Queue::Both(VecDeque::new()),
            Order::ReversePostorder | Order::LoopDepth => Queue::Ranked(BinaryHeap::new()),
            Order::Random(seed) => Queue::Any(Vec::new(), seed),
        };
        Waitlist { order, queue, count: 0 }
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Adds a node. Its rank matters only in orders with ranks.
    pub fn push(&mut self, node: NodeId, stamp: u32, rank: u64) {
        self.count += 1;
        match &mut self.queue {
            Queue::Both(entries) => entries.push_back((node, stamp)),
            Queue::Ranked(entries) => entries.push(Reverse((rank, self.count, (node, stamp)))),
            Queue::Any(entries, _) => entries.push((node, stamp)),
        }
    }

    /// Removes the next node.
    pub fn pop(&mut self) -> Option<(NodeId, u32)> {
        self.count += 1;
        match &mut self.queue {
            Queue::Both(entries) if self.order == Order::DepthFirst => entries.pop_back(),
            Queue::Both(entries) if self.order == Order::Alternating && self.count.is_multiple_of(2) => {
                entries.pop_back()
            }
            Queue::Both(entries) => entries.pop_front(),
            Queue::Ranked(entries) => entries.pop().map(|Reverse((_, _, entry))| entry),
            Queue::Any(entries, state) => {
                if entries.is_empty() {
                    return None;
                }
                // xorshift*; its state must not be zero.
                *state = (*state).max(1);
                *state ^= *state >> 12;
                *state ^= *state << 25;
                *state ^= *state >> 27;
                let chosen = state.wrapping_mul(0x2545_f491_4f6c_dd1d) % entries.len() as u64;
                Some(entries.swap_remove(chosen as usize))
            }
        }
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        match &mut self.queue {
            Queue::Both(entries) => entries.clear(),
            Queue::Ranked(entries) => entries.clear(),
            Queue::Any(entries, _) => entries.clear(),
        }
    }
}
