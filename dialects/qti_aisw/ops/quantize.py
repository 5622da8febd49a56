"""Changes of element type. Source: QNN op definitions Cast, Quantize and Dequantize."""

from typing import ClassVar

from xdsl.ir import Attribute, Operation
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...spec_of import dtype_of, require
from ...value import DType, Kind, Quant, TensorSpec
from ..base import GraphOp, type_def
from ..guards import tensor


class ElementTypeChange(GraphOp):
    """One tensor in; the same shape out with another element type."""

    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    out = result_def()

    traits = traits_def(Pure())


def target(op: GraphOp, to: Attribute) -> tuple[DType, Quant | None]:
    """The element type that a param names; VerifyException that names the param if it is none."""
    try:
        return dtype_of(to)
    except VerifyException as error:
        raise VerifyException(f"{op.name}: param 'to': {error}") from error


def check_bits(op: Operation, source: DType, result: DType) -> None:
    """Check that the bits of one dtype are those of a number of another."""
    old, new = (f"{dtype.name} of {dtype.itemsize} bytes" for dtype in (source, result))
    plain = not source.is_quantized and not result.is_quantized and result is not DType.Bool8
    # A type that HTP lacks and that has a byte may leave bits of it unused.
    whole = all(dtype.on_htp or dtype.itemsize > 1 for dtype in (source, result))
    fits = plain and whole and source.itemsize == result.itemsize
    require(fits, op, f"{old} cannot be read as {new}")


@irdl_op_definition
class CastOp(ElementTypeChange):
    """The data as element type `to`: float to int truncates and saturates, to i1 is != 0.

    Integers wrap. A number past the largest of a float type becomes infinity, where the type has
    none NaN, and where it has neither the largest.

    Constraints: (C1) inp is not quantised; (C2) to is an element type that is not quantised, and
    the result's.

    Example: `%y = qti_aisw.Cast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>`
    """

    name = "qti_aisw.Cast"

    to = type_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.PLAIN)
        dtype, _ = target(self, self.to)
        message = f"param 'to' is {dtype.name}; to quantise, use qti_aisw.Quantize"
        require(not dtype.is_quantized, self, message)
        return (data.with_dtype(dtype),)


@irdl_op_definition
class BitCastOp(ElementTypeChange):
    """The bits of the data as element type `to`, which has as many of them and is not i1.

    Source: ONNX operator spec, BitCast; QNN has no such op.

    Constraints: (C1) inp is not quantised; (C2) to is the result's element type, neither quantised
    nor i1, with as many bytes as inp's.

    Example: `%y = qti_aisw.BitCast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>`
    """

    name = "qti_aisw.BitCast"

    to = type_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.PLAIN)
        dtype, _ = target(self, self.to)
        check_bits(self, data.dtype, dtype)
        return (data.with_dtype(dtype),)


@irdl_op_definition
class QuantizeOp(ElementTypeChange):
    """f32 data on the grid of `to`: rounded half to even, saturated.

    Quantised data is quantised anew, by way of its reals.

    Constraints: (C1) inp is f32 or quantised; (C2) to is a quantised element type, and the
    result's.

    Example: `%y = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5:128>} :
    (tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<u8:f32, 0.5:128>>`
    """

    name = "qti_aisw.Quantize"

    to = type_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.F32_OR_QUANTIZED)
        dtype, quant = target(self, self.to)
        message = f"param 'to' is {dtype.name}, it must be a quantised element type"
        require(dtype.is_quantized, self, message)
        return (TensorSpec(data.shape, dtype, quant),)


@irdl_op_definition
class DequantizeOp(ElementTypeChange):
    """The reals that quantised data represents, as f32.

    Constraints: (C1) inp is quantised; (C2) the result is f32.

    Example: `%y = qti_aisw.Dequantize(%x) :
    (tensor<4x8x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<4x8xf32>`
    """

    name = "qti_aisw.Dequantize"

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.QUANTIZED)
        return (data.with_dtype(DType.Float32),)


OPS: tuple[type[GraphOp], ...] = (CastOp, BitCastOp, QuantizeOp, DequantizeOp)
