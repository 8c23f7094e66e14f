//! `clew show arg` and `clew show precision`: the worked examples of the papers, all formats, invalid input, limits.

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clew_testsuite::{clew, run_for, testsuite};
use common::{CommandOutput, Folder};
use serde_json::Value;

/// Runs `clew show` on a program of `verdicts/` in its directory, so that positions have no path.
fn show(args: &[&str]) -> CommandOutput {
    let mut command = Command::new(clew());
    command.arg("show").args(args).current_dir(testsuite().join("verdicts"));
    let outcome = run_for(&mut command, Duration::from_secs(60));
    CommandOutput { code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr }
}

/// The output of `clew show`, with a verdict that starts like this.
fn shown(args: &[&str], verdict: &str) -> String {
    let outcome = show(args);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let last = outcome.stderr.lines().last().unwrap_or("");
    assert!(last.starts_with(&format!("clew: note: {verdict}")), "{outcome:?}");
    outcome.stdout
}

fn check(name: &str, args: &[&str], verdict: &str) {
    let text = shown(args, verdict);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn document(args: &[&str], verdict: &str) -> Value {
    serde_json::from_str(&shown(args, verdict)).expect("it is JSON")
}

/// Only `flag` is tracked, everywhere.
#[test]
fn listing_1_1_of_paper_000() {
    let file = "paper_000_listing_1_1.c";
    assert_eq!(shown(&["precision", file], "SAFE"), "main: flag\n");
    check("arg_paper_000_listing_1_1", &["arg", file], "SAFE");
}

/// Sums have names, and are dropped where they are no longer live.
#[test]
fn sums_of_variables() {
    let file = "sum_kept_by_a_loop.c";
    assert_eq!(shown(&["precision", file, "--config", "value"], "SAFE"), "main: all - left - done, all - left\n");
    check("arg_sum_kept_by_a_loop", &["arg", file, "--config", "value"], "SAFE");
}

/// The states of Figure 3(b): `x` goes from 0 to 5, one step at a time.
#[test]
fn example_2_5_of_paper_002() {
    let file = "paper_002_example_2_5.c";
    assert_eq!(shown(&["precision", file], "SAFE"), "main: x\n");
    check("arg_paper_002_example_2_5", &["arg", file], "SAFE");
}

/// Figure 4(b): with `x` tracked, as in the example, and `i` not, `x` is 0 or 1 at the loop head, and the loop leads
/// back to an existing state.
#[test]
fn example_3_1_of_paper_002() {
    let file = "paper_002_example_3_1.c";
    assert_eq!(shown(&["precision", file, "--track", "x"], "SAFE"), "main: x\n");
    check("arg_paper_002_example_3_1", &["arg", file, "--track", "main::x"], "SAFE");
}

/// Figure 5(c): nothing is known of `x`, and the error location is reached. Tracking `x` does not help: assumptions pin
/// it to 0, where the figure has ⊤, but nothing excludes 0.
#[test]
fn example_3_2_of_paper_002() {
    let file = "paper_002_example_3_2.c";
    let verdict = "UNKNOWN: needs predicates";
    assert_eq!(shown(&["precision", file], verdict), "nothing is tracked\n");
    check("arg_paper_002_example_3_2", &["arg", file], verdict);
    check("arg_paper_002_example_3_2_tracked", &["arg", file, "--track", "x"], verdict);
}

/// One predicate proves Example 3.2; values cannot.
#[test]
fn example_3_2_of_paper_002_with_predicates() {
    let args = ["precision", "paper_002_example_3_2.c", "--config", "predicate", "--blocks", "sbe"];
    assert_eq!(shown(&args, "SAFE"), "main: x == 0\n");
}

/// Figure 6(b): only the predicate `x < 1000`, and the states of the figure. With blocks of whole iterations, no
/// predicate is needed.
#[test]
fn example_3_3_of_paper_002() {
    let file = "paper_002_example_3_3.c";
    let args = |what, blocks| [what, file, "--config", "predicate", "--blocks", blocks];
    assert_eq!(shown(&args("precision", "sbe"), "SAFE"), "main: x < 1000\n");
    check("arg_paper_002_example_3_3", &args("arg", "sbe"), "SAFE");
    assert_eq!(shown(&args("precision", "abe-l"), "SAFE"), "nothing is tracked\n");
}

/// A value that only predicates determine is tracked as a value from then on.
#[test]
fn a_predicate_pins_a_value() {
    check("arg_pinned_by_a_predicate", &["arg", "pinned_by_a_predicate.c", "--config", "value+predicate"], "SAFE");
}

/// With `good-domain`, the flag is tracked and the loop is not unrolled; with `bad-domain`, the counter is tracked and
/// the loop is unrolled. The same holds if values are refined wherever possible.
#[test]
fn figure_1_of_paper_003() {
    let file = "paper_003_figure_1.c";
    let args = |what, more: &[&'static str]| [&[what, file, "--config", "value+predicate"], more].concat();
    assert_eq!(shown(&args("precision", &["--select", "good-domain"]), "SAFE"), "main: flag, flag == 0\n");
    assert_eq!(shown(&args("precision", &["--select", "bad-domain"]), "SAFE"), "main: i\n");
    assert_eq!(shown(&args("precision", &["--refine-first", "values"]), "SAFE"), "main: i\n");
    let nodes = |select| {
        let more = ["--format", "json", "--select", select];
        document(&args("arg", &more), "SAFE")["nodes"].as_array().expect("a list").len()
    };
    let (rolled, unrolled) = (nodes("good-domain"), nodes("bad-domain"));
    assert!(unrolled >= 2 * rolled, "{rolled} and {unrolled} nodes");
    let by_predicates = ["precision", file, "--config", "predicate", "--select", "good-domain,narrow"];
    assert_eq!(shown(&by_predicates, "SAFE"), "main: flag == 0\n");
}

/// A variable with more values than the threshold allows is left to predicates, and the output says so.
#[test]
fn variables_move() {
    // With few phases predicates get done, so that no limit of time decides what is shown.
    let source = std::fs::read_to_string(testsuite().join("verdicts/phases_and_counter.c")).expect("it is there");
    let folder = Folder::new();
    let few = folder.write("few.c", source.replace("% 256", "% 8").replace("last != 51", "last != 3"));
    let few = few.to_str().expect("a plain name");
    let text = shown(&["precision", few, "--config", "value+predicate", "--value-threshold", "5"], "SAFE");
    assert!(text.contains("left to predicates: phase, which has more than 5 values at main L"), "{text}");
    let file = "phases_and_counter.c";
    let args = ["precision", file, "--config", "value+predicate", "--value-threshold", "1000"];
    assert_eq!(shown(&args, "SAFE"), "main: phase, last, limit <u count\n");
}

/// A value that one domain has dropped must not be used by the other: in lock step this was once SAFE.
#[test]
fn what_is_forgotten_is_not_told() {
    let file = "forgotten_at_a_loop_bug.c";
    for order in ["rpo", "bfs", "dfs"] {
        shown(
            &["precision", file, "--config", "value+predicate", "--precision", "location", "--order", order],
            "UNSAFE",
        );
    }
}

/// The domain with the lower cost is refined.
#[test]
fn interval_of_paper_003() {
    let file = "paper_003_interval.c";
    let args = ["precision", file, "--config", "value+predicate", "--select", "good-domain,long"];
    assert_eq!(shown(&args, "SAFE"), "main: level < 1001\n");
    assert_eq!(shown(&["precision", file, "--config", "value"], "SAFE"), "main: level\n");
}

#[test]
fn bounded_analyses_have_nothing_to_show() {
    let outcome = show(&["arg", "paper_002_example_3_3.c", "--config", "bmc"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("builds no graph"), "{outcome:?}");
}

#[test]
fn cells_of_memory_have_names() {
    let text = shown(&["precision", "arrays.c"], "SAFE");
    assert!(text.contains("sums[0]") && text.contains("table[11]"), "{text}");
    let text = shown(&["precision", "structs.c", "--precision", "global"], "SAFE");
    assert!(text.starts_with("main: ") && text.contains("\neverywhere: box.low.x"), "{text}");
    let text = shown(&["precision", "paper_002_example_2_5.c", "--precision", "location"], "SAFE");
    assert!(text.lines().all(|line| line.starts_with("main L") && line.ends_with(": x")), "{text}");
    let text = shown(&["precision", "paper_002_example_2_5.c", "--config", "value-full"], "SAFE");
    assert_eq!(text, "everywhere: all that has a value\n");
}

#[test]
fn json() {
    let file = "paper_002_example_3_1.c";
    let graph = document(&["arg", file, "--track", "x", "--format", "json"], "SAFE");
    let nodes = graph["nodes"].as_array().unwrap();
    let edges = graph["edges"].as_array().unwrap();
    // A tree by first parents: every node except the root is reached once.
    assert_eq!(edges.len(), nodes.len() - 1);
    let covered: Vec<_> = nodes.iter().filter(|node| node["status"] == "covered").collect();
    assert!(!covered.is_empty());
    for node in covered {
        let by = &nodes[node["covered_by"].as_u64().unwrap() as usize];
        assert_eq!((&by["location_id"], &by["facts"]), (&node["location_id"], &node["facts"]));
    }
    assert!(edges.iter().any(|edge| edge["steps"][0]["text"] == "x = 1 - x"));
    let precision = document(&["precision", file, "--track", "x", "--format", "json"], "SAFE");
    assert_eq!(precision["scopes"][0]["function"], "main");
    assert_eq!(precision["scopes"][0]["tracked"], serde_json::json!(["x"]));
}

#[test]
fn pictures() {
    let file = "paper_002_example_3_2.c";
    let svg = shown(&["arg", file, "--format", "svg"], "UNKNOWN");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("target: assert") && svg.contains("[x != 0]") && svg.contains("class=\"edge covering\""));
    let dot = shown(&["arg", file, "--format", "dot"], "UNKNOWN");
    assert!(dot.starts_with("digraph arg {") && dot.contains("style=dashed"), "{dot}");
}

#[test]
fn pictures_have_an_end() {
    // All iterations of the loop.
    let outcome = show(&["arg", "paper_002_example_3_1.c", "--config", "value-full", "--format", "svg"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("nodes") && outcome.stderr.contains("--format dot"), "{outcome:?}");
}

const HALF_OF_IT_MATTERS: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int limit = 10;
    int noise = 0;
    for (int i = 0; i < __VERIFIER_nondet_int(); i++)
        noise = noise * 3 + i;
    int x = __VERIFIER_nondet_int();
    if (limit == 11)
        reach_error();
    if (x == limit)
        reach_error();
    return noise;
}
";

/// What no violation depends on is gone, and constants are replaced; a counterexample is about the whole program.
#[test]
fn a_simplified_automaton() {
    let folder = Folder::new();
    folder.write("a.c", HALF_OF_IT_MATTERS);
    let outcome = folder.clew(&["show", "cfa", "a.c", "--simplified", "--function", "main"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(!outcome.stdout.contains("noise"), "{outcome:?}");
    assert!(outcome.stdout.contains("x == 10"), "{outcome:?}");
    assert!(outcome.stderr.contains("1 of 2 error locations"), "{outcome:?}");
    let outcome = folder.clew(&["check", "a.c", "--config", "value+predicate"]);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    assert!(outcome.stdout.contains("noise = 0") && outcome.stdout.contains("x = 10"), "{outcome:?}");
}

#[test]
fn bad_command_lines() {
    let file = "paper_002_example_3_1.c";
    for (args, words) in [
        (&["arg", file, "--format", "png"][..], &["png", "text, dot, svg, json"][..]),
        (&["precision", file, "--format", "svg"], &["svg", "text, json"]),
        (&["arg", file, "--config", "none"], &["none", "value-full"]),
        (&["arg", file, "--time-limit", "0s"], &["no time at all"]),
        (&["arg", file, "--track", "x,none"], &["no scalar variable `none`"]),
        (&["arg", file, "--property", "termination"], &["`termination` is not checked yet"]),
        (&["arg"], &["FILES"]),
        (&["arg", "no-such-file.c"], &["no-such-file.c"]),
    ] {
        let outcome = show(args);
        assert_eq!(outcome.code, Some(2), "{args:?} {outcome:?}");
        assert_eq!(outcome.stdout, "", "{args:?}");
        assert!(words.iter().all(|word| outcome.stderr.contains(word)), "{args:?} {outcome:?}");
    }
    let folder = Folder::new();
    folder.write("bad.c", "int main(void) { return }");
    let outcome = folder.clew(&["show", "precision", "bad.c"]);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(3), ""), "{outcome:?}");
}

/// Limits hold: partial results are shown, or a message that there are none.
#[test]
fn limits() {
    let folder = Folder::new();
    folder.write(
        "endless.c",
        "#include <clew.h>\nint main(void) {\n  unsigned long long i = 0;\n  while (1) clew_assert(++i);\n}\n",
    );
    for what in ["arg", "precision"] {
        let start = Instant::now();
        let mut command = Command::new(clew());
        command.args(["show", what, "endless.c", "--time-limit", "2s"]).current_dir(folder.path());
        let outcome = command.stdin(Stdio::null()).output().expect("clew starts");
        let (out, error) = (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
        assert!(error.contains("clew: note: UNKNOWN: out of time"), "{error}");
        match outcome.status.code() {
            Some(0) => assert!(!out.is_empty()),
            code => assert_eq!((code, &*out), (Some(20), "")),
        }
    }
}

/// The table of configurations in the documentation is the one that the command prints.
#[test]
fn the_documented_configurations() {
    let outcome = show(&["configs", "--format", "markdown"]);
    let path = testsuite().parent().expect("the package is in the repository").join("docs/architecture.md");
    let document = std::fs::read_to_string(path).expect("the document is there");
    assert!(document.contains(&outcome.stdout), "docs/architecture.md lacks this table:\n{}", outcome.stdout);
    let names =
        |text: &str| text.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_string())).collect();
    let listed: Vec<String> = names(&show(&["configs"]).stdout);
    let help = Command::new(clew()).args(["check", "--help"]).output().expect("clew starts");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(!listed.is_empty() && listed.iter().all(|name| help.contains(&format!("- {name}:"))), "{listed:?}");
}
