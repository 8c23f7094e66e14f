//! The values of `--property`: kinds of properties, groups of kinds, and property files of SV-COMP.

use std::fs;

use clew_verifier::cfa::property::GROUPS;
use clew_verifier::cfa::{Checks, PropertyKind, PropertySet};

/// One word of `--property`, or one line of a property file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The selection as written.
    pub text: String,
    /// The selected kinds.
    pub kinds: PropertySet,
}

/// All words of `--property`. One type for the whole list, since one property file can select several kinds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selections(pub Vec<Selection>);

impl Selections {
    /// The kinds that `--property` selects; empty without it.
    pub fn requested(&self) -> PropertySet {
        self.0.iter().fold(PropertySet::EMPTY, |all, one| all.union(one.kinds))
    }

    /// The kinds to check: by default, all that the program claims.
    pub fn counted(&self) -> PropertySet {
        if self.0.is_empty() { PropertySet::ALL } else { self.requested() }
    }

    /// The first selection with a kind that is not implemented.
    pub fn unimplemented(&self) -> Option<&str> {
        let is_missing = |one: &&Selection| one.kinds.iter().any(|kind| !kind.is_checked());
        self.0.iter().find(is_missing).map(|one| one.text.as_str())
    }
}

/// Parses the value of `--property`.
pub fn parse(value: &str) -> Result<Selections, String> {
    let mut all = Vec::new();
    for word in value.split(',').map(str::trim) {
        if word.ends_with(".prp") {
            all.extend(file(word)?);
        } else {
            all.push(Selection { text: word.into(), kinds: named(word).ok_or_else(|| unknown(word))? });
        }
    }
    Ok(Selections(all))
}

fn named(name: &str) -> Option<PropertySet> {
    let group = || GROUPS.iter().find(|group| group.name == name).map(|group| group.kinds);
    PropertyKind::named(name).map(|kind| PropertySet::of(&[kind])).or_else(group)
}

fn unknown(word: &str) -> String {
    let names = |is_wanted: &dyn Fn(PropertyKind) -> bool| {
        PropertyKind::all().filter(|&kind| is_wanted(kind)).map(PropertyKind::name).collect::<Vec<_>>().join(", ")
    };
    format!(
        "no such kind of property: `{word}`; there are {}, the group ub, and property files (.prp); not checked yet are {}",
        names(&PropertyKind::is_checked),
        names(&|kind| !kind.is_checked())
    )
}

/// The properties of a file of SV-COMP, such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
fn file(path: &str) -> Result<Vec<Selection>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut all = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        all.push(formula(line).map_err(|why| format!("{path}: `{line}`: {why}"))?);
    }
    if all.is_empty() {
        return Err(format!("{path}: there is no property in it"));
    }
    Ok(all)
}

fn formula(line: &str) -> Result<Selection, String> {
    const FORM: &str = "a line is CHECK( init(main()), LTL(…) )";
    let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = plain.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))")).ok_or(FORM)?;
    let (entry, formula) = inside.split_once("()),LTL(").ok_or(FORM)?;
    if entry != "main" {
        return Err(format!("it starts at `{entry}`; use --entry, and name the kind of property"));
    }
    let kind = match formula {
        "G!overflow" => PropertyKind::Overflow,
        "G!data-race" => PropertyKind::NoDataRace,
        "Fend" => PropertyKind::Termination,
        _ => {
            let call = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
            match (call, formula.strip_prefix('G')) {
                (Some("reach_error" | "__VERIFIER_error"), _) => PropertyKind::UnreachCall,
                (Some(function), _) => return Err(format!("calls of `{function}` cannot be checked")),
                (None, Some(name)) => PropertyKind::named(name).ok_or("there is no such property")?,
                (None, None) => return Err("there is no such property".into()),
            }
        }
    };
    let text = kind.sv_comp_name().unwrap_or(kind.name());
    Ok(Selection { text: text.into(), kinds: PropertySet::of(&[kind]) })
}

/// The help for `--property`: all kinds and groups.
pub fn help() -> String {
    let list = |kinds: PropertySet| kinds.iter().map(PropertyKind::name).collect::<Vec<_>>().join(", ");
    let of = |is_wanted: fn(PropertyKind) -> bool| PropertyKind::all().filter(|&kind| is_wanted(kind)).collect();
    let undefined = named("ub").unwrap_or_default();
    let instrumented = |kind: PropertyKind| !kind.sanitizers().is_empty();
    format!(
        "What must hold: kinds, groups, and property files of SV-COMP (.prp), separated by commas\n\n\
         By default, what the program claims itself: {}.\n\
         clang adds checks for {}.\n\
         The group ub holds those of undefined behaviour: {}.",
        list(of(|kind| kind.checks() == Checks::Calls)),
        list(of(instrumented)),
        list(undefined),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Result<PropertyKind, String> {
        formula(line).map(|selection| selection.kinds.iter().next().expect("one kind"))
    }

    #[test]
    fn formulas_of_the_competition() {
        assert_eq!(kind("CHECK( init(main()), LTL(G ! call(reach_error())) )"), Ok(PropertyKind::UnreachCall));
        assert_eq!(kind("CHECK( init(main()), LTL(G ! overflow) )"), Ok(PropertyKind::Overflow));
        assert_eq!(kind("CHECK( init(main()), LTL(G valid-deref) )"), Ok(PropertyKind::ValidDeref));
        assert_eq!(kind("CHECK( init(main()), LTL(F end) )"), Ok(PropertyKind::Termination));
        assert_eq!(kind("CHECK( init(main()), LTL(G ! data-race) )"), Ok(PropertyKind::NoDataRace));
        for bad in [
            "",
            "CHECK( init(main()), LTL(G ! call(foo())) )",
            "CHECK( init(start()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(G nonsense) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            assert!(kind(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_and_groups() {
        let several = parse("overflow, bounds").expect("two kinds");
        assert_eq!(several.requested(), PropertySet::of(&[PropertyKind::Overflow, PropertyKind::Bounds]));
        assert!(parse("ub").expect("a group").requested().contains(PropertyKind::Null));
        assert_eq!(parse("assert,valid-memsafety").expect("known").unimplemented(), Some("valid-memsafety"));
        assert_eq!(Selections::default().counted(), PropertySet::ALL);
        for bad in ["", "overflow,", "nonsense", "no-such-file.prp"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
