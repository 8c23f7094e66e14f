//! Tuning: all numbers that steer the search and do not change what a verdict means.
//!
//! Each parameter is declared once, with its unit, default and range. Values are passed in with the
//! [`Monitor`](crate::monitor::Monitor) or by constructors. Hot code copies them into fields first.
//!
//! Sizes of arrays, bounds that only guard the call stack, and numbers with an option of their own, such as the bound for
//! recursion, are not here.

use std::ops::RangeInclusive;
use std::time::Duration;

/// An hour, in milliseconds: the upper bound of time slices.
const HOUR: u64 = 3_600_000;
/// The upper bound of work budgets: far more than a run can do.
const UNBOUNDED_WORK: u64 = 1 << 48;
/// The upper bound of cache sizes.
const MAX_CACHE: u64 = 1 << 26;
/// The upper bound of counts that nothing else limits.
const MAX_COUNT: u64 = 1 << 20;

/// A parameter with its current value. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name: group and field, such as `hunt.share`.
    pub name: &'static str,
    /// What it steers, with its unit.
    pub doc: &'static str,
    /// Its value.
    pub value: u64,
    /// The value where nothing is said.
    pub default: u64,
    /// The allowed values.
    pub range: RangeInclusive<u64>,
}

/// The type of a parameter.
trait Number: Copy {
    fn from_number(number: u64) -> Self;
    fn number(self) -> u64;
}

/// Conversions are exact, since the ranges of parameters fit their types (tested below).
macro_rules! numbers {
    ($($type:ty),+) => {
        $(impl Number for $type {
            fn from_number(number: u64) -> $type {
                number as $type
            }

            fn number(self) -> u64 {
                self as u64
            }
        })+
    };
}

numbers!(u32, u64, usize);

