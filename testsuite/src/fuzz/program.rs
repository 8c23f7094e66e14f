//! Programs without a claim: a few fragments, a `main` that reads inputs and combines what the fragments compute.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::csmith;
use super::expand::{Expander, expression};
use super::fragment::{Fragment, Kind, Language};

/// The line of a program's text where its declarations for Clew end and native runs begin.
pub const MARK: &str = "// ---";

/// The line of `main` that is replaced by a claim.
pub const RESULT: &str = "    FUZZ_RESULT(r);";

/// An input: its type as the conventions of SV-COMP spell it, and its largest value; the least one is 0.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name of the variable.
    pub name: &'static str,
    /// `int` for `__VERIFIER_nondet_int`.
    pub spelling: &'static str,
    /// The type in C.
    pub c_type: &'static str,
    /// The largest value.
    pub max: i64,
}

/// A program that computes a result `r` from its inputs, and claims nothing yet.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its number within the campaign.
    pub number: u64,
    /// The module of its first fragment, by which results are counted.
    pub module: String,
    /// Its fragments, as `MODULE/NAME`.
    pub used: BTreeSet<String>,
    /// Its language.
    pub language: Language,
    /// Flags that clang needs for it.
    pub flags: &'static [&'static str],
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Headers.
    pub headers: BTreeSet<String>,
    /// Names that other programs may define as well.
    pub names: BTreeSet<String>,
    /// Declarations of what Clew knows by name.
    pub declarations: String,
    /// The code, with `RESULT` where the claim goes.
    pub code: String,
}

