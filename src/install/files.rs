//! The files of an installation, each with its path below the prefix.

use std::io;

use clap_complete::Shell;
use clew_frontend_llvm::compile;

use super::command_line;

/// The compiler plugin. In a folder where the dynamic linker looks, so that compilers find it by its name.
pub const PLUGIN: &str = "lib/libclew.so";

/// The folder of the CMake package.
pub const CMAKE_FOLDER: &str = "lib/cmake/Clew";

/// The file that says that the files are there.
pub const MARK: &str = "share/clew/version";

/// A file to write.
#[derive(Debug)]
pub struct File {
    /// Its path below the prefix.
    pub path: String,
    /// Its contents.
    pub contents: Vec<u8>,
}

fn file(path: impl Into<String>, contents: impl Into<Vec<u8>>) -> File {
    File { path: path.into(), contents: contents.into() }
}

/// The files that builds need. The mark is the last one.
pub fn for_builds() -> Vec<File> {
    let version = env!("CARGO_PKG_VERSION");
    let mut files: Vec<File> =
        compile::HEADERS.iter().map(|header| file(format!("include/{}", header.name), header.text)).collect();
    files.push(file(PLUGIN, clew_plugin::PLUGIN));
    files.push(file(format!("{CMAKE_FOLDER}/ClewConfig.cmake"), include_str!("files/ClewConfig.cmake")));
    files.push(file(format!("{CMAKE_FOLDER}/ClewRun.cmake"), include_str!("files/ClewRun.cmake")));
    let version_file = include_str!("files/ClewConfigVersion.cmake").replace("@VERSION@", version);
    files.push(file(format!("{CMAKE_FOLDER}/ClewConfigVersion.cmake"), version_file));
    files.push(file(MARK, format!("{version}\n")));
    files
}

/// All files.
pub fn all() -> io::Result<Vec<File>> {
    let mut files = manual()?;
    for (shell, path) in [
        (Shell::Bash, "share/bash-completion/completions/clew"),
        (Shell::Zsh, "share/zsh/site-functions/_clew"),
        (Shell::Fish, "share/fish/vendor_completions.d/clew.fish"),
    ] {
        files.push(file(path, completions(shell)));
    }
    files.extend(for_builds());
    Ok(files)
}

/// The completions of a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command_line(), "clew", &mut text);
    text
}

/// A manual page for each subcommand.
fn manual() -> io::Result<Vec<File>> {
    let mut command = command_line().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    let mut waiting = vec![command];
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
        let mut text = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut text)?;
        pages.push(file(format!("share/man/man1/{name}.1"), text));
        waiting.extend(command.get_subcommands().cloned());
    }
    Ok(pages)
}

/// A number that tells sets of files apart (FNV-1a).
pub fn fingerprint(files: &[File]) -> u64 {
    let bytes = files.iter().flat_map(|file| file.path.bytes().chain(file.contents.iter().copied()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
