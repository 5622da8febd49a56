"""Native ops as xDSL sees them: classes by name, op definitions, IRDL, rewrite patterns."""

import pytest
from htp_mlir.dialects import htp
from htp_mlir.dialects.htp import HTP, NATIVE_OPS, NativeOp, ShapeType
from htp_mlir.dialects.htp.fields import param_def, shape_def, tensor_def, tensors_def
from xdsl.dialects.irdl import OperandsOp, OperationOp
from xdsl.dialects.irdl.pyrdl_to_irdl import dialect_to_irdl
from xdsl.irdl import OperandDef, VarOperandDef, VerificationContext
from xdsl.pattern_rewriter import PatternRewriteWalker
from xdsl.utils.exceptions import VerifyException

from ...support.native import t
from ...support.roundtrip import parse
from .typed_pattern import ClampOnce

TENSOR, SHAPE = t("1x1x1x1xf32").type, ShapeType((1, 1, 1, 1))
CLAMPED = """
func.func @main(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x32x64xf32>, %b: tensor<1x1x1x64xf32>,
    %low: tensor<1x1x1x1xf32>, %high: tensor<1x1x1x1xf32>) -> tensor<1x6x6x64xf32> {
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %c = htp.ConvLayer_valid.clamp(%x, %w, %s, %b, %low, %high) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x64xf32>,
    tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6x64xf32>
  %r = htp.Clamp(%c, %low, BOUND) :
    (tensor<1x6x6x64xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6x64xf32>
  func.return %r : tensor<1x6x6x64xf32>
}
"""


class Base(NativeOp):
    """Two operands."""

    act = tensor_def()
    axis = param_def()


class Leaf(Base):
    """Two more, and one again."""

    name = "Own.Leaf"

    in_ = tensor_def()
    axis = param_def()
    size = shape_def()
    rest = tensors_def()


def test_fields_of_a_base_come_first_and_one_declared_again_moves() -> None:
    assert Leaf.OPERANDS == ("act", "in", "axis", "size", "rest...")
    assert (Leaf.PARAMS, Leaf.SHAPES) == (("axis", "size"), ("size",))
    assert Base.OPERANDS == ("act", "axis")


def test_a_field_of_an_op_is_its_operand() -> None:
    values = [t("1x1x1x1xf32") for _ in range(6)]
    leaf = Leaf.create(operands=values)
    assert (leaf.in_, leaf.axis, list(leaf.rest)) == (values[1], values[2], list(values[4:]))


@pytest.mark.parametrize("mnemonic", NATIVE_OPS)
def test_every_op_is_importable_by_name(mnemonic: str) -> None:
    op = NATIVE_OPS[mnemonic]
    assert getattr(htp, op.__name__) is op


@pytest.mark.parametrize("mnemonic", NATIVE_OPS)
def test_the_definition_constrains_every_operand(mnemonic: str) -> None:
    op = NATIVE_OPS[mnemonic]
    definition = op.get_irdl_definition()
    assert definition.name == op.name
    names = [
        name.removesuffix("_") + ("..." if isinstance(operand, VarOperandDef) else "")
        for name, operand in definition.operands
    ]
    assert tuple(names) == op.OPERANDS
    assert len(definition.results) == op.RESULTS
    for name, operand in zip(names, (operand for _, operand in definition.operands), strict=True):
        _check_constraint(operand, name in op.SHAPES)


def _check_constraint(operand: OperandDef, is_shape: bool) -> None:
    right, wrong = (SHAPE, TENSOR) if is_shape else (TENSOR, SHAPE)
    operand.constr.verify([right], VerificationContext())
    with pytest.raises(VerifyException):
        operand.constr.verify([wrong], VerificationContext())


def test_irdl_says_which_operands_an_op_has() -> None:
    (concat,) = (
        op
        for op in dialect_to_irdl(HTP, "htp").walk()
        if isinstance(op, OperationOp) and op.sym_name.data == "Concat"
    )
    (operands,) = (op for op in concat.walk() if isinstance(op, OperandsOp))
    assert [name.data for name in operands.names] == ["axis", "parts"]
    assert [each.data for each in operands.variadicity.value] == ["single", "variadic"]


@pytest.mark.parametrize(("bound", "left"), [("%high", 0), ("%low", 1)])
def test_a_pattern_on_an_op_class(bound: str, left: int) -> None:
    module = parse(CLAMPED.replace("BOUND", bound))
    PatternRewriteWalker(ClampOnce()).rewrite_module(module)
    assert sum(op.name == "htp.Clamp" for op in module.walk()) == left
