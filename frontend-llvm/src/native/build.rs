//! Compiles the instrumented module once, and links it with a harness for each counterexample.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::harness::{self, InputFunction, Instructions, Recipe};
use super::instrument::{Instrumented, Place, instrument};
use crate::compile::link::Linker;
use crate::compile::scratch::Scratch;
use crate::compile::{Clang, Context, DataModel, Part, conventions, llvm};
use crate::entry::{self, Arguments};
use crate::ir;
use inkwell::module::Linkage;

/// The prefixes of functions that return inputs.
const INPUTS: [&str; 3] = ["__VERIFIER_nondet_", "nondet_", "clew_any_"];

/// What a native build needs to know about the program.
#[derive(Clone, Debug)]
pub struct Source {
    /// The modules of the program.
    pub parts: Vec<Part>,
    /// Its data model.
    pub data_model: DataModel,
    /// The function where execution starts.
    pub entry: String,
    /// What its arguments are like.
    pub arguments: Arguments,
    /// Functions whose values are inputs, beside those that the conventions name.
    pub assume_any: Vec<String>,
    /// Flags of the user for clang, of which those for the linker count.
    pub flags: Vec<String>,
}

/// A compiled program that waits for its harness.
#[derive(Debug)]
pub struct NativeProgram {
    folder: Scratch,
    clang: Clang,
    linker_flags: Vec<String>,
    functions: Vec<InputFunction>,
    entry: Option<String>,
    found: Instrumented,
    /// Functions that no library defines, as far as known.
    undefined: Vec<String>,
}

impl Source {
    /// Compiles the program. An error says why there is no native program.
    pub fn compile(&self, limit: Duration) -> Result<NativeProgram, String> {
        let folder = Scratch::new().map_err(|error| error.to_string())?;
        let clang = Clang::find().map_err(|error| error.to_string())?;
        let context = Context::create();
        let mut linker = Linker::default();
        let mut offered = Vec::new();
        for part in &self.parts {
            let module = llvm::parse(&context, &part.bytes, &part.origin).map_err(|error| error.to_string())?;
            if part.is_offered {
                offered.push((part.origin.clone(), module));
            } else {
                linker.add(part.origin.clone(), module).map_err(|error| error.to_string())?;
            }
        }
        linker.offer(offered);
        let module = linker.finish(&context).map_err(|error| error.to_string())?;
        let renamed = conventions::adapt(&module).renamed;
        let made = entry::add(&context, &module, &self.entry, &self.arguments).map_err(|error| error.to_string())?;
        let start = made.map_or(&*self.entry, |_| entry::NAME);
        let view = ir::Module::of(&module);
        let functions = self.input_functions(view, &renamed)?;
        let entry = entry_to_call(&module, start)?;
        let found = instrument(view);
        llvm::verify(&module, "the instrumented program").map_err(|error| error.to_string())?;
        let bitcode = folder.path().join("program.bc");
        if !module.write_bitcode_to_path(&bitcode) {
            return Err("the temporary folder cannot be written".into());
        }
        let is_cxx =
            view.functions().any(|f| f.is_declaration() && ["_Z", "__cxa_"].iter().any(|p| f.name().starts_with(p)))
                || view.function("__gxx_personality_v0").is_some();
        let mut program = NativeProgram {
            linker_flags: self.linker_flags(is_cxx),
            folder,
            clang,
            functions,
            entry,
            found,
            undefined: Vec::new(),
        };
        let target = if self.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        program.run(&[target, "-c", "-O0", "-w", "program.bc", "-o", "program.o"], limit).map_err(
            |error| match error {
                Failed::Limit => "compiling it takes too long".to_string(),
                Failed::Messages(text) => format!("it does not compile: {}", first_line(&text)),
            },
        )?;
        program.linker_flags.insert(0, "program.o".into());
        Ok(program)
    }

    /// The input functions that the program declares.
    fn input_functions(&self, module: ir::Module, renamed: &[(String, String)]) -> Result<Vec<InputFunction>, String> {
        let is_input = |name: &str| {
            INPUTS.iter().any(|prefix| name.starts_with(prefix)) || self.assume_any.iter().any(|any| any == name)
        };
        let mut functions = Vec::new();
        let declared = module.functions().filter(|f| f.is_declaration() && f.users().next().is_some());
        for function in declared.filter(|f| is_input(f.name())) {
            let name = function.name();
            if name == "__VERIFIER_nondet_memory" || function.value_type().result().kind() == ir::TypeKind::Void {
                continue;
            }
            let Some(mut input) = InputFunction::of(function) else {
                return Err(format!("the type of {name} cannot be written in C"));
            };
            input.symbols.extend(renamed.iter().filter(|(_, new)| new == name).map(|(old, _)| old.clone()));
            functions.push(input);
        }
        Ok(functions)
    }

