//! Numeric domains agree with sets of points: operations over-approximate, and are exact where they say so.

mod small;

use std::collections::BTreeSet;

use clew_verifier::expr::Var;
use clew_verifier::numeric::congruences::{Affine, Congruences};
use clew_verifier::numeric::{Boxes, Linear, NumericDomain, Octagon};
use clew_verifier::tuning::Numeric;
use small::Random;

const VARS: [Var; 3] = [Var(2), Var(5), Var(7)];
const FRESH: Var = Var(9);
/// All values lie in `-LIMIT ..= LIMIT`.
const LIMIT: i128 = 4;
const ROUNDS: u64 = 300;

type Point = [i128; 3];

fn form(parts: &[(usize, i128)], constant: i128) -> Linear {
    let mut sum = Linear::constant(constant);
    for &(at, factor) in parts {
        sum = sum.plus(&Linear::var(VARS[at]).times(factor).expect("small numbers"));
    }
    sum
}

fn value(form: &Linear, point: &Point) -> i128 {
    form.evaluate(|var| point[VARS.iter().position(|&other| other == var).expect("one of the variables")])
}

fn points() -> Vec<Point> {
    let range = || -LIMIT..=LIMIT;
    range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z]))).collect()
}

/// The points that a value stands for, by its constraints.
fn members<D: NumericDomain>(value_of: &D) -> BTreeSet<Point> {
    let constraints = value_of.constraints();
    points().into_iter().filter(|point| constraints.iter().all(|form| value(form, point) <= 0)).collect()
}

fn tuning(max_block: usize) -> Numeric {
    Numeric { max_block, ..Numeric::default() }
}

/// All points.
fn full<D: NumericDomain>(max_block: usize) -> D {
    let mut all = D::top(tuning(max_block));
    for at in 0..3 {
        all.assume(&form(&[(at, 1)], -LIMIT));
        all.assume(&form(&[(at, -1)], -LIMIT));
    }
    all
}

fn factor(random: &mut Random) -> i128 {
    random.below(5) as i128 - 2
}

fn some_form(random: &mut Random, is_octagonal: bool) -> Linear {
    let constant = random.below(9) as i128 - 4;
    if is_octagonal {
        let (a, b) = (random.below(3), random.below(3));
        let mut sign = || if random.coin() { 1 } else { -1 };
        let parts = [(a, sign()), (b, sign())];
        return if a == b { form(&parts[..1], constant) } else { form(&parts, constant) };
    }
    form(&[(0, factor(random)), (1, factor(random)), (2, factor(random))], constant)
}

fn some_value<D: NumericDomain>(random: &mut Random, max_block: usize) -> D {
    let mut result = full::<D>(max_block);
    for _ in 0..random.below(5) {
        let is_octagonal = random.below(4) != 0 || max_block < 3;
        let constraint = some_form(random, is_octagonal);
        result.assume(&constraint);
    }
    if random.one_in(4) {
        result = result.join(&some_value(random, max_block));
    }
    result
}

fn includes<D: NumericDomain>(result: &D, wanted: &BTreeSet<Point>, what: &str) {
    let found = members(result);
    let lost: Vec<_> = wanted.difference(&found).collect();
    assert!(lost.is_empty(), "{what}: {lost:?} are lost in {result:#?}");
}

/// The forms whose bounds octagons know.
fn octagonal_forms() -> Vec<Linear> {
    let mut forms = Vec::new();
    for a in 0..3 {
        for sign in [1, -1] {
            forms.push(form(&[(a, sign)], 0));
            forms.extend((0..a).flat_map(|b| [form(&[(a, sign), (b, 1)], 0), form(&[(a, sign), (b, -1)], 0)]));
        }
    }
    forms
}

/// Whether all bounds are the best ones.
fn is_tight(octagon: &Octagon) -> bool {
    let members = members(octagon);
    if members.is_empty() || octagon.is_bottom() {
        return members.is_empty() && octagon.is_bottom();
    }
    octagonal_forms().iter().all(|form| {
        let best = members.iter().map(|point| value(form, point)).max();
        octagon.bounds(form).high == best
    })
}

