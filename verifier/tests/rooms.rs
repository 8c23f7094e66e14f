//! The rooms of the verifier: a room uses only those below it, in the order that `docs/architecture.md` gives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the repository").to_path_buf()
}

/// The rooms of `verifier/src` from the top to the bottom: the first column of the table in the documentation.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string(repository().join("docs/architecture.md")).expect("the document is there");
    let section = text.split("\n## ").find(|section| section.starts_with("The rooms of the verifier"));
    let rows = section.expect("the section is there").lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| Some(row.split_once('`')?.0.trim_end_matches('/').to_string())).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that the code of a file names: the words after `crate::`, also inside of braces.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut used = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                used.extend(list.split(',').map(|item| word(item.trim())));
            }
            None => {
                used.insert(word(after));
            }
        }
    }
    used
}

#[test]
fn dependencies_point_downwards() {
    let rooms = rooms();
    let position: BTreeMap<&str, usize> = rooms.iter().enumerate().map(|(at, room)| (room.as_str(), at)).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for path in all {
        let relative = path.strip_prefix(&source).expect("it is inside").to_string_lossy().into_owned();
        let room = relative.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_string();
        if room == "lib" {
            continue;
        }
        let Some(&own) = position.get(room.as_str()) else {
            wrong.push(format!("{relative}: the room `{room}` is missing in docs/architecture.md"));
            continue;
        };
        seen.insert(room.clone());
        let text = fs::read_to_string(&path).expect("it can be read");
        for other in used(&text).into_iter().filter(|other| *other != room) {
            if position.get(other.as_str()).is_some_and(|&at| at <= own) {
                wrong.push(format!("{relative} uses `{other}`, which is above `{room}`"));
            }
        }
    }
    wrong.extend(rooms.iter().filter(|room| !seen.contains(*room)).map(|room| format!("there is no room `{room}`")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn uses_are_found() {
    let found =
        used("use crate::cfa::Program;\nuse crate::{arg, cpa::Cpa};\n// crate::refine\nlet x = crate::smt::y();");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["arg", "cfa", "cpa", "smt"]);
}
