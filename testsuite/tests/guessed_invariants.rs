//! `k-induction` proves loops by invariants that it guesses from runs.

mod common;

use common::Folder;

fn assert_proved(text: &str) {
    let folder = Folder::new();
    folder.write("loop.c", text);
    let output = folder.clew(&["check", "--config", "k-induction", "loop.c"]);
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
}

#[test]
fn closed_forms_of_sums_are_equations_of_higher_degree() {
    assert_proved(
        "#include <clew.h>
        int main(void) {
            int n = clew_any_int();
            clew_assume(n >= 0 && n <= 30);
            int sum = 0, squares = 0;
            for (int i = 1; i <= n; i++) {
                sum += i;
                squares += i * i;
            }
            clew_assert(2 * sum == n * (n + 1));
            clew_assert(6 * squares == n * (n + 1) * (2 * n + 1));
        }",
    );
}

#[test]
fn counters_that_move_in_opposite_directions_keep_their_sum() {
    assert_proved(
        "#include <clew.h>
        int main(void) {
            int total = clew_any_int();
            clew_assume(total >= -1000 && total < 1000);
            int left = 0, right = 0;
            while (left < total)
                left++;
            while (right < total) {
                clew_assert(left > 0);
                right++;
                left--;
            }
        }",
    );
}
