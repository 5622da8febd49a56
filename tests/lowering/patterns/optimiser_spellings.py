"""Small graphs that spell out steps of Adam, for every rule that finds one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import Graph

from .spellings import over, plus, times

BETAS = (0.9, 0.99)
RATE, DECAY, EPSILON = 0.01, 0.1, 1e-6


@dataclass
class Parts:
    """The inputs of a step; second moments and the number of the step are positive."""

    graph: Graph

    def __post_init__(self) -> None:
        self.x, self.g, self.m, v = (self.graph.input(2, 3) for _ in range(4))
        step = self.graph.input()
        self.v = times(self.graph, v, v)
        self.step = plus(self.graph, times(self.graph, step, step), 1.0)
        self.rate = self.graph.const(RATE)

    def decayed(self, kind: str) -> None:
        """Let the weights or the gradient decay."""
        graph = self.graph
        if kind == "gradient":
            self.g = plus(graph, self.g, times(graph, self.x, DECAY))
        if kind == "factor":
            self.x = times(graph, self.x, 1 - RATE * DECAY)
        if kind == "rate":
            self.x = times(graph, self.x, self.minus(1.0, times(graph, self.rate, DECAY)))

    def minus(self, a: SSAValue | float, b: SSAValue) -> SSAValue:
        """A difference, from a number or a value."""
        first = self.graph.const(a) if isinstance(a, float) else a
        return self.graph.op("ElementWiseSubtract", first, b)

    def gone(self, beta: float) -> SSAValue:
        """1 - beta^step."""
        return self.minus(1.0, self.graph.op("ElementWisePower", self.graph.const(beta), self.step))

    def root(self, value: SSAValue) -> SSAValue:
        """A square root."""
        return self.graph.op("ElementWiseSquareRoot", value)

    def mixed(self, old: SSAValue, beta: float, new: SSAValue) -> SSAValue:
        """Beta times the old, and what is new."""
        return plus(self.graph, times(self.graph, old, beta), new)

    def give(self, *outputs: SSAValue) -> None:
        """Make the results of the step outputs."""
        for output in outputs:
            self.graph.give(f"y{len(self.graph.outputs)}", output)


def of_library(graph: Graph, decay: str, constant: bool, near: bool, largest: bool) -> None:
    """A step as torch.optim writes it."""
    parts = Parts(graph)
    if not constant:
        rate = graph.input()
        parts.rate = plus(graph, times(graph, rate, rate), RATE)
    parts.decayed(decay)
    way = parts.minus(parts.g, parts.m)
    if near:
        mean = plus(graph, parts.m, times(graph, way, 1 - BETAS[0]))
    else:
        mean = parts.minus(parts.g, times(graph, way, BETAS[0]))
    new = times(graph, times(graph, parts.g, 1 - BETAS[1]), parts.g)
    square = parts.mixed(parts.v, BETAS[1], new)
    tops = [graph.op("ElementWiseMaximum", graph.input(2, 3), square)] if largest else []
    if constant:
        whole = graph.op("ElementWiseReciprocal", parts.gone(BETAS[0]))
        size = times(graph, whole, RATE)
    else:
        size = over(graph, parts.rate, parts.gone(BETAS[0]))
    size = graph.op("ElementWiseNeg", size)
    root = times(graph, parts.root(parts.gone(BETAS[1])), size)
    added = times(graph, graph.op("ElementWiseReciprocal", size), EPSILON)
    below = plus(graph, over(graph, parts.root(*(tops or [square])), root), added)
    parts.give(plus(graph, parts.x, over(graph, mean, below)), mean, square, *tops)


def of_paper(graph: Graph, decay: str, squared: bool, added: bool, last: bool) -> None:
    """A step as the papers have it; the rate is multiplied last or first."""
    parts = Parts(graph)
    parts.decayed(decay)
    mean = parts.mixed(parts.m, BETAS[0], times(graph, parts.g, 1 - BETAS[0]))
    if squared:
        new = times(graph, times(graph, parts.g, parts.g), 1 - BETAS[1])
    else:
        new = times(graph, times(graph, parts.g, 1 - BETAS[1]), parts.g)
    square = parts.mixed(parts.v, BETAS[1], new)
    corrected = over(graph, mean, parts.gone(BETAS[0]))
    below = parts.root(over(graph, square, parts.gone(BETAS[1])))
    if added:
        below = plus(graph, below, EPSILON)
    if last:
        taken = times(graph, over(graph, corrected, below), parts.rate)
    else:
        taken = over(graph, times(graph, corrected, parts.rate), below)
    parts.give(parts.minus(parts.x, taken), mean, square)


def decays(step: Callable[..., None], decoupled: str, *way: bool) -> ModuleOp:
    """A step of one way with each decay."""
    graph = Graph()
    for decay in (decoupled, "gradient", "none"):
        step(graph, decay, *way)
    return graph.model().module


STEPS: dict[str, Callable[[], ModuleOp]] = {
    f"{step.__name__} {way}": partial(
        decays, step, "rate" if step is of_library and not way[0] else "factor", *way
    )
    for step in (of_library, of_paper)
    for way in product((False, True), repeat=3)
}
"""The module of each spelling."""
