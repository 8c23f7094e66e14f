//! Tables: the results of a function for each argument of a small range, one after the other.
//!
//! The body is executed for one argument with the contracts proved so far, which have the results for other arguments.
//! So no call is computed twice, unlike in a run of the program.

use super::body::{Bodies, Body, Event};
use super::contract::{Contracts, Part, Sample};
use super::interface::{Place, When};
use crate::cfa::FuncId;
use crate::expr::{BinaryOp, Expr, Sort, Value, Var};
use crate::monitor::{Monitor, StopReason};
use crate::smt::{Answer, Options, Solver};

/// The first argument of a table if the contract has no lower bound.
const LOWEST: i128 = -1;

/// The range of an argument that all calls obey.
struct Range {
    function: FuncId,
    /// The slot of the argument.
    slot: usize,
    low: i128,
    high: i128,
}

/// Adds the results for all arguments of small ranges that the contracts require.
pub fn tabulate(bodies: &Bodies<'_, '_>, contracts: &mut Contracts, monitor: &Monitor) -> Result<(), StopReason> {
    let limit = i128::from(monitor.tuning.summary.max_table);
    let functions: Vec<FuncId> = contracts.of.keys().copied().collect();
    let ranges = functions.into_iter().filter_map(|function| range(contracts, function, limit));
    let mut ranges: Vec<Range> = ranges.collect();
    let first = ranges.iter().map(|range| range.low).min().unwrap_or(0);
    let last = ranges.iter().map(|range| range.high).max().unwrap_or(-1);
    for argument in first..=last {
        let mut failed = Vec::new();
        for range in ranges.iter().filter(|range| (range.low..=range.high).contains(&argument)) {
            if !extend(bodies, contracts, range, argument, monitor)? {
                failed.push(range.function);
            }
        }
        // Without the result for one argument, those for others mostly fail too.
        ranges.retain(|range| !failed.contains(&range.function));
    }
    Ok(())
}

/// The range of the only argument of a function that its contract limits to at most `limit` values.
fn range(contracts: &Contracts, function: FuncId, limit: i128) -> Option<Range> {
    let contract = &contracts.of[&function];
    let mut found = None;
    for (slot, info) in contract.interface.slots.iter().enumerate().filter(|(_, slot)| slot.when == When::Entry) {
        let bound = |value: i128| {
            // Bounds are read off by trying values: a bound excludes all beyond it.
            let mut values = vec![None; contract.interface.entries()];
            values[slot] = Some(Value::bits(info.width, value as u128).raw());
            let sample = Sample { values: values.into_boxed_slice() };
            let is_excluded = |&clause: &Expr| sample.satisfies(&contract.interface, &contracts.pool, clause);
            contract.requires.iter().any(|clause| is_excluded(clause) == Some(false))
        };
        let allowed: Vec<i128> = (-limit..=limit).filter(|&value| !bound(value)).collect();
        let (Some(&low), Some(&high)) = (allowed.first(), allowed.last()) else { continue };
        // Without a lower bound, recursion mostly ends at small numbers, below which all results are alike.
        let low = if bound(low - 1) { low } else { LOWEST };
        if high - low < limit && bound(high + 1) && matches!(info.place, Place::Variable(_)) {
            match found {
                None => found = Some(Range { function, slot, low, high }),
                // Another argument that varies would need a table of two dimensions.
                Some(_) if high > low => return None,
                Some(_) => {}
            }
        }
    }
    found
}

/// Adds the results for one argument. Whether they are known afterwards.
fn extend(
    bodies: &Bodies<'_, '_>,
    contracts: &mut Contracts,
    range: &Range,
    argument: i128,
    monitor: &Monitor,
) -> Result<bool, StopReason> {
    let interface = contracts.of[&range.function].interface.clone();
    let info = interface.slots[range.slot];
    let mut body = bodies.run(Some(range.function), contracts)?;
    let events: Vec<Event> = std::mem::take(&mut body.events);
    let exits: Vec<&Event> = events.iter().filter(|event| event.part == Part::Ensures).collect();
    let mut solver = Solver::new(monitor, Options::default());
    solver.set_time(Some(monitor.tuning.summary.clause_time));
    let mut is_known = true;
    for slot in interface.entries()..interface.slots.len() {
        let Some(value) = only_value(&mut body, &exits, (range.slot, argument), slot, &mut solver) else {
            is_known = false;
            continue;
        };
        monitor.check()?;
        let out = interface.slots[slot];
        let case = equals(contracts, info.var, info.width, argument as u128);
        let result = equals(contracts, out.var, out.width, value);
        let other = contracts.pool.not(case);
        let clause = contracts.pool.or(other, result);
        contracts.add(range.function, Part::Ensures, clause);
    }
    Ok(is_known)
}

fn equals(contracts: &mut Contracts, var: Var, width: u16, number: u128) -> Expr {
    let (var, number) = (contracts.pool.var(var, Sort::Bits(width)), contracts.pool.bits(width, number));
    contracts.pool.binary(BinaryOp::Eq, var, number)
}

/// The only value of a slot when the function returns for this argument.
fn only_value(
    body: &mut Body<'_>,
    exits: &[&Event],
    (input, argument): (usize, i128),
    slot: usize,
    solver: &mut Solver<'_>,
) -> Option<u128> {
    let pool = &mut body.execution.pool;
    let mut value = None;
    for exit in exits {
        let number = pool.bits(pool.width(exit.slots[input]), argument as u128);
        let case = pool.eq(exit.slots[input], number);
        let mut query = exit.conditions.clone();
        query.push(case);
        if value.is_none() {
            match solver.check_once(pool, &query) {
                Answer::Sat(model) => value = Some(model.value(pool, exit.slots[slot]).ok()?),
                Answer::Unsat(_) => continue,
                Answer::Unknown(_) => return None,
            }
        }
        let known = pool.constant(value?);
        let same = pool.eq(exit.slots[slot], known);
        query.push(pool.not(same));
        if !matches!(solver.check_once(pool, &query), Answer::Unsat(_)) {
            return None;
        }
    }
    value.map(Value::raw)
}
