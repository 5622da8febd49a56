"""Conversions between element types; the result's type says which."""

from __future__ import annotations

from ...checks import require
from ...spec_of import spec_of
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import tensor_def


class ConversionOp(NativeOp):
    """in [b, h, w, d] as another element type, which the result's type states."""

    ACCESS = access("in[b, h, w, d]")

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        if not self.results:
            return (None,)
        source, result = self.like("in"), spec_of(self.out)
        self.verify_types(source, result)
        return (source.with_type(result),)

    def verify_types(self, source: TensorSpec, result: TensorSpec) -> None:
        """Check that this op converts between these types."""


class CastOp(ConversionOp):
    """The input as another element type: floats to integers truncate and saturate.

    in [b, h, w, d]; to Bool8 means != 0, integers to narrower ones wrap.

    Constraints: (C1) neither type is quantised.

    Example: `%r = htp.Cast(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf16>`
    """

    name = "htp.Cast"

    def verify_types(self, source: TensorSpec, result: TensorSpec) -> None:
        plain = not (source.dtype.is_quantized or result.dtype.is_quantized)
        message = f"casts {source.dtype.name} to {result.dtype.name}; use Quantize or Dequantize"
        require(plain, self, message)


class QuantizeOp(ConversionOp):
    """out = round(in / scale) + zero_point, half to even, saturated.

    in [b, h, w, d]; scale and zero point are those of the result's type. A quantised input is
    quantised anew.

    Constraints: (C1) the input is float or quantised, the result is quantised.

    Example: `%r = htp.Quantize(%x) : (tensor<1x8x8x32xf32>)
    -> tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>`
    """

    name = "htp.Quantize"

    def verify_types(self, source: TensorSpec, result: TensorSpec) -> None:
        real = source.dtype.is_float or source.dtype.is_quantized
        require(real, self, f"the input is {source.dtype.name}, it must be float or quantised")
        message = f"the result is {result.dtype.name}, it must be quantised"
        require(result.dtype.is_quantized, self, message)


class DequantizeOp(ConversionOp):
    """out = (in - zero_point) * scale.

    in [b, h, w, d]; scale and zero point are those of the input's type.

    Constraints: (C1) the input is quantised, the result is float.

    Example: `%r = htp.Dequantize(%x) : (tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>)
    -> tensor<1x8x8x32xf32>`
    """

    name = "htp.Dequantize"

    def verify_types(self, source: TensorSpec, result: TensorSpec) -> None:
        message = f"the input is {source.dtype.name}, it must be quantised"
        require(source.dtype.is_quantized, self, message)
        message = f"the result is {result.dtype.name}, it must be float"
        require(result.dtype.is_float, self, message)


OPS: tuple[type[NativeOp], ...] = (CastOp, QuantizeOp, DequantizeOp)
