"""Packages in the manner of real ones: they load, lower, run, lint clean, check and read back."""

from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.lowering.rules.lint import lint_each
from htp_mlir.lowering.rules.soundness import Report, check_rule
from htp_mlir.runtime import Session

FOLDER = Path(__file__).with_name("real")
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/package.cpp"))
CASES = 5
SHARE = 0.9
"""The least share of rules that is to be checked, over all packages."""


def levels(name: str) -> list[str]:
    """The levels at which a package runs: one without kernels for main memory has to be placed."""
    return [*["native"] * (name != "by_hand"), "placed", "allocated"]


@cache
def member(name: str) -> dict[str, Any]:
    """The names of a folder's `package.py`."""
    return run_path(str(FOLDER / name / "package.py"))


@cache
def packages(name: str) -> Packages:
    return Packages().extended(member(name)["PACKAGE"])


@cache
def reports(name: str) -> list[Report]:
    loaded = packages(name)
    rules, library = loaded.rules, loaded.library
    own = loaded.members[-1].rules
    return [check_rule(rule, cases=CASES, rule_set=rules, library=library) for rule in own]


@pytest.mark.parametrize("name", NAMES)
def test_it_loads_whole(name: str) -> None:
    summary = member(name)["SUMMARY"]
    assert (summary.skipped, summary.needed) == ((), ())
    assert len(packages(name).members[-1].rules) >= 3
    assert packages(name).unknown_ops(packages(name).members[-1]) == []


@pytest.mark.one_per("name")
@pytest.mark.parametrize(("name", "level"), [(n, level) for n in NAMES for level in levels(n)])
def test_it_lowers_and_runs(name: str, level: str) -> None:
    loaded = packages(name)
    module = load_module(FOLDER / name / "model.mlir", packages=loaded)
    feed = inputs(module, loaded)
    lowered = lower(module, packages=loaded, level=level)
    ops = {op.name for op in lowered.walk()}
    assert any(op.startswith(f"{loaded.members[-1].name}.") for op in ops)
    result = Session(lowered, check=True, library=loaded.library).run({"x": feed})["y"]
    assert result is not None
    np.testing.assert_allclose(result, member(name)["expected"](feed), rtol=1e-5, atol=1e-5)


def inputs(module: Any, loaded: Packages) -> Any:
    """Drawn numbers for the one input of a model."""
    (spec,) = Session(module, library=loaded.library).inputs.values()
    random = np.random.default_rng(0)
    if spec.quant is not None:
        return random.integers(0, 256, spec.shape).astype(np.uint8)
    return random.standard_normal(spec.shape).astype(np.float32)


@pytest.mark.one_per
@pytest.mark.parametrize("name", NAMES)
def test_no_rule_is_called_wrong(name: str) -> None:
    assert [str(r) for r in reports(name) if r.counterexample is not None] == []


@pytest.mark.slow
def test_nine_rules_in_ten_are_checked() -> None:
    rows = [(name, sum(r.passed for r in reports(name)), len(reports(name))) for name in NAMES]
    checked, rules = (sum(row[at] for row in rows) for at in (1, 2))
    for name, passed, count in (*rows, ("all", checked, rules)):
        print(f"{name:<16}{passed:>4} of {count}")
    left = [str(r) for name in NAMES for r in reports(name) if r.passed_over]
    assert checked >= SHARE * rules, left


@pytest.mark.one_per
@pytest.mark.parametrize("name", NAMES)
def test_lint_finds_nothing(name: str) -> None:
    loaded = packages(name)
    linted = list(lint_each(loaded.rules, loaded.members[-1].rules.rules))
    assert [str(finding) for each in linted for finding in each.findings] == []
    assert [why for each in linted for why in each.passed_over] == []


@pytest.mark.parametrize("name", NAMES)
def test_it_is_written_back_equal(name: str, tmp_path: Path) -> None:
    read = member(name)["READ"]
    path = tmp_path / "again.cpp"
    path.write_text(write_cpp(read))
    again, summary = load_cpp(path, name=read.name)
    assert summary.skipped == ()
    assert again == read
