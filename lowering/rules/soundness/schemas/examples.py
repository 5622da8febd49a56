"""Schemas drawn from the example of an op's docstring: its dims become letters that are scaled.

Params are drawn within their constraints, dtypes as the fields say. The module `trials` finds out
which dims belong together. Results that do not follow from that follow from the op's own `infer`.

Example: of a Gru with X [5, 2, 3], W [12, 3] and R [12, 4] graphs have X [s, b, n], W [3 * h, n]
and R [3 * h, h], with any s, b, n and h.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import permutations

from .....dialects.htp.base import NativeOp
from .....dialects.htp.constraints import ANY, ParamConstraint, TensorConstraint
from .....dialects.value import DType, Kind
from ..drawing.constraint_system import IntVar, Sum
from ..drawing.template import GraphTemplate, OpTemplate, Slot
from .common import ints, kind_of, members, near, reals, weights_of
from .inferred import OperandRow, follow
from .trials import Letter, Place, Shown, relations, shown

_SAME_ENCODING, _BROADCAST, _LEAST = 60, 25, 30
"""Chances in percent: tensors of one dtype have one encoding, a dim that may be 1 is, and the
numbers of a param are the least."""
_FARTHEST, _REACH = 6, 4
"""The largest number of a param that has no bounds, and the numbers that are tried of one."""


def exemplary(template: GraphTemplate, op: OpTemplate) -> None:
    """State what the example of an op and its own `infer` say.

    An operand that a graph op does without takes part in the trials alone.
    """
    native = op.op_class
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} has no example to draw from")
    named, example = dict(zip(op.names, op.operands, strict=True)), shown(native)
    slots = [named.get(name) for name in native.OPERANDS]
    for name, slot, own in zip(native.OPERANDS, slots, example, strict=True):
        if name in native.PARAMS and slot is not None:
            _param(template, slot, native.CONSTRAINTS[name], own)
    _encodings(template, op, native, dict(zip(native.OPERANDS, example, strict=True)))
    rows = tuple(OperandRow.of(slot) if slot else OperandRow() for slot in slots)
    usual = tuple(tuple(map(_reach, slot.numbers.values())) if slot else () for slot in slots)
    known = relations(native, rows, usual)
    for letter in known.letters:
        _scale(template, op, slots, letter, known.free)
    for (operand, number), value in known.fixed.items():
        if slot := slots[operand]:
            slot.numbers[number].narrow(value, value)
    for (operand, number), (result, dim) in known.stated.items():
        if slot := slots[operand]:
            op.results[result].dims[dim].join(slot.numbers[number])
    if None in slots:
        template.same_dtype(op.operands[0], op.results[0])
    else:
        follow(template, op, known.places)


def _param(template: GraphTemplate, slot: Slot, constraint: object, own: Shown) -> None:
    """Draw a param near its usual value, else within its bounds, as many as the example has."""
    count = own.dims[-1] * own.dims[-2]
    if isinstance(constraint, ParamConstraint) and constraint.usual is not None:
        near(template, slot, constraint.usual, count)
    elif own.dtype is DType.Float32:
        reals(template, slot, *(template.number(0, 8) for _ in range(count)))
    elif isinstance(constraint, ParamConstraint):
        least, most = constraint.least, constraint.most
        low = max(int(count > 1) if least is None else least, -_FARTHEST)
        spread = 3 if most is None else min(most - low, 2 * _FARTHEST) + 1
        spread = 1 if template.choices.chance(_LEAST) else spread
        drawn = [template.number(low, most, spread) for _ in range(count)]
        if constraint.once and most is not None:
            values = permutations(range(low, most + 1), count)
            ints(template, slot, *template.choices.pick([*values]), dims=own.dims)
            return
        ints(template, slot, *drawn, dims=own.dims)


def _encodings(
    template: GraphTemplate, op: OpTemplate, native: type[NativeOp], example: Mapping[str, Shown]
) -> None:
    """Draw dtypes as the fields say, else the one of the first tensor, or that of the example."""
    tensors = {
        name: slot
        for name, slot in zip(op.names, op.operands, strict=True)
        if name not in native.PARAMS and not slot.is_shape
    }
    first, lead = next(iter(tensors.items()))
    for name, slot in tensors.items():
        field, dtype = native.CONSTRAINTS.get(name, ANY), example[name].dtype
        tensor = field if isinstance(field, TensorConstraint) else ANY
        free = tensor.kind is Kind.ANY and slot is not lead
        if tensor.kin:
            kind_of(template, slot, op.slot(tensor.kin))
        elif tensor.stored:
            weights_of(template, slot, op.slot(tensor.like))
        elif tensor.like or (free and dtype is example[first].dtype):
            _alike(template, op.slot(tensor.like) if tensor.like else lead, slot)
        else:
            allowed = [dtype] if free and dtype else members(tensor.kind)
            template.dtype_in(slot, *allowed)
        if tensor.kind in (Kind.LENGTH, Kind.INDEX):
            slot.bounds = (0, template.number(2, 2))
    for result in op.results:
        if template.choices.chance(_SAME_ENCODING):
            result.zero.join(lead.zero)
            result.step.join(lead.step)


def _alike(template: GraphTemplate, lead: Slot, slot: Slot) -> None:
    template.same_dtype(lead, slot)
    if template.choices.chance(_SAME_ENCODING):
        template.same_encoding(lead, slot)


def _reach(number: IntVar) -> tuple[int, int]:
    """Return the numbers that a param is tried with: the first, and one behind the last."""
    top = number.root
    first = top.base if top.holds(top.base) else top.low
    last = first + _REACH if top.high is None else min(first + _REACH, top.high + 1)
    return first, max(last, first + 1)


def _scale(
    template: GraphTemplate,
    op: OpTemplate,
    slots: Sequence[Slot | None],
    letter: Letter,
    free: AbstractSet[Place],
) -> None:
    """Make the dims of a letter multiples of one variable."""
    extent = template.number(letter.least, letter.most)
    for place, factor in letter.operands.items():
        slot = slots[place[0]]
        if slot and place in free and template.choices.chance(_BROADCAST):
            slot.dims[place[1]].narrow(1, 1)
        elif slot:
            _times(template, slot.dims[place[1]], extent, factor)
    for (result, dim), factor in letter.results.items():
        _times(template, op.results[result].dims[dim], extent, factor)


def _times(template: GraphTemplate, dim: IntVar, extent: IntVar, factor: int) -> None:
    if factor == 1:
        dim.join(extent)
    else:
        template.system.add(Sum([(dim, -1), (extent, factor)]))
