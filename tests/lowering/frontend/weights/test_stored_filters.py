"""Convolutions of f32 and dequantised filters: these stay integers of 8 bits at every level."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

from .stored_models import (
    RANDOM,
    bytes_moved,
    lowered_alike,
    model,
    scales,
    with_floats,
)

Attributes = dict[str, int | list[int]]
FILTERS = ("Conv2d", "DepthWiseConv2d", "ConvLayer_valid", "DepthwiseConvLayer_valid")


def convolution(
    count: int,
    shape: tuple[int, ...],
    attributes: Attributes,
    *,
    axis: int = 0,
    then: str = "Relu",
    image: int = 12,
    bits: int = 8,
) -> ModelProto:
    """A Conv with filters of this shape and `count` scales along an axis, and an op behind it."""
    group = attributes.get("group", 1)
    assert isinstance(group, int)
    most = 1 << bits - 1
    numbers = RANDOM.integers(-most, most, int(np.prod(shape)))
    bias = RANDOM.normal(size=shape[0]).astype(np.float32)
    four = [RANDOM.uniform(0.5, 1, shape[0]).astype(np.float32) for _ in range(4)]
    arrays = {"s": scales((count,)[: count > 1]), "b": bias, **dict(zip("ghmv", four, strict=True))}
    rest = [*"ghmv"] if then == "BatchNormalization" else []
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["d"], axis=axis),
        helper.make_node("Conv", ["x", "d", "b"], ["c"], **attributes),
        helper.make_node(then, ["c", *rest], ["y"]),
    ]
    stored = [helper.make_tensor("w", getattr(TensorProto, f"INT{bits}"), shape, numbers)]
    stored += [numpy_helper.from_array(a, n) for n, a in arrays.items() if n in [*"sb", *rest]]
    return model(nodes, (1, shape[1] * group, *[image] * (len(shape) - 2)), stored)


def filters(module: ModuleOp) -> set[DType]:
    """The element types of filters."""
    ops = (op for op in module.walk() if op.name.split(".")[1] in FILTERS)
    return {spec_of(op.operands[1]).dtype for op in ops}


@pytest.mark.parametrize(
    ("count", "shape", "attributes", "then"),
    [
        (40, (40, 32, 3, 3), {"pads": [1, 1, 1, 1]}, "Relu"),
        (1, (40, 32, 3, 3), {"strides": [2, 2]}, "Neg"),
        (32, (32, 1, 3, 3), {"group": 32}, "Relu"),
        (32, (32, 8, 3, 3), {"group": 4}, "BatchNormalization"),
        (32, (32, 32, 3), {}, "BatchNormalization"),
        (32, (32, 32, 3, 3), {"dilations": [2, 2]}, "Relu"),
        (32, (32, 4, 3, 3, 3), {}, "Relu"),
        (8, (8, 1, 3, 3, 3), {"group": 8}, "Relu"),
    ],
)
def test_filters_stay_small_at_every_level(
    count: int, shape: tuple[int, ...], attributes: Attributes, then: str
) -> None:
    proto = convolution(count, shape, attributes, then=then)
    x = RANDOM.normal(size=[d.dim_value for d in proto.graph.input[0].type.tensor_type.shape.dim])
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x.astype(np.float32)})
    lowered = lowered_alike(proto, x.astype(np.float32), wanted, tcm_bytes=1 << 16)
    assert filters(lowered) == {DType.QInt8}


def test_filters_of_four_bits_have_a_byte_each() -> None:
    proto = convolution(40, (40, 32, 3, 3), {"pads": [1, 1, 1, 1]}, bits=4)
    x = RANDOM.normal(size=(1, 32, 12, 12)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    assert filters(lowered_alike(proto, x, wanted, tcm_bytes=1 << 16)) == {DType.QInt8}


@pytest.mark.parametrize("group", [1, 32])
def test_a_batch_norm_goes_into_stored_filters(group: int) -> None:
    shape = (32, 32 // group, 3, 3)
    proto = convolution(32, shape, {"group": group}, then="BatchNormalization")
    both = [lower(import_model(each)) for each in (proto, with_floats(proto))]
    ours, theirs = (sorted(op.name for op in module.walk()) for module in both)
    assert filters(both[0]) == {DType.QInt8}
    assert ours == theirs
    assert "htp.Batchnorm" not in ours


def test_filters_are_cut_between_channels_with_their_scales() -> None:
    proto = convolution(256, (256, 32, 3, 3), {"pads": [1, 1, 1, 1]})
    x = RANDOM.normal(size=(1, 32, 12, 12)).astype(np.float32)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    lowered = lowered_alike(proto, x, wanted, tcm_bytes=1 << 16)
    layers = [op for op in lowered.walk() if op.name == "htp.ConvLayer_valid.clamp"]
    parts = [spec_of(layer.operands[1]) for layer in layers]
    assert len(parts) > 1
    assert all(p.quant and len(p.quant.scales) < 256 for p in parts)


def test_a_quarter_of_the_bytes_is_read() -> None:
    proto = convolution(40, (40, 32, 3, 3), {"pads": [1, 1, 1, 1]})
    assert bytes_moved(with_floats(proto)) - bytes_moved(proto) == 3 * 40 * 32 * 9


@pytest.mark.parametrize(
    ("shape", "image", "tcm_bytes"), [((96, 48, 3, 3), 12, 1 << 18), ((40, 32, 3, 3), 12, 1 << 16)]
)
def test_small_filters_are_tiled_as_well_as_large_ones(
    shape: tuple[int, ...], image: int, tcm_bytes: int
) -> None:
    """These fit whole where floats would not: the conversion of a whole result moves more."""
    proto = convolution(shape[0], shape, {"pads": [1, 1, 1, 1]}, image=image)
    saved = bytes_moved(with_floats(proto), tcm_bytes) - bytes_moved(proto, tcm_bytes)
    assert saved >= 3 * np.prod(shape)


def test_joins_read_spilled_parts_of_small_filters_as_of_large_ones() -> None:
    """The whole and its parts do not fit together: parts leave, and none comes back to be read."""
    proto = convolution(96, (96, 16, 1, 1), {}, image=28)
    saved = bytes_moved(with_floats(proto), 1 << 18) - bytes_moved(proto, 1 << 18)
    assert saved >= 3 * 96 * 16


def test_scales_of_input_channels_make_floats() -> None:
    proto = convolution(32, (40, 32, 3, 3), {}, axis=1)
    assert filters(lower(import_model(proto))) == {DType.Float32}
