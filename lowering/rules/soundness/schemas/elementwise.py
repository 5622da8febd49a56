"""Schemas of element-wise ops, activations and conversions of the element type."""

from __future__ import annotations

from xdsl.ir import Operation

from .....dialects.htp.ops import activation, copies, elementwise, quantize
from .....dialects.value.dtypes import DType
from ..sketch import ELEMENTS, Site, Sketch
from .common import FLOATS, QUANTIZED, Schema, broadcast, kind_of, numbers, real, row

_PLAIN = tuple(dtype for dtype in ELEMENTS if not dtype.is_quantized)
_REAL = (*FLOATS, *QUANTIZED)
_LEAST = -8


def unary(sketch: Sketch, site: Site) -> None:
    """The result has the operand's shape and dtype."""
    source, result = site.operands[0], site.results[0]
    numbers(sketch, source, result)
    sketch.same_dims(source, result)


def scaled(sketch: Sketch, site: Site) -> None:
    """As `unary`, with a factor."""
    unary(sketch, site)
    real(sketch, site.slot("alpha"), sketch.number(1, 8))


def bounded(sketch: Sketch, site: Site) -> None:
    """As `unary`, with a least and a greatest value."""
    unary(sketch, site)
    bounds(sketch, site)


def bounds(sketch: Sketch, site: Site) -> None:
    """The params min and max, min <= max."""
    low, high, gap = sketch.number(_LEAST, 8, 12), sketch.number(_LEAST, 32), sketch.number(0, 24)
    real(sketch, site.slot("min"), low)
    real(sketch, site.slot("max"), high)
    sketch.total(high, low, gap)


def negation(sketch: Sketch, site: Site) -> None:
    """Bool8 to Bool8."""
    source, result = site.operands[0], site.results[0]
    sketch.dtype_in(source, DType.Bool8)
    sketch.like(source, result)


def binary(sketch: Sketch, site: Site) -> None:
    """Two operands of one dtype, which broadcast."""
    a, b, result = site.slot("a"), site.slot("b"), site.results[0]
    numbers(sketch, a, b, result)
    broadcast(sketch, result, a, b)


def comparison(sketch: Sketch, site: Site) -> None:
    """Two operands of one dtype; the result is Bool8."""
    a, b, result = site.slot("a"), site.slot("b"), site.results[0]
    sketch.same_dtype(a, b)
    sketch.dtype_in(result, DType.Bool8)
    broadcast(sketch, result, a, b)


def logic(sketch: Sketch, site: Site) -> None:
    """All three are Bool8."""
    a, b, result = site.slot("a"), site.slot("b"), site.results[0]
    for slot in (a, b, result):
        sketch.dtype_in(slot, DType.Bool8)
    broadcast(sketch, result, a, b)


def choice(sketch: Sketch, site: Site) -> None:
    """A condition and two operands of one dtype."""
    condition, a, b = site.operands
    sketch.dtype_in(condition, DType.Bool8)
    for slot in (b, site.results[0]):
        sketch.same_dtype(a, slot)
    broadcast(sketch, site.results[0], a, b, condition)


def prelu(sketch: Sketch, site: Site) -> None:
    """A slope that broadcasts onto the data."""
    data, slope, result = site.operands[0], site.slot("slope"), site.results[0]
    numbers(sketch, data, result)
    kind_of(sketch, slope, data)
    broadcast(sketch, result, data, slope)


def bias_add(sketch: Sketch, site: Site) -> None:
    """A row beside the data."""
    data, bias = site.slot("in"), site.slot("bias")
    unary(sketch, site)
    row(sketch, bias, data.dims[3])
    kind_of(sketch, bias, data)


def cast(sketch: Sketch, site: Site) -> None:
    """Between any two plain types."""
    source, result = site.operands[0], site.results[0]
    sketch.dtype_in(source, *_PLAIN)
    sketch.dtype_in(result, *_PLAIN)
    sketch.same_dims(source, result)


def quantization(sketch: Sketch, site: Site) -> None:
    """From real numbers to a quantised type."""
    source, result = site.operands[0], site.results[0]
    sketch.dtype_in(source, *_REAL)
    sketch.dtype_in(result, *QUANTIZED)
    sketch.same_dims(source, result)


def dequantization(sketch: Sketch, site: Site) -> None:
    """From a quantised type to a float."""
    source, result = site.operands[0], site.results[0]
    sketch.dtype_in(source, *QUANTIZED)
    sketch.dtype_in(result, *FLOATS)
    sketch.same_dims(source, result)


def copy(sketch: Sketch, site: Site) -> None:
    """The operand itself."""
    sketch.like(site.operands[0], site.results[0])


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
