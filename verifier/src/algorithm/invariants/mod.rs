//! Invariants of loops: a fixpoint of a numeric domain over the automaton.
//!
//! Equations modulo powers of two are computed along with it, since they survive where numbers wrap around.
//!
//! Calls are followed, so that each location has one state for each call stack. An invariant of a loop head holds for all
//! of them. States are kept where paths meet. They widen at loop heads after some joins; a few passes without widening then
//! regain precision: each of them over-approximates the reachable states, since the states that it starts from do.

mod statement;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::cfa::{EdgeId, FuncId, LocId, LocationKind, Op, Program, Step};
use crate::cpa::numeric::modular::{Equation, Equations, Tracked};
use crate::cpa::numeric::views::View;
use crate::cpa::numeric::{MachineState, Numbers};
use crate::expr::{Expr, Node, Pool, Sort, Var};
use crate::facts::{Facts, Flow, Liveness};
use crate::monitor::{Monitor, StopReason};
use crate::numeric::{Linear, NumericDomain};
use crate::tuning::Numeric;
use statement::Statements;

/// Invariants at loop heads.
#[derive(Clone, Debug, Default)]
pub struct LoopInvariants {
    /// `None` for a head that is not reached.
    at: BTreeMap<LocId, Option<Found>>,
    views: Vec<Option<View>>,
}

/// What holds at a loop head.
#[derive(Clone, Debug)]
struct Found {
    /// Constraints `form <= 0`.
    constraints: Vec<Linear>,
    equations: Vec<Equation>,
}

/// A location with the calls that led to it, the outermost first.
type Place = (Box<[EdgeId]>, LocId);

/// The order of places: callees before the code after their calls, and reverse postorder else.
type Key = Box<[u32]>;

struct Fixpoint<'a, 'p, D> {
    program: &'p Program,
    numbers: &'a Numbers<'p>,
    tracked: &'a Tracked,
    flow: Rc<Flow>,
    liveness: Rc<Liveness>,
    monitor: &'a Monitor,
    tuning: Numeric,
    thresholds: Vec<i128>,
    /// The states at kept places.
    kept: BTreeMap<Key, Kept<D>>,
    /// The bounds that were computed so far.
    work: u64,
}

/// What is known at a place.
#[derive(Clone)]
struct Known<D> {
    machine: MachineState<D>,
    equations: Equations,
}

/// The state at a place.
struct Kept<D> {
    place: Place,
    state: Known<D>,
    /// At a loop head, the last widened state, not closed.
    widened: Option<MachineState<D>>,
    /// How often the state has grown.
    growths: u32,
}

/// Why there are no invariants.
enum Stop {
    /// It takes too much work.
    Work,
    Stopped(StopReason),
}

impl LoopInvariants {
    /// Invariants of the loops of a program in the domain `D`. None if there is recursion, or if it takes too much work.
    ///
    /// # Errors
    /// If `monitor` stops it.
    pub fn new<D: NumericDomain>(facts: &Facts<'_>, monitor: &Monitor) -> Result<LoopInvariants, StopReason> {
        let program = facts.program;
        let flow = facts.flow();
        let heads = || (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head);
        let is_recursive = (0..program.functions.len() as u32).any(|function| flow.is_recursive(FuncId(function)));
        if is_recursive || heads().next().is_none() {
            return Ok(LoopInvariants::default());
        }
        let numbers = Numbers::new(program);
        let tracked = Tracked::new(program);
        let tuning = monitor.tuning.numeric;
        let mut fixpoint = Fixpoint::<D> {
            program,
            numbers: &numbers,
            tracked: &tracked,
            flow,
            liveness: facts.liveness(),
            monitor,
            tuning,
            thresholds: thresholds(program, tuning.max_thresholds),
            kept: BTreeMap::new(),
            work: 0,
        };
        match fixpoint.ascend() {
            Err(Stop::Work) => return Ok(LoopInvariants::default()),
            Err(Stop::Stopped(stop)) => return Err(stop),
            Ok(()) => {}
        }
        // What narrowing has done so far is sound.
        if let Err(Stop::Stopped(stop)) = fixpoint.descend() {
            return Err(stop);
        }
        let mut states: BTreeMap<LocId, Known<D>> = BTreeMap::new();
        for Kept { place: (_, location), state, .. } in fixpoint.kept.values() {
            if !program.location(*location).loop_head || state.machine.numbers.is_bottom() {
                continue;
            }
            let joined = states.get(location).map_or_else(|| state.clone(), |old| join(&tracked, old, state));
            states.insert(*location, joined);
        }
        let found = |state: &Known<D>| Found {
            constraints: state.machine.numbers.constraints(),
            equations: tracked.equations(&state.equations),
        };
        let at = heads().map(|head| (head, states.get(&head).map(found)));
        Ok(LoopInvariants { at: at.collect(), views: numbers.views().to_vec() })
    }

