"""Schemas of element-wise ops, activations and conversions of the element type."""

from __future__ import annotations

from xdsl.ir import Operation

from .....dialects.htp.ops import activation, copies, elementwise, quantize
from .....dialects.value.dtypes import DType
from ..template import ELEMENTS, GraphTemplate, OpTemplate
from .common import FLOATS, QUANTIZED, Schema, broadcast, kind_of, numbers, real, row

_PLAIN = tuple(dtype for dtype in ELEMENTS if not dtype.is_quantized)
_REAL = (*FLOATS, *QUANTIZED)
_LEAST = -8


def unary(template: GraphTemplate, op: OpTemplate) -> None:
    """The result has the operand's shape and dtype."""
    source, result = op.operands[0], op.results[0]
    numbers(template, source, result)
    template.same_dims(source, result)


def scaled(template: GraphTemplate, op: OpTemplate) -> None:
    """As `unary`, with a factor."""
    unary(template, op)
    real(template, op.slot("alpha"), template.number(1, 8))


def bounded(template: GraphTemplate, op: OpTemplate) -> None:
    """As `unary`, with a least and a greatest value."""
    unary(template, op)
    bounds(template, op)


def bounds(template: GraphTemplate, op: OpTemplate) -> None:
    """The params min and max, min <= max."""
    low, high, gap = (
        template.number(_LEAST, 8, 12),
        template.number(_LEAST, 32),
        template.number(0, 24),
    )
    real(template, op.slot("min"), low)
    real(template, op.slot("max"), high)
    template.total(high, low, gap)


def negation(template: GraphTemplate, op: OpTemplate) -> None:
    """Bool8 to Bool8."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, DType.Bool8)
    template.like(source, result)


def binary(template: GraphTemplate, op: OpTemplate) -> None:
    """Two operands of one dtype, which broadcast."""
    a, b, result = op.slot("a"), op.slot("b"), op.results[0]
    numbers(template, a, b, result)
    broadcast(template, result, a, b)


def comparison(template: GraphTemplate, op: OpTemplate) -> None:
    """Two operands of one dtype; the result is Bool8."""
    a, b, result = op.slot("a"), op.slot("b"), op.results[0]
    template.same_dtype(a, b)
    template.dtype_in(result, DType.Bool8)
    broadcast(template, result, a, b)


def logic(template: GraphTemplate, op: OpTemplate) -> None:
    """All three are Bool8."""
    a, b, result = op.slot("a"), op.slot("b"), op.results[0]
    for slot in (a, b, result):
        template.dtype_in(slot, DType.Bool8)
    broadcast(template, result, a, b)


def choice(template: GraphTemplate, op: OpTemplate) -> None:
    """A condition and two operands of one dtype."""
    condition, a, b = op.operands
    template.dtype_in(condition, DType.Bool8)
    for slot in (b, op.results[0]):
        template.same_dtype(a, slot)
    broadcast(template, op.results[0], a, b, condition)


def prelu(template: GraphTemplate, op: OpTemplate) -> None:
    """A slope that broadcasts onto the data."""
    data, slope, result = op.operands[0], op.slot("slope"), op.results[0]
    numbers(template, data, result)
    kind_of(template, slope, data)
    broadcast(template, result, data, slope)


def bias_add(template: GraphTemplate, op: OpTemplate) -> None:
    """A row beside the data."""
    data, bias = op.slot("in"), op.slot("bias")
    unary(template, op)
    row(template, bias, data.dims[3])
    kind_of(template, bias, data)


def cast(template: GraphTemplate, op: OpTemplate) -> None:
    """Between any two plain types."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, *_PLAIN)
    template.dtype_in(result, *_PLAIN)
    template.same_dims(source, result)


def quantization(template: GraphTemplate, op: OpTemplate) -> None:
    """From real numbers to a quantised type."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, *_REAL)
    template.dtype_in(result, *QUANTIZED)
    template.same_dims(source, result)


def dequantization(template: GraphTemplate, op: OpTemplate) -> None:
    """From a quantised type to a float."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, *QUANTIZED)
    template.dtype_in(result, *FLOATS)
    template.same_dims(source, result)


def copy(template: GraphTemplate, op: OpTemplate) -> None:
    """The operand itself."""
    template.like(op.operands[0], op.results[0])


SCHEMAS: dict[type[Operation], Schema] = {
    elementwise.UnaryOp: unary,
    elementwise.NotOp: negation,
    elementwise.BinaryOp: binary,
    elementwise.CompareOp: comparison,
    elementwise.LogicOp: logic,
    elementwise.ChoiceOp: choice,
    activation.ScaledOp: scaled,
    activation.BoundedOp: bounded,
    activation.PreluOp: prelu,
    activation.BiasAddOp: bias_add,
    quantize.CastOp: cast,
    quantize.QuantizeOp: quantization,
    quantize.DequantizeOp: dequantization,
    copies.CopyOp: copy,
}
