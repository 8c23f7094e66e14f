//! Fragments: templates of functions, read from the files of `testsuite/fuzz`. A file is a module of the generator.

use std::fs;
use std::path::Path;

/// The language of a program. A fragment in C that casts as C++ demands can be part of programs in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, as clang takes it by default.
    C,
    /// C++, as clang takes it by default.
    Cxx,
}

impl Language {
    /// The extension of files.
    pub fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "cpp",
        }
    }

    /// The compiler.
    pub fn compiler(self) -> &'static str {
        match self {
            Language::C => "clang-19",
            Language::Cxx => "clang++-19",
        }
    }
}

/// What the function of a fragment is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `int f(int a, int b)`: computes a number from two numbers in 0..=63.
    Value,
    /// `void *f(void *p)`: returns `p`, in a roundabout way.
    Via,
}

/// A template of a function and what it needs.
#[derive(Debug)]
pub struct Fragment {
    /// The name of its file, without extension.
    pub module: String,
    /// Its name, unique within the module.
    pub name: String,
    /// What its function is for.
    pub kind: Kind,
    /// The languages of programs that it can be part of.
    pub languages: Vec<Language>,
    /// The headers that it includes.
    pub headers: Vec<String>,
    /// The template, as `expand` takes it.
    pub text: String,
}

impl Fragment {
    /// Its name in results: `MODULE/NAME`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.module, self.name)
    }

    /// Whether it can be part of a program in `language`.
    pub fn fits(&self, language: Language) -> bool {
        self.languages.contains(&language)
    }
}

/// All fragments, in the order of modules and then of files.
pub fn load(folder: &Path) -> Result<Vec<Fragment>, String> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "cpp"))
        .collect();
    paths.sort();
    let mut fragments = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        parse(&path, &text, &mut fragments)?;
    }
    Ok(fragments)
}

/// Splits a file at its lines `//# KIND NAME: HEADER …`. `via` and `value` follow the language of the file; `+c++`
/// behind the kind says that C++ takes the fragment as well.
fn parse(path: &Path, text: &str, fragments: &mut Vec<Fragment>) -> Result<(), String> {
    let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let own = if path.extension().is_some_and(|extension| extension == "c") { Language::C } else { Language::Cxx };
    let first = fragments.len();
    for line in text.lines() {
        let Some(header) = line.strip_prefix("//# ") else {
            if fragments.len() > first {
                let fragment = fragments.last_mut().expect("this file has begun a fragment");
                fragment.text += line;
                fragment.text.push('\n');
            }
            continue;
        };
        let (what, headers) = header.split_once(':').unwrap_or((header, ""));
        let [kind, name] = what.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("{}: not a fragment: {line}", path.display()));
        };
        let (kind, both) = kind.strip_suffix("+c++").map_or((kind, false), |kind| (kind, true));
        let kind = match kind {
            "value" => Kind::Value,
            "via" => Kind::Via,
            _ => return Err(format!("{}: no such kind of fragment: {line}", path.display())),
        };
        let mut languages = vec![own];
        languages.extend((both && own == Language::C).then_some(Language::Cxx));
        let headers = headers.split_whitespace().map(str::to_owned).collect();
        fragments.push(Fragment {
            module: module.clone(),
            name: name.to_owned(),
            kind,
            languages,
            headers,
            text: String::new(),
        });
    }
    Ok(())
}
