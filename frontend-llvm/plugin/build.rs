//! Compiles the plugin with the clang of the LLVM that Clew uses.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    println!("cargo::rerun-if-changed={}", folder.display());
    if let Err(why) = build(&folder, &out.join("libclew.so")) {
        println!("cargo::error=the plugin does not build: {why}");
    }
}

/// Compiles it. LLVM's symbols stay undefined, so that the plugin uses the LLVM of the program that loads it.
fn build(folder: &Path, library: &Path) -> Result<(), String> {
    let prefix = env::var_os("LLVM_SYS_191_PREFIX").map(PathBuf::from);
    let config = prefix.map_or("llvm-config-19".into(), |prefix| prefix.join("bin/llvm-config"));
    let ask = |what: &str| output(Command::new(&config).arg(what));
    let compiler = PathBuf::from(ask("--bindir")?).join("clang++");
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]);
    command.args(["-fno-rtti", "-fno-exceptions", "-fvisibility=hidden", "-s"]);
    command.arg("-isystem").arg(ask("--includedir")?).arg(format!("-DCLEW_VERSION=\"{version}\""));
    let files = fs::read_dir(folder).map_err(|error| error.to_string())?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut sources: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "cpp")).collect();
    sources.sort();
    // As one file, since LLVM's headers take most of the time.
    let all = library.with_extension("cpp");
    let text: String = sources.iter().map(|path| format!("#include \"{}\"\n", path.display())).collect();
    fs::write(&all, text).map_err(|error| error.to_string())?;
    output(command.arg(all).arg("-o").arg(library)).map(|_| ())
}

/// What a command prints, without the space around it.
fn output(command: &mut Command) -> Result<String, String> {
    let result = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_string();
    if result.status.success() { Ok(text(result.stdout)) } else { Err(text(result.stderr).replace('\n', " | ")) }
}
