"""The pass that has the floats of a graph computed in f16."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ....dialects.faults.notes import note
from ....dialects.faults.op_faults import fault_at
from ....dialects.qti_aisw import ConstOp, build
from ....dialects.qti_aisw.ops.activation import ReluMinMaxOp
from ....dialects.qti_aisw.ops.quantize import CastOp
from ....dialects.qti_aisw.params import float_attr
from ....dialects.spec_of import dtype_of, spec_of, type_of
from ....dialects.value.dtypes import DType
from ...levels import Level, bodies
from ...quantization.forms import F16, F32, LARGEST_F16, Forms, element_of
from ...quantization.groups import is_real
from ...quantization.halves import goes_on, reason_for_f32
from ..checks.check_level import check_level


@dataclass(frozen=True)
class Halve(ModulePass):
    """Graph level to graph level: what is computed in f32 is computed in f16.

    Constants are rounded. Inputs and outputs stay f32, with Casts just inside, unless `signature`
    is true. Ops that f16 is too small or too coarse for stay in f32, each with a note on standard
    error, and so do the element-wise ops that follow from them alone; behind them a number beyond
    f16's range becomes its largest. Run it behind `qti-raise`: a norm, Softmax or Attention that is
    one op computes in f32 inside. Quantised tensors stay unchanged.
    """

    name = "qti-halve"

    signature: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, Level.GRAPH)
        for block in bodies(op):
            _Halver(self.signature).run(block)
        for function in op.walk():
            if isinstance(function, FuncOp):
                function.update_function_type()


class _Halver:
    """Builds the ops of a block anew, each in f16 or f32, with Casts where the two meet."""

    def __init__(self, signature: bool) -> None:
        self._signature = signature
        self._forms = Forms()
        self._limited: dict[SSAValue, SSAValue] = {}
        """The values that are kept in f32, each with what f16 has for it: within its range."""

    def run(self, block: Block) -> None:
        """Build the ops anew, and take the old ones away."""
        ops = list(block.ops)
        for argument in filter(is_real, block.args if self._signature else ()):
            self._take_half(argument, ops[0])
        for op in ops:
            if isinstance(op, ReturnOp):
                for index, value in enumerate(op.operands):
                    halved = self._signature and is_real(value)
                    op.operands[index] = self._form(value, F16 if halved else element_of(value), op)
            elif not isinstance(op, ConstOp):
                self._rebuild(op)
        for op in reversed(list(block.ops)):
            unused = not any(result.uses for result in op.results)
            if unused and (op in ops[:-1] or op.has_trait(Pure)):
                block.erase_op(op)

    def _take_half(self, argument: SSAValue, first: Operation) -> None:
        """Make an argument f16; what is built anew by and by reads a Cast of it."""
        spec = spec_of(argument).with_dtype(DType.Float16)
        half = Rewriter.replace_value_with_new_type(argument, type_of(spec))
        cast = build(CastOp, [half], {"to": F32})
        half.replace_all_uses_with(cast.out)
        cast.operands[0] = half
        self._forms.set(cast.out, half)
        Rewriter.insert_op(cast, InsertPoint.before(first))

    def _rebuild(self, op: Operation) -> None:
        """Build an op in f16 if that does, else in f32, and note the forms of its results."""
        reason = reason_for_f32(op)
        if reason:
            remedy = "give it numbers that f16 holds, if it is to be f16"
            note(fault_at(op, f"{reason}, and stays in f32", remedy))
        stays = bool(reason) or goes_on(op, self._limited)
        try:
            new = self._built(op, F32 if stays else F16)
        except VerifyException:
            new = self._built(op, F32)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            self._forms.set(old, result)
            if stays and is_real(old):
                low, high = float_attr(-LARGEST_F16), float_attr(LARGEST_F16)
                limited = build(ReluMinMaxOp, [result], {"min_value": low, "max_value": high})
                Rewriter.insert_op(limited, InsertPoint.before(op))
                self._limited[old] = limited.out

    def _built(self, op: Operation, element: Attribute) -> Operation:
        """Insert an op with f32 operands and results in a type; VerifyException if it has none."""
        operands = {
            value: self._form(value, element if is_real(value) else element_of(value), op)
            for value in op.operands
        }
        new = op.clone(operands)
        dtype, _ = dtype_of(element)
        for result in filter(is_real, new.results):
            Rewriter.replace_value_with_new_type(result, type_of(spec_of(result).with_dtype(dtype)))
        named = {name: element for name, at in new.properties.items() if at == F32}
        new.properties.update(named)
        Rewriter.insert_op(new, InsertPoint.before(op))
        try:
            new.verify()
        except VerifyException:
            Rewriter.erase_op(new)
            raise
        return new

    def _form(self, value: SSAValue, element: Attribute, reader: Operation) -> SSAValue:
        source = self._limited.get(value, value) if element == F16 else value
        return self._forms.get(source, element, reader)
