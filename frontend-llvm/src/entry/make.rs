//! The text of the function that makes arguments, as LLVM assembly.
//!
//! Scalars are inputs. Pointers are null or to a fresh object of their type, which is filled in turn. What is not known
//! to be an object, such as what a `void *` points to, is memory outside of the program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::NAME;
use super::spec::{Arguments, Length};
use crate::ir::{DebugType, Field, Module, Type, TypeKind, Value, ValueShape, debug_type_of_global};

/// Arrays and texts of at most so many elements are filled with inputs. Longer ones are left uninitialised, which is
/// any contents too, but no inputs of a native run.
const MAX_FILLED: u64 = 64;

/// The most objects that are made: types with many pointers would have exponentially many.
const MAX_OBJECTS: u32 = 100;

/// The function that makes the arguments of `function`, whose result and parameters have these source types.
pub(super) fn text(
    module: Module,
    function: Value,
    types: &[Option<DebugType>],
    arguments: &Arguments,
) -> Result<String, String> {
    let pointer_bits = module.layout().pointer_bits();
    let mut maker = Maker {
        module,
        arguments,
        pointer_bits,
        body: String::new(),
        declared: BTreeSet::new(),
        globals: BTreeSet::new(),
        next: 0,
        objects: 0,
    };
    if arguments.any_globals {
        maker.all_globals()?;
    }
    let passed = maker.pass(function, types)?;
    let mut text = String::new();
    for line in maker.declared.iter().chain(&maker.globals) {
        let _ = writeln!(text, "{line}");
    }
    let symbol = quoted(function.name());
    let values: Vec<String> = passed.iter().map(Passed::text).collect();
    let mut types: Vec<&str> = passed.iter().map(|one| one.ty.as_str()).collect();
    types.extend(function.value_type().is_variadic().then_some("..."));
    let (result, types) = (function.value_type().result().print(), types.join(", "));
    let _ = writeln!(text, "declare {result} @{symbol}({types})");
    let _ = writeln!(text, "define void @{NAME}() {{\n{}", maker.body);
    let target = if result == "void" { "" } else { "%result = " };
    let _ = writeln!(text, "  {target}call {result} ({types}) @{symbol}({})\n  ret void\n}}", values.join(", "));
    Ok(text)
}

/// An argument of the call.
struct Passed {
    ty: String,
    attributes: String,
    value: String,
    /// Whether it is a number with a sign.
    signed: bool,
}

