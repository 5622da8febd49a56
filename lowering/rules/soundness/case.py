"""One case: a solved sketch of a rule's match with data, made from a row of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....dialects.htp.ops.state import StateReadOp
from ....dialects.value.dense import Array
from ....dialects.value.dtypes import Quant
from ....dialects.value.spec import TensorSpec
from ..graph.options import GraphOptions
from .choices import Choices
from .data import draw, spec_of_slot
from .facts import RuleFacts
from .hints import Hints
from .linear_form import Reader
from .match_template import Classes, MatchTemplate
from .template import GraphTemplate, OpTemplate, Slot, Source

STEPS = 4
"""Inferences of a case that has a state."""

_SOURCES = (Source.CONST, Source.INPUT, Source.INPUT)
_EXPOSED, _WRAPPED, _LIKELY = 8, 25, 90


@dataclass(eq=False)
class Case:
    """What one graph holds: ops, specs and data of its values, which of them are outputs.

    `quants` replace the encodings of single results; `exact_output` is what the root would give
    without any rounding. `wrapped`: an op that changes nothing stands between the root and the
    output.
    """

    ops: list[OpTemplate]
    root: OpTemplate
    specs: dict[Slot, TensorSpec]
    data: dict[Slot, Array]
    exposed: list[Slot]
    wrapped: bool
    options: GraphOptions
    made: tuple[int, ...]
    quants: dict[Slot, Quant] = field(default_factory=dict[Slot, Quant])
    exact_output: Array | None = None

    def spec(self, slot: Slot) -> TensorSpec:
        """The spec of a value, with its final encoding."""
        spec = self.specs[slot]
        return replace(spec, quant=self.quants[slot]) if slot in self.quants else spec

    @property
    def kept(self) -> list[Slot]:
        """What is read from states; the data of such a slot is what is written."""
        reads = (op for op in self.ops if issubclass(op.op_class, StateReadOp))
        return [slot for op in reads for slot in op.results]

    @property
    def stateful(self) -> bool:
        """A state is read: the case is several inferences long."""
        return bool(self.kept)

    @property
    def inner(self) -> list[Slot]:
        """Quantised results before the root's, whose rounding a rewrite may drop."""
        rooted = self.root.results
        results = [slot for op in self.ops for slot in op.results if slot not in rooted]
        return [slot for slot in results if self.specs[slot].quant is not None]


def draw_case(
    facts: RuleFacts,
    classes: Classes,
    profiles: Sequence[GraphOptions],
    choices: Choices,
    guided: bool = True,
) -> Case:
    """A graph that is likely to match; Contradiction where these choices make none.

    `guided`: it is also likely to satisfy the constraint.
    """
    options = choices.pick(profiles)
    template = GraphTemplate(choices, facts.boundary_values)
    drawing = MatchTemplate(facts, classes, template)
    reader = Reader(template, drawing.tags, options)
    for node in facts.read:
        wished = reader.slot(node)
        if wished is not None and wished.source is None and choices.chance(_LIKELY):
            wished.source = Source.CONST
    if guided:
        Hints(template, reader, drawing.consumer).demand(facts.rule.constraint)
    for slot in template.slots:
        if slot.source is None and not slot.is_shape:
            slot.source = choices.pick(_SOURCES)
    template.solve()
    specs = {slot: spec_of_slot(slot) for slot in template.slots if not slot.is_shape}
    root = drawing.root
    exposed = [slot for slot in dict.fromkeys(drawing.outputs) if slot not in root.results]
    wrapped = choices.chance(_WRAPPED) and root.results[0] not in drawing.outputs
    case = Case(template.ops, root, specs, {}, exposed, wrapped, options, ())
    for slot in specs:
        if slot.source is not Source.OP:
            steps = STEPS if case.stateful and slot.source is Source.INPUT else None
            case.data[slot] = draw(slot, choices, steps)
        elif slot in case.kept:
            case.data[slot] = draw(slot, choices, STEPS)
        elif slot not in (*root.results, *exposed) and choices.chance(_EXPOSED):
            case.exposed.append(slot)
    case.made = tuple(choices.made)
    return case
