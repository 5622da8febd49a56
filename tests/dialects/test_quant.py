"""!quant.uniform: upstream's print forms, its errors, and print-then-parse over random types."""

import math

import pytest
from htp_mlir.dialects.quant import UniformQuantizedType, quant_of, quantized_type
from htp_mlir.dialects.spec_of import spec_of_type, type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from hypothesis import given
from hypothesis import strategies as st
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ..support.roundtrip import ROUND_TRIPS, CheckText, context

STORED = {
    DType.QUInt8: (0, 255),
    DType.QInt8: (-128, 127),
    DType.QUInt16: (0, 65535),
    DType.QInt16: (-32768, 32767),
    DType.QInt32: (-(2**31), 2**31 - 1),
}

FORMS = {
    "u8:f32, 5.000000e-02:128": "u8:f32, 5.000000e-02:128",
    "u8:f32, 0.05:128": "u8:f32, 5.000000e-02:128",
    "i8:f32, 2.0": "i8:f32, 2.000000e+00",
    "i8:f32, 2.0:0": "i8:f32, 2.000000e+00",
    "i16:f32, 1.0:-7": "i16:f32, 1.000000e+00:-7",
    "u16:f32, 0.333333333333333333": "u16:f32, 0.33333333333333331",
    "i8:f32, 0.003921568859368563": "i8:f32, 0.0039215688593685627",
    "i8:f32:3, {0.1, 2.5:5}": "i8:f32:3, {1.000000e-01, 2.500000e+00:5}",
    "i8<-127:127>:f32, 0.1": "i8<-127:127>:f32, 1.000000e-01",
    "u8<0:255>:f32, 0.1": "u8:f32, 1.000000e-01",
    "i32<-2147483648:2147483647>:f32, 0.1": "i32:f32, 1.000000e-01",
    "u8:f32, 0x3FF0000000000000:128": "u8:f32, 1.000000e+00:128",
}
"""What upstream's mlir-opt prints for each spelling."""


def parse(text: str) -> UniformQuantizedType:
    type_ = Parser(context(), text).parse_type()
    assert isinstance(type_, UniformQuantizedType)
    return type_


@pytest.mark.parametrize(("written", "printed"), FORMS.items())
def test_prints_as_upstream(written: str, printed: str) -> None:
    assert str(parse(f"!quant.uniform<{written}>")) == f"!quant.uniform<{printed}>"


def test_value_object() -> None:
    dtype, quant = quant_of(parse("!quant.uniform<i8<-100:100>:f32:1, {0.5, 0.25:3}>"))
    assert dtype is DType.QInt8
    assert quant == Quant((0.5, 0.25), (0, 3), axis=1, low=-100, high=100)


def test_a_whole_range_has_one_form() -> None:
    whole = quantized_type(DType.QUInt8, Quant((1.0,), (0,), low=0, high=255))
    assert whole == quantized_type(DType.QUInt8, Quant((1.0,), (0,)))


BAD_TEXT = {
    "i4:f32, 1.0": "unknown storage type 'i4'; known are u8, i8, u16, i16, i32",
    "u8:f16, 1.0": "expressed type of !quant.uniform must be f32",
    "u8:f32, 2": "a scale is a float: write 2.0, not 2",
    "u8:f32": "',' expected",
    "u8:f32, true": "integer or float literal expected",
}
BAD_TYPES = {
    "u8:f32, 0.0": "scale 0 must be > 0",
    "u8:f32, -1.0": "scale -1 must be > 0",
    "u8:f32, 1.0e39": "scale 1e\\+39 must be > 0 and within f32's range",
    "u8:f32, 0x7FF0000000000000": "scale inf must be",
    "u8:f32, 0x7FF8000000000000": "scale nan must be",
    "u8:f32, 1.0:256": "zero point 256 is outside 0:255",
    "i8<-8:7>:f32, 1.0:8": "zero point 8 is outside -8:7",
    "i8<5:5>:f32, 1.0:5": "storage range 5:5 must rise within -128:127",
    "i8<-129:5>:f32, 1.0": "storage range -129:5 must rise within -128:127",
    "i8:f32:0, {}": "0 scales and 0 zero points",
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXT.items())
def test_refuses_text(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse(f"!quant.uniform<{text}>")


@pytest.mark.parametrize(("text", "message"), BAD_TYPES.items())
def test_refuses_type(text: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(f"!quant.uniform<{text}>")


def test_refuses_many_scales_without_an_axis() -> None:
    with pytest.raises(VerifyException, match="2 scales and 2 zero points"):
        quantized_type(DType.QInt8, Quant((1.0, 2.0), (0, 0)))


@pytest.mark.parametrize(
    ("shape", "axis", "message"),
    [
        ((4, 3), 1, "2 scales along axis 1, which has extent 3"),
        ((4,), 1, "along axis 1, the tensor has rank 1"),
    ],
)
def test_refuses_an_axis_that_does_not_fit(shape: tuple[int, ...], axis: int, message: str) -> None:
    quant = Quant((1.0, 2.0), (0, 0), axis=axis)
    with pytest.raises(VerifyException, match=message):
        spec_of_type(type_of(TensorSpec(shape, DType.QInt8, quant)))


@st.composite
def encodings(draw: st.DrawFn) -> tuple[DType, Quant]:
    dtype = draw(st.sampled_from(list(STORED)))
    low, high = whole = STORED[dtype]
    narrow = draw(st.booleans())
    if narrow:
        low = draw(st.integers(low, high - 1))
        high = draw(st.integers(low + 1, high))
    axis = draw(st.none() | st.integers(0, 3))
    count = 1 if axis is None else draw(st.integers(1, 4))
    scale = st.floats(2.0**-149, 1e38)
    scales = draw(st.lists(scale, min_size=count, max_size=count))
    zeros = draw(st.lists(st.integers(low, high), min_size=count, max_size=count))
    bounds = (None, None) if (low, high) == whole else (low, high)
    return dtype, Quant(tuple(scales), tuple(zeros), axis, *bounds)


@given(encodings())
def test_print_then_parse_is_the_identity(encoding: tuple[DType, Quant]) -> None:
    type_ = quantized_type(*encoding)
    again = parse(str(type_))
    assert again == type_
    assert quant_of(again) == encoding


@given(st.floats(2.0**-149, 1e38))
def test_a_scale_survives_exactly(scale: float) -> None:
    (again,) = quant_of(parse(str(quantized_type(DType.QInt8, Quant((scale,), (0,))))))[1].scales
    assert math.copysign(1.0, again) == 1.0
    assert again == scale


@ROUND_TRIPS
def test_every_form_round_trips(round_trips: CheckText) -> None:
    arguments = [
        f"%a{i}: tensor<2x!quant.uniform<{form}>>"
        for i, form in enumerate(FORMS)
        if ":f32:3" not in form
    ]
    round_trips(f"builtin.module {{ func.func @main({', '.join(arguments)}) {{\n func.return }} }}")
