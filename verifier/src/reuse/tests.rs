//! Hints are read back as they were written, and nonsense is ignored.

use super::names::{quoted, words};
use super::*;
use crate::cfa::ProgramBuilder;
use crate::cfa::SourceId;

const I32: Sort = Sort::Bits(32);

/// A program with the variables `main::i`, `main::odd name`, `g`, and two that are called `main::twin`.
fn program() -> Program {
    let mut builder = ProgramBuilder::new(64);
    let main = builder.add_function("main", "main", Some(I32), SourceId::NONE);
    let local = Scope::Local(main);
    for (name, scope, sort) in [
        ("i", local, I32),
        ("odd name", local, Sort::Bits(8)),
        ("g", Scope::Global, I32),
        ("twin", local, I32),
        ("twin", local, I32),
    ] {
        builder.add_temporary(name, sort, scope);
    }
    builder.finish(main)
}

#[test]
fn terms_are_read_back() {
    let program = program();
    let names = Names::new(&program);
    for text in [
        "(slt main::i 10:32)",
        "(not (eq (urem main::i 3:32) 1:32))",
        "(and (ule g main::i) (or true (eq (zext 32 \"main::odd name\") (shl g 4:32))))",
        "(eq (extract 3 5 (concat \"main::odd name\" g)) (extract 0 5 (ite (ult g 2:32) main::i g)))",
        "(sle (sext 64 main::i) (sext 64 (sub g (neg main::i))))",
    ] {
        let mut pool = Pool::default();
        let expr = terms::parse(&mut pool, &names, text).unwrap_or_else(|| panic!("{text}"));
        let written = terms::text(&pool, &names, expr).expect("it has a text");
        // Constructors simplify, so the second reading is compared.
        assert_eq!(terms::parse(&mut pool, &names, &written), Some(expr), "{text} became {written}");
    }
}

#[test]
fn nonsense_is_no_term() {
    let program = program();
    let names = Names::new(&program);
    let nested = format!("{}g{}", "(neg ".repeat(500), ")".repeat(500));
    for text in [
        "",
        "(",
        ")",
        "()",
        "(slt main::i",
        "(slt main::i 10:32) g",
        "(slt main::i 10:33)",
        "(slt main::i main::gone)",
        "(eq main::twin 1:32)",
        "(eq g 300:8)",
        "(eq g 4294967296:32)",
        "(udiv g main::i)",
        "(shl g 32:32)",
        "(sdiv g 4294967295:32)",
        "(urem g 0:32)",
        "(extract 30 5 g)",
        "(extract 0 0 g)",
        "(zext 32 g)",
        "(zext 300 g)",
        "(not g)",
        "(and g g)",
        "(ite g g g)",
        "(read 1 g g)",
        "(what g)",
        "(eq true g)",
        "\"",
        "0:0",
        "1:129",
        "(concat (zext 128 g) g)",
        &nested,
    ] {
        assert_eq!(terms::parse(&mut Pool::default(), &names, text), None, "{text}");
    }
}

#[test]
fn names_are_words() {
    for name in ["x", "main::x", "std::vector<int, a>::n", "a\"b\\c", "10", "", "f(int)"] {
        let line = format!("{} 7", quoted(name));
        assert_eq!(words(&line).collect::<Vec<_>>(), [name, "7"]);
    }
}

#[test]
fn hints_are_read_back() {
    let hint = Hint {
        engine: Some("value+predicate".into()),
        tracked: vec!["main::i".into()],
        predicates: vec!["main (slt main::i 10:32)".into()],
        invariants: vec!["main 1 (sle 0:32 main::i)".into()],
    };
    assert_eq!(Hint::parse(&hint.text()), hint);
    for text in ["", "\n", "clew precision 2\ntrack x\n", "\u{0}"] {
        assert_eq!(Hint::parse(text), Hint::default());
    }
    assert_eq!(Hint::parse("clew precision 1\nwhat is this\ntrack\nengine\n"), Hint::default());
}

#[test]
fn predicates_that_have_no_meaning_are_dropped() {
    let program = program();
    let facts = Facts::new(&program, &crate::tuning::Tuning::default());
    let text = "clew precision 1\npredicate main (slt main::i 10:32)\npredicate gone (slt main::i 10:32)\n\
        predicate main (slt main::gone 10:32)\npredicate main main::i\npredicate\npredicate main\n";
    let mut precision = PredicatePrecision::empty(&program, crate::cpa::sharing::Sharing::Function);
    Hint::parse(text).track_predicates(&facts, &mut Pool::default(), &mut precision);
    assert_eq!(precision.predicates(), 1);
}
