"""Graphs of tests, calibrated and quantised."""

from collections.abc import Mapping, Sequence

import numpy as np
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering.quantization import Encodings, calibrate, quantize
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Graph, Model

Feeds = Sequence[Mapping[str, Array]]


def feeds_of(model: Model, count: int = 4) -> list[dict[str, Array]]:
    return [model.feeds(seed) for seed in range(count)]


def encodings_of(model: Model, method: str = "min-max", activations: str = "u8") -> Encodings:
    return calibrate(model.module, feeds_of(model), method=method, activations=activations)


def quantised(model: Model, activations: str = "u8") -> ModuleOp:
    return quantize(model.module, encodings_of(model, activations=activations))


def ops_of(module: ModuleOp) -> list[str]:
    """The mnemonics of a graph's ops but constants, in order."""
    names = [op.name.removeprefix("qti_aisw.") for op in module.walk()]
    return [name for name in names if "." not in name and name != "Const"]


def uneven() -> Model:
    """A depth-wise convolution, whose channels differ a hundredfold, before another one."""
    graph = Graph()
    x = graph.input(1, 8, 8, 8)
    scales = np.geomspace(1, 100, 8).astype(np.float32)
    filters = np.random.default_rng(0).normal(size=(3, 3, 1, 8)).astype(np.float32)
    y = graph.op("DepthWiseConv2d", x, graph.const(filters * scales), graph.const(scales))
    weights = np.random.default_rng(1).normal(size=(1, 1, 8, 4)).astype(np.float32)
    y = graph.op("Relu", y)
    graph.give("y", graph.op("Conv2d", y, graph.const(weights / scales[:, None])))
    return graph.model()


def coarse() -> Model:
    """A Sigmoid of large numbers of which the small ones count, and a Tanh that loses little."""
    graph = Graph()
    x = graph.op("Tanh", graph.input(4, 16))
    wide = graph.op("ElementWiseMultiply", x, graph.input(4, 16, low=-200, high=200))
    graph.give("y", graph.op("Sigmoid", wide))
    return graph.model()
