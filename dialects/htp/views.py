"""Values that share the bytes of others: in place, waited for, or only reshaped."""

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ..spec_of import spec_of
from ..value import RANK, LayoutKind
from .in_place import Share, is_in_place, shares
from .ops.copies import CopyWaitOp
from .ops.movement import ReshapeOp

_ORIGIN = (0,) * RANK


def views(op: Operation) -> tuple[Share, ...]:
    """The tensors that an op makes views of another one; empty for an op that makes its own."""
    if isinstance(op, CopyWaitOp) or (isinstance(op, ReshapeOp) and _only_reshapes(op)):
        return (Share(op.results[0], op.operands[0], _ORIGIN),)
    return shares(op) if is_in_place(op) else ()


def _only_reshapes(op: ReshapeOp) -> bool:
    """Tell whether a Reshape leaves its elements where they are: flat, in one memory."""
    values = (op.operands[0], op.results[0])
    if not all(isinstance(value.type, TensorType) for value in values):
        return False
    source, result = map(spec_of, values)
    flat = source.layout is result.layout is LayoutKind.FLAT
    return flat and source.memory is result.memory
