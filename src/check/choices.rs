//! Names of the values of command-line options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clew_verifier::report::{FORMATS, Format, Trace};
use clew_verifier::strategy::{
    Abstraction, Blocks, Config, Heuristic, Interpolation, InvariantDomain, Order, PrecisionScope, RefinedFirst,
    Refinement, Slices,
};
use clew_verifier::tuning::Tuning;

/// A value with its name on the command line.
#[derive(Debug)]
pub struct Choice<T: 'static> {
    name: &'static str,
    help: &'static str,
    value: T,
}

const fn choice<T>(name: &'static str, value: T, help: &'static str) -> Choice<T> {
    Choice { name, help, value }
}

/// How predicate analysis abstracts.
pub const ABSTRACTIONS: &[Choice<Abstraction>] = &[
    choice("boolean", Abstraction::Boolean, "The strongest combination of the predicates"),
    choice("cartesian", Abstraction::Cartesian, "Each predicate for itself"),
];

/// The domains of loop invariants.
pub const INVARIANTS: &[Choice<InvariantDomain>] = &[
    choice("none", InvariantDomain::None, "No invariants"),
    choice("interval", InvariantDomain::Interval, "Bounds of variables"),
    choice("octagon", InvariantDomain::Octagon, "Bounds of variables, and of sums and differences of two variables"),
];

/// How much of a path is shown.
pub const TRACES: &[Choice<Trace>] = &[
    choice("short", Trace::Short, "Without the insides of libraries, and without most iterations of loops"),
    choice("full", Trace::Full, "All lines"),
];

/// Which domain is refined if several can exclude a path.
pub const REFINED_FIRST: &[Choice<RefinedFirst>] = &[
    choice("values", RefinedFirst::Values, "Values, wherever they can exclude a path"),
    choice(
        "selected",
        RefinedFirst::Selected,
        "That for which the heuristics of --select prefer what has to be tracked",
    ),
];

/// The units of sliced prefixes.
pub const SLICES: &[Choice<Slices>] = &[
    choice("steps", Slices::Steps, "Single steps of a path through the blocks"),
    choice("blocks", Slices::Blocks, "Whole blocks"),
];

/// Heuristics of refinement selection, without `random:SEED`.
const HEURISTICS: &[Choice<Heuristic>] = &[
    choice("short", Heuristic::Short, ""),
    choice("long", Heuristic::Long, ""),
    choice("good-domain", Heuristic::GoodDomain, ""),
    choice("bad-domain", Heuristic::BadDomain, ""),
    choice("narrow", Heuristic::Narrow, ""),
    choice("wide", Heuristic::Wide, ""),
    choice("shallow", Heuristic::Shallow, ""),
    choice("deep", Heuristic::Deep, ""),
];

/// Interpolation procedures.
pub const INTERPOLATIONS: &[Choice<Interpolation>] = &[
    choice("wp", Interpolation::WeakestPreconditions, "Weakest preconditions, guided by unsatisfiable cores"),
    choice("sp", Interpolation::StrongestPostconditions, "Strongest postconditions, guided by unsatisfiable cores"),
    choice("spacer", Interpolation::Spacer, "Invariants by Spacer, over whole numbers"),
];

/// Block operators, without `abe-N`.
const BLOCKS: &[Choice<Blocks>] = &[
    choice("sbe", Blocks::Single, ""),
    choice("lbe", Blocks::Large, ""),
    choice("abe-l", Blocks::Loops, ""),
    choice("abe-lf", Blocks::LoopsAndFunctions, ""),
];

/// Scopes of precisions.
pub const SCOPES: &[Choice<PrecisionScope>] = &[
    choice("location", PrecisionScope::Location, "At the location where it was found"),
    choice("function", PrecisionScope::Function, "In the whole function"),
    choice("global", PrecisionScope::Global, "Everywhere"),
];

/// Where exploration continues after a refinement.
pub const REFINEMENTS: &[Choice<Refinement>] = &[
    choice("lazy", Refinement::Lazy, "At the first state that changes"),
    choice("restart", Refinement::Restart, "From the start"),
];

/// Exploration orders, without `random:SEED`.
const ORDERS: &[Choice<Order>] = &[
    choice("dfs", Order::DepthFirst, ""),
    choice("bfs", Order::BreadthFirst, ""),
    choice("rpo", Order::ReversePostorder, ""),
    choice("loop-depth", Order::LoopDepth, ""),
];

/// Parses the name of a configuration.
pub fn config() -> impl TypedValueParser<Value = Config> {
    let names = Config::all().map(|config| PossibleValue::new(config.name()).help(config.help()));
    PossibleValuesParser::new(names).try_map(|name| Config::named(&name).ok_or("it is none of the possible values"))
}

