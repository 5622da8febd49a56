"""Weights of few bits, in blocks, and of fp8: codes up to the product, at every level."""

import numpy as np
import onnxruntime
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

from .stored_models import (
    IN,
    OUT,
    RANDOM,
    Coded,
    bytes_moved,
    lowered_alike,
    model,
    with_floats,
)

BLOCKS = IN // 16
TYPES = TensorProto


def codes(module: ModuleOp) -> list[tuple[int, ...]]:
    """The shapes of the codes that products read."""
    products = (op for op in module.walk() if op.name.endswith(".CodedFullyConnected"))
    return [spec_of(op.operands[1]).shape for op in products]


@pytest.mark.parametrize(
    ("case", "in_a_byte"),
    [
        (Coded(TYPES.INT4, (OUT,)), 2),
        (Coded(TYPES.INT4, ()), 2),
        (Coded(TYPES.INT4, (IN,), axis=0), 2),
        (Coded(TYPES.UINT4, (BLOCKS, OUT), axis=0, block=16, zeros=True), 2),
        (Coded(TYPES.INT4, (OUT, BLOCKS), block=16, reader="Transpose"), 2),
        (Coded(TYPES.INT8, (OUT, BLOCKS), block=16, reader="turned"), 1),
        (Coded(TYPES.UINT8, (BLOCKS, OUT), axis=0, block=16, zeros=True), 1),
        (Coded(TYPES.FLOAT8E4M3FN, (OUT,)), 1),
        (Coded(TYPES.FLOAT8E5M2, (BLOCKS, OUT), axis=0, block=16, reader="Gemm"), 1),
        (Coded(TYPES.FLOAT8E5M2, (), reader="turned"), 1),
    ],
)
def test_codes_are_read_by_the_product_at_every_level(case: Coded, in_a_byte: int) -> None:
    proto = case.model()
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    lowered = lowered_alike(proto, x, wanted, tcm_bytes=1 << 14)
    assert set(codes(lowered)) == {(1, 1, OUT, IN // in_a_byte)}


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("opset", [17, 21])
def test_blocks_of_onnx_runtime_agree_with_it(bits: int, zeros: bool, opset: int) -> None:
    proto = blockwise(bits, zeros, opset)
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    lowered = lowered_alike(proto, x, np.asarray(session.run(None, {"x": x})[0]), 1 << 14)
    assert codes(lowered) == [(1, 1, OUT, IN * bits // 8)]


@pytest.mark.parametrize("zero", [20.0, 7.5, -1.0])
def test_zero_points_that_no_code_has_make_floats(zero: float) -> None:
    proto = blockwise(4, True, 17)
    (stored,) = (array for array in proto.graph.initializer if array.name == "z")
    zeros = np.full((OUT, IN // 32), zero, np.float32)
    stored.CopyFrom(numpy_helper.from_array(zeros, "z"))
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    wanted = np.asarray(session.run(None, {"x": x})[0])
    assert not codes(lowered_alike(proto, x, wanted, tcm_bytes=1 << 16))


def blockwise(bits: int, zeros: bool, opset: int, size: int = 32) -> ModelProto:
    """A MatMulNBits in blocks."""
    count = IN // size
    draw = [(OUT, count, size * bits // 8), *[(OUT * -(-count * bits // 8),)] * zeros]
    packed = [RANDOM.integers(0, 256, shape, dtype=np.uint8) for shape in draw]
    scale = RANDOM.uniform(0.01, 0.1, OUT * count).astype(np.float32)
    arrays = [packed[0], scale, *packed[1:]]
    names = ["w", "s", "z"][: len(arrays)]
    attributes = {"K": IN, "N": OUT, "bits": bits, "block_size": size}
    node = helper.make_node(
        "MatMulNBits", ["x", *names], ["y"], domain="com.microsoft", **attributes
    )
    stored = [numpy_helper.from_array(a, name) for a, name in zip(arrays, names, strict=True)]
    return model([node], (8, IN), stored, opset, "com.microsoft")


def test_an_eighth_of_the_bytes_is_read() -> None:
    proto = Coded(TYPES.INT4, ()).model()
    saved = bytes_moved(with_floats(proto)) - bytes_moved(proto)
    # Seven eighths, without the table of 16 numbers, a scale and a zero point.
    assert saved == IN * OUT * 4 * 7 // 8 - 16 * 4 - 4 - 1


def test_blocks_of_several_outputs_become_floats() -> None:
    proto = Coded(TYPES.INT4, (IN, OUT // 16), block=16).model()
    x = RANDOM.normal(size=(8, IN)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    assert not codes(lowered_alike(proto, x, wanted, tcm_bytes=1 << 16))


def test_rows_that_fill_no_bytes_become_floats() -> None:
    weights = helper.make_tensor("w", TYPES.INT4, (IN, 3), RANDOM.integers(-8, 8, IN * 3))
    scale = numpy_helper.from_array(np.ones((), np.float32), "s")
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["d"]),
        helper.make_node("MatMul", ["x", "d"], ["y"]),
    ]
    assert not codes(lower(import_model(model(nodes, (8, IN), [weights, scale]))))
