//! Octagons: bounds on variables, and on sums and differences of two variables.
//!
//! The matrix is split into blocks of related variables; what bounds of single variables imply is not stored. So the
//! work depends on how many variables are related, not on how many there are. Blocks have a limited size: a constraint
//! that would join too large ones is dropped.

mod block;
mod constraints;
mod transfer;

use std::rc::Rc;

use imbl::OrdMap;

use super::{Linear, NumericDomain, Range};
use crate::expr::Var;
use crate::tuning::Numeric;
use block::{Block, INFINITE};

/// An octagon.
///
/// Each variable of which something is known is in one block. Except after widening, blocks are closed and cannot be
/// split.
#[derive(Clone, Debug)]
pub struct Octagon {
    blocks: OrdMap<Var, Rc<Block>>,
    is_bottom: bool,
    /// The maximum number of variables in a block.
    max_block: usize,
}

impl Octagon {
    fn empty(&self) -> Octagon {
        Octagon { blocks: OrdMap::new(), is_bottom: false, max_block: self.max_block }
    }

    /// The blocks, each once.
    fn iter(&self) -> impl Iterator<Item = &Rc<Block>> {
        self.blocks.iter().filter(|(var, block)| block.vars[0] == **var).map(|(_, block)| block)
    }

    fn insert(&mut self, block: Block) {
        let block = Rc::new(block);
        for &var in &block.vars {
            self.blocks.insert(var, Rc::clone(&block));
        }
    }

    /// Inserts the parts of a closed block, which replace the blocks of its variables.
    fn insert_split(&mut self, block: Block) {
        let groups = block.groups();
        if let [group] = &groups[..]
            && group.len() == block.vars.len()
        {
            return self.insert(block);
        }
        block.vars.iter().for_each(|var| drop(self.blocks.remove(var)));
        for group in groups {
            self.insert(block.restricted(group));
        }
    }

    /// One block of these variables, which are sorted and cover all blocks that they are in.
    fn dense(&self, vars: &[Var]) -> Block {
        let mut all = Block::new(Vec::new());
        for &var in vars {
            match self.blocks.get(&var) {
                Some(block) if block.vars[0] == var => all.extend(block),
                Some(_) => {}
                None => all.extend(&Block::new(vec![var])),
            }
        }
        all
    }

    /// The same without variables that `keeps` refuses.
    fn kept(&self, keeps: impl Fn(Var) -> bool) -> Octagon {
        let mut kept = self.empty();
        for block in self.iter() {
            let vars: Vec<Var> = block.vars.iter().copied().filter(|&var| keeps(var)).collect();
            if vars.len() == block.vars.len() {
                block.vars.iter().for_each(|&var| drop(kept.blocks.insert(var, Rc::clone(block))));
            } else if !vars.is_empty() {
                kept.insert(block.restricted(vars));
            }
        }
        kept
    }

    /// Combines the constraints on variables that both have, block by block. Variables of blocks that are related in one
    /// of both are combined at once, unless there are too many of them.
    fn combine(&self, other: &Octagon, combine: impl Fn(&Block, &Block) -> Block, mut insert: impl FnMut(Block)) {
        let one = self.kept(|var| other.blocks.contains_key(&var));
        let two = other.kept(|var| one.blocks.contains_key(&var));
        // Where bounds of two variables differ at once, the variables may be related in the result. The others cannot be,
        // unless they are now.
        let is_changed = |var: &Var| {
            let [a, b] = [&one, &two].map(|octagon| octagon.range(&Linear::var(*var)));
            a != b
        };
        let changed: Vec<Var> = one.blocks.keys().copied().filter(is_changed).collect();
        let united = groups(&[&one, &two], &changed);
        let is_small = united.iter().all(|group| group.len() <= self.max_block);
        for group in if is_small { united } else { groups(&[&one, &two], &[]) } {
            if group.len() > self.max_block {
                for var in group {
                    let [a, b] = [&one, &two].map(|octagon| octagon.blocks[&var].restricted(vec![var]));
                    insert(combine(&a, &b));
                }
            } else {
                insert(combine(&one.dense(&group), &two.dense(&group)));
            }
        }
    }
}

