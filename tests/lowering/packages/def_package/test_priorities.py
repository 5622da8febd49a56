"""Priorities are read as sums of names and numbers, and written as their author did."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.lowering.rules import CLEANUP_GRAPH, GRAPH_CLEANUP

from .kit import complaints, load, reasons

RULE = 'DEF_PACKAGE_OPTIMIZATION({}, Op("X", "A"), OK, "A")'
WRITTEN = {
    "CLEANUP_GRAPH + 2": "CLEANUP_GRAPH + 2",
    "GRAPH_CLEANUP+2": "GRAPH_CLEANUP + 2",
    "CLEANUP + 2": "CLEANUP + 2",
    "HARD_OPS": "HARD_OPS",
    "HARD_OPS + 50": "HARD_OPS + 50",
    "LATE+900": "LATE + 900",
    "(LATE - 1)": "LATE - 1",
    "LATE - (1 + 1)": "LATE - 2",
    "OURS + 1": "TILING + 4",
    "2 + kPass": "MIDDLE + 7",
    "2001": "2001",
}


def test_a_priority_is_written_back_as_it_was(tmp_path: Path) -> None:
    constants = "#define OURS (TILING + 3)\nconstexpr int kPass = MIDDLE + 5;"
    text = "\n".join([constants, *map(RULE.format, WRITTEN)])
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    written = write_cpp(package)
    assert [line for line in written.splitlines() if line.endswith(",") and "Op" not in line] == [
        f"    {priority}," for priority in WRITTEN.values() for priority in (priority, "OK")
    ]
    (tmp_path / "again.cpp").write_text(written)
    again, _ = load_cpp(tmp_path / "again.cpp")
    assert list(map(str, again.rules)) == list(map(str, package.rules))


def test_two_names_of_one_number_are_one_group_here(tmp_path: Path) -> None:
    text = "\n".join(map(RULE.format, ("CLEANUP_GRAPH + 2", "GRAPH_CLEANUP + 2")))
    package, _ = load(tmp_path, text)
    assert package.rules.groups.keys() == {CLEANUP_GRAPH + 2} == {GRAPH_CLEANUP + 2}


@pytest.mark.needs("g++")
def test_a_compiler_knows_every_name(tmp_path: Path) -> None:
    path = tmp_path / "written.cpp"
    path.write_text(write_cpp(load(tmp_path, "\n".join(map(RULE.format, list(WRITTEN)[:7])))[0]))
    assert complaints(tmp_path, path) == ""


@pytest.mark.parametrize(
    ("priority", "why"),
    [
        ("kRound", "'kRound+1' is no priority"),
        ("LATE + + ", "'LATE++' is no priority"),
        ("LATE 2", "'LATE 2' is no priority"),
        ("()", "'' is no priority"),
        ("kNone", "priority 'kNone' is not known"),
    ],
)
def test_what_is_no_sum_is_refused(priority: str, why: str, tmp_path: Path) -> None:
    text = f"constexpr int kRound = kRound + 1; {RULE.format(priority)}"
    package, summary = load(tmp_path, text)
    assert len(package.rules) == 0
    assert reasons(summary) == [f"package.cpp:1: {why}"]
