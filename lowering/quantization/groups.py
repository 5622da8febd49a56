"""The groups of tensors that share an encoding, as ops only move or compare their elements.

Algorithm: union-find over the ops that keep an encoding, O(tensors). Example: x -> Reshape -> a,
(a, b) -> Concat -> c gives the group x, a, b, c.
"""

from collections.abc import Iterator
from math import inf

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.rnn import Recurrent
from ...dialects.spec_of import spec_of
from ...dialects.value import DType, TensorSpec, integer_bounds
from ...runtime.functions.quantize import dequantize, quantize
from ...runtime.program.boundary import main_function


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


def _tied(op: Operation) -> Iterator[list[SSAValue]]:
    """Yield what an op only moves or compares, and each state that goes on where one began."""
    if isinstance(op, GraphOp) and op.keeps_encoding:
        yield [*filter(is_real, op.operands), *filter(is_real, op.results)]
    if isinstance(op, Recurrent):
        named = op.named_operands()
        for slot, final in zip(("initial_h", "initial_c"), op.results[1:], strict=False):
            yield [*filter(is_real, (named.get(slot, final), final))]


def groups_of(module: ModuleOp) -> list[list[SSAValue]]:
    """List the f32 tensors of a graph in groups that share an encoding, constants included."""
    block = main_function(module).body.block
    leader: dict[SSAValue, SSAValue] = {}

    def root(value: SSAValue) -> SSAValue:
        while leader.setdefault(value, value) is not value:
            value = leader[value]
        return value

    for argument in filter(is_real, block.args):
        root(argument)
    for op in block.ops:
        for result in filter(is_real, op.results):
            root(result)
        for tied in _tied(op):
            for value in tied[1:]:
                leader[root(value)] = root(tied[0])
    groups: dict[SSAValue, list[SSAValue]] = {}
    for value in leader:
        groups.setdefault(root(value), []).append(value)
    return list(groups.values())
