"""The bytes that conversions between layouts write in a function: now, and at the least."""

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation

from ....dialects.attributes import LEAST_CONVERSION_BYTES
from ....dialects.htp.ops.const import ConstOp
from ....dialects.htp.ops.copies import CopyOp, FormatOp
from ....dialects.spec_of import spec_of
from ...levels import bodies
from .choose_places import choose_places
from .placement import Placer


def note_least(block: Block, least: int) -> None:
    """State the optimum, in bytes, on the function of a block."""
    function = block.parent_op()
    if function is not None:
        function.attributes[LEAST_CONVERSION_BYTES] = IntegerAttr(least, 64)


def noted_least(function: Operation) -> int | None:
    """Read the optimum that a function states; None where it states none."""
    least = function.attributes.get(LEAST_CONVERSION_BYTES)
    return least.value.data if isinstance(least, IntegerAttr) else None


def conversion_bytes(module: ModuleOp) -> int:
    """Count the bytes, padding included, that conversions write in a module with places.

    Those of constants are left out: most are made at compile time.
    """
    ops = (op for block in bodies(module) for op in block.ops if isinstance(op, FormatOp))
    return sum(spec_of(op.out).nbytes for op in ops if not isinstance(source_of(op), ConstOp))


def source_of(op: Operation) -> Operation | Block:
    """Find what makes the value that copies and conversions lead back to."""
    owner = op.operands[0].owner
    return source_of(owner) if isinstance(owner, CopyOp) else owner


def least_conversion_bytes(module: ModuleOp, by: Placer) -> int:
    """Compute the optimum: the fewest such bytes for a module at the native level."""
    return sum(choose_places(block, by)[1] for block in bodies(module))
