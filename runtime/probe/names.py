"""Names of tensors: the model's node whose result a tensor is, so that levels can be joined."""

from collections import Counter

from xdsl.ir import OpResult, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.htp.ops.copies import CopyOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.locations import node_of
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ..program.program import Program

INNER = "|"
"""Stands between node and op in the name of a tensor that is not a node's result."""


_HANDING_ON = (CopyOp, ReshapeOp, GraphReshapeOp)


def is_joined(name: str) -> bool:
    """Tell whether a name is that of a node's result, an input or an output."""
    return INNER not in name


def node_results(program: Program) -> dict[str, SSAValue]:
    """Return the result of each node of the model: the first one of its last op.

    Copies and Reshapes, which hand a value on, count only in a node without other ops.
    """
    firsts = [value for value in _computed(program) if value.index == 0]
    results: dict[str, SSAValue] = {n: value for value in firsts if (n := node_of(value.op))}
    computed = (value for value in firsts if not isinstance(value.op, _HANDING_ON))
    return results | {n: value for value in computed if (n := node_of(value.op))}


def node_tensors(program: Program) -> dict[str, list[SSAValue]]:
    """Return the result of each node, and behind it what may be the result on another level.

    That are the first results of the node's other ops, without those that hand a value on, unless
    the node has no others.
    """
    tensors = {node: [value] for node, value in node_results(program).items()}
    for value in (value for value in _computed(program) if value.index == 0):
        result, *others = tensors.get(node_of(value.op), [value])
        plain = isinstance(result.owner, _HANDING_ON) or not isinstance(value.op, _HANDING_ON)
        if plain and value is not result:
            tensors[node_of(value.op)] = [result, *others, value]
    return tensors


def named_tensors(program: Program) -> dict[str, SSAValue]:
    """Name every tensor of a program that is not a constant: inputs, outputs, then all in order.

    The result of a node has the node's name (`conv1`), any other tensor also its op's,
    `conv1|htp.Pad`, and `conv1|htp.Pad#2` where that is the second one. Inputs and outputs have
    their own names; an output that is a node's result has both.
    """
    outputs = {n: value for n, value in program.outputs.items() if value not in program.constants}
    names, counts = {**outputs, **program.inputs}, Counter[str]()
    named = set(names.values())
    nodes = {value: node for node, value in node_results(program).items()}
    for value in _computed(program):
        name = nodes.get(value, f"{node_of(value.op)}{INNER}{value.op.name}")
        if value in named and value not in nodes:
            continue
        counts[name] += 1
        names.setdefault(name if counts[name] == 1 else f"{name}#{counts[name]}", value)
    return names


def _computed(program: Program) -> list[OpResult]:
    """List the tensors of ops that are not constants, in order."""
    block = program.steps[0].op.parent if program.steps else None
    ops = [op for op in block.ops if not op.has_trait(ConstantLike)] if block else []
    values = [value for op in ops for value in op.results if value in program.allocations]
    # Copies of constants that stay in TCM are constants of the program, too.
    return [value for value in values if value not in program.constants]
