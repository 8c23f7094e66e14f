//! The compiled models: one module per source file, and an index that tells which of them a program needs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use inkwell::context::Context;
use inkwell::module::Module;

use super::super::clang::{self, Clang};
use super::super::error::LoadError;
use super::super::link::{definitions, link, undefined};
use super::super::scratch::Scratch;
use super::super::{Cache, DataModel, diagnostics, llvm};
use super::{MODEL_FOLDER, SourceFile};

/// Additional flags for models. Builtins are disabled, so that the model of `memcpy` does not become a call of itself.
const FLAGS: &[&str] = &["-fno-builtin", "-fdebug-compilation-dir=/clew/models"];

/// Additional flags for C++ models, which declare what they need of `std`. Constructors and destructors must be
/// functions and not aliases, so that they can be dropped individually.
const CXX_FLAGS: &[&str] = &["-std=c++17", "-nostdinc++", "-Xclang", "-mno-constructor-aliases"];

/// The passes that run on a model before it is cached: its local variables are irrelevant to users, and SSA values fold
/// into the callers.
const PASSES: &std::ffi::CStr = c"function(mem2reg,simplifycfg)";

/// The name of the index in the cache.
const INDEX: &str = "index";

/// The name of the bitcode in the entry of a single model.
const SINGLE: &str = "bitcode";

/// A source file of models.
struct Part {
    name: String,
    defines: BTreeSet<String>,
    needs: BTreeSet<String>,
}

impl Part {
    /// One line of the index.
    fn line(&self) -> String {
        let words = |set: &BTreeSet<String>| set.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        format!("{}\t{}\t{}\n", self.name, words(&self.defines), words(&self.needs))
    }

    fn parse(line: &str) -> Option<Part> {
        let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let mut columns = line.split('\t');
        let (name, defines, needs) = (columns.next()?, columns.next()?, columns.next()?);
        Some(Part { name: name.into(), defines: words(defines), needs: words(needs) })
    }
}

/// One module with the models that define `missing` symbols, and those that these need in turn.
pub(super) fn needed<'ctx>(
    context: &'ctx Context,
    data_model: DataModel,
    models: &[SourceFile],
    cache: &Cache,
    missing: &BTreeSet<String>,
) -> Result<Module<'ctx>, LoadError> {
    let clang = Clang::find()?;
    let mut hasher = DefaultHasher::new();
    (models, data_model, clang.version(), clang::FLAGS, FLAGS, CXX_FLAGS, PASSES).hash(&mut hasher);
    let key = format!("models-{data_model}-{:016x}", hasher.finish());
    if let Some(library) = cached(context, cache, &key, missing) {
        return Ok(library);
    }
    let single = |name: &str| format!("{key}-{name}");
    let parts = compile_all(context, &clang, data_model, models, cache, &single)?;
    let index: String = parts.iter().map(|(part, _)| part.line()).collect();
    let bitcode = parts.iter().map(|(part, module)| (part.name.as_str(), module.write_bitcode_to_memory()));
    let bitcode: Vec<_> = bitcode.collect();
    let mut files: Vec<(&str, &[u8])> = bitcode.iter().map(|(name, buffer)| (*name, buffer.as_slice())).collect();
    files.push((INDEX, index.as_bytes()));
    cache.write(&key, &files);
    parts.iter().for_each(|(part, _)| cache.remove(&single(&part.name)));

    let chosen = closure(parts.iter().map(|(part, _)| part), missing);
    let is_chosen: Vec<bool> = parts.iter().map(|(part, _)| chosen.contains(part.name.as_str())).collect();
    let chosen = parts.into_iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen);
    joined(context, chosen.map(|((part, module), _)| (part.name, module)))
}

