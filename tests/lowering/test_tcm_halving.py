"""TCM halved until not even a chunk fits: right numbers, and ops that leave for main memory."""

from functools import cache, partial, reduce

import numpy as np
import pytest
from htp_mlir.dialects.attributes import DEFAULT_PLACEMENT
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT, in_tcm
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same
from tests.support.graph import Graph
from tests.support.paths import SPOTTER_MODEL

LARGEST = 8 << 20
STEPS = 4


def keyword_spotter() -> ModuleOp:
    return load_module(SPOTTER_MODEL)


def convolutions() -> ModuleOp:
    """Two convolutions, a branch around them, and a dense layer over what is left."""
    graph = Graph()
    x = graph.input(1, 16, 16, 8)
    first = graph.op("Conv2d", x, graph.weights(3, 3, 8, 32), pad_amount=(1, 1, 1, 1))
    inner = graph.op("Relu", first)
    second = graph.op("Conv2d", inner, graph.weights(3, 3, 32, 32), pad_amount=(1, 1, 1, 1))
    joined = graph.op("ElementWiseAdd", second, graph.op("Tanh", inner))
    pooled = graph.op("ReduceMean", joined, axes=(1, 2))
    graph.give("y", graph.op("FullyConnected", pooled, graph.weights(10, 32), graph.weights(10)))
    return graph.model().module


def crossing() -> ModuleOp:
    """Branches that are all read twice, by their sum and beside it: they cannot all stay."""
    graph = Graph()
    x = graph.input(8, 64)
    kinds = ("ElementWiseExp", "ElementWiseSin", "ElementWiseCos", "Tanh", "Sigmoid", "Relu")
    branches = [graph.op(kind, x) for kind in kinds]
    add = partial(graph.op, "ElementWiseAdd")
    total = reduce(add, branches)
    products = [graph.op("ElementWiseMultiply", branch, total) for branch in branches]
    graph.give("y", reduce(add, products))
    return graph.model().module


MODELS = {"keyword spotter": keyword_spotter, "convolutions": convolutions, "crossing": crossing}
BY_MODEL = pytest.mark.parametrize(
    "name",
    [pytest.param("keyword spotter", marks=pytest.mark.exhaustive), "convolutions", "crossing"],
)


@cache
def model(name: str) -> ModuleOp:
    return MODELS[name]()


def run(module: ModuleOp, check: bool) -> list[dict[str, Array | None]]:
    session = Session(module, check=check)
    return [session.run(drawn(session, seed)) for seed in range(STEPS)]


def drawn(session: Session, seed: int) -> dict[str, Array]:
    generator = np.random.default_rng(seed)
    return {
        name: generator.standard_normal(spec.shape).astype(spec.dtype.storage)
        if spec.dtype.is_float
        else np.full(spec.shape, seed == 2)
        for name, spec in session.inputs.items()
    }


@cache
def expected(name: str) -> list[dict[str, Array | None]]:
    return run(model(name), check=False)


@cache
def halved(name: str) -> dict[int, ModuleOp]:
    """The lowered modules by the bytes of TCM, from the largest to less than one chunk.

    At that size all ops run from main memory, which has to be allowed.
    """
    sizes = (LARGEST >> halvings for halvings in range(14))
    lowered = partial(lower, model(name))
    return {size: lowered(tcm_bytes=size, allow_reference=size < TCM_ALIGNMENT) for size in sizes}


def at_home(module: ModuleOp) -> int:
    return sum(DEFAULT_PLACEMENT in op.attributes for op in module.walk())


@pytest.mark.slow
@BY_MODEL
def test_every_size_gives_the_right_numbers(name: str) -> None:
    texts: set[str] = set()
    for module in halved(name).values():
        text = "".join(map(str, module.body.block.ops))
        if text in texts:
            continue
        texts.add(text)
        for output, wanted in zip(run(module, check=True), expected(name), strict=True):
            assert_same(output, wanted)
    assert len(texts) > 1, "the size of the TCM makes no difference"


@pytest.mark.slow
@BY_MODEL
def test_ops_run_from_main_memory_where_no_tile_fits(name: str) -> None:
    modules = halved(name)
    assert at_home(modules[LARGEST]) == 0
    smallest = modules[min(modules)]
    assert min(modules) < TCM_ALIGNMENT
    assert at_home(smallest) > 0
    assert not any(in_tcm(result) for op in smallest.walk() for result in op.results)


@pytest.mark.slow
def test_tensors_leave_tcm_and_come_back() -> None:
    whole, little = (lower(model("crossing"), tcm_bytes=size) for size in (LARGEST, 1 << 13))
    moves = [
        {op.name for op in module.walk()} & {"htp.Spill", "htp.Fill"} for module in (whole, little)
    ]
    assert moves == [set(), {"htp.Spill", "htp.Fill"}]
