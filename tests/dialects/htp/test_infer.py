"""What each native op's results are, from its operands."""

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.dialects.htp.ops.elementwise import (
    BinaryOp,
    ChoiceOp,
    CompareOp,
    LogicOp,
    UnaryLogicOp,
    UnaryOp,
)
from htp_mlir.dialects.htp.ops.reduce import ArgOp, ReduceOp
from htp_mlir.dialects.spec_of import spec_of
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ...support.native import I32_BIAS, U8, dims, f32, i32, infer, make, spec, t

Case = tuple[str, list[SSAValue], list[str]]

_X = "1x8x8x32xf32"
_HW = {"stride": i32(2, 2), "pad": i32(1, 1, 1, 1, dims=(1, 1, 2, 2)), "one": i32(1, 1)}
_LSTM = ["1x5x2x3xf32", "1x2x16x3xf32", "1x2x16x4xf32", "1x1x2x32xf32", "1x1x1x2xi32"]
_GRU = ["1x5x2x3xf32", "1x1x12x3xf32", "1x1x12x4xf32", "1x1x1x24xf32", "1x1x1x2xi32"]

_CONVOLUTIONS: list[Case] = [
    (
        "Conv2d",
        [t(_X), t("3x3x32x64xf32"), t("1x1x1x64xf32"), *_HW.values(), i32(1)],
        ["1x4x4x64xf32"],
    ),
    (
        "Conv2d",
        [t(_X), t("3x3x8x64xf32"), t("1x1x1x64xf32"), i32(1, 1), _HW["pad"], i32(2, 3), i32(4)],
        ["1x6x4x64xf32"],
    ),
    (
        "DepthWiseConv2d",
        [t(_X), t("3x3x1x64xf32"), t("1x1x1x64xf32"), *_HW.values()],
        ["1x4x4x64xf32"],
    ),
    (
        "TransposeConv2d",
        [t(_X), t("3x3x32x8xf32"), t("1x1x1x16xf32"), i32(2, 3), _HW["pad"], i32(1, 0), i32(2)],
        ["1x16x22x16xf32"],
    ),
    ("Conv2d_valid", [t(_X), t("3x5x32x64xf32"), dims(1, 1, 1, 1)], ["1x6x4x64xf32"]),
    (
        "ConvLayer_valid",
        [t(_X), t("3x3x32x64xf32"), dims(1, 2, 1, 1), t("1x1x1x64xf32")],
        ["1x3x6x64xf32"],
    ),
    (
        "ConvLayer_valid.clamp",
        [t(_X), t("3x3x32x4xf32"), dims(1, 1, 2, 1), t("1x1x1x4xf32"), f32(0), f32(6)],
        ["1x6x3x4xf32"],
    ),
    (
        "DepthwiseConvLayer_valid",
        [t(_X), t("3x3x1x32xf32"), dims(1, 1, 1, 1), t("1x1x1x32xf32")],
        ["1x6x6x32xf32"],
    ),
    (
        "DepthwiseConvLayer_valid.clamp",
        [t(_X), t("8x8x1x64xf32"), dims(1, 1, 1, 1), t("1x1x1x64xf32"), f32(0), f32(6)],
        ["1x1x1x64xf32"],
    ),
    (
        "TransposeConvLayer_valid",
        [t(_X), t("2x3x32x6xf32"), dims(1, 2, 3, 1), t("1x1x1x6xf32")],
        ["1x16x24x6xf32"],
    ),
    ("ConvLayer.opt.im2col_stride2", [t("2x9x10x3xf32"), dims(3, 5, 3, 8)], ["2x4x3x64xf32"]),
    ("ConvLayer.opt.weights_for_im2col", [t("3x5x3x8xf32")], ["1x1x64x8xf32"]),
]
_POOLS: list[Case] = [
    (
        "PoolMax2d",
        [t("1x8x7x3xf32"), i32(3, 3), i32(2, 2), i32(0, 0, 0, 0, dims=(1, 1, 2, 2)), i32(mode)],
        [result],
    )
    for mode, result in ((0, "1x3x3x3xf32"), (1, "1x4x3x3xf32"))
]
_POOLS += [
    # The fourth window would begin in the padding behind the input: it does not count.
    (
        "PoolMax2d",
        [t("1x6x6x3xf32"), i32(2, 2), i32(2, 2), i32(0, 1, 0, 0, dims=(1, 1, 2, 2)), i32(1)],
        ["1x3x3x3xf32"],
    ),
    (
        "PoolAvg2d",
        [t(_X), i32(2, 2), i32(2, 2), i32(0, 0, 1, 1, dims=(1, 1, 2, 2)), i32(0), i32(1)],
        ["1x4x5x32xf32"],
    ),
    ("MaxPool_valid", [t(_X), dims(1, 3, 2, 1), dims(1, 2, 1, 1)], ["1x3x7x32xf32"]),
    ("AvgPool_valid", [t(_X), dims(1, 8, 8, 1), dims(1, 1, 1, 1)], ["1x1x1x32xf32"]),
]
_IMAGES: list[Case] = [
    ("Resize", [t(_X), i32(5, 16), i32(1), i32(3), i32(0), i32(0), f32(-0.75)], ["1x5x16x32xf32"]),
    ("DepthToSpace", [t("1x8x8x36xi32"), i32(2, 3), i32(0)], ["1x16x24x6xi32"]),
    ("SpaceToDepth", [t("1x8x9x5xf32"), i32(2, 3), i32(1)], ["1x4x3x30xf32"]),
]
_IMAGES += [
    (
        "Resize_places",
        [t(_X), i32(5, 2, -1, 4, 1), i32(16, 0, 0, 1, 1), i32(1), i32(0), i32(0), f32(-0.75)],
        ["1x5x16x32xf32"],
    ),
    ("ResizeNearestNeighbor_shape", [t(_X), dims(1, 2, 3, 1)], ["1x16x24x32xf32"]),
    ("DepthToSpace_shape", [t(_X), dims(1, 2, 4, 1), i32(0)], ["1x16x32x4xf32"]),
    ("SpaceToDepth_shape", [t(_X), dims(1, 2, 4, 1), i32(0)], ["1x4x2x256xf32"]),
]
_LINEAR: list[Case] = [
    (mnemonic, [t("1x2x3x8xf32"), t("1x1x5x8xf32"), t("1x1x1x5xf32"), *more], ["1x2x3x5xf32"])
    for mnemonic, more in (
        ("FullyConnected", []),
        ("FullyConnected.clamp", [f32(0), f32(6)]),
        ("FullyConnected.gelu", []),
    )
]
_CODES = [t("1x1x6x4xui8"), t("1x1x1x16xf32"), t("1x1x6x2xf32"), t("1x1x1x1xui8")]
_LINEAR += [
    ("DecodeWeights", _CODES, ["1x1x6x8xf32"]),
    (
        "CodedFullyConnected",
        [t("1x2x3x8xf32"), *_CODES, t("1x1x1x6xf32")],
        ["1x2x3x6xf32"],
    ),
    ("MatMul", [t("1x4x8x3xf32"), t("2x1x3x5xf32"), i32(0), i32(0)], ["2x4x8x5xf32"]),
    ("MatMul", [t("1x1x3x8xf32"), t("1x1x5x3xf32"), i32(1), i32(1)], ["1x1x8x5xf32"]),
]
_LINEAR += [
    (
        "Attention",
        [
            *(t("2x3x4x8xf32"), t("2x1x5x8xf32"), t("1x3x5x6xf32"), t("1x1x4x5xf32")),
            *(f32(1), f32(0), i32(-9), i32(9)),
        ],
        ["2x3x4x6xf32"],
    )
]
_NORMS: list[Case] = [
    ("Softmax", [t(_X), i32(3), f32(1)], [_X]),
    ("LogSoftmax", [t(_X), i32(1), f32(2)], [_X]),
    ("LayerNorm", [t(_X), t("1x1x1x32xf32"), t("1x1x1x32xf32"), i32(3), f32(1e-5)], [_X]),
    ("RmsNorm", [t(_X), t("1x1x8x32xf32"), t("1x1x8x32xf32"), i32(2, 3), f32(1e-5)], [_X]),
    ("Batchnorm", [t(_X), t("1x1x1x32xf32"), t("1x1x1x32xf32")], [_X]),
]
_MOVEMENTS: list[Case] = [
    ("Concat", [i32(1), t("1x2x3x4xf32"), t("1x5x3x4xf32")], ["1x7x3x4xf32"]),
    ("Transpose", [t("1x2x3x4xf32"), i32(3, 0, 2, 1)], ["4x1x3x2xf32"]),
    (
        "Pad",
        [t("1x2x3x4xf32"), i32(0, 0, 1, 2, 0, 3, 4, 0, dims=(1, 1, 4, 2)), f32(0)],
        ["1x5x6x8xf32"],
    ),
    ("Gather", [t("1x2x3x4xf32"), t("1x1x1x9xi64"), i32(2)], ["1x2x9x4xf32"]),
    (
        "NonMaxSuppression",
        [t("1x2x9x4xf16"), t("1x2x5x9xf16"), f32(0), f32(0), i32(3)],
        ["1x1x30x3xi32", "1x1x1x1xi32"],
    ),
    ("TopK", [t("1x2x3x9xf16"), i32(4), i32(0)], ["1x2x3x4xf16", "1x2x3x4xi32"]),
    (
        "ScatterNd",
        [t("1x2x3x4xf32"), t("1x1x5x2xi64"), t("1x1x5x4xf32"), i32(1), i32(0)],
        ["1x2x3x4xf32"],
    ),
    ("Tile", [t("1x2x3x4xf32"), i32(2, 1, 3, 1)], ["2x2x9x4xf32"]),
    (
        "StridedSlice",
        [
            t("1x8x7x4xf32"),
            i32(0, 1, 1, 1, 8, 3, 6, -1, -2, 3, 3, 1, dims=(1, 1, 4, 3)),
        ],
        ["1x3x4x0xf32"],
    ),
    ("Slice_shape", [t(_X), dims(0, 4, 0, 1), dims(1, 4, 2, 31)], ["1x4x2x31xf32"]),
    (
        "SlicePad_shape",
        [t(_X), dims(0, 1, 1, 0), dims(0, 0, 0, 0), dims(1, 10, 9, 32), f32(0)],
        ["1x10x9x32xf32"],
    ),
]
_RECURRENT: list[Case] = [
    (
        "Lstm",
        [
            *map(t, _LSTM),
            *map(t, ["1x2x2x4xf32", "1x2x2x4xf32", "1x1x2x12xf32"]),
            *(i32(2), f32(0), i32(0)),
        ],
        ["5x2x2x4xf32", "1x2x2x4xf32", "1x2x2x4xf32"],
    ),
    (
        "Gru",
        [*map(t, _GRU), t("1x1x2x4xf32"), i32(1), f32(0), i32(0)],
        ["5x1x2x4xf32", "1x1x2x4xf32"],
    ),
    (
        "Lstm.pinned",
        [
            *map(t, [*_LSTM[:2], "1x2x16x1xf32", *_LSTM[3:]]),
            *map(t, ["1x2x2x4xf32", "1x2x2x4xf32", "1x1x2x12xf32"]),
            *(i32(2), f32(0), i32(0), t("1x2x16x3xf32")),
        ],
        ["5x2x2x4xf32", "1x2x2x4xf32", "1x2x2x4xf32"],
    ),
    (
        "Gru.pinned",
        [
            *map(t, [*_GRU[:2], "1x1x12x3xf32", *_GRU[3:], "1x1x2x4xf32"]),
            *(i32(1), f32(0), i32(0), t("1x1x12x1xf32")),
        ],
        ["5x1x2x4xf32", "1x1x2x4xf32"],
    ),
    (
        "BufferStep",
        [t("1x1x8x3xf32"), t("1x1x1x2xi32"), t("1x1x2x3xf32"), i32(2), i32(4), i32(1)],
        ["1x1x8x3xf32", "1x1x8x3xf32", "1x1x1x2xi32"],
    ),
    ("SequenceIds", [t("1x1x2x3xi32"), dims(2, 1, 1, 8)], ["2x1x1x8xi32"]),
]
_ACTIVATIONS: list[Case] = [
    ("Elu", [t(_X), f32(1)], [_X]),
    ("LeakyRelu", [t(_X), f32(0.01)], [_X]),
    ("Swish", [t(_X), f32(1.7)], [_X]),
    ("ReluMinMax", [t(_X), f32(0), f32(6)], [_X]),
    ("Clamp", [t(_X), f32(0), f32(6)], [_X]),
    ("Prelu", [t(_X), t("1x1x1x32xf32")], [_X]),
    ("BiasAdd", [t(_X), t("1x1x1x32xf32")], [_X]),
]
_CASES = [
    *(_CONVOLUTIONS + _POOLS + _IMAGES + _LINEAR + _NORMS),
    *(_MOVEMENTS + _RECURRENT + _ACTIVATIONS),
]
_FAMILIES: list[tuple[type, list[SSAValue], str]] = [
    (UnaryLogicOp, [t("1x8x8x32xi1")], "1x8x8x32xi1"),
    (UnaryOp, [t(_X)], _X),
    (CompareOp, [t("1x8x1x32xf32"), t("2x1x8x1xf32")], "2x8x8x32xi1"),
    (LogicOp, [t("1x8x8x32xi1"), t("1x1x1x32xi1")], "1x8x8x32xi1"),
    (BinaryOp, [t("1x8x1x32xf32"), t("2x1x8x1xf32")], "2x8x8x32xf32"),
    (ChoiceOp, [t("1x8x1x1xi1"), t("1x1x8x1xf32"), t("1x1x1x32xf32")], _X),
    (ReduceOp, [t(_X), i32(1, 3)], "1x1x8x1xf32"),
    (ArgOp, [t(_X), i32(2)], "1x8x1x32xi32"),
]
_STATED_BY_THE_RESULT = {"Reshape", "Cast", "BitCast", "Quantize", "Dequantize"}


