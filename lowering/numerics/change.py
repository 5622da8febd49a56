"""A change of a module: the module before and after, and which values correspond."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.dense import Array
from ...runtime.probe.compare import best_difference, node_difference
from ...runtime.probe.difference import Difference, alike, difference
from ...runtime.probe.recording import node_tensors
from ...runtime.program.boundary import inputs_of, main_function, outputs_of
from .runs import Inputs, Traced, traces


@dataclass
class ModuleSnapshot:
    """A copy of a module, and the copy of each of its values."""

    module: ModuleOp
    values: dict[SSAValue, SSAValue] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp) -> ModuleSnapshot:
        """Copy a module."""
        values: dict[SSAValue, SSAValue] = {}
        return ModuleSnapshot(module.clone(values), values)


@dataclass(frozen=True)
class Change:
    """A module before and after, with the value before for values after.

    `exact` are those pairs that the change left alone, or that users of them tell; the others are
    joined by node of the model, where the dims may be in another order.
    """

    before: ModuleOp
    after: ModuleOp
    exact: Mapping[SSAValue, SSAValue]

    @staticmethod
    def since(snapshot: ModuleSnapshot, module: ModuleOp) -> Change:
        """Pair the values of a module with those of its copy from before."""
        now = list(_values(module))
        exact = {value: snapshot.values[value] for value in now if value in snapshot.values}
        old = {copy.owner: value.owner for value, copy in snapshot.values.items()}
        was = {op: copy for copy, op in old.items() if isinstance(op, Operation)}
        # An op that stays, and reads another value in the same place, tells what that represents.
        for op in main_function(module).body.block.ops:
            copy = was.get(op)
            if isinstance(copy, Operation) and len(copy.operands) == len(op.operands):
                for value, before in zip(op.operands, copy.operands, strict=True):
                    if value not in exact and before not in exact.values():
                        exact[value] = before
        for before_named, now_named in (
            (inputs_of(main_function(snapshot.module)), inputs_of(main_function(module))),
            (outputs_of(main_function(snapshot.module)), outputs_of(main_function(module))),
        ):
            for name, value in now_named.items():
                if name in before_named:
                    exact.setdefault(value, before_named[name])
        return Change(snapshot.module, module, exact)


@dataclass(frozen=True)
class Culprit:
    """The first value that differs, its value before, where, and at which inference."""

    value: SSAValue
    before: SSAValue
    step: int
    difference: Difference
    old: Traced
    new: Traced
    pairs: Mapping[SSAValue, SSAValue]
    """The values that agree at that inference: after to before."""


def culprit_of(change: Change, inputs: Inputs) -> Culprit | None:
    """Find the first op, at the first inference, whose value differs; None where none is joined."""
    both = zip(traces(change.before, inputs), traces(change.after, inputs), strict=True)
    for step, (old, new) in enumerate(both):
        agreeing: dict[SSAValue, SSAValue] = {}
        for value, before, difference_of in _pairs(change, old, new):
            if value not in new.values or before not in old.values:
                continue
            allowed = inputs.allowed(new.tolerances[value], old.tolerances[before])
            array, wanted = new.values[value], old.values[before]
            same = alike(array.shape, wanted.shape)
            if same and not difference(array, wanted, allowed).is_fault:
                agreeing[value] = before
                continue
            each = difference_of(allowed)
            if each is not None and each.is_fault:
                return Culprit(value, before, step, each, old, new, agreeing)
    return None


def _pairs(
    change: Change, old: Traced, new: Traced
) -> Iterator[tuple[SSAValue, SSAValue, Callable[[float], Difference | None]]]:
    """Yield the pairs in the order of the ops after the change, and how to compare each."""
    before, after = node_tensors(old.program), node_tensors(new.program)
    nodes = {values[0]: node for node, values in after.items() if node in before}
    for value in _values(change.after):
        partner = change.exact.get(value)
        if partner is not None:
            yield value, partner, partial(_exact, new.values.get(value), old.values.get(partner))
        elif node := nodes.get(value):
            first, second = (
                [traced.values[each] for each in tensors[node] if each in traced.values]
                for traced, tensors in ((new, after), (old, before))
            )
            yield value, before[node][0], partial(node_difference, first, second)


def _exact(array: Array | None, wanted: Array | None, allowed: float) -> Difference | None:
    """Compare values that correspond to each other; a pass may have changed the shape of one."""
    if array is None or wanted is None:
        return None
    if alike(array.shape, wanted.shape):
        return difference(array, wanted, allowed)
    return best_difference(array, wanted, allowed)


def _values(module: ModuleOp) -> list[SSAValue]:
    """List the values of the main function that are not constants, in order."""
    block = main_function(module).body.block
    computed = (op for op in block.ops if not op.has_trait(ConstantLike))
    return [*block.args, *(value for op in computed for value in op.results)]
