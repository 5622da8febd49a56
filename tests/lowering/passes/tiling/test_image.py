"""DepthToSpace and repeated pixels between convolutions: in step with them, in croutons in TCM."""

import pytest
from htp_mlir.dialects.htp.ops.copies import FormatOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

SIZE, DEPTH = 64, 32
BLOCK = (2, 2)


def convolved(graph: Graph, image: SSAValue, filters: int) -> SSAValue:
    """A convolution of 3 x 3 with padding."""
    weights = graph.weights(3, 3, DEPTH, filters)
    return graph.op("Conv2d", image, weights, stride=(1, 1), pad_amount=(1, 1, 1, 1))


def enlarged(name: str, size: int = SIZE) -> Model:
    """An image that becomes twice as large between two convolutions."""
    graph = Graph()
    image = graph.input(1, size, size, DEPTH)
    if name == "DepthToSpace":
        wide = convolved(graph, image, 4 * DEPTH)
        larger = graph.op("DepthToSpace", wide, block_size=BLOCK)
    else:
        same = convolved(graph, image, DEPTH)
        larger = graph.op("Resize", same, size=(2 * size, 2 * size), interpolation_mode=0)
    graph.give("out", convolved(graph, larger, DEPTH))
    return graph.model()


LARGER = 4 * SIZE * SIZE * DEPTH * 4
"""Bytes of the image between the convolutions."""
NAMES = {"DepthToSpace": "htp.DepthToSpace_shape", "Resize": "htp.ResizeNearestNeighbor_shape"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_tiles_stay_in_tcm_and_nothing_is_converted_whole(name: str) -> None:
    """What lies between the convolutions is larger than the TCM: tiles of it are made and read.

    Layouts change in TCM, tile by tile.
    """
    model = enlarged(name)
    lowered = lower(model.module, tcm_bytes=1 << 20)
    tiles = [op for op in lowered.walk() if op.name == NAMES[name]]
    assert len(tiles) > 1
    for tile in tiles:
        for spec in (spec_of(tile.operands[0]), spec_of(tile.results[0])):
            assert spec.memory is Memory.TCM
        assert spec_of(tile.results[0]).nbytes < LARGER
    changes = [spec_of(op.results[0]) for op in lowered.walk() if isinstance(op, FormatOp)]
    assert all(spec.memory is Memory.TCM and spec.nbytes < LARGER for spec in changes)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_stay(name: str) -> None:
    model = enlarged(name)
    feeds = model.feeds(0)
    lowered = lower(model.module, tcm_bytes=1 << 19)
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-5)


@pytest.mark.slow
def test_edges_read_the_tiles_that_hold_them() -> None:
    """In tiles of rows and columns, paddings read columns of many tiles; none joins all of them.

    What is joined as a whole lies in main memory: the output, and what is written there as it is
    made.
    """
    model = enlarged("Resize", SIZE // 2)
    lowered = lower(model.module, tcm_bytes=1 << 16)
    assert traffic(lowered).bytes < 2_800_000
    joined = [spec_of(op.results[0]) for op in lowered.walk() if op.name == "htp.Concat"]
    whole = [spec for spec in joined if spec.shape == (1, SIZE, SIZE, DEPTH)]
    assert [spec.memory for spec in whole] == [Memory.DDR, Memory.DDR]
    feeds = model.feeds(0)
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-5)
