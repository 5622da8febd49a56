"""What ran from main memory runs in TCM, with the graph's numbers: between ops that are there."""

from functools import cache

import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same

from .main_memory import DTYPES, between, typed

COMPARING = ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual")
MOVED = (
    *(f"ElementWise{name}" for name in (*COMPARING, "And", "Or", "Xor", "Not", "Mod", "Select")),
    *("Gather", "ScatterNd", "TopK", "NonMaxSuppression", "DecodeWeights", "MaskedSoftmax"),
    *("TransposeConv2d", "PoolMax2d", "LayerNorm", "RmsNorm", "Batchnorm", "FullyConnected"),
    *("Lstm", "Gru", "SoftmaxCrossEntropy", "Buffer"),
)
STEP = 4e-5
"""A step of u16, relative to the scale of the results."""


@cache
def graph(name: str, dtype: str) -> tuple[ModuleOp, dict[str, Array], dict[str, Array | None]]:
    """A module of the op between others, with feeds and the results."""
    module = typed(between(GRAPH_OPS[name]), dtype)
    feeds = random_inputs(Session(module).inputs, 0)
    for array in feeds.values():
        if array.dtype.kind == "i":
            array %= 3
    return module, feeds, Session(module).run(feeds)


@pytest.mark.one_per("name")
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MOVED)
def test_same_as_the_graph(name: str, dtype: str, level: str) -> None:
    module, feeds, wanted = graph(name, dtype)
    lowered = lower(module, level=level)
    assert_same(Session(lowered, check=True).run(feeds), wanted, tolerance=STEP)
