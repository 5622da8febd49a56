"""Runs of a module on fixed inputs, and a module before and after a change, value by value.

A run gives the outputs, and every tensor, inference by inference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.diagnostics import fail
from ...dialects.htp.ops.state import StateReadOp
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.choices import MaskMode
from ...dialects.qti_aisw.ops.masked_softmax import MaskedSoftmaxOp
from ...dialects.spec_of import Array
from ...dialects.value import DType, TensorSpec
from ...runtime.kernel.library import Library
from ...runtime.probe.compare import best_difference, node_difference
from ...runtime.probe.recording import (
    Difference,
    Probe,
    alike,
    difference,
    node_tensors,
    tolerances,
)
from ...runtime.program.boundary import inputs_of, main_function, outputs_of
from ...runtime.program.preparation import prepare
from ...runtime.program.program import Program
from ...runtime.session.session import Session, is_stacked, run_step, successive
from ...runtime.tools.summary import random_inputs

STEPS = 4
"""Inferences of a module with states; others have one."""
_RESET_AT = 2
"""The inference, counted from 0, at which resets are true."""
_MASKED = -10_000
"""Value of a mask that is added, where it hides an element."""
_SHOWN = 0.75
"""The share of a truth value's elements that are true, and of a mask's that hide nothing."""

Feeds = Mapping[str, Array]


def made_up(
    module: ModuleOp, specs: Mapping[str, TensorSpec], seed: int, steps: int
) -> list[Feeds]:
    """Return inputs for some inferences, the same ones for a seed.

    Floats are normal, quantised ones take all values, integers are 0 or 1. A reset is true at the
    third inference alone; other truth values are true three times in four and for the first element
    of each row, so that no row is masked as a whole. A mask that is added is 0 or -10,000 likewise.
    """
    arguments = inputs_of(main_function(module))
    roles = {name: _role_of(value) for name, value in arguments.items()}
    return [
        {
            name: _role(roles[name], array, specs[name], step, seed)
            for name, array in random_inputs(specs, seed + step).items()
        }
        for step in range(steps)
    ]


def _role(role: str, array: Array, spec: TensorSpec, step: int, seed: int) -> Array:
    """Draw an input that is a reset or a mask anew."""
    if role == "reset":
        return np.full_like(array, step == _RESET_AT)
    if role != "mask" and spec.dtype is not DType.Bool8:
        return array
    shown = np.random.default_rng(seed + step).random(array.shape) < _SHOWN
    shown[..., :1] = True
    if spec.dtype is DType.Bool8:
        return shown
    masked: Array = np.where(shown, 0, _MASKED).astype(array.dtype)
    return masked


def _role_of(value: SSAValue) -> str:
    for use in value.uses:
        op = use.operation
        if isinstance(op, StateReadOp) and value is op.reset:
            return "reset"
        if isinstance(op, GraphOp):
            names = [name for name, operand in op.named_operands().items() if operand is value]
            if "reset" in names:
                return "reset"
            adds = isinstance(op, MaskedSoftmaxOp) and op.mode.data is MaskMode.UNCOMPRESSED
            if adds and "mask" in names:
                return "mask"
        # Views and casts hand a mask on; shapes of native ones are operands too.
        if len(op.results) == 1 and op.operands and op.operands[0] is value:
            views = ("Reshape", "Cast", "Transpose", "ExpandDims", "Squeeze")
            role = _role_of(op.results[0]) if op.name.endswith(views) else ""
            if role:
                return role
    return ""


@dataclass(frozen=True)
class Inputs:
    """The inputs of each inference, the kernels to run with, and a tolerance if one is stated."""

    feeds: Sequence[Feeds]
    library: Library
    tolerance: float | None = None

    def allowed(self, *stated: float) -> float:
        """Return the tolerance of a comparison: the stated one, else the loosest by dtype."""
        return max(stated) if self.tolerance is None else self.tolerance


@dataclass(frozen=True)
class Outputs:
    """The outputs of each inference, and the tolerance of each."""

    steps: Sequence[Mapping[str, Array | None]]
    tolerances: Mapping[str, float]


@dataclass(frozen=True)
class Deviation:
    """An output that differs at an inference, counted from 0."""

    output: str
    step: int
    difference: Difference


def feeds_for(
    module: ModuleOp, library: Library, arrays: Mapping[str, Array], seed: int
) -> list[Feeds]:
    """Return the inputs of each inference: these arrays, else ones that are made up from a seed.

    Where every array has a further leading axis, that is the inferences. HtpError where the arrays
    disagree on it.
    """
    program = prepare(module, library)
    specs = {name: program.allocations[value].spec for name, value in program.inputs.items()}
    if not arrays:
        return made_up(module, specs, seed, STEPS if program.states else 1)
    return [*successive(arrays)] if is_stacked(arrays, specs) else [arrays]


def outputs_of_run(module: ModuleOp, inputs: Inputs) -> Outputs:
    """Run all inferences; HtpError where the module cannot run."""
    program = prepare(module, inputs.library)
    session = Session(program)
    allowed = tolerances(program)
    return Outputs(
        [run_step(session, feeds, step) for step, feeds in enumerate(inputs.feeds)],
        {name: allowed.get(value, 0.0) for name, value in program.outputs.items()},
    )


def deviation(result: Outputs, wanted: Outputs, inputs: Inputs) -> tuple[Deviation | None, float]:
    """Return the first inference's worst output that differs, and the largest error in all.

    The error is in units of what is allowed. HtpError where the outputs are others.
    """
    worst = 0.0
    for step, (arrays, expected) in enumerate(zip(result.steps, wanted.steps, strict=True)):
        bad: list[Deviation] = []
        for name, reference in expected.items():
            array = arrays.get(name)
            if array is None and reference is None:
                continue
            if array is None or reference is None or not alike(array.shape, reference.shape):
                here, there = (
                    "none" if a is None else "x".join(map(str, a.shape)) for a in (array, reference)
                )
                raise fail(
                    f"output '{name}'",
                    f"is {here}, and was {there}",
                    "keep the outputs as they are",
                )
            allowed = inputs.allowed(result.tolerances.get(name, 0.0), wanted.tolerances[name])
            each = difference(array, reference, allowed)
            if each.is_fault:
                bad.append(Deviation(name, step, each))
            else:
                worst = max(worst, each.ratio)
        if bad:
            return max(bad, key=lambda each: each.difference.ratio), worst
    return None, worst


@dataclass(frozen=True)
class Traced:
    """A module that ran up to an inference, with the tensors of that one."""

    program: Program
    values: Mapping[SSAValue, Array]
    tolerances: Mapping[SSAValue, float]


def traces(module: ModuleOp, inputs: Inputs) -> Iterator[Traced]:
    """Run inference by inference, and keep the tensors of each."""
    program, probe = prepare(module, inputs.library), Probe()
    session = Session(program, observers=[probe])
    allowed = tolerances(program)
    for step, feeds in enumerate(inputs.feeds):
        run_step(session, feeds, step)
        yield Traced(program, dict(probe.values), allowed)


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
