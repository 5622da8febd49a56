"""The values of chosen ops at a run, for looking at them or for comparing two levels."""

from __future__ import annotations

from ...dialects.faults.arguments import TEXT, arguments
from ...dialects.locations import node_of
from ..functions.support.arrays import Array
from .observer import Observer, StepView


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
