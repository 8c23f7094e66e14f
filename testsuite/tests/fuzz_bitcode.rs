//! Randomly corrupted bitcode is read or rejected without a crash. `scripts/fuzz-bitcode` runs this for longer.

mod common;

use std::{env, fs};

use common::Folder;

const PROGRAM: &str = r"
struct node { int value; struct node *next; };
static struct node nodes[3] = {{1, &nodes[1]}, {2, &nodes[2]}, {3, 0}};
extern int input(void);
static double scale(double x, int n) { for (int i = 0; i < n; i++) x *= 1.5; return x; }
int main(int argc, char **argv) {
    int sum = 0;
    for (struct node *n = nodes; n; n = n->next) {
        switch (input()) { case 0: sum += n->value; break; case 7: sum ^= n->value; break; default: sum--; }
    }
    return sum > 100 ? (int)scale(sum, argc) : sum;
}";

/// The xorshift64* generator: the same numbers for the same seed on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// A corrupted copy: bits or bytes changed, a part removed, duplicated or truncated.
fn damage(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match random.below(6) {
        0 => bytes.truncate(random.below(good.len())),
        1 => {
            let start = random.below(good.len());
            bytes.drain(start..(start + 4 * (1 + random.below(16))).min(good.len()));
        }
        2 => {
            let start = random.below(good.len());
            let copy = good[start..(start + 4 * (1 + random.below(16))).min(good.len())].to_vec();
            bytes.splice(start..start, copy);
        }
        3 => (0..1 + random.below(8)).for_each(|_| {
            let at = random.below(good.len());
            bytes[at] = random.below(256) as u8;
        }),
        _ => (0..1 + random.below(4)).for_each(|_| {
            let at = random.below(good.len());
            bytes[at] ^= 1 << random.below(8);
        }),
    }
    bytes
}

#[test]
fn damaged_bitcode_is_read_or_rejected() {
    let number = |name: &str, default: u64| env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (count, seed) = (number("CLEW_FUZZ_COUNT", 60), number("CLEW_FUZZ_SEED", 1));
    let folder = Folder::new();
    folder.clang(PROGRAM, &["-O1", "-c", "-emit-llvm", "-o", "good.bc"]);
    let good = fs::read(folder.path().join("good.bc")).unwrap();
    let mut rejected = 0;
    for round in 0..count {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (round + 1));
        random.below(2);
        folder.write("bad.bc", damage(&good, &mut random));
        let outcome = folder.clew(&["show", "cfa", "bad.bc"]);
        let clear = match outcome.code {
            Some(0) => true,
            Some(3) => outcome.stderr.contains("clew: error: "),
            _ => outcome.stderr.contains("cannot do that yet"),
        };
        if !clear && let Ok(kept) = env::var("CLEW_FUZZ_KEEP") {
            fs::copy(folder.path().join("bad.bc"), kept).unwrap();
        }
        assert!(clear, "seed {seed}, round {round}: {outcome:?}");
        rejected += u64::from(outcome.code == Some(3));
    }
    // Otherwise the corruption is ineffective.
    assert!(rejected * 2 > count, "only {rejected} of {count} rejected");
}
