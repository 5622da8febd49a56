"""The checking mode of a session: what is wrong with a program's use of memory, and at which op.

Every op's results are poisoned before it runs: what is then left of the poison was not written.
Operands are compared, by a sum over their bytes, with what their own op left there. Copies that are
started early arrive late.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.diagnostics import fail
from ..functions.arrays import Bools
from ..kernel.kernel import Call
from ..program.program import Bindings, Program, Step
from ..program.stays import last_uses
from ..program.steps import StartStep, WaitStep
from ..tensors.tensors import Bytes, Tensor

_POISON = 0xFF
"""A byte; as a float of any size it is a NaN that no computation makes by itself."""

_SECOND_POISON = 0xAB
_REMEDY = "the run failed; states are as before"


class Checker:
    """Wraps the calls of one session; made once, after the session's memory."""

    def __init__(self, program: Program, bindings: Bindings) -> None:
        self._program = program
        self._bindings = bindings
        self._last = last_uses(program)
        self._sums: dict[SSAValue, int] = {}
        self._kin = _kin(program)
        self._copies: dict[SSAValue, Call] = {}
        self._under_way: set[SSAValue] = set()

    def start(self, fed: Iterable[SSAValue]) -> None:
        """Begin a run with these inputs in place."""
        self._sums.clear()
        self._under_way.clear()
        for value in fed:
            self._note(value)

    def guard(self, index: int, step: Step, call: Call | None) -> Call | None:
        """The step's call with the checks around it.

        A started copy is made as late as it may be, when it is waited for, over the poison that
        lies there until then.
        """
        if isinstance(step, WaitStep):
            return self._arrival(index, step)
        if call is None:
            return None
        if isinstance(step, StartStep):
            return self._departure(step, call)
        return self._whole(index, step, call)

    def _departure(self, step: StartStep, call: Call) -> Call:
        (started,) = step.writes
        self._copies[started] = call

        def run() -> None:
            for value in step.reads:
                self._check_before(step, value)
            _fill([self._bindings.tensor(started)], _POISON)
            self._note(started)
            self._under_way.add(started)

        return run

    def _arrival(self, index: int, step: WaitStep) -> Call:
        (started,) = step.start.writes
        copy = self._whole(index, step.start, self._copies[started])

        def run() -> None:
            self._under_way.discard(started)
            self._check_before(step, started)
            copy()

        return run

    def _whole(self, index: int, step: Step, call: Call) -> Call:
        outputs = [self._bindings.tensor(value) for value in step.writes]
        dying = [self._bindings.tensor(value) for value in self._last.get(index, ())]
        scratch = [self._bindings.scratch(home) for home in step.scratch]

        def run() -> None:
            for value in step.reads:
                self._check_before(step, value)
            _fill([*outputs, *scratch], _POISON)
            call()
            if scratch:
                _check_scratch(step, outputs, scratch, call)
            self._check_outputs(step, outputs, call)
            for value in step.reads:
                self._check_after(step, value)
            for value in step.writes:
                self._note(value)
            _fill(dying, _POISON)

        return run

    def _note(self, value: SSAValue) -> None:
        """Remember what a value's op left in its bytes."""
        self._sums[value] = byte_sum(self._bindings.tensor(value).bytes)

    def _check_before(self, step: Step, value: SSAValue) -> None:
        if self._program.origin(value) in self._under_way:
            found = f"reads the result of {self._label(value)} before it is waited for"
            raise fail(step.label, found, _REMEDY)
        if self._changed(value):
            label = self._label(value)
            found = f"reads the result of {label}, whose bytes have changed since it was written"
            raise fail(step.label, found, _REMEDY)

    def _check_after(self, step: Step, value: SSAValue) -> None:
        if self._changed(value):
            found = f"changes its operand, the result of {self._label(value)}"
            raise fail(step.label, found, _REMEDY)

    def _changed(self, value: SSAValue) -> bool:
        """Whether a value's bytes differ from what ops left there; constants are read-only."""
        return any(
            byte_sum(self._bindings.tensor(kin).bytes) != self._sums[kin]
            for kin in self._kin.get(value, ())
            if kin in self._sums
        )

    def _label(self, value: SSAValue) -> str:
        return self._program.homes[self._program.origin(value)].label

    def _check_outputs(self, step: Step, outputs: Sequence[Tensor], call: Call) -> None:
        """Look for poison in the results; run again with another one to tell it from values."""
        suspects = [_equal_to(tensor, _POISON) for tensor in outputs]
        if not any(suspect.any() for suspect in suspects) or self._not_ready(step):
            return
        first = [tensor.bytes.copy() for tensor in outputs]
        _fill(outputs, _SECOND_POISON)
        call()
        for number, (tensor, suspect) in enumerate(zip(outputs, suspects, strict=True)):
            if bool((suspect & _equal_to(tensor, _SECOND_POISON)).any()):
                raise fail(step.label, f"leaves elements of result {number} unwritten", _REMEDY)
            if tensor.spec.dtype.is_float and suspect.any() and not self._reads_poison(step):
                found = f"result {number} holds poison: it reads padding or unwritten memory"
                raise fail(step.label, found, _REMEDY)
        for tensor, held in zip(outputs, first, strict=True):
            np.copyto(tensor.bytes, held)

    def _not_ready(self, step: Step) -> bool:
        """Whether the step ran but has no results yet."""
        gate = self._program.gate(step.writes)
        return not all(self._bindings.switches[index] for index in gate)

    def _reads_poison(self, step: Step) -> bool:
        """Whether an operand holds the poison's bit pattern as a value of its own."""
        operands = [self._bindings.tensor(value) for value in step.reads]
        return any(bool(_equal_to(tensor, _POISON).any()) for tensor in operands)


