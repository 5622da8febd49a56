"""What the verifiers of native ops refuse, and in which words."""

import re
from collections.abc import Sequence

import pytest
from htp_mlir.dialects.htp.types import ShapeType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ...support.native import U8, dims, f32, i32, infer, make, t

_X = t("1x8x8x32xf32")
_W = t("3x3x32x64xf32")
_B = t("1x1x1x64xf32")
_ONE = dims(1, 1, 1, 1)
_PAD = i32(0, 0, 0, 0, dims=(1, 1, 2, 2))
_UNIT = i32(1, 1)
_LSTM = [
    *map(t, ["1x5x2x3xf32", "1x1x16x3xf32", "1x1x16x4xf32", "1x1x1x32xf32", "1x1x1x2xi32"]),
    *map(t, ["1x1x2x4xf32", "1x1x2x4xf32", "1x1x1x12xf32"]),
    *(i32(0), f32(0), i32(0)),
]
_STEP = [t("1x1x8x3xf32"), t("1x1x1x2xi32"), t("1x1x2x3xf32"), i32(2), i32(4), i32(1)]


def _but(operands: Sequence[SSAValue], **changed: SSAValue) -> list[SSAValue]:
    """The operands with some replaced: `_but(_LSTM, at_3=value)`."""
    places = {int(key.removeprefix("at_")): value for key, value in changed.items()}
    return [places.get(index, operand) for index, operand in enumerate(operands)]


def _ranges(*numbers: int) -> SSAValue:
    return i32(*numbers, *(0, 1, 1) * 3, dims=(1, 1, 4, 3))


