//! Formats of reports, several violations in one run, and colours.

mod common;

use common::Folder;
use serde_json::Value;

/// Three properties can be violated, one holds, and one is after a loop.
const VIOLATIONS: &str = "\
#include <clew.h>
extern void reach_error(void);
static int twice(int n) {
  return 2 * n;
}
int main(void) {
  int x = clew_any_int(), größe = 3;
  if (x == 3)
    clew_assert(twice(x) == größe);
  if (x == 4)
    reach_error();
  clew_assert(größe == 3);
  for (int i = 0; i < 3; i++)
    clew_assert(i < 2 || x != 5);
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("some.c", VIOLATIONS);
    folder.write("safe.c", "#include <clew.h>\nint main(void) {\n  clew_assert(clew_any_int() % 2 < 2);\n}\n");
    folder.write(
        "loop.c",
        "#include <clew.h>\nint main(void) {\n  unsigned n = clew_any_uint(), i = 0;\n  while (i < n)\n    i++;\n  \
         clew_assert(i == n);\n}\n",
    );
    folder
}

/// The run of a SARIF document, which must not differ between runs.
fn sarif(folder: &Folder, args: &[&str], code: i32) -> Value {
    let args: Vec<&str> = ["check", "--format", "sarif"].iter().chain(args).copied().collect();
    let (outcome, again) = (folder.clew(&args), folder.clew(&args));
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    assert_eq!(outcome.stdout, again.stdout, "it differs from run to run");
    let document: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    assert_eq!(document["version"], "2.1.0");
    assert!(document["$schema"].as_str().expect("an address").ends_with("sarif-2.1.0.json"));
    let runs = document["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["tool"]["driver"]["name"], "Clew");
    assert!(run["tool"]["driver"]["version"].is_string() && run["results"].is_array());
    assert_eq!(run["invocations"][0]["exitCode"], code);
    run.clone()
}

/// Asserts that the region is inside the file.
fn assert_region(location: &Value, source: &str) {
    let physical = &location["physicalLocation"];
    assert!(physical["artifactLocation"]["uri"].is_string(), "{location}");
    let number = |name: &str| physical["region"][name].as_u64().expect("a number") as usize;
    let line = source.lines().nth(number("startLine") - 1).expect("the line exists");
    let columns = line.chars().count() + 1;
    assert!(number("startColumn") < number("endColumn") && number("endColumn") <= columns, "{location}: {line}");
}

/// The source text of the region of a location.
fn covered<'a>(location: &Value, source: &'a str) -> &'a str {
    let region = &location["physicalLocation"]["region"];
    let number = |name: &str| region[name].as_u64().expect("a number") as usize;
    let line = source.lines().nth(number("startLine") - 1).expect("the line exists");
    let byte = |column: usize| line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column - 1);
    &line[byte(number("startColumn")).expect("a column")..byte(number("endColumn")).expect("a column")]
}

#[test]
fn sarif_of_a_violation() {
    let run = sarif(&folder(), &["some.c", "--property", "assert", "--config", "value"], 10);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), 1);
    let result = &results[0];
    let index = result["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!((&result["ruleId"], &result["level"]), (&rules[index]["id"], &"error".into()));
    assert!(result["message"]["text"].as_str().expect("text").starts_with("assertion fails"), "{result}");
    assert!(result["properties"]["replay"].as_str().expect("text").starts_with("clew run some.c --inputs="));
    assert_eq!(result["properties"]["inputs"].as_array().expect("a list").len(), 1);
    let location = &result["locations"][0];
    assert_region(location, VIOLATIONS);
    assert!(covered(location, VIOLATIONS).starts_with("clew_assert("), "{location}");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);

    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a list");
    assert!(flow.len() >= 3, "{flow:?}");
    let orders: Vec<u64> = flow.iter().map(|each| each["executionOrder"].as_u64().expect("a number")).collect();
    assert!(orders.is_sorted(), "{orders:?}");
    for each in flow {
        assert_region(&each["location"], VIOLATIONS);
        assert!(each["nestingLevel"].is_u64() && each["location"]["message"]["text"].is_string(), "{each}");
    }
    assert!(flow.iter().any(|each| each["state"]["x"]["text"].is_string()), "{flow:?}");
    assert_eq!(flow.last().expect("an end")["location"]["message"], result["message"]);
}

