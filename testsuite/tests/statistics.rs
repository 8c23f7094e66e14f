//! `clew check --stats`, and the statistics of `--json`.

mod common;

use common::Folder;
use serde_json::Value;

/// Statistics of the predicate analysis. The numbers depend on the version of the solver, but are consistent and
/// deterministic.
#[test]
fn statistics_of_predicates() {
    let folder = Folder::new();
    folder.write(
        "loop.c",
        "#include <clew.h>\nint main(void) {\n  int n = clew_any_int(), left;\n  clew_assume(n >= 0 && n < 9);\n  \
         left = n;\n  while (left > 0)\n    left--;\n  clew_assert(left == 0);\n}\n",
    );
    let statistics = |config: &str| {
        let outcome = folder.clew(&["check", "loop.c", "--config", config, "--json"]);
        let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        json["statistics"].clone()
    };
    let (first, second) = (statistics("predicate"), statistics("predicate"));
    for name in ["refinements", "precision", "abstraction", "interpolators", "solver_calls", "solver_cached"] {
        assert_eq!(first[name], second[name], "{name}");
    }
    let count = |value: &Value| value.as_f64().expect("a number");
    let abstraction = |name: &str| count(&first["abstraction"][name]);
    assert!(abstraction("computed") >= abstraction("locations") && abstraction("locations") >= 2.0, "{first}");
    assert!(abstraction("queries") >= abstraction("models") && abstraction("models") > 0.0, "{first}");
    assert!(count(&first["solver_calls"]) + count(&first["solver_cached"]) >= abstraction("queries"), "{first}");
    assert!(abstraction("predicates") >= abstraction("most_predicates"), "{first}");
    assert!(abstraction("most_predicates") >= abstraction("average_predicates"), "{first}");
    assert!(abstraction("average_predicates") > 0.0 && count(&first["refinements"]) > 0.0, "{first}");
    let interpolators = first["interpolators"].as_array().expect("a list");
    let names: Vec<&str> = interpolators.iter().map(|one| one["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["newton-sp", "newton-wp", "spacer"]);
    let mut asked = 0.0;
    for one in interpolators {
        let answers = count(&one["given"]) + count(&one["refused"]) + count(&one["refuted"]);
        assert_eq!(count(&one["asked"]), answers, "{first}");
        asked += answers;
    }
    assert!(asked > 0.0, "{first}");

    let table = folder.clew(&["check", "loop.c", "--config", "predicate", "--stats"]).stdout;
    let rows = ["refinements", "precision", "abstractions", "predicates", "interpolants", "  asked", "solver calls"];
    let shown = table.lines().filter(|line| rows.iter().any(|row| line.starts_with(row)));
    let word = |word: &str| if word.parse::<f64>().is_ok() { "N".into() } else { word.to_string() };
    let shown: Vec<String> =
        shown.map(|line| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")).collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    refinements N
    precision N
    abstractions N N queries, N models; N more were known
    predicates N N on average, N at most at N locations
    interpolants N
    asked newton-sp N N right, N wrong, N none
    asked newton-wp N N right, N wrong, N none
    asked spacer N N right, N wrong, N none
    solver calls N N s; N more were known
    ");

    // No abstraction statistics without abstractions.
    let none = statistics("k-induction");
    assert_eq!((&none["abstraction"]["computed"], &none["interpolators"]), (&0.into(), &Value::Array(Vec::new())));
    let table = folder.clew(&["check", "loop.c", "--config", "bmc", "--stats"]).stdout;
    assert!(!table.contains("abstractions") && !table.contains("interpolants"), "{table}");
}