impl Passed {
    fn text(&self) -> String {
        [&*self.ty, &*self.attributes, &*self.value]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn pointer(attributes: String, value: String) -> Passed {
        Passed { ty: "ptr".into(), attributes, value, signed: false }
    }
}

/// Writes the body of the function.
struct Maker<'a> {
    module: Module,
    arguments: &'a Arguments,
    pointer_bits: u16,
    body: String,
    declared: BTreeSet<String>,
    globals: BTreeSet<String>,
    next: u32,
    objects: u32,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.body, "{name}:");
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn fresh_label(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn assign(&mut self, text: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// Makes the arguments of the call.
    fn pass(&mut self, function: Value, types: &[Option<DebugType>]) -> Result<Vec<Passed>, String> {
        let params: Vec<Value> = function.params().collect();
        let mut passed: Vec<Passed> = Vec::new();
        if let Some(result) = function.param_type_attribute(0, "sret") {
            let bytes = self.module.layout().alloc_size(result);
            let place = self.assign(&format!("alloca [{bytes} x i8], align 16"));
            passed.push(Passed::pointer(format!("sret([{bytes} x i8]) align 16"), place));
        }
        // The lengths of arrays are known only when all scalars are.
        let mut waiting = Vec::new();
        // No type stands for an ellipsis.
        for ty in types.iter().skip(1).flatten().copied() {
            let at = passed.len();
            let Some(&param) = params.get(at) else { break };
            match ty.value_shape() {
                ValueShape::Struct(_) | ValueShape::Union(_) => {
                    if function.param_type_attribute(at as u32, "byval").is_some() {
                        let bytes = ty.size();
                        let place = self.assign(&format!("alloca [{bytes} x i8], align 16"));
                        self.fill(&place, ty, self.arguments.depth);
                        passed.push(Passed::pointer(format!("byval([{bytes} x i8]) align 8"), place));
                    } else {
                        self.pass_in_registers(&params[at..], ty, &mut passed)?;
                    }
                }
                shape @ (ValueShape::Pointer(_) | ValueShape::Reference(_))
                    if param.ty().kind() == TypeKind::Pointer =>
                {
                    waiting.push((param, shape));
                    passed.push(Passed::pointer(String::new(), String::new()));
                }
                shape => {
                    let signed = !matches!(shape, ValueShape::Integer { signed: false });
                    let value = self.any(param.ty(), signed)?;
                    let extended = |name: &&str| function.param_has_attribute(at as u32, name);
                    let attributes = ["zeroext", "signext"].into_iter().find(extended).unwrap_or("").into();
                    passed.push(Passed { ty: param.ty().print(), attributes, value, signed });
                }
            }
        }
        if passed.len() != params.len() {
            return Err(format!("the parameters of `{}` are not those of its source", function.name()));
        }
        for (param, shape) in waiting {
            let at = params.iter().position(|&other| other == param).expect("it is a parameter");
            passed[at].value = self.pointer_argument(param, &shape, &params, &passed)?;
        }
        Ok(passed)
    }

    /// A pointer that is passed, as the options describe it.
    fn pointer_argument(
        &mut self,
        param: Value,
        shape: &ValueShape,
        params: &[Value],
        passed: &[Passed],
    ) -> Result<String, String> {
        let (pointee, can_be_null) = match *shape {
            ValueShape::Reference(target) => (Some(target), false),
            ValueShape::Pointer(pointee) => (pointee, true),
            _ => (None, true),
        };
        if self.arguments.strings.iter().any(|name| name == param.name()) {
            return Ok(self.or_null(can_be_null, Self::string));
        }
        let count = match self.arguments.length_of(param.name()).cloned() {
            None => return Ok(self.pointer(pointee, can_be_null, self.arguments.depth)),
            Some(Length::Constant(count)) => count.to_string(),
            Some(Length::Parameter(name)) => {
                let at = params.iter().position(|other| other.name() == name);
                let number = at.filter(|&at| matches!(params[at].ty().kind(), TypeKind::Integer(2..=64)));
                let number = &passed[number.ok_or_else(|| format!("the length `{name}` is no integer"))?];
                self.count(&number.ty, &number.value, number.signed)
            }
        };
        Ok(self.or_null(can_be_null, |maker| maker.array(&count, pointee)))
    }

    /// Passes a struct as clang does on x86-64: in pieces of eight bytes, which are named after the parameter.
    fn pass_in_registers(&mut self, params: &[Value], ty: DebugType, passed: &mut Vec<Passed>) -> Result<(), String> {
        let ends = |at: usize, end: &str| params.get(at).is_some_and(|param| param.name().ends_with(end));
        let pieces = match (ends(0, ".coerce"), ends(0, ".coerce0") && ends(1, ".coerce1")) {
            (true, _) => 1,
            (_, true) => 2,
            _ => return Err(format!("a `{}` is passed in a way that is not supported", ty.name())),
        };
        let bytes = ty.size().next_multiple_of(16);
        let place = self.assign(&format!("alloca [{bytes} x i8], align 16"));
        self.fill(&place, ty, self.arguments.depth);
        for (n, param) in params.iter().take(pieces).enumerate() {
            let from = self.assign(&format!("getelementptr i8, ptr {place}, i64 {}", 8 * n));
            let ty = param.ty().print();
            let value = self.assign(&format!("load {ty}, ptr {from}, align 8"));
            passed.push(Passed { ty, attributes: String::new(), value, signed: false });
        }
        Ok(())
    }

    /// Any value of a scalar type.
    fn any(&mut self, ty: Type, signed: bool) -> Result<String, String> {
        let input = match ty.kind() {
            TypeKind::Integer(1) => return Ok(self.any_bool()),
            TypeKind::Integer(width @ (8 | 16 | 32 | 64)) => integer_input(width, signed),
            TypeKind::Integer(128) => {
                let [high, low] = [0, 1].map(|_| {
                    let part = self.input("i64", "ulonglong");
                    self.assign(&format!("zext i64 {part} to i128"))
                });
                let high = self.assign(&format!("shl i128 {high}, 64"));
                return Ok(self.assign(&format!("or i128 {high}, {low}")));
            }
            TypeKind::Float(_) => match ty.print().as_str() {
                "float" => "float",
                "double" => "double",
                "x86_fp80" => "longdouble",
                other => return Err(format!("an argument of the type {other}")),
            },
            TypeKind::Pointer => return Ok(self.input("ptr", "pointer")),
            _ => return Err(format!("an argument of the type {}", ty.print())),
        };
        Ok(self.input(&ty.print(), input))
    }

    fn input(&mut self, ty: &str, name: &str) -> String {
        self.declared.insert(format!("declare {ty} @clew_any_{name}()"));
        self.assign(&format!("call {ty} @clew_any_{name}()"))
    }

    fn any_bool(&mut self) -> String {
        self.declared.insert("declare zeroext i1 @clew_any_bool()".into());
        self.assign("call zeroext i1 @clew_any_bool()")
    }

    /// A new object of so many bytes.
    fn object(&mut self, bytes: &str) -> String {
        let size = self.pointer_bits;
        self.declared.insert(format!("declare ptr @clew_new_object_(i{size})"));
        let bytes = match bytes.parse::<u64>() {
            Ok(_) => bytes.to_string(),
            Err(_) if size == 64 => bytes.to_string(),
            Err(_) => self.assign(&format!("trunc i64 {bytes} to i{size}")),
        };
        self.assign(&format!("call ptr @clew_new_object_(i{size} {bytes})"))
    }

    /// What `make` makes, or null if that is possible.
    fn or_null(&mut self, can_be_null: bool, make: impl FnOnce(&mut Self) -> String) -> String {
        if self.arguments.non_null || !can_be_null {
            return make(self);
        }
        let is_null = self.any_bool();
        let [before, some, last, join] = ["decide", "some", "made", "join"].map(|stem| self.fresh_label(stem));
        self.line(&format!("br label %{before}"));
        self.label(&before);
        self.line(&format!("br i1 {is_null}, label %{join}, label %{some}"));
        self.label(&some);
        let value = make(self);
        self.line(&format!("br label %{last}"));
        self.label(&last);
        self.line(&format!("br label %{join}"));
        self.label(&join);
        self.assign(&format!("phi ptr [ null, %{before} ], [ {value}, %{last} ]"))
    }

    /// A pointer to one object of a type.
    fn pointer(&mut self, pointee: Option<DebugType>, can_be_null: bool, depth: u32) -> String {
        let is_object = |ty: &DebugType| !matches!(ty.value_shape(), ValueShape::Unknown | ValueShape::Function);
        let known = pointee.filter(|ty| ty.size() > 0 && is_object(ty));
        let Some(ty) = known.filter(|_| depth > 0 && self.objects < MAX_OBJECTS) else {
            return self.input("ptr", "pointer");
        };
        self.objects += 1;
        self.or_null(can_be_null, |maker| {
            let object = maker.object(&ty.size().to_string());
            maker.fill(&object, ty, depth - 1);
            object
        })
    }

    /// The number of elements of an array, at most as many as the user allows, from a number that may be negative.
    fn count(&mut self, ty: &str, value: &str, signed: bool) -> String {
        let wide = match ty {
            "i64" => value.to_string(),
            _ => self.assign(&format!("{} {ty} {value} to i64", if signed { "sext" } else { "zext" })),
        };
        let compare = if signed { "sle" } else { "ule" };
        let fits = self.assign(&format!("icmp {compare} i64 {wide}, {}", self.arguments.max_length));
        self.assume(&fits);
        if !signed {
            return wide;
        }
        let is_negative = self.assign(&format!("icmp slt i64 {wide}, 0"));
        self.assign(&format!("select i1 {is_negative}, i64 0, i64 {wide}"))
    }

    fn assume(&mut self, fact: &str) {
        self.declared.insert("declare void @clew_assume_(i32)".into());
        let fact = self.assign(&format!("zext i1 {fact} to i32"));
        self.line(&format!("call void @clew_assume_(i32 {fact})"));
    }

    /// An array of elements.
    fn array(&mut self, count: &str, element: Option<DebugType>) -> String {
        // A `void *` with a length points to bytes.
        let size = element.map_or(1, DebugType::size).max(1);
        let bytes = match count.parse::<u64>() {
            Ok(count) => count.saturating_mul(size).to_string(),
            Err(_) => self.assign(&format!("mul i64 {count}, {size}")),
        };
        let array = self.object(&bytes);
        let most = count.parse().unwrap_or(self.arguments.max_length);
        let has_pointers = element.is_some_and(has_pointers);
        if most <= MAX_FILLED || has_pointers {
            self.repeat(count, size, &array, |maker, place| match element {
                Some(element) => maker.fill(place, element, maker.arguments.depth.saturating_sub(1)),
                None => maker.fill_byte(place),
            });
        }
        array
    }

    /// A text: any bytes, and a zero after them.
    fn string(&mut self) -> String {
        let length = self.input("i64", "ulonglong");
        let fits = self.assign(&format!("icmp ule i64 {length}, {}", self.arguments.max_length));
        self.assume(&fits);
        let bytes = self.assign(&format!("add i64 {length}, 1"));
        let text = self.object(&bytes);
        if self.arguments.max_length <= MAX_FILLED {
            self.repeat(&length, 1, &text, |maker, place| maker.fill_byte(place));
        }
        let end = self.assign(&format!("getelementptr i8, ptr {text}, i64 {length}"));
        self.line(&format!("store i8 0, ptr {end}, align 1"));
        text
    }

    /// A loop over the elements of an array.
    fn repeat(&mut self, count: &str, size: u64, array: &str, each: impl FnOnce(&mut Self, &str)) {
        let [before, head, body, end] = ["before", "head", "body", "end"].map(|stem| self.fresh_label(stem));
        let (index, next) = (self.fresh(), self.fresh());
        self.line(&format!("br label %{before}"));
        self.label(&before);
        self.line(&format!("br label %{head}"));
        self.label(&head);
        let last = self.fresh_label("last");
        self.line(&format!("{index} = phi i64 [ 0, %{before} ], [ {next}, %{last} ]"));
        let more = self.assign(&format!("icmp ult i64 {index}, {count}"));
        self.line(&format!("br i1 {more}, label %{body}, label %{end}"));
        self.label(&body);
        let place = self.assign(&format!("getelementptr [{size} x i8], ptr {array}, i64 {index}"));
        each(self, &place);
        self.line(&format!("br label %{last}"));
        self.label(&last);
        self.line(&format!("{next} = add i64 {index}, 1"));
        self.line(&format!("br label %{head}"));
        self.label(&end);
    }

    fn fill_byte(&mut self, place: &str) {
        let byte = self.input("i8", "uchar");
        self.line(&format!("store i8 {byte}, ptr {place}, align 1"));
    }

    /// Stores any value of a type.
    fn fill(&mut self, place: &str, ty: DebugType, depth: u32) {
        match ty.value_shape() {
            ValueShape::Bool => {
                let value = self.any_bool();
                let value = self.assign(&format!("zext i1 {value} to i8"));
                self.line(&format!("store i8 {value}, ptr {place}, align 1"));
            }
            ValueShape::Integer { signed } if matches!(ty.size(), 1 | 2 | 4 | 8) => {
                let width = ty.size() as u32 * 8;
                let value = self.input(&format!("i{width}"), integer_input(width, signed));
                self.line(&format!("store i{width} {value}, ptr {place}, align 1"));
            }
            ValueShape::Float if matches!(ty.size(), 4 | 8) => {
                let (ir, name) = if ty.size() == 4 { ("float", "float") } else { ("double", "double") };
                let value = self.input(ir, name);
                self.line(&format!("store {ir} {value}, ptr {place}, align 1"));
            }
            shape @ (ValueShape::Pointer(_) | ValueShape::Reference(_)) => {
                let value = match shape {
                    ValueShape::Reference(target) => self.pointer(Some(target), false, depth),
                    ValueShape::Pointer(pointee) => self.pointer(pointee, true, depth),
                    _ => return,
                };
                self.line(&format!("store ptr {value}, ptr {place}, align 1"));
            }
            ValueShape::Array(element) => {
                let count = ty.size().checked_div(element.size()).unwrap_or(0);
                if count <= MAX_FILLED || has_pointers(element) {
                    let size = element.size();
                    self.repeat(&count.to_string(), size, place, |maker, place| maker.fill(place, element, depth));
                }
            }
            ValueShape::Struct(fields) => {
                for field in fields {
                    self.fill_field(place, field, depth);
                }
            }
            // Any of its members, one after the other: the last one counts.
            ValueShape::Union(fields) => {
                for field in fields {
                    let chosen = self.any_bool();
                    let [set, skip] = ["set", "skip"].map(|stem| self.fresh_label(stem));
                    self.line(&format!("br i1 {chosen}, label %{set}, label %{skip}"));
                    self.label(&set);
                    self.fill_field(place, field, depth);
                    self.line(&format!("br label %{skip}"));
                    self.label(&skip);
                }
            }
            // Uninitialised, which is any value as well.
            _ => {}
        }
    }

    fn fill_field(&mut self, place: &str, field: Field, depth: u32) {
        // Bit-fields are left uninitialised: they share bytes with others.
        if !field.is_bit_field {
            let place = self.assign(&format!("getelementptr i8, ptr {place}, i64 {}", field.offset));
            self.fill(&place, field.ty, depth);
        }
    }

    /// Gives all variables of the program any values.
    fn all_globals(&mut self) -> Result<(), String> {
        let is_variable = |global: &Value| !global.is_declaration() && !global.is_constant_global();
        let variables: Vec<Value> = self.module.globals().filter(is_variable).collect();
        // Guards of static variables say that these are not initialised yet.
        let is_hidden = |name: &str| name.starts_with("llvm.") || name.starts_with("_ZGV");
        for global in variables.into_iter().filter(|global| !is_hidden(global.name())) {
            let variable = debug_type_of_global(global).and_then(|variable| variable.ty);
            let ty = variable.ok_or_else(|| format!("the variable `{}` has no debug info", global.name()))?;
            let (symbol, bytes) = (quoted(global.name()), ty.size());
            self.globals.insert(format!("@{symbol} = external global [{bytes} x i8]"));
            // What cannot be filled is uninitialised, and not what the program says.
            self.declared.insert("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)".into());
            let unknown = self.object(&bytes.to_string());
            self.line(&format!(
                "call void @llvm.memcpy.p0.p0.i64(ptr @{symbol}, ptr {unknown}, i64 {bytes}, i1 false)"
            ));
            self.fill(&format!("@{symbol}"), ty, self.arguments.depth);
        }
        Ok(())
    }
}

/// The input function of an integer type. `long` has another width in other data models.
fn integer_input(width: u32, signed: bool) -> &'static str {
    match (width, signed) {
        (8, true) => "schar",
        (8, false) => "uchar",
        (16, true) => "short",
        (16, false) => "ushort",
        (32, true) => "int",
        (32, false) => "uint",
        (_, true) => "longlong",
        (_, false) => "ulonglong",
    }
}

/// Whether values of a type contain pointers.
fn has_pointers(ty: DebugType) -> bool {
    match ty.value_shape() {
        ValueShape::Pointer(_) | ValueShape::Reference(_) => true,
        ValueShape::Array(element) => has_pointers(element),
        ValueShape::Struct(fields) | ValueShape::Union(fields) => fields.iter().any(|field| has_pointers(field.ty)),
        _ => false,
    }
}

/// A symbol in assembly.
fn quoted(symbol: &str) -> String {
    format!("\"{}\"", symbol.replace('\\', "\\5C").replace('"', "\\22"))
}