/// The variables of octagons in groups that cover all their blocks; some variables are in the same group.
fn groups(octagons: &[&Octagon], together: &[Var]) -> Vec<Vec<Var>> {
    let mut vars: Vec<Var> = octagons.iter().flat_map(|octagon| octagon.blocks.keys().copied()).collect();
    vars.sort_unstable();
    vars.dedup();
    let mut leaders: Vec<usize> = (0..vars.len()).collect();
    fn leader(leaders: &mut [usize], mut at: usize) -> usize {
        while leaders[at] != at {
            leaders[at] = leaders[leaders[at]];
            at = leaders[at];
        }
        at
    }
    let place = |var: &Var| vars.binary_search(var).expect("it is there");
    let blocks = octagons.iter().flat_map(|octagon| octagon.iter()).map(|block| &block.vars[..]);
    for vars in blocks.chain([together]) {
        let Some((first, others)) = vars.split_first() else { continue };
        let first = leader(&mut leaders, place(first));
        for var in others {
            let other = leader(&mut leaders, place(var));
            leaders[other] = first;
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<Var>> = std::collections::BTreeMap::new();
    for (at, &var) in vars.iter().enumerate() {
        groups.entry(leader(&mut leaders, at)).or_default().push(var);
    }
    groups.into_values().collect()
}

/// The first of the sorted thresholds from `bound` on.
fn next(bound: i128, thresholds: &[i128], is_single: bool) -> i128 {
    // Entries of single variables bound their double.
    let scale = if is_single { 2 } else { 1 };
    let found = thresholds.get(thresholds.partition_point(|&t| t * scale < bound));
    found.map_or(INFINITE, |&t| t * scale)
}

impl NumericDomain for Octagon {
    fn top(tuning: Numeric) -> Octagon {
        Octagon { blocks: OrdMap::new(), is_bottom: false, max_block: tuning.max_block }
    }

    fn is_bottom(&self) -> bool {
        self.is_bottom
    }

    fn set_bottom(&mut self) {
        *self = Octagon { is_bottom: true, ..self.empty() };
    }

    fn leq(&self, other: &Octagon) -> bool {
        if self.is_bottom || other.is_bottom {
            return self.is_bottom;
        }
        other.iter().all(|block| {
            if self.blocks.get(&block.vars[0]).is_some_and(|own| Rc::ptr_eq(own, block)) {
                return true;
            }
            let own = self.kept(|var| block.node(var).is_some());
            own.dense(&block.vars).is_below(block)
        })
    }

    fn join(&self, other: &Octagon) -> Octagon {
        match (self.is_bottom, other.is_bottom) {
            (true, _) => return other.clone(),
            (_, true) => return self.clone(),
            _ => {}
        }
        let mut joined = self.empty();
        self.combine(other, |a, b| a.zip(b, |a, b, _| a.max(b)), |block| joined.insert_split(block));
        joined
    }

    fn meet(&self, other: &Octagon) -> Octagon {
        let mut met = self.clone();
        if other.is_bottom {
            met.set_bottom();
        }
        for group in groups(&[self, other], &[]) {
            if met.is_bottom {
                break;
            }
            if group.len() > self.max_block {
                // Constraint by constraint, as far as there is room.
                let part = other.kept(|var| group.binary_search(&var).is_ok());
                part.constraints().iter().for_each(|form| met.assume(form));
                continue;
            }
            let mut block = self.dense(&group).zip(&other.dense(&group), |a, b, _| a.min(b));
            if block.close() { met.insert_split(block) } else { met.set_bottom() }
        }
        met
    }

    fn assign(&mut self, var: Var, value: &Linear) {
        if !self.is_bottom {
            self.set(var, value);
        }
    }

    fn assume(&mut self, form: &Linear) {
        if !self.is_bottom {
            self.restrict(form);
        }
    }

    fn forget(&mut self, var: Var) {
        let Some(block) = self.blocks.remove(&var) else { return };
        if block.vars.len() > 1 {
            let rest = block.vars.iter().copied().filter(|&other| other != var).collect();
            self.insert_split(block.restricted(rest));
        }
    }

    fn rename(&mut self, from: Var, to: Var) {
        let Some(block) = self.blocks.remove(&from) else { return };
        let called = |&var: &Var| if var == from { to } else { var };
        let mut vars: Vec<Var> = block.vars.iter().map(called).collect();
        vars.sort_unstable();
        let mut renamed = Block::new(vars);
        let node = |a: usize| renamed.node(called(&block.vars[a / 2])).expect("it is there") + a % 2;
        let nodes: Vec<usize> = (0..block.nodes()).map(node).collect();
        for a in 0..block.nodes() {
            for b in 0..=(a | 1) {
                renamed.set(nodes[a], nodes[b], block.get(a, b));
            }
        }
        self.insert(renamed);
    }

    fn is_exact(value: &Linear) -> bool {
        matches!(*value.parts, [] | [(_, 1 | -1)])
    }

    fn widen(&self, newer: &Octagon, thresholds: &[i128]) -> Octagon {
        if self.is_bottom {
            return newer.clone();
        }
        if newer.is_bottom {
            return self.clone();
        }
        let grow = |a: i128, b: i128, is_single| if b <= a { a } else { next(b, thresholds, is_single) };
        let mut widened = self.empty();
        self.combine(newer, |a, b| a.zip(b, grow), |block| widened.insert(block));
        widened
    }

    fn closed(&self) -> Octagon {
        let mut closed = self.clone();
        for block in self.iter() {
            let mut block = (**block).clone();
            if !block.close() {
                closed.set_bottom();
                return closed;
            }
            closed.insert_split(block);
        }
        closed
    }

    fn vars(&self) -> Vec<Var> {
        self.blocks.keys().copied().collect()
    }

    fn bounds(&self, form: &Linear) -> Range {
        self.range(form)
    }

    fn constraints(&self) -> Vec<Linear> {
        if self.is_bottom {
            return vec![Linear::constant(1)];
        }
        self.iter().flat_map(|block| constraints::of(block)).collect()
    }

    fn size(&self) -> usize {
        self.iter().map(|block| block.size()).sum()
    }
}