    /// The invariants at a location, as expressions of `pool`; their variables are those of `program`.
    pub fn expressions(&self, program: &Program, pool: &mut Pool, location: LocId) -> Vec<Expr> {
        match self.at.get(&location) {
            None => Vec::new(),
            Some(None) => vec![pool.bool(false)],
            Some(Some(found)) => {
                let mut statements = Statements { program, pool, views: &self.views };
                let mut expressions = statements.of(&found.constraints);
                expressions.extend(found.equations.iter().map(|equation| statements.equation(equation)));
                expressions
            }
        }
    }

    /// The constraints `form <= 0` at a loop head. `None` if none are known, or the head is not reached.
    pub fn constraints(&self, location: LocId) -> Option<&[Linear]> {
        Some(&self.at.get(&location)?.as_ref()?.constraints)
    }
}

fn join<D: NumericDomain>(tracked: &Tracked, one: &Known<D>, other: &Known<D>) -> Known<D> {
    let equations = tracked.join(&one.equations, &other.equations);
    Known { machine: one.machine.join(&other.machine), equations }
}

/// The constants of the program and their neighbours, sorted, and the bounds of types. The smallest constants, if there are
/// too many.
fn thresholds(program: &Program, most: usize) -> Vec<i128> {
    let pool = &program.pool;
    let mut constants: Vec<i128> = pool
        .exprs()
        .filter_map(|expr| match (pool.node(expr), pool.sort(expr)) {
            (Node::Const(value), Sort::Bits(width @ 2..=64)) => Some((width, value.raw())),
            _ => None,
        })
        .flat_map(|(width, bits)| [bits as i128, crate::expr::value::signed(width, bits)])
        .collect();
    constants.sort_unstable_by_key(|constant| (constant.abs(), *constant));
    constants.dedup();
    constants.truncate(most);
    let neighbours = constants.iter().flat_map(|&c| [c - 1, c, c + 1, -c - 1, -c, -c + 1]);
    let widths = [8_u32, 16, 32, 64];
    let limits = widths.into_iter().flat_map(|width| {
        let size = 1_i128 << width;
        [-size / 2, size / 2 - 1, size - 1]
    });
    let mut thresholds: Vec<i128> = neighbours.chain(limits).chain([0]).collect();
    thresholds.sort_unstable();
    thresholds.dedup();
    thresholds
}

impl<D: NumericDomain> Fixpoint<'_, '_, D> {
    /// Computes states that no step leaves.
    fn ascend(&mut self) -> Result<(), Stop> {
        let start = (Box::default(), self.program.function(self.program.start).entry);
        let mut pending = BTreeMap::from([(self.key(&start), ())]);
        let state = Known { machine: MachineState::new(D::top(self.tuning)), equations: self.tracked.top() };
        self.kept.insert(self.key(&start), Kept { place: start, state, widened: None, growths: 0 });
        while let Some((key, ())) = pending.pop_first() {
            let Kept { place, state, .. } = &self.kept[&key];
            for (to, state) in self.successors(place.clone(), state.clone())? {
                let key = self.key(&to);
                if self.grow(&key, to, state) {
                    pending.insert(key, ());
                }
                if self.kept.len() > self.tuning.max_places {
                    return Err(Stop::Work);
                }
            }
        }
        Ok(())
    }

    /// Adds a state at a place. Whether it was not covered.
    fn grow(&mut self, key: &Key, place: Place, state: Known<D>) -> bool {
        let Some(kept) = self.kept.get_mut(key) else {
            self.kept.insert(key.clone(), Kept { place, state, widened: None, growths: 0 });
            return true;
        };
        if self.tracked.leq(&state.equations, &kept.state.equations) && state.machine.leq(&kept.state.machine) {
            return false;
        }
        kept.growths += 1;
        let joined = join(self.tracked, &kept.state, &state);
        if self.program.location(place.1).loop_head && kept.growths > self.tuning.widen_after {
            // The closed state must not take the place of the widened one, or widening may not end.
            let thresholds = if kept.growths > self.tuning.drop_after { &[] } else { &self.thresholds[..] };
            let widened = kept.widened.as_ref().unwrap_or(&kept.state.machine).widen(&joined.machine, thresholds);
            kept.state = Known { machine: widened.closed(), equations: joined.equations };
            kept.widened = Some(widened);
        } else {
            kept.state = joined;
        }
        self.work += (kept.state.machine.numbers.size() + self.tracked.size()) as u64;
        true
    }

