//! The commands of `docs/tutorial.md` run and print what it says.

use std::fs;
use std::process::Command;

use clew_testsuite::testsuite;
use tempfile::TempDir;

/// A fenced block: its language, the paragraph before it, and its lines.
struct Block<'a> {
    language: &'a str,
    before: &'a str,
    text: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let (mut open, mut before): (Option<Block<'_>>, &str) = (None, "");
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some(Block { language, before, text: String::new() }),
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) if !line.trim().is_empty() => before = line,
            (None, None) => {}
        }
    }
    blocks
}

/// The file that a sentence such as "And a harness, in `proof.c`:" introduces.
fn file_named(sentence: &str) -> Option<&str> {
    sentence.strip_suffix("`:")?.rsplit('`').next()
}

/// Whether `pattern` matches; `…` stands for any text, and for any lines if it is alone.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| fits(first, line) && matches(rest, others))
        }
    }
}

fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| fits(rest, &line[at..]))
        }),
    }
}

/// Commands after `$ `, each with the lines that it should print.
fn commands(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, expected))) => expected.push(line),
            (None, None) => panic!("the block does not start with a command: {text}"),
        }
    }
    commands
}

#[test]
fn its_commands_print_what_it_says() {
    let page = testsuite().parent().expect("the repository").join("docs/tutorial.md");
    let page = fs::read_to_string(page).expect("the tutorial is there");
    let folder = TempDir::new().expect("a temporary folder");
    let clew = clew_testsuite::clew().parent().expect("a folder").display();
    let path = format!("{clew}:{}", std::env::var("PATH").unwrap_or_default());
    let blocks = blocks(&page);
    for block in &blocks {
        match (block.language, file_named(block.before)) {
            ("c" | "cpp", Some(name)) => {
                fs::write(folder.path().join(name), &block.text).expect("the folder takes files")
            }
            ("c" | "cpp", None) => panic!("no file name before the block:\n{}", block.text),
            _ => {}
        }
    }
    let mut count = 0;
    for block in blocks.iter().filter(|block| block.language == "console") {
        for (command, expected) in commands(&block.text) {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("{command} 2>&1")).current_dir(folder.path()).env("PATH", &path);
            let output = shell.env_remove("CLEW").output().expect("a shell");
            let output = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines: Vec<&str> = output.lines().collect();
            assert!(matches(&expected, &lines), "$ {command}\nexpected:\n{}\nprinted:\n{output}", expected.join("\n"));
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands were found");
}

#[test]
fn patterns_match() {
    assert!(matches(&["a", "…", "c…e"], &["a", "b", "b", "cde"]));
    assert!(matches(&["…"], &[]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(!matches(&["a…c"], &["ab"]));
}
