"""Bias correction: the mean error that rounded weights make, taken off the bias.

Algorithm: per layer and output channel, the mean over the calibration inputs of the layer with the
weights' rounding errors for weights. One run, and one more product a layer and inference. Example:
a weight 0.30 on a grid of steps 0.25 errs by -0.05; inputs of mean 2 give -0.1, so the bias grows
by 0.1.

Source: M. Nagel et al., Data-Free Quantization through Weight Equalization and Bias Correction,
ICCV 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.faults.arguments import MANY, MODULE, arguments
from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from ...runtime.functions.quantize import dequantize
from ...runtime.kernel.library import LIBRARY, Library, graph_operands
from ...runtime.kernels.semantics.graph import GRAPH
from ...runtime.session.observer import Observer, StepView
from ...runtime.session.session import Session
from .forms import stored
from .layers import Floats, WeightedOp, layers_of
from .params import WEIGHTS_OF, param_encoding


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
