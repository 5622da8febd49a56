"""What `migrate` proposes for rules that place copies by hand, and what it leaves alone."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import Fault
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp, write_cpp
from htp_mlir.lowering.packages.migrate import Migration, migrate
from htp_mlir.lowering.packages.migrate.report import report
from htp_mlir.lowering.rules import Crouton, Flat, MainMemory, Op, Outputs, Tcm, tensor_properties

from .by_hand import FAST, read

COPIES = """
#define THIS_PKG_NAME Pkg
#define TO_TCM(X) Op(FROM_DEFAULT_PACKAGE("flat_to_vtcm"), X)
#define CROUTON_TCM(X) Op(FROM_DEFAULT_PACKAGE("crouton_to_vtcm"), X)
#define AS_FLAT(X) Op(FROM_DEFAULT_PACKAGE("ForceFormat_Flat"), X)
#define FROM_TCM(X) Op(FROM_DEFAULT_PACKAGE("flat_from_vtcm"), X)
"""


def rule(match: str, replacement: str, constraint: str = "OK") -> str:
    return f"DEF_PACKAGE_OPTIMIZATION(LATE, {match}, {constraint}, {replacement})\n"


def migrated(folder: Path, *lines: str) -> Migration:
    return migrate(read(folder, COPIES + "\n".join(lines)))


def whys(migration: Migration) -> list[str]:
    return [outcome.why for outcome in migration.outcomes]


def test_the_documented_example(tmp_path: Path) -> None:
    """QNN HTP op package documentation, before and after TCM migration."""
    migration = migrate(read(tmp_path, FAST))
    mixed, twice = (proposal.properties for proposal in migration.proposals)
    assert mixed == tensor_properties(
        Op("Mixed", "in_0", "in_1", "in_2"),
        Flat("*", "in_1", "in_2"),
        Crouton("in_0"),
        Tcm("in_0", "in_1"),
        MainMemory("in_2"),
    )
    assert twice == tensor_properties(Op("Twice.fast", "in"), Crouton("*", "in"), Tcm("*", "in"))
    placed, built = migration.outcomes
    assert placed.after is None
    assert str(built.after).endswith('Op("Twice.fast", "X"))')
    assert migration.conflicts == ()
    assert len(migration.after.rules) == 1


def test_what_is_written_reads_back_and_needs_no_migration(tmp_path: Path) -> None:
    migration = migrate(read(tmp_path, FAST))
    path = tmp_path / "after.cpp"
    path.write_text(write_cpp(migration.after))
    again, summary = load_cpp(path)
    assert (again, summary.skipped) == (migration.after, ())
    assert migrate(again).outcomes == ()
    assert report(migrate(again)) == [
        "package ByHand: no rule places copies by hand",
        "rules                  1",
        "that place copies      0",
        "registrations          4",
        "not read               0",
    ]


def test_modifiers_go_with_their_copy_and_stay_with_an_op(tmp_path: Path) -> None:
    inner = 'WITH_SIZE("A", WITH_TYPE("A", TO_TCM(Op("Turned", "A"))))'
    plain = 'WITH_SIZE("B", TO_TCM("B"))'
    migration = migrated(tmp_path, rule('Op("X", "A", "B")', f'Op("Y", {inner}, {plain})'))
    (rule_,) = migration.after.rules
    kept = 'Op("Y", WITH_SIZE("A", WITH_TYPE("A", Op("Turned", "A"))), "B")'
    assert str(rule_.replacement) == kept
    turned = next(p.properties for p in migration.proposals if p.properties.op == "Turned")
    assert turned == tensor_properties(Op("Turned", "in0"), Flat("*", "in0"), MainMemory("..."))


def test_a_declaration_that_is_there_is_completed(tmp_path: Path) -> None:
    declared = 'DEF_TENSOR_PROPERTIES(Op("X", "a", "b"), Outputs("o", "more"), Crouton("b"))'
    migration = migrated(tmp_path, declared, rule('Op("X", "A", "B")', 'Op("X", TO_TCM("A"), "B")'))
    assert migration.after.properties == (
        tensor_properties(
            Op("X", "a", "b"), Outputs("o", "more"), Flat("a"), Crouton("b"), Tcm("a")
        ),
    )
    assert migration.after.rules.rules == ()


KEPT = {
    "condition": (
        [rule('Op("X", "A")', 'Op("X", TO_TCM("A"))', 'IS_QUINT8("A")')],
        "it places Pkg.X only under a condition, and tensor properties have none",
    ),
    "context": (
        [rule('Op("X", Op("Y", "A"))', 'Op("X", TO_TCM(Op("Y", "A")))')],
        "it places Pkg.X only under a condition, and tensor properties have none",
    ),
    "graph option": (
        [
            "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, relaxed_precision_flag, "
            'Op("X", "A"), OK, Op("X", TO_TCM("A")))'
        ],
        "it places Pkg.X only under a condition, and tensor properties have none",
    ),
    "foreign op": (
        [rule('Op("X", "A")', 'Op("q::Relu", TO_TCM("A"))')],
        "htp.Relu belongs to another package, which says where its tensors are",
    ),
    "no op": (
        [rule('Op("X", "A")', 'TO_TCM("A")')],
        "its copies stand around no op that it builds",
    ),
    "matched copies": (
        [rule('Op("X", TO_TCM("A"))', 'Op("Y", "A")')],
        "it matches copies, which no rule places any more when it runs",
    ),
    "impossible chain": (
        [rule('Op("X", "A")', 'Op("X", CROUTON_TCM(AS_FLAT("A")))')],
        "crouton_to_vtcm takes crouton in ddr, it gets flat",
    ),
    "choice": (
        [rule('Op("X", "A")', 'Op("Y", SELECT(IS_QUINT8("A"), TO_TCM("A"), "A"))')],
        "copies stand inside SELECT()",
    ),
}


@pytest.mark.parametrize(("lines", "why"), KEPT.values(), ids=KEPT.keys())
def test_what_properties_cannot_say_stays(lines: list[str], why: str, tmp_path: Path) -> None:
    migration = migrated(tmp_path, *lines)
    assert whys(migration) == [why]
    assert migration.after == migration.before


CONFLICTS = {
    "two rules": (
        [
            rule('Op("X", "A")', 'Op("X", TO_TCM("A"))'),
            rule('Op("Z", "A")', 'Op("X", CROUTON_TCM("A"))'),
        ],
        "Pkg.X, operand 0",
        "is placed differently: flat in tcm by X",
    ),
    "a rule that leaves it": (
        [rule('Op("Z", "A")', 'Op("X", TO_TCM("A"))'), rule('Op("W", "A")', 'Op("X", "A")')],
        "Pkg.X, operand 0",
        "is placed by Z",
    ),
    "declared otherwise": (
        [
            'DEF_TENSOR_PROPERTIES(Op("X", "a"), Crouton("a"))',
            rule('Op("X", "A")', 'Op("X", TO_TCM("A"))'),
        ],
        "Pkg.X, operand 0",
        "is flat in tcm by a rule, crouton by its tensor properties",
    ),
    "outputs": (
        [
            rule('Op("Y", "A")', 'FROM_TCM(Op("X", "A"))'),
            rule('Op("Z", "A")', 'AS_FLAT(Op("q::crouton_from_vtcm", Op("X", "A")))'),
        ],
        "Pkg.X, its output",
        "is placed differently: flat in tcm by Y",
    ),
}


@pytest.mark.parametrize(("lines", "what", "problem"), CONFLICTS.values(), ids=CONFLICTS.keys())
def test_contradictions_are_told(lines: list[str], what: str, problem: str, tmp_path: Path) -> None:
    migration = migrated(tmp_path, *lines)
    (fault,) = migration.conflicts
    assert fault.where == what
    assert fault.problem.startswith(problem)
    assert (migration.after, migration.proposals) == (migration.before, ())
    assert "contradictions:" in report(migration)


def test_rules_that_place_other_ops_too_do_not_contradict(tmp_path: Path) -> None:
    both = 'Op("X", TO_TCM(Op("Y", CROUTON_TCM("A"))))'
    migration = migrated(
        tmp_path, rule('Op("V", "A")', 'Op("X", TO_TCM("A"))'), rule('Op("W", "A")', both)
    )
    assert migration.conflicts == ()
    assert {proposal.properties.op for proposal in migration.proposals} == {"X", "Y"}


def test_the_report_says_what_to_write_and_why(tmp_path: Path) -> None:
    lines = "\n".join(report(migrate(read(tmp_path, FAST)))).replace(f"{tmp_path}/", "")
    assert "    in_0: crouton in tcm (crouton_to_vtcm(ForceFormat_Crouton(...)), " in lines
    assert "    *: flat (no rule moves it, and its memory is left to the compiler)\n" in lines
    assert "    in_2: flat in ddr (no rule moves it, so it keeps the default placement)\n" in lines
    assert "    2 of 2 registrations of Mixed take its tensors so placed\n" in lines
    assert "    1 of 2 registrations of Twice.fast take its tensors so placed\n" in lines
    assert "    not: twice<Tensor>\n" in lines
    assert "    dropped: without its copies it builds what it matches\n" in lines
    python = "\n".join(report(migrate(read(tmp_path, FAST)), in_python=True))
    assert 'tensor_properties(Op("Twice.fast", "in"), Crouton("*", "in"), Tcm("*", "in"))' in python
    assert "DEF_" not in python


KERNEL = 'GraphStatus f({} &out, const {} &in);\nDEF_PACKAGE_OP(f, "X")'


@pytest.mark.parametrize(
    ("out", "taken", "served"),
    [
        ("PlainFloatTensor", "PlainFloatTensor_TCM", True),
        ("Tensor", "Tensor", True),
        ("PlainFloatTensor", "FloatCroutonTensor_TCM", False),
        ("PlainFloatTensor_TCM", "PlainFloatTensor_TCM", True),
        ("FloatCroutonTensor", "PlainFloatTensor_TCM", False),
    ],
)
def test_a_lack_of_kernels_is_told(out: str, taken: str, served: bool, tmp_path: Path) -> None:
    placing = rule('Op("X", "A")', 'Op("X", TO_TCM("A"))')
    migration = migrated(tmp_path, KERNEL.format(out, taken), placing)
    assert [proposal.served for proposal in migration.proposals] == [served]
    told = "    no kernel of X takes its tensors so placed: register one"
    assert (told in report(migration)) is not served


def test_registrations_are_counted(tmp_path: Path) -> None:
    lines = [
        "template <typename T> GraphStatus f(T &out, const T &in);",
        *(f'DEF_PACKAGE_OP(f<{name}>, "X")' for name in ("PlainFloatTensor_TCM", "Tensor")),
        'DEF_PACKAGE_OP(f<FloatCroutonTensor_TCM>, "X")',
        'DEF_PACKAGE_OP(g, "X")',
    ]
    migration = migrated(tmp_path, *lines, rule('Op("X", "A")', 'Op("X", TO_TCM("A"))'))
    (proposal,) = migration.proposals
    assert proposal.fitting == ("f<PlainFloatTensor_TCM>", "f<Tensor>")
    assert (proposal.idle, proposal.unknown) == (("f<FloatCroutonTensor_TCM>",), ("g",))
    told = report(migration)
    assert "registrations          4" in told
    assert "    2 of 4 registrations of X take its tensors so placed" in told
    assert "    not: f<FloatCroutonTensor_TCM>" in told
    assert "    not known, the source does not hold the function: g" in told


def test_what_was_not_read_is_named_in_the_report_and_in_the_output(tmp_path: Path) -> None:
    path = tmp_path / "half.cpp"
    lost = rule('Op("X", "A")', 'Op("X", TO_TCM("A"))', 'IS_ODD("A")')
    path.write_text(COPIES + rule('Op("Y", "A")', 'Op("Y", TO_TCM("A"))') + lost)
    migration = migrate(load_cpp(path)[0])
    place = f"{path}:8: no function IS_ODD in the rule language; "
    (told,) = (line for line in report(migration) if "IS_ODD" in line)
    assert told.startswith(f"  {place}")
    assert "not read               1" in report(migration)
    assert f"// Not read, and lacking here: {place}" in write_cpp(migration.after)


def test_a_comment_takes_in_no_line_after_it() -> None:
    lost = Fault("a.cpp:1", "is odd", "write \\")
    assert "odd; write\n\n#define" in write_cpp(CppPackage("Pkg", passed_over=(lost,)))


def test_nothing_to_do() -> None:
    empty = CppPackage("Pkg")
    assert migrate(empty) == Migration(empty, empty, (), (), ())


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ('Op("Kept", CROUTON_TCM("Y"))', "is placed differently: flat in tcm by Pair"),
        ('Op("Kept", "Y")', "and not by Pair"),
    ],
)
def test_one_rule_may_contradict_itself(second: str, problem: str, tmp_path: Path) -> None:
    both = f'Op("Both", Op("Kept", TO_TCM("X")), {second})'
    lines = ['DEF_PACKAGE_OP(f, "Kept")', rule('Op("Pair", "X", "Y")', both)]
    migration = migrated(tmp_path, *lines)
    assert migration.proposals == ()
    (conflict,) = migration.conflicts
    assert problem in conflict.problem
    assert whys(migration) == ["what is said of Pkg.Kept is contradictory"]
