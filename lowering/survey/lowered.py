"""Each node of a model with its graph ops, and what became of them once they are lowered.

A graph op has the numbers that it computes with. Lowered, it is taken up into others by rules, or
run by a kernel.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import Fault
from ...dialects.faults.op_faults import OpFault, results_of
from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.copies import CopyOp
from ...dialects.locations import NAME, node_of
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.ops.quantize import ElementTypeChange
from ...dialects.spec_of import spec_of
from ...dialects.value import FLAT_DDR, DType, LayoutKind, Memory
from ...runtime.installed.universe import guests, way_down
from ...runtime.kernel.kernel import Cost
from ...runtime.kernel.library import KernelRegistry
from ...runtime.passes import FiredRule
from ..frontend.net import load_partly
from ..levels import Level, bodies, mnemonic, runs
from ..rules import Rule, RuleObserver

_DEPTH = 8
"""The number of ops above a root, one behind the other, that are remembered."""


class Fusions(RuleObserver):
    """The nodes that lost an op when a rule fired elsewhere, each with the node of its root.

    `before` holds those of earlier runs.
    """

    def __init__(self, before: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> None:
        self.into: dict[str, tuple[str, str]] = {**before}
        """The op that went, and the node that has the rule's root, by node."""
        self._above: dict[Operation, str] = {}

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        self._above = _above(root)

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        target = node_of(root)
        for op, node in self._above.items():
            if op.parent is None and node and node != target and not only_moves(op):
                self.into[node] = mnemonic(op), target

    def target(self, node: str, own: Collection[str]) -> str:
        """Return the node that took up what is not left among a node's own ops; empty for none."""
        lost, target = self.into.get(node, ("", ""))
        if not target or lost in own:
            return ""
        seen = {node, target}
        while (following := self.into.get(target, ("", ""))[1]) and following not in seen:
            seen.add(following)
            target = following
        return target


def only_moves(op: Operation) -> bool:
    """Tell whether an op computes nothing: a slice, a join, a Transpose."""
    return isinstance(op, NativeOp) and op.ACCESS is not None and op.ACCESS.moves


def _above(root: Operation) -> dict[Operation, str]:
    """Return the ops that a match at a root may hold, with their nodes."""
    above: dict[Operation, str] = {}
    level = [root]
    for _ in range(_DEPTH):
        owners = {operand.owner for op in level for operand in op.operands}
        level = [op for op in owners if isinstance(op, NativeOp | GraphOp) and op not in above]
        above |= {op: node_of(op) for op in level}
    return above


@dataclass(frozen=True)
class KernelUse:
    """A kernel that runs a native op, and where its result lies; an op may do nothing but move."""

    op: str
    kernel: str
    layout: LayoutKind
    memory: Memory
    is_reference: bool
    moves: bool

    @property
    def where(self) -> str:
        """The place in words."""
        if self.memory is Memory.DDR:
            return "main memory"
        return "TCM, croutons" if self.layout is LayoutKind.CROUTON else "TCM"


def kernel_uses(module: ModuleOp, registry: KernelRegistry) -> dict[str, tuple[KernelUse, ...]]:
    """List the kernels of each node, every one once; what only copies is left out."""
    uses: dict[str, dict[KernelUse, None]] = {}
    for op in (op for block in bodies(module) for op in block.ops):
        if runs(op) and not isinstance(op, CopyOp) and op.kernel is not None:
            costs = {kernel.name: kernel.cost for kernel in registry.kernels(op.name)}
            name, place = op.kernel.data, spec_of(op.results[0]).place or FLAT_DDR
            reference = costs.get(name) is Cost.GLACIAL
            use = KernelUse(
                mnemonic(op), name, place.layout, place.memory, reference, only_moves(op)
            )
            uses.setdefault(node_of(op), {})[use] = None
    return {node: tuple(of_node) for node, of_node in uses.items()}


REFUSED, UNKNOWN = "refused", "unknown"


@dataclass(frozen=True)
class ModelNode:
    """A node of a model: its op (`Conv`, `com.acme.Foo`), its name and what it becomes by.

    `through` is empty for an importer of the op itself. `fault` is why there are no graph ops, and
    `extent` how far it gets then; a node that reads what one with a fault makes is not `reached`.
    """

    op: str
    name: str
    through: str = ""
    fault: Fault | None = None
    reached: bool = True
    extent: str = REFUSED

    @property
    def reason(self) -> tuple[str, str]:
        """The problem and the remedy; an op inside it is named. Two empty texts without a fault."""
        match self.fault:
            case None:
                return "", ""
            case OpFault(problem=problem, remedy=remedy, op=op) if op not in ("", self.op):
                return f"{op} inside it: {problem}", remedy
            case fault:
                return fault.problem, fault.remedy


@dataclass(frozen=True)
class Imported:
    """A model's nodes, the module of those that are imported, and each graph op's node.

    `owners` has an index of `nodes`, or None, for each op of `graph_ops(module)`. `faults` are of
    no single node; where there is no module, they are why.
    """

    nodes: Sequence[ModelNode]
    module: ModuleOp | None
    owners: Sequence[int | None] = ()
    faults: Sequence[Fault] = ()


def graph_ops(module: ModuleOp) -> list[GraphOp]:
    """List the graph ops of a module; constants are none."""
    return [op for block in bodies(module) for op in block.ops if isinstance(op, GraphOp)]


