"""What text may say in the place of a constant's data, and what any xDSL tool makes of it."""

from io import StringIO

import pytest
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, NameLoc, StringAttr
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from ...support.roundtrip import context, parse, to_text
from .bits import from_text

MIXED = "[0x7F800000, -0.0, 0x7FC00001, 1234567.0]"
BYTES = bytes.fromhex("0000807F000000800100C07F38B49649")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense<0x1FF800000> : tensor<2xf32>", "the number does not fit f32"),
        ("dense<-0x7F800000> : tensor<2xf32>", "the number does not fit f32"),
        ("dense<65520.0> : tensor<2xf16>", "the number does not fit f16"),
        ("dense<300> : tensor<2xi8>", "300 does not fit i8"),
        ("dense<-1> : tensor<2xui8>", "non-negative"),
        ("dense<1.5> : tensor<2xi8>", "Expected integer value"),
        ("dense<true> : tensor<2xi8>", "only allowed for i1"),
        ("dense<1> : tensor<2xcomplex<f32>>", "(real, imaginary)"),
        ("dense<1.0> : tensor<?xf32>", "static shape"),
        ("dense<[1, 2, 3]> : tensor<2xi8>", "Shape mismatch"),
        ("dense<[[1, 2], [3]]> : tensor<2x2xi8>", "inconsistent ranks"),
        ("dense<> : tensor<2xi8>", "Shape mismatch"),
        ('dense<"0x010203"> : tensor<2xi8>', "Shape mismatch"),
        ('dense<"0x010203"> : tensor<9xi1>', "Shape mismatch"),
        ('dense<"0xZZ"> : tensor<2xi8>', "Hex string"),
        ("0x1FF800000 : f32", "does not fit f32"),
        ("array<f32: 1.0, 0x1FF800000>", "does not fit f32"),
    ],
)
def test_data_that_does_not_fit_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refusal:
        from_text(text)
    assert message in refusal.value.msg


@pytest.mark.parametrize(
    "text",
    [
        "dense<> : tensor<0x4xf32>",
        "dense<> : tensor<2x0xf32>",
        "dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>",
        "dense<-9223372036854775808> : tensor<2xindex>",
    ],
)
def test_rare_forms_come_back(text: str) -> None:
    assert str(from_text(text)) == text


def constant(op: str) -> str:
    """A module with a constant that plain decimals cannot say."""
    return f"%0 = {op} dense<{MIXED}> : tensor<4xf32> -> tensor<4xf32>"


def data(text: str, parser_class: type[Parser] = Parser) -> bytes:
    (op,) = parser_class(context(), text).parse_module().ops
    value = op.properties["value"]
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return value.data.data


@pytest.mark.parametrize("op", ["htp.Const", "qti_aisw.Const"])
def test_any_xdsl_tool_reads_and_prints_our_pretty_form(op: str) -> None:
    assert data(constant(op)) == BYTES
    stream = StringIO()
    Printer(stream).print_op(parse(constant(op)))
    assert data(stream.getvalue()) == BYTES


def test_any_xdsl_tool_reads_the_generic_form_that_we_print() -> None:
    assert data(to_text(parse(constant("htp.Const")), generic=True)) == BYTES


def test_letters_beyond_ascii_come_back_in_names_and_locations() -> None:
    name = '"gr\\C3\\BC\\C3\\9F"'
    (op,) = parse(f"module attributes {{a = {name}}} {{}} loc({name})").walk()
    assert op.attributes["a"] == StringAttr("grüß")
    assert isinstance(op.location, NameLoc)
    assert op.location.desc == StringAttr("grüß")


def test_bytes_that_are_no_text_stay_bytes() -> None:
    assert from_text('"\\FF\\C3"') == BytesAttr(b"\xff\xc3")
