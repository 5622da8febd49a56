"""The TCM over time, read off an allocated module: one block per stay of a tensor."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.checks import text
from ...dialects.htp.types import ShapeType
from ...dialects.spec import spec_of


@dataclass(frozen=True)
class Block:
    """A tensor's bytes at an offset from the op that writes it to the last that reads it."""

    tensor: str
    label: str
    bytes: int
    offset: int
    first: int
    last: int
    reason: str = ""


@dataclass(frozen=True)
class Timeline:
    """Every stay in TCM of one function, and the names of its steps."""

    blocks: tuple[Block, ...]
    steps: tuple[str, ...]

    @property
    def peak(self) -> int:
        """The first byte above everything that is ever held."""
        return max((block.offset + block.bytes for block in self.blocks), default=0)


def timeline(module: ModuleOp) -> Timeline:
    """The stays in TCM of `@main`'s tensors; a tensor without offset is left out."""
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    ops = [op for op in function.body.block.ops if op.operands]
    position = {op: index for index, op in enumerate(ops)}
    blocks = [
        block for op in ops for result in op.results for block in _stays(op, result, position)
    ]
    return Timeline(tuple(blocks), tuple(step_name(op) for op in ops))


def step_name(op: Operation) -> str:
    """An op's name and the model's node it comes from."""
    node = op.attributes.get("htp.name")
    return f"{op.name} ({node.data})" if isinstance(node, StringAttr) else op.name


def _stays(op: Operation, value: SSAValue, position: dict[Operation, int]) -> list[Block]:
    if isinstance(value.type, ShapeType):
        return []
    spec = spec_of(value)
    if spec.place is None or spec.place.offset is None:
        return []
    first = position[op]
    last = max([first, *(position[use.operation] for use in value.uses)])
    reason = op.properties.get("reason") or op.attributes.get("reason")
    return [
        Block(
            tensor=f"{step_name(op)} #{first}",
            label=f"{text(spec.shape)} {spec.dtype.name} {spec.layout.value}",
            bytes=spec.nbytes,
            offset=spec.place.offset,
            first=first,
            last=last,
            reason=reason.data if isinstance(reason, StringAttr) else "",
        )
    ]
