"""The TCM over time, read off an allocated module: one block per stay of a tensor."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.checks import text
from ...dialects.htp.base import NativeOp
from ...dialects.htp.types import ShapeType
from ...dialects.spec import TensorSpec, spec_of


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
    blocks += [block for op in ops for block in _scratch(op, position[op])]
    return Timeline(tuple(blocks), tuple(step_name(op) for op in ops))


def step_name(op: Operation) -> str:
    """An op's name and the model's node it comes from."""
    node = op.attributes.get("htp.name")
    return f"{op.name} ({node.data})" if isinstance(node, StringAttr) else op.name


def _stays(op: Operation, value: SSAValue, position: dict[Operation, int]) -> list[Block]:
    if isinstance(value.type, ShapeType):
        return []
    spec = spec_of(value)
    first = position[op]
    last = max([first, *(position[use.operation] for use in value.uses)])
    reason = op.properties.get("reason") or op.attributes.get("reason")
    why = reason.data if isinstance(reason, StringAttr) else ""
    return _block(f"{step_name(op)} #{first}", spec, (first, last), why)


def _scratch(op: Operation, step: int) -> list[Block]:
    """What the op's kernel needs in TCM while it runs."""
    specs = op.scratch_specs() if isinstance(op, NativeOp) else ()
    return [
        block
        for index, spec in enumerate(specs)
        for block in _block(
            f"{step_name(op)} #{step}, scratch {index}", spec, (step, step), "scratch of its kernel"
        )
    ]


def _block(tensor: str, spec: TensorSpec, time: tuple[int, int], reason: str) -> list[Block]:
    """One block, or none for a tensor without an offset."""
    if spec.place is None or spec.place.offset is None:
        return []
    label = f"{text(spec.shape)} {spec.dtype.name} {spec.layout.value}"
    return [Block(tensor, label, spec.nbytes, spec.place.offset, *time, reason)]
