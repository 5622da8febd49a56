"""Names of tensors: the model's node whose result a tensor is, so that levels can be joined."""

from __future__ import annotations

from collections import Counter

from xdsl.ir import SSAValue
from xdsl.traits import ConstantLike

from ...dialects.locations import node_of
from ..program.program import Program

INNER = "|"
"""Stands between node and op in the name of a tensor that is no node's result."""


def is_joined(name: str) -> bool:
    """Tell whether a name is that of a node's result, an input or an output."""
    return INNER not in name


def tensor_names(program: Program) -> dict[SSAValue, str]:
    """Name every tensor of a program that is no constant, in the order of its ops.

    An input and an output have their own names, the first result of a node's last op has the node's
    (`conv1`), any other tensor also its op's, `conv1|htp.Pad`, and `conv1|htp.Pad#2` where that is
    the second one.
    """
    names = {value: name for name, value in program.inputs.items()}
    own = {
        **{v: name for name, v in program.outputs.items() if v not in program.constants},
        **names,
    }
    blocks = [step.op.parent for step in program.steps[:1]]
    values = [
        value
        for block in blocks
        if block is not None
        for op in block.ops
        if not op.has_trait(ConstantLike)
        for value in op.results
        if value in program.allocations
    ]
    nodes = {value: node_of(value.owner) for value in values}
    firsts = {node: value for value, node in nodes.items() if value.owner.results[0] is value}
    counts = Counter(own.values())
    for value in values:
        node = nodes[value]
        is_result = bool(node) and firsts[node] is value and not counts[node]
        name = own.get(value) or (node if is_result else f"{node}{INNER}{value.owner.name}")
        counts[name] += name != own.get(value)
        again = counts[name] > 1 and name != own.get(value)
        names.setdefault(value, f"{name}#{counts[name]}" if again else name)
    return names
