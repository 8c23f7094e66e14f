//! Constraints that describe a closed block, without those that others imply.

use super::Linear;
use super::block::{Block, INFINITE};

/// Constraints `form <= 0` that describe a closed block.
///
/// Nodes that differ by a constant are a class, and are related to its first node. The first nodes of classes have no
/// cycles of equalities, so each constraint that a path of two others implies can be left out.
pub(super) fn of(block: &Block) -> Vec<Linear> {
    let nodes = block.nodes();
    let is_same = |a: usize, b: usize| {
        let (there, back) = (block.get(a, b), block.get(b, a));
        there != INFINITE && back != INFINITE && there + back == 0
    };
    let leaders: Vec<usize> = (0..nodes).map(|a| (0..a).find(|&b| is_same(a, b)).unwrap_or(a)).collect();
    let mut constraints = Vec::new();
    for (a, &leader) in leaders.iter().enumerate() {
        if leader != a {
            constraints.extend(constraint(block, leader, a));
            constraints.extend(constraint(block, a, leader));
        }
    }
    let firsts: Vec<usize> = (0..nodes).filter(|&a| leaders[a] == a).collect();
    for &a in &firsts {
        for &b in firsts.iter().filter(|&&b| b != a && b <= (a | 1)) {
            let bound = block.get(a, b);
            let is_single = b == a ^ 1;
            let by_bounds = !is_single && block.implied(a, b) <= bound;
            let by_path = || {
                firsts.iter().any(|&via| {
                    let (first, second) = (block.get(a, via), block.get(via, b));
                    via != a && via != b && first != INFINITE && second != INFINITE && first + second <= bound
                })
            };
            if bound != INFINITE && !by_bounds && (is_single || !by_path()) {
                constraints.extend(constraint(block, a, b));
            }
        }
    }
    constraints
}

/// The constraint of an entry.
fn constraint(block: &Block, a: usize, b: usize) -> Option<Linear> {
    let bound = Some(block.get(a, b)).filter(|&bound| bound != INFINITE && a != b)?;
    let node = |node: usize| {
        let form = Linear::var(block.vars[node / 2]);
        if node.is_multiple_of(2) { form } else { form.negated() }
    };
    Some(if b == a ^ 1 { node(b).offset(-bound.div_euclid(2)) } else { node(b).minus(&node(a)).offset(-bound) })
}
