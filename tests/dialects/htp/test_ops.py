"""Every native op: its documentation, its example, its text forms."""

import pytest
from htp_mlir.dialects.htp import CORE_OF, HTP, NATIVE_OPS
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from xdsl.utils.exceptions import ParseError

from ...support.examples import example_of, module_of
from ...support.roundtrip import assert_round_trips, assert_upstream_accepts, parse, to_text

_STATE_MODULE = f"""
{example_of(StateOp)}
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {{
  {example_of(StateReadOp)}
  {example_of(StateWriteOp)}
  func.return
}}
"""
_KERNEL_MODULE = """
func.func @main(%x: tensor<1x8x8x32xf32>) {
  %r = htp.Relu(%x) {kernel = "relu_float", note = 3 : i64}
    : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return
}
"""


@pytest.mark.parametrize("mnemonic", NATIVE_OPS)
def test_example_round_trips(mnemonic: str) -> None:
    example = example_of(NATIVE_OPS[mnemonic])
    assert f"htp.{mnemonic}(" in example
    assert_round_trips(module_of(example))


@pytest.mark.needs("mlir-opt")
def test_upstream_accepts_every_op() -> None:
    texts = [module_of(example_of(op)) for op in NATIVE_OPS.values()]
    generic = [to_text(parse(text), generic=True) for text in [*texts, _STATE_MODULE]]
    assert_upstream_accepts(generic)


@pytest.mark.parametrize("text", [_STATE_MODULE, _KERNEL_MODULE], ids=["state", "kernel"])
def test_module_round_trips(text: str) -> None:
    assert_round_trips(text)


def test_kernel_is_a_property_and_other_entries_are_attributes() -> None:
    (relu,) = (op for op in parse(_KERNEL_MODULE).walk() if op.name == "htp.Relu")
    assert set(relu.properties) == {"kernel"}
    assert set(relu.attributes) == {"note"}


@pytest.mark.parametrize("mnemonic", NATIVE_OPS)
def test_params_and_shapes_are_operands(mnemonic: str) -> None:
    op = NATIVE_OPS[mnemonic]
    assert op.OPERANDS
    assert set(op.PARAMS) <= set(op.OPERANDS)
    assert set(op.SHAPES) <= set(op.PARAMS)


def test_the_table_is_keyed_by_mnemonic() -> None:
    assert NATIVE_OPS["ConvLayer.opt.im2col_stride2"].name == "htp.ConvLayer.opt.im2col_stride2"
    assert {f"htp.{mnemonic}" for mnemonic in NATIVE_OPS} <= {op.name for op in HTP.operations}


def test_raw_and_core_forms_are_alike() -> None:
    assert CORE_OF["ElementWiseSubtract"] == "Sub"
    for raw, core in CORE_OF.items():
        assert NATIVE_OPS[raw].OPERANDS == NATIVE_OPS[core].OPERANDS
        assert NATIVE_OPS[raw].__base__ is NATIVE_OPS[core].__base__


def test_an_operand_that_is_named_is_refused() -> None:
    text = module_of(
        "%r = htp.Sub(b = %x, a = %y) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) "
        "-> tensor<1x1x1x2xf32>"
    )
    message = "htp.Sub: operand 'b' is named; operands go by position: a, b"
    with pytest.raises(ParseError, match=message):
        parse(text)
