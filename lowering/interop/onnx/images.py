"""Ops of images as nodes, whose data are channels-first."""

from collections.abc import Mapping, Sequence
from math import ceil, floor

import numpy as np

from ....dialects.qti_aisw.ops.image import INTERPOLATIONS, ROUNDINGS, TRANSFORMATIONS
from .call import PrintedOp, PrinterSet
from .draft import ABSENT, ROW, ModelTensor, Ordered

PRINTS = PrinterSet()

_FIRST, _LAST = (0, 3, 1, 2), (0, 2, 3, 1)
_ROW_FIRST = (0, 3, 2)


def _images(tensor: ModelTensor) -> Ordered:
    return Ordered(tensor, _LAST)


def _is_row(call: PrintedOp) -> bool:
    """Tell whether the data of an op are images of height 1 that are written as rows."""
    return ABSENT in call.operands[0].order


def _slid(
    call: PrintedOp,
    op: str,
    weights: Sequence[ModelTensor | None],
    numbers: Mapping[str, Sequence[int]],
    **others: int | None,
) -> Ordered:
    """Append a node whose windows slide over images, or over rows by the numbers of the width."""
    row = _is_row(call)
    if row:
        numbers = {name: each[len(each) // 2 :] for name, each in numbers.items()}
    # Befores, then afters, of (top, bottom, left, right).
    pads = [*numbers["pads"][::2], *numbers["pads"][1::2]]
    images = call.real(0, _ROW_FIRST if row else _FIRST)
    result = call.node(op, images, *weights, **{**numbers, "pads": pads}, **others)
    return Ordered(result, ROW) if row else _images(result)


@PRINTS.op("Conv2d", "DepthWiseConv2d", "TransposeConv2d")
def _conv(call: PrintedOp) -> Ordered:
    """Conv or ConvTranspose, whose filters have output channels first or second."""
    turned, depthwise = call.mnemonic == "TransposeConv2d", call.mnemonic == "DepthWiseConv2d"
    order, further = ((2, 3), "output_padding") if turned else ((3, 2), "dilation")
    window = (1,) if _is_row(call) else (0, 1)
    weights = call.real("filter", (*order, *window)), call.optional("bias")
    numbers = {
        "kernel_shape": call.shape("filter")[:2],
        "strides": call.param("stride"),
        "pads": call.param("pad_amount"),
        "output_padding" if turned else "dilations": call.param(further),
    }
    group = call.shape("inp")[3] if depthwise else call.param("group")
    return _slid(call, "ConvTranspose" if turned else "Conv", weights, numbers, group=group)


@PRINTS.op("PoolMax2d", "PoolAvg2d")
def _pool(call: PrintedOp) -> Ordered:
    mean, pads = call.mnemonic == "PoolAvg2d", [*call.param("pad_amount")]
    rounds_up = call.param("rounding_mode")
    params = [*enumerate(zip(call.param("filter_size"), call.param("stride"), strict=True))]
    for axis, (size, step) in params if rounds_up else ():
        # A window behind the image is none. ONNX's inference of shapes counts it: the padding goes.
        after = 2 * axis + 1
        extent = call.shape()[axis + 1] + pads[after - 1]
        if (call.spec.shape[axis + 1]) * step >= extent:
            reach = (call.spec.shape[axis + 1] - 1) * step + size - extent
            pads[after] = min(pads[after], max(reach, 0))
    steps = [
        (call.shape()[axis + 1] + sum(pads[2 * axis : 2 * axis + 2]) - size) / step + 1
        for axis, (size, step) in params
    ]
    if rounds_up and [*map(ceil, steps)] != [*call.spec.shape[1:3]]:
        # There is no padding left to go.
        if [*map(floor, steps)] != [*call.spec.shape[1:3]]:
            raise call.refuse("ONNX counts a window behind the image", "pad the image before it")
        rounds_up = 0
    numbers = {
        "kernel_shape": call.param("filter_size"),
        "strides": call.param("stride"),
        "pads": pads,
    }
    counts = call.param("count_pad_for_edges") if mean else None
    name = "AveragePool" if mean else "MaxPool"
    return _slid(call, name, (), numbers, ceil_mode=rounds_up, count_include_pad=counts)


@PRINTS.op("Resize")
def _resize(call: PrintedOp) -> Ordered:
    batch, _, _, channels = call.shape()
    attributes = {
        "mode": INTERPOLATIONS[call.param("interpolation_mode")],
        "coordinate_transformation_mode": TRANSFORMATIONS[call.param("transformation_mode")],
        "nearest_mode": ROUNDINGS[call.param("nearest_mode")],
        "cubic_coeff_a": call.param("cubic_coeff"),
        **call.params("exclude_outside"),
    }
    sizes = call.wholes((batch, channels, *call.param("size")))
    return _images(call.node("Resize", call.real(0, _FIRST), None, None, sizes, **attributes))


@PRINTS.op("DepthToSpace", "SpaceToDepth")
def _blocks(call: PrintedOp) -> Ordered:
    (high, wide), mode = call.param("block_size"), call.param("mode")
    deep = call.mnemonic == "DepthToSpace"
    if high != wide or (mode and not deep):
        remedy = f"ONNX takes square blocks {'alone' if deep else 'in mode 0'}"
        raise call.refuse(f"block_size is {high}x{wide}, mode {mode}", remedy)
    order = ("DCR", "CRD")[mode] if deep else None
    blocks = call.node(call.mnemonic, call.real(0, _FIRST), blocksize=high, mode=order)
    return _images(blocks)


@PRINTS.op("Batchnorm")
def _batch_norm(call: PrintedOp) -> Ordered | ModelTensor:
    """BatchNormalization of a mean of 0 and a variance of 1; of channels alone Mul and Add."""
    rank, channels = len(call.shape()), call.shape()[-1]
    weights, bias = call.real("weights"), call.real("bias")
    if rank == 1:
        return call.node("Add", call.node("Mul", call.real(0), weights), bias)
    zeros, ones = (call.like(np.full(channels, n)) for n in (0, 1))
    inputs = call.real(0, (0, rank - 1, *range(1, rank - 1))), weights, bias
    normal = call.node("BatchNormalization", *inputs, zeros, ones, epsilon=0.0)
    return Ordered(normal, (0, *range(2, rank), 1))
