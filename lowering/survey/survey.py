"""The survey as a value: rows of like nodes, how far they get, and what they run on.

Each graph op is followed down the levels, to the kernels on which it runs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    ModuleOp,
    UnrealizedConversionCastOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.faults.op_faults import OpFault
from ...dialects.locations import NAME, named, node_of
from ...dialects.qti_aisw.base import GraphOp
from ...runtime.passes import instrumented
from ..conversion.convert import (
    conversion_faults,
    functions_of,
    input_faults,
    lacking,
    lacking_at,
    op_fault,
)
from ..levels import Level, level_of
from ..packages.loading import packages_of
from ..passes.graph.convert import BEFORE_CONVERSION
from ..passes.graph.raise_ops import Raise
from ..passes.lower import Lower, lower_module
from ..quantization.quantize import take_encodings
from .lowered import (
    REFUSED,
    UNKNOWN,
    Fusions,
    Imported,
    KernelUse,
    ModelNode,
    cut,
    graph_ops,
    kernel_uses,
    types_of,
)


def _take_out_lacking(function: FuncOp) -> dict[str, Fault]:
    """Erase the ops, inputs and outputs of such types; return each graph op's fault by node."""
    block = function.body.block
    ops = {op: lacking_at(op) for op in block.ops if not isinstance(op, ReturnOp)}
    elements = {op: element for op, element in ops.items() if element is not None}
    faults = {
        node_of(op): op_fault(op, element)
        for op, element in elements.items()
        if isinstance(op, GraphOp)
    }
    cut(function, [*elements])
    _take_out_outputs(function)
    _take_out_inputs(function)
    function.update_function_type()
    return faults


def _take_out_outputs(function: FuncOp) -> None:
    last = function.get_return_op()
    if last is None:
        return
    kept = [number for number, value in enumerate(last.operands) if lacking(value) is None]
    last.operands = [last.operands[number] for number in kept]
    if function.res_attrs is not None:
        names = function.res_attrs.data
        function.properties["res_attrs"] = ArrayAttr([names[number] for number in kept])


def _take_out_inputs(function: FuncOp) -> None:
    arguments = [*function.body.block.args]
    kept = [number for number, value in enumerate(arguments) if lacking(value) is None]
    if function.arg_attrs is not None:
        names = function.arg_attrs.data
        function.properties["arg_attrs"] = ArrayAttr([names[number] for number in kept])
    for argument in arguments:
        if lacking(argument) is not None:
            function.body.block.erase_arg(argument)


Found = dict[str, Fault]
"""Faults by the number of the graph op, as text."""
Names = dict[str, tuple[str, ...]]
"""Names of ops by the same number."""


@dataclass(frozen=True)
class Fate:
    """The lowest level that a graph op gets to, its kernels there, and what keeps it from more.

    `names` are the ops that it is: its own, or those that `qti-raise` puts in its place. `fused`
    are the kernels of an op that took it up, or a part of it. `types` are those of `types_of` in
    a quantised graph.
    """

    names: tuple[str, ...]
    level: Level
    kernels: tuple[KernelUse, ...] = ()
    fused: tuple[KernelUse, ...] = ()
    fault: Fault | None = None
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class Descent:
    """The fates of a module's graph ops, in their order, and the faults of no single op."""

    fates: Sequence[Fate]
    faults: Sequence[Fault] = ()


def descend(module: ModuleOp, ctx: Context, config: Lower) -> Descent:
    """Lower what can be lowered of a graph, which stays unchanged; ops with a fault are cut out."""
    graph = module.clone()
    for function in functions_of(graph):
        cut(function, [op for op in function.walk() if isinstance(op, UnrealizedConversionCastOp)])
    names: Names = {str(index): (op.name,) for index, op in enumerate(graph_ops(graph))}
    for key, op in zip(names, graph_ops(graph), strict=True):
        op.attributes.pop(NAME, None)
        op.location = named(key)
    raised = Fusions()
    take_encodings(graph)
    with instrumented(raised):
        Raise(config.tcm_size).apply(ctx, graph)
    types = types_of(graph, take_encodings(graph))
    left: Names = {}
    for op in graph_ops(graph):
        left[node_of(op)] = (*left.get(node_of(op), ()), op.name)
    # What converts an output is of no op.
    names |= {key: left[key] for key in names if key in left}
    refused, others = _take_out_refused(graph, ctx)
    run = _LoweringRun(ctx, config, raised)
    run.lower(graph)
    faults = {**run.faults, **refused}
    fates = []
    for key, own in names.items():
        level = Level.GRAPH if key in refused else run.level
        level = Level.NATIVE if key in run.faults and level is not Level.GRAPH else level
        uses = run.kernels_of(key)
        fates.append(Fate(own, level, *uses, faults.get(key), types.get(key, ())))
    return Descent(fates, [*others, *run.others])


def _take_out_refused(graph: ModuleOp, ctx: Context) -> tuple[Found, list[Fault]]:
    """Cut out the ops on element types that HTP lacks, then those that have no native form."""
    for step in BEFORE_CONVERSION:
        step.apply(ctx, graph)
    inputs = [fault for function in functions_of(graph) for fault in input_faults(function)]
    untyped: Found = {}
    for function in functions_of(graph):
        untyped |= _take_out_lacking(function)
    refused, others = _shared_out(conversion_faults(graph, packages_of(ctx)))
    for function in functions_of(graph):
        ops = [op for op in function.body.block.ops if node_of(op) in refused]
        cut(function, ops)
    return {**refused, **untyped}, [*inputs, *others]


