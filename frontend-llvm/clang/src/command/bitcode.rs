//! The compilation to bitcode of a source that a command compiles.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::{Command, Input, Language};
use crate::FLAGS;

impl Command {
    /// The flags that decide what the sources mean: macros, include folders, dialects, the target.
    pub fn source_flags(&self) -> Vec<OsString> {
        let mut flags = self.kept.clone();
        // Macros that say how the program is optimised; bitcode is always compiled at `-O1`.
        match self.level.as_bytes() {
            b"" | b"0" => flags.extend(["-U__OPTIMIZE__".into(), "-D__NO_INLINE__=1".into()]),
            b"s" | b"z" => flags.push("-D__OPTIMIZE_SIZE__=1".into()),
            b"fast" => flags.push("-ffast-math".into()),
            _ => {}
        }
        if self.has_pch {
            // It was compiled with the flags of the build, and holds declarations only.
            flags.extend(["-Xclang".into(), "-fno-validate-pch".into()]);
        }
        flags
    }

    /// The arguments that compile `input` to bitcode, which goes to the standard output. C++ is preceded by `prelude`.
    pub fn bitcode_arguments(&self, input: &Input, prelude: &OsStr) -> Vec<OsString> {
        let mut arguments = self.source_flags();
        if input.language == Language::Cxx {
            arguments.extend(["-include".into(), prelude.into()]);
        }
        arguments.extend(FLAGS.iter().map(Into::into));
        arguments.extend(["-Qunused-arguments".into(), "-o".into(), "-".into()]);
        if let Some(language) = &input.declared {
            arguments.extend(["-x".into(), language.clone()]);
        }
        if !input.is_stdin() {
            arguments.push("--".into());
        }
        arguments.push(input.path.clone().into_os_string());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Driver;

    #[test]
    fn flags_of_the_source_are_kept() {
        let words = "-O2 -g3 -DA -I x -include b.h -std=gnu11 -m32 -MMD -MF a.d -Wp,-MD,a.d -flto -fsanitize=address \
                     -Wl,-z,now -lm -L. -pthread -Xclang -fwchar-type=short -mllvm -foo -o a.o -c a.c";
        let arguments: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
        let command = Command::parse(Driver::C, &arguments, Path::new("/"));
        assert_eq!(
            command.source_flags().join(OsStr::new(" ")),
            "-DA -I x -include b.h -std=gnu11 -m32 -pthread -Xclang -fwchar-type=short"
        );
        assert!(command.lto);
        assert_eq!(command.output.as_deref(), Some(Path::new("a.o")));
    }

    #[test]
    fn the_level_defines_macros() {
        let flags = |words: &str| {
            let arguments: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
            Command::parse(Driver::C, &arguments, Path::new("/")).source_flags().join(OsStr::new(" "))
        };
        assert_eq!(flags("-c a.c"), "-U__OPTIMIZE__ -D__NO_INLINE__=1");
        assert_eq!(flags("-O0 -O2 -c a.c"), "");
        assert_eq!(flags("-Os -c a.c"), "-D__OPTIMIZE_SIZE__=1");
    }
}
