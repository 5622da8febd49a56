"""Matrix products of flat f32 tensors."""

from functools import partial

import numpy as np

from ...functions.quantize import decode_weights
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import Tensor
from ..support.bands import finished, rows_of
from ..support.calls import Floats, bound_once, in_order, number_in
from ..support.classes import Flat, FloatTensor, Param, RealKernels, Weights

KERNELS = RealKernels()


def _fully_connected(
    gelu: bool,
    out: FloatTensor,
    inp: FloatTensor,
    weights: FloatTensor,
    *bias_and_bounds: FloatTensor,
) -> BoundCall:
    rows: Floats = rows_of(out.array)
    product = partial(np.dot, rows_of(inp.array), rows_of(weights.array).T, rows)
    params = [param.array.reshape(-1) for param in bias_and_bounds]
    return in_order([product, *finished(rows, params, gelu)])


for _suffix, _scalars in (("", ()), (".clamp", ("low", "high")), (".gelu", ())):
    KERNELS.add(
        f"FullyConnected{_suffix}",
        partial(_fully_connected, _suffix == ".gelu"),
        {"out": Flat},
        {
            "inp": Flat,
            "weights": Weights,
            "bias": Param,
            **dict.fromkeys(_scalars, PlainFloatTensor),
        },
        name=f"fully_connected{_suffix.replace('.', '_')}",
        cost=Cost.FAST,
    )


@KERNELS.kernel("CodedFullyConnected", cost=Cost.FAST)
def coded_fully_connected(
    out: Flat,
    inp: Flat,
    codes: Tensor,
    table: PlainFloatTensor,
    scales: PlainFloatTensor,
    zeros: Tensor,
    bias: PlainFloatTensor,
) -> BoundCall:
    """Constant codes are decoded once, at bind time."""
    coded = [codes, table, scales, zeros]

    def bind() -> BoundCall:
        places, marks = (np.asarray(tensor.load(), np.uint8) for tensor in (codes, zeros))
        numbers = decode_weights(places, table.array, scales.array, marks)
        matrix = np.ascontiguousarray(numbers.reshape(numbers.shape[-2:]).T)
        rows: Floats = rows_of(out.array)
        product = partial(np.dot, rows_of(inp.array), matrix, rows)
        return in_order([product, *finished(rows, [bias.array.reshape(-1)], gelu=False)])

    return bound_once(coded, bind)


@KERNELS.kernel("MatMul", cost=Cost.FAST)
def matmul(
    out: Flat, a: Flat, b: Flat, transpose_a: Int32Tensor, transpose_b: Int32Tensor
) -> BoundCall:
    def bind() -> BoundCall:
        right = _matrices(b, transpose_b)
        if number_in(transpose_a) or right.shape[:2] != (1, 1):
            return partial(np.matmul, _matrices(a, transpose_a), right, out.array)
        return partial(np.matmul, rows_of(a.array), right[0, 0], rows_of(out.array))

    return bound_once([transpose_a, transpose_b], bind)


def _matrices(tensor: FloatTensor, transpose: Int32Tensor) -> Floats:
    return tensor.array.swapaxes(2, 3) if number_in(transpose) else tensor.array
