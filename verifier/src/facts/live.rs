//! Live variables: the local variables that may be read before they are written again.

use std::collections::BTreeMap;

use crate::cfa::program::{EdgeId, FuncId, Function, LocId, Op, Program};
use crate::expr::{Expr, Node, Pool, Sort, Var};

/// Where local scalar variables die.
#[derive(Clone, Debug)]
pub struct Liveness {
    at: Vec<Box<[Var]>>,
    during: Vec<Box<[Var]>>,
    heads: BTreeMap<LocId, Box<[Var]>>,
}

impl Liveness {
    /// Computes liveness for all functions of `program`.
    pub fn new(program: &Program) -> Liveness {
        let mut liveness = Liveness {
            at: vec![Box::default(); program.locations.len()],
            during: vec![Box::default(); program.edges.len()],
            heads: BTreeMap::new(),
        };
        let mut variables =
            Variables { slots: vec![None; program.vars.len()], seen: vec![0; program.pool.len()], visit: 0 };
        for id in (0..program.functions.len() as u32).map(FuncId) {
            liveness.add(program, id, &mut variables);
        }
        liveness
    }

    /// The local variables that may have a value at `location` but are no longer live there.
    pub fn dead_at(&self, location: LocId) -> &[Var] {
        &self.at[location.index()]
    }

    /// The variables of the caller that are dead while the callee of the call `edge` runs.
    pub fn dead_during(&self, edge: EdgeId) -> &[Var] {
        &self.during[edge.index()]
    }

    /// The local variables that are live at the head of a loop.
    pub fn live_at_head(&self, head: LocId) -> &[Var] {
        self.heads.get(&head).map_or(&[], |live| live)
    }

    fn add(&mut self, program: &Program, id: FuncId, variables: &mut Variables) {
        let function = program.function(id);
        let locals = variables.of(program, function);
        let live = live_sets(program, function, variables, locals.len());
        let first = function.locations.start;
        let set = |location: LocId| &live[(location.0 - first) as usize];
        for head in function.locations.clone().map(LocId).filter(|&location| program.location(location).loop_head) {
            let live = set(head).iter().zip(&locals).filter(|(is_live, _)| **is_live).map(|(_, &var)| var);
            self.heads.insert(head, live.collect());
        }
        let mut dead = vec![vec![false; locals.len()]; function.locations.len()];
        for (edge_id, edge) in program.edges_of(id) {
            let (before, after) = (set(edge.from), set(edge.to));
            let written = edge.op.written().and_then(|var| variables.slots[var.index()]);
            let dying: Vec<usize> = (0..locals.len())
                .filter(|&slot| (before[slot] || written == Some(slot as u32)) && !after[slot])
                .collect();
            if let Op::Call { .. } = edge.op {
                self.during[edge_id.index()] = dying.iter().map(|&slot| locals[slot]).collect();
            }
            for slot in dying {
                dead[(edge.to.0 - first) as usize][slot] = true;
            }
        }
        for (offset, dead) in dead.into_iter().enumerate() {
            let vars = dead.into_iter().zip(&locals).filter(|(is_dead, _)| *is_dead).map(|(_, &var)| var);
            self.at[first as usize + offset] = vars.collect();
        }
    }
}

/// Slots of the local scalar variables of the current function, and marks for expressions visited.
struct Variables {
    slots: Vec<Option<u32>>,
    seen: Vec<u32>,
    visit: u32,
}

impl Variables {
    fn of(&mut self, program: &Program, function: &Function) -> Vec<Var> {
        let is_scalar = |var: &Var| !matches!(program.var(*var).sort, Sort::Memory(_));
        let locals: Vec<Var> = function.locals.iter().copied().filter(is_scalar).collect();
        for (slot, var) in locals.iter().enumerate() {
            self.slots[var.index()] = Some(slot as u32);
        }
        locals
    }

    /// Marks the variables of an expression as live. Each subexpression is visited once for each value of `visit`.
    fn read(&mut self, pool: &Pool, expr: Expr, live: &mut [bool]) {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if std::mem::replace(&mut self.seen[expr.index()], self.visit) == self.visit {
                continue;
            }
            if let Node::Var(var) = pool.node(expr)
                && let Some(slot) = self.slots[var.index()]
            {
                live[slot as usize] = true;
            }
            stack.extend(pool.children(expr));
        }
    }
}

/// The live variables at each location of a function.
fn live_sets(program: &Program, function: &Function, variables: &mut Variables, count: usize) -> Vec<Vec<bool>> {
    let first = function.locations.start;
    let mut sets = vec![vec![false; count]; function.locations.len()];
    loop {
        let mut changed = false;
        // Backward analysis over locations in reverse postorder.
        for location in function.locations.clone().rev().map(LocId) {
            let mut live = vec![false; count];
            for (_, edge) in program.leaving(location) {
                variables.visit += 1;
                let mut here = sets[(edge.to.0 - first) as usize].clone();
                if let Some(slot) = edge.op.written().and_then(|var| variables.slots[var.index()]) {
                    here[slot as usize] = false;
                }
                edge.op.for_each_expr(|expr| variables.read(&program.pool, expr, &mut here));
                live.iter_mut().zip(here).for_each(|(all, one)| *all |= one);
            }
            let set = &mut sets[(location.0 - first) as usize];
            if *set != live {
                *set = live;
                changed = true;
            }
        }
        if !changed {
            return sets;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{Havoc, ProgramBuilder, Scope, SourceId};

    /// `while (1) { x = input; y = x; f(y); }`: `x` dies after the copy to `y`, and `y` at the call of `f`.
    #[test]
    fn variables_die_after_their_last_read() {
        const NOWHERE: SourceId = SourceId::NONE;
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let param = b.add_temporary("p", Sort::Bool, Scope::Local(f));
        b.function_mut(f).params.push(param);
        b.add_return(b.function(f).entry, None, NOWHERE);
        let main = b.add_function("main", "main", None, NOWHERE);
        let x = b.add_temporary("x", Sort::Bool, Scope::Local(main));
        let y = b.add_temporary("y", Sort::Bool, Scope::Local(main));
        let (read_x, read_y) = (b.read(x), b.read(y));
        let head = b.function(main).entry;
        let drawn = b.add_step(head, Op::Havoc(x, Havoc::Input), NOWHERE);
        let copied = b.add_step(drawn, Op::Assign(y, read_x), NOWHERE);
        b.add_edge(copied, Op::Call { callee: f, args: [read_y].into(), result: None }, head, NOWHERE);
        let program = b.finish(main);
        let liveness = Liveness::new(&program);
        let entry = program.function(main).entry;
        assert_eq!(liveness.dead_at(LocId(entry.0 + 2)), [x]);
        assert_eq!(liveness.dead_at(entry), [y]);
        let call = program.leaving(LocId(entry.0 + 2)).next().unwrap().0;
        assert_eq!(liveness.dead_during(call), [y]);
        assert_eq!(liveness.dead_at(LocId(entry.0 + 1)), []);
    }
}