    fn linker_flags(&self, is_cxx: bool) -> Vec<String> {
        let for_linker = |flag: &&String| ["-l", "-L", "-Wl,"].iter().any(|prefix| flag.starts_with(prefix));
        let mut flags: Vec<String> = self.flags.iter().filter(for_linker).cloned().collect();
        flags.extend(is_cxx.then(|| "-lstdc++".into()));
        flags.push("-lm".into());
        flags.push(if self.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" }.into());
        flags
    }
}

impl NativeProgram {
    /// The text of the harness. `instructions` make it a test that stands alone.
    pub fn harness(&self, recipe: &Recipe, instructions: Option<&Instructions>) -> String {
        let recipe = Recipe { undefined: [&recipe.undefined[..], &self.undefined].concat(), ..recipe.clone() };
        harness::text(&recipe, &self.functions, instructions, self.entry.as_deref())
    }

    /// Links the program with the harness of a recipe. An error says why that fails.
    pub fn link(&mut self, recipe: &Recipe, limit: Duration) -> Result<PathBuf, String> {
        let end = Instant::now() + limit;
        loop {
            let text = self.harness(recipe, None);
            fs::write(self.folder.path().join("harness.c"), text).map_err(|error| error.to_string())?;
            let mut words = vec!["-O0", "-w", "-Wl,--no-demangle", "harness.c"];
            words.extend(self.linker_flags.iter().map(String::as_str));
            words.extend(["-o", "program"]);
            let messages = match self.run(&words, end.saturating_duration_since(Instant::now())) {
                Ok(()) => return Ok(self.folder.path().join("program")),
                Err(Failed::Limit) => return Err("linking it takes too long".into()),
                Err(Failed::Messages(text)) => text,
            };
            // A function that is defined nowhere matters only if the run calls it.
            let missing: Vec<String> = undefined(&messages).filter(|name| !self.undefined.contains(name)).collect();
            if missing.is_empty() {
                return Err(format!("it does not link: {}", first_line(&messages)));
            }
            self.undefined.extend(missing);
        }
    }

    /// The places where the run reports a violation.
    pub fn places(&self) -> &[Place] {
        &self.found.places
    }

    /// Whether the order or the bits of addresses may influence what the program does.
    pub fn uses_addresses(&self) -> bool {
        self.found.uses_addresses
    }

    /// Whether the program defines an error function itself.
    pub fn defines_error(&self) -> bool {
        self.found.defines_error
    }

    /// What links the program, beside its own files.
    pub fn libraries(&self) -> impl Iterator<Item = &str> {
        self.linker_flags.iter().map(String::as_str).filter(|flag| flag.starts_with('-') && *flag != "-m64")
    }

    /// The folder of the executable.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, words: &[impl AsRef<OsStr>], limit: Duration) -> Result<(), Failed> {
        let mut command = self.clang.command(self.folder.path());
        command.args(words).current_dir(self.folder.path());
        limited(&mut command, limit)
    }
}

/// The function that the harness has to call, if the program does not start in `main`.
fn entry_to_call(module: &inkwell::module::Module<'_>, start: &str) -> Result<Option<String>, String> {
    if start == "main" {
        return Ok(None);
    }
    let function = module.get_function(start).ok_or("the entry function is not defined")?;
    if function.count_params() > 0 {
        return Err(format!("{start} takes arguments"));
    }
    // The harness calls it from another file.
    function.set_linkage(Linkage::External);
    if let Some(main) = module.get_function("main") {
        main.as_global_value().set_name("main.unused");
    }
    Ok(Some(start.into()))
}

/// Why a compiler failed.
enum Failed {
    /// The time is over.
    Limit,
    /// It has messages.
    Messages(String),
}

/// Runs a compiler for at most `limit`.
fn limited(command: &mut Command, limit: Duration) -> Result<(), Failed> {
    let messages = |error: std::io::Error| Failed::Messages(error.to_string());
    let end = Instant::now() + limit;
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(messages)?;
    let mut pipe = child.stderr.take();
    thread::scope(|scope| {
        let text = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.as_mut().map(|pipe| pipe.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let status = loop {
            match child.try_wait().map_err(messages)? {
                Some(status) => break status,
                None if Instant::now() >= end => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(Failed::Limit);
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let text = text.join().unwrap_or_default();
        if status.success() { Ok(()) } else { Err(Failed::Messages(text)) }
    })
}

/// The symbols that the linker misses.
fn undefined(messages: &str) -> impl Iterator<Item = String> {
    let mut names: Vec<String> = messages
        .lines()
        .filter_map(|line| Some(line.split_once("undefined reference to `")?.1.split('\'').next()?.to_string()))
        .collect();
    names.sort();
    names.dedup();
    names.into_iter()
}

/// The first line that names an error.
fn first_line(messages: &str) -> String {
    let error = messages.lines().find(|line| line.contains("error")).or(messages.lines().next());
    error.unwrap_or("the compiler gives no reason").trim().to_string()
}
