"""The levels of the IR, and small readers of IR that the passes share."""

from collections.abc import Iterator
from enum import Enum
from typing import TypeGuard

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects.attributes import LEAST_CONVERSION_BYTES
from ..dialects.diagnostics import Fault, fail, listed
from ..dialects.faults.notes import note
from ..dialects.htp import CopyWaitOp, NativeOp, ReshapeOp
from ..dialects.htp.in_place import is_in_place
from ..dialects.qti_aisw import GraphOp
from ..dialects.spec_of import spec_of


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


def note_graph(module: ModuleOp, name: str, *, placed: bool = False) -> None:
    """Note that a pass for native ops, by its name, runs on a graph, where none is made yet.

    Or on native ops that have no places yet, for one that wants them `placed`.
    """
    ops = [op for block in bodies(module) for op in block.ops]
    is_native = any(isinstance(op, NativeOp) for op in ops)
    if not is_native and any(isinstance(op, GraphOp) for op in ops):
        problem = f"is at the graph level, where {name} finds no native op"
        note(Fault("module", problem, "run convert-qti-aisw-to-htp before it, or htp-lower"))
    elif placed and any(map(runs, ops)) and not _has_places(module):
        remedy = "run htp-assign-places, then htp-realise-places before it, or htp-lower"
        note(Fault("module", f"has no places, so that {name} finds no tensor in TCM", remedy))


def _has_places(module: ModuleOp) -> bool:
    """Tell whether a tensor has a place, or the places are realised, even with none needed."""
    results = (result for block in bodies(module) for op in block.ops for result in op.results)
    return any(LEAST_CONVERSION_BYTES in op.attributes for op in module.body.block.ops) or any(
        spec_of(result).place is not None for result in results if is_tensor(result)
    )


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
