"""The pass that gives a graph the inputs and outputs that the vendor's converter gives it."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.qti_aisw.base import ints
from ....dialects.qti_aisw.ops.movement import TransposeOp
from ....dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ....dialects.spec_of import spec_of
from ...levels import Level
from ..checks.check_level import check_level


class VendorIo(ModulePass):
    """Graph level to graph level: inputs and outputs have channels last, and encodings.

    A Quantize, or a Transpose to channels last, that alone reads an input goes, and so does a
    Dequantize, or a Transpose to channels first, of which only an output is made. The signature
    changes with them: the caller gives and takes what the converter's program does.
    """

    name = "qti-vendor-io"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, Level.GRAPH)
        for function in (inner for inner in op.body.block.ops if isinstance(inner, FuncOp)):
            for argument in function.body.block.args:
                value: SSAValue = argument
                while reader := _conversion(value):
                    type_ = reader.results[0].type
                    Rewriter.replace_op(reader, [], [value])
                    value = Rewriter.replace_value_with_new_type(value, type_)
            end = function.body.block.last_op
            while isinstance(end, ReturnOp) and _shorten(end):
                pass
            function.update_function_type()


def _conversion(argument: SSAValue) -> Operation | None:
    """Return the only reader of an input, where it is a conversion."""
    readers = {use.operation for use in argument.uses}
    reader = readers.pop() if len(readers) == 1 else None
    if isinstance(reader, TransposeOp):
        rank = spec_of(argument).rank
        return reader if _is_turn(reader, (0, *range(2, rank), 1)) else None
    return reader if isinstance(reader, QuantizeOp) else None


def _shorten(end: ReturnOp) -> bool:
    """Take one conversion away in front of an output; false where there is none."""
    for index, value in enumerate(end.operands):
        maker = value.owner
        if isinstance(maker, TransposeOp):
            rank = spec_of(value).rank
            goes = _is_turn(maker, (0, rank - 1, *range(1, rank - 1)))
        else:
            goes = isinstance(maker, DequantizeOp)
        if goes and isinstance(maker, Operation) and value.has_one_use():
            end.operands[index] = maker.operands[0]
            Rewriter.erase_op(maker)
            return True
    return False


def _is_turn(op: TransposeOp, perm: tuple[int, ...]) -> bool:
    return len(perm) > 2 and tuple(ints(op.perm)) == perm