/// Types of inputs: spelling and C type.
const TYPES: [(&str, &str); 6] = [
    ("int", "int"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("long", "long"),
];

/// The modules that can lead a program, with the language: those with fragments that compute a value.
pub fn modules(fragments: &[Fragment], only: &[String]) -> Vec<(String, Language)> {
    let mut modules: Vec<(String, Language)> = Vec::new();
    for fragment in fragments {
        let module = (fragment.module.clone(), fragment.languages[0]);
        let meant = only.is_empty() || only.contains(&fragment.module);
        if meant && !modules.contains(&module) {
            modules.push(module);
        }
    }
    if only.is_empty() || only.iter().any(|name| name == csmith::MODULE) {
        modules.push((csmith::MODULE.to_owned(), Language::C));
    }
    modules
}

/// The program of a number. It depends on nothing but the seed, the number, the fragments and the modules.
pub fn generate(
    fragments: &[Fragment],
    modules: &[(String, Language)],
    seed: u64,
    number: u64,
) -> Result<Body, String> {
    let mut random =
        Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
    let (module, language) = modules[number as usize % modules.len()].clone();
    if module == csmith::MODULE {
        return csmith::generate(number, &mut random);
    }
    let inputs = inputs(&mut random);
    let names: Vec<String> = inputs.iter().map(|input| format!("(int){}", input.name)).collect();
    let arguments: Vec<&str> = names.iter().map(String::as_str).chain(["r"]).collect();

    let mut expander = Expander::new(fragments, language, &mut random);
    let has_values = fragments.iter().any(|f| f.module == module && f.kind == Kind::Value && f.fits(language));
    let mut steps = String::new();
    let count = 1 + expander.random().usize(..3);
    for step in 0..count {
        let own = (step == 0).then_some(module.as_str());
        let call = if own.is_some() && !has_values {
            // A module of roundabout ways: the value goes there and back through memory.
            let via = expander.instantiate(Kind::Via, own, 0);
            steps += &way_and_back(expander.random(), &via, step, &arguments);
            continue;
        } else {
            expander.instantiate(Kind::Value, own, 0)
        };
        steps += &statement(expander.random(), &call, step, &arguments);
    }
    let Expander { mut code, headers, names, used, .. } = expander;
    let parameters = if language == Language::C { "void" } else { "" };
    code += &format!("int main({parameters}) {{\n");
    for Input { name, spelling, c_type, max } in &inputs {
        code += &format!("    {c_type} {name} = __VERIFIER_nondet_{spelling}();\n");
        code += &format!("    __VERIFIER_assume({name} >= 0 && {name} <= {max});\n");
    }
    code += "    int r = 0;\n";
    code += &steps;
    code += &format!("{RESULT}\n    return 0;\n}}\n");
    let declarations = declarations(&inputs, language, &mut random);
    Ok(Body { number, module, used, language, flags: &[], inputs, headers, names, declarations, code })
}

fn inputs(random: &mut Rng) -> Vec<Input> {
    let sizes: &[i64] = match random.usize(..6) {
        0 | 1 => &[7],
        2 => &[15],
        3 | 4 => &[3, 3],
        _ => &[2, 1, 2],
    };
    let name = ["a", "b", "c"];
    let with_type = |(index, max): (usize, &i64)| {
        let (spelling, c_type) = TYPES[random.usize(..TYPES.len())];
        Input { name: name[index], spelling, c_type, max: *max }
    };
    sizes.iter().enumerate().map(with_type).collect()
}

/// A statement of `main` that updates `r` with what a function computes.
fn statement(random: &mut Rng, function: &str, step: usize, arguments: &[&str]) -> String {
    // In the first step, `r` is still 0.
    let arguments = if step == 0 { &arguments[..arguments.len() - 1] } else { arguments };
    let argument = |random: &mut Rng| match random.usize(..3) {
        0 => format!("({}) & 63", expression(random, arguments, 1)),
        _ => format!("{} & 63", arguments[random.usize(..arguments.len())]),
    };
    let (x, y) = (argument(random), argument(random));
    let condition = expression(random, arguments, 1);
    match random.usize(..8) {
        0 if step > 0 => format!("    if ({condition} > {})\n        r += {function}({x}, {y});\n", random.u8(..4)),
        1 if step > 0 => format!("    r = {function}(r & 63, {x}) - {function}({y}, {});\n", random.u8(..8)),
        2 => format!("    for (int i = 0; i < {}; i++)\n        r += {function}(i, {x});\n", random.u8(2..4)),
        3 if step > 0 => format!("    r ^= {function}({x}, {y});\n"),
        _ => format!("    r = (r & 255) + {function}({x}, {y});\n"),
    }
}

/// Statements of `main` that change a variable through a pointer that `via` has returned.
fn way_and_back(random: &mut Rng, via: &str, step: usize, arguments: &[&str]) -> String {
    let value = expression(random, arguments, 2);
    let other = expression(random, arguments, 2);
    let number = random.u8(1..9);
    match random.usize(..10) {
        0 => format!(
            "    int cell{step} = {value};\n    int *p{step} = (int *){via}(&cell{step});\n    *p{step} += {number};\n    r += cell{step};\n"
        ),
        1 => format!(
            "    int row{step}[4] = {{{value}, {number}, {other}, 1}};\n    int *p{step} = (int *){via}(&row{step}[1]);\n    p{step}[-1] += p{step}[1];\n    r += row{step}[0] + *p{step};\n"
        ),
        2 => format!(
            "    struct {{ char c; int i; long l; }} s{step} = {{1, {value}, {number}}};\n    *(int *){via}(&s{step}.i) += {number};\n    r += s{step}.i + (int)s{step}.l;\n"
        ),
        3 => format!(
            "    static double d{step}[2];\n    d{step}[1] = {value};\n    *(double *){via}(&d{step}[1]) *= {number};\n    r += (int)d{step}[1];\n"
        ),
        4 => format!(
            "    static const char *t{step} = \"pointers\";\n    r += ((const char *){via}((void *)t{step}))[{value} % 8];\n"
        ),
        5 => format!(
            "    int o{step}[2] = {{{value}, {number}}}, *l{step} = o{step}, **h{step} = (int **){via}(&l{step});\n    *h{step} = (int *){via}(&o{step}[{other} % 2]);\n    *l{step} += {number};\n    r += o{step}[0] * 2 + o{step}[1];\n"
        ),
        6 => format!(
            "    int g{step} = {value}, k{step} = {other};\n    struct {{ int *p; int n; }} s{step} = {{&g{step}, 1}}, *q{step} = (__typeof__(s{step}) *){via}(&s{step});\n    if ({value} > {number})\n        q{step}->p = (int *){via}(&k{step});\n    *s{step}.p = q{step}->n + {number};\n    r += g{step} * 3 + k{step};\n"
        ),
        7 => format!(
            "    int e{step} = {via}(0) == 0, f{step} = {value};\n    e{step} += {via}(&f{step}) == &f{step} ? 2 : 0;\n    e{step} += {via}(&e{step}) == &f{step} ? 4 : 0;\n    r += e{step} + f{step};\n"
        ),
        8 => format!(
            "    int x{step} = {value}, y{step} = {other};\n    int *p{step} = (int *){via}({} ? &x{step} : &y{step});\n    *p{step} = {number};\n    r += x{step} * 2 + y{step};\n",
            expression(random, arguments, 1)
        ),
        _ => format!(
            "    int v{step} = {value}, w{step} = {number};\n    int *p{step} = &v{step}, *q{step} = (int *){via}(&w{step});\n    p{step} = (int *){via}(p{step});\n    int t{step} = *p{step};\n    *p{step} = *q{step};\n    *q{step} = t{step} + 1;\n    r += v{step} * 3 + w{step};\n"
        ),
    }
}

/// Declarations of what Clew knows by name.
pub fn declarations(inputs: &[Input], language: Language, random: &mut Rng) -> String {
    let spelled: BTreeSet<_> = inputs.iter().map(|input| (input.spelling, input.c_type)).collect();
    // C++ programs declare the conventions with and without C linkage.
    let extern_c = language == Language::Cxx && random.bool();
    let linkage = if extern_c { "extern \"C\"" } else { "extern" };
    let void = if language == Language::C { "void" } else { "" };
    let mut text = String::new();
    for (spelling, c_type) in spelled {
        text += &format!("{linkage} {c_type} __VERIFIER_nondet_{spelling}({void});\n");
    }
    text += &format!("{linkage} void __VERIFIER_assume(int);\n{linkage} void reach_error({void});\n");
    text
}
