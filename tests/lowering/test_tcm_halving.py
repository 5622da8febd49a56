"""TCM halved until an op does not fit: right numbers before, two exact lines after."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial, reduce

import numpy as np
import pytest
from htp_mlir.dialects.dense import Array
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same
from tests.support.graph import Graph
from tests.support.paths import SPOTTER_MODEL

LARGEST = 8 << 20
STEPS = 4

_FAULT = re.compile(
    r"(?:%\S+ = )?(?P<op>\S+)(?: '[^']+')?: needs (?P<needs>\d+) bytes of TCM, "
    r"there are (?P<has>\d+): (?P<tensors>.+)\n"
    r"  give tcm-bytes=(?P<given>\d+) at least, .+\n    .+\n    \^+"
)


@dataclass(frozen=True)
class Misfit:
    """What an error says: the op, what it needs, what there is, the bytes of its tensors."""

    op: str
    needs: int
    has: int
    tensors: tuple[int, ...]


def misfit(error: HtpError) -> Misfit:
    """Read an error with its excerpt; the bytes that it advises are those that it names."""
    match = _FAULT.fullmatch(str(error))
    assert match is not None, str(error)
    assert match["given"] == match["needs"]
    sizes = re.findall(r"'[^']+' (\d+)", match["tensors"])
    return Misfit(match["op"], int(match["needs"]), int(match["has"]), tuple(map(int, sizes)))


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
def halved(name: str) -> tuple[list[ModuleOp], HtpError]:
    """The lowered modules from the largest TCM to the smallest that does, and the error below."""
    fitting: list[ModuleOp] = []
    size = LARGEST
    while size:
        try:
            fitting.append(lower(model(name), tcm_bytes=size))
        except HtpError as error:
            return fitting, error
        size //= 2
    raise AssertionError(f"{name} fits into no TCM at all")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_every_size_that_fits_gives_the_right_numbers(name: str) -> None:
    fitting, _ = halved(name)
    assert len(fitting) > 3
    texts: set[str] = set()
    for module in fitting:
        text = "".join(map(str, module.body.block.ops))
        if text in texts:
            continue
        texts.add(text)
        for found, wanted in zip(run(module, check=True), expected(name), strict=True):
            assert_same(found, wanted)
    assert len(texts) > 1, "the size of the TCM makes no difference"


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_error_names_the_op_and_adds_up(name: str) -> None:
    fitting, error = halved(name)
    found = misfit(error)
    assert found.has == LARGEST >> len(fitting)
    assert found.needs > found.has
    assert found.op in {op.name for op in fitting[-1].walk()}
    assert sum(found.tensors) == found.needs
    assert all(size % TCM_ALIGNMENT == 0 for size in found.tensors)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_with_the_bytes_it_asks_for_the_op_fits(name: str) -> None:
    _, error = halved(name)
    found = misfit(error)
    while True:
        try:
            module = lower(model(name), tcm_bytes=found.needs)
        except HtpError as again:
            following = misfit(again)
            assert following.has == found.needs
            assert following.needs > found.needs, "the op asked for less than it needs"
            found = following
        else:
            break
    for got, wanted in zip(run(module, check=True), expected(name), strict=True):
        assert_same(got, wanted)


def test_tensors_leave_tcm_and_come_back() -> None:
    fitting, _ = halved("crossing")
    moves = [{op.name for op in module.walk()} & {"htp.Spill", "htp.Fill"} for module in fitting]
    assert moves[0] == set()
    assert moves[-1] == {"htp.Spill", "htp.Fill"}