def _shared_out(faults: Iterable[Fault]) -> tuple[Found, list[Fault]]:
    """Return the first fault of each graph op, and the faults of none."""
    own: Found = {}
    others = []
    for fault in faults:
        nodes = fault.nodes if isinstance(fault, OpFault) else ()
        numbers = [node for node in nodes if node.isdecimal()]
        for number in numbers:
            own.setdefault(number, fault)
        if not numbers:
            others.append(fault)
    return own, others


@dataclass
class _LoweringRun:
    """A run of the lowering, what it said, and the kernels of what came out."""

    ctx: Context
    config: Lower
    raised: Fusions
    level: Level = Level.GRAPH
    faults: Found = field(default_factory=dict)
    others: list[Fault] = field(default_factory=list)
    fusions: Fusions = field(default_factory=Fusions)
    kernels: Mapping[str, tuple[KernelUse, ...]] = field(default_factory=dict)

    def lower(self, graph: ModuleOp) -> None:
        """Lower as far as the configuration says, or as far as it goes."""
        with_reference = replace(self.config, allow_reference=True)
        untiled = replace(with_reference, tiling=False)
        native = replace(untiled, level=Level.NATIVE.value)
        for config in (self.config, with_reference, untiled, native):
            lowered = graph.clone()
            self.fusions = Fusions(self.raised.into)
            try:
                with instrumented(self.fusions):
                    lower_module(self.ctx, lowered, config)
            except HtpError as error:
                own, others = _shared_out(error.faults)
                self.faults |= {key: fault for key, fault in own.items() if key not in self.faults}
                self.others += [fault for fault in others if fault not in self.others]
                continue
            self.level = level_of(config.level)
            self.kernels = kernel_uses(lowered, packages_of(self.ctx).kernels)
            return

    def kernels_of(self, key: str) -> tuple[tuple[KernelUse, ...], tuple[KernelUse, ...]]:
        """Return the kernels of a graph op, and those of the one that took it up that compute."""
        own = self.kernels.get(key, ())
        target = self.fusions.target(key, [use.op for use in own])
        return own, tuple(use for use in self.kernels.get(target, ()) if not use.moves)


T = TypeVar("T")

EXTENTS = (REFUSED, UNKNOWN, *(level.value for level in Level))
"""Words for the lowest level that a node gets to: none, one that is not known, the levels."""


@dataclass(frozen=True)
class Way:
    """A node's way down: its op, the graph ops, the lowest level that they get to, the kernels.

    `reason` is why it gets no further, and what to do; two empty texts where nothing keeps it.
    `types` is what the ops of a quantised model compute with, reals with the reason.
    """

    op: str
    through: str
    becomes: tuple[str, ...]
    extent: str
    kernels: tuple[KernelUse, ...] = ()
    fused: tuple[KernelUse, ...] = ()
    reason: tuple[str, str] = ("", "")
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class SurveyRow:
    """The nodes that go one way, by name."""

    way: Way
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Survey:
    """All nodes of a model, those first that get the least far; `faults` are of no single one.

    `goal` is the level that was asked for.
    """

    rows: tuple[SurveyRow, ...]
    faults: tuple[Fault, ...]
    goal: Level

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(len(row.nodes) for row in self.rows)

    @property
    def extents(self) -> dict[str, int]:
        """The number of nodes that get so far and no further, the least first."""
        counts = Counter(row.way.extent for row in self.rows for _ in row.nodes)
        return {extent: counts[extent] for extent in EXTENTS if counts[extent]}

    @property
    def short(self) -> int:
        """The number of nodes that do not get to the level that was asked for."""
        return self.nodes - self.extents.get(self.goal.value, 0)

    @property
    def all_run(self) -> bool:
        """True where the model as a whole gets there."""
        return not self.short and not self.faults


def survey(model: Imported, ctx: Context, config: Lower) -> Survey:
    """Lower what can be lowered of a model, and say of each node how far it gets."""
    goal = Level(config.level)
    descent = Descent(()) if model.module is None else descend(model.module, ctx, config)
    fates: list[list[Fate]] = [[] for _ in model.nodes]
    for owner, fate in zip(model.owners, descent.fates, strict=True):
        if owner is not None:
            fates[owner].append(fate)
    ways: dict[Way, list[str]] = {}
    for node, own in zip(model.nodes, fates, strict=True):
        ways.setdefault(_way(node, own, goal), []).append(node.name)
    rows = [SurveyRow(way, tuple(names)) for way, names in ways.items()]
    ops = list(dict.fromkeys(way.op for way in ways))
    rows.sort(key=lambda row: (EXTENTS.index(row.way.extent), ops.index(row.way.op)))
    return Survey(tuple(rows), (*model.faults, *descent.faults), goal)


def _way(node: ModelNode, fates: Sequence[Fate], goal: Level) -> Way:
    """Put together what became of a node's graph ops; one with a fault keeps the node back."""
    if node.fault is not None or not node.reached:
        extent = node.extent if node.reached else UNKNOWN
        there = EXTENTS.index(extent) >= EXTENTS.index(goal.value)
        return Way(node.op, node.through, (), extent, reason=("", "") if there else node.reason)
    extents = [fate.level.value for fate in fates]
    faults = [fate.fault for fate in fates if fate.fault is not None]
    return Way(
        node.op,
        node.through,
        _once(name.partition(".")[2] for fate in fates for name in fate.names),
        min(extents, key=EXTENTS.index, default=goal.value),
        _once(use for fate in fates for use in fate.kernels),
        _once(use for fate in fates for use in fate.fused),
        (faults[0].problem, faults[0].remedy) if faults else ("", ""),
        _once(word for fate in fates for word in fate.types),
    )


def _once(values: Iterable[T]) -> tuple[T, ...]:
    """Return each value once, in the order in which they come first."""
    return tuple(dict.fromkeys(values))
