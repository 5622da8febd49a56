"""Layers with constant weights and bias: equalisation across layers, and correction of biases.

Equalisation: for a pair of layers with nothing but positively homogeneous ops between, channel i of
the first is divided, and that of the second multiplied, by sqrt(r1 / r2), r their ranges; sweeps
over all pairs until the scales are near 1. O(sweeps * weights). Example: ranges 8 and 2 give the
scale 2, and both become 4. The graph computes the same, but for the rounding of f32.

Correction: per layer and output channel, the mean over the calibration inputs of the layer with the
weights' rounding errors for weights. One run, and one more product a layer and inference. Example:
a weight 0.30 on a grid of steps 0.25 errs by -0.05; inputs of mean 2 give -0.1, so the bias grows
by 0.1.

Source: M. Nagel et al., Data-Free Quantization through Weight Equalization and Bias Correction,
ICCV 2019.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.faults.arguments import MANY, MODULE, arguments
from ...dialects.qti_aisw import ConstOp, GraphOp, const
from ...dialects.spec_of import spec_of
from ...dialects.value import DType, TensorSpec
from ...runtime import Array, Observer, Session, StepView
from ...runtime.functions.quantize import dequantize
from ...runtime.kernel.library import LIBRARY, Library, graph_operands
from ...runtime.kernels.semantics.reference import GRAPH
from ...runtime.program.boundary import main_function
from .groups import is_real, stored
from .params import WEIGHTS, WEIGHTS_OF, mnemonic, param_encoding

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class WeightedOp:
    """An op with constant f32 weights that nothing else reads."""

    op: GraphOp

    @property
    def kind(self) -> str:
        """The op's name in tables."""
        return mnemonic(self.op)

    @property
    def output_axis(self) -> int:
        """The dim of the weights that is the output channels."""
        return WEIGHTS[self.kind, WEIGHTS_OF[self.kind]]

    @property
    def weights(self) -> Floats:
        """The data of the weights."""
        return _data(getattr(self.op, WEIGHTS_OF[self.kind]))

    @property
    def bias(self) -> Floats | None:
        """The data of a constant bias; None where there is none."""
        bias = self.op.named_operands().get("bias")
        return _data(bias) if bias is not None and _is_own(bias) else None

    def set_weights(self, data: Array) -> None:
        """Give the weights other data."""
        _set(getattr(self.op, WEIGHTS_OF[self.kind]), data)

    def set_bias(self, data: Array) -> None:
        """Give the bias other data."""
        _set(self.op.named_operands()["bias"], data)


def layers_of(module: ModuleOp) -> Iterator[WeightedOp]:
    """Yield the layers of a graph in the order of its ops."""
    for op in main_function(module).body.block.ops:
        slot = WEIGHTS_OF.get(mnemonic(op)) if isinstance(op, GraphOp) else None
        if isinstance(op, GraphOp) and slot is not None and _is_own(getattr(op, slot)):
            yield WeightedOp(op)


def _is_own(value: SSAValue) -> bool:
    """Tell whether a tensor is an f32 constant with one reader."""
    return isinstance(value.owner, ConstOp) and is_real(value) and len([*value.uses]) == 1


def _data(value: SSAValue) -> Floats:
    if not isinstance(value.owner, ConstOp):
        raise TypeError("the tensor is no constant")
    return np.asarray(value.owner.array, np.float32)


def _set(value: SSAValue, data: Array) -> None:
    old = value.owner
    if isinstance(old, ConstOp):
        new = const(data.astype(np.float32), spec_of(value))
        new.location = old.location
        new.results[0].name_hint = value.name_hint
        Rewriter.replace_op(old, new)


class _Means(Observer):
    """Adds up, of each layer, the mean error of its results for errors of its weights."""

    def __init__(self, layers: Mapping[Operation, WeightedOp]) -> None:
        self._layers = layers
        self._errors = {op: _rounding_errors(layer) for op, layer in layers.items()}
        self.sums = {op: np.zeros(self._bias(op).shape) for op in layers}
        self.runs = dict.fromkeys(layers, 0)

    def after(self, view: StepView) -> None:
        """Evaluate a layer on its input and the errors of its weights, without a bias."""
        op, errors = view.op, self._errors.get(view.op)
        if errors is None or not view.ready():
            return
        layer = self._layers[op]
        data = view.operands[0].load()
        inputs = {"inp": data, WEIGHTS_OF[layer.kind]: errors, "bias": 0 * self._bias(op)}
        (result,) = GRAPH[layer.kind](layer.op, [inputs[n] for n, _ in graph_operands(layer.op)])
        self.sums[op] += result.reshape(-1, result.shape[-1]).mean(axis=0, dtype=np.float64)
        self.runs[op] += 1

    def _bias(self, op: Operation) -> Floats:
        bias = self._layers[op].bias
        return np.zeros(0, np.float32) if bias is None else bias


@arguments(module=MODULE, feeds=MANY, library=LIBRARY)
def correct_bias(
    module: ModuleOp, feeds: Iterable[Mapping[str, ArrayLike]], library: Library | None = None
) -> int:
    """Correct the biases of a graph's layers in place; return the number of those that have one.

    The weights are rounded as `calibrate` encodes them. Calibrate first: what a corrected layer
    gives once it is quantised has the range that it had before.
    """
    layers: dict[Operation, WeightedOp] = {
        layer.op: layer for layer in layers_of(module) if layer.bias is not None
    }
    means = _Means(layers)
    session = Session(module, observers=[means], library=library)
    for feed in feeds:
        session.run(feed)
    for op, total in means.sums.items():
        bias = layers[op].bias
        if bias is not None and means.runs[op]:
            layers[op].set_bias(np.asarray(bias - total / means.runs[op]))
    return len(layers)


def _rounding_errors(layer: WeightedOp) -> Floats:
    """Return the rounded weights of a layer without the weights."""
    weights = layer.weights
    encoding = param_encoding(layer.kind, WEIGHTS_OF[layer.kind], weights, DType.QInt8)
    if encoding.quant is None:
        return np.zeros_like(weights)
    quant = encoding.quant
    values = stored(weights, TensorSpec(weights.shape, encoding.dtype, quant))
    reals = dequantize(values, quant.scales, quant.zero_points, quant.axis)
    return np.asarray(reals - weights, np.float32)


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
