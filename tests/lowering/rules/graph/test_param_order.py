"""Param orders: what a declaration holds and which declarations are refused."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.rules.graph.param_order import Param, ParamOrder, merge, param_order

DEMO = param_order(
    "paramOrderDemoOp",
    Param("MinusVal", default=6.0),
    Param("AxisVal", mandatory=True),
    Param("AddVal", mandatory=True),
    Param("OptionalParam"),
)


def test_documented_example_keeps_its_order_and_its_default() -> None:
    assert [param.name for param in DEMO.params] == [
        "MinusVal",
        "AxisVal",
        "AddVal",
        "OptionalParam",
    ]
    assert [param.mandatory for param in DEMO.params] == [False, True, True, False]
    assert [param.default for param in DEMO.params] == [6.0, None, None, None]


def test_a_param_listed_twice_is_refused() -> None:
    with pytest.raises(HtpError, match="param order of Softmax: lists 'axis' twice"):
        param_order("Softmax", Param("axis"), Param("axis", default=-1))


def test_equal_declarations_of_one_op_are_one() -> None:
    again = param_order(DEMO.op, *DEMO.params)
    assert merge([DEMO, again]) == {DEMO.op: DEMO}


@pytest.mark.parametrize(
    "other",
    [
        param_order(DEMO.op, *reversed(DEMO.params)),
        param_order(DEMO.op, *DEMO.params[:-1]),
        param_order(DEMO.op, Param("MinusVal", default=7.0), *DEMO.params[1:]),
    ],
    ids=["order", "count", "default"],
)
def test_conflicting_declarations_of_one_op_are_refused(other: ParamOrder) -> None:
    with pytest.raises(HtpError, match="param order of paramOrderDemoOp: two declarations differ"):
        merge([DEMO, other])
