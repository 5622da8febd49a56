"""What passes through f64 is the same without it; what f64 may be there for stays."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.graph.floats import Narrow
from htp_mlir.runtime import Session
from xdsl.context import Context

from tests.support.graph import BOOL, F16, F32, I32, Element, Graph, Model

F64 = DType.Float64
I64 = DType.Int64


def passing(source: Element, target: Element) -> Model:
    """A Reshape, a choice and a slice between Casts to and from f64."""
    graph = Graph()
    x = graph.input(4, 6, of=source, low=-300, high=300)
    wide = graph.op("Cast", x, to=F64)
    moved = graph.op("Reshape", wide, shape=(6, 4))
    largest = graph.op("ReduceMax", moved, axes=(0,), keep_dims=True)
    chosen = graph.op("ElementWiseMinimum", moved, largest)
    part = graph.op("StridedSlice", chosen, ranges=(0, 6, 2, 1, 4, 1))
    graph.give("y", graph.op("Cast", part, to=target))
    return graph.model()


@pytest.mark.one_per("source")
@pytest.mark.parametrize("source", [F32, F16, I32, DType.UInt8])
@pytest.mark.parametrize("target", [F32, F16, I32, BOOL])
def test_numbers_stay_the_same(source: Element, target: Element) -> None:
    model = passing(source, target)
    feeds = model.feeds(0)
    wanted = Session(model.module).run(feeds)["y"]
    narrowed = model.module.clone()
    Narrow().apply(Context(), narrowed)
    narrowed.verify()
    assert "f64" in str(model.module)
    assert "f64" not in str(narrowed)
    for level in (narrowed, lower(model.module)):
        np.testing.assert_array_equal(Session(level, check=True).run(feeds)["y"], wanted)


def kept(name: str) -> Model:
    graph = Graph()
    x = graph.input(4, 6)
    if name == "integers that f64 rounds":
        x = graph.op("Cast", x, to=I64)
    wide = graph.op("Cast", x, to=F64)
    if name == "arithmetic":
        wide = graph.op("ElementWiseMultiply", wide, wide)
    if name == "a constant of more digits":
        wide = graph.op("ElementWiseMaximum", wide, graph.const(np.full((1, 6), 0.1), of=F64))
    if name == "two types":
        wide = graph.op(
            "Concat", [wide, graph.op("Cast", graph.input(4, 6, of=F16), to=F64)], axis=0
        )
    graph.give("y", wide if name == "a result" else graph.op("Cast", wide, to=F32))
    return graph.model()


@pytest.mark.parametrize(
    "name",
    [
        *("arithmetic", "a constant of more digits", "two types", "a result"),
        "integers that f64 rounds",
    ],
)
def test_what_f64_may_be_there_for_stays(name: str) -> None:
    module = kept(name).module
    before = str(module)
    Narrow().apply(Context(), module)
    assert str(module) == before
    with pytest.raises(HtpError, match="has element type f64, which no tensor on HTP has"):
        lower(module)
