//! `clew check --tune` and `clew show tuning` from outside.

mod common;

use common::Folder;
use serde_json::Value;

const USAGE: i32 = 2;

/// A loop whose branches are all decided.
const COUNTS: &str = "\
#include <clew.h>
int main(void) {
  int i = 0;
  while (i < 20) i++;
  clew_assert(i == 20);
}
";

fn document(folder: &Folder, args: &[&str]) -> Value {
    let outcome = folder.clew(&[&["check", "counts.c", "--config", "bmc", "--json"], args].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.stdout).expect("one document")
}

/// A tuned number steers the run and is recorded; without one, nothing is.
#[test]
fn a_run_is_tuned() {
    let folder = Folder::new();
    folder.write("counts.c", COUNTS);
    let plain = document(&folder, &[]);
    assert_eq!(plain["statistics"]["bound"], 1);
    assert_eq!(plain["options"].get("tune"), None);
    let args = ["--tune", "bmc.free_iterations=3,bmc.batch=7", "--tune", "bmc.free_iterations=1"];
    let tuned = document(&folder, &args);
    assert_eq!(tuned["statistics"]["bound"], 32);
    assert_eq!(tuned["options"]["tune"].to_string(), r#"{"bmc.batch":7,"bmc.free_iterations":1}"#);
}

#[test]
fn bad_values_are_usage_errors() {
    let folder = Folder::new();
    folder.write("counts.c", COUNTS);
    let cases = [
        ("hunt.share=0", "`hunt.share` takes a whole number from 1 to 1000, not `0`"),
        ("hunt.share=many", "`hunt.share` takes a whole number from 1 to 1000, not `many`"),
        ("hunt.share=2,hunt.shares=3", "there is no parameter `hunt.shares`; `clew show tuning` lists all"),
        ("hunt.share", "write NAME=N"),
    ];
    for (setting, message) in cases {
        let outcome = folder.clew(&["check", "counts.c", "--tune", setting]);
        assert_eq!(outcome.code, Some(USAGE), "{outcome:?}");
        assert!(outcome.stderr.contains(message), "{outcome:?}");
        assert_eq!(outcome.stdout, "");
    }
}

/// Every listed parameter can be set to its default.
#[test]
fn parameters_are_listed() {
    let folder = Folder::new();
    folder.write("counts.c", COUNTS);
    let text = folder.clew(&["show", "tuning"]);
    assert_eq!(text.code, Some(0), "{text:?}");
    let line = text.stdout.lines().find(|line| line.starts_with("hunt.share ")).expect("it is listed");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..6], ["hunt.share", "4", "1", "to", "1000", "A"], "{line}");
    let outcome = folder.clew(&["show", "tuning", "--format", "json"]);
    let list: Vec<Value> = serde_json::from_str(&outcome.stdout).expect("a list");
    assert_eq!(list.len(), text.stdout.lines().count());
    let settings = list.iter().map(|one| format!("{}={}", one["name"].as_str().expect("a name"), one["default"]));
    let settings: Vec<String> = settings.collect();
    let tuned = document(&folder, &["--tune", &settings.join(",")]);
    assert_eq!(tuned["statistics"]["bound"], 1);
    assert_eq!(tuned["options"]["tune"].as_object().expect("an object").len(), list.len());
}