#[test]
fn sarif_without_results() {
    let folder = folder();
    let safe = sarif(&folder, &["safe.c"], 0);
    assert_eq!((&safe["results"], &safe["properties"]["verdict"]), (&Value::Array(Vec::new()), &"SAFE".into()));
    assert_eq!(safe["invocations"][0]["executionSuccessful"], true);

    let unknown = sarif(&folder, &["loop.c", "--config", "bmc", "--bound", "2"], 20);
    assert_eq!(unknown["results"], Value::Array(Vec::new()));
    let invocation = &unknown["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = invocation["toolExecutionNotifications"].as_array().expect("a list").last().expect("a reason");
    assert_eq!((&notification["level"], &notification["descriptor"]["id"]), (&"error".into(), &"bound".into()));
    let text = notification["message"]["text"].as_str().expect("text");
    assert!(text.starts_with("UNKNOWN: a loop can exceed the bound 2, at loop.c:"), "{text}");
    assert_eq!(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
}

#[test]
fn the_last_format_counts() {
    let folder = folder();
    let starts = |args: &[&str]| {
        let args: Vec<&str> = ["check", "safe.c"].iter().chain(args).copied().collect();
        folder.clew(&args).stdout.chars().next()
    };
    assert_eq!(starts(&["--format", "json"]), Some('{'));
    assert_eq!(starts(&["--format", "text", "--json"]), Some('{'));
    assert_eq!(starts(&["--json", "--format", "text"]), Some('S'));
    let wrong = folder.clew(&["check", "safe.c", "--format", "nonsense"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("text, json, sarif"), "{wrong:?}");
}

#[test]
fn colours_are_for_terminals() {
    let folder = folder();
    let stdout = |color: &[&str], variables: &[(&str, &str)]| {
        let args: Vec<&str> = ["check", "some.c"].iter().chain(color).copied().collect();
        folder.clew_with(&args, variables).stdout
    };
    let plain = stdout(&[], &[("TERM", "xterm")]);
    assert!(!plain.contains('\x1b'), "{plain}");
    assert_eq!(stdout(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]), plain);
    let colored = stdout(&["--color", "always"], &[("NO_COLOR", "1")]);
    assert!(colored.lines().last().expect("a line").starts_with("\x1b[1;31mUNSAFE\x1b[0m: "), "{colored}");
    let mut bare = String::new();
    for (i, part) in colored.split('\x1b').enumerate() {
        bare += if i == 0 { part } else { part.split_once('m').expect("a colour").1 };
    }
    assert_eq!(bare, plain);
}

#[test]
fn all_violations() {
    let folder = folder();
    let outcome = folder.clew(&["check", "some.c", "--all", "--config", "value"]);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[lines.len() - 1], "UNSAFE: 3 violations (2 assert, 1 unreach-call)", "{outcome:?}");
    assert_eq!(lines[lines.len() - 2], "rest: no other property can be violated", "{outcome:?}");
    let mut places: Vec<&str> = lines.iter().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect();
    places.sort_unstable();
    assert_eq!(places, ["some.c:11:5", "some.c:14:5", "some.c:9:5"]);
    for number in 1..=3 {
        assert!(lines.contains(&&*format!("violation {number} of 3:")), "{outcome:?}");
    }
    for command in lines.iter().filter_map(|line| line.strip_prefix("replay: clew ")) {
        assert_eq!(folder.clew(&command.split(' ').collect::<Vec<_>>()).code, Some(10), "{command}");
    }

    let outcome = folder.clew(&["check", "some.c", "--all", "--config", "value", "--json"]);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    let violations = json["violations"].as_array().expect("a list");
    let mut found: Vec<(&str, u64)> = Vec::new();
    for violation in violations {
        let kind = violation["property"]["kind"].as_str().expect("a kind");
        found.push((kind, violation["place"]["line"].as_u64().expect("a number")));
        assert!(violation["counterexample"]["steps"].is_array() && violation["inputs"].is_array());
    }
    found.sort_unstable();
    assert_eq!(found, [("assert", 9), ("assert", 14), ("unreach-call", 11)]);
    assert_eq!((&json["property"], &json["place"]), (&violations[0]["property"], &violations[0]["place"]));
    assert_eq!((&json["reason"], &json["options"]["all"]), (&Value::Null, &true.into()));
    assert_eq!(
        sarif(&folder, &["some.c", "--all", "--config", "value"], 10)["results"].as_array().map(Vec::len),
        Some(3)
    );
}

#[test]
fn all_violations_of_programs_without_many() {
    let folder = folder();
    let safe = folder.clew(&["check", "safe.c", "--all"]);
    assert_eq!((safe.code, safe.stdout.as_str()), (Some(0), "SAFE\n"));
    let json = folder.clew(&["check", "safe.c", "--all", "--json"]).stdout;
    assert!(json.contains("\"violations\":[]"), "{json}");
    // The only property is violated, so the rest of the program is not explored.
    folder.write("one.c", "#include <clew.h>\nint main(void) {\n  clew_assert(clew_any_int());\n  for (;;) {}\n}\n");
    let one = folder.clew(&["check", "one.c", "--all", "--time-limit", "60s"]);
    assert!(
        one.stdout.ends_with("rest: no other property can be violated\nUNSAFE: 1 violation (1 assert)\n"),
        "{one:?}"
    );
}

/// Violations are reported even if the rest is not decided.
#[test]
fn all_violations_when_the_rest_is_open() {
    let folder = folder();
    folder.write(
        "open.c",
        "#include <clew.h>\nint main(void) {\n  unsigned n = clew_any_uint(), i = 0;\n  clew_assert(n != 7);\n  \
         while (i < n)\n    i++;\n  clew_assert(i == n);\n}\n",
    );
    let args = ["check", "open.c", "--all", "--config", "bmc", "--bound", "2"];
    let outcome = folder.clew(&args);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    assert!(outcome.stdout.contains("\nrest: not decided: a loop can exceed the bound 2, at open.c:"), "{outcome:?}");
    assert!(outcome.stdout.ends_with("\nUNSAFE: 1 violation (1 assert)\n"), "{outcome:?}");
    let json: Value =
        serde_json::from_str(&folder.clew(&[&args[..], &["--json"]].concat()).stdout).expect("a document");
    assert_eq!((&json["verdict"], &json["reason"]["kind"]), (&"UNSAFE".into(), &"bound".into()));
    let run = sarif(&folder, &args[1..], 10);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "warning");
}
