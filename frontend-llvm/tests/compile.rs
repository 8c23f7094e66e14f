//! Inputs of every kind become one module, or a clear error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_frontend_llvm::compile::{
    Cache, CompileOptions, DataModel, LoadError, Loaded, MODEL_ATTRIBUTE, SourceFile, link_models, load,
};
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use tempfile::TempDir;

/// A directory with files to load.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        let dir = Files(TempDir::new().unwrap());
        for (name, text) in files {
            fs::write(dir.path(name), text).unwrap();
        }
        dir
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn load<'ctx>(&self, context: &'ctx Context, names: &[&str]) -> Result<Loaded<'ctx>, LoadError> {
        self.load_with(context, names, &CompileOptions::default())
    }

    fn load_with<'ctx>(
        &self,
        context: &'ctx Context,
        names: &[&str],
        options: &CompileOptions,
    ) -> Result<Loaded<'ctx>, LoadError> {
        load(context, &names.iter().map(|name| self.path(name)).collect::<Vec<_>>(), options)
    }

    /// Runs a tool in the directory.
    fn run(&self, program: &str, args: &[&str]) {
        let status = Command::new(program).args(args).current_dir(self.0.path()).status().unwrap();
        assert!(status.success(), "{program} {args:?}");
    }
}

fn defines(loaded: &Loaded<'_>, name: &str) -> bool {
    loaded.module.get_function(name).is_some_and(|f| f.count_basic_blocks() > 0)
}

#[test]
fn c_and_cxx_are_linked() {
    let files = Files::new(&[
        ("main.c", "int twice(int); int main(void) { return twice(0); }"),
        ("twice.cpp", "extern \"C\" int twice(int x) { return x * 2; }"),
    ]);
    let context = Context::create();
    let loaded = files.load(&context, &["main.c", "twice.cpp"]).unwrap();
    assert!(defines(&loaded, "main") && defines(&loaded, "twice"));
    assert_eq!((loaded.data_model, loaded.tolerated.len()), (DataModel::Lp64, 0));
}

#[test]
fn variables_are_described_by_calls() {
    let files = Files::new(&[("main.c", "int main(void) { int x = 3; return x; }")]);
    let context = Context::create();
    let loaded = files.load(&context, &["main.c"]).unwrap();
    assert!(loaded.module.get_function("llvm.dbg.declare").is_some(), "{}", loaded.module.print_to_string());
}

#[test]
fn arithmetic_wraps_and_is_not_contracted() {
    let text = "int x; double f(double a) { return a * a + a; } int main(void) { return x + 1; }";
    let files = Files::new(&[("main.c", text)]);
    let context = Context::create();
    let text = files.load(&context, &["main.c"]).unwrap().module.print_to_string().to_string();
    assert!(text.contains("fmul double") && !text.contains("fmuladd") && !text.contains("nsw"), "{text}");
}