def _check_scratch(
    step: Step, outputs: Sequence[Tensor], scratch: Sequence[Tensor], call: Call
) -> None:
    """Run again over other scratch: the results may not depend on what lies there before."""
    first = [tensor.stored().tobytes() for tensor in outputs]
    _fill(outputs, _POISON)
    _fill(scratch, _SECOND_POISON)
    call()
    for number, (tensor, held) in enumerate(zip(outputs, first, strict=True)):
        if tensor.stored().tobytes() != held:
            found = f"result {number} depends on what lies in its scratch before it runs"
            raise fail(step.label, found, _REMEDY)


def _kin(program: Program) -> dict[SSAValue, list[SSAValue]]:
    """For every value that steps read those that are written into any of its bytes."""
    written: dict[SSAValue, list[SSAValue]] = {}
    for value in (*program.inputs.values(), *(v for step in program.steps for v in step.writes)):
        written.setdefault(program.origin(value), []).append(value)
    read = dict.fromkeys(value for step in program.steps for value in step.reads)
    return {
        value: [kin for kin in written.get(program.origin(value), ()) if _meet(program, kin, value)]
        for value in read
    }


def _meet(program: Program, one: SSAValue, other: SSAValue) -> bool:
    first, second = program.homes[one], program.homes[other]
    return first.offset < second.end and second.offset < first.end


def byte_sum(memory: Bytes) -> int:
    """A sum over bytes that almost any change changes; taken eight at a time."""
    whole = memory.size // 8 * 8
    words = int(np.add.reduce(memory[:whole].view(np.uint64)))
    return words + (int(np.add.reduce(memory[whole:], dtype=np.int64)) << 64)


def _fill(tensors: Iterable[Tensor], value: int) -> None:
    for tensor in tensors:
        tensor.bytes.fill(value)


def _equal_to(tensor: Tensor, value: int) -> Bools:
    """Which elements consist of this byte alone; padding is not looked at."""
    stored = np.ascontiguousarray(tensor.stored())
    word = np.frombuffer(bytes([value]) * stored.itemsize, f"u{stored.itemsize}")
    return np.asarray(stored.view(word.dtype) == word[0])
