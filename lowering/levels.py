"""The levels of the IR, and small readers of IR that the passes share."""

from collections.abc import Iterator
from enum import Enum
from typing import TypeGuard

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects.diagnostics import Fault, fail, listed
from ..dialects.faults.notes import note
from ..dialects.htp import CopyWaitOp, NativeOp, ReshapeOp
from ..dialects.htp.in_place import is_in_place
from ..dialects.qti_aisw import GraphOp


class Level(Enum):
    """A level of the IR."""

    GRAPH = "graph"
    NATIVE = "native"
    PLACED = "placed"
    ALLOCATED = "allocated"


def level_of(name: str) -> Level:
    """Return the level of this name; HtpError for one that is not known."""
    known = {level.value: level for level in Level}
    if name not in known:
        raise fail(f"level '{name}'", "is not known", listed(name, known))
    return known[name]


def bodies(module: ModuleOp) -> Iterator[Block]:
    """Yield the blocks of the module's functions."""
    for op in module.body.block.ops:
        if isinstance(op, FuncOp):
            yield from op.body.blocks


def note_graph(module: ModuleOp, name: str) -> None:
    """Note that a pass for native ops, by its name, runs on a graph, where none is made yet."""
    ops = [op for block in bodies(module) for op in block.ops]
    is_native = any(isinstance(op, NativeOp) for op in ops)
    if not is_native and any(isinstance(op, GraphOp) for op in ops):
        problem = f"is at the graph level, where {name} finds no native op"
        note(Fault("module", problem, "run convert-qti-aisw-to-htp before it, or htp-lower"))


def is_tensor(value: SSAValue) -> bool:
    """Tell whether a value is a tensor and no shape."""
    return isinstance(value.type, TensorType)


def is_boundary(value: SSAValue) -> bool:
    """Tell whether a value is an argument or a result of its function, which carry no place."""
    if isinstance(value.owner, Block):
        return True
    return any(isinstance(use.operation, ReturnOp) for use in value.uses)


def mnemonic(op: Operation) -> str:
    """Return the name of a native op as kernels and properties know it: `Add`, or `Package.Op`."""
    return op.name.removeprefix("htp.")


def operand_label(op: Operation, index: int) -> str:
    """Return the name of an operand for messages."""
    return op.operand_name(index) if isinstance(op, NativeOp) else f"operand {index}"


def runs(op: Operation) -> TypeGuard[NativeOp]:
    """Tell whether an op has a kernel: constants, shapes, states and views have none."""
    views = isinstance(op, (ReshapeOp, CopyWaitOp)) or is_in_place(op)
    return isinstance(op, NativeOp) and not views
