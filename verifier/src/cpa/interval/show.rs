//! What the interval domain shows: bounds of variables.

use super::{IntervalState, Intervals};
use crate::cpa::Show;
use crate::print::Printer;

impl Show for Intervals<'_> {
    /// Such as `x = 3` or `0 <= x <= 10`.
    fn facts(&self, state: &IntervalState, (): &(), printer: &Printer<'_>) -> Vec<String> {
        let fact = |(var, interval): (_, super::Interval)| {
            let name = printer.var(var);
            let (low, high) = interval.signed_bounds();
            match interval.as_constant() {
                Some(_) => format!("{name} = {low}"),
                // The unsigned bounds are shown where only they restrict something.
                None if interval.is_signed_restricted() => format!("{low} <= {name} <= {high}"),
                None => {
                    let (low, high) = interval.unsigned_bounds();
                    format!("{low} <= {name} <= {high}")
                }
            }
        };
        state.iter().map(fact).collect()
    }
}
