"""Running a module: prepared once, then many runs without lookups or allocation; also streams."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import repeat
from pathlib import Path
from types import MappingProxyType, TracebackType

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.faults.arguments import (
    CONSTANTS,
    MODULE,
    PATH,
    TEXT,
    WHOLE,
    a,
    arguments,
    many,
    require,
)
from ...dialects.faults.op_faults import fault_at, raised, relocated, user_line
from ...dialects.locations import node_of
from ...dialects.value import TensorSpec
from ..functions.support.arrays import Array
from ..kernel.kernel import Call
from ..kernel.library import LIBRARY, Library
from ..program.placing import last_uses, spare_bytes
from ..program.preparation import prepare
from ..program.program import Bindings, KernelStep, Program, Region, Step
from ..tensors.memory import Workspace
from ..tensors.tensors import RunTensor, Tensor
from .feeds import checked
from .observer import Checker, Observer, StepView, observed


class Tap(Observer):
    """Keeps the results of ops at the last run, as real numbers, in the order of the steps.

    An op is chosen by its node's name, by its own (`htp.Add`) or by its label as messages give it;
    without a choice all ops are. Copies and constants that are loaded once are ops like others.

    Example: `tap = Tap("conv1"); Session(module, observers=[tap]).run(feeds); tap.values`
    """

    @arguments(names=TEXT)
    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)
        self.values: dict[str, tuple[Array, ...]] = {}
        """The results by the op's label."""

    def begins(self) -> None:
        """Forget the run before."""
        self.values.clear()

    def after(self, view: StepView) -> None:
        """Copy the results of a chosen op."""
        names = {view.op.name, view.label, node_of(view.op)}
        if view.results and view.ready() and (not self._names or self._names & names):
            self.values[view.label] = tuple(result.load().copy() for result in view.results)


class ThreadLimit(AbstractContextManager[None]):
    """A limit that holds inside a `with`; None leaves things unchanged. Can be entered again."""

    def __init__(self, threads: int | None) -> None:
        self._stack = ExitStack()
        self._threads = threads
        self._controller = None
        if threads is None:
            return
        if threads < 1:
            raise fail("threads", f"is {threads}", "give at least 1")
        try:
            from threadpoolctl import ThreadpoolController
        except ImportError as error:
            remedy = "install threadpoolctl: pip install htp-mlir[threads]"
            raise fail("threads", "a limit needs the package threadpoolctl", remedy) from error
        self._controller = ThreadpoolController()

    def __enter__(self) -> None:
        if self._controller is not None:
            self._stack.enter_context(self._controller.limit(limits=self._threads))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()


_RUNNABLE = a("a module", ModuleOp, Program, remedy=MODULE.remedy)
_OBSERVERS = many(a("an observer", Observer))
_REMEDY = "the run failed; states are as before"
_RUN_FAULTS = (ValueError, IndexError, ArithmeticError)


