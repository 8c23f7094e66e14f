//! The tool-info module for BenchExec. Skipped where BenchExec is not installed; `docs/user-guide.md` says how to get it.

use std::process::Command;

use clew_testsuite::{clew, skip, succeed, testsuite};

/// A Python with BenchExec: `$BENCHEXEC_PYTHON`, or `python3`.
fn python() -> Option<Command> {
    let name = std::env::var("BENCHEXEC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = succeed(Command::new(&name).args(["-c", "import benchexec"])).is_ok();
    if !found {
        skip("BenchExec is not installed: BENCHEXEC_PYTHON may name a Python that has it");
        return None;
    }
    let mut command = Command::new(name);
    let modules = testsuite().join("../scripts/benchexec");
    command.env("PYTHONPATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
    Some(command)
}

#[test]
fn the_module_is_what_benchexec_expects() {
    let Some(mut python) = python() else { return };
    let folder = clew().parent().expect("the command has a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    python.env("PATH", format!("{}:{path}", folder.display()));
    python.args(["-m", "benchexec.test_tool_info", "info.clew", "--no-container"]);
    let output = succeed(&mut python).expect("the module is accepted");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Name of tool: “Clew”"), "{text}");
    assert!(text.contains("'check', '--property', 'PROPERTY.PRP', '--ilp32', 'INPUT.FILE'"), "{text}");
    let version = Command::new(clew()).arg("--version").output().expect("clew starts");
    let version = String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default().replace("clew ", "");
    assert!(text.contains(&format!("Version: “{version}”")), "{text}");
}

#[test]
fn verdicts_are_told_by_exit_code_and_last_line() {
    let Some(mut python) = python() else { return };
    let program = r#"
import collections
from benchexec.util import ProcessExitCode
from info.clew import Tool
Run = collections.namedtuple("Run", "exit_code output")
for code, line, expected in [
    (0, "SAFE", "true"),
    (10, "UNSAFE: unreach-call: reach_error is called, at a.c:1:1", "false(unreach-call)"),
    (10, "UNSAFE: overflow: x + 1 overflows int, at a.c:1:1", "false(no-overflow)"),
    (20, "UNKNOWN: out of time (limit 15s), while exploring", "TIMEOUT"),
    (20, "UNKNOWN: the solver gave no answer", "unknown"),
    (0, "UNSAFE: assert: assertion fails", "ERROR (UNSAFE: assert: assertion fails)"),
    (10, "SAFE", "ERROR (SAFE)"),
    (3, "", "ERROR (does not compile)"),
    (0, "", "ERROR (no output)"),
]:
    got = Tool().determine_result(Run(ProcessExitCode(0, code, None), ["a line\n", line + "\n", "\n"] if line else []))
    assert got == expected, f"{code} {line!r}: {got} instead of {expected}"
"#;
    succeed(python.args(["-c", program])).expect("all verdicts are right");
}

#[test]
fn the_benchmark_definition_is_valid() {
    let Some(mut python) = python() else { return };
    let program = "import sys, xml.etree.ElementTree as e; root = e.parse(sys.argv[1]).getroot(); \
                   assert root.tag == 'benchmark' and root.get('tool') == 'info.clew'";
    let file = testsuite().join("../scripts/benchexec/clew.xml");
    succeed(python.args(["-c", program]).arg(file)).expect("the definition is read");
}