/// Parses the name of one of `choices`.
pub fn parser<T: Copy + Send + Sync + 'static>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T> {
    let values = choices.iter().map(|c| PossibleValue::new(c.name).help(c.help));
    PossibleValuesParser::new(values).try_map(move |name| {
        choices.iter().find(|c| c.name == name).map(|c| c.value).ok_or("it is none of the possible values")
    })
}

/// Parses a report format.
pub fn format() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.help));
    PossibleValuesParser::new(values)
        .try_map(|name| FORMATS.iter().find(|format| format.name == name).ok_or("it is none of the possible values"))
}

/// The name of a value.
pub fn name<T: PartialEq>(choices: &[Choice<T>], value: T) -> &'static str {
    choices.iter().find(|c| c.value == value).map_or("", |c| c.name)
}

/// The seed of `random:SEED`.
fn seed(text: &str) -> Option<Result<u64, String>> {
    let seed = text.strip_prefix("random:")?;
    Some(seed.parse().map_err(|_| format!("the seed `{seed}` is not a number")))
}

/// Parses an exploration order.
pub fn order(text: &str) -> Result<Order, String> {
    if let Some(seed) = seed(text) {
        return seed.map(Order::Random);
    }
    let known = ORDERS.iter().find(|c| c.name == text).map(|c| c.value);
    known.ok_or_else(|| "there are dfs, bfs, rpo, loop-depth and random:SEED".into())
}

/// The name of an order.
pub fn order_name(order: Order) -> String {
    match order {
        Order::Random(seed) => format!("random:{seed}"),
        other => name(ORDERS, other).into(),
    }
}

/// A list of heuristics. Each one breaks the ties of those before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heuristics(pub Vec<Heuristic>);

/// Parses a list of heuristics; `none` is the empty list.
pub fn heuristics(text: &str) -> Result<Heuristics, String> {
    if text == "none" {
        return Ok(Heuristics(Vec::new()));
    }
    let one = |text: &str| {
        if let Some(seed) = seed(text) {
            return seed.map(Heuristic::Random);
        }
        let known = HEURISTICS.iter().find(|c| c.name == text).map(|c| c.value);
        known.ok_or_else(|| {
            let names: Vec<&str> = HEURISTICS.iter().map(|c| c.name).collect();
            format!("there are {}, random:SEED and none", names.join(", "))
        })
    };
    text.split(',').map(one).collect::<Result<_, _>>().map(Heuristics)
}

/// The names of the heuristics, for the report.
pub fn heuristics_names(heuristics: &Heuristics) -> Vec<String> {
    let name_of = |&heuristic: &Heuristic| match heuristic {
        Heuristic::Random(seed) => format!("random:{seed}"),
        other => name(HEURISTICS, other).into(),
    };
    heuristics.0.iter().map(name_of).collect()
}

/// Parses a block operator.
pub fn blocks(text: &str) -> Result<Blocks, String> {
    if let Some(choice) = BLOCKS.iter().find(|c| c.name == text) {
        return Ok(choice.value);
    }
    let steps = text.strip_prefix("abe-").and_then(|steps| steps.parse().ok()).filter(|&steps| steps > 0);
    steps.map(Blocks::Steps).ok_or_else(|| "there are sbe, lbe, abe-l, abe-lf and abe-N for blocks of N steps".into())
}

/// The name of a block operator.
pub fn blocks_name(blocks: Blocks) -> String {
    match blocks {
        Blocks::Steps(steps) => format!("abe-{steps}"),
        other => name(BLOCKS, other).into(),
    }
}

/// A tuning parameter with a value in its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// Its value, as it was given.
    pub value: String,
}

/// Reads the setting of a tuning parameter.
pub fn tuned(text: &str) -> Result<Tuned, String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=N; `clew show tuning` lists the names")?;
    Tuning::default().set(name, value).map_err(|why| format!("{why}; `clew show tuning` lists all"))?;
    Ok(Tuned { name: name.into(), value: value.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let all = [Order::DepthFirst, Order::BreadthFirst, Order::ReversePostorder, Order::LoopDepth, Order::Random(7)];
        for each in all {
            assert_eq!(order(&order_name(each)), Ok(each));
        }
        let all = [Blocks::Single, Blocks::Large, Blocks::Loops, Blocks::LoopsAndFunctions, Blocks::Steps(7)];
        for each in all {
            assert_eq!(blocks(&blocks_name(each)), Ok(each));
        }
        let text = "short,long,good-domain,bad-domain,narrow,wide,shallow,deep,random:3";
        let read = heuristics(text).expect("all are known");
        assert_eq!((read.0.len(), heuristics_names(&read).join(",")), (9, text.into()));
        assert_eq!(heuristics("none"), Ok(Heuristics(Vec::new())));
        assert!(heuristics("short,none").is_err() && heuristics("").is_err() && heuristics("random:").is_err());
        assert!(blocks("abe-0").is_err() && blocks("abe-x").is_err() && blocks("").is_err());
        assert!(order("random:x").is_err() && order("random").is_err() && order("").is_err());
    }
}
