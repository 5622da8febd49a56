"""Values that raising makes of nodes of the source, compared with those of a raised module."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from xdsl.ir import Block, Operation, SSAValue

from ...importers.graph.value import main_function, module_of
from ...packages.loading import installed
from ...passes.graph.raise_ops import Raise
from .before import Alignment, Before, aligned

MOST_NODES = 8
"""Nodes of the source, at most, that are looked at together where one alone does not fit."""


def last_of_many(block: Block, before: Before) -> set[Operation]:
    """Return the ops that ops of other nodes read, each of a node that became many ops."""
    nodes = {op: before.origins(op) for op in block.ops}
    count = Counter(node for each in nodes.values() for node in each)
    return {
        op
        for op, own in nodes.items()
        if len(own) == 1 and count[own[0]] > MOST_NODES
        for result in op.results
        for use in result.uses
        if nodes[use.operation] != own
    }


def raised_match(
    after: SSAValue, before: Sequence[SSAValue], ends: Collection[SSAValue]
) -> Alignment | None:
    """Return the match of a value with what the rules make of the first of others.

    They see the ops of all of these up to the ends, and what else reads them is there.
    """
    needed, left = set[Operation](), [*before]
    while left:
        value = left.pop()
        if value in ends or value.owner in needed:
            continue
        if not isinstance(value.owner, Operation):
            return None
        needed.add(value.owner)
        left += value.owner.operands
    first = before[0].owner
    around = first.parent if isinstance(first, Operation) else None
    ops = [op for op in (around.ops if around else ()) if op in needed]
    read = [r for op in ops for r in op.results if any(u.operation not in needed for u in r.uses)]
    values = [*dict.fromkeys(ends)]
    block = Block(arg_types=[value.type for value in values])
    copies = dict(zip(values, block.args, strict=True))
    block.add_ops([op.clone(copies) for op in ops])
    outputs = [(str(number), copies[value]) for number, value in enumerate([before[0], *read])]
    names = [str(number) for number, _ in enumerate(values)]
    module = module_of(main_function(block, names, outputs, "raised"))
    Raise().apply(installed().context(), module)
    places = dict[SSAValue, SSAValue](zip(block.args, values, strict=True))
    result = block.last_op.operands[0] if block.last_op else before[0]
    match = aligned(after, result, {*places})
    return match and replace(match, ends={places[arg]: v for arg, v in match.ends.items()})
