//! The options of clang that matter here: which take a value, which select what clang makes, and which belong into a
//! compilation to bitcode. Options that are not listed take no value and are kept.

use Meaning::{Driver, Drop, Keep, Language, Level, Lto, Mode, Output, Pch, Xclang, Xpreprocessor};
use Shape::{Exact, Joined, Pair, Prefix, Separate};

use super::Makes;

/// How an option is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Without a value.
    Exact,
    /// With a value in the next argument.
    Separate,
    /// With a value in the same argument if there is more than the name, else in the next one.
    Joined,
    /// All arguments that begin so, without another value.
    Prefix,
    /// All arguments that begin so, with a value in the next one.
    Pair,
}

/// What an option means for the wrapper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// It changes what the source means, so the bitcode is compiled with it.
    Keep,
    /// It is about the output, the optimizer, the linker, the assembler or instrumentation.
    Drop,
    /// It selects what clang makes.
    Mode(Makes),
    /// Its value is the output file.
    Output,
    /// Its value is the language of the inputs that follow.
    Language,
    /// The optimisation level, which defines macros.
    Level,
    /// Link-time optimisation: the objects are bitcode.
    Lto,
    /// Its value is a precompiled header.
    Pch,
    /// Its value is for the compiler proper.
    Xclang,
    /// Its value, or what follows the comma, is for the preprocessor.
    Xpreprocessor,
    /// It says for which language clang is called.
    Driver,
}

