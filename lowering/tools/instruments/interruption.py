"""Ctrl-C in a run of passes: the module as the last whole pass left it, for each target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ....runtime.passes import Instrument, passes_around
from ....runtime.tools.errors import explain

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
    """Put a module back into the state of a snapshot, with new ops."""
    maker = _OpMaker()
    regions = maker.regions(kept)
    maker.connect()
    for region, new in zip(list(module.regions), regions, strict=True):
        while region.blocks:
            region.detach_block(region.blocks[0])
        new.move_blocks(region)
    module.attributes, module.properties = kept.attributes.copy(), kept.properties.copy()


class _OpMaker:
    """New ops for those of a snapshot, and which value represents which."""

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


_COMMENTED = ("mlir", "dot", "irdl-module", "pdl-module")
"""The targets that begin with a comment on the interrupt."""


class LastWhole(Instrument):
    """Keeps a snapshot of a module behind each pass, inner ones included, but none on a copy."""

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._kept: tuple[Snapshot, str] = (snapshot(module), "it was before the passes")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if module is not self._module:
            return
        path = " > ".join(each.name for each in passes_around())
        # One assignment: Ctrl-C may come at any time.
        self._kept = snapshot(module), f"{path} left it"

    def restore(self) -> str:
        """Make the module what it was behind the last whole pass; return which one that was."""
        kept, state = self._kept
        put_back(self._module, kept)
        return state


class Interruption(BaseException):
    """An interrupt, and the module as the last whole pass left it.

    `output` is where the module goes, `plan` the file of --plan, which only a whole run writes.
    """

    def __init__(
        self, error: KeyboardInterrupt, last_whole: LastWhole, output: str, plan: str | None
    ) -> None:
        super().__init__()
        self.error = error
        self._unplanned = f"; {plan} was not written" if plan else ""
        self._state = f"the module as {last_whole.restore()}"
        self._output = output
        if not getattr(error, "__notes__", ()):
            error.add_note("between two passes")

    def written(self, target: str, write: Callable[[ModuleOp], str], module: ModuleOp) -> str:
        """Write the module as a target does; raise the interrupt, with the reason, if it cannot."""
        try:
            text = write(module)
        except Exception as error:  # a target may need what only later passes make
            problem = explain(error).faults[0].problem
            self._note(f"no output was written, {self._state} is no {target}: {problem}")
            raise self.error from error
        if target == "report":
            self._note(f"{self._output} tells of the passes so far")
            return text
        self._note(f"{self._output} holds {self._state}")
        return f"// interrupted: {self._state}\n{text}" if target in _COMMENTED else text

    def _note(self, left: str) -> None:
        self.error.add_note(f"{left}{self._unplanned}")
