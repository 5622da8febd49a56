"""Observing a session's runs: checks, taps, dumps, comparisons and calibration hang in here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.tracebacks import raised
from ..kernel.kernel import Call
from ..program.program import Bindings, Program, Step
from ..tensors.tensors import Tensor


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
            _told(observer.before, view)
        if call is not None:
            call()
        for observer in reversed(observers):
            _told(observer.after, view)

    return run


def _told(method: Callable[[StepView], None], view: StepView) -> None:
    """Tell an observer; what it raises becomes an error that names it and the op."""
    try:
        method(view)
    except HtpError:
        raise
    except Exception as error:
        problem = f"observer {method.__qualname__} fails: {raised(error)}"
        raise fail(view.label, problem, "fix the observer") from error