/// An option: its name, how it is written, and what it means.
type Row = (&'static str, Shape, Meaning);

/// Of the rows that fit, the one with the longest name counts.
const OPTIONS: &[Row] = &[
    // What clang makes.
    ("-c", Exact, Mode(Makes::Object)),
    ("--compile", Exact, Mode(Makes::Object)),
    ("-S", Exact, Mode(Makes::Assembly)),
    ("--assemble", Exact, Mode(Makes::Assembly)),
    ("-E", Exact, Mode(Makes::Other)),
    ("--preprocess", Exact, Mode(Makes::Other)),
    ("-M", Exact, Mode(Makes::Other)),
    ("-MM", Exact, Mode(Makes::Other)),
    ("--dependencies", Exact, Mode(Makes::Other)),
    ("--user-dependencies", Exact, Mode(Makes::Other)),
    ("-fsyntax-only", Exact, Mode(Makes::Other)),
    ("--analyze", Exact, Mode(Makes::Other)),
    ("-emit-ast", Exact, Mode(Makes::Other)),
    ("-emit-llvm", Exact, Mode(Makes::Other)),
    ("-emit-interface-stubs", Exact, Mode(Makes::Other)),
    ("-emit-merged-ifs", Exact, Mode(Makes::Other)),
    ("-extract-api", Exact, Mode(Makes::Other)),
    ("-verify-pch", Exact, Mode(Makes::Other)),
    ("-module-file-info", Exact, Mode(Makes::Other)),
    ("-rewrite", Prefix, Mode(Makes::Other)),
    ("--precompile", Exact, Mode(Makes::Other)),
    ("-fmodule-header", Prefix, Mode(Makes::Other)),
    ("-fmodule-output", Prefix, Mode(Makes::Other)),
    ("-###", Exact, Mode(Makes::Other)),
    ("-cc1", Prefix, Mode(Makes::Other)),
    ("-ccc-print", Prefix, Mode(Makes::Other)),
    ("-fdriver-only", Exact, Mode(Makes::Other)),
    ("-working-directory", Joined, Mode(Makes::Other)),
    ("-ObjC", Prefix, Mode(Makes::Other)),
    ("--driver-mode=", Prefix, Driver),
    ("--autocomplete", Prefix, Mode(Makes::Other)),
    ("--help", Prefix, Mode(Makes::Other)),
    ("-help", Exact, Mode(Makes::Other)),
    ("--version", Exact, Mode(Makes::Other)),
    ("-dumpversion", Exact, Mode(Makes::Other)),
    ("-dumpmachine", Exact, Mode(Makes::Other)),
    ("-print-", Prefix, Mode(Makes::Other)),
    ("--print-", Prefix, Mode(Makes::Other)),
    ("-o", Joined, Output),
    ("--output", Separate, Output),
    ("--output=", Prefix, Output),
    ("-x", Joined, Language),
    ("--language", Separate, Language),
    ("--language=", Prefix, Language),
    // What the source means.
    ("-D", Joined, Keep),
    ("-U", Joined, Keep),
    ("-I", Joined, Keep),
    ("-F", Joined, Keep),
    ("-A", Joined, Keep),
    ("-B", Joined, Keep),
    ("--define-macro", Separate, Keep),
    ("--undefine-macro", Separate, Keep),
    ("--include-directory", Separate, Keep),
    ("--include-directory-after", Separate, Keep),
    ("--include-prefix", Separate, Keep),
    ("--include-with-prefix", Separate, Keep),
    ("--system-header-prefix", Separate, Keep),
    ("--no-system-header-prefix", Separate, Keep),
    ("--include", Separate, Keep),
    ("--imacros", Separate, Keep),
    ("-include", Joined, Keep),
    ("-imacros", Joined, Keep),
    ("-isystem", Joined, Keep),
    ("-isystem-after", Joined, Keep),
    ("-iquote", Joined, Keep),
    ("-idirafter", Joined, Keep),
    ("-iprefix", Joined, Keep),
    ("-iwithprefix", Joined, Keep),
    ("-iwithprefixbefore", Joined, Keep),
    ("-iwithsysroot", Joined, Keep),
    ("-iframework", Joined, Keep),
    ("-iframeworkwithsysroot", Joined, Keep),
    ("-isysroot", Joined, Keep),
    ("-imultilib", Separate, Keep),
    ("-ivfsoverlay", Joined, Keep),
    ("-vfsoverlay", Joined, Keep),
    ("--vfsoverlay", Joined, Keep),
    ("-cxx-isystem", Joined, Keep),
    ("-stdlib++-isystem", Joined, Keep),
    ("-iapinotes-modules", Separate, Keep),
    ("--sysroot", Separate, Keep),
    ("--prefix", Separate, Keep),
    ("--param", Separate, Keep),
    ("--std", Separate, Keep),
    ("--config", Separate, Keep),
    ("-target", Separate, Keep),
    ("-arch", Separate, Keep),
    ("-b", Separate, Keep),
    ("-G", Joined, Keep),
    ("-meabi", Separate, Keep),
    ("-mthread-model", Separate, Keep),
    ("-specs", Separate, Keep),
    ("--specs", Separate, Keep),
    ("-resource-dir", Separate, Keep),
    ("-fdebug-compilation-dir", Separate, Keep),
    ("-fmodules-user-build-path", Separate, Keep),
    ("-ftrapv-handler", Separate, Keep),
    ("-fexperimental-openacc-macro-override", Separate, Keep),
    ("-ccc-gcc-name", Separate, Keep),
    ("-ccc-install-dir", Separate, Keep),
    ("-include-pch", Separate, Pch),
    ("-Xclang", Separate, Xclang),
    ("-Xpreprocessor", Separate, Xpreprocessor),
    ("-Wp,", Prefix, Xpreprocessor),
    ("-undef", Exact, Keep),
    ("-O", Prefix, Level),
    ("--optimize", Prefix, Drop),
    // Other outputs.
    ("-MD", Exact, Drop),
    ("-MMD", Exact, Drop),
    ("--write-dependencies", Exact, Drop),
    ("--write-user-dependencies", Exact, Drop),
    ("-MG", Exact, Drop),
    ("-MP", Exact, Drop),
    ("-MV", Exact, Drop),
    ("-MF", Joined, Drop),
    ("-MT", Joined, Drop),
    ("-MQ", Joined, Drop),
    ("-MJ", Joined, Drop),
    ("-dependency-file", Separate, Drop),
    ("-dependency-dot", Separate, Drop),
    ("-module-dependency-dir", Separate, Drop),
    ("-gen-cdb-fragment-path", Separate, Drop),
    ("-serialize-diagnostics", Separate, Drop),
    ("--serialize-diagnostics", Separate, Drop),
    ("-dumpdir", Separate, Drop),
    ("-index-store-path", Separate, Drop),
    ("-H", Exact, Drop),
    ("--trace-includes", Exact, Drop),
    ("-v", Exact, Drop),
    ("--verbose", Exact, Drop),
    ("-save-temps", Prefix, Drop),
    ("--save-temps", Prefix, Drop),
    ("-save-stats", Prefix, Drop),
    ("--save-stats", Prefix, Drop),
    ("-fsave-optimization-record", Prefix, Drop),
    ("-foptimization-record", Prefix, Drop),
    ("-ftime-", Prefix, Drop),
    ("-fproc-stat-report", Prefix, Drop),
    ("-fstack-usage", Exact, Drop),
    ("-fdiagnostics", Prefix, Drop),
    ("-fcolor-diagnostics", Prefix, Drop),
    ("-R", Prefix, Drop),
    ("-g", Prefix, Drop),
    // The optimizer, plugins and instrumentation.
    ("-flto", Exact, Lto),
    ("-flto=", Prefix, Lto),
    ("-flto-", Prefix, Drop),
    ("-fno-lto", Exact, Lto),
    ("-ffat-lto-objects", Exact, Drop),
    ("-fsplit-lto-unit", Exact, Drop),
    ("-funified-lto", Exact, Drop),
    ("-fthin", Prefix, Drop),
    ("-fwhole-program-vtables", Exact, Drop),
    ("-fvirtual-function-elimination", Exact, Drop),
    ("-fembed-bitcode", Prefix, Drop),
    ("-mllvm", Separate, Drop),
    ("-mllvm=", Prefix, Drop),
    ("-mmlir", Separate, Drop),
    ("-fplugin", Prefix, Drop),
    ("-fpass-plugin", Prefix, Drop),
    ("-fsanitize", Prefix, Drop),
    ("-fno-sanitize", Prefix, Drop),
    ("-fprofile", Prefix, Drop),
    ("-fcs-profile", Prefix, Drop),
    ("-fauto-profile", Prefix, Drop),
    ("-fmemory-profile", Prefix, Drop),
    ("-fcoverage", Prefix, Drop),
    ("-ftest-coverage", Exact, Drop),
    ("-coverage", Exact, Drop),
    ("--coverage", Exact, Drop),
    ("-fxray", Prefix, Drop),
    ("-p", Exact, Drop),
    ("-pg", Exact, Drop),
    ("-Xanalyzer", Separate, Drop),
    ("--analyzer-output", Separate, Drop),
    ("-Xarch_", Pair, Drop),
    ("-Xcuda-fatbinary", Separate, Drop),
    ("-Xcuda-ptxas", Separate, Drop),
    ("-Xopenmp-target", Separate, Drop),
    ("-Xopenmp-target=", Pair, Drop),
    ("-Xoffload-linker", Separate, Drop),
    // The assembler and the linker.
    ("-Wa,", Prefix, Drop),
    ("-Wl,", Prefix, Drop),
    ("-Xassembler", Separate, Drop),
    ("-Xlinker", Separate, Drop),
    ("--for-assembler", Separate, Drop),
    ("--for-linker", Separate, Drop),
    ("--assert", Separate, Drop),
    ("--classpath", Separate, Drop),
    ("--library-directory", Separate, Drop),
    ("--dyld-prefix", Separate, Drop),
    ("-fuse-ld", Prefix, Drop),
    ("--ld-path", Prefix, Drop),
    ("-L", Joined, Drop),
    ("-l", Joined, Drop),
    ("-T", Joined, Drop),
    ("-e", Separate, Drop),
    ("-u", Joined, Drop),
    ("-z", Separate, Drop),
    ("-rpath", Separate, Drop),
    ("-undefined", Separate, Drop),
    ("-framework", Separate, Drop),
    ("-weak_framework", Separate, Drop),
    ("-weak_library", Separate, Drop),
    ("-install_name", Separate, Drop),
    ("-current_version", Separate, Drop),
    ("-bundle_loader", Separate, Drop),
    ("-dsym-dir", Separate, Drop),
    ("-darwin-target-variant", Separate, Drop),
    ("-darwin-target-variant-triple", Separate, Drop),
    ("-filelist", Separate, Drop),
];

/// What follows the name of an option in its argument, and what the option is.
pub fn find(argument: &str) -> Option<(Shape, Meaning, &str)> {
    let fits = |&(name, shape, meaning): &Row| {
        let rest = argument.strip_prefix(name)?;
        let is_whole = rest.is_empty();
        let fits = match shape {
            Exact | Separate => is_whole,
            Joined | Prefix | Pair => true,
        };
        fits.then_some((name.len(), is_whole, (shape, meaning, rest)))
    };
    OPTIONS.iter().filter_map(fits).max_by_key(|&(length, is_whole, _)| (length, is_whole)).map(|(_, _, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_counts() {
        assert_eq!(find("-include-pch"), Some((Separate, Pch, "")));
        assert_eq!(find("-includefoo.h"), Some((Joined, Keep, "foo.h")));
        assert_eq!(find("-MMD"), Some((Exact, Drop, "")));
        assert_eq!(find("-MFa.d"), Some((Joined, Drop, "a.d")));
        assert_eq!(find("-oa.out"), Some((Joined, Output, "a.out")));
        assert_eq!(find("-Oz"), Some((Prefix, Level, "z")));
        assert_eq!(find("-fno-strict-aliasing"), None);
        assert_eq!(find("-Wall"), None);
        assert_eq!(find("-static"), None);
        assert_eq!(find("-emit-llvm"), Some((Exact, Mode(Makes::Other), "")));
    }

    #[test]
    fn names_are_there_once() {
        for (i, (name, ..)) in OPTIONS.iter().enumerate() {
            assert!(OPTIONS[..i].iter().all(|(other, ..)| other != name), "{name}");
        }
    }
}
