//! What a proof rests on that a user could doubt.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that is taken for granted about the world outside of the program.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Assumption {
    /// A function without a body of which nothing is known.
    UnknownFunction {
        /// Its name in the source.
        name: Box<str>,
        /// What it is taken to do.
        effect: Effect,
    },
    /// A library function that is described by what it may read, write and return.
    KnownFunction(Box<str>),
    /// A library function whose model returns any of several results, one of which is the real one.
    LooseModel(Box<str>),
    /// The arguments of `main`: fewer than 2^20 strings, each in memory of its own.
    ProgramArguments,
    /// The arguments of another entry function: pointers among them point to no object of the program.
    EntryArguments(Box<str>),
    /// The arguments of another entry function that are made from the types of its parameters.
    MadeArguments {
        /// The function.
        function: Box<str>,
        /// Whether pointers are null, too.
        or_null: bool,
    },
    /// Memory does not run out.
    AllocationSucceeds,
    /// Pointers to local variables of functions that have returned are not asked about.
    LocalsLive,
    /// No other thread and no signal handler changes memory.
    OneThread,
    /// Assembly at file level has no effect on the program.
    ModuleAssembly,
}

/// What an unknown function is taken to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Effect {
    /// It returns any value and writes nothing.
    Pure,
    /// It returns any value, and writes anything that its arguments and variables without a definition reach.
    Havoc,
}

impl Assumption {
    /// The kind, as reports for programs name it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Assumption::UnknownFunction { .. } => "unknown-function",
            Assumption::KnownFunction(_) => "known-function",
            Assumption::LooseModel(_) => "loose-model",
            Assumption::ProgramArguments => "program-arguments",
            Assumption::EntryArguments(_) | Assumption::MadeArguments { .. } => "entry-arguments",
            Assumption::AllocationSucceeds => "allocation-succeeds",
            Assumption::LocalsLive => "locals-live",
            Assumption::OneThread => "one-thread",
            Assumption::ModuleAssembly => "module-assembly",
        }
    }

    /// The function that it is about.
    pub fn function(&self) -> Option<&str> {
        match self {
            Assumption::UnknownFunction { name, .. }
            | Assumption::KnownFunction(name)
            | Assumption::LooseModel(name)
            | Assumption::EntryArguments(name)
            | Assumption::MadeArguments { function: name, .. } => Some(name),
            _ => None,
        }
    }

    /// What is assumed, without the function.
    pub const fn statement(&self) -> &'static str {
        match self {
            Assumption::UnknownFunction { effect: Effect::Pure, .. } => {
                "unknown; returns any value, writes nothing, calls nothing and throws nothing"
            }
            Assumption::UnknownFunction { effect: Effect::Havoc, .. } => {
                "unknown; returns any value, writes only what the call gives it, throws nothing"
            }
            Assumption::KnownFunction(_) => "may return any value, and writes only what its specification allows",
            Assumption::LooseModel(_) => "may behave in any way that its specification allows",
            Assumption::ProgramArguments => "main is given fewer than 2^20 arguments, strings in memory of their own",
            Assumption::EntryArguments(_) => "is given any values; pointers point to no object of the program",
            Assumption::MadeArguments { or_null: true, .. } => {
                "is given any values; pointers are null or to objects of their own, arrays are bounded by --max-length"
            }
            Assumption::MadeArguments { or_null: false, .. } => {
                "is given any values; pointers are to objects of their own, arrays are bounded by --max-length"
            }
            Assumption::AllocationSucceeds => "memory does not run out",
            Assumption::LocalsLive => "pointers to local variables are valid as long as the program uses them",
            Assumption::OneThread => "no other thread and no signal handler changes memory",
            Assumption::ModuleAssembly => "assembly at file level has no effect",
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.function() {
            write!(f, "{function}: ")?;
        }
        f.write_str(self.statement())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        let unknown = Assumption::UnknownFunction { name: "poll".into(), effect: Effect::Pure };
        assert!(unknown.to_string().starts_with("poll: unknown; returns any value, writes nothing"));
        assert_eq!(unknown.function(), Some("poll"));
        assert_eq!(Assumption::AllocationSucceeds.to_string(), "memory does not run out");
        assert_eq!(Assumption::AllocationSucceeds.function(), None);
    }
}
