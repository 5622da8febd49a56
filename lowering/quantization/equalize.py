"""Cross-layer equalisation: weights of neighbours scaled so that their channels have like ranges.

Algorithm: for a pair of layers with nothing but positively homogeneous ops between, channel i of
the first is divided, and that of the second multiplied, by sqrt(r1 / r2), r their ranges; sweeps
over all pairs until the scales are near 1. O(sweeps * weights). Example: ranges 8 and 2 give the
scale 2, and both become 4. The graph computes the same, but for the rounding of f32.

Source: M. Nagel et al., Data-Free Quantization through Weight Equalization and Bias Correction,
ICCV 2019.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.qti_aisw.base import GraphOp
from ...runtime.functions.support.arrays import Array
from .layers import WeightedOp, layers_of

Numbers = NDArray[np.float64]

_HOMOGENEOUS = ("qti_aisw.Relu", "qti_aisw.PoolMax2d", "qti_aisw.PoolAvg2d")
"""The ops through which a positive scale of a channel passes."""
_INPUT_AXES = {"Conv2d": 2, "DepthWiseConv2d": 3, "FullyConnected": 1}
"""The dim of the input channels of a layer's weights."""
_FIRST = ("Conv2d", "DepthWiseConv2d", "FullyConnected")
_SWEEPS = 20
_NEAR = 1e-3
"""The largest change of a scale, as a part of it, that ends the sweeps."""


@arguments(module=MODULE)
def equalize(module: ModuleOp) -> int:
    """Equalise the layers of a graph in place; return the number of pairs."""
    pairs = list(_pairs(module))
    for _ in range(_SWEEPS):
        changes = [_equalized(first, second) for first, second in pairs]
        if max(changes, default=0.0) < _NEAR:
            break
    return len(pairs)


def _pairs(module: ModuleOp) -> Iterator[tuple[WeightedOp, WeightedOp]]:
    layers = {layer.op: layer for layer in layers_of(module)}
    for op, layer in layers.items():
        if layer.kind not in _FIRST or ("bias" in op.named_operands() and layer.bias is None):
            continue
        reader = _only_reader(op)
        while reader is not None and reader.name in _HOMOGENEOUS:
            reader = _only_reader(reader)
        second = layers.get(reader) if reader is not None else None
        if second is not None and _takes_channels(second, layer):
            yield layer, second


def _only_reader(op: GraphOp) -> GraphOp | None:
    uses = [*op.results[0].uses]
    reader = uses[0].operation if len(uses) == 1 and uses[0].index == 0 else None
    return reader if isinstance(reader, GraphOp) else None


def _takes_channels(second: WeightedOp, first: WeightedOp) -> bool:
    """Tell whether the second's input channels are the first's output channels, one by one."""
    axis = _INPUT_AXES.get(second.kind)
    channels = first.weights.shape[first.output_axis]
    return axis is not None and second.weights.shape[axis] == channels


def _equalized(first: WeightedOp, second: WeightedOp) -> float:
    """Scale one pair; return the largest change."""
    outer, inner = first.output_axis, _INPUT_AXES[second.kind]
    before, after = _ranges(first.weights, outer), _ranges(second.weights, inner)
    some = (before > 0) & (after > 0)
    scales = np.where(some, np.sqrt(before / np.where(some, after, 1)), 1.0)
    first.set_weights(first.weights / _along(scales, outer, first.weights.ndim))
    if first.bias is not None:
        first.set_bias(first.bias / scales)
    second.set_weights(second.weights * _along(scales, inner, second.weights.ndim))
    return float(np.abs(scales - 1).max(initial=0.0))


def _ranges(weights: Array, axis: int) -> Numbers:
    others = tuple(dim for dim in range(weights.ndim) if dim != axis)
    return np.asarray(np.abs(weights).max(axis=others, initial=0.0), np.float64)


def _along(scales: Numbers, axis: int, rank: int) -> Numbers:
    return scales.reshape([-1 if dim == axis else 1 for dim in range(rank)])