/// Lattice, transfer, preimages and projection of a domain with a limit on related variables.
fn operations_over_approximate<D: NumericDomain>(max_block: usize, seed: u64) {
    let mut random = Random::new(seed);
    for round in 0..ROUNDS {
        let (a, b): (D, D) = (some_value(&mut random, max_block), some_value(&mut random, max_block));
        let (in_a, in_b) = (members(&a), members(&b));
        let what = format!("round {round}");
        assert!(!a.is_bottom() || in_a.is_empty());
        includes(&a.join(&b), &in_a.union(&in_b).copied().collect(), &what);
        includes(&a.meet(&b), &in_a.intersection(&in_b).copied().collect(), &what);
        assert!(a.leq(&a.join(&b)) && b.leq(&a.join(&b)) && a.meet(&b).leq(&a), "{what}: {a:#?} {b:#?}");
        assert!(!a.leq(&b) || in_a.is_subset(&in_b), "{what}: {a:#?} is not in {b:#?}");
        assert!(a.closed().leq(&a) && a.leq(&a.closed()), "{what}");

        let is_octagonal = random.coin();
        let constraint = some_form(&mut random, is_octagonal);
        let mut assumed = a.clone();
        assumed.assume(&constraint);
        includes(&assumed, &in_a.iter().copied().filter(|p| value(&constraint, p) <= 0).collect(), &what);

        let at = random.below(3);
        let mut assigned_value = some_form(&mut random, !is_octagonal);
        assigned_value.high += random.below(2) as i128;
        let images = |point: &Point| {
            let first = value(&assigned_value, point);
            let last = first + assigned_value.high - assigned_value.low;
            let point = *point;
            (first..=last).filter(|n| n.abs() <= LIMIT).map(move |n| {
                let mut image = point;
                image[at] = n;
                image
            })
        };
        let mut assigned = a.clone();
        assigned.assign(VARS[at], &assigned_value);
        includes(&assigned, &in_a.iter().flat_map(images).collect(), &what);
        let mut before = b.clone();
        before.unassign(VARS[at], &assigned_value, FRESH);
        let wanted = points().into_iter().filter(|point| images(point).any(|image| in_b.contains(&image)));
        includes(&before, &wanted.collect(), &format!("{what}: {} := {assigned_value:?} into {b:#?}", VARS[at].0));

        let mut forgotten = a.clone();
        forgotten.forget(VARS[at]);
        let free = |point: &Point| {
            let point = *point;
            (-LIMIT..=LIMIT).map(move |n| {
                let mut free = point;
                free[at] = n;
                free
            })
        };
        let wanted: BTreeSet<Point> = in_a.iter().flat_map(free).collect();
        includes(&forgotten, &wanted, &what);
        let mut renamed = forgotten.clone();
        let other = (at + 1) % 3;
        renamed.rename(VARS[other], VARS[at]);
        let swapped = wanted.iter().flat_map(|point| {
            let point = *point;
            (-LIMIT..=LIMIT).map(move |n| {
                let mut moved = point;
                moved[at] = point[other];
                moved[other] = n;
                moved
            })
        });
        includes(&renamed, &swapped.collect(), &what);

        let bounded = some_form(&mut random, false);
        for point in &in_a {
            let range = a.bounds(&bounded);
            let number = value(&bounded, point);
            assert!(
                range.low.is_none_or(|low| low <= number) && range.high.is_none_or(|high| number <= high),
                "{what}"
            );
        }
        let mut rebuilt = D::top(tuning(max_block));
        a.constraints().iter().for_each(|constraint| rebuilt.assume(constraint));
        assert!(rebuilt.leq(&a), "{what}: the constraints of {a:#?} are not those of {rebuilt:#?}");
    }
}

#[test]
fn operations_on_intervals_over_approximate() {
    operations_over_approximate::<Boxes>(8, 1);
}