_CONVOLUTIONS = [
    (
        "ConvLayer_valid",
        [_X, _W, _ONE, t("1x1x2x64xf32")],
        "htp.ConvLayer_valid: operand 'bias' has extent 2 in dim 2, it must be 1",
    ),
    (
        "Conv2d_valid",
        [_X, t("3x3x16x64xf32"), _ONE],
        "operand 'weights' has extent 16 in dim 2, operand 'act' gives 32; they must be equal",
    ),
    (
        "Conv2d_valid",
        [_X, t("9x3x32x64xf32"), _ONE],
        "operand 'act' has extent 8 in dim 1, windows of 9, 1 apart, do not fit",
    ),
    (
        "Conv2d_valid",
        [_X, t("3x3x32x64xf16"), _ONE],
        "operand 'weights' is Float16, operand 'act' is Float32; they must be equal",
    ),
    (
        "ConvLayer_valid.clamp",
        [_X, _W, _ONE, _B, t("1x1x1x2xf32"), f32(6)],
        "param 'min' has 2 numbers, it takes 1",
    ),
    (
        "DepthwiseConvLayer_valid",
        [_X, t("3x3x2x32xf32"), _ONE, t("1x1x1x32xf32")],
        "operand 'weights' has extent 2 in dim 2, it must be 1",
    ),
    (
        "DepthwiseConvLayer_valid",
        [_X, t("3x3x1x48xf32"), _ONE, t("1x1x1x48xf32")],
        "operand 'act' has extent 32 in dim 3, operand 'weights' gives 48; that must be a multiple",
    ),
    (
        "Conv2d",
        [_X, _W, _B, _UNIT, _PAD, _UNIT, i32(2)],
        "operand 'in' has extent 32 in dim 3, operand 'filter' gives 2 groups of 32",
    ),
    (
        "Conv2d",
        [_X, t("3x3x8x6xf32"), t("1x1x1x6xf32"), _UNIT, _PAD, _UNIT, i32(4)],
        "operand 'filter' has extent 6 in dim 3, it must be a multiple of 4",
    ),
    (
        "Conv2d",
        [_X, _W, _B, i32(0, 1), _PAD, _UNIT, i32(1)],
        "param 'stride' is (0, 1), each must be >= 1",
    ),
    (
        "Conv2d",
        [_X, _W, _B, _UNIT, i32(0, -1, 0, 0, dims=(1, 1, 2, 2)), _UNIT, i32(1)],
        "param 'pad_amount' is (0, -1, 0, 0), each must be >= 0",
    ),
    (
        "Conv2d",
        [_X, _W, _B, _UNIT, _PAD, i32(1, 1, 1), i32(1)],
        "param 'dilation' has 3 numbers, it takes 2",
    ),
    (
        "Conv2d",
        [_X, _W, _B, _UNIT, _PAD, i32(1, 4), i32(1)],
        "operand 'in' has extent 8 in dim 2, windows of 9, 1 apart, do not fit with",
    ),
    (
        "TransposeConv2d",
        [t("1x1x1x32xf32"), _W, _B, _UNIT, i32(2, 1, 0, 0, dims=(1, 1, 2, 2)), i32(0, 0), i32(1)],
        "the result would be 0 x 3",
    ),
    (
        "ConvLayer.opt.im2col_stride2",
        [_X, dims(9, 3, 32, 64)],
        "a filter 9x3 does not fit into 8x8",
    ),
]
_POOLS = [
    (
        "PoolMax2d",
        [_X, _UNIT, _UNIT, _PAD, i32(2)],
        "param 'rounding_mode' is 2, it must be from 0 to 1",
    ),
    (
        "PoolAvg2d",
        [_X, _UNIT, _UNIT, _PAD, i32(0), i32(3)],
        "param 'count_pad_for_edges' is 3, it must be from 0 to 1",
    ),
]
_ELEMENTWISE = [
    ("Add", [_X, t("1x8x8x32xi32")], "operand 'b' is Int32, operand 'a' is Float32"),
    ("Add", [t("1x1x1x1xi1")] * 2, "operand 'a' has element type Bool8, it must be a number"),
    ("And", [t("1x1x1x1xi1"), f32(1)], "operand 'b' is Float32, operand 'a' is Bool8"),
    ("And", [_X, _X], "operand 'a' has element type Float32, it must be i1 or an integer"),
    ("Not", [_X], "operand 'in' has element type Float32, it must be i1 or an integer"),
    ("Exp", [t("1x1x1x1xi1")], "operand 'in' has element type Bool8, it must be a number"),
    ("Select", [_X, _X, _X], "operand 'cond' has element type Float32, it must be i1"),
    ("Prelu", [_X, i32(1)], "operand 'slope' is Int32, operand 'in' is Float32"),
]
_LINEAR = [
    (
        "FullyConnected",
        [_X, t("1x1x5x32xf32"), t("1x1x1x6xf32")],
        "operand 'bias' has extent 6 in dim 3, operand 'weights' gives 5; they must be equal",
    ),
    (
        "MatMul",
        [_X, t("1x4x32x5xf32"), i32(0), i32(0)],
        "'in1' has extent 4 in dim 1, operand 'in0' gives 8; they must be equal, or one of them 1",
    ),
]
_NORMS = [
    ("Softmax", [_X, i32(-1), f32(1)], "param 'axis' is -1, it must be from 0 to 3"),
    ("Softmax", [_X, f32(3), f32(1)], "param 'axis' is Float32, it must hold integers"),
    ("RmsNorm", [_X, _B, _B, i32(3, 3), f32(1)], "param 'axes' is (3, 3), each may occur once"),
    (
        "Batchnorm",
        [_X, _B, _B],
        "operand 'weights' has extent 64 in dim 3, operand 'in' gives 32; they must be equal",
    ),
    ("Argmax", [_X, i32(1, 2)], "param 'axis' has 2 numbers, it takes 1"),
]
_MOVEMENTS = [
    ("Concat", [i32(1)], "htp.Concat: has no parts"),
    ("Concat", [i32(1), _X, t(f"1x8x8x32x{U8}")], "the parts differ in dtype or quantisation"),
    ("Transpose", [_X, i32(0, 1, 1, 3)], "param 'perm' is (0, 1, 1, 3), each may occur once"),
    (
        "Pad",
        [_X, i32(*range(-1, 7), dims=(1, 1, 4, 2)), f32(0)],
        "param 'pad_amount' is (-1, 0, 1, 2, 3, 4, 5, 6), each must be >= 0",
    ),
    (
        "Gather",
        [_X, f32(0), i32(1)],
        "operand 'indices' has element type Float32, it must be i32 or i64",
    ),
    ("Gather", [_X, t("1x1x2x5xi32"), i32(1)], "'indices' is 1x1x2x5, it must be 1x1x1xn"),
    ("TopK", [_X, i32(33), i32(1)], "param 'k' is 33, the last dim has extent 32"),
    (
        "ScatterNd",
        [_X, t("1x1x5x1xi32"), t("1x1x5x32xf32"), i32(1), i32(0)],
        "operand 'updates' is 1x1x5x32, the others give 1x1x5x256",
    ),
    (
        "ScatterNd",
        [_X, t("1x1x5x2xi32"), t("1x1x5x1xf32"), i32(3), i32(0)],
        "the axis is 3, the input 1x8x8x32 has other dims than 1 before it",
    ),
    ("Tile", [_X, i32(1, 0, 1, 1)], "param 'multiples' is (1, 0, 1, 1), each must be >= 1"),
    (
        "StridedSlice",
        [_X, _ranges(0, 1, 0)],
        "param 'ranges' takes 0:1:0 of dim 0, which has extent 1",
    ),
    (
        "StridedSlice",
        [_X, _ranges(0, 2, 1)],
        "param 'ranges' takes 0:2:1 of dim 0, which has extent 1",
    ),
    (
        "StridedSlice",
        [_X, _ranges(0, -2, -1)],
        "param 'ranges' takes 0:-2:-1 of dim 0, which has extent 1",
    ),
]
_RECURRENT = [
    (
        "Lstm",
        _but(_LSTM, at_3=t("1x1x1x16xf32")),
        "htp.Lstm: operand 'B' has shape 1x1x1x16, it must be 1x1x1x32",
    ),
    (
        "Lstm",
        _but(_LSTM, at_7=t("1x1x1x16xf32")),
        "operand 'P' has shape 1x1x1x16, it must be 1x1x1x12",
    ),
    (
        "Lstm",
        _but(_LSTM, at_4=t("1x1x1x2xi64")),
        "operand 'sequence_lens' has element type Int64, it must be i32",
    ),
    ("Lstm", _but(_LSTM, at_8=i32(2)), "param 'direction' is 2, the weights have 1 directions"),
    ("Lstm", _but(_LSTM, at_8=i32(3)), "param 'direction' is 3, it must be from 0 to 2"),
    (
        "Lstm",
        _but(_LSTM, at_1=t("1x1x16x3xf16")),
        "operand 'W' is Float16, operand 'X' is Float32; they must be equal",
    ),
    (
        "Lstm.pinned",
        [*_LSTM, t("1x1x16x2xf32")],
        "operand 'W' has shape 1x1x16x3, it must be 1x1x24x3",
    ),
    (
        "Lstm.pinned",
        [*_but(_LSTM, at_2=t("1x1x16x2xf32")), t("1x1x12x2xf32")],
        "operand 'R_pinned' has shape 1x1x12x2, it must be 1x1x16x2",
    ),
    (
        "BufferStep",
        _but(_STEP, at_4=i32(3)),
        "param 'stride' is 3, it must be a multiple of 2 from 2 to 8",
    ),
    (
        "BufferStep",
        _but(_STEP, at_4=i32(10)),
        "param 'stride' is 10, it must be a multiple of 2 from 2 to 8",
    ),
    ("BufferStep", _but(_STEP, at_5=i32(0)), "param 'mode' is 0, it must be from 1 to 2"),
    (
        "BufferStep",
        _but(_STEP, at_2=t("1x1x2x4xf32")),
        "operand 'inp' has shape 1x1x2x4, it must be 1x1x2x3",
    ),
    (
        "BufferStep",
        _but(_STEP, at_2=t("1x1x2x3xf16")),
        "operands 'content' and 'inp' differ in dtype or quantisation",
    ),
    (
        "SequenceIds",
        [t("1x1x2x3xi32"), dims(1, 1, 1, 8)],
        "operand 'size' is 1x1x1x8, it must be 2x1x1xc",
    ),
]
_SHARED = [
    ("Concat", [], "htp.Concat: has 0 operands, at least 1 are needed"),
    ("Relu", [_ONE], "operand 'in' must be a tensor"),
]


