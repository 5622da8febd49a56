"""The pass that converts graph ops to native ops, as nodes are added to an HTP graph.

Passes in front of it take out ops on tensors without elements and bring the others to rank 4. Two
more give tensors another element type, and a graph the vendor's inputs and outputs: the first is
for models with types that HTP lacks. The vendor's converter gives a graph the others.
"""

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure

from ....dialects.diagnostics import HtpError, fail, listed
from ....dialects.faults.op_faults import fail_at
from ....dialects.locations import location_of
from ....dialects.qti_aisw import ConstOp, GraphOp, const
from ....dialects.qti_aisw.base import ints
from ....dialects.qti_aisw.ops.movement import TransposeOp
from ....dialects.qti_aisw.ops.quantize import BitCastOp, CastOp, DequantizeOp, QuantizeOp
from ....dialects.spec_of import Array, plain_element_type, spec_of, type_of
from ....dialects.value import INSTEAD, DType
from ....runtime.kernel.library import graph_operands
from ....runtime.kernels.semantics.reference import GRAPH
from ...conversion.convert import convert_module
from ...conversion.ranks.reduce import reduce_ranks
from ...levels import Level, bodies, is_tensor
from ...packages.loading import packages_of
from ..checks.check_level import check_level, note_lowered
from .floats import Narrow


class FoldEmpty(ModulePass):
    """Graph level to graph level: ops on tensors without elements become constants.

    An op whose results have no elements computes nothing. One that reads such a tensor, and else
    only constants, has a constant result: a sum over nothing is 0. Any other op stays, with the
    error that it may be at run time.
    """

    name = "qti-fold-empty"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_lowered(op)
        for block in bodies(op):
            for inner in list(block.ops):
                if isinstance(inner, GraphOp) and inner.has_trait(Pure):
                    _fold(inner)


def _fold(op: GraphOp) -> None:
    specs = [spec_of(result) for result in op.results]
    if not any(map(_is_empty, (*op.operands, *op.results))):
        return
    arrays = [np.zeros(spec.shape, spec.dtype.storage) for spec in specs]
    values = arrays if all(map(_is_empty, op.results)) else _value(op)
    if values is not None:
        constants = [const(array, spec) for array, spec in zip(values, specs, strict=True)]
        for constant in constants:
            constant.location = location_of(op)
        Rewriter.replace_op(op, constants, [constant.results[0] for constant in constants])


def _value(op: GraphOp) -> list[Array] | None:
    """Compute an op over empty tensors and constants; None for any other, or where it fails."""
    evaluate = GRAPH.get(op.name.rpartition(".")[2])
    operands = [None if value is None else _stored(value) for _, value in graph_operands(op)]
    if evaluate is None or any(_stored(value) is None for value in op.operands):
        return None
    try:
        return list(evaluate(op, operands))
    except (HtpError, ValueError, IndexError, ArithmeticError):
        return None


def _stored(value: SSAValue) -> Array | None:
    """Return the stored values of an empty tensor or of a constant."""
    if isinstance(value.owner, ConstOp):
        return value.owner.array
    spec = spec_of(value)
    return np.zeros(spec.shape, spec.dtype.storage) if _is_empty(value) else None


def _is_empty(value: SSAValue) -> bool:
    return spec_of(value).elements == 0


class ReduceRanks(ModulePass):
    """Graph level to graph level: ops on tensors of rank above 4 become ops of rank 4 or less.

    Neighbouring dims that move together are merged, dims of extent 1 go, and Reshapes stand around
    the op. Where more than four dims are left, the op becomes several: a Transpose moves blocks of
    dims one after the other; a slice, a padding or a repetition takes dim after dim; a reduction
    takes its dims as the last ones; an operand that broadcasts is repeated. Reshapes keep any rank,
    and so does the signature.
    """

    name = "qti-reduce-ranks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_lowered(op)
        for block in bodies(op):
            reduce_ranks(block)


