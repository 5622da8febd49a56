"""Convolutions, their transposes, and the sums of patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.convolution")
def convolution(node: AtenNode) -> SSAValue:
    """convolution, whose params may be one number for all dims."""
    x, weight, bias = node.value("input"), node.value("weight"), node.optional("bias")
    rank = len(node.shape(x)) - 2
    numbers = {
        name: list(node.argument(name)) * (rank if len(node.argument(name)) == 1 else 1)
        for name in ("stride", "dilation", "padding", "output_padding")
    }
    options: dict[str, Any] = {
        "strides": numbers["stride"],
        "dilations": numbers["dilation"],
        "pads": numbers["padding"] * 2,
        "group": node.argument("groups"),
    }
    if not node.argument("transposed"):
        return node.one("Conv", x, weight, bias, **options)
    options["output_padding"] = numbers["output_padding"]
    return node.one("ConvTranspose", x, weight, bias, **options)


@ATEN.conversion("aten.col2im")
def sum_of_patches(node: AtenNode) -> SSAValue:
    """col2im: every element of a patch is added to its place in the image."""
    x = node.value("self")
    window, dilation, padding, stride = (
        node.argument(name) for name in ("kernel_size", "dilation", "padding", "stride")
    )
    height, width = (n + 2 * p for n, p in zip(node.argument("output_size"), padding, strict=True))
    numbers = np.arange(height * width).reshape(height, width)
    reach = [d * (k - 1) + 1 for k, d in zip(window, dilation, strict=True)]
    patches = sliding_window_view(numbers, reach)[:: stride[0], :: stride[1]]
    taps = patches[:, :, :: dilation[0], :: dilation[1]]
    places = np.moveaxis(taps, (2, 3), (0, 1)).reshape(-1)
    rows = int(np.prod(node.shape(x))) // len(places)
    flat = node.reshape(x, (rows, len(places)))
    index = np.broadcast_to(places, (rows, len(places))).astype(np.int64)
    zeros = node.const(np.zeros((rows, height * width), node.dtype(x).storage))
    total = node.one("ScatterElements", zeros, node.const(index), flat, axis=1, reduction="add")
    image = node.reshape(total, (rows, height, width))
    starts, ends = np.array(padding), np.array([height, width]) - padding
    inside = node.one("Slice", image, starts, ends, np.array([1, 2]))
    return node.reshape(inside, node.out().shape)
