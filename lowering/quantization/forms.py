"""The forms of a graph's tensors: each in the element types that its readers want."""

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.qti_aisw import ConstOp, GraphOp, build, const
from ...dialects.qti_aisw.ops.quantize import CastOp, DequantizeOp, QuantizeOp
from ...dialects.spec_of import dtype_of, element_type, plain_element_type, spec_of
from ...dialects.value import DType, Quant, TensorSpec
from ...runtime.functions.quantize import dequantize, quantize
from ...runtime.functions.support.arrays import Array
from .encodings import Encoding

F16, F32 = plain_element_type(DType.Float16), plain_element_type(DType.Float32)
LARGEST_F16 = float(np.finfo(np.float16).max)
"""The largest number of f16."""


def element_of(value: SSAValue) -> Attribute:
    """Return the element type of a tensor."""
    spec = spec_of(value)
    return element_type(spec.dtype, spec.quant)


class Forms:
    """The values that represent each tensor of the old graph, by element type.

    A form is made once, before the first op that reads it: a constant on its new grid, else a
    Quantize, Dequantize or Cast from the form that was computed.
    """

    def __init__(self) -> None:
        self._forms: dict[SSAValue, dict[Attribute, SSAValue]] = {}

    def set(self, old: SSAValue, new: SSAValue) -> None:
        """Note the value that represents a tensor, in the type that it was computed in."""
        self._forms[old] = {element_of(new): new}

    def native(self, old: SSAValue) -> Attribute:
        """Return the element type that a tensor was computed in."""
        return next(iter(self._forms[old])) if old in self._forms else element_of(old)

    def get(self, old: SSAValue, element: Attribute, reader: Operation) -> SSAValue:
        """Return a tensor in an element type, converted before `reader` if need be."""
        forms = self._forms.setdefault(old, {element_of(old): old})
        if element not in forms:
            if isinstance(old.owner, ConstOp):
                spec = TensorSpec(spec_of(old).shape, *dtype_of(element))
                op: Operation = const(stored(old.owner.array, spec), spec)
                op.results[0].name_hint = old.name_hint
            else:
                op = self._conversion(old, element, reader)
            op.location = reader.location
            if reader.parent is not None:
                reader.parent.insert_op_before(op, reader)
            forms[element] = op.results[0]
        return forms[element]

    def rounded(self, old: SSAValue, element: Attribute, reader: Operation) -> SSAValue:
        """Return the reals of a constant that is rounded to a grid, made before `reader`."""
        op = build(DequantizeOp, [self.get(old, element, reader)])
        op.location = reader.location
        if reader.parent is not None:
            reader.parent.insert_op_before(op, reader)
        return op.out

    def restate(self, op: QuantizeOp | DequantizeOp) -> None:
        """Take the result of a change of encoding for another form of what it reads."""
        wanted = op.to if isinstance(op, QuantizeOp) else element_of(op.inp)
        self.set(op.out, self.get(op.inp, wanted, op))

    def _conversion(self, old: SSAValue, element: Attribute, reader: Operation) -> GraphOp:
        (source, *_) = self._forms[old].values()
        quantised = dtype_of(element)[1] is not None
        if spec_of(source).quant is not None:
            if element == F32:
                return build(DequantizeOp, [source])
            if quantised:
                return build(QuantizeOp, [source], {"to": element})
        real = source if element == F32 else self.get(old, F32, reader)
        return build(QuantizeOp if quantised else CastOp, [real], {"to": element})


def laid(quant: Quant) -> tuple[Array, Array]:
    """Return scales and zero points: lists along an axis, else numbers."""
    pick = 0 if quant.axis is None else slice(None)
    return np.array(quant.scales, np.float32)[pick], np.array(quant.zero_points)[pick]


def is_on(array: Array, encoding: Encoding) -> bool:
    """Tell whether numbers are on a grid, but for the rounding of f32."""
    quant = encoding.quant
    if quant is None:
        return True
    spec = TensorSpec(array.shape, encoding.dtype, quant)
    reals = dequantize(stored(array, spec), quant.scales, quant.zero_points, quant.axis)
    return np.allclose(reals, array, rtol=1e-5, atol=0)


def stored(array: Array, spec: TensorSpec) -> Array:
    """Return the stored values of real numbers under a spec; finite ones stay finite in f16."""
    quant = spec.quant
    if quant is None:
        limit = LARGEST_F16 if spec.dtype is DType.Float16 else np.inf
        bounded = np.where(np.isfinite(array), np.clip(array, -limit, limit), array)
        return bounded.astype(spec.dtype.storage)
    whole = quantize(array, *laid(quant), spec.dtype.storage, quant.axis)
    return whole if quant.low is None else np.clip(whole, quant.low, quant.high)