    /// Recomputes all states from those before them, without widening.
    fn descend(&mut self) -> Result<(), Stop> {
        let keys: Vec<Key> = self.kept.keys().cloned().collect();
        // What flows into each place, by source; and the targets of each place.
        let mut incoming: Vec<BTreeMap<usize, Known<D>>> = keys.iter().map(|_| BTreeMap::new()).collect();
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); keys.len()];
        for pass in 0..=self.tuning.narrowings {
            for (at, key) in keys.iter().enumerate() {
                // The first pass only records what flows where. The first place is the start of the program.
                if pass > 0 && at > 0 {
                    let states = incoming[at].values().cloned();
                    let state = states
                        .reduce(|one, other| join(self.tracked, &one, &other))
                        .unwrap_or_else(|| self.unreachable());
                    let kept = self.kept.get_mut(key).expect("all places are kept");
                    if state.machine.leq(&kept.state.machine)
                        && self.tracked.leq(&state.equations, &kept.state.equations)
                    {
                        kept.state = state;
                    }
                }
                for target in std::mem::take(&mut targets[at]) {
                    incoming[target].remove(&at);
                }
                let Kept { place, state, .. } = &self.kept[key];
                if state.machine.numbers.is_bottom() {
                    continue;
                }
                for (to, state) in self.successors(place.clone(), state.clone())? {
                    let Ok(target) = keys.binary_search(&self.key(&to)) else { continue };
                    targets[at].push(target);
                    let flow = incoming[target].entry(at);
                    flow.and_modify(|old| *old = join(self.tracked, old, &state)).or_insert(state);
                }
            }
        }
        Ok(())
    }

    fn unreachable(&self) -> Known<D> {
        let mut numbers = D::top(self.tuning);
        numbers.set_bottom();
        Known { machine: MachineState::new(numbers), equations: self.tracked.top() }
    }

    /// The states at the next kept places.
    fn successors(&mut self, place: Place, state: Known<D>) -> Result<Vec<(Place, Known<D>)>, Stop> {
        let mut open = vec![(place, state)];
        let mut found = Vec::new();
        while let Some(((calls, location), state)) = open.pop() {
            self.monitor.check().map_err(Stop::Stopped)?;
            self.work += 1 + (state.machine.numbers.size() + self.tracked.size()) as u64;
            if self.work > self.tuning.max_work {
                return Err(Stop::Work);
            }
            if let LocationKind::Error(_) = self.program.location(location).kind {
                continue;
            }
            for edge in self.program.location(location).leaving.clone().map(EdgeId) {
                let mut calls = calls.to_vec();
                let step = match self.program.edge(edge).op {
                    Op::Unsupported(_) => continue,
                    Op::Call { .. } => {
                        calls.push(edge);
                        Step::along(edge)
                    }
                    Op::Return(_) => match calls.pop() {
                        Some(call) => Step::back(edge, call),
                        None => continue,
                    },
                    _ => Step::along(edge),
                };
                let mut state = state.clone();
                self.numbers.transfer(&mut state.machine, step);
                if state.machine.numbers.is_bottom() {
                    continue;
                }
                self.tracked.transfer(self.numbers, &mut state.equations, step);
                let to = step.target(self.program);
                self.liveness.dead_at(to).iter().for_each(|&var| self.forget(&mut state, var));
                let place = (calls.into_boxed_slice(), to);
                if self.program.location(to).loop_head || self.flow.is_join(to) {
                    found.push((place, state));
                } else {
                    open.push((place, state));
                }
            }
        }
        Ok(found)
    }

    fn forget(&self, state: &mut Known<D>, var: Var) {
        self.numbers.forget(&mut state.machine, var);
        self.tracked.forget(&mut state.equations, var);
    }

    fn key(&self, (calls, location): &Place) -> Key {
        let callers = calls.iter().flat_map(|&call| [self.program.edge(call).from.0, call.0]);
        callers.chain([location.0]).collect()
    }
}
