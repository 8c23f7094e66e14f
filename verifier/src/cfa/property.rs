//! Properties: what a program must never violate.
//!
//! A kind of property is one row of `KINDS`: its names, and how the front end makes error locations for it.

use serde::{Deserialize, Serialize};
use std::fmt;

use super::source::SourceId;
use crate::expr::Expr;

/// What kind of property a run can violate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum PropertyKind {
    /// A function that must not be called is called.
    UnreachCall,
    /// An assertion fails.
    Assert,
    /// The result of a signed operation is not representable in its type.
    Overflow,
    /// An unsigned sum, difference or product wraps around.
    UnsignedOverflow,
    /// An implicit conversion changes a value.
    Conversion,
    /// The divisor of an integer division is zero.
    Division,
    /// The distance or the left operand of a shift is out of range.
    Shift,
    /// An index is outside of the array type that it is applied to.
    Bounds,
    /// A null pointer is used.
    Null,
    /// A pointer is not aligned for its type.
    Alignment,
    /// `__builtin_unreachable` is reached.
    Unreachable,
    /// A C++ function ends without returning its value.
    Return,
    /// The length of a variable-length array is not positive.
    VlaBound,
    /// A floating-point number does not fit the type that it is converted to.
    FloatCast,
    /// A loaded value is none of its type, `bool` or an enumeration.
    Load,
    /// Pointer arithmetic leaves the address space.
    PointerOverflow,
    /// Null is passed or returned against an attribute `nonnull` or `returns_nonnull`.
    Nonnull,
    /// Null is passed, returned or assigned against `_Nonnull`.
    Nullability,
    /// A builtin is called with an argument for which it has no result.
    Builtin,
    /// An access is outside of every live object.
    ValidDeref,
    /// `free` is called for what was not allocated.
    ValidFree,
    /// All allocated memory stays reachable.
    ValidMemtrack,
    /// All allocated memory is freed at the end.
    ValidMemcleanup,
    /// Every behaviour is defined.
    DefBehavior,
    /// Every run ends.
    Termination,
    /// No two threads access the same memory at the same time.
    NoDataRace,
    /// A function is called through a pointer of another type.
    Function,
    /// The dynamic type of an object is another one than the program says.
    Type,
    /// Control-flow integrity is violated.
    Cfi,
}

/// How a kind of property gets its error locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checks {
    /// The program claims it by calls that the front end knows.
    Calls,
    /// clang adds the checks that are named here, as in `-fsanitize=…`.
    Clang {
        /// The names of the checks.
        sanitizers: &'static [&'static str],
        /// The arguments of `llvm.ubsantrap` where such a check fails: clang's `SanitizerHandler`.
        traps: &'static [u8],
    },
    /// There are none yet, so that nothing can be said to be safe.
    None,
}

/// What is known about a kind of property.
#[derive(Clone, Copy, Debug)]
struct Row {
    kind: PropertyKind,
    /// The name on the command line and in verdicts.
    name: &'static str,
    /// The name at SV-COMP, if it differs.
    sv_comp: Option<&'static str>,
    checks: Checks,
    /// Whether a violation is undefined behaviour.
    is_undefined: bool,
    /// A violation, where nothing more is known about it.
    message: &'static str,
}

const fn claim(kind: PropertyKind, name: &'static str, message: &'static str) -> Row {
    Row { kind, name, sv_comp: None, checks: Checks::Calls, is_undefined: false, message }
}

/// A kind that clang's checks decide and whose violation is undefined behaviour.
const fn undefined(
    kind: PropertyKind,
    name: &'static str,
    sanitizers: &'static [&'static str],
    traps: &'static [u8],
    message: &'static str,
) -> Row {
    Row { kind, name, sv_comp: None, checks: Checks::Clang { sanitizers, traps }, is_undefined: true, message }
}

/// A kind that clang's checks decide and whose violation is defined, if rarely meant.
const fn suspicious(
    kind: PropertyKind,
    name: &'static str,
    sanitizers: &'static [&'static str],
    traps: &'static [u8],
    message: &'static str,
) -> Row {
    Row { is_undefined: false, ..undefined(kind, name, sanitizers, traps, message) }
}

const fn not_yet(kind: PropertyKind, name: &'static str) -> Row {
    Row { kind, name, sv_comp: None, checks: Checks::None, is_undefined: false, message: "" }
}

