"""A snapshot of a module: what a pass may change, kept so that the module can be made anew.

It costs less than a tenth of a clone, which makes every op, so one can be taken behind each pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

_Value = tuple[SSAValue, Attribute, str | None]
"""A value with its type and its name at that time."""


class _Body(NamedTuple):
    """A block as it was."""

    block: Block
    args: Sequence[_Value]
    ops: Sequence[Snapshot]


class Snapshot(NamedTuple):
    """An op as it was, with the ops inside it."""

    op: Operation
    operands: Sequence[SSAValue]
    results: Sequence[_Value]
    attributes: dict[str, Attribute]
    properties: dict[str, Attribute]
    regions: Sequence[Sequence[_Body]]


def snapshot(op: Operation) -> Snapshot:
    """Take a snapshot of an op and of those inside it."""
    regions = [
        [_Body(block, _values(block.args), [*map(snapshot, block.ops)]) for block in region.blocks]
        for region in op.regions
    ]
    results, operands = _values(op.results), tuple(op.operands)
    return Snapshot(op, operands, results, op.attributes.copy(), op.properties.copy(), regions)


def _values(values: Iterable[SSAValue]) -> list[_Value]:
    return [(value, value.type, value.name_hint) for value in values]


def put_back(module: ModuleOp, kept: Snapshot) -> None:
    """Make a module what it was when the snapshot was taken, of new ops."""
    maker = _OpMaker()
    regions = maker.regions(kept)
    maker.connect()
    for region, new in zip(list(module.regions), regions, strict=True):
        while region.blocks:
            region.detach_block(region.blocks[0])
        new.move_blocks(region)
    module.attributes, module.properties = kept.attributes.copy(), kept.properties.copy()


class _OpMaker:
    """New ops for those of a snapshot, and which value stands for which."""

    def __init__(self) -> None:
        self._values: dict[SSAValue, SSAValue] = {}
        self._blocks: dict[Block, Block] = {}
        self._made: list[tuple[Operation, Snapshot]] = []

    def regions(self, kept: Snapshot) -> list[Region]:
        """Make the regions of an op."""
        return [Region([self._block(body) for body in bodies]) for bodies in kept.regions]

    def connect(self) -> None:
        """Let the new ops read the new values and lead to the new blocks."""
        for op, kept in self._made:
            op.operands = [self._values[value] for value in kept.operands]
            op.successors = [self._blocks[block] for block in kept.op.successors]

    def _block(self, body: _Body) -> Block:
        new = Block(arg_types=[kind for _, kind, _ in body.args])
        self._blocks[body.block] = new
        self._name(body.args, new.args)
        for arg, old in zip(new.args, body.block.args, strict=True):
            arg.location = old.location
        new.add_ops([*map(self._op, body.ops)])
        return new

    def _op(self, kept: Snapshot) -> Operation:
        new = type(kept.op).create(
            result_types=[kind for _, kind, _ in kept.results],
            attributes=kept.attributes.copy(),
            properties=kept.properties.copy(),
            location=kept.op.location,
            regions=self.regions(kept),
        )
        self._made.append((new, kept))
        self._name(kept.results, new.results)
        return new

    def _name(self, old: Sequence[_Value], new: Sequence[SSAValue]) -> None:
        for (value, _, name), other in zip(old, new, strict=True):
            self._values[value] = other
            other.name_hint = name
