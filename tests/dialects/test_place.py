"""#htp.place and !htp.shape: text forms, errors, and print-then-parse over random values."""

import pytest
from htp_mlir.dialects.htp.types import ShapeType
from htp_mlir.dialects.place_attr import PlaceAttr
from htp_mlir.dialects.spec_of import spec_of_type
from htp_mlir.dialects.value.spec import LayoutKind, Memory, Place
from hypothesis import given
from hypothesis import strategies as st
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ..support.roundtrip import ROUND_TRIPS, CheckText, context

TENSORS = [
    "tensor<1x56x56x64xf32, #htp.place<crouton, tcm, 4096>>",
    "tensor<1x56x56x64xf16, #htp.place<crouton, tcm>>",
    "tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton4x1, ddr>>",
    "tensor<2x3xi32, #htp.place<flat, tcm, 0>>",
    "tensor<3x3x4x8xi8, #htp.place<weights, ddr>>",
]


def attribute(text: str) -> Attribute:
    return Parser(context(), text).parse_attribute()


def test_text_becomes_the_value_object() -> None:
    spec = spec_of_type(attribute(TENSORS[0]))
    assert spec.place == Place(LayoutKind.CROUTON, Memory.TCM, 4096)


@ROUND_TRIPS
def test_tensors_round_trip(round_trips: CheckText) -> None:
    arguments = ", ".join(f"%a{i}: {tensor}" for i, tensor in enumerate(TENSORS))
    module = f"builtin.module {{ func.func @main({arguments}) {{\n func.return }} }}"
    round_trips(module)


BAD_TEXT = {
    "#htp.place<croutn, tcm>": "unknown layout 'croutn'; did you mean 'crouton'\\? known are flat",
    "#htp.place<flat, l2>": "unknown memory 'l2'; known are ddr, tcm",
    "#htp.place<flat>": "',' expected",
    "#htp.place<flat, tcm, x>": "Expected integer",
}
BAD_ATTRIBUTES = {
    "#htp.place<flat, tcm, -4>": "offset -4 must be >= 0",
    "#htp.place<flat, ddr, 4>": "only a tensor in tcm carries an offset",
}
BAD_TENSORS = {
    "tensor<8x32xf32, #htp.place<crouton, tcm>>": "layout crouton needs rank 4",
    "tensor<1x8x8x32xf32, #htp.place<crouton4x1, tcm>>": "no form for 4-byte elements",
    "tensor<1x8x8x32xi64, #htp.place<crouton, tcm>>": "no form for 8-byte elements",
    'tensor<1x8x8x32xf32, "sparse">': "the encoding must be #htp.place",
    "tensor<1x?xf32>": "every dim must be a number",
    "tensor<*xf32>": "expected a ranked tensor",
    "tensor<2xf80>": "element type f80 is not supported",
    "tensor<2xi3>": "element type i3 is not supported",
    "f32": "expected a ranked tensor",
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXT.items())
def test_refuses_text(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        attribute(text)


@pytest.mark.parametrize(("text", "message"), BAD_ATTRIBUTES.items())
def test_refuses_attribute(text: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        attribute(text)


@pytest.mark.parametrize(("text", "message"), BAD_TENSORS.items())
def test_refuses_tensor(text: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        spec_of_type(attribute(text))


@st.composite
def places(draw: st.DrawFn) -> Place:
    memory = draw(st.sampled_from(Memory))
    offset = draw(st.none() | st.integers(0, 2**40)) if memory is Memory.TCM else None
    return Place(draw(st.sampled_from(LayoutKind)), memory, offset)


@given(places())
def test_place_survives_print_then_parse(place: Place) -> None:
    again = attribute(str(PlaceAttr(place)))
    assert isinstance(again, PlaceAttr)
    assert again.place == place


@given(st.lists(st.integers(0, 2**40), min_size=4, max_size=4))
def test_shape_survives_print_then_parse(dims: list[int]) -> None:
    again = Parser(context(), str(ShapeType(dims))).parse_type()
    assert again == ShapeType(dims)
