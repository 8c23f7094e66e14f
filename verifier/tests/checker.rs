//! One checker used for a sequence of paths agrees with a fresh checker for each path.

mod small;

use clew_verifier::evidence::{Checker, PathCheck, Reason};
use clew_verifier::monitor::Monitor;
use small::Random;

const PROGRAMS: u64 = 60;
const WALKS: u64 = 12;

#[test]
fn checkers_do_not_remember_wrongly() {
    let (mut possible, mut impossible) = (0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let monitor = Monitor::new(None);
        let mut random = Random::new(seed);
        let mut checker = Checker::new(&program, &monitor);
        for _ in 0..WALKS {
            let path = small::walk(&program, &mut random, (1, 200));
            // Prefixes of one path, back and forth, so that consecutive queries have much in common.
            let half = random.below(path.len() + 1);
            for part in [&path[..half], &path[..], &path[..half / 2], &path[..half]] {
                let fresh = Checker::new(&program, &monitor).check(part);
                let is_possible = checker.is_possible(part);
                match fresh {
                    PathCheck::Infeasible { .. } => {
                        impossible += 1;
                        assert!(!is_possible, "seed {seed}: {part:?} cannot be taken");
                        assert!(!checker.is_known(part), "seed {seed}: {part:?} cannot be taken");
                    }
                    // A path that does not end in an error cannot be replayed to one.
                    PathCheck::Feasible(_) | PathCheck::Undecided(Reason::Replay { .. }) => {
                        possible += 1;
                        assert!(is_possible, "seed {seed}: {part:?} can be taken");
                        assert!(checker.is_known(part), "seed {seed}: {part:?} was possible just now");
                    }
                    PathCheck::Undecided(_) => {}
                }
            }
        }
    }
    assert!(possible > 300 && impossible > 300, "{possible} possible, {impossible} impossible");
}
