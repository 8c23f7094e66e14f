//! Embeds the library models and the headers: every file of `models/`, `include/` and `streams/`, by name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut code = String::new();
    for (name, doc, dir) in [
        ("MODELS", "The models of the C library, and the headers that they share.", "models"),
        ("HEADERS", "The headers that programs may include.", "include"),
        ("STREAM_HEADERS", "The stream classes of C++, in place of libstdc++'s.", "streams"),
    ] {
        writeln!(code, "/// {doc}\npub const {name}: &[SourceFile] = &[").expect("a string takes all");
        for path in files(&root.join(dir))? {
            let file = path.strip_prefix(root.join(dir)).expect("it is inside").to_string_lossy().into_owned();
            writeln!(
                code,
                "    SourceFile {{ name: {file:?}, text: include_str!({:?}) }},",
                path.display().to_string()
            )
            .expect("a string takes all");
        }
        code.push_str("];\n");
        println!("cargo::rerun-if-changed={dir}");
    }
    fs::write(out.join("embedded_sources.rs"), code)
}

/// The C and C++ files and headers of a folder and the folders in it, sorted so that builds are reproducible. Headers of
/// the C++ library have no extension.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            paths.extend(files(&path)?);
        } else if path.extension().is_none_or(|e| e == "c" || e == "cpp" || e == "h") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
