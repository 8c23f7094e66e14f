//! Embeds the library models and the headers: every file of `models/` and `include/`, by name.

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
    ] {
        writeln!(code, "/// {doc}\npub const {name}: &[SourceFile] = &[").expect("a string takes all");
        for path in files(&root.join(dir))? {
            let file = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
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

/// The C and C++ files and headers of a folder, sorted so that builds are reproducible; none if there is no folder.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "c" || e == "cpp" || e == "h"));
    paths.sort();
    Ok(paths)
}
