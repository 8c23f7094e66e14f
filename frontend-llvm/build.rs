//! Embeds the library models and the headers: every file of `models/`, `include/` and `streams/`, by name.
//! Compiles the plugin for compilers (`plugin/`), and embeds it too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
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
    fs::write(out.join("embedded_sources.rs"), code)?;
    println!("cargo::rerun-if-changed=plugin");
    if let Err(why) = build_plugin(&root.join("plugin"), &out.join("libclew.so")) {
        println!("cargo::error=the plugin does not build: {why}");
    }
    Ok(())
}

/// Compiles the plugin. It leaves LLVM's symbols undefined, so that it uses the LLVM of the program that loads it.
fn build_plugin(folder: &Path, library: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = env::var_os("LLVM_SYS_191_PREFIX").map(PathBuf::from);
    let config = prefix.map_or("llvm-config-19".into(), |prefix| prefix.join("bin/llvm-config"));
    let ask = |what: &str| output(Command::new(&config).arg(what));
    let compiler = PathBuf::from(ask("--bindir")?).join("clang++");
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]);
    command.args(["-fno-rtti", "-fno-exceptions", "-fvisibility=hidden", "-s"]);
    command.arg("-isystem").arg(ask("--includedir")?).arg(format!("-DCLEW_VERSION=\"{version}\""));
    let sources = fs::read_dir(folder).map_err(|error| error.to_string())?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut sources: Vec<PathBuf> = sources.filter(|path| path.extension().is_some_and(|e| e == "cpp")).collect();
    sources.sort();
    output(command.args(sources).arg("-o").arg(library)).map(|_| ())
}

/// What a command prints, without the space around it.
fn output(command: &mut Command) -> Result<String, String> {
    let result = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_string();
    if result.status.success() { Ok(text(result.stdout)) } else { Err(text(result.stderr).replace('\n', " | ")) }
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
