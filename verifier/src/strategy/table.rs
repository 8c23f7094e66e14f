//! The table of configurations, the only place that lists them.

use super::auto::Auto;
use super::bmc::Bounded;
use super::cells::Cells;
use super::combined::ValueAndPredicate;
use super::engine::Engine;
use super::predicate::Predicate;
use super::runs::Runs;
use super::summary::Summaries;
use super::symbolic::SymbolicExecution;
use super::value::Value;

/// A configuration.
pub struct Configuration {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The paper and its name there; empty if it is from none of them.
    pub paper: &'static str,
    pub(super) engine: &'static dyn Engine,
}

const fn row(
    name: &'static str,
    help: &'static str,
    paper: &'static str,
    engine: &'static dyn Engine,
) -> Configuration {
    Configuration { name, help, paper, engine }
}

/// All configurations.
#[rustfmt::skip]
pub static CONFIGURATIONS: &[Configuration] = &[
    row("auto", "Values with predicates, concrete runs, symbolic execution, induction, predicates, values, cells if there are arrays, and summaries if there is recursion: in processes that take turns", "", &Auto),
    row("value", "Explicit values of the variables that refinement asks for", "000, CPA-EXPLitp", &Value { full: false }),
    row("value-full", "Explicit values of all variables, no refinement", "000, CPA-EXPL", &Value { full: true }),
    row("predicate", "Predicates that refinement asks for, abstracted block by block", "000, CPA-PRED", &Predicate),
    row("value+predicate", "Both in lock step, each as far as refinement asks for it", "000, CPA-EXPLitp-PRED", &ValueAndPredicate { full: false }),
    row("value-full+predicate", "The same, with the values of all variables", "000, CPA-EXPL-PRED", &ValueAndPredicate { full: true }),
    row("interval", "Intervals of integer variables, widened at loop heads; no refinement", "", &super::unrefined::Unrefined(crate::cpa::interval::IntervalDomain)),
    row("bmc", "All paths up to a bound for loops, which grows", "", &Bounded { induction: false, guesses: false }),
    row("k-induction", "The same, with proofs by induction and invariants that are guessed from runs", "", &Bounded { induction: true, guesses: true }),
    row("symbolic", "All paths one by one, with sets of values of the input bytes; merged where they meet", "", &SymbolicExecution),
    row("runs", "Concrete runs on random inputs; proves nothing", "", &Runs),
    row("cells", "Scalar programs with a few cells of arrays at unknown indices, proved by induction; finds no errors", "", &Cells),
    row("summaries", "Contracts of recursive functions, guessed from runs and proved by induction; finds no errors", "", &Summaries),
];

/// A configuration of the table.
#[derive(Clone, Copy)]
pub struct Config(&'static Configuration);

impl Config {
    /// The configuration with this name.
    pub fn named(name: &str) -> Option<Config> {
        CONFIGURATIONS.iter().find(|row| row.name == name).map(Config)
    }

    /// All configurations, in the order of the table.
    pub fn all() -> impl Iterator<Item = Config> {
        CONFIGURATIONS.iter().map(Config)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// One line of help.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// The paper and its name there; empty if it is from none of them.
    pub fn paper(self) -> &'static str {
        self.0.paper
    }

    /// Whether `clew show arg` and `clew show precision` have something to show.
    pub fn builds_graph(self) -> bool {
        self.0.engine.builds_graph()
    }

    pub(super) fn engine(self) -> &'static dyn Engine {
        self.0.engine
    }
}

impl Default for Config {
    fn default() -> Config {
        Config::named("value").expect("the table has this row")
    }
}

impl PartialEq for Config {
    fn eq(&self, other: &Config) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Config {}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        assert!(Config::all().all(|config| Config::all().filter(|other| *other == config).count() == 1));
    }
}
