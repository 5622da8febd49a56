"""Every rule of the project keeps the numbers on graphs made for it.

Most are made for the match of a rule. Where chance makes too few of them, graphs that spell out
what the rule finds are drawn anew, with other extents, data and constants.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.rules import Rule, run_rules
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.lowering.patterns.raised import RAISED
from tests.lowering.patterns.redrawn import redrawn
from tests.support.feeds import assert_same, feeds

from ..alike import kind

CASES = [20, pytest.param(50, marks=pytest.mark.exhaustive)]
"""The graphs for each rule, in `make test` and in `make test-all`."""
RULES = Packages().rules
UNDRAWN = {
    "adam": "betas, and the shares that they leave, are seldom drawn",
    "attention": "two products and a Softmax whose heads agree are seldom drawn",
    "bias of a product": "rank 1",
    "dims of": "a Reshape of scores between a product and a Softmax whose heads agree",
    "first gru cell": "gates that are the parts of one product",
    "first lstm cell": "gates that are the parts of one sum",
    "gelu of tanh": "a polynomial with coefficients of its own",
    "grouped heads": "rank 5",
    "gru cell": "gates that are the parts of one product",
    "lstm cell": "gates that are the parts of one sum",
    "mask of windows": "rank 5",
    "nothing added": "scores to which a constant of zeros is added",
    "sum of masks": "two constants that are masks, added to scores one after the other",
    "window": "a mask, or three constants, that form a window",
    "product and bias": "rank 2",
    "product with stored weights": "rank 2",
    "product with coded weights": "rank 2",
    "convolution with stored weights": "weights of an encoding",
    "rotary embedding": "halves of one tensor, which join again",
    "stored weights": "rank 2",
    "turned around a Reshape": "other ranks than 4",
    "dims behind": "a Reshape that gives a reduction's dims back, or takes them out",
    "paged attention": "pages that are gathered by a table",
    "product with gathered matrices": "matrices that are gathered by a table",
    "routed experts": "three products with matrices that a TopK chose",
    "softmax cross entropy": "places that are counted within rows",
    "softmax with whole numbers": "a mask that is whole numbers by the ops that it comes from",
}
"""Rules that chance makes no 50 graphs for, by the beginning of their names, and why."""

UNDRAWN_NATIVE = {
    "tile Cast": "fires by a plan alone, since it may run from DDR; examples have one",
    "tile Quantize": "as tile Cast",
    "tile Dequantize": "as tile Cast",
    "tile Reduce": "as tile Cast",
    "tile Gather": "as tile Cast",
    "tile Arg": "as tile Cast",
    "block": "a Concat that stands for blocks that were made anew",
    "tile Conv2d along its sum": "one group of many channels; examples have one",
    "part of a": "a Transpose or a view larger than its share of the TCM, read in parts",
    "layer of a part": "a layer larger than its share of the TCM, read in parts; examples have two",
    "weights larger": "recurrent weights larger than the TCM",
}
"""Native rules that chance makes no graphs for, and why; graphs in `tests/lowering/patterns` do."""

SCARCE = {
    "groups apart": 0.3,
    "tile Conv2d along D": 0.4,
    "shuffled depth": 0.3,
    "part of the depth": 0.2,
    "slice of the depth": 0.3,
}
"""Rules that ask much of a graph, and the share of the graphs that chance draws for them."""


def is_drawn(rule: Rule) -> bool:
    """Say whether chance draws graphs for a rule."""
    return not rule.name.startswith(tuple(UNDRAWN if rule.in_graph else UNDRAWN_NATIVE))


def table(rule: Rule) -> str:
    """The name of the module that a rule is written in."""
    return Path(rule.where).name.partition(".")[0]


@pytest.mark.sampled("kind")
@pytest.mark.one_per
@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(
    ("table", "kind", "rule"),
    [
        pytest.param(table(rule), kind(rule), rule, id=rule.label)
        for rule in RULES.rules
        if is_drawn(rule)
    ],
)
def test_rule_is_sound(table: str, kind: str, rule: Rule, cases: int) -> None:
    report = check_rule(rule, cases=cases, rule_set=RULES)
    assert report.passed, str(report)
    assert report.cases >= cases * SCARCE.get(rule.name, 1), str(report)


@cache
def spelt(name: str) -> ModuleOp:
    """A graph that spells something out."""
    return RAISED[name]()


@cache
def ops(name: str) -> frozenset[str]:
    """The names of a graph's ops."""
    return frozenset(op.name for op in spelt(name).walk())


def fires(rule: Rule, module: ModuleOp) -> bool:
    """Rewrite a graph by the rule alone; false where it stays as it is."""
    return run_rules(module, RULES.alone(rule)).firings > 0


def drawn_anew(rule: Rule) -> Iterator[tuple[ModuleOp, ModuleOp]]:
    """Graphs that spell out what a rule finds, drawn anew, before and after the rule."""
    random = Random(rule.name)
    fitting = [name for name in RAISED if rule.needs <= ops(name)]
    names = [name for name in fitting if fires(rule, spelt(name).clone())]
    while names:
        before = spelt(random.choice(names))
        for _ in range(random.randrange(5)):
            before = redrawn(before, random) or before
        after = before.clone()
        if fires(rule, after):
            yield before, after


@pytest.mark.one_per
@pytest.mark.parametrize("cases", [5, pytest.param(30, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    "rule",
    [pytest.param(r, id=r.label) for r in RULES.rules if r.in_graph and not is_drawn(r)],
)
def test_rule_is_sound_on_spellings_drawn_anew(rule: Rule, cases: int) -> None:
    shapes = set[str]()
    graphs = islice(drawn_anew(rule), 4 * cases)
    for seed, (before, after) in enumerate(graphs):
        session = Session(before)
        inputs = feeds(session, seed)
        expected = {name: np.asarray(out) for name, out in session.run(inputs).items()}
        # Parts give NaN for a query without keys, an Attention 0.
        if not any(np.isnan(out).any() for out in expected.values()):
            assert_same(Session(after).run(inputs), expected)
            shapes.add(str([array.shape for array in inputs.values()]))
            cases -= 1
        if not cases:
            break
    assert not cases, "too few graphs"
    assert len(shapes) > 1, "all graphs have the same dims"
