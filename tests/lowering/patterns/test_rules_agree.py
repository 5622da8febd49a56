"""Every rule of the project, alone, on a graph that it fires on: the numbers stay the same."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.passes.fold import Fold
from htp_mlir.lowering.rules import GraphOptions, run_rules
from htp_mlir.lowering.rules.definition.rule import Rule
from htp_mlir.lowering.rules.graph.env import RELAXED
from htp_mlir.runtime import Session
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.lowering.rules.alike import kind
from tests.support.feeds import TOLERANCE, assert_same, feeds

from .examples import EXAMPLES as NATIVE
from .raised import RAISED
from .view_examples import ROOMY

EXAMPLES = NATIVE | RAISED
RULES = Packages().rules
TIGHT = GraphOptions(tcm_size=4, relaxed_precision_flag=True)
"""Everything exceeds it, so that every tiling rule goes on to the smallest chunk."""
TWO_HALVES = 2.0**-10
"""Two roundings to f16: what a rule of relaxed precision may spare."""


@cache
def example(name: str) -> tuple[ModuleOp, dict[str, Array], dict[str, Array]]:
    """An example's module, its inputs and its outputs."""
    module = EXAMPLES[name]()
    session = Session(module)
    inputs = feeds(session)
    return module, inputs, {key: np.asarray(out) for key, out in session.run(inputs).items()}


@cache
def roots(name: str) -> frozenset[str]:
    """The names of an example's ops."""
    return frozenset(op.name for op in example(name)[0].walk())


def fired(rule: Rule) -> Iterator[tuple[str, ModuleOp]]:
    """The examples that the rule fires on when it is alone, and what it makes of them."""
    for name in EXAMPLES:
        module = rewritten(rule, name) if rule.root in roots(name) else None
        if module is not None:
            yield name, module


@cache
def rewritten(rule: Rule, name: str) -> ModuleOp | None:
    """The example after the rule alone, or None where it does not fire."""
    module = example(name)[0].clone()
    alone = RULES.alone(rule)
    options = GraphOptions() if name in RAISED or name in ROOMY else TIGHT
    return module if run_rules(module, alone, options).firings else None


def assert_kept(name: str, module: ModuleOp, relaxed: bool = False) -> None:
    """Compare a rewritten example with the original."""
    module.verify()
    check_dominance(module)
    _, inputs, expected = example(name)
    tolerance = TWO_HALVES if relaxed else TOLERANCE
    assert_same(Session(module).run(inputs), expected, tolerance)


def _quick_or_slow(rule: Rule) -> object:
    """Rules of optimisers have thousands of orders to match; `tests/raising` raises a model."""
    marks = [pytest.mark.slow] if "optimisers" in rule.where else []
    return pytest.param(rule.where, kind(rule), rule, marks=marks, id=rule.label)


BY_KIND = pytest.mark.parametrize(("where", "kind", "rule"), [*map(_quick_or_slow, RULES.rules)])


@pytest.mark.sampled("kind")
@pytest.mark.one_per("where")
@BY_KIND
def test_rule_fires_and_keeps_the_numbers(where: str, kind: str, rule: Rule) -> None:
    first = next(fired(rule), None)
    assert first, "no example lets this rule fire"
    assert_kept(*first, relaxed=RELAXED in rule.flags)


@pytest.mark.slow
@pytest.mark.sampled("kind")
@BY_KIND
def test_rule_keeps_the_numbers_wherever_it_fires(where: str, kind: str, rule: Rule) -> None:
    for name, module in islice(fired(rule), 1, None):
        assert_kept(name, module, relaxed=RELAXED in rule.flags)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_all_rules_together_keep_the_numbers(name: str) -> None:
    original, inputs, expected = example(name)
    module = original.clone()
    run_rules(module, RULES, GraphOptions(tcm_size=1 << 18))
    Fold().apply(Context(), module)
    module.verify()
    assert_same(Session(module).run(inputs), expected)
