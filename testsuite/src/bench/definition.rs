//! Task definitions of SV-COMP (format 2.0), sets of them, and folders.

use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use super::task::{Task, Verdict};

/// All definitions in a folder and the folders below it, in the order of their names.
pub fn folder(folder: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for path in definitions_below(folder)? {
        tasks.extend(file(&path, folder)?);
    }
    Ok(tasks)
}

fn definitions_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(definitions_below(&path)?);
        } else if path.extension().is_some_and(|name| name == "yml") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The definitions that the patterns of a set name, such as `loops/*.yml`.
pub fn set(path: &Path) -> Result<Vec<Task>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for pattern in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let whole = folder.join(pattern);
        let matches = glob::glob(&whole.to_string_lossy()).map_err(|error| format!("{pattern}: {error}"))?;
        for found in matches {
            let found = found.map_err(|error| error.to_string())?;
            // Sets may match lists of the programs' options too; only task definitions have properties.
            tasks.extend(file(&found, folder)?);
        }
    }
    Ok(tasks)
}

/// A task for each property of a definition with an expected verdict. Names are relative to `root`.
pub fn file(path: &Path, root: &Path) -> Result<Vec<Task>, String> {
    let problem = |what: &str| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| problem(&error.to_string()))?;
    let documents = YamlLoader::load_from_str(&text).map_err(|error| problem(&error.to_string()))?;
    let document = documents.first().ok_or_else(|| problem("is empty"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let files: Vec<PathBuf> = match &document["input_files"] {
        Yaml::String(file) => vec![folder.join(file)],
        Yaml::Array(files) => files.iter().filter_map(Yaml::as_str).map(|file| folder.join(file)).collect(),
        _ => return Err(problem("has no input_files")),
    };
    let relative = path.strip_prefix(root).unwrap_or(path).with_extension("");
    let category = relative.parent().and_then(Path::file_name).or_else(|| folder.file_name());
    let category = category.map_or("all".to_owned(), |name| name.to_string_lossy().into_owned());
    let ilp32 = document["options"]["data_model"].as_str() == Some("ILP32");
    let properties = document["properties"].as_vec().map(Vec::as_slice).unwrap_or_default();
    let mut tasks = Vec::new();
    for property in properties {
        // Without an expected verdict, it asks for tests or for coverage.
        let Some(expected) = property["expected_verdict"].as_bool() else { continue };
        let property_file = property["property_file"].as_str().ok_or_else(|| problem("has no property_file"))?;
        let property_file = folder.join(property_file);
        let name = property_file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tasks.push(Task {
            id: format!("{}:{name}", relative.display()),
            category: category.clone(),
            property: name,
            property_file: Some(property_file),
            expected: if expected { Verdict::True } else { Verdict::False },
            ilp32,
            files: files.clone(),
            flags: Vec::new(),
        });
    }
    Ok(tasks)
}