class Session:
    """A module of any level, ready to run; state is kept from one run to the next.

    `Session(module)` prepares the module; `Session(prepare(module))` shares what was prepared with
    other sessions, each with memory and state of its own. `check=True` looks for overlaps, stale
    reads and results that are not written, and names the op; `observers` hear of each step;
    `threads` limits the threads of the linear algebra library. A run that fails leaves every state
    as it was.

    Example: `Session(module).run({"x": x})["y"]`
    """

    @arguments(module=_RUNNABLE, observers=_OBSERVERS, threads=WHOLE, library=LIBRARY)
    def __init__(
        self,
        module: ModuleOp | Program,
        *,
        check: bool = False,
        observers: Sequence[Observer] = (),
        threads: int | None = None,
        library: Library | None = None,
    ) -> None:
        self._program = module if isinstance(module, Program) else prepare(module, library)
        self._limit = ThreadLimit(threads)
        self._bindings = Bindings(self._program)
        self._observers = (*([Checker()] if check else []), *observers)
        for observer in self._observers:
            observer.attached(self._program, self._bindings)
        with np.errstate(all="ignore"):
            self._steps, self._calls = self._bind()
        self._feeds = {name: self._bindings.tensor(v) for name, v in self._program.inputs.items()}
        for value in self._program.outputs.values():
            self._bindings.tensor(value)
        self.inputs: Mapping[str, TensorSpec] = self._specs(self._program.inputs)
        """The model's inputs by name."""
        self.outputs: Mapping[str, TensorSpec] = self._specs(self._program.outputs)
        """The model's outputs by name."""

    def run(self, feeds: Mapping[str, ArrayLike]) -> dict[str, Array | None]:
        """Run one inference. An output that did not run, behind a BLOCKING buffer, is None.

        Quantised tensors go in and come out as stored integers. HtpError where an input does not
        fit or an op fails on a value.
        """
        require("Session.run: argument 'feeds'", feeds, CONSTANTS)
        arrays = checked(feeds, self.inputs)
        states, switches = self._bindings.states, self._bindings.switches
        switches[:] = [False] * len(switches)
        for name, array in arrays.items():
            self._feeds[name].store_raw(array)
        try:
            with np.errstate(all="ignore"), self._limit:
                self._execute()
            # Copies, before states commit: a result may be the array of a state.
            results = {name: self._result(value) for name, value in self._program.outputs.items()}
        except BaseException:
            states.discard()
            raise
        states.commit()
        return results

    def reset(self) -> None:
        """Every state as before the first inference."""
        self._bindings.states.clear()

    @arguments(path=PATH)
    def save_state(self, path: str | Path) -> None:
        """Write all states to an .npz file."""
        self._bindings.states.save(path)

    @arguments(path=PATH)
    def load_state(self, path: str | Path) -> None:
        """Take all states from a file of `save_state`; HtpError where it does not fit."""
        self._bindings.states.load(path)

    def _bind(self) -> tuple[list[Step], list[Call]]:
        steps: list[Step] = []
        calls: list[Call] = []
        workspace, ending = Workspace(), last_uses(self._program, Region.RUN)
        unbound = {} if self._observers else last_uses(self._program, Region.DDR, Region.TCM)
        # An observer may look at bytes that no tensor has any more.
        spare = repeat(slice(0)) if self._observers else spare_bytes(self._program)
        for index, (step, lent) in enumerate(zip(self._program.steps, spare, strict=False)):
            with workspace.step(self._bindings.ddr.bytes[lent]):
                call = self._bound(step)
            if self._observers:
                call = observed(self._bindings, self._observers, index, step, call)
            if call is None:
                continue
            gate = sorted(self._program.gate(step.reads))
            call = self._gated(gate, call) if gate else call
            dying = [self._bindings.tensor(value) for value in ending.pop(index, ())]
            steps.append(step)
            calls.append(_releasing(call, dying) if dying else call)
            for value in unbound.pop(index, ()):
                self._bindings.forget(value)
        return steps, calls

    def _bound(self, step: Step) -> Call | None:
        """A step's call; what a binding kernel raises becomes an error about its op."""
        try:
            return step.bind(self._bindings)
        except HtpError:
            raise
        except Exception as error:
            problem = f"cannot be prepared: {raised(error)}"
            raise HtpError(fault_at(step.op, problem, "fix it", _kernel_label(step))) from error

    def _gated(self, gate: list[int], call: Call) -> Call:
        """A call that does nothing while a result it depends on is not ready."""
        switches = self._bindings.switches

        def run() -> None:
            if all(switches[index] for index in gate):
                call()

        return run

    def _execute(self) -> None:
        for observer in self._observers:
            observer.begins()
        for step, call in zip(self._steps, self._calls, strict=True):
            try:
                call()
            except HtpError as error:
                # A kernel that runs elsewhere does not know for which op.
                label = step.label if error.faults[0].where else _kernel_label(step)
                raise relocated(error, step.op, label) from error
            except Exception as error:
                raise _run_fault(error, step) from error
        for observer in self._observers:
            observer.ends()

    def _result(self, value: SSAValue) -> Array | None:
        ready = all(self._bindings.switches[index] for index in self._program.gate([value]))
        return self._bindings.tensor(value).array.copy() if ready else None

    def _specs(self, values: Mapping[str, SSAValue]) -> Mapping[str, TensorSpec]:
        allocations = self._program.allocations
        return MappingProxyType({name: allocations[v].spec for name, v in values.items()})


