//! C++ streams: Clew's own headers, and what happens to programs that need those of the library.

mod common;

use common::Folder;

const SAFE: Option<i32> = Some(0);
const UNSAFE: Option<i32> = Some(10);
const UNKNOWN: Option<i32> = Some(20);

fn check(folder: &Folder, files: &[&str]) -> common::CommandOutput {
    let mut words = vec!["check", "--no-progress", "--time-limit", "20s"];
    words.extend(files);
    folder.clew(&words)
}

#[test]
fn printing_changes_nothing_that_is_printed() {
    let folder = Folder::new();
    folder.write(
        "apple.cpp",
        r#"
#include <cassert>
#include <iomanip>
#include <iostream>
#include <string>
int main() {
    std::string s = "Apple";
    int n = 42;
    std::cout << s << std::endl << std::setw(8) << std::hex << n << std::fixed << std::setprecision(2) << 2.5 << '\n';
    assert(s == "Apple" && n == 42);
}
"#,
    );
    assert_eq!(check(&folder, &["apple.cpp"]).code, SAFE);
}

/// Files that need the library's streams make all files use them: objects of both kinds must not meet.
#[test]
fn files_with_different_streams_are_not_mixed() {
    let folder = Folder::new();
    folder.write(
        "main.cpp",
        r#"
#include <cassert>
#include <iostream>
void print(std::ostream &out, int &n);
int main() {
    int n = 0;
    print(std::cout, n);
    assert(n == 5);
}
"#,
    );
    folder.write(
        "print.cpp",
        r#"
#include <iostream>
#include <regex>
void print(std::ostream &out, int &n) {
    out << n;
    n = 5;
}
"#,
    );
    let mixed = check(&folder, &["main.cpp", "print.cpp"]);
    assert!([SAFE, UNKNOWN].contains(&mixed.code), "{}{}", mixed.stdout, mixed.stderr);
}

#[test]
fn what_the_own_headers_lack_still_compiles() {
    let folder = Folder::new();
    folder.write(
        "facet.cpp",
        r#"
#include <iostream>
#include <locale>
int main() {
    const std::ctype<char> &facet = std::use_facet<std::ctype<char>>(std::cout.getloc());
    return facet.is(std::ctype_base::space, ' ') ? 0 : 1;
}
"#,
    );
    let outcome = check(&folder, &["facet.cpp"]);
    assert!([SAFE, UNSAFE, UNKNOWN].contains(&outcome.code), "{}{}", outcome.stdout, outcome.stderr);
    folder.write("wrong.cpp", "#include <iostream>\nint main() { std::cout.no_such_member(); }\n");
    let outcome = check(&folder, &["wrong.cpp"]);
    assert!(outcome.stderr.contains("no member named 'no_such_member'"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("clew/models"), "{}", outcome.stderr);
}

/// What is read is unknown: the input decides.
#[test]
fn input_is_unknown() {
    let folder = Folder::new();
    let program = |claim: &str| {
        format!(
            "#include <cassert>\n#include <iostream>\n\
             int main() {{ int n = 5; char c = 'x'; std::cin >> n >> c; assert({claim}); }}\n"
        )
    };
    for (claim, expected) in [("n < 100", UNSAFE), ("c != ' '", SAFE), ("n == 5 || std::cin.good()", UNSAFE)] {
        folder.write("input.cpp", program(claim));
        let outcome = check(&folder, &["input.cpp"]);
        assert_eq!(outcome.code, expected, "{claim}: {}", outcome.stdout);
    }
}