/// The same from the cache, if it holds all of it.
fn cached<'ctx>(context: &'ctx Context, cache: &Cache, key: &str, missing: &BTreeSet<String>) -> Option<Module<'ctx>> {
    let index = String::from_utf8(cache.read(key, INDEX)?).ok()?;
    let parts: Vec<Part> = index.lines().map(Part::parse).collect::<Option<_>>()?;
    let chosen = closure(parts.iter(), missing);
    let modules = chosen.into_iter().map(|name| {
        let module = llvm::parse_own(context, &cache.read(key, name)?)?;
        Some((name.to_owned(), module))
    });
    joined(context, modules.collect::<Option<Vec<_>>>()?.into_iter()).ok()
}

/// The names of the parts that define `missing` symbols or what such parts need.
fn closure<'p>(parts: impl Iterator<Item = &'p Part> + Clone, missing: &BTreeSet<String>) -> BTreeSet<&'p str> {
    let mut chosen = BTreeSet::new();
    let mut wanted: Vec<&BTreeSet<String>> = vec![missing];
    while let Some(symbols) = wanted.pop() {
        for part in parts.clone() {
            if !chosen.contains(part.name.as_str()) && !part.defines.is_disjoint(symbols) {
                chosen.insert(part.name.as_str());
                wanted.push(&part.needs);
            }
        }
    }
    chosen
}

/// All modules as one.
fn joined<'ctx>(
    context: &'ctx Context,
    modules: impl Iterator<Item = (String, Module<'ctx>)>,
) -> Result<Module<'ctx>, LoadError> {
    let library = llvm::empty(context, "models");
    for (i, (name, module)) in modules.enumerate() {
        if i == 0 {
            library.set_data_layout(&module.get_data_layout());
            library.set_triple(&module.get_triple());
        }
        link(context, &library, module, &name)?;
    }
    Ok(library)
}

/// Compiles all models. Each one has an entry in the cache until all of them are there, so that a run that ends early,
/// such as one with a short time limit, leaves what it has compiled to the next.
fn compile_all<'ctx>(
    context: &'ctx Context,
    clang: &Clang,
    data_model: DataModel,
    models: &[SourceFile],
    cache: &Cache,
    single: &dyn Fn(&str) -> String,
) -> Result<Vec<(Part, Module<'ctx>)>, LoadError> {
    let scratch = Scratch::new().map_err(LoadError::Scratch)?;
    for file in models {
        fs::write(scratch.path().join(file.name), file.text).map_err(LoadError::Scratch)?;
    }
    let sources = models.iter().filter(|file| !file.name.ends_with(".h"));
    let parts = sources.map(|file| {
        let entry = single(file.name);
        let known = cache.read(&entry, SINGLE).and_then(|bitcode| llvm::parse_own(context, &bitcode));
        let module = match known {
            Some(module) => module,
            None => {
                let module = compile(context, clang, data_model, file.name, &scratch)?;
                llvm::run_passes(&module, PASSES)
                    .map_err(|message| LoadError::Link { file: file.name.into(), message })?;
                cache.write(&entry, &[(SINGLE, module.write_bitcode_to_memory().as_slice())]);
                module
            }
        };
        let (defines, needs) = (definitions(&module).collect(), undefined(&module).collect());
        Ok((Part { name: file.name.into(), defines, needs }, module))
    });
    parts.collect()
}

fn compile<'ctx>(
    context: &'ctx Context,
    clang: &Clang,
    data_model: DataModel,
    name: &str,
    scratch: &Scratch,
) -> Result<Module<'ctx>, LoadError> {
    let path = scratch.path().join(name);
    let prefix = format!("-ffile-prefix-map={}={MODEL_FOLDER}", scratch.path().display());
    let of_language = if name.ends_with(".cpp") { CXX_FLAGS } else { &[] };
    let flags = FLAGS.iter().chain(of_language).copied().chain([prefix.as_str()]);
    let flags: Vec<&OsStr> = flags.map(OsStr::new).collect();
    match clang.run((&path, None), data_model, &flags, scratch)? {
        Ok(bitcode) => llvm::parse(context, &bitcode, name),
        Err(failure) => Err(LoadError::InputDoesNotCompile {
            path: Path::new(name).into(),
            message: diagnostics::excerpt(&failure.output),
        }),
    }
}