def _releasing(call: Call, dying: Sequence[Tensor]) -> Call:
    """A call that lets tensors go which nothing reads after it."""
    tensors = [tensor for tensor in dying if isinstance(tensor, RunTensor)]

    def run() -> None:
        call()
        for tensor in tensors:
            tensor.release()

    return run


def _run_fault(error: Exception, step: Step) -> HtpError:
    """Make the error of a step: a bad value that our own kernel refuses, or a fault of a kernel."""
    if isinstance(error, _RUN_FAULTS) and not user_line(error):
        return HtpError(fault_at(step.op, str(error), _REMEDY, step.label))
    return HtpError(fault_at(step.op, raised(error), _REMEDY, _kernel_label(step)))


def _kernel_label(step: Step) -> str:
    return (
        f"{step.label}, kernel {step.kernel.name}" if isinstance(step, KernelStep) else step.label
    )


def run_stream(session: Session, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Stack the outputs of all steps; state is kept from step to step.

    Steps in which an output did not run, behind a BLOCKING buffer, are left out of its stack;
    `name.ran` then holds a truth value per step. HtpError where inputs differ in their steps, or
    a step fails: the message names it.
    """
    kept: dict[str, list[Array]] = {name: [] for name in session.outputs}
    ran: dict[str, list[bool]] = {name: [] for name in session.outputs}
    for step, feeds in enumerate(successive(inputs)):
        for name, value in run_step(session, feeds, step).items():
            ran[name].append(value is not None)
            kept[name] += [] if value is None else [value]
    stacked = {name: _stack(session, name, values) for name, values in kept.items()}
    marks = {f"{name}.ran": np.array(marks) for name, marks in ran.items() if not all(marks)}
    return {**stacked, **marks}


def is_stacked(inputs: Mapping[str, Array], specs: Mapping[str, TensorSpec]) -> bool:
    """Tell whether every array has one axis more than its input: that of successive inferences."""
    more = [array.ndim - specs[name].rank for name, array in inputs.items() if name in specs]
    return bool(more) and all(each == 1 for each in more)


def successive(inputs: Mapping[str, Array]) -> list[dict[str, Array]]:
    """List the inputs of each step; one without any for a model that has none.

    HtpError where inputs differ in their steps, or have none.
    """
    counts = {name: array.shape[0] if array.ndim else 0 for name, array in inputs.items()}
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"'{name}' has {count}" for name, count in counts.items())
        raise fail("stream", f"inputs differ in their number of steps: {sizes}", "make them equal")
    steps = range(next(iter(counts.values()), 1))
    if not steps:
        raise fail("stream", "holds no inference", "give at least one")
    return [{name: array[step] for name, array in inputs.items()} for step in steps]


def run_step(session: Session, feeds: Mapping[str, Array], step: int) -> dict[str, Array | None]:
    """Run one inference; what fails is named by the step's number."""
    try:
        return session.run(feeds)
    except HtpError as error:
        faults = (Fault(f"step {step}: {f.where}", f.problem, f.remedy) for f in error.faults)
        raise HtpError(*faults) from error


def _stack(session: Session, name: str, values: list[Array]) -> Array:
    spec = session.outputs[name]
    if not values:
        return np.empty((0, *spec.shape), spec.dtype.storage)
    return np.stack(values)
