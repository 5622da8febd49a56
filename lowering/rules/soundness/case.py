"""Cases: solved graph templates of a rule's match with data, made from a row of draws."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....dialects.dense import Array
from ....dialects.htp.ops.state import StateReadOp
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.value import Quant, TensorSpec
from ....runtime.kernel.library import KernelRegistry
from ..graph.env import GraphOptions
from .drawing.choices import Choices
from .drawing.data import draw, spec_of_slot
from .drawing.facts import RuleFacts
from .drawing.hints import Hints
from .drawing.linear_form import LinearReader
from .drawing.match_template import Classes, MatchTemplate
from .drawing.template import GraphTemplate, OpTemplate, Slot, Source

STEPS = 4
"""Number of inferences of a case with a state."""

_SOURCES = (Source.CONST, Source.INPUT, Source.INPUT)
_EXPOSED, _WRAPPED, _LIKELY = 8, 25, 90
"""Chances in percent: a further output, a wrapped root, a constant where its elements are read."""


@dataclass(eq=False)
class DrawnCase:
    """A graph to run a rule on: ops, specs and data of its values, and the outputs.

    `quants` replace the encodings of single results; `exact_output` is the root's output without
    any rounding. `wrapped`: an op that changes nothing is between the root and the output.
    `guesses` are what ops were taken for that nobody declares.
    """

    ops: list[OpTemplate]
    root: OpTemplate
    specs: dict[Slot, TensorSpec]
    data: dict[Slot, Array]
    exposed: list[Slot]
    wrapped: bool
    options: GraphOptions
    draws: tuple[int, ...]
    quants: dict[Slot, Quant] = field(default_factory=dict[Slot, Quant])
    exact_output: Array | None = None
    guesses: tuple[str, ...] = ()

    def spec(self, slot: Slot) -> TensorSpec:
        """Return the spec of a value, with its final encoding."""
        spec = self.specs[slot]
        return replace(spec, quant=self.quants[slot]) if slot in self.quants else spec

    @property
    def in_graph(self) -> bool:
        """The ops are graph ops."""
        return issubclass(self.root.op_class, GraphOp)

    @property
    def kept(self) -> list[Slot]:
        """The values that are read from states; their data is written to the states."""
        reads = (op for op in self.ops if issubclass(op.op_class, StateReadOp))
        return [slot for op in reads for slot in op.results]

    @property
    def stateful(self) -> bool:
        """The case reads a state and runs several inferences."""
        return bool(self.kept)

    @property
    def inner(self) -> list[Slot]:
        """The quantised results before the root's; a rewrite may drop their rounding."""
        rooted = self.root.results
        results = [slot for op in self.ops for slot in op.results if slot not in rooted]
        return [slot for slot in results if self.specs[slot].quant is not None]


def draw_case(
    facts: RuleFacts,
    classes: Classes,
    profiles: Sequence[GraphOptions],
    choices: Choices,
    guided: bool = True,
    kernels: KernelRegistry | None = None,
) -> DrawnCase:
    """Draw a graph that is likely to match; Contradiction where these choices make none.

    `guided`: it is also likely to satisfy the constraint. Ops of packages get tensors that one of
    their `kernels` takes.
    """
    options = choices.pick(profiles)
    template = GraphTemplate(choices, facts.boundary_values)
    match = MatchTemplate(facts, classes, template, kernels)
    reader = LinearReader(template, match.tags, options)
    _draw_constants(facts, reader, choices)
    if guided:
        Hints(template, reader, match.consumer).demand(facts.rule.constraint)
    for slot in template.slots:
        if slot.source is None and not slot.is_shape:
            slot.source = choices.pick(_SOURCES)
    template.solve()
    root = match.root
    in_graph = issubclass(root.op_class, GraphOp)
    for slot in template.slots if in_graph else ():
        slot.show(choices)
    specs = {slot: spec_of_slot(slot) for slot in template.slots if not slot.is_shape}
    read = [*match.outputs, *(match.tags[tag] for tag in facts.replaced)]
    exposed = [slot for slot in dict.fromkeys(read) if slot not in root.results]
    wrapped = choices.chance(_WRAPPED) and root.results[0] not in match.outputs and not in_graph
    case = DrawnCase(template.ops, root, specs, {}, exposed, wrapped, options, ())
    for slot in specs:
        _fill(case, slot, choices)
    case.draws = tuple(choices.draws)
    case.guesses = tuple(template.guesses)
    return case


def _draw_constants(facts: RuleFacts, reader: LinearReader, choices: Choices) -> None:
    """Make most of the values constant whose elements the rule reads."""
    for node in facts.read:
        slot = reader.slot(node)
        if slot is not None and slot.source is None and choices.chance(_LIKELY):
            slot.source = Source.CONST


def _fill(case: DrawnCase, slot: Slot, choices: Choices) -> None:
    """Draw the data of an input, a constant or a state; expose the result of some ops."""
    if slot.source is not Source.OP:
        steps = STEPS if case.stateful and slot.source is Source.INPUT else None
        case.data[slot] = draw(slot, choices, steps)
    elif slot in case.kept:
        case.data[slot] = draw(slot, choices, STEPS)
    elif slot not in (*case.root.results, *case.exposed) and choices.chance(_EXPOSED):
        case.exposed.append(slot)
