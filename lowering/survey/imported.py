"""The nodes of a model beside the graph ops that they became; a graph is its own model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import Fault
from ...dialects.faults.excerpts import results_of
from ...dialects.faults.op_faults import OpFault
from ...dialects.locations import node_of
from ...dialects.qti_aisw.base import GraphOp
from ..frontend.net import load_partly
from ..levels import bodies


@dataclass(frozen=True)
class ModelNode:
    """A node of a model: its op (`Conv`, `com.acme.Foo`), its name and what it becomes by.

    `through` is empty for an importer of the op itself. `fault` is why there are no graph ops; a
    node that reads what one with a fault makes is not `reached`.
    """

    op: str
    name: str
    through: str = ""
    fault: Fault | None = None
    reached: bool = True

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


def graph_itself(module: ModuleOp) -> Imported:
    """Return a graph as its own model: every op is a node, by its node's name or its results."""
    ops = graph_ops(module)
    nodes = [
        ModelNode(op.name, node_of(op) or results_of(op).rstrip(" =") or op.name) for op in ops
    ]
    return Imported(nodes, module, range(len(nodes)))


def survey_net(path: Path) -> Imported:
    """Import what can be imported of the converter's graph in a file."""
    net, partial = load_partly(path)
    number = {node.name: index for index, node in enumerate(net.nodes)}
    owners = [number.get(node_of(op)) for op in graph_ops(partial.module)]
    faults = dict(partial.faults)
    rows = [ModelNode(node.op, node.name, fault=faults.pop(node.name, None)) for node in net.nodes]
    return Imported(rows, partial.module, owners, tuple(faults.values()))