#[test]
fn old_c_is_tolerated_and_said() {
    let files = Files::new(&[("old.c", "int *p;\nmain() {\n  p = 5;\n  return foo(1);\n}\n")]);
    let context = Context::create();
    let loaded = files.load(&context, &["old.c"]).unwrap();
    let said = loaded.tolerated.join("\n");
    for words in [
        "old.c:2:1: type specifier missing",
        "old.c:3:5: incompatible integer to pointer",
        "old.c:4:10: call to undeclared function 'foo'",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(loaded.tolerated.len(), 3, "{said}");
}

#[test]
fn keywords_of_later_standards_may_be_names() {
    let files = Files::new(&[("old.c", "int restrict = 0; int main(void) { return restrict; }")]);
    let context = Context::create();
    let loaded = files.load(&context, &["old.c"]).unwrap();
    assert!(loaded.tolerated[0].contains("1989"), "{:?}", loaded.tolerated);
    let options = CompileOptions { clang_flags: vec!["-std=c11".into()], ..CompileOptions::default() };
    assert!(matches!(files.load_with(&context, &["old.c"], &options), Err(LoadError::InputDoesNotCompile { .. })));
}

#[test]
fn deep_nesting_compiles() {
    let text = format!("int main(void) {{ return {}0{}; }}", "(".repeat(3000), ")".repeat(3000));
    let files = Files::new(&[("deep.c", &text)]);
    files.load(&Context::create(), &["deep.c"]).unwrap();
}

#[test]
fn std_string_is_instantiated() {
    let files = Files::new(&[(
        "s.cpp",
        "#include <string>\nint main() { std::string s = \"a\"; s += \"b\"; return s.find(\"b\") == 1; }",
    )]);
    let context = Context::create();
    let loaded = files.load(&context, &["s.cpp"]).unwrap();
    let missing: Vec<String> = loaded
        .module
        .get_functions()
        .filter(|f| f.count_basic_blocks() == 0)
        .map(|f| f.get_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("basic_string"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn data_models_are_chosen_found_and_not_mixed() {
    let files = Files::new(&[
        ("main.c", "long f(void); int main(void) { return sizeof(long); }"),
        ("f.c", "long f(void) { return 1; }"),
    ]);
    files.run("clang-19", &["-m32", "-c", "-emit-llvm", "f.c", "-o", "f32.bc"]);
    files.run("clang-19", &["-m64", "-c", "-emit-llvm", "f.c", "-o", "f64.bc"]);
    let context = Context::create();
    let ilp32 = CompileOptions { data_model: Some(DataModel::Ilp32), ..CompileOptions::default() };
    assert_eq!(files.load_with(&context, &["main.c"], &ilp32).unwrap().data_model, DataModel::Ilp32);
    // Bitcode determines the data model of the sources, regardless of its position.
    assert_eq!(files.load(&context, &["main.c", "f32.bc"]).unwrap().data_model, DataModel::Ilp32);
    let error = files.load_with(&context, &["main.c", "f64.bc"], &ilp32).unwrap_err();
    assert!(error.to_string().ends_with("f64.bc: compiled for LP64, but the options ask for ILP32"), "{error}");
    let error = files.load(&context, &["f32.bc", "f64.bc"]).unwrap_err();
    assert!(matches!(error, LoadError::DataModelConflict { .. }), "{error}");
}

#[test]
fn symbols_defined_twice_name_both_files() {
    let files = Files::new(&[("a.c", "int f = 1; int main(void) { return f; }"), ("b.c", "int f = 2;")]);
    let error = files.load(&Context::create(), &["a.c", "b.c"]).unwrap_err().to_string();
    assert!(error.contains("`f` is defined twice") && error.contains("a.c") && error.contains("b.c"), "{error}");
}

#[test]
fn weak_and_inline_symbols_may_be_defined_twice() {
    let files = Files::new(&[
        ("a.c", "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }"),
        ("b.c", "int f(void) { return 2; }"),
        ("c.cpp", "inline int g() { return 1; } int h() { return g(); }"),
        ("d.cpp", "inline int g() { return 1; } int i() { return g(); }"),
    ]);
    files.load(&Context::create(), &["a.c", "b.c", "c.cpp", "d.cpp"]).unwrap();
}

#[test]
fn objects_executables_and_archives_carry_bitcode() {
    let files = Files::new(&[
        ("main.c", "int f(void); int main(void) { return f(); }"),
        ("f.c", "int g(void); int f(void) { return g(); }"),
        ("g.c", "int g(void) { return 7; }"),
        ("unused.c", "int unused(void) { return 7; }"),
    ]);
    for name in ["main", "f", "g", "unused"] {
        files.run("clang-19", &["-fembed-bitcode", "-c", &format!("{name}.c"), "-o", &format!("{name}.o")]);
    }
    files.run("clang-19", &["main.o", "f.o", "g.o", "-o", "app"]);
    files.run("ar", &["rc", "lib.a", "unused.o", "g.o", "f.o"]);
    let context = Context::create();
    for inputs in [&["main.o", "f.o", "g.o"][..], &["app"], &["main.c", "lib.a"], &["lib.a", "main.o"]] {
        let loaded = files.load(&context, inputs).unwrap();
        assert!(["main", "f", "g"].iter().all(|name| defines(&loaded, name)), "{inputs:?}");
        assert!(!defines(&loaded, "unused"), "{inputs:?}");
    }
    let whole = CompileOptions { entry: "unused".into(), ..CompileOptions::default() };
    assert!(defines(&files.load_with(&context, &["lib.a"], &whole).unwrap(), "f"));
}

#[test]
fn a_binary_without_bitcode_says_so() {
    let files = Files::new(&[("a.c", "int main(void) { return 0; }")]);
    files.run("clang-19", &["a.c", "-o", "a"]);
    files.run("clang-19", &["-c", "a.c"]);
    files.run("ar", &["rc", "a.a", "a.o"]);
    for name in ["a", "a.o", "a.a"] {
        let error = files.load(&Context::create(), &[name]).unwrap_err();
        assert!(matches!(error, LoadError::NoBitcode(_)), "{error}");
    }
}

#[test]
fn contents_count_more_than_names() {
    let files = Files::new(&[("a.c", "int main(void) { return 0; }")]);
    files.run("clang-19", &["-c", "-emit-llvm", "a.c", "-o", "bitcode.c"]);
    files.load(&Context::create(), &["bitcode.c"]).unwrap();
}

#[test]
fn a_missing_entry_names_the_option() {
    let files = Files::new(&[("a.c", "int main2(void) { return 0; }")]);
    let error = files.load(&Context::create(), &["a.c"]).unwrap_err().to_string();
    assert!(error.starts_with("no function `main`; choose with --entry") && error.contains("`main2`"), "{error}");
    let options = CompileOptions { entry: "main2".into(), ..CompileOptions::default() };
    files.load_with(&Context::create(), &["a.c"], &options).unwrap();
}

const MODELS: &[SourceFile] = &[
    SourceFile { name: "model.h", text: "int helper(int);\n" },
    SourceFile {
        name: "a.c",
        text: "#include \"model.h\"\nstatic int calls; int count(void) { return calls; }\n\
               int outer(int x) { calls++; return helper(x); } int unwanted(void) { return 1; }",
    },
    SourceFile { name: "b.c", text: "#include \"model.h\"\nint shared = 5; int helper(int x) { return x + shared; }" },
];

#[test]
fn models_give_what_is_missing_and_no_more() {
    let files = Files::new(&[("a.c", "int count(void); int main(void) { return outer(1) + count(); }")]);
    let cache = TempDir::new().unwrap();
    let folder = cache.path().join("deep/er");
    for (round, model) in [DataModel::Lp64, DataModel::Lp64, DataModel::Ilp32].into_iter().enumerate() {
        let context = Context::create();
        let options = CompileOptions { data_model: Some(model), ..CompileOptions::default() };
        let loaded = files.load_with(&context, &["a.c"], &options).unwrap();
        link_models(&context, &loaded.module, model, MODELS, &Cache::Folder(folder.clone())).unwrap();
        assert!(["main", "outer", "count", "helper"].iter().all(|name| defines(&loaded, name)));
        assert!(!defines(&loaded, "unwanted"));
        // State that two models share must exist only once.
        let globals: Vec<_> =
            loaded.module.get_globals().map(|g| g.get_name().to_string_lossy().into_owned()).collect();
        assert_eq!(globals.iter().filter(|name| name.contains("calls")).count(), 1, "{globals:?}");
        let is_model = |name: &str| {
            let function = loaded.module.get_function(name).unwrap();
            function.get_string_attribute(AttributeLoc::Function, MODEL_ATTRIBUTE).is_some()
        };
        assert!(is_model("outer") && is_model("helper") && !is_model("main"));
        assert_eq!(cached(&folder), 1 + round / 2);
        let text = loaded.module.print_to_string().to_string();
        let outer = text.split("\ndefine ").find(|function| function.contains("@outer(i32 noundef %x)")).unwrap();
        assert!(outer.contains("@llvm.dbg.value(") && !text.contains("#dbg_"), "{text}");
    }
}

#[test]
fn a_damaged_cache_is_repaired() {
    let files = Files::new(&[("a.c", "int main(void) { return outer(1); }")]);
    let cache = TempDir::new().unwrap();
    let link = || {
        let context = Context::create();
        let loaded = files.load(&context, &["a.c"]).unwrap();
        link_models(&context, &loaded.module, DataModel::Lp64, MODELS, &Cache::Folder(cache.path().into())).unwrap();
        assert!(defines(&loaded, "outer") && defines(&loaded, "helper"));
    };
    link();
    let entry = fs::read_dir(cache.path()).unwrap().next().unwrap().unwrap().path();
    let whole = |name: &str| fs::read(entry.join(name)).unwrap_or_default();
    let (index, part) = (whole("index"), whole("b.c"));
    assert!(!index.is_empty() && part.len() > 100);
    let damages: [&dyn Fn(); 4] = [
        &|| fs::write(entry.join("b.c"), &part[..part.len() / 2]).unwrap(),
        &|| fs::remove_file(entry.join("b.c")).unwrap(),
        &|| fs::write(entry.join("index"), "a.c").unwrap(),
        &|| fs::write(entry.join("b.c"), "").unwrap(),
    ];
    for damage in damages {
        damage();
        link();
        assert_eq!((whole("index"), whole("b.c").len()), (index.clone(), part.len()));
        assert_eq!(cached(cache.path()), 1);
    }
}

#[test]
fn models_that_are_compiled_stay_in_the_cache_when_a_run_ends_early() {
    let files = Files::new(&[("a.c", "int main(void) { return outer(1); }")]);
    let cache = TempDir::new().unwrap();
    let link = |models: &[SourceFile]| {
        let context = Context::create();
        let loaded = files.load(&context, &["a.c"]).unwrap();
        link_models(&context, &loaded.module, DataModel::Lp64, models, &Cache::Folder(cache.path().into()))
            .map(|()| defines(&loaded, "outer") && defines(&loaded, "helper"))
    };
    // The last model does not compile, as if the run had been ended while that was done.
    let broken = [MODELS, &[SourceFile { name: "c.c", text: "int broken(" }]].concat();
    assert!(link(&broken).is_err());
    let entries = || {
        let names = fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    let kept = entries();
    assert_eq!(kept.len(), 2, "{kept:?}");
    let times = || kept.iter().map(|path| fs::metadata(path).unwrap().modified().unwrap()).collect::<Vec<_>>();
    let before = times();
    // The next run takes what is there, and compiles the rest; a damaged entry is replaced.
    assert!(link(&broken).is_err());
    assert_eq!((entries(), times()), (kept.clone(), before.clone()));
    fs::write(kept[0].join("bitcode"), "BC").unwrap();
    assert!(link(&broken).is_err());
    assert_eq!(entries(), kept);
    assert!(times()[0] > before[0] && times()[1] == before[1]);
    // A run that compiles all of them leaves one entry.
    let others = cached(cache.path());
    assert!(link(MODELS).unwrap());
    assert_eq!(cached(cache.path()), others + 1);
}

fn cached(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn definitions_of_the_user_win_over_models() {
    let text = "int outer(int); int shared = 9; int helper(int x) { return x * 2; }\n\
                static int count(void) { return 3; } int main(void) { return outer(1) + count(); }";
    let files = Files::new(&[("a.c", text)]);
    let context = Context::create();
    let loaded = files.load(&context, &["a.c"]).unwrap();
    link_models(&context, &loaded.module, DataModel::Lp64, MODELS, &Cache::None).unwrap();
    let text = loaded.module.print_to_string().to_string();
    assert!(text.contains("@helper(") && text.contains("@shared = dso_local global i32 9"), "{text}");
    let defined: Vec<_> = text.lines().filter(|line| line.starts_with("define ")).collect();
    // Expected: main, helper and the definition of the user, and outer of the models.
    assert_eq!(defined.len(), 4, "{defined:#?}");
    assert!(!text.contains("unused"), "{text}");
}