#[test]
fn operations_on_octagons_over_approximate() {
    operations_over_approximate::<Octagon>(8, 2);
}

#[test]
fn operations_on_octagons_of_small_blocks_over_approximate() {
    operations_over_approximate::<Octagon>(2, 3);
    operations_over_approximate::<Octagon>(1, 4);
}

/// Closure is tight, comparison decides, and images of unit forms, joins and projections are the best octagons.
#[test]
fn octagons_are_exact() {
    let mut random = Random::new(5);
    let (mut empty, mut compared) = (0, 0);
    for round in 0..ROUNDS {
        let (a, b): (Octagon, Octagon) = (some_value(&mut random, 8), some_value(&mut random, 8));
        let (in_a, in_b) = (members(&a), members(&b));
        assert!(is_tight(&a), "round {round}: {a:#?}");
        empty += usize::from(a.is_bottom());
        compared += usize::from(a.leq(&b));
        assert_eq!(a.leq(&b), in_a.is_subset(&in_b), "round {round}: {a:#?} {b:#?}");
        let met = a.meet(&b);
        assert_eq!(members(&met), in_a.intersection(&in_b).copied().collect::<BTreeSet<_>>(), "round {round}");
        assert!(is_tight(&met), "round {round}: {met:#?}");
        let joined = a.join(&b);
        for form in octagonal_forms() {
            let high = in_a.union(&in_b).map(|point| value(&form, point)).max();
            assert_eq!(joined.bounds(&form).high.filter(|_| high.is_some()), high, "round {round}: {form:?}");
        }
        if a.is_bottom() {
            continue;
        }
        // One variable becomes plus or minus one, with a constant from a range.
        let (at, from) = (random.below(3), random.below(3));
        let mut unit = form(&[(from, if random.coin() { 1 } else { -1 })], random.below(5) as i128 - 2);
        unit.high += random.below(3) as i128;
        assert!(Octagon::is_exact(&unit));
        let mut assigned = a.clone();
        assigned.assign(VARS[at], &unit);
        for form in octagonal_forms() {
            let high = in_a.iter().flat_map(|point| {
                let first = value(&unit, point);
                (first..=first + unit.high - unit.low).map(|n| {
                    let mut image = *point;
                    image[at] = n;
                    value(&form, &image)
                })
            });
            assert_eq!(assigned.bounds(&form).high, high.max(), "round {round}: {form:?} after {unit:?}");
        }
        let mut forgotten = a.clone();
        forgotten.forget(VARS[at]);
        assert_eq!(forgotten.bounds(&form(&[(at, 1)], 0)).high, None);
        for form in octagonal_forms().into_iter().filter(|form| form.parts.iter().all(|part| part.0 != VARS[at])) {
            assert_eq!(forgotten.bounds(&form), a.bounds(&form), "round {round}: {form:?}");
        }
    }
    assert!(empty > 10 && compared > 10, "{empty} are empty, {compared} are included");
}

/// Widening includes both arguments, and ends with and without thresholds.
fn widening_ends<D: NumericDomain>(seed: u64) {
    let mut random = Random::new(seed);
    let mut growths = 0;
    for round in 0..ROUNDS {
        let thresholds: Vec<i128> = if random.coin() { Vec::new() } else { vec![-3, 0, 2, 3] };
        let mut widened: D = some_value(&mut random, 8);
        let mut state = widened.closed();
        for step in 0.. {
            assert!(step < 200, "round {round}: widening does not end");
            let newer: D = some_value(&mut random, 8);
            let joined = state.join(&newer);
            if joined.leq(&state) {
                if step > 60 {
                    break;
                }
                continue;
            }
            growths += 1;
            let next = widened.widen(&joined, &thresholds);
            assert!(widened.leq(&next) && joined.leq(&next), "round {round}: {widened:#?} {joined:#?} {next:#?}");
            state = next.closed();
            assert!(joined.leq(&state) && state.leq(&next) && members(&state) == members(&next), "round {round}");
            widened = next;
        }
    }
    assert!(growths > 100, "only {growths}");
}

