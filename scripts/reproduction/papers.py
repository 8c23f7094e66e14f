"""Tables 1 to 3 of the two papers: their configurations and numbers, and the corresponding configurations of Clew."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Configuration:
    """A name in a paper, the words after `clew check --config`, and the paper's numbers over all tasks.

    `@LABEL` in the words stands for the configuration that Clew's own table gives for that name in a paper.
    """

    label: str
    words: str
    paper: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Relation:
    """Each configuration in `smaller` has less of the measure than each one in `larger`."""

    smaller: tuple
    larger: tuple
    measure: str = "solved"
    # Restricts the relation to one family of tasks.
    family: str = ""
    operator: str = "<"
    # The numbers of the paper, if they are about other tools.
    paper: str = ""

    @property
    def subject(self):
        return f"{self.measure} on {self.family}" if self.family else self.measure


@dataclass(frozen=True)
class Table:
    number: int
    title: str
    configurations: tuple
    relations: tuple
    # If given, only tasks count for which one of these configurations needs a refinement.
    refined_by: tuple = ()
    # The paper's results of other tools, in a table that compares with them.
    tools: str = ""


@dataclass(frozen=True)
class Paper:
    title: str
    setting: str
    has_rows_by_family: bool
    tables: tuple


def _pairs(*pairs, measures=("solved",)):
    return tuple(Relation((smaller,), (larger,), measure) for measure in measures for smaller, larger in pairs)


def _best(label, configurations):
    return Relation(tuple(each.label for each in configurations if each.label != label), (label,))


def _worst(label, configurations):
    return Relation((label,), tuple(each.label for each in configurations if each.label != label))


def _explicit(label, words, points, solved, time):
    return Configuration(label, words, {"points": points, "solved": solved, "time": time})


EXPL = _explicit("CPA-EXPL", "@CPA-EXPL", 217, 152, 11000)
EXPL_ITP = _explicit("CPA-EXPLitp", "@CPA-EXPLitp", 244, 164, 2500)
PRED = _explicit("CPA-PRED", "@CPA-PRED", 237, 163, 7100)
EXPL_PRED = _explicit("CPA-EXPL-PRED", "@CPA-EXPL-PRED", 280, 192, 5300)
EXPL_ITP_PRED = _explicit("CPA-EXPLitp-PRED", "@CPA-EXPLitp-PRED", 318, 211, 5600)

EXPLICIT_STATE = Paper(
    "Explicit-State Software Model Checking Based on CEGAR and Interpolation",
    "The paper took the sequential tasks of SV-COMP'12, with 900 s and 15 GB each. Points: 2 for a proof, 1 for a bug, "
    "-2 for a wrong alarm, -4 for a wrong proof. Time: seconds of CPU time for the solved tasks.",
    True,
    (
        Table(
            1, "Comparison with a purely explicit approach without CEGAR", (EXPL, EXPL_ITP),
            (*_pairs((EXPL.label, EXPL_ITP.label), measures=("solved", "points")),
             *_pairs((EXPL_ITP.label, EXPL.label), measures=("time",)))),
        Table(
            2, "Comparison with configurations that use predicates", (PRED, EXPL_ITP, EXPL_PRED, EXPL_ITP_PRED),
            _pairs((PRED.label, EXPL_ITP_PRED.label), (EXPL_ITP.label, EXPL_ITP_PRED.label),
                   (EXPL_PRED.label, EXPL_ITP_PRED.label), (PRED.label, EXPL_PRED.label),
                   measures=("solved", "points"))),
        Table(
            3, "Comparison with existing tools", (EXPL_ITP_PRED,), (),
            tools="158 (BLAST), 147 (SATABS), 209 (CPA-MEMO) < 211"),
    ),
)

NO_SELECTION = "No refinement selection"
GOOD, BAD = "Domain-type score (good)", "Domain-type score (bad)"
GOOD_NARROW = "Combination (good, narrow)"
# The heuristics, with the numbers of tasks that predicate and value analysis solve in the paper.
HEURISTICS = (
    (NO_SELECTION, "none", 1139, 1740),
    ("Length of prefix (short)", "short", 1259, 1656),
    ("Length of prefix (long)", "long", 1301, 1630),
    (GOOD, "good-domain", 1284, 1761),
    (BAD, "bad-domain", 1134, 1524),
    ("Width of precision (narrow)", "narrow", 1289, 1689),
    ("Width of precision (wide)", "wide", 1253, 1608),
    ("Depth of precision (shallow)", "shallow", 1225, 1663),
    ("Depth of precision (deep)", "deep", 1258, 1729),
    ("Random", "random:1", 1328, 1626),
    (GOOD_NARROW, "good-domain,narrow", 1363, 1774),
    ("Combination (narrow, good)", "narrow,good-domain", 1339, 1718),
)
LABELS = tuple(label for label, *_ in HEURISTICS)
# No selection is the default for predicates, so one run serves all tables.
WITH_PREDICATES = tuple(
    Configuration(label, PRED.words if names == "none" else f"{PRED.words} --select {names}", {"solved": solved})
    for label, names, solved, _ in HEURISTICS)
WITH_VALUES = tuple(
    Configuration(label, f"{EXPL_ITP.words} --select {names}", {"solved": solved}) for label, names, _, solved in HEURISTICS)


def _combined(label, words, solved, loops):
    return Configuration(label, words, {"solved": solved, "solved on Loops": loops})


PA = _combined("PA", PRED.words, 1824, 80)
VA_PA = _combined("VA + PA", f"{EXPL_ITP_PRED.words} --select none --refine-first values", 2300, 69)
EACH_SELECTED = _combined(
    "VA_RefSel + PA_RefSel", f"{EXPL_ITP_PRED.words} --select good-domain,narrow --refine-first values", 2384, 68)
BOTH_SELECTED = _combined(
    "(VA_RefSel + PA_RefSel)_RefSel", f"{EXPL_ITP_PRED.words} --select good-domain,narrow --refine-first selected", 2384, 79)
DEFAULT = Configuration("Clew's default", EXPL_ITP_PRED.words)

REFINEMENT_SELECTION = Paper(
    "Refinement Selection",
    "The paper took tasks of SV-COMP'15 without arrays, heap, concurrency and recursion, with 15 min of CPU time each, "
    "on which a refinement could be selected among several. It used single-block encoding, shared precisions globally "
    "and restarted after each refinement; here the defaults of Clew apply. The numbers say how many tasks were solved.",
    False,
    (
        Table(
            1, "Predicate analysis without and with refinement selection", WITH_PREDICATES,
            (*_pairs(*((NO_SELECTION, label) for label in LABELS if label not in (NO_SELECTION, BAD))),
             Relation((BAD,), (NO_SELECTION,), operator="<="), _best(GOOD_NARROW, WITH_PREDICATES)),
            refined_by=LABELS),
        Table(
            2, "Value analysis without and with refinement selection", WITH_VALUES,
            (_best(GOOD_NARROW, WITH_VALUES), _worst(BAD, WITH_VALUES),
             *_pairs((NO_SELECTION, GOOD), (GOOD, GOOD_NARROW))),
            refined_by=LABELS),
        Table(
            3, "Combinations of analyses (PA: predicate analysis; VA: value analysis)",
            (PA, VA_PA, EACH_SELECTED, BOTH_SELECTED, DEFAULT),
            (*_pairs((PA.label, VA_PA.label), (VA_PA.label, EACH_SELECTED.label), (VA_PA.label, BOTH_SELECTED.label)),
             Relation((EACH_SELECTED.label,), (BOTH_SELECTED.label,), operator="="),
             Relation((VA_PA.label,), (BOTH_SELECTED.label,), family="Loops"),
             Relation((EACH_SELECTED.label,), (BOTH_SELECTED.label,), family="Loops")),
            refined_by=(BOTH_SELECTED.label,)),
    ),
)

PAPERS = {"000": EXPLICIT_STATE, "003": REFINEMENT_SELECTION}