/// All kinds of properties, in the order of [`PropertyKind`].
///
/// Signed left shifts count as overflow: SV-COMP calls it an overflow if "the resulting value is not in the range of
/// values that are representable by that type", and its tasks apply that to `<<` (sv-benchmarks, pull request 487).
#[rustfmt::skip]
const KINDS: [Row; 29] = [
    claim(PropertyKind::UnreachCall, "unreach-call", "a call that must not happen is reached"),
    claim(PropertyKind::Assert, "assert", "assertion fails"),
    Row {
        sv_comp: Some("no-overflow"),
        ..undefined(PropertyKind::Overflow, "overflow", &["signed-integer-overflow", "shift"], &[0, 3, 12, 13, 20, 21],
            "a signed operation overflows")
    },
    suspicious(PropertyKind::UnsignedOverflow, "unsigned-overflow", &["unsigned-integer-overflow"], &[0, 12, 13, 21],
        "an unsigned operation wraps around"),
    suspicious(PropertyKind::Conversion, "conversion", &["implicit-conversion"], &[7],
        "an implicit conversion changes the value"),
    undefined(PropertyKind::Division, "division", &["integer-divide-by-zero"], &[3], "division by zero"),
    undefined(PropertyKind::Shift, "shift", &["shift"], &[20], "the distance or the left operand of a shift is out of range"),
    undefined(PropertyKind::Bounds, "bounds", &["array-bounds"], &[18], "an index is out of bounds"),
    undefined(PropertyKind::Null, "null", &["null"], &[22], "a null pointer is used"),
    undefined(PropertyKind::Alignment, "alignment", &["alignment"], &[22, 23], "a misaligned pointer is used"),
    undefined(PropertyKind::Unreachable, "unreachable", &["unreachable"], &[1], "an unreachable point is reached"),
    undefined(PropertyKind::Return, "return", &["return"], &[11], "a function ends without returning a value"),
    undefined(PropertyKind::VlaBound, "vla-bound", &["vla-bound"], &[24], "the length of an array is not positive"),
    undefined(PropertyKind::FloatCast, "float-cast", &["float-cast-overflow"], &[5],
        "a floating-point number does not fit the type that it is converted to"),
    undefined(PropertyKind::Load, "load", &["bool", "enum"], &[10], "a loaded value is none of its type"),
    undefined(PropertyKind::PointerOverflow, "pointer-overflow", &["pointer-overflow"], &[19], "pointer arithmetic overflows"),
    undefined(PropertyKind::Nonnull, "nonnull", &["nonnull-attribute", "returns-nonnull-attribute"], &[16, 17],
        "null is passed or returned where it is not allowed"),
    suspicious(PropertyKind::Nullability, "nullability", &["nullability"], &[14, 15, 22],
        "null is passed, returned or assigned where it is not allowed"),
    undefined(PropertyKind::Builtin, "builtin", &["builtin"], &[8], "an argument of a builtin is invalid"),
    not_yet(PropertyKind::ValidDeref, "valid-deref"),
    not_yet(PropertyKind::ValidFree, "valid-free"),
    not_yet(PropertyKind::ValidMemtrack, "valid-memtrack"),
    not_yet(PropertyKind::ValidMemcleanup, "valid-memcleanup"),
    not_yet(PropertyKind::DefBehavior, "def-behavior"),
    not_yet(PropertyKind::Termination, "termination"),
    not_yet(PropertyKind::NoDataRace, "no-data-race"),
    // clang can check these three only with a runtime library, or for a whole program
    Row { checks: Checks::Clang { sanitizers: &[], traps: &[6] }, message: "a function has another type than its pointer",
        ..not_yet(PropertyKind::Function, "function") },
    Row { checks: Checks::Clang { sanitizers: &[], traps: &[4] }, message: "the dynamic type of an object is another one",
        ..not_yet(PropertyKind::Type, "type") },
    Row { checks: Checks::Clang { sanitizers: &[], traps: &[2, 9] }, message: "control-flow integrity is violated",
        ..not_yet(PropertyKind::Cfi, "cfi") },
];

/// Names for several kinds at once.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The name.
    pub name: &'static str,
    /// What it stands for.
    pub kinds: PropertySet,
}

/// All groups.
pub const GROUPS: &[Group] = &[
    Group { name: "ub", kinds: PropertySet::undefined_behaviour() },
    Group { name: "valid-memsafety", kinds: MEMORY_SAFETY },
    Group { name: "memsafety", kinds: MEMORY_SAFETY },
    Group { name: "undefined-behavior", kinds: PropertySet::of(&[PropertyKind::DefBehavior]) },
];

const MEMORY_SAFETY: PropertySet =
    PropertySet::of(&[PropertyKind::ValidDeref, PropertyKind::ValidFree, PropertyKind::ValidMemtrack]);

