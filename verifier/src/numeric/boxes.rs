//! Intervals: a smallest and a largest number for each variable.

use imbl::OrdMap;

use super::{Linear, NumericDomain, Range};
use crate::expr::Var;
use crate::tuning::Numeric;

/// Ranges of variables; a variable without one has any value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Boxes {
    ranges: OrdMap<Var, Range>,
    is_bottom: bool,
}

impl Boxes {
    fn get(&self, var: Var) -> Range {
        self.ranges.get(&var).copied().unwrap_or(Range::ALL)
    }

    fn set(&mut self, var: Var, range: Range) {
        if range.is_empty() {
            self.set_bottom();
        } else if range == Range::ALL {
            self.ranges.remove(&var);
        } else if !self.is_bottom {
            self.ranges.insert(var, range);
        }
    }
}

impl NumericDomain for Boxes {
    fn top(_: Numeric) -> Boxes {
        Boxes::default()
    }

    fn is_bottom(&self) -> bool {
        self.is_bottom
    }

    fn set_bottom(&mut self) {
        *self = Boxes { ranges: OrdMap::new(), is_bottom: true };
    }

    fn leq(&self, other: &Boxes) -> bool {
        self.is_bottom || !other.is_bottom && other.ranges.iter().all(|(&var, range)| range.includes(self.get(var)))
    }

    fn join(&self, other: &Boxes) -> Boxes {
        match (self.is_bottom, other.is_bottom) {
            (true, _) => return other.clone(),
            (_, true) => return self.clone(),
            _ => {}
        }
        let mut joined = Boxes::default();
        for (&var, a) in &self.ranges {
            let b = other.get(var);
            let low = a.low.zip(b.low).map(|(a, b)| a.min(b));
            let high = a.high.zip(b.high).map(|(a, b)| a.max(b));
            joined.set(var, Range { low, high });
        }
        joined
    }

    fn meet(&self, other: &Boxes) -> Boxes {
        let mut met = self.clone();
        if other.is_bottom {
            met.set_bottom();
        }
        for (&var, range) in &other.ranges {
            let range = range.meet(met.get(var));
            met.set(var, range);
        }
        met
    }

    fn assign(&mut self, var: Var, value: &Linear) {
        let range = self.bounds(value);
        self.set(var, range);
    }

    fn assume(&mut self, form: &Linear) {
        if form.parts.is_empty() && form.low > 0 {
            self.set_bottom();
        }
        for (at, &(var, factor)) in form.parts.iter().enumerate() {
            if self.is_bottom {
                return;
            }
            // factor * var <= -(smallest value of the rest)
            let Some(rest) = self.bounds(&form.without(&[at])).low else { continue };
            let restricted = if factor > 0 {
                Range { low: None, high: Some((-rest).div_euclid(factor)) }
            } else {
                Range { low: Some(-(-rest).div_euclid(-factor)), high: None }
            };
            let range = self.get(var).meet(restricted);
            self.set(var, range);
        }
    }

    fn forget(&mut self, var: Var) {
        self.ranges.remove(&var);
    }

    fn rename(&mut self, from: Var, to: Var) {
        if let Some(range) = self.ranges.remove(&from) {
            self.ranges.insert(to, range);
        }
    }

    fn is_exact(value: &Linear) -> bool {
        value.parts.is_empty()
    }

    fn widen(&self, newer: &Boxes, thresholds: &[i128]) -> Boxes {
        if self.is_bottom {
            return newer.clone();
        }
        if newer.is_bottom {
            return self.clone();
        }
        let mut widened = Boxes::default();
        for (&var, old) in &self.ranges {
            let new = newer.get(var);
            let low = match (old.low, new.low) {
                (Some(old), Some(new)) if new < old => {
                    thresholds[..thresholds.partition_point(|&t| t <= new)].last().copied()
                }
                (old, new) => new.and(old),
            };
            let high = match (old.high, new.high) {
                (Some(old), Some(new)) if new > old => {
                    thresholds.get(thresholds.partition_point(|&t| t < new)).copied()
                }
                (old, new) => new.and(old),
            };
            widened.set(var, Range { low, high });
        }
        widened
    }

    fn closed(&self) -> Boxes {
        self.clone()
    }

    fn vars(&self) -> Vec<Var> {
        self.ranges.keys().copied().collect()
    }

    fn bounds(&self, form: &Linear) -> Range {
        form.parts.iter().fold(form.constants(), |sum, &(var, factor)| sum.plus(self.get(var).times(factor)))
    }

    fn constraints(&self) -> Vec<Linear> {
        let mut constraints = Vec::new();
        if self.is_bottom {
            constraints.push(Linear::constant(1));
        }
        for (&var, range) in &self.ranges {
            constraints.extend(range.low.map(|low| Linear::var(var).negated().offset(low)));
            constraints.extend(range.high.map(|high| Linear::var(var).offset(-high)));
        }
        constraints
    }

    fn size(&self) -> usize {
        self.ranges.len()
    }
}