def cut(function: FuncOp, ops: Collection[Operation]) -> None:
    """Erase ops of a function; the values that others read of them become its last arguments.

    What they read of other graph ops it returns, so that nothing takes that for dead.
    """
    block = function.body.block
    gone = {*ops}
    _return(function, [value for op in ops for value in op.operands if value.owner not in gone])
    names = [*(function.arg_attrs or ())]
    for op in reversed([*ops]):
        for result in op.results:
            if result.uses:
                argument = block.insert_arg(result.type, len(block.args))
                result.replace_all_uses_with(argument)
                names.append(DictionaryAttr({NAME: StringAttr(f"cut {len(names)}")}))
        op.detach()
        op.erase()
    if function.arg_attrs is not None:
        function.properties["arg_attrs"] = ArrayAttr(names)
    function.update_function_type()


def _return(function: FuncOp, values: Iterable[SSAValue]) -> None:
    """Return such values that are those of graph ops, after what a function returns already."""
    last = function.get_return_op()
    if last is not None:
        results = (value for value in values if isinstance(value.owner, GraphOp))
        new = [value for value in dict.fromkeys(results) if value not in last.operands]
        last.operands = [*last.operands, *new]
        if function.res_attrs is not None:
            nameless = [DictionaryAttr({})] * len(new)
            function.properties["res_attrs"] = ArrayAttr([*function.res_attrs, *nameless])


def graph_itself(module: ModuleOp, kernels: KernelRegistry | None = None) -> Imported:
    """Return a graph as its own model: every op is a node, by its node's name or its results.

    A user's own ops outside the graph's dialect are nodes, too, and cut out; one of a plugin's
    dialect gets to the native level by one of the `kernels`.
    """
    graph = module.clone()
    every = [op for block in bodies(graph) for op in block.ops]
    ops = [op for op in every if isinstance(op, GraphOp) or _is_own(op)]
    nodes = [_node(op, kernels) for op in ops]
    owners = [index for index, op in enumerate(ops) if isinstance(op, GraphOp)]
    for function in (op for op in graph.ops if isinstance(op, FuncOp)):
        cut(function, [op for op in function.body.block.ops if _is_own(op)])
    return Imported(nodes, graph, owners)


def _is_own(op: Operation) -> bool:
    """Tell whether an op is of a plugin's dialect, or a native one of a package."""
    dialect = op.dialect_name()
    return dialect in guests() or (isinstance(op, NativeOp) and dialect != "htp")


def _node(op: Operation, kernels: KernelRegistry | None) -> ModelNode:
    name = node_of(op) or results_of(op).rstrip(" =") or op.name
    if isinstance(op, GraphOp):
        return ModelNode(op.name, name)
    package, _, kind = op.name.partition(".")
    custom = f'write it as qti_aisw.Custom with package = "{package}" and op_type = "{kind}"'
    has_kernel = kernels is not None and bool(kernels.kernels(op.name))
    fault = Fault(op.name, "is no graph op", way_down(package, custom, has_kernel=has_kernel))
    keeps = has_kernel and package in guests()
    extent = Level.NATIVE if keeps else Level.GRAPH
    return ModelNode(op.name, name, fault=fault, extent=extent.value)


def survey_net(path: Path) -> Imported:
    """Import what can be imported of the converter's graph in a file."""
    net, partial = load_partly(path)
    number = {node.name: index for index, node in enumerate(net.nodes)}
    owners = [number.get(node_of(op)) for op in graph_ops(partial.module)]
    faults = dict(partial.faults)
    rows = [ModelNode(node.op, node.name, fault=faults.pop(node.name, None)) for node in net.nodes]
    return Imported(rows, partial.module, owners, tuple(faults.values()))


STORED = {
    DType.QUInt8: "u8",
    DType.QInt8: "i8",
    DType.QUInt16: "u16",
    DType.QInt16: "i16",
}
"""The words for stored integers."""


def types_of(module: ModuleOp, reasons: Mapping[Operation, str]) -> dict[str, tuple[str, ...]]:
    """Return, by node, what its ops compute with, but for ops without numbers.

    `reasons` are those of `take_encodings`: why an op stayed in floats. There are none of a model
    whose weights alone are stored, such as one that was quantised dynamically.
    """
    constants = (op for op in module.walk() if isinstance(op, ConstOp))
    weights = any(spec_of(op.results[0]).dtype in STORED for op in constants)
    missing = "only weights have an encoding" if weights and not reasons else ""
    types: dict[str, list[str]] = defaultdict(list)
    for op in graph_ops(module):
        if not isinstance(op, ConstOp | ElementTypeChange):
            # The integers that an op gives, else those that it reads.
            computed = [value for value in op.operands if not isinstance(value.owner, ConstOp)]
            dtypes = (spec_of(value).dtype for value in (*op.results, *computed))
            stored = next((STORED[dtype] for dtype in dtypes if dtype in STORED), "")
            real = any(spec_of(value).dtype is DType.Float32 for value in op.results)
            why = reasons.get(op, missing if real else "")
            word = f"f32: {why}" if why and not stored else stored
            types[node_of(op)] += [word] if word else []
    return {node: tuple(dict.fromkeys(words)) for node, words in types.items() if words}


def is_stored(types: Iterable[str]) -> bool:
    """Tell whether all of a node's ops compute with stored integers."""
    return all(word in STORED.values() for word in types)
