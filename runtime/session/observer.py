"""Observing a session's runs: checks, taps, dumps, comparisons and calibration hang in here.

The checking mode of a session finds faults in a program's use of memory, and the op of each. Every
op's results are poisoned before it runs: poison that is left there was not written. Operands are
compared, by a sum over their bytes, with what their own op left there. Copies that are started
early arrive late: they are made again when they are waited for.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.op_faults import raised
from ...dialects.htp import RelocateOp
from ..functions.support.arrays import Bools
from ..kernel.kernel import Call
from ..program.placing import last_uses
from ..program.program import SESSION, Bindings, KernelStep, Program, StartStep, Step, WaitStep
from ..tensors.tensors import Bytes, RunTensor, Tensor


@dataclass(frozen=True)
class StepView:
    """One step of a session, with views of its tensors in the session's memory.

    `repeat` makes the step's call once more; it is None where there is none, as all was done when
    the session was made. `ready` tells whether the results are there: a BLOCKING buffer that is
    not full runs and has none.
    """

    index: int
    step: Step
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    scratch: tuple[Tensor, ...]
    repeat: Call | None
    ready: Callable[[], bool]

    @property
    def op(self) -> Operation:
        """The op of the module."""
        return self.step.op

    @property
    def label(self) -> str:
        """The op as messages name it: `htp.Add 'node' (op 3)`."""
        return self.step.label


class Observer:
    """Hears of the runs of one session; this one does nothing.

    Operands have their values in `before` and `after`, results in `after` alone. A view is valid
    until the method returns, as memory is used again: copy what is to be kept, and write nothing.
    Steps behind a result that is not ready are left out. An HtpError that is raised here fails the
    run like one of an op. Of several observers the first hears first before a step, and last
    after it.
    """

    def attached(self, program: Program, bindings: Bindings) -> None:
        """The session is made, with this memory."""

    def begins(self) -> None:
        """A run begins: its inputs are in place."""

    def before(self, view: StepView) -> None:
        """A step is about to run."""

    def after(self, view: StepView) -> None:
        """A step has run."""

    def ends(self) -> None:
        """All steps of a run have succeeded."""


def observed(
    bindings: Bindings, observers: Sequence[Observer], index: int, step: Step, call: Call | None
) -> Call:
    """Make a step's call one that tells the observers."""
    gate = sorted(bindings.program.gate(step.writes))
    view = StepView(
        index,
        step,
        operands=tuple(bindings.tensor(value) for value in step.reads),
        results=tuple(bindings.tensor(value) for value in step.writes),
        scratch=tuple(bindings.scratch(allocation) for allocation in step.scratch),
        repeat=call,
        ready=lambda: all(bindings.switches[switch] for switch in gate),
    )

    def run() -> None:
        for observer in observers:
            _notify(observer.before, view)
        if call is not None:
            call()
        for observer in reversed(observers):
            _notify(observer.after, view)

    return run


def _notify(method: Callable[[StepView], None], view: StepView) -> None:
    """Tell an observer; what it raises becomes an error that names it and the op."""
    try:
        method(view)
    except HtpError:
        raise
    except Exception as error:
        problem = f"observer {method.__qualname__} fails: {raised(error)}"
        raise fail(view.label, problem, "fix the observer") from error


_POISON = 0xFF
"""A byte; as a float of 16 bits or more it is a NaN that no computation makes by itself."""

_SECOND_POISON = 0xAB
_REMEDY = "the run failed; states are as before"