#[test]
fn widening_of_intervals_ends() {
    widening_ends::<Boxes>(6);
}

#[test]
fn widening_of_octagons_ends() {
    widening_ends::<Octagon>(7);
}

/// Hundreds of variables that are related in small groups stay cheap; too large groups lose relations only.
#[test]
fn many_variables() {
    let mut octagon = Octagon::top(tuning(10));
    for i in 0..400 {
        octagon.assign(Var(i), &Linear::constant(i.into()));
        octagon.assume(&Linear::var(Var(i)).offset(-1000));
    }
    (0..399).for_each(|i| octagon.forget(Var(i)));
    for i in 0..399 {
        octagon.assume(&Linear::var(Var(i)).minus(&Linear::var(Var(i + 1))));
        octagon.assume(&Linear::var(Var(i)).negated());
    }
    assert!(octagon.size() < 10_000, "{} bounds", octagon.size());
    assert_eq!(octagon.bounds(&Linear::var(Var(398))).both(), Some((0, 399)));
    assert_eq!(octagon.bounds(&Linear::var(Var(397)).minus(&Linear::var(Var(398)))).high, Some(0));
}

/// The assignments that equations allow, of two variables of two bits.
fn solutions(congruences: &Congruences) -> BTreeSet<[u64; 2]> {
    let equations = congruences.equations();
    let holds = |point: &[u64; 2]| {
        let value = |row: &Affine| row[0] + row[1] * point[0] + row[2] * point[1];
        equations.iter().all(|row| value(row).is_multiple_of(4))
    };
    (0..16).map(|n| [n / 4, n % 4]).filter(holds).collect()
}

/// Equations modulo 4: images, intersections with equations, and comparisons are exact; joins over-approximate.
#[test]
fn congruences_agree_with_sets() {
    let mut random = Random::new(8);
    let mut strict = 0;
    for round in 0..4000 {
        let some = |random: &mut Random| {
            let mut result = Congruences::top(2, 2);
            for _ in 0..random.below(4) {
                let row: Affine = (0..3).map(|_| random.below(4) as u64).collect();
                match random.below(4) {
                    0 | 1 => result.assume_zero(&row),
                    2 => result.assign(random.below(2), &row),
                    _ => result.forget(random.below(2)),
                }
            }
            result
        };
        let (a, b) = (some(&mut random), some(&mut random));
        let (in_a, in_b) = (solutions(&a), solutions(&b));
        let joined = a.join(&b);
        assert!(a.leq(&joined) && b.leq(&joined), "round {round}");
        assert!(in_a.union(&in_b).all(|point| solutions(&joined).contains(point)), "round {round}: {a:?} {b:?}");
        if !in_a.is_empty() && !in_b.is_empty() {
            assert_eq!(a.leq(&b), in_a.is_subset(&in_b), "round {round}: {a:?} {b:?}");
        }
        strict += usize::from(!in_a.is_empty() && in_a.len() < 16);
        let row: Affine = (0..3).map(|_| random.below(4) as u64).collect();
        let value = |point: &[u64; 2]| (row[0] + row[1] * point[0] + row[2] * point[1]) % 4;
        let at = random.below(2);
        let mut assigned = a.clone();
        assigned.assign(at, &row);
        let image = |point: &[u64; 2]| {
            let mut image = *point;
            image[at] = value(point);
            image
        };
        if !in_a.is_empty() {
            assert_eq!(solutions(&assigned), in_a.iter().map(image).collect(), "round {round}: {a:?} {row:?}");
        }
        let mut assumed = a.clone();
        assumed.assume_zero(&row);
        let wanted: BTreeSet<_> = in_a.iter().copied().filter(|point| value(point) == 0).collect();
        if !wanted.is_empty() {
            assert_eq!(solutions(&assumed), wanted, "round {round}: {a:?} {row:?}");
        }
    }
    assert!(strict > 500, "only {strict} say anything");
}
