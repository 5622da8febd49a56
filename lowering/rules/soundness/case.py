"""Cases: solved graph templates of a rule's match with data, and the modules that are made of them.

A case is made from a row of draws; a module under construction is complete after each added op.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.htp.base import native
from ....dialects.htp.ops.const import const, shape
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp
from ....dialects.htp.ops.state import StateOp, StateReadOp, state, state_read, state_write
from ....dialects.locations import names_attr
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.const import const as graph_const
from ....dialects.spec_of import Array, spec_of, type_of
from ....dialects.value import DType, Quant, TensorSpec
from ....runtime.kernel.library import KernelRegistry
from ..graph.env import GraphOptions
from ..tree.build import graph_op
from .drawing.constraint_system import Choices
from .drawing.data import draw, real_values, spec_of_slot
from .drawing.hints import Hints
from .drawing.match_template import Classes, MatchTemplate, RuleFacts
from .drawing.template import GraphTemplate, LinearReader, OpTemplate, Slot, Source

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


class Graph:
    """The body of `@main` with its named inputs and outputs and its states.

    A native one has a Reshape behind each input and in front of each output.
    """

    def __init__(self, native: bool = True) -> None:
        self.native = native
        self.block = Block([ReturnOp()])
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.states: list[StateOp] = []
        self._writes: list[Operation] = []

    def add(self, op: Operation) -> Operation:
        """Append an op."""
        self.block.insert_op_before(op, self._return)
        return op

    def input(self, name: str, spec: TensorSpec) -> SSAValue:
        """Add an input and return it, or the result of its Reshape."""
        self.inputs.append(name)
        argument = self.block.insert_arg(type_of(spec), len(self.block.args))
        if not self.native:
            return argument
        return self.add(native(ReshapeOp, [argument], spec)).results[0]

    def output(self, name: str, value: SSAValue) -> None:
        """Return a value as an output."""
        self.outputs.append(name)
        if self.native:
            value = self.add(native(ReshapeOp, [value], spec_of(value))).results[0]
        returned = self._return
        returned.operands = [*returned.operands, value]

    def state(self, name: str, spec: TensorSpec, kept: SSAValue) -> StateOp:
        """Add a state that a value is written to, at the end, behind the reads."""
        op = state(name, spec)
        self.states.append(op)
        self._writes.append(state_write(op, kept))
        return op

    def module(self) -> ModuleOp:
        """Return the module; nothing can be added afterwards."""
        for write in self._writes:
            self.add(write)
        function = FuncOp(
            "main",
            (
                [argument.type for argument in self.block.args],
                [value.type for value in self._return.operands],
            ),
            Region(self.block),
            arg_attrs=names_attr(self.inputs),
            res_attrs=names_attr(self.outputs),
        )
        return ModuleOp([*self.states, function])

    @property
    def _return(self) -> ReturnOp:
        last = self.block.last_op
        if not isinstance(last, ReturnOp):
            raise TypeError("a function without a return")
        return last


_AXIS = TensorSpec((1, 1, 1, 1), DType.Int32)


class Numbers(Enum):
    """The numbers that a case is placed with. All but DRAWN make each result an output."""

    DRAWN = auto()
    """As drawn, with the outputs of the case."""
    SHOWN = auto()
    """As drawn."""
    UNROUNDED = auto()
    """Quantised tensors as Float32."""
    WIDE = auto()
    """Float16 as Float32."""

    def retypes(self, spec: TensorSpec) -> bool:
        """A tensor of this spec becomes one of Float32."""
        if self is Numbers.UNROUNDED:
            return spec.quant is not None
        return self is Numbers.WIDE and spec.dtype is DType.Float16


@dataclass(frozen=True, eq=False)
class Placed:
    """A case in a graph: its root and ops, the feeds by input name, the output names by result."""

    case: DrawnCase
    root: Operation
    ops: Sequence[Operation]
    feeds: dict[str, Array]
    results: dict[Slot, str]


def place(case: DrawnCase, graph: Graph, prefix: str, numbers: Numbers = Numbers.DRAWN) -> Placed:
    """Add a case, with the names of its inputs and outputs prefixed."""
    return _CaseMaker(case, graph, prefix, numbers).placed()


class _CaseMaker:
    def __init__(self, case: DrawnCase, graph: Graph, prefix: str, numbers: Numbers) -> None:
        self._case = case
        self._graph = graph
        self._prefix = prefix
        self._numbers = numbers
        self._values: dict[Slot, SSAValue] = {}
        self._ops: list[Operation] = []
        self._feeds: dict[str, Array] = {}
        self._outputs: dict[Slot, str] = {}
        self._op_of = {slot: op for op in case.ops for slot in op.results}

    def placed(self) -> Placed:
        """Add all ops, then the outputs."""
        case = self._case
        first = case.root.results[0]
        root = self.value(first)
        inner = [slot for slot in self._op_of if slot not in case.root.results]
        exposed = case.exposed if self._numbers is Numbers.DRAWN else inner
        for op in case.ops:
            self.value(op.results[0])
        self._output(first, self._wrapped(root) if case.wrapped else root)
        for slot in exposed:
            self._output(slot, self.value(slot))
        owner = root.owner
        if not isinstance(owner, Operation):
            raise TypeError("a root that no op makes")
        return Placed(case, owner, self._ops, self._feeds, self._outputs)

    def value(self, slot: Slot) -> SSAValue:
        """Return the value of a slot; its producers are added first."""
        if slot not in self._values:
            if slot in self._op_of:
                self._op(self._op_of[slot])
            else:
                self._values[slot] = self._leaf(slot)
        return self._values[slot]

    def _spec(self, slot: Slot) -> TensorSpec:
        spec = self._case.spec(slot)
        return spec.with_dtype(DType.Float32) if self._numbers.retypes(spec) else spec

    def _leaf(self, slot: Slot) -> SSAValue:
        if slot.is_shape:
            return self._graph.add(shape(slot.shape)).results[0]
        array, spec = self._case.data[slot], self._spec(slot)
        if self._numbers.retypes(self._case.spec(slot)):
            array = real_values(array, self._case.specs[slot]).astype(np.float32)
        if slot.source is Source.CONST:
            make = const if self._graph.native else graph_const
            return self._graph.add(make(array, spec)).results[0]
        return self._input(f"{self._prefix}x{len(self._feeds)}", spec, array)

    def _input(self, name: str, spec: TensorSpec, array: Array) -> SSAValue:
        self._feeds[name] = array
        return self._graph.input(name, spec)

    def _op(self, template: OpTemplate) -> None:
        operands = [self.value(slot) for slot in template.operands]
        if issubclass(template.op_class, StateReadOp):
            (result,) = template.results
            name, spec = f"{self._prefix}s{len(self._feeds)}", self._spec(result)
            following = self._input(f"{name}_next", spec, self._case.data[result])
            op: Operation = state_read(self._graph.state(name, spec, following), *operands)
        else:
            specs = [self._spec(slot) for slot in template.results]
            op_class = template.op_class
            op = (
                _graph_op(op_class, operands, specs)
                if issubclass(op_class, GraphOp)
                else op_class.create(operands=operands, result_types=[*map(type_of, specs)])
            )
        self._graph.add(op)
        self._ops.append(op)
        self._values.update(zip(template.results, op.results, strict=True))

    def _wrapped(self, value: SSAValue) -> SSAValue:
        axis = self._graph.add(const(np.zeros(_AXIS.shape, np.int32), _AXIS)).results[0]
        return self._graph.add(native(ConcatOp, [axis, value], spec_of(value))).results[0]

    def _output(self, slot: Slot, value: SSAValue) -> None:
        self._outputs[slot] = f"{self._prefix}y{len(self._outputs)}"
        self._graph.output(self._outputs[slot], value)


def _graph_op(
    op_class: type[GraphOp], operands: Sequence[SSAValue], drawn: Sequence[TensorSpec]
) -> GraphOp:
    """Return a graph op with the shapes that its inputs give: constants may be of a lower rank."""
    op = graph_op(op_class, operands, [*map(type_of, drawn)])
    inferred = op.infer()
    if len(inferred) == len(drawn):
        for result, spec, known in zip(tuple(op.results), drawn, inferred, strict=True):
            Rewriter.replace_value_with_new_type(result, type_of(spec.with_shape(known.shape)))
    return op
