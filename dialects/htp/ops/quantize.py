"""Conversions between element types; the result's type says which."""

from ...qti_aisw.ops.quantize import check_bits
from ...spec_of import spec_of
from ...value import Kind, TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import out_def, tensor_def


class ConversionOp(NativeOp):
    """in [b, h, w, d] as another element type, which the result's type states."""

    ACCESS = access("in[b, h, w, d]")

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.like("in").with_type(spec_of(self.out)) if self.results else None,)


class CastOp(ConversionOp):
    """The input as another element type: floats to integers truncate and saturate.

    in [b, h, w, d]; to Bool8 means != 0, integers to narrower ones wrap.

    Constraints: (C1) neither type is quantised.

    Example: `%r = htp.Cast(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf16>`
    """

    name = "htp.Cast"

    in_ = tensor_def(Kind.PLAIN)
    out = out_def(Kind.PLAIN)


class BitCastOp(ConversionOp):
    """The bits of the input as another element type.

    in [b, h, w, d].

    Constraints: (C1) neither type is quantised, the result is not Bool8; (C2) both types have as
    many bytes.

    Example: `%r = htp.BitCast(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi32>`
    """

    name = "htp.BitCast"

    in_ = tensor_def(Kind.PLAIN)
    out = out_def(Kind.PLAIN)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        if self.results:
            check_bits(self, self.like("in").dtype, spec_of(self.out).dtype)
        return super().infer()


class QuantizeOp(ConversionOp):
    """out = round(in / scale) + zero_point, half to even, saturated.

    in [b, h, w, d]; scale and zero point are those of the result's type. A quantised input is
    quantised anew.

    Constraints: (C1) the input is float or quantised, the result is quantised.

    Example: `%r = htp.Quantize(%x) : (tensor<1x8x8x32xf32>)
    -> tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>`
    """

    name = "htp.Quantize"

    in_ = tensor_def(Kind.REAL)
    out = out_def(Kind.QUANTIZED)


class DequantizeOp(ConversionOp):
    """out = (in - zero_point) * scale.

    in [b, h, w, d]; scale and zero point are those of the input's type.

    Constraints: (C1) the input is quantised, the result is float.

    Example: `%r = htp.Dequantize(%x) : (tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>)
    -> tensor<1x8x8x32xf32>`
    """

    name = "htp.Dequantize"

    in_ = tensor_def(Kind.QUANTIZED)
    out = out_def(Kind.HTP_FLOAT)


OPS: tuple[type[NativeOp], ...] = (CastOp, BitCastOp, QuantizeOp, DequantizeOp)
