"""Hooks of pytest: which cases each tier runs, and cases that are the same in each process."""

import re
from collections.abc import Iterable

import pytest

SLOW_FILES = (
    "explain_op.mlir",
    "explain_op_text.mlir",
    "explain_tiles.mlir",
    "native_names.mlir",
    "op_names.mlir",
    "raising_optimisers.mlir",
)
"""The `.mlir` tests that `make quick` leaves out: a file has no mark of its own."""
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}")

QUICK = "not slow"
"""The expression of marks that chooses the quick tier."""

Groups = dict[str, dict[str, list[pytest.Function]]]
"""The cases of each test with a mark, by the values of the parameters that it names."""
LEFT_OUT = {"sampled": "exhaustive", "one_per": "slow"}
"""The marks that keep one case for each value, and the mark that the others get."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Refuse cases that come from a set: each process has its own order of them."""
    for mark in metafunc.definition.iter_markers("parametrize"):
        names, values = [*mark.args, *mark.kwargs.values()][:2]
        if isinstance(values, (set, frozenset)):
            test = metafunc.definition.nodeid
            raise pytest.UsageError(f"{test}: the cases of {names!r} come from a set\n  sort them")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse ids with an object's address, and mark what a tier leaves out."""
    for item in items:
        if item.path.name in SLOW_FILES:
            item.add_marker("slow")
        if _ADDRESS.search(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid}: the address changes\n  give the cases ids")
    for name, left_out in LEFT_OUT.items():
        for cases_by_value in _groups(items, name).values():
            for index, cases in enumerate(cases_by_value.values()):
                _keep_one(cases, index, left_out)
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.add_marker("slow")


def _groups(items: Iterable[pytest.Item], name: str) -> Groups:
    """The cases of the tests with a mark, but for those that are left out already."""
    groups: Groups = {}
    for item in items:
        mark = item.get_closest_marker(name)
        left = item.get_closest_marker("exhaustive")
        if mark is not None and left is None and isinstance(item, pytest.Function):
            test, params = item.nodeid.partition("[")[0], item.callspec.params
            value = str([params[name] for name in mark.args])
            groups.setdefault(test, {}).setdefault(value, []).append(item)
    return groups


def _keep_one(cases: list[pytest.Function], index: int, left_out: str) -> None:
    """Mark all cases but one; the steps spread those kept over the other parameters."""
    kept = (7 * index + index // len(cases)) % len(cases)
    for item in cases[:kept] + cases[kept + 1 :]:
        item.add_marker(left_out)
