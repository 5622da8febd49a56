"""Products of f32 and dequantised weights: the weights stay as small as they are in the model."""

from collections.abc import Sequence
from itertools import starmap

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

RANDOM = np.random.default_rng(0)
IN, OUT = 96, 64


def model(
    readers: Sequence[str], scales: Sequence[int], axis: int = 1, of: int = TensorProto.INT8
) -> ModelProto:
    """A product of x and a matrix of weights, with scales of this shape."""
    rows = (OUT, IN) if "turned" in readers else (IN, OUT)
    stored = helper.make_tensor("w", of, rows, RANDOM.integers(-8, 8, IN * OUT))
    scale = RANDOM.uniform(0.01, 0.1, scales).astype(np.float32)
    bias = RANDOM.normal(size=OUT).astype(np.float32)
    nodes = [helper.make_node("DequantizeLinear", ["w", "s"], ["d"], axis=axis)]
    for n, reader in enumerate(readers):
        gemm = helper.make_node("Gemm", ["x", "d", "b"], [f"y{n}"], transB=int(reader == "turned"))
        other = helper.make_node(reader, ["d"] if reader == "Neg" else ["x", "d"], [f"y{n}"])
        nodes.append(gemm if reader in ("Gemm", "turned") else other)
    results = [helper.make_tensor_value_info(f"y{n}", 1, None) for n in range(len(readers))]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [8, IN])],
        results,
        [stored, numpy_helper.from_array(scale, "s"), numpy_helper.from_array(bias, "b")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def stored(module: ModuleOp) -> set[DType]:
    """The element types of the weights that products read."""
    ops = (op for op in module.walk() if op.name.endswith((".FullyConnected", ".MatMul")))
    return {spec_of(op.operands[1]).dtype for op in ops}


def dequantized(proto: ModelProto) -> ModelProto:
    """A model of the weights alone."""
    result = helper.make_tensor_value_info("d", 1, None)
    graph = helper.make_graph(proto.graph.node[:1], "w", [], [result], proto.graph.initializer)
    return helper.make_model(graph, opset_imports=proto.opset_import, ir_version=10)


def outputs(module: ModuleOp, x: Array) -> list[Array]:
    """What a module makes of x."""
    return [np.asarray(y) for y in Session(module, check=True).run({"x": x}).values()]


@pytest.mark.parametrize("zeros", [None, np.int8(3), np.arange(OUT, dtype=np.int8)], ids=str)
def test_weights_of_dynamic_quantisation_stay_small(zeros: Array | None) -> None:
    arrays = {"w": RANDOM.integers(-99, 99, (IN, OUT), dtype=np.int8)}
    if zeros is not None:
        arrays["n"] = np.asarray(zeros)
    names = ["w", "z", *["n"] * (zeros is not None)]
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        helper.make_node("MatMulInteger", ["q", *names], ["i"]),
        helper.make_node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["f", "s"], ["y"]),
    ]
    shape = [("x", [8, IN]), ("y", None)]
    ends = [[helper.make_tensor_value_info(name, 1, dims)] for name, dims in shape]
    graph = helper.make_graph(nodes, "g", *ends, [*starmap(_stated, arrays.items())])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    lowered = lower(import_model(proto))
    assert stored(lowered) == {DType.QInt8}
    np.testing.assert_allclose(outputs(lowered, x)[0], wanted, rtol=1e-6)


def _stated(name: str, array: Array) -> TensorProto:
    return numpy_helper.from_array(array, name)


@pytest.mark.parametrize(
    ("reader", "scales", "axis", "of"),
    [
        ("MatMul", (OUT,), 1, TensorProto.INT8),
        ("MatMul", (IN,), 0, TensorProto.INT8),
        ("MatMul", (), 1, TensorProto.INT8),
        ("Gemm", (OUT,), 1, TensorProto.INT8),
        ("turned", (OUT,), 0, TensorProto.INT8),
    ],
)
def test_weights_stay_small_at_every_level(
    reader: str, scales: tuple[int, ...], axis: int, of: int
) -> None:
    proto = model([reader], scales, axis, of)
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    module = import_model(proto)
    lowered = lower(module.clone(), tcm_bytes=1 << 14)
    for each in (module, lowered):
        (y,) = outputs(each, x)
        np.testing.assert_allclose(y, wanted, rtol=0, atol=2e-6 * float(np.abs(wanted).max()))
    assert stored(lowered) == {DType.QInt8}


def test_a_quarter_of_the_bytes_is_read() -> None:
    proto = model(["MatMul"], (OUT,))
    folded = model(["MatMul"], (OUT,))
    # The same with the weights as floats, under the name of what was dequantised.
    (weights,) = ReferenceEvaluator(dequantized(proto)).run(None, {})
    del folded.graph.node[0], folded.graph.initializer[:2]
    folded.graph.initializer.append(numpy_helper.from_array(weights, "d"))
    small, large = (traffic(lower(import_model(each))).bytes for each in (proto, folded))
    assert large - small == 3 * IN * OUT


@pytest.mark.parametrize(
    ("readers", "scales"), [(["MatMul", "Neg"], (OUT,)), (["MatMul"], (IN, OUT // 2))]
)
def test_weights_that_something_else_reads_or_in_blocks_are_folded(
    readers: list[str], scales: tuple[int, ...]
) -> None:
    proto = model(readers, scales)
    if len(scales) > 1:
        proto.graph.node[0].attribute.append(helper.make_attribute("block_size", 2))
    module = import_model(proto)
    assert not [op for op in module.walk() if op.name == "qti_aisw.Dequantize"]
    assert stored(lower(module)) == {DType.Float32}