def _found(mnemonic: str, operands: list[SSAValue]) -> list[object]:
    return [spec_of(result) for result in infer(mnemonic, *operands).results]


@pytest.mark.parametrize(("mnemonic", "operands", "results"), _CASES)
def test_results(mnemonic: str, operands: list[SSAValue], results: list[str]) -> None:
    assert _found(mnemonic, operands) == [spec(result) for result in results]


def _members() -> list[tuple[str, list[SSAValue], str]]:
    alone = {mnemonic for mnemonic, *_ in _CASES}
    rows = []
    for mnemonic, op in NATIVE_OPS.items():
        family = next((row for row in _FAMILIES if issubclass(op, row[0])), None)
        if family is not None and mnemonic not in alone:
            rows.append((mnemonic, *family[1:]))
    return rows


@pytest.mark.parametrize(("mnemonic", "operands", "result"), _members())
def test_results_of_families(mnemonic: str, operands: list[SSAValue], result: str) -> None:
    assert _found(mnemonic, operands) == [spec(result)]


def test_every_op_has_a_case() -> None:
    tested = {row[0] for row in _CASES} | {row[0] for row in _members()}
    copies = {name for name, op in NATIVE_OPS.items() if issubclass(op, CopyOp)}
    assert set(NATIVE_OPS) - tested == _STATED_BY_THE_RESULT | copies


