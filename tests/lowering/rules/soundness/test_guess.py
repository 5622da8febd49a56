"""Guessed schemas: any number of operands and results, with any of them params or shapes."""

from random import Random

import pytest
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.constraints import ANY, ParamConstraint, ShapeConstraint
from htp_mlir.lowering.packages.def_package.declared import DeclaredOperand, OpDeclaration
from htp_mlir.lowering.packages.ops.declared_op import op_class
from htp_mlir.lowering.rules import EARLY, OK, Op, OpVarIn, rule
from htp_mlir.lowering.rules.definition.rule import RuleSet
from htp_mlir.lowering.rules.soundness.report import Report
from htp_mlir.lowering.rules.soundness.search import Searcher, SearchResult

PARTS = [
    ANY,
    ParamConstraint(),
    ParamConstraint(usual=2),
    ParamConstraint(usual=0.1),
    ParamConstraint(usual=True),
    ParamConstraint(usual="linear"),
    ParamConstraint(usual=(0, 1)),
    ParamConstraint(count=5, least=0, most=9),
    ShapeConstraint(),
    ShapeConstraint(plane=True),
]


def drawn_op(random: Random) -> type[NativeOp]:
    """An op of drawn operands, of which nobody says what it gives."""
    operands = {
        f"in{at}": DeclaredOperand(random.choice([ANY, *PARTS]), optional=random.random() < 0.2)
        for at in range(random.randrange(6))
    }
    if random.random() < 0.3:
        operands["rest..."] = DeclaredOperand(ANY, optional=random.random() < 0.5, many=True)
    return op_class("Own", OpDeclaration("Any", operands, count=random.randrange(1, 4)))


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(20))
def test_no_guess_fails(seed: int) -> None:
    random = Random(seed)
    op = drawn_op(random)
    count = random.randrange(op.least_operands(), len(op.OPERANDS) + 1)
    tags = [f"T{at}" for at in range(count)]
    for form in (Op("Own::Any", *tags), OpVarIn("Own::Any", *tags[:1])):
        drawn = rule(EARLY, form, OK, Op("Own::Any", *tags[:1]))
        searcher, result = Searcher(drawn, RuleSet((drawn,), {op.name: op})), SearchResult()
        searcher.search(random, 20, 20, result)
        assert len(result.cases) + result.refused.total() == result.attempts


def test_a_wrong_guess_for_each_of_two_ops_of_a_kind_is_said_once() -> None:
    twice = rule(EARLY, Op("Own::Any", Op("Own::Any", "X")), OK, Op("Own::Any", "X"))
    report = Report(twice, 5, 9, wrong_guesses=(("Own.Any as sum", "Own.Any as sum"),))
    assert str(report).endswith(": 5 cases of 9 graphs, sound unless Own.Any as sum")