class Checker(Observer):
    """An observer that looks for overlaps, stale reads and results that are not written."""

    def attached(self, program: Program, bindings: Bindings) -> None:
        """Prepare for the session's program and memory."""
        self._program = program
        self._bindings = bindings
        self._last = last_uses(program, *SESSION)
        self._sums: dict[SSAValue, int] = {}
        self._writers = _writers(program)
        self._under_way: dict[SSAValue, StepView] = {}

    def begins(self) -> None:
        """Begin with the inputs alone."""
        self._sums.clear()
        self._under_way.clear()
        for value in self._program.inputs.values():
            self._note(value)

    def before(self, view: StepView) -> None:
        """Check the operands and poison the results; a copy that is waited for arrives now."""
        if isinstance(view.step, WaitStep):
            (started,) = view.step.start.writes
            start = self._under_way.pop(started)
            self._check_before(view.step, started)
            self._poison(start)
            if start.repeat is not None:
                start.repeat()
                self._check_written(start, start.repeat)
        elif _overwrites(view.step):
            self._check_reads(view)
        elif view.repeat is not None:
            self._poison(view)

    def after(self, view: StepView) -> None:
        """Check the results, and poison tensors whose last use this was."""
        if isinstance(view.step, StartStep):
            (started,) = view.step.writes
            _fill(view.results, _POISON)
            self._note(started)
            self._under_way[started] = view
            return
        if _overwrites(view.step):
            for value in view.step.writes:
                self._note(value)
            if isinstance(view.step.op, RelocateOp):
                # The result holds what its operand did, some of whose bytes it lies on.
                (source,), (result,) = view.step.reads, view.step.writes
                self._sums[result] = self._sums.get(source, self._sums[result])
        elif view.repeat is not None:
            self._check_written(view, view.repeat)
        dying = self._last.get(view.index, ())
        if view.repeat is not None or isinstance(view.step, WaitStep):
            _fill([self._bindings.tensor(value) for value in dying], _POISON)

    def _check_reads(self, view: StepView) -> None:
        for value in view.step.reads:
            self._check_before(view.step, value)

    def _poison(self, view: StepView) -> None:
        self._check_reads(view)
        _fill([*view.results, *view.scratch], _POISON)

    def _check_written(self, view: StepView, repeat: Call) -> None:
        step = view.step
        if view.scratch:
            _check_scratch(step, view.results, view.scratch, repeat)
        if not any(isinstance(tensor, RunTensor) for tensor in view.results):
            self._check_outputs(view, repeat)
        for value in step.reads:
            if self._changed(value):
                problem = f"changes its operand, the result of {self._label(value)}"
                raise fail(step.label, problem, _REMEDY)
        for value in step.writes:
            self._note(value)

    def _note(self, value: SSAValue) -> None:
        """Remember what a value's op left in its bytes."""
        self._sums[value] = byte_sum(self._bindings.tensor(value).bytes)

    def _check_before(self, step: Step, value: SSAValue) -> None:
        if self._program.origin(value) in self._under_way:
            problem = f"reads the result of {self._label(value)} before it is waited for"
            raise fail(step.label, problem, _REMEDY)
        if self._changed(value):
            label = self._label(value)
            problem = f"reads the result of {label}, whose bytes have changed since it was written"
            raise fail(step.label, problem, _REMEDY)

    def _changed(self, value: SSAValue) -> bool:
        """Tell whether a value's bytes differ from what ops left there; constants are read-only."""
        return any(
            byte_sum(self._bindings.tensor(written).bytes) != self._sums[written]
            for written in self._writers.get(value, ())
            if written in self._sums
        )

    def _label(self, value: SSAValue) -> str:
        return self._program.allocations[self._program.origin(value)].label

    def _check_outputs(self, view: StepView, repeat: Call) -> None:
        """Look for poison in the results; run again with another one to tell it from values."""
        label, outputs = view.label, view.results
        suspects = [_equal_to(tensor, _POISON) for tensor in outputs]
        if not any(suspect.any() for suspect in suspects) or not view.ready():
            return
        first = [tensor.bytes.copy() for tensor in outputs]
        _fill(outputs, _SECOND_POISON)
        repeat()
        # An operand may hold the poison's bit pattern as a value of its own.
        poisoned = any(bool(_equal_to(tensor, _POISON).any()) for tensor in view.operands)
        for number, (tensor, suspect) in enumerate(zip(outputs, suspects, strict=True)):
            if bool((suspect & _equal_to(tensor, _SECOND_POISON)).any()):
                raise fail(label, f"leaves elements of result {number} unwritten", _REMEDY)
            wide = tensor.spec.dtype.is_float and tensor.spec.dtype.itemsize > 1
            if wide and suspect.any() and not poisoned:
                problem = f"result {number} holds poison: it reads padding or unwritten memory"
                raise fail(label, problem, _REMEDY)
        for tensor, content in zip(outputs, first, strict=True):
            np.copyto(tensor.bytes, content)


def _overwrites(step: Step) -> bool:
    return isinstance(step, KernelStep) and step.overwrites is not None


def _check_scratch(
    step: Step, outputs: Sequence[Tensor], scratch: Sequence[Tensor], repeat: Call
) -> None:
    """Run again over other scratch: the results may not depend on its content."""
    first = [tensor.stored().tobytes() for tensor in outputs]
    _fill(outputs, _POISON)
    _fill(scratch, _SECOND_POISON)
    repeat()
    for number, (tensor, content) in enumerate(zip(outputs, first, strict=True)):
        if tensor.stored().tobytes() != content:
            problem = f"result {number} depends on what its scratch holds before it runs"
            raise fail(step.label, problem, _REMEDY)


def _writers(program: Program) -> dict[SSAValue, list[SSAValue]]:
    """By each value that steps read, the values that are written into any of its bytes."""
    written: dict[SSAValue, list[SSAValue]] = {}
    for value in (*program.inputs.values(), *(v for step in program.steps for v in step.writes)):
        written.setdefault(program.origin(value), []).append(value)
    read = dict.fromkeys(value for step in program.steps for value in step.reads)
    places = program.allocations
    return {
        value: [v for v in written.get(program.origin(value), ()) if places[v].meets(places[value])]
        for value in read
    }


def byte_sum(memory: Bytes) -> int:
    """Sum bytes, eight at a time, so that almost any change changes the sum."""
    # A block of a larger tensor has bytes that lie apart.
    memory = np.ascontiguousarray(memory).reshape(-1)
    whole = memory.size // 8 * 8
    words = int(np.add.reduce(memory[:whole].view(np.uint64)))
    return words + (int(np.add.reduce(memory[whole:], dtype=np.int64)) << 64)


def _fill(tensors: Iterable[Tensor], value: int) -> None:
    for tensor in tensors:
        if not isinstance(tensor, RunTensor):
            tensor.bytes.fill(value)


def _equal_to(tensor: Tensor, value: int) -> Bools:
    """Which elements consist of this byte alone; padding is not looked at."""
    stored = np.ascontiguousarray(tensor.stored())
    word = np.frombuffer(bytes([value]) * stored.itemsize, f"u{stored.itemsize}")
    return np.asarray(stored.view(word.dtype) == word[0])
