"""The tensors of a graph: groups that share an encoding, and forms in which readers want them.

Ops that only move or compare elements make the groups. Algorithm: union-find over these ops,
O(tensors). Example: x -> Reshape -> a, (a, b) -> Concat -> c gives the group x, a, b, c.
"""

from collections.abc import Iterator
from math import inf

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.locations import fused, pass_names
from ...dialects.qti_aisw import ConstOp, GraphOp, build, const
from ...dialects.qti_aisw.base import ints_attr
from ...dialects.qti_aisw.ops.movement import ReshapeOp, TransposeOp
from ...dialects.qti_aisw.ops.quantize import CastOp, DequantizeOp, QuantizeOp
from ...dialects.qti_aisw.ops.rnn import Recurrent
from ...dialects.spec_of import dtype_of, element_type, plain_element_type, spec_of
from ...dialects.value import DType, Quant, TensorSpec, integer_bounds
from ...runtime.functions.quantize import dequantize, quantize
from ...runtime.functions.support.arrays import Array
from ...runtime.program.boundary import main_function
from .encodings import Encoding


def is_real(value: SSAValue) -> bool:
    """Tell whether a tensor may get an encoding: f32 tensors may."""
    return spec_of(value).dtype is DType.Float32


CLIPS = ("qti_aisw.Relu", "qti_aisw.ReluMinMax")
"""The ops that are one with the op before them: lowering fuses them into it."""


_BOUNDS = (("min_value", 0.0), ("max_value", inf))
"""The params of a clip, and what they are of a Relu, which has none."""


def clipped(value: SSAValue) -> SSAValue | None:
    """Return the clipped form of a tensor that nothing but a clip reads, else None.

    The clip's grid saturates as the clip does, so rounding to it once replaces rounding twice.
    """
    (use, *others) = [*value.uses, None]
    if use is None or others != [None] or use.operation.name not in CLIPS:
        return None
    keeps = isinstance(value.owner, GraphOp) and not value.owner.keeps_encoding
    return use.operation.results[0] if keeps else None


def is_idle(op: Operation) -> bool:
    """Tell whether an op is a clip that leaves all numbers of its grid unchanged."""
    if not isinstance(op, GraphOp) or op.name not in CLIPS:
        return False
    spec = spec_of(op.operands[0])
    return spec.same_encoding(spec_of(op.results[0])) and is_idle_on(op, spec)


def is_idle_on(op: GraphOp, spec: TensorSpec) -> bool:
    """Tell whether an op is a clip that leaves all numbers of a grid unchanged."""
    if op.name not in CLIPS or spec.quant is None or spec.quant.axis is not None:
        return False
    ends = np.array(integer_bounds(spec.dtype.storage), spec.dtype.storage)
    scale, zero = spec.quant.scale, spec.quant.zero_point
    low, high = (op.params().get(*bound) for bound in _BOUNDS)
    bounded = np.clip(dequantize(ends, scale, zero), low, high)
    return np.array_equal(quantize(bounded, scale, zero, ends.dtype), ends)


def joined(op: Operation) -> bool:
    """Make one op of two Reshapes or Transposes; tell whether it changes nothing."""
    if not isinstance(op, ReshapeOp | TransposeOp):
        return False
    before, order = op.inp.owner, op.ints_param("perm") if isinstance(op, TransposeOp) else ()
    if isinstance(before, type(op)):
        if isinstance(before, TransposeOp):
            order = tuple(before.ints_param("perm")[dim] for dim in order)
            op.properties["perm"] = ints_attr(order)
        op.operands[0], op.location = before.inp, fused([op.location, before.location])
    return op.operands[0].type == op.results[0].type and [*order] == sorted(order)


def _tied(op: Operation) -> Iterator[list[SSAValue]]:
    """Yield what an op only moves or compares, and each state that goes on where one began."""
    if isinstance(op, GraphOp) and op.keeps_encoding:
        yield [*filter(is_real, op.operands), *filter(is_real, op.results)]
    if isinstance(op, Recurrent):
        named = op.named_operands()
        for slot, final in zip(("initial_h", "initial_c"), op.results[1:], strict=False):
            yield [*filter(is_real, (named.get(slot, final), final))]


def groups_of(module: ModuleOp) -> list[list[SSAValue]]:
    """List the f32 tensors of a graph in groups that share an encoding, constants included.

    A constant is in each group that reads it, and ties none: each reader has a form of its own.
    """
    block = main_function(module).body.block
    leader: dict[SSAValue, SSAValue] = {}
    constants: list[tuple[SSAValue, SSAValue]] = []

    def root(value: SSAValue) -> SSAValue:
        while leader.setdefault(value, value) is not value:
            value = leader[value]
        return value

    for argument in filter(is_real, block.args):
        root(argument)
    for op in block.ops:
        for result in filter(is_real, op.results):
            root(result)
        for tied in filter(None, _tied(op)):
            *others, last = sorted(tied, key=lambda each: not isinstance(each.owner, ConstOp))
            for value in others:
                if isinstance(value.owner, ConstOp):
                    constants.append((last, value))
                else:
                    leader[root(value)] = root(last)
    groups: dict[SSAValue, list[SSAValue]] = {}
    for value in leader:
        groups.setdefault(root(value), []).append(value)
    for value, constant in dict.fromkeys(constants):
        groups[root(value)].append(constant)
    return list(groups.values())


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
                op: Operation = const(stored(reals(old.owner), spec), spec)
                op.results[0].name_hint = old.name_hint
                pass_names(old, op.results[0])
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


def reals(op: ConstOp) -> Array:
    """Return the real numbers of a constant, which may be quantised."""
    quant = spec_of(op.out).quant
    return op.array if quant is None else dequantize(op.array, *laid(quant), quant.axis)


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