/// In milliseconds.
impl Number for Duration {
    fn from_number(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn number(self) -> u64 {
        self.as_millis() as u64
    }
}

/// Declares groups of parameters: documentation, name, type, default and inclusive range of each.
macro_rules! tuning {
    ($(
        $(#[doc = $group_doc:literal])+
        $group:ident: $Group:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident: $type:ty = $default:expr, $range:expr;
            )+
        }
    )+) => {
        /// All parameters, by group.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Tuning {
            $($(#[doc = $group_doc])+ pub $group: $Group,)+
        }

        $(
            $(#[doc = $group_doc])+
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct $Group {
                $($(#[doc = $doc])+ pub $name: $type,)+
            }

            impl Default for $Group {
                fn default() -> $Group {
                    $Group { $($name: Number::from_number($default),)+ }
                }
            }
        )+

        impl Tuning {
            /// Sets the parameter `name` to the number in `text`.
            ///
            /// # Errors
            /// If there is no such parameter, or the text is no number in its range. The message gives the range.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
                $($(
                    let full_name = concat!(stringify!($group), ".", stringify!($name));
                    if name == full_name {
                        self.$group.$name = Number::from_number(parse(full_name, text, $range)?);
                        return Ok(());
                    }
                )+)+
                Err(format!("there is no parameter `{name}`"))
            }

            /// All parameters with their values, in the order of declaration.
            pub fn parameters(&self) -> impl Iterator<Item = Parameter> + use<> {
                let list = [$($(
                    Parameter {
                        name: concat!(stringify!($group), ".", stringify!($name)),
                        doc: concat!($($doc),+).trim_ascii(),
                        value: self.$group.$name.number(),
                        default: $default,
                        range: $range,
                    },
                )+)+];
                list.into_iter()
            }
        }
    };
}

fn parse(name: &str, text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("`{name}` takes a whole number from {} to {}, not `{text}`", range.start(), range.end()))
}

tuning! {
    /// How the configuration `auto` shares the time.
    auto: Auto {
        /// What counts as the whole time if there is no limit, in milliseconds.
        unlimited_time: Duration = 300_000, 1..=24 * HOUR;
    }

    /// Simplification of programs before they are analysed.
    simplify: Simplify {
        /// Whether constants are propagated: 1, or 0 for no.
        constants: u32 = 1, 0..=1;
        /// Whether what no error depends on is sliced away: 1, or 0 for no.
        slice: u32 = 1, 0..=1;
        /// Work of a pass before it gives the program back unchanged, in facts passed on or locations looked at.
        max_work: u64 = 20_000_000, 0..=UNBOUNDED_WORK;
        /// Number of cells of a memory that are tracked at one location while constants are propagated.
        max_cells: usize = 64, 0..=MAX_COUNT;
        /// Number of facts that are kept at one location while constants are propagated.
        max_facts: usize = 1_000, 0..=MAX_COUNT;
        /// Steps of a run that repeats a path of the simplified program in the original one.
        retrace_steps: u64 = 1 << 18, 1..=UNBOUNDED_WORK;
    }

    /// Contracts of recursive functions.
    summary: Summary {
        /// Number of runs that contracts are guessed from.
        runs: u64 = 80, 1..=MAX_COUNT;
        /// Steps of such a run.
        run_steps: u64 = 20_000, 1..=UNBOUNDED_WORK;
        /// Depth of the call stack in such a run.
        run_depth: usize = 400, 1..=MAX_COUNT;
        /// Activations of a function that are looked at.
        samples: usize = 300, 1..=MAX_COUNT;
        /// Guessed clauses of a contract.
        max_clauses: usize = 160, 1..=MAX_COUNT;
        /// Largest number of arguments for which results are tabulated.
        max_table: u64 = 128, 0..=MAX_COUNT;
        /// Time limit of a query about several clauses, in milliseconds.
        clauses_time: Duration = 1_000, 1..=HOUR;
        /// Time limit of a query about one clause, in milliseconds.
        clause_time: Duration = 500, 1..=HOUR;
        /// Time limit of a query about a target, in milliseconds.
        target_time: Duration = 3_000, 1..=HOUR;
    }

    /// Guessed invariants of loops.
    guess: Guess {
        /// Bound of the unrolling after which invariants are guessed.
        after_bound: u32 = 2, 1..=MAX_COUNT;
        /// Number of runs that invariants are guessed from.
        runs: u64 = 40, 1..=MAX_COUNT;
        /// Steps of such a run.
        run_steps: u64 = 20_000, 1..=UNBOUNDED_WORK;
        /// Number of runs that are longer.
        long_runs: u64 = 2, 0..=MAX_COUNT;
        /// Steps of a longer run.
        long_steps: u64 = 600_000, 1..=UNBOUNDED_WORK;
        /// Depth of the call stack in a run.
        run_depth: usize = 400, 1..=MAX_COUNT;
        /// Samples of a loop head.
        samples: usize = 400, 1..=MAX_COUNT;
        /// Variables that are looked at, at a loop head.
        max_vars: usize = 12, 1..=MAX_COUNT;
        /// Guessed clauses at a loop head.
        max_clauses: usize = 400, 1..=MAX_COUNT;
        /// Guessed clauses of all loop heads together.
        max_all_clauses: usize = 4_000, 1..=MAX_COUNT;
        /// Time after which the first proof of invariants is given up, in milliseconds, unless the search before took longer.
        time: Duration = 2_000, 1..=HOUR;
        /// Number of queries after which a proof of invariants is given up.
        max_queries: u32 = 600, 1..=MAX_COUNT;
        /// Time limit of a query about several clauses, in milliseconds.
        clauses_time: Duration = 1_000, 1..=HOUR;
        /// Time limit of a query about one clause, in milliseconds.
        clause_time: Duration = 200, 1..=HOUR;
    }

    /// Concrete runs on random inputs.
    runs: Runs {
        /// Number of runs that come first.
        short_runs: u64 = 12, 0..=MAX_COUNT;
        /// Steps of each of them.
        short_steps: u64 = 50_000, 1..=UNBOUNDED_WORK;
        /// Number of longer runs.
        long_runs: u64 = 5, 0..=MAX_COUNT;
        /// Steps of each of them.
        long_steps: u64 = 2_000_000, 1..=UNBOUNDED_WORK;
        /// Depth of the call stack in a run.
        depth: usize = 10_000, 1..=MAX_COUNT;
    }

    /// Proofs about arrays by distinguished cells.
    cells: Cells {
        /// Number of locations whose reads are watched.
        max_watched: usize = 3, 1..=MAX_COUNT;
        /// Number of distinguished cells.
        max_cells: usize = 8, 1..=MAX_COUNT;
        /// Time after which a proof of guessed invariants is given up, in milliseconds.
        time: Duration = 60_000, 1..=HOUR;
        /// Largest bound for the unrolling of the scalar program.
        bound: u32 = 4, 1..=MAX_COUNT;
    }

    /// Hunts for errors beside an analysis.
    hunt: Hunt {
        /// Work before the first hunt beside values, in transfers; the interval doubles each time.
        value_interval: u64 = 1 << 21, 1..=UNBOUNDED_WORK;
        /// Work before the first hunt beside values and predicates, in transfers: formulas make them slow.
        combined_interval: u64 = 1 << 12, 1..=UNBOUNDED_WORK;
        /// Work for which counters are tracked by value before predicates begin, in transfers: it unrolls small loops.
        unroll_budget: u64 = 1 << 21, 1..=UNBOUNDED_WORK;
        /// A hunt takes one part in this many of the elapsed time.
        share: u32 = 4, 1..=1000;
    }

    /// Exploration of abstract states.
    explore: Explore {
        /// Longest trail between two nodes, in steps.
        max_trail: u32 = 1 << 16, 1..=1 << 24;
        /// Work between two looks at limits and cancellation, in transfers.
        poll_interval: u64 = 1 << 12, 1..=1 << 32;
        /// Number of transfers that a query to the solver counts for, where work is measured.
        query_cost: u64 = 16, 0..=MAX_COUNT;
        /// Number of shapes, besides its own, in which a cover for a state is looked up.
        max_shapes: usize = 8, 2..=1 << 10;
    }

    /// Bounded model checking and k-induction.
    bmc: Bmc {
        /// Number of iterations without a choice of branches that each counted iteration allows.
        free_iterations: u32 = 1 << 10, 1..=1 << 20;
        /// Number of targets that are collected before the solver decides them together.
        batch: usize = 64, 1..=1 << 16;
        /// Time for deciding whether a loop can go on, in milliseconds: the answer only saves work.
        open_time: Duration = 1_000, 1..=HOUR;
        /// Upper bound of the exponential back-off after such a query fails, as a power of two.
        max_backoff: u32 = 10, 0..=30;
        /// Time for deciding whether errors can be reached, in milliseconds, while bigger bounds are left to try.
        error_time: Duration = 10_000, 1..=HOUR;
        /// Number of paths to the same errors that are checked one by one.
        max_paths: usize = 16, 1..=1 << 16;
        /// Time for one induction step, in milliseconds.
        induction_time: Duration = 5_000, 1..=HOUR;
        /// Time that induction may take before it has to wait for the search for errors, in milliseconds.
        first_induction: Duration = 2_500, 1..=HOUR;
        /// Number of undecided induction steps after which induction is given up.
        max_induction_failures: u32 = 3, 0..=1 << 16;
    }

    /// Symbolic execution.
    symbolic: Symbolic {
        /// Number of combinations of values up to which related symbols are kept as a set; otherwise the solver decides.
        max_rows: usize = 1 << 16, 1..=1 << 24;
        /// Number of combinations of values up to which states with different sets are merged, for each of them.
        max_merged_rows: usize = 1 << 13, 1..=1 << 24;
        /// Number of values in which merged states may differ.
        max_differences: usize = 4, 0..=1 << 16;
        /// Number of states at a position with which a state with other values may be merged.
        max_partners: usize = 4, 0..=1 << 16;
        /// Number of addresses up to which a read is a choice among their contents.
        max_reads: usize = 256, 1..=1 << 16;
        /// Number of addresses up to which a write changes each of them conditionally.
        max_writes: usize = 32, 1..=1 << 16;
        /// Number of values by which a path is split.
        max_splits: usize = 256, 1..=1 << 16;
        /// Number of values of one expression that the solver is asked for.
        max_models: usize = 256, 1..=1 << 16;
        /// Number of cells up to which a range of memory is written cell by cell.
        max_cells: u64 = 1 << 16, 1..=1 << 28;
        /// Number of paths that cannot be followed after which the execution is given up.
        max_failures: u32 = 16, 0..=1 << 16;
        /// Time for deciding whether a branch can be taken, in milliseconds.
        time: Duration = 2_000, 1..=HOUR;
    }

    /// Numeric domains and the invariants that they find.
    numeric: Numeric {
        /// Number of variables that an octagon relates to each other at most.
        max_block: usize = 40, 1..=1 << 10;
        /// Number of constants of the program that bounds are widened to.
        max_thresholds: usize = 200, 0..=MAX_COUNT;
        /// Number of times that the state at a loop head grows before it is widened.
        widen_after: u32 = 3, 0..=1 << 16;
        /// Number of times that the state at a loop head grows before bounds that grow are dropped.
        drop_after: u32 = 40, 0..=1 << 16;
        /// Number of passes over the program that regain precision after widening.
        narrowings: u32 = 3, 0..=1 << 10;
        /// Number of places with a call stack at which states are kept.
        max_places: usize = 5_000, 1..=MAX_COUNT;
        /// Work for all invariants of a program, in bounds: a second takes some tens of millions.
        max_work: u64 = 20_000_000, 1..=UNBOUNDED_WORK;
    }

    /// Feasibility of paths.
    feasibility: Feasibility {
        /// Time for deciding whether a hunt can take a path, in milliseconds; after that it is followed.
        time: Duration = 200, 1..=HOUR;
        /// Number of steps between two saved states of a symbolic run.
        mark_interval: usize = 64, 1..=MAX_COUNT;
        /// Number of models that are kept for other paths.
        max_models: usize = 1 << 14, 1..=MAX_CACHE;
        /// Number of new expressions after which a symbolic run starts afresh to free memory.
        max_expressions: usize = 1 << 22, 1 << 10..=1 << 30;
    }

    /// The value analysis and its refinement.
    value: Value {
        /// Size of expressions, in nodes, up to which shared subexpressions are evaluated repeatedly.
        max_unshared: u32 = 500, 0..=1 << 14;
        /// Number of cells up to which a fill, a copy or initial contents are tracked cell by cell.
        max_cells: u64 = 1 << 16, 0..=1 << 28;
        /// Number of contradictions on a path among which refinement selects.
        max_contradictions: usize = 40, 1..=1 << 16;
    }

    /// Costs of tracking, by which refinement compares sets of variables and predicates.
    weight: Weight {
        /// Cost of a variable that is only 0 or 1.
        boolean: u64 = 1, 0..=1000;
        /// Cost of a variable that is only compared for equality.
        equality: u64 = 2, 0..=1000;
        /// Cost of a variable in arithmetic.
        arithmetic: u64 = 4, 0..=1000;
        /// Cost of a variable in bitwise operations.
        bits: u64 = 5, 0..=1000;
        /// Cost of a loop counter. It outweighs several others, since tracking it unrolls a loop.
        counter: u64 = 24, 0..=1000;
        /// Cost of a predicate, in addition to its variables: tracking values of easy variables is cheaper.
        predicate: u64 = 2, 0..=1000;
        /// Cost of a counter that predicates do not compare for equality with a constant: this does not unroll its loop.
        compared_counter: u64 = 8, 0..=1000;
    }

    /// The predicate analysis.
    predicate: Predicate {
        /// Number of comparisons of a term with constants from which on a region is split by the values of the term.
        min_split: usize = 3, 1..=1 << 16;
    }

    /// Predicate abstraction.
    abstraction: Abstraction {
        /// Number of cached abstractions.
        max_cached: usize = 1 << 16, 1..=MAX_CACHE;
        /// Number of cached operations on regions.
        max_cached_regions: usize = 1 << 16, 1..=MAX_CACHE;
        /// Number of models, and of refuted cubes, after which an abstraction is left weaker.
        max_answers: usize = 1 << 10, 1..=MAX_COUNT;
        /// Number of unknown answers that an abstraction tolerates before it is left weaker.
        max_unknown: usize = 4, 0..=1 << 16;
    }

    /// Interpolation for predicates.
    interpolation: Interpolation {
        /// Number of infeasible sliced prefixes among which refinement selects.
        max_prefixes: usize = 8, 0..=1 << 10;
        /// Number of queries for minimising an unsatisfiable core.
        max_minimize_queries: usize = 40, 0..=1 << 16;
        /// Number of conditionals inside an atomic condition that are split; each split halves it.
        max_choices: usize = 32, 0..=1 << 12;
        /// Number of loop iterations up to which weakest preconditions are tried first.
        wp_max_rounds: usize = 3, 0..=1 << 16;
        /// Number of cuts up to which Spacer is asked.
        spacer_max_cuts: usize = 60, 0..=1 << 16;
        /// Number of arguments of a relation up to which Spacer is asked.
        spacer_max_terms: usize = 40, 0..=1 << 16;
        /// Time for Spacer on one system of clauses, in milliseconds.
        spacer_time: Duration = 1_000, 1..=HOUR;
        /// Work for one quantifier elimination: a step costs one, plus a sixteenth of the size of the conditions.
        eliminate_budget: usize = 20_000, 0..=1 << 30;
        /// Depth of case splits in quantifier elimination.
        eliminate_max_depth: usize = 24, 0..=1 << 10;
        /// Number of atomic conditions on an input that are split before the conditions with them are dropped.
        eliminate_max_cases: usize = 4, 0..=16;
        /// Number of values up to which an input is enumerated.
        max_values: u32 = 32, 0..=1 << 12;
        /// Depth up to which operands are narrowed to low bits.
        max_low_depth: usize = 16, 0..=32;
    }

    /// Symbolic execution.
    formula: Formula {
        /// Number of cells of a constant range up to which it is processed cell by cell.
        max_constant_cells: u64 = 1 << 10, 0..=u16::MAX as u64;
        /// The same for copies at symbolic addresses, where each cell may depend on all earlier writes.
        max_symbolic_cells: u64 = 1 << 6, 0..=u16::MAX as u64;
        /// Number of initial cells that are stated for a read at a symbolic address.
        max_initial_cells: u64 = 1 << 13, 0..=1 << 28;
        /// Number of addresses up to which a read at a symbolic address chooses among cells.
        max_read_places: u64 = 1 << 10, 0..=1 << 20;
        /// The same for writes, and for cells without a constant value.
        max_written_places: u64 = 1 << 6, 0..=1 << 16;
        /// Number of ranges that a read at an address is followed through.
        max_ranges: usize = 1 << 8, 0..=MAX_COUNT;
        /// Size of constant tables, in nonzero bytes, up to which they are known in the middle of a program.
        max_table: usize = 1 << 10, 0..=1 << 28;
    }

    /// The solver.
    smt: Smt {
        /// Work for a query before a thread watches it, in Z3's resource units: two million take tenths of a second.
        unwatched_rlimit: u32 = 2_000_000, 1..=u32::MAX as u64;
        /// Time between two looks of that thread at limits and cancellation, in milliseconds.
        watch_interval: Duration = 20, 1..=10_000;
        /// Time that one solver has for a hard query before the others join, in milliseconds.
        alone: Duration = 1000, 0..=1_000_000;
        /// Crashes and wrong models of a solver after which it is no longer asked.
        max_failures: u64 = 3, 1..=1 << 30;
        /// Number of single queries after which their solver is replaced, since lemmas of old queries slow it down.
        max_single_queries: u32 = 1 << 12, 1..=1 << 30;
        /// Number of cached answers.
        max_cached: usize = 1 << 16, 1..=MAX_CACHE;
    }

    /// Sums of variables whose values are tracked.
    sums: SumLimits {
        /// Number of variables in a sum.
        max_parts: usize = 4, 1..=64;
        /// Absolute value of a factor in a sum.
        max_factor: u64 = 4, 1..=MAX_COUNT;
        /// Size of an expression that is read as a sum, in nodes.
        max_nodes: u32 = 64, 1..=1 << 12;
    }

    /// Large blocks.
    blocks: BlockLimits {
        /// Number of steps on a path through a large block. Each error in a block repeats all steps up to it.
        max_steps: u32 = 250, 1..=1 << 20;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn parameters_are_well_declared() {
        let mut names = BTreeSet::new();
        for Parameter { name, doc, value, default, range } in Tuning::default().parameters() {
            assert!(names.insert(name), "{name} is declared twice");
            assert_eq!(value, default, "{name}");
            assert!(range.contains(&default), "{name}: {default} is not in {range:?}");
            assert!(doc.ends_with('.') && doc.split(' ').count() < 30, "{name}: {doc}");
        }
        assert!(names.len() > 50, "{}", names.len());
    }

    /// The ends of each range fit the type of the parameter, and what is set is what is read.
    #[test]
    fn all_values_of_a_range_can_be_set() {
        for Parameter { name, range, .. } in Tuning::default().parameters() {
            for number in [*range.start(), *range.end()] {
                let mut tuning = Tuning::default();
                tuning.set(name, &number.to_string()).unwrap();
                let changed: Vec<Parameter> = tuning.parameters().filter(|one| one.value != one.default).collect();
                assert!(changed.iter().all(|one| one.name == name && one.value == number), "{changed:?}");
                let found = tuning.parameters().find(|one| one.name == name).unwrap();
                assert_eq!(found.value, number, "{name}");
            }
        }
    }

    #[test]
    fn bad_values_are_refused() {
        let mut tuning = Tuning::default();
        for text in ["0", "1001", "", "-1", "four", "4.0", "99999999999999999999"] {
            let error = tuning.set("hunt.share", text).unwrap_err();
            assert_eq!(error, format!("`hunt.share` takes a whole number from 1 to 1000, not `{text}`"));
        }
        for name in ["", "share", "hunt", "hunt.", "hunt.shares"] {
            assert_eq!(tuning.set(name, "4").unwrap_err(), format!("there is no parameter `{name}`"));
        }
        assert_eq!(tuning, Tuning::default());
    }

    #[test]
    fn times_are_in_milliseconds() {
        let mut tuning = Tuning::default();
        assert_eq!(tuning.bmc.error_time, Duration::from_secs(10));
        tuning.set("bmc.error_time", "1500").unwrap();
        assert_eq!(tuning.bmc.error_time, Duration::from_millis(1500));
    }
}
