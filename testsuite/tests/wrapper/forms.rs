//! Invocations of the compiler, as builds and people write them.

/// An invocation form.
pub struct Form {
    /// What it is about.
    pub name: &'static str,
    /// Commands of the shell, with `$CC` and `$CXX`.
    pub script: &'static str,
    /// The files that carry bitcode afterwards.
    pub carriers: &'static [&'static str],
    /// A tool that has to be there.
    pub needs: Option<&'static str>,
}

const fn form(name: &'static str, script: &'static str, carriers: &'static [&'static str]) -> Form {
    Form { name, script, carriers, needs: None }
}

const fn with(
    needs: &'static str,
    name: &'static str,
    script: &'static str,
    carriers: &'static [&'static str],
) -> Form {
    Form { name, script, carriers, needs: Some(needs) }
}

/// The files that each form starts with.
pub const FILES: &[(&str, &str)] = &[
    ("add.h", "#ifndef ADD_H\n#define ADD_H\nint add(int, int);\nstatic inline int one(void) { return 1; }\n#endif\n"),
    ("add.c", "#include \"add.h\"\nint add(int a, int b) { return a + b; }\nint unused(int a) { return a * one(); }\n"),
    (
        "main.c",
        "#include <stdio.h>\n#include \"add.h\"\n#ifndef N\n#define N 2\n#endif\n\
         int main(void) { printf(\"%d\\n\", add(N, 3)); return 0; }\n",
    ),
    (
        "hello.cpp",
        "#include <iostream>\n#include <string>\nint main() { std::string s = \"hi\"; std::cout << s << '\\n'; }\n",
    ),
    (
        "box.cpp",
        "template <class T> struct Box { T t; T get() const { return t; } };\nint box(int x) { return Box<int>{x}.get(); }\n",
    ),
    (
        "three.s",
        "\t.text\n\t.globl\tthree\nthree:\n\tmovl\t$3, %eax\n\tret\n\t.section\t.note.GNU-stack,\"\",@progbits\n",
    ),
    (
        "four.S",
        "#define FOUR 4\n\t.text\n\t.globl\tfour\nfour:\n\tmovl\t$FOUR, %eax\n\tret\n\t.section\t.note.GNU-stack,\"\",@progbits\n",
    ),
    ("uses.c", "int three(void);\nint main(void) { return three() - 3; }\n"),
    ("pre.i", "# 1 \"pre.c\"\nint pre(void) { return 1; }\n"),
    ("pre.ii", "# 1 \"pre.cpp\"\nint pre() { return 1; }\n"),
    ("bad.c", "int bad(void) { return missing; }\n"),
    ("warn.c", "int warn(int x) { int y; if (x = 1) return 2; }\n"),
    ("undefined.c", "int nowhere(void);\nint main(void) { return nowhere(); }\n"),
    ("alone.c", "void _start(void) { for (;;) { } }\n"),
    ("old.c", "main() { return f(); }\nf() { return 0; }\n"),
    ("a b.c", "int blank(void) { return 1; }\n"),
    ("text.txt", "int text(void) { return 1; }\n"),
    ("module.ll", "define i32 @ir() {\n  ret i32 1\n}\n"),
    ("sub/deep.c", "#include \"../add.h\"\nint deep(void) { return one(); }\n"),
    (
        "math.c",
        "#include <math.h>\n#include <stdlib.h>\nint main(int c, char **v) { return c > 1 ? (int) sqrt(atof(v[1])) : 0; }\n",
    ),
    ("level.c", "#ifdef __OPTIMIZE__\nint fast;\n#else\nint slow;\n#endif\n"),
    ("args.rsp", "-O2 -DN=7\n-c main.c\n"),
    ("nested.rsp", "@args.rsp -o \"with blank.o\" '-DX=\\\"y\\\"'\n"),
    ("Makefile", "app: main.o add.o\n\t$(CC) -o $@ main.o add.o\n%.o: %.c\n\t$(CC) -MMD -c -o $@ $<\n"),
];

