"""Buffer and MaskedSoftmax: modes, padding, strides, every dim, quantised data, resets."""

from collections.abc import Callable
from functools import partial

import numpy as np
from htp_mlir.dialects.qti_aisw.choices import BufferMode, MaskMode
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.dtypes import DType, Quant

from tests.support.graph import BOOL, F16, F32, I32, Element, Graph, Model, u8

from .cases_recurrent import reset_now_and_then

U16 = (DType.QUInt16, Quant((0.001,), (30000,)))
ELEMENTS: dict[str, Element] = {"f32": F32, "f16": F16, "u8": u8(), "u16": U16}


def buffers(mode: BufferMode) -> Model:
    """One buffer per variation; they share the reset."""
    graph = Graph()
    reset = graph.input(of=BOOL, draw=reset_now_and_then)
    give, op = graph.give, partial(graph.op, "Buffer", mode=mode)
    row = graph.input(1, 3)
    give("plain", op(row, reset, buffer_size=4, buffer_dim=0))
    give("no reset", op(row, buffer_size=4, buffer_dim=0))
    give("stride 2", op(row, reset, buffer_size=4, buffer_dim=0, stride=2))
    give("padded", op(row, reset, buffer_size=4, buffer_dim=0, buffer_padding=2))
    give("padded full", op(row, reset, buffer_size=3, buffer_dim=0, buffer_padding=3))
    give("tumbling", op(row, reset, buffer_size=3, buffer_dim=0, stride=3))
    give("size 1", op(row, reset, buffer_size=1, buffer_dim=0))
    two = graph.input(2, 3)
    give("two rows", op(two, reset, buffer_size=6, buffer_dim=0, stride=4, buffer_padding=2))
    for dim in range(4):
        dims = [2, 3, 2, 2]
        dims[dim] = 1
        give(f"dim {dim}", op(graph.input(*dims), reset, buffer_size=3, buffer_dim=dim))
    give("rank 1", op(graph.input(1), reset, buffer_size=3, buffer_dim=0))
    for name, element in ELEMENTS.items():
        give(name, op(graph.input(1, 2, of=element), reset, buffer_size=3, buffer_dim=0))
    then = graph.op("Relu", op(row, reset, buffer_size=4, buffer_dim=0))
    give("used twice", graph.op("ElementWiseAdd", then, op(row, buffer_size=4, buffer_dim=0)))
    return graph.model()


def _lengths(columns: int, sequences: int, generator: np.random.Generator) -> Array:
    cuts = np.sort(generator.integers(0, columns + 1, (2, sequences)), axis=1)
    return np.diff(cuts, axis=1, prepend=0).astype(np.int32)


def masked_softmax(mode: MaskMode) -> Model:
    graph = Graph()
    for name, element in ELEMENTS.items():
        data = graph.input(2, 3, 6, 6, of=element)
        if mode is MaskMode.UNCOMPRESSED:
            mask = graph.input(2, 6, of=I32, low=-10, high=2)
        else:
            mask = graph.input(2, 3, of=I32, draw=partial(_lengths, 6, 3))
        out = None if element in (F32, F16) else (element[0], Quant((1 / 200,), (3,)))
        graph.give(name, graph.op("MaskedSoftmax", data, mask, mode=mode, out=out))
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    "Buffer": partial(buffers, BufferMode.NON_BLOCKING_LEFT),
    "Buffer RIGHT": partial(buffers, BufferMode.NON_BLOCKING_RIGHT),
    "MaskedSoftmax": partial(masked_softmax, MaskMode.UNCOMPRESSED),
    "MaskedSoftmax COMPRESSED": partial(masked_softmax, MaskMode.COMPRESSED),
}
"""What makes each model; the op is the first word of the key."""