@pytest.mark.parametrize(
    ("mnemonic", "operands", "message"),
    [
        *(_CONVOLUTIONS + _POOLS + _ELEMENTWISE + _LINEAR + _NORMS),
        *(_MOVEMENTS + _RECURRENT + _SHARED),
    ],
)
def test_operands_refused(mnemonic: str, operands: list[SSAValue], message: str) -> None:
    with pytest.raises(VerifyException, match=rf"^htp\.{mnemonic}: ") as raised:
        infer(mnemonic, *operands)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("mnemonic", "operands", "result", "message"),
    [
        ("Relu", [_X], "1x8x8x32xf16", "result 0 has element type Float16"),
        ("Relu", [_X], "8x8x32xf32", "result 0 has rank 3, native tensors have rank 4"),
        ("Less", [_X, _X], "1x8x8x32xf32", "result 0 has element type Float32, it must be i1"),
        ("Reshape", [_X], "8x8x32xi32", "result 0 has element type Int32"),
        ("Cast", [_X], "1x8x8x31xi32", "result 0 has shape 1x8x8x31"),
        ("BitCast", [_X], "1x8x8x32xf16", "Float32 of 4 bytes cannot be read as Float16 of 2 by"),
        ("BitCast", [t("1x1x1x2xi8")], "1x1x1x2xi1", "Int8 of 1 bytes cannot be read as Bool8"),
        ("Quantize", [i32(1)], f"1x1x1x1x{U8}", "'in' has element type Int32, it must be a float"),
        ("Dequantize", [_X], "1x8x8x32xf32", "'in' has element type Float32, it must be quant"),
        (
            "Dequantize",
            [t(f"1x1x1x2x{U8}")],
            "1x1x1x2xi8",
            "result 0 has element type Int8, it must be f32",
        ),
    ],
)
def test_results_refused(
    mnemonic: str, operands: list[SSAValue], result: str, message: str
) -> None:
    with pytest.raises(VerifyException, match=rf"^htp\.{mnemonic}: .*{re.escape(message)}"):
        make(mnemonic, operands, result)


def test_number_of_results() -> None:
    with pytest.raises(VerifyException, match=r"htp\.Relu: has 2 results, its rule gives 1"):
        make("Relu", [_X], "1x8x8x32xf32", "1x8x8x32xf32")


@pytest.mark.parametrize("numbers", [(1, 2, 3), (1, 2, 3, 4, 5), (1, -1, 1, 1)])
def test_shape_type_has_four_dims(numbers: tuple[int, ...]) -> None:
    with pytest.raises(VerifyException, match="must be 4 numbers, all >= 0"):
        ShapeType(numbers)