/// The table.
pub const FORMS: &[Form] = &[
    // Objects.
    form("an object", "$CC -c main.c", &["main.o"]),
    form("optimised, with debug information", "$CC -O2 -g -c main.c", &["main.o"]),
    form("an output", "$CC -c main.c -o out.o", &["out.o"]),
    form("an output in the same word", "$CC -oout.obj -c main.c", &["out.obj"]),
    form("an output by its long name", "$CC --compile main.c --output=out.o", &["out.o"]),
    form("several sources", "$CC -c main.c add.c sub/deep.c", &["main.o", "add.o", "deep.o"]),
    form(
        "size and speed",
        "$CC -Os -c level.c && $CC -O3 -c main.c && $CC -Oz -c add.c",
        &["level.o", "main.o", "add.o"],
    ),
    form("macros and include folders", "$CC -I . -Isub -DN=4 -D M -UM -iquote sub -c main.c", &["main.o"]),
    form("a macro with blanks", "$CC '-DN=(1 + 1)' -DS='\"a b\"' -c main.c", &["main.o"]),
    form("an included header", "$CC -include add.h -c sub/deep.c", &["deep.o"]),
    form("a name with a blank", "$CC -c 'a b.c'", &["a b.o"]),
    form("after two dashes", "$CC -c -- main.c", &["main.o"]),
    form("a dialect", "$CC -std=c99 -pedantic-errors -c add.c", &["add.o"]),
    form("old C", "$CC -std=gnu89 -w -c old.c", &["old.o"]),
    form("position independence", "$CC -fPIC -fvisibility=hidden -c add.c", &["add.o"]),
    form("sections of functions", "$CC -ffunction-sections -fdata-sections -c add.c", &["add.o"]),
    form(
        "a flag for the compiler proper",
        "$CC -Xclang -fno-validate-pch -mllvm -inline-threshold=1 -c add.c",
        &["add.o"],
    ),
    form("options for the assembler and the linker", "$CC -Wa,--noexecstack -Wl,-O1 -c add.c", &["add.o"]),
    form("preprocessed C", "$CC -c pre.i", &["pre.o"]),
    form("preprocessed C++", "$CXX -c pre.ii", &["pre.o"]),
    form("LLVM assembly", "$CC -c module.ll", &["module.o"]),
    form("an object that is not compiled", "$CC -c add.c && $CC -c add.o", &["add.o"]),
    form("no output file", "$CC -c add.c -o /dev/null", &[]),
    form("an object on the standard output", "$CC -c add.c -o - | wc -c", &[]),
    form("another working directory", "$CC -working-directory sub -c deep.c", &[]),
    // C++.
    form("C++", "$CXX -c box.cpp", &["box.o"]),
    form("C++ without exceptions", "$CXX -std=c++20 -fno-exceptions -fno-rtti -O2 -c box.cpp", &["box.o"]),
    form("C++ as a program", "$CXX hello.cpp -o hello && ./hello", &["hello"]),
    form("C++ by the C compiler", "$CC -c box.cpp && $CC hello.cpp -lstdc++ -o hello && ./hello", &["box.o", "hello"]),
    form("C by the C++ compiler", "$CXX -c box.cpp add.c", &["box.o", "add.o"]),
    form("the language of the driver", "$CC --driver-mode=g++ hello.cpp -o hello", &["hello"]),
    // Languages.
    form("a language for any file", "$CC -x c -c text.txt", &["text.o"]),
    form("a language and back", "$CC -xc++ -c text.txt -x none add.c", &["text.o", "add.o"]),
    form("the standard input", "$CC -x c - add.c -o app < main.c && ./app", &["app"]),
    form("the standard input as an object", "cat add.c | $CC -I. -x c -c - -o in.o", &["in.o"]),
    form("a pipe with a name", "cat add.c | $CC -I. -x c -c /dev/stdin -o in.o", &[]),
    // Programs and libraries.
    form("a program", "$CC main.c add.c -o app && ./app", &["app"]),
    form("a program without a name", "$CC main.c add.c && ./a.out", &["a.out"]),
    form(
        "a program of objects",
        "$CC -c main.c && $CC -c add.c && $CC main.o add.o -o app && ./app",
        &["main.o", "add.o", "app"],
    ),
    form(
        "a program of an object and a source",
        "$CC -c add.c && $CC -O2 main.c add.o -o app && ./app",
        &["add.o", "app"],
    ),
    form("a program with a library", "$CC math.c -o app -lm && ./app", &["app"]),
    form(
        "an archive",
        "$CC -c add.c && ar rcs libadd.a add.o && ranlib libadd.a && $CC main.c -L. -ladd -o app && ./app",
        &["add.o", "libadd.a", "app"],
    ),
    form(
        "an archive by LLVM",
        "$CC -c add.c && $LLVM/llvm-ar rcs libadd.a add.o && $CC main.c libadd.a -o app && ./app",
        &["add.o", "libadd.a", "app"],
    ),
    form(
        "a shared library",
        "$CC -shared -fPIC add.c -o libadd.so && $CC main.c -L. -ladd -Wl,-rpath,. -o app && ./app",
        &["libadd.so", "app"],
    ),
    form(
        "a linked object",
        "$CC -c main.c add.c && $CC -r -nostdlib main.o add.o -o both.o && ld -r both.o -o twice.o && $CC twice.o -o app && ./app",
        &["main.o", "add.o", "both.o", "twice.o", "app"],
    ),
    form("a linked object of sources", "$CC -r -nostdlib main.c add.c -o both.o", &["both.o"]),
    form("a static program", "$CC -static main.c add.c -o app && ./app", &["app"]),
    form("position-dependent", "$CC -no-pie main.c add.c -o app && ./app", &["app"]),
    form("without the library", "$CC -nostdlib -ffreestanding -static alone.c -o alone", &["alone"]),
    form(
        "only what is needed",
        "$CC -ffunction-sections -Wl,--gc-sections main.c add.c -o app && ./app && $CC -ffunction-sections -c main.c add.c && $CC -Wl,--gc-sections main.o add.o -o app2 && ./app2",
        &["app", "main.o", "add.o", "app2"],
    ),
    form(
        "without debug information",
        "$CC -g main.c add.c -o app && strip -g app && $CC -g -c add.c && strip -g add.o && ./app",
        &["app", "add.o"],
    ),
    with(
        "ld.gold",
        "gold",
        "$CC -fuse-ld=gold -ffunction-sections -Wl,--gc-sections -c main.c add.c; $CC -fuse-ld=gold -Wl,--gc-sections main.o add.o -o app && ./app",
        &["main.o", "add.o", "app"],
    ),
    with(
        "ld.lld",
        "lld",
        "$CC -c main.c add.c; $CC -fuse-ld=lld -Wl,--gc-sections main.o add.o -o app && ./app && $CC -fuse-ld=lld main.c add.c -o app2",
        &["main.o", "add.o", "app", "app2"],
    ),
    // Link-time optimisation.
    with(
        "ld.lld",
        "link-time optimisation",
        "$CC -O2 -flto -c main.c add.c && $CC -O2 -flto -fuse-ld=lld main.o add.o -o app && ./app",
        &["main.o", "add.o", "app"],
    ),
    with(
        "ld.lld",
        "thin link-time optimisation",
        "$CC -O2 -flto=thin -c main.c add.c && $CC -O2 -flto=thin -fuse-ld=lld main.o add.o -o app && ./app",
        &["main.o", "add.o", "app"],
    ),
    with(
        "ld.lld",
        "link-time optimisation at once",
        "$CC -O1 -flto -fuse-ld=lld main.c add.c -o app && ./app",
        &["app"],
    ),
    with(
        "ld.lld",
        "an archive for link-time optimisation",
        "$CC -O2 -flto -c main.c add.c && $LLVM/llvm-ar rcs libadd.a add.o && $CC -O2 -flto -fuse-ld=lld main.o libadd.a -o app && ./app",
        &["main.o", "add.o", "libadd.a", "app"],
    ),
    form("objects with both", "$CC -O2 -flto -ffat-lto-objects -c add.c", &["add.o"]),
    form("assembly for link-time optimisation", "$CC -flto -S add.c", &[]),
    // Other outputs.
    form("assembly", "$CC -S add.c && $CC -O2 -S main.c -o out.s", &["add.s", "out.s"]),
    form("assembly on the standard output", "$CC -S add.c -o -", &[]),
    form(
        "by way of assembly",
        "$CC -S add.c main.c && $CC -c add.s && $CC main.s add.o -o app && ./app",
        &["add.s", "main.s", "add.o", "app"],
    ),
    form("preprocessed", "$CC -E main.c && $CC -E add.c -o add.i && $CC -E -P -C add.c", &[]),
    form("macros", "$CC -E -dM - < /dev/null", &[]),
    form("only the syntax", "$CC -fsyntax-only -Wall warn.c", &[]),
    form("bitcode of clang", "$CC -emit-llvm -c add.c && $CC -emit-llvm -S add.c", &[]),
    form("bitcode of clang in the object", "$CC -fembed-bitcode -c add.c", &["add.o"]),
    form("intermediate files", "$CC -save-temps -c add.c", &["add.o"]),
    form("intermediate files of a program", "mkdir out && $CC -save-temps=obj main.c add.c -o out/app", &["out/app"]),
    form("split debug information", "$CC -g -gsplit-dwarf -c add.c", &["add.o"]),
    form("coverage", "$CC --coverage -c add.c", &["add.o"]),
    form("profiles", "$CC -fprofile-instr-generate -fcoverage-mapping -c add.c", &["add.o"]),
    form("the stack", "$CC -fstack-usage -c add.c", &["add.o"]),
    form("remarks", "$CC -O2 -fsave-optimization-record -Rpass=inline -c add.c", &["add.o"]),
    form("diagnostics as data", "$CC -Wall --serialize-diagnostics warn.dia -c warn.c", &["warn.o"]),
    form("an entry of a database", "$CC -MJ add.json -c add.c", &["add.o"]),
    // Dependencies.
    form("dependencies", "$CC -M add.c && $CC -MM add.c -MF add.d", &[]),
    form("dependencies beside the object", "$CC -MD -c add.c && $CC -MMD -c main.c -o out.o", &["add.o", "out.o"]),
    form("dependencies with names", "$CC -MMD -MP -MF deps.d -MT target -MQ '$x' -c add.c", &["add.o"]),
    form("dependencies by the preprocessor", "$CC -Wp,-MD,deps.d -c add.c", &["add.o"]),
    form("dependencies of a program", "$CC -MMD main.c add.c -o app", &["app"]),
    form("dependencies by the environment", "DEPENDENCIES_OUTPUT=deps.d $CC -c add.c", &["add.o"]),
    // Command lines in files.
    form("a response file", "$CC @args.rsp", &["main.o"]),
    form("nested response files", "$CC @nested.rsp", &["with blank.o"]),
    // Assembly.
    form("assembly as input", "$CC -c three.s && $CC -c four.S", &[]),
    form("assembly beside C", "$CC uses.c three.s -o app && ./app", &["app"]),
    // Targets and instrumentation.
    form("32 bits", "$CC -m32 -c add.c", &["add.o"]),
    form(
        "another target",
        "$CC --target=aarch64-linux-gnu -c add.c && $CC -target armv7-linux-gnueabi -S add.c",
        &["add.o", "add.s"],
    ),
    form(
        "sanitizers",
        "$CC -fsanitize=address,undefined -c main.c add.c && $CC -fsanitize=address,undefined main.o add.o -o app && ./app",
        &["main.o", "add.o", "app"],
    ),
    form("traps", "$CC -fsanitize=undefined -fsanitize-trap=all -c add.c", &["add.o"]),
    form("threads and vectors", "$CC -pthread -mavx2 -fopenmp-simd -c add.c", &["add.o"]),
    // Precompiled headers.
    form(
        "a precompiled header",
        "$CC -x c-header add.h -o add.pch && $CC -include-pch add.pch -c sub/deep.c",
        &["deep.o"],
    ),
    form(
        "a precompiled header by its name",
        "$CC -O2 add.h -o add.h.pch && $CC -O2 -include add.h -c sub/deep.c",
        &["deep.o"],
    ),
    // Failures and messages.
    form("an error", "$CC -c bad.c", &[]),
    form("an error beside a good file", "$CC -c bad.c add.c; $CC -c add.c bad.c", &[]),
    form("an error at the link", "$CC undefined.c -o app", &[]),
    form("a warning", "$CC -Wall -c warn.c", &["warn.o"]),
    form("a warning with colours", "$CC -Wall -fcolor-diagnostics -fdiagnostics-format=vi -c warn.c", &["warn.o"]),
    form("a warning as an error", "$CC -Wall -Werror -c warn.c", &[]),
    form("no such file", "$CC -c nothing.c", &[]),
    form("no such option", "$CC --no-such-option -c add.c", &[]),
    form("an option without its value", "$CC -c add.c -o", &[]),
    form("no arguments", "$CC", &[]),
    form("too many outputs", "$CC -c main.c add.c -o both.o", &[]),
    // What configure scripts ask.
    form("versions", "$CC --version && $CXX --version && $CC -dumpversion && $CC -dumpmachine", &[]),
    form(
        "paths",
        "$CC -print-prog-name=ld && $CC -print-search-dirs && $CC -print-file-name=libc.so && $CXX -print-libgcc-file-name",
        &[],
    ),
    form("verbose", "$CC -v && $CC -v -c add.c && $CC '-###' -c add.c main.c", &["add.o"]),
    form(
        "a probe",
        "echo 'int main(void) { return 0; }' > conftest.c && $CC -o conftest conftest.c && ./conftest && $CC -c conftest.c",
        &["conftest", "conftest.o"],
    ),
    form(
        "a probe that fails",
        "echo 'int main(void) { return no_such_function(); }' > conftest.c && $CC -Werror -o conftest conftest.c",
        &[],
    ),
    // Around the compiler.
    form("parallel make", "make -s -j4 && ./app && make -q", &["main.o", "add.o", "app"]),
    with(
        "ccache",
        "ccache",
        "export CCACHE_DIR=$PWD/../cache; ccache $CC -c add.c && rm add.o && ccache $CC -c add.c && $CC main.c add.o -o app && ./app",
        &["add.o", "app"],
    ),
];
