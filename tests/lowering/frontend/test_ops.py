"""Every op family against ONNX Runtime, one node at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, helper

from .models import Array, assert_same, floats, ints, judged, model_of

IMAGE = floats(2, 3, 9, 7)
VIDEO = floats(1, 3, 5, 6, 7)
LINE = floats(2, 3, 11)
SQUARE = floats(4, 6)
BOOLS = floats(4, 6) > 0
PLACES = np.array([[0, 2], [-1, 1]], np.int64)


@dataclass
class Case:
    """One node: its inputs (constant from `fixed` on), attributes and number of outputs."""

    op: str
    inputs: Sequence[Array | None]
    fixed: int = 1
    outputs: int = 1
    opset: int = 21
    attributes: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.op, *(f"{k}={v}" for k, v in self.attributes.items())])

    def model(self) -> tuple[dict[str, Array], ModelProto]:
        """Return the inputs and a model of the node."""
        arrays = {f"x{i}": a for i, a in enumerate(self.inputs) if a is not None}
        names = ["" if a is None else f"x{i}" for i, a in enumerate(self.inputs)]
        outputs = [f"y{i}" for i in range(self.outputs)]
        node = helper.make_node(self.op, names, outputs, **self.attributes)
        feeds = {name: arrays[name] for name in names[: self.fixed] if name}
        constants = {name: a for name, a in arrays.items() if name not in feeds}
        return feeds, model_of([node], feeds, outputs, constants, self.opset)


def case(
    op: str, *inputs: Array | None, fixed: int = 1, outputs: int = 1, opset: int = 21, **attrs
) -> Case:
    return Case(op, inputs, fixed, outputs, opset, attrs)


def i64(*values: int) -> Array:
    return np.array(values, np.int64)


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


def scalar(value: float) -> Array:
    return np.array(value, np.float32)


UNARY = [
    case(op, SQUARE)
    for op in (
        *("Abs", "Neg", "Exp", "Sin", "Cos", "Floor", "Ceil", "Round", "Sign", "Reciprocal"),
        *("Erf", "Softplus", "Relu", "Sigmoid", "Tanh", "HardSwish", "Identity", "Softsign"),
        *("Atan", "Tan", "Sinh", "Cosh", "Asinh"),
    )
] + [case(op, np.abs(SQUARE)) for op in ("Log", "Sqrt")]

INVERSES = [
    *(case(op, np.tanh(SQUARE)) for op in ("Asin", "Acos", "Atanh")),
    case("Acosh", np.cosh(SQUARE)),
    *(case(op, f32(-1, 1)) for op in ("Asin", "Acos")),
    *(case(op, f32(-80, -1e-6, 0, 1e-20, 3e-3, 89)) for op in ("Sinh", "Asinh", "Atan", "Cosh")),
    case("Atanh", f32(-0.9999, -1e-6, 0, 1e-20, 3e-3)),
    case("Acosh", f32(1, 1.00001, 2, 1e30)),
]

SPECIAL = f32(np.nan, np.inf, -np.inf, 0, -3)

TESTS = [
    case("IsNaN", SPECIAL),
    case("IsInf", SPECIAL),
    case("IsInf", SPECIAL, detect_negative=0),
    case("IsInf", SPECIAL, detect_positive=0),
    case("IsInf", SPECIAL, detect_positive=0, detect_negative=0),
]

BITS = [
    *(
        case("BitShift", np.arange(250, dtype=dtype), np.arange(250, dtype=dtype) % 8, direction=to)
        for dtype in (np.uint8, np.uint32)
        for to in ("LEFT", "RIGHT")
    ),
    *(case("BitwiseNot", ints(4, 6, dtype=dtype, low=0)) for dtype in ("int32", "uint8")),
]

BINARY = [
    case(op, a, b, fixed=2)
    for op in ("Add", "Sub", "Mul", "Div", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")
    for a, b in ((SQUARE, floats(6)), (floats(2, 1, 6), floats(4, 1)), (ints(4, 6), ints(6)))
]

ELEMENT_WISE = [
    case("Not", BOOLS),
    *(case(op, BOOLS, BOOLS[:, ::-1].copy(), fixed=2) for op in ("And", "Or", "Xor")),
    case("Equal", ints(4, 6), ints(6)),
    case("Where", BOOLS, SQUARE, floats(6), fixed=3),
    case("Pow", np.abs(SQUARE), f32(2.5)),
    case("Pow", SQUARE, np.array(3, np.int64)),
    case("Mod", ints(4, 6), ints(6)),
    case("Mod", ints(4, 6), ints(6), fmod=1),
    case("Mod", SQUARE, floats(6), fmod=1),
    case("Max", SQUARE, floats(6), floats(1), fixed=3),
    case("Min", SQUARE, floats(6), fixed=2),
    case("Sum", SQUARE, floats(6), floats(1), fixed=3),
    case("Mean", SQUARE, floats(6), floats(1), fixed=3),
]

ACTIVATIONS = [
    case("LeakyRelu", SQUARE),
    case("LeakyRelu", SQUARE, alpha=0.3),
    case("Elu", SQUARE, alpha=0.7),
    case("Selu", SQUARE),
    case("PRelu", IMAGE, floats(3, 1, 1)),
    case("PRelu", SQUARE, floats(6)),
    case("Gelu", SQUARE),
    case("Gelu", SQUARE, approximate="tanh"),
    case("HardSigmoid", SQUARE),
    case("HardSigmoid", SQUARE, alpha=0.5, beta=0.1),
    case("Mish", SQUARE),
    case("Clip", SQUARE, scalar(-0.5), scalar(0.5)),
    case("Clip", SQUARE, scalar(0.0)),
    case("Clip", SQUARE, None, scalar(0.5)),
    case("Clip", SQUARE),
    case("Clip", SQUARE, scalar(-0.5), scalar(0.5), fixed=3),
    case("Clip", ints(4, 6), np.array(-2, np.int32), np.array(3, np.int32)),
    case("Clip", SQUARE, opset=7, min=-0.25, max=0.75),
]

CONVOLUTIONS = [
    case("Conv", IMAGE, floats(5, 3, 3, 3)),
    case("Conv", IMAGE, floats(5, 3, 3, 2), floats(5), pads=[1, 0, 2, 1], strides=[2, 1]),
    case("Conv", IMAGE, floats(5, 3, 3, 3), dilations=[2, 1]),
    case("Conv", IMAGE, floats(6, 1, 3, 3), floats(6), group=3),
    case("Conv", floats(1, 4, 6, 6), floats(6, 2, 3, 3), floats(6), group=2),
    case("Conv", IMAGE, floats(5, 3, 3, 3), floats(5), fixed=3),
    case("Conv", IMAGE, floats(5, 3, 3, 4), auto_pad="SAME_UPPER", strides=[2, 2]),
    case("Conv", IMAGE, floats(5, 3, 2, 4), auto_pad="SAME_LOWER"),
    case("Conv", IMAGE, floats(5, 3, 3, 3), auto_pad="VALID"),
    case("Conv", LINE, floats(5, 3, 3), floats(5), pads=[2, 0], strides=[2]),
    case("Conv", LINE, floats(3, 1, 3), group=3, dilations=[2]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), floats(4), strides=[2, 3]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), pads=[1, 0, 1, 2], strides=[2, 2]),
    case("ConvTranspose", floats(1, 4, 5, 5), floats(4, 3, 2, 2), group=2),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], output_padding=[1, 1]),
    case("ConvTranspose", IMAGE, floats(3, 4, 4, 4), strides=[2, 2], auto_pad="SAME_UPPER"),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], auto_pad="SAME_LOWER"),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], output_shape=[18, 14]),
    case("ConvTranspose", LINE, floats(3, 4, 3), floats(4), strides=[2], pads=[1, 0]),
]

POOLS = [
    case("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[2, 2]),
    case("MaxPool", IMAGE, kernel_shape=[3, 2], pads=[1, 0, 1, 1]),
    case("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
    case("MaxPool", IMAGE, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER"),
    case("MaxPool", LINE, kernel_shape=[3], strides=[2]),
    case("AveragePool", IMAGE, kernel_shape=[2, 3]),
    case("AveragePool", IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    case("AveragePool", IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
    case("AveragePool", IMAGE, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
    case("AveragePool", LINE, kernel_shape=[2]),
    case("GlobalAveragePool", IMAGE),
    case("GlobalMaxPool", IMAGE),
    case("GlobalAveragePool", LINE),
]

POOLS_BY_AXIS = [
    case("MaxPool", IMAGE, kernel_shape=[2, 3], dilations=[3, 2], pads=[1, 1, 1, 2]),
    case("MaxPool", LINE, kernel_shape=[3], dilations=[2], strides=[3], ceil_mode=1),
    case("MaxPool", VIDEO, kernel_shape=[2, 3, 2], strides=[2, 1, 2], pads=[1, 1, 0, 0, 1, 1]),
    case("AveragePool", VIDEO, kernel_shape=[2, 3, 2], strides=[2, 1, 2], ceil_mode=1),
    case("AveragePool", IMAGE, kernel_shape=[2, 3], dilations=[3, 2], pads=[1, 1, 1, 2]),
    *(
        case("AveragePool", VIDEO, kernel_shape=[3, 3, 2], pads=[1] * 6, count_include_pad=count)
        for count in (0, 1)
    ),
    *(case("LpPool", IMAGE, kernel_shape=[3, 2], strides=[2, 2], p=p) for p in (1, 2, 3)),
    case("LpPool", IMAGE, kernel_shape=[3, 2], auto_pad="SAME_UPPER"),
    case("LpPool", IMAGE, kernel_shape=[3, 2], dilations=[2, 3], pads=[1, 1, 0, 1]),
    *(case("GlobalLpPool", IMAGE, p=p) for p in (1, 2, 3)),
]

SAMPLES = [
    case(
        *("GridSample", IMAGE, floats(2, 4, 5, 2)),
        **{"fixed": 2, "opset": 20, "mode": mode, "padding_mode": pad, "align_corners": align},
    )
    for mode in ("nearest", "linear", "cubic")
    for pad in ("zeros", "border", "reflection")
    for align in (0, 1)
] + [
    case("GridSample", VIDEO, floats(1, 2, 3, 4, 3), fixed=2, opset=20),
    case("GridSample", IMAGE, floats(2, 4, 5, 2), fixed=2, opset=16, mode="bicubic"),
]

SIGNAL = floats(2, 9, 4, 2) / 16

TRANSFORMS = [
    case("DFT", SIGNAL, opset=20),
    case("DFT", SIGNAL, None, np.array(1, np.int64), opset=20, inverse=1),
    case("DFT", SIGNAL, np.array(6, np.int64), np.array(1, np.int64), opset=20),
    case("DFT", SIGNAL, np.array(12, np.int64), np.array(1, np.int64), opset=20),
    case("DFT", SIGNAL[..., :1], None, np.array(1, np.int64), opset=20, onesided=1),
    case("DFT", SIGNAL[..., :1], opset=17, axis=2, onesided=1),
]

RESIZES = [
    *(
        case("Resize", IMAGE, None, f32(1, 1, 2, 0.6), coordinate_transformation_mode=place)
        for place in ("half_pixel", "pytorch_half_pixel", "asymmetric")
    ),
    *(
        case("Resize", IMAGE, None, f32(1, 1, 2, 0.7), nearest_mode=rounding)
        for rounding in ("round_prefer_ceil", "floor", "ceil")
    ),
    *(
        case("Resize", IMAGE, None, None, i64(2, 3, 4, 16), mode=mode, antialias=smooth)
        for mode in ("linear", "cubic")
        for smooth in (0, 1)
    ),
    case("Resize", IMAGE, None, None, i64(5, 5), mode="linear", axes=[3, 2]),
    case("Resize", LINE, None, None, i64(2, 3, 1), mode="linear"),
    case(
        *("Resize", IMAGE, None, None, i64(2, 3, 18, 21)),
        mode="linear",
        coordinate_transformation_mode="align_corners",
    ),
    case(
        *("Resize", IMAGE, None, None, i64(8, 8)),
        axes=[2, 3],
        keep_aspect_ratio_policy="not_larger",
    ),
    case(
        *("Resize", IMAGE, None, f32(1, 1, 1.5, 1.5)),
        mode="cubic",
        exclude_outside=1,
        cubic_coeff_a=-0.5,
    ),
    case(
        *("Resize", IMAGE, f32(0, 0, 0.2, -0.3, 1, 1, 0.8, 1.2), None, i64(2, 3, 6, 9)),
        mode="linear",
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=7.0,
    ),
    case("Upsample", IMAGE, f32(1, 1, 2, 3), opset=9),
    case("Upsample", IMAGE, f32(1, 1, 2, 2), opset=9, mode="linear"),
    case("Resize", IMAGE, f32(1, 1, 0.6, 1.5), opset=10),
    case("Resize", IMAGE, f32(1, 1, 0.6, 1.5), opset=10, mode="linear"),
]

BYTES = ints(4, 6, dtype="uint8", low=0, high=200)
PIXELS = ints(1, 3, 5, 6, dtype="uint8", low=0, high=200)
ENCODING = (scalar(1 / 64), np.array(90, np.uint8))

INTEGERS = [
    case(
        *("QLinearMatMul", BYTES, *ENCODING, ints(6, 5, dtype="int8"), scalar(0.125)),
        *(np.array(1, np.int8), scalar(0.25), np.array(100, np.uint8)),
    ),
    *(
        case(
            *("QLinearConv", PIXELS, *ENCODING, ints(4, 3, 2, 3, dtype="int8"), scales, zeros),
            *(scalar(0.25), np.array(100, np.uint8), *bias),
            pads=[1, 0, 0, 1],
        )
        for scales, zeros in (
            (scalar(0.125), np.array(0, np.int8)),
            (f32(0.125, 0.25, 0.0625, 0.5), np.zeros(4, np.int8)),
        )
        for bias in ((), (ints(4, high=500),))
    ),
    case("MatMulInteger", BYTES, ints(6, 5, dtype="int8")),
    case("MatMulInteger", BYTES, BYTES.T.copy(), np.array(7, np.uint8), np.array(3, np.uint8)),
    case("MatMulInteger", BYTES, BYTES.T.copy(), None, np.arange(4, dtype=np.uint8)),
    case("ConvInteger", PIXELS, ints(4, 3, 2, 3, low=0, dtype="uint8"), strides=[2, 1]),
    case("ConvInteger", PIXELS, PIXELS[:, :, :2, :3].copy(), *[np.array(9, np.uint8)] * 2),
]

LINEAR = [
    case("Gemm", SQUARE, floats(6, 5), floats(5)),
    case("Gemm", SQUARE, floats(5, 6), floats(1, 5), transB=1, alpha=0.5, beta=2.0),
    case("Gemm", floats(6, 4), floats(6, 5), floats(4, 5), transA=1, beta=0.5),
    case("Gemm", SQUARE, floats(6, 5)),
    case("Gemm", SQUARE, floats(6, 5), floats(4, 1), fixed=3, alpha=0.25),
    case("Gemm", SQUARE, floats(6, 5), scalar(2.0)),
    case("Gemm", SQUARE, floats(5, 6), floats(5), fixed=3, transB=1, beta=0.0),
    case("MatMul", SQUARE, floats(6, 5)),
    case("MatMul", floats(2, 1, 4, 6), floats(3, 6, 5), fixed=2),
    case("MatMul", floats(6), floats(6, 5), fixed=2),
    case("MatMul", SQUARE, floats(6), fixed=2),
    case("MatMul", floats(6), floats(6), fixed=2),
]

NORMS = [
    case("Softmax", IMAGE),
    case("Softmax", IMAGE, axis=1),
    case("Softmax", IMAGE, axis=1, opset=11),
    case("LogSoftmax", IMAGE, axis=2),
    case("LayerNormalization", IMAGE, floats(7), floats(7)),
    case("LayerNormalization", IMAGE, floats(9, 7), axis=2, epsilon=0.1),
    case("LayerNormalization", IMAGE, floats(1), axis=-1),
    case("LayerNormalization", IMAGE, floats(9, 7), axis=2, outputs=3),
    case("RMSNormalization", IMAGE, floats(7), opset=23),
    case("RMSNormalization", IMAGE, floats(9, 7), opset=23, axis=2, epsilon=0.1),
    case("BatchNormalization", IMAGE, *(np.abs(floats(3, seed=s)) for s in range(4))),
    case("BatchNormalization", SQUARE, *(np.abs(floats(6, seed=s)) for s in range(4))),
    case("BatchNormalization", LINE, *(np.abs(floats(3, seed=s)) for s in range(4)), epsilon=0.1),
    case("InstanceNormalization", IMAGE, floats(3), floats(3)),
    *(case("LRN", floats(2, 9, 3, 4), size=size, alpha=0.5, beta=0.6) for size in (1, 3, 5)),
    *(case("LpNormalization", IMAGE, axis=axis, p=p) for axis, p in ((1, 1), (-1, 2))),
]

REDUCTIONS = [
    *(
        case(op, np.abs(IMAGE), i64(1, -1), keepdims=keep)
        for op in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")
        for keep in (0, 1)
    ),
    *(case(op, BOOLS, i64(1), opset=20) for op in ("ReduceMax", "ReduceMin")),
    case("ReduceSum", IMAGE),
    case("ReduceSum", IMAGE, noop_with_empty_axes=1),
    case("ReduceMean", IMAGE, opset=13, axes=[2, 3]),
    case("ReduceL1", IMAGE, i64(2)),
    case("ReduceL2", IMAGE, i64(2)),
    case("ReduceSumSquare", IMAGE, i64(2), keepdims=0),
    case("ReduceLogSum", np.abs(IMAGE), i64(2)),
    case("ReduceLogSumExp", IMAGE, i64(1, 2), keepdims=0),
    *(
        case(op, floats(2, 0, 4), i64(1), keepdims=0)
        for op in ("ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceLogSumExp")
    ),
    case("ReduceMax", np.zeros((0, 3), np.int32), i64(0)),
    case("ArgMax", IMAGE, axis=1),
    case("ArgMax", IMAGE, axis=-1, keepdims=0),
    case("ArgMin", IMAGE, axis=2),
]

MOVEMENT = [
    case("Concat", SQUARE, floats(4, 2), fixed=2, axis=1),
    case("Concat", SQUARE, floats(2, 6), axis=-2),
    case("Split", SQUARE, outputs=3, axis=1, num_outputs=3),
    case("Split", SQUARE, i64(1, 3, 2), outputs=3, axis=-1),
    case("Split", SQUARE, outputs=2, opset=11),
    case("Split", SQUARE, i64(0, 6, 0), outputs=3, axis=1),
    case("Split", floats(0), i64(0, 0), outputs=2),
    case("Slice", SQUARE, i64(1, 5), i64(3, -7), None, i64(1, -2)),
    case("Slice", IMAGE, i64(2, -1), i64(100, -(2**63)), i64(2, -1), i64(3, -1)),
    case("Slice", SQUARE, opset=9, starts=[1], ends=[4], axes=[1]),
    case("Reshape", IMAGE, i64(2, -1, 7)),
    case("Reshape", IMAGE, i64(0, 0, -1)),
    case("Flatten", IMAGE),
    case("Flatten", IMAGE, axis=-1),
    case("Squeeze", floats(1, 4, 1), i64(0, -1)),
    case("Squeeze", floats(1, 4, 1)),
    case("Unsqueeze", SQUARE, i64(0, 3)),
    case("Unsqueeze", SQUARE, opset=11, axes=[1]),
    case("Transpose", IMAGE),
    case("Transpose", IMAGE, perm=[0, 2, 3, 1]),
    case("Pad", SQUARE, i64(1, 0, 2, 3), scalar(7.0)),
    case("Pad", IMAGE, i64(1, 2, 3, 4), None, i64(-1, 1)),
    case("Pad", SQUARE, opset=7, pads=[0, 1, 0, 1], value=0.5),
    case("Gather", SQUARE, PLACES),
    case("Gather", SQUARE, PLACES.astype(np.int32), fixed=2, axis=-1),
    case("Gather", SQUARE, np.array(-1, np.int64), axis=1),
    case("Tile", SQUARE, i64(2, 3)),
    case("Expand", floats(4, 1), i64(2, 1, 6)),
    case("Expand", SQUARE, i64(1)),
    case("Dropout", SQUARE),
    case("Dropout", SQUARE, outputs=2),
    case("Cast", SQUARE, to=6),
    case("Cast", SQUARE, to=9),
    case("Cast", ints(4, 6), to=1),
    case("Cast", SQUARE, to=1),
    case("CastLike", SQUARE, ints(1), fixed=2),
]

ALL = [
    *UNARY,
    *INVERSES,
    *TESTS,
    *BITS,
    *BINARY,
    *ELEMENT_WISE,
    *ACTIVATIONS,
    *CONVOLUTIONS,
    *POOLS,
    *POOLS_BY_AXIS,
    *RESIZES,
    *TRANSFORMS,
    *SAMPLES,
    *INTEGERS,
    *LINEAR,
    *NORMS,
    *REDUCTIONS,
    *MOVEMENT,
]

LOWERED = [
    *UNARY,
    *INVERSES,
    *TESTS,
    *BITS,
    *POOLS_BY_AXIS,
    *RESIZES,
    *TRANSFORMS,
    *SAMPLES,
    *INTEGERS,
]
"""Cases of ops that are several others in graph IR."""


@pytest.mark.parametrize("one", ALL, ids=str)
def test_same_as_onnx_runtime(one: Case) -> None:
    feeds, model = one.model()
    assert_same(model, feeds)


@pytest.mark.parametrize(
    ("direction", "expected"), [("LEFT", [-16, 0, 0, -128, -64]), ("RIGHT", [-4, -1, 0, -1, 1])]
)
def test_shifts_of_signed_numbers(direction: str, expected: Sequence[int]) -> None:
    """A right shift keeps the sign; amounts beyond the bits leave nothing else."""
    x, y = np.array([[-8, -1, 4, -1, 127], [1, 8, -1, 7, 6]], np.int8)
    node = helper.make_node("BitShift", ["x", "y"], ["z"], direction=direction)
    feeds = {"x": x, "y": y}
    session = Session(import_model(model_of([node], feeds, ["z"], {}, 28)))
    assert session.run(feeds)["z"].tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("one", LOWERED, ids=str)
def test_lowered_as_the_graph(one: Case) -> None:
    """Ops that are imported as several others run on the processor too."""
    feeds, model = one.model()
    module = import_model(model)
    graph, device = Session(module), Session(lower(module, tcm_bytes=1 << 20), check=True)
    for name, wanted in graph.run(feeds).items():
        np.testing.assert_allclose(device.run(feeds)[name], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("op", "outputs", "attributes"),
    [
        ("Dropout", ["y", "mask"], {}),
        ("LayerNormalization", ["y", "mean", "deviation"], {}),
        ("MaxPool", ["y", "indices"], {"kernel_shape": [2, 2]}),
    ],
)
def test_outputs_that_nobody_reads_may_have_names(
    op: str, outputs: list[str], attributes: dict[str, object]
) -> None:
    names = ["x", "scale"] if op == "LayerNormalization" else ["x"]
    node = helper.make_node(op, names, outputs, **attributes)
    constants = {name: floats(7) for name in names[1:]}
    assert_same(model_of([node], {"x": IMAGE}, ["y"], constants), {"x": IMAGE})


def test_half_precision() -> None:
    """f16 stays f16 on the way; ONNX Runtime rounds at other places, so the last bits differ."""
    image = IMAGE.astype(np.float16)
    constants = {
        "w": floats(4, 3, 3, 3).astype(np.float16),
        "low": np.array(0.125, np.float16),
        "high": np.array(0.75, np.float16),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("HardSigmoid", ["c"], ["s"]),
        helper.make_node("Clip", ["s", "low", "high"], ["y"]),
    ]
    model = model_of(nodes, {"x": image}, ["y"], constants)
    found = Session(import_model(model)).run({"x": image})["y"]
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, judged(model, {"x": image})["y"], atol=2e-3)
