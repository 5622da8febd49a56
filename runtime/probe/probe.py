"""An observer that keeps every tensor of a run, those without a step of their own too."""

from __future__ import annotations

from collections import defaultdict

from xdsl.ir import SSAValue

from ..functions.support.arrays import Array
from ..program.program import Bindings, Program
from ..session.observer import Observer, StepView


class Probe(Observer):
    """Keeps the tensors of the last run by their values in the module, as real numbers.

    Constants are left out. Floats of 16 bits stay so; quantised tensors are dequantised. A view of
    another tensor, and a tensor that others are written into, is kept once its bytes are complete.

    Example: `probe = Probe(); Session(module, observers=[probe]).run(feeds); probe.values`
    """

    def __init__(self) -> None:
        self.values: dict[SSAValue, Array] = {}
        """The tensors by value, in the order in which they were complete."""

    def attached(self, program: Program, bindings: Bindings) -> None:
        """Find out after which step each tensor is complete."""
        self.program = program
        self._bindings = bindings
        self._given = list(program.inputs.values())
        self._complete: dict[int, list[SSAValue]] = defaultdict(list)
        last = dict.fromkeys(self._given, -1)
        written = {*program.constants, *self._given}
        for index, step in enumerate(program.steps):
            for value in step.writes:
                last[program.origin(value)] = index
            written.update(step.writes)
            self._complete[index] += [v for v in step.writes if v not in program.constants]
        for value in program.allocations:
            step_of = last.get(program.origin(value))
            if value in written or step_of is None or program.origin(value) in program.constants:
                continue
            if step_of < 0:
                self._given.append(value)
            else:
                self._complete[step_of].append(value)

    def begins(self) -> None:
        """Forget the run before, and keep the inputs."""
        self.values.clear()
        self._keep(self._given)

    def after(self, view: StepView) -> None:
        """Keep what is complete after a step."""
        if view.ready():
            self._keep(self._complete[view.index])

    def _keep(self, values: list[SSAValue]) -> None:
        for value in values:
            tensor = self._bindings.tensor(value)
            real = tensor.spec.quant is not None or tensor.spec.dtype.extends_numpy
            self.values[value] = (tensor.load() if real else tensor.stored()).copy()