BEFORE_CONVERSION: tuple[ModulePass, ...] = (FoldEmpty(), Narrow(), ReduceRanks())
"""The passes that bring a graph to the form that is converted."""


class ConvertToHtp(ModulePass):
    """Graph level to native level: `qti_aisw.X` becomes `htp.X`, params become operands.

    The signature of `@main` stays; a Reshape to rank 4 stands behind every argument and one back
    in front of every result. Raises HtpError with every op that has no native form, and leaves the
    module as it was.
    """

    name = "convert-qti-aisw-to-htp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, packages_of(ctx))


_TYPES = {str(plain_element_type(dtype)): dtype for dtype in DType if not dtype.is_quantized}
"""The element types by their names in text."""


@dataclass(frozen=True)
class Retype(ModulePass):
    """Graph level to graph level: tensors of element type `old`, which HTP lacks, become `new`.

    The signature changes with them, and constants are rounded. Floats become floats and integers
    integers: numbers are then as precise as `new` is, and wrap or overflow where it does. Casts
    from `new` to itself go. Raises HtpError for other types, for a constant that `new` cannot hold,
    and for a BitCast of `old`, and leaves the module as it was.
    """

    name = "qti-retype"

    old: str
    new: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        old, new = _known(self.old, "old"), _known(self.new, "new")
        if old.on_htp or not new.on_htp or old.is_float is not new.is_float or new is DType.Bool8:
            lacking = ", ".join(str(plain_element_type(dtype)) for dtype in INSTEAD)
            problem = f"makes no {self.new} of {self.old}"
            remedy = f"give one of {lacking} as old, and as new a type of its kind that HTP has"
            raise fail(self.name, problem, remedy)
        check_level(op, Level.GRAPH)
        ops = list(op.walk())
        for inner in (bits for bits in ops if isinstance(bits, BitCastOp)):
            if any(_has(value, old) for value in (*inner.operands, *inner.results)):
                problem = f"goes by the bits of {self.old}"
                raise fail_at(inner, problem, "replace it by a Cast before qti-retype")
        constants = [c for c in ops if isinstance(c, ConstOp) and _has(c.out, old)]
        converted = [_converted(constant, new) for constant in constants]
        for constant, other in zip(constants, converted, strict=True):
            Rewriter.replace_op(constant, other)
        for block in bodies(op):
            _retype(block, old, new)
        for function in (inner for inner in ops if isinstance(inner, FuncOp)):
            function.update_function_type()


def _known(name: str, option: str) -> DType:
    if name not in _TYPES:
        raise fail("qti-retype", f"{option} '{name}': is no type", listed(name, _TYPES))
    return _TYPES[name]


def _has(value: SSAValue, dtype: DType) -> bool:
    return is_tensor(value) and spec_of(value).dtype is dtype


def _converted(op: ConstOp, new: DType) -> ConstOp:
    """Return a constant in the new type; HtpError for numbers that it cannot hold."""
    with np.errstate(over="ignore"):
        array = op.array.astype(new.storage)
    kept = np.isfinite(array) == np.isfinite(op.array) if new.is_float else array == op.array
    if not np.all(kept):
        problem = f"has numbers that {plain_element_type(new)} cannot hold"
        raise fail_at(op, problem, "give qti-retype a wider type as new")
    converted = const(array, spec_of(op.out).with_dtype(new))
    converted.location = op.location
    return converted


def _retype(block: Block, old: DType, new: DType) -> None:
    """Give the tensors of a block the new type, and the params that name the old one."""
    before, after = plain_element_type(old), plain_element_type(new)
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    for value in values:
        if _has(value, old):
            type_ = type_of(spec_of(value).with_dtype(new))
            Rewriter.replace_value_with_new_type(value, type_)
    for op in list(block.ops):
        op.properties.update({name: after for name, at in op.properties.items() if at == before})
        if isinstance(op, CastOp) and op.operands[0].type == op.results[0].type:
            Rewriter.replace_op(op, [], [op.operands[0]])


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
