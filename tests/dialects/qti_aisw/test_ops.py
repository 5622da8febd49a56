"""Every graph op: its documented example round-trips, and it has what the dialect promises."""

import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp
from xdsl.irdl import IRDLOperation

from ...support.examples import example_of, module_of
from ...support.roundtrip import assert_round_trips, assert_upstream_accepts, parse, to_text

OPS: dict[str, type[IRDLOperation]] = {"Const": ConstOp, **GRAPH_OPS}


@pytest.mark.parametrize("op", OPS.values(), ids=OPS.keys())
def test_example_round_trips(op: type[IRDLOperation]) -> None:
    module = module_of(example_of(op))
    assert f"{op.name}" in module
    assert_round_trips(module)


@pytest.mark.needs("mlir-opt")
def test_upstream_accepts_every_example() -> None:
    texts = [to_text(parse(module_of(example_of(op))), generic=True) for op in OPS.values()]
    assert_upstream_accepts(texts)