impl PropertyKind {
    const fn row(self) -> &'static Row {
        &KINDS[self as usize]
    }

    /// All kinds.
    pub fn all() -> impl Iterator<Item = PropertyKind> {
        KINDS.iter().map(|row| row.kind)
    }

    /// The kind of that name, by Clew or by SV-COMP.
    pub fn named(name: &str) -> Option<PropertyKind> {
        KINDS.iter().find(|row| row.name == name || row.sv_comp == Some(name)).map(|row| row.kind)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its name at SV-COMP, if that is another one.
    pub const fn sv_comp_name(self) -> Option<&'static str> {
        self.row().sv_comp
    }

    /// How it gets its error locations.
    pub const fn checks(self) -> Checks {
        self.row().checks
    }

    /// What clang calls the checks that decide it.
    pub const fn sanitizers(self) -> &'static [&'static str] {
        match self.row().checks {
            Checks::Clang { sanitizers, .. } => sanitizers,
            Checks::Calls | Checks::None => &[],
        }
    }

    /// Whether a program can be checked for it.
    pub const fn is_checked(self) -> bool {
        matches!(self.row().checks, Checks::Calls) || !self.sanitizers().is_empty()
    }

    /// Whether `llvm.ubsantrap(number)` can stand for a violation.
    pub fn has_trap(self, number: u8) -> bool {
        matches!(self.row().checks, Checks::Clang { traps, .. } if traps.contains(&number))
    }

    /// A violation, where nothing more is known about it.
    pub const fn message(self) -> &'static str {
        self.row().message
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of kinds of properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PropertySet(u32);

impl PropertySet {
    /// Every kind.
    pub const ALL: PropertySet = PropertySet((1 << KINDS.len()) - 1);
    /// No kind.
    pub const EMPTY: PropertySet = PropertySet(0);

    /// The set of these kinds.
    pub const fn of(kinds: &[PropertyKind]) -> PropertySet {
        let (mut bits, mut i) = (0, 0);
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u32;
            i += 1;
        }
        PropertySet(bits)
    }

    /// The kinds whose violation is undefined behaviour.
    const fn undefined_behaviour() -> PropertySet {
        let (mut bits, mut i) = (0, 0);
        while i < KINDS.len() {
            if KINDS[i].is_undefined {
                bits |= 1 << i;
            }
            i += 1;
        }
        PropertySet(bits)
    }

    /// Whether `kind` is in it.
    pub const fn contains(self, kind: PropertyKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// Whether there is none in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: PropertyKind) {
        self.0 |= 1 << kind as u32;
    }

    /// The kinds that are in both sets.
    pub const fn intersection(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & other.0)
    }

    /// The kinds that are in one of the sets.
    pub const fn union(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 | other.0)
    }

    /// The kinds, in order.
    pub fn iter(self) -> impl Iterator<Item = PropertyKind> {
        PropertyKind::all().filter(move |&kind| self.contains(kind))
    }
}

impl FromIterator<PropertyKind> for PropertySet {
    fn from_iter<I: IntoIterator<Item = PropertyKind>>(kinds: I) -> PropertySet {
        let mut set = PropertySet::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl fmt::Debug for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A property of the program that an error location violates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Property {
    /// What was to hold.
    pub kind: PropertyKind,
    /// The violation, for people.
    pub message: Box<str>,
    /// What the violation is about: a counterexample gives their values at the error location.
    pub operands: Box<[Operand]>,
    /// Where the violation is.
    pub place: SourceId,
}

/// A value that takes part in a violation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Operand {
    /// The value, where the error location is.
    pub value: Expr,
    /// Whether people read it as a number with a sign.
    pub is_signed: bool,
}

impl Property {
    /// A violation without operands.
    pub fn new(kind: PropertyKind, message: &str, place: SourceId) -> Property {
        Property { kind, message: message.into(), operands: Box::new([]), place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_kinds() {
        for (i, kind) in PropertyKind::all().enumerate() {
            assert_eq!(i, kind as usize, "{kind}");
            assert_eq!(PropertyKind::named(kind.name()), Some(kind));
        }
    }

    #[test]
    fn names_of_both_sides() {
        assert_eq!(PropertyKind::named("no-overflow"), Some(PropertyKind::Overflow));
        assert_eq!(PropertyKind::named("nonsense"), None);
        assert!(!PropertyKind::Termination.is_checked() && !PropertyKind::Cfi.is_checked());
    }

    #[test]
    fn sets() {
        let set = PropertySet::of(&[PropertyKind::Shift, PropertyKind::Assert]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [PropertyKind::Assert, PropertyKind::Shift]);
        assert!(!set.contains(PropertyKind::Bounds) && PropertySet::ALL.contains(PropertyKind::Cfi));
        let undefined = PropertySet::undefined_behaviour();
        assert!(undefined.contains(PropertyKind::Overflow) && !undefined.contains(PropertyKind::UnsignedOverflow));
    }
}
