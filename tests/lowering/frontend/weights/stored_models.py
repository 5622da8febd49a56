"""Models of one product or convolution whose weights are dequantised, and what is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

RANDOM = np.random.default_rng(0)
IN, OUT = 96, 64


@dataclass(frozen=True)
class Coded:
    """A product of x and weights of a type, with scales of this shape, read in one of these ways.

    `MatMul` and `Gemm` read [IN, OUT]; `turned` (a Gemm) and `Transpose` read [OUT, IN].
    """

    of: int
    scales: tuple[int, ...]
    axis: int = 1
    block: int = 0
    reader: str = "MatMul"
    zeros: bool = False

    def model(self) -> ModelProto:
        """The model."""
        rows = (OUT, IN) if self.reader in ("turned", "Transpose") else (IN, OUT)
        names = ["w", "s", *["z"] * self.zeros]
        nodes = [helper.make_node("DequantizeLinear", names, ["d"], **self._attributes())]
        if self.reader == "Transpose":
            nodes.append(helper.make_node("Transpose", ["d"], ["t"], perm=[1, 0]))
        flip = {"transB": 1} if self.reader == "turned" else {}
        op = "Gemm" if self.reader in ("Gemm", "turned") else "MatMul"
        weights = "t" if self.reader == "Transpose" else "d"
        nodes.append(helper.make_node(op, ["x", weights], ["y"], **flip))
        arrays = [self._numbers("w", rows), numpy_helper.from_array(scales(self.scales), "s")]
        arrays += [self._numbers("z", self.scales)] * self.zeros
        return model(nodes, (8, IN), arrays)

    def _attributes(self) -> dict[str, int]:
        return {"axis": self.axis, **({"block_size": self.block} if self.block else {})}

    def _numbers(self, name: str, shape: Sequence[int]) -> TensorProto:
        signed = self.of in (TensorProto.INT4, TensorProto.INT8)
        whole = signed or self.of in (TensorProto.UINT4, TensorProto.UINT8)
        count = int(np.prod(shape))
        low, high = (-8, 8) if signed else (0, 16)
        numbers = RANDOM.integers(low, high, count) if whole else RANDOM.normal(size=count)
        return helper.make_tensor(name, self.of, shape, numbers)


def scales(shape: Sequence[int]) -> Array:
    """Random scales."""
    return RANDOM.uniform(0.01, 0.1, shape).astype(np.float32)


def model(
    nodes: Sequence[NodeProto],
    shape: Sequence[int],
    arrays: Sequence[TensorProto],
    opset: int = 21,
    *domains: str,
) -> ModelProto:
    """A model of x to y, with initializers."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, arrays)
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def with_floats(proto: ModelProto) -> ModelProto:
    """The same with what its first node dequantises as an initializer of floats."""
    graph = proto.graph
    used = [array for array in graph.initializer if array.name in graph.node[0].input]
    rest = [array for array in graph.initializer if array.name not in graph.node[0].input]
    result = [helper.make_tensor_value_info("d", TensorProto.FLOAT, None)]
    alone = helper.make_graph(graph.node[:1], "w", [], result, used)
    opsets = proto.opset_import
    (weights,) = ReferenceEvaluator(helper.make_model(alone, opset_imports=opsets)).run(None, {})
    arrays = [*rest, numpy_helper.from_array(weights, "d")]
    whole = helper.make_graph(graph.node[1:], "g", graph.input, graph.output, arrays)
    return helper.make_model(whole, opset_imports=opsets, ir_version=proto.ir_version)


def bytes_moved(proto: ModelProto, tcm_bytes: int = 1 << 20) -> int:
    """The bytes between main memory and the chip."""
    return traffic(lower(import_model(proto), tcm_bytes=tcm_bytes)).bytes


def lowered_alike(proto: ModelProto, x: Array, wanted: Array, tcm_bytes: int) -> ModuleOp:
    """Lower a model, whose results at the graph and allocated level are those wanted."""
    module = import_model(proto)
    lowered = lower(module.clone(), tcm_bytes=tcm_bytes)
    for each in (module, lowered):
        (y,) = Session(each, check=True).run({"x": x}).values()
        atol = 2e-6 * float(np.abs(wanted).max())
        np.testing.assert_allclose(np.asarray(y), wanted, rtol=0, atol=atol)
    return lowered