def test_quantised_arithmetic_may_be_quantised_anew() -> None:
    x, other = t(f"1x8x8x32x{U8}"), "1x8x8x32x!quant.uniform<u16:f32, 0.001>"
    assert _found("Add", [x, x]) == [spec(f"1x8x8x32x{U8}")]
    make("Add", [x, x], other)
    with pytest.raises(VerifyException, match="result 0 has element type Float32, its inputs give"):
        make("Add", [x, x], "1x8x8x32xf32")
    with pytest.raises(VerifyException, match=r"has element type QUInt16 \(0.001:0\)"):
        make("Slice_shape", [x, dims(0, 0, 0, 0), dims(1, 8, 8, 32)], other)


def test_quantised_convolution_has_an_integer_bias() -> None:
    act, weights = t(f"1x8x8x32x{U8}"), t(f"3x3x32x64x{U8}")
    stride = dims(1, 1, 1, 1)
    make("ConvLayer_valid", [act, weights, stride, t(f"1x1x1x64x{I32_BIAS}")], f"1x6x6x64x{U8}")
    with pytest.raises(VerifyException, match="'bias' is Float32, operand 'act' is QUInt8"):
        make("ConvLayer_valid", [act, weights, stride, t("1x1x1x64xf32")], f"1x6x6x64x{U8}")


def test_narrow_integers_give_int32_products() -> None:
    operands = [t("1x1x2x3xi8"), t("1x1x3x4xi8"), i32(0), i32(0)]
    assert _found("MatMul", operands) == [spec("1x1x2x4xi32")]


def test_power_takes_an_exponent_of_another_type() -> None:
    assert _found("Pow", [t(_X), t("1x1x1x1xi32")]) == [spec(_X)]


def test_what_a_param_behind_a_copy_decides_is_left_open() -> None:
    make("Transpose", [t("1x2x3x4xf32"), t("1x1x1x4xi32")], "4x3x2x1xf32")
    with pytest.raises(VerifyException, match="its results do not follow from its operands"):
        infer("Transpose", t("1x2x3x4xf32"), t("1x1x1x4xi32"))


def test_places_of_operands_do_not_reach_the_result() -> None:
    placed = t("1x8x8x32xf32, #htp.place<crouton, tcm, 2048>")
    assert _found("Relu", [placed]) == [spec(_X)]
    make("Relu", [placed], "1x8x8x32xf32, #htp.place<flat, ddr>")
