"""The passes that compute floats in a narrower type: f64 in f32, all in f16 where that is enough.

`qti-narrow`, connected components: values of f64 that ops move or compare with each other form a
group. Where all that enters a group are Casts from one type that f64 holds exactly, and constants
that this type holds, and all that leaves it are Casts and truth values, the group computes the same
in that type.

Cost: linear in the uses of f64 values. Example: of `Cast(x to f64) -> Transpose -> Maximum(_, 0.0)
-> Cast(to f32)` with x of f32 the three values between the Casts are a group, which becomes f32.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
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
from ....dialects.qti_aisw import ConstOp, CustomOp, build, const
from ....dialects.qti_aisw.base import float_attr
from ....dialects.qti_aisw.ops.activation import ReluMinMaxOp
from ....dialects.qti_aisw.ops.elementwise import (
    Binary,
    ElementWiseDivideOp,
    ElementWiseMultiplyOp,
    ElementWiseSquaredDifferenceOp,
    Unary,
)
from ....dialects.qti_aisw.ops.movement import Movement
from ....dialects.qti_aisw.ops.optimisers import AdamOp
from ....dialects.qti_aisw.ops.quantize import CastOp
from ....dialects.qti_aisw.ops.reduce import Reduce, ReduceMeanOp, ReduceSumOp
from ....dialects.spec_of import dtype_of, spec_of, type_of
from ....dialects.value import DType
from ...levels import Level, bodies, is_tensor
from ...quantization.groups import F16, F32, LARGEST_F16, Forms, element_of, is_real
from ..checks.check_level import check_level, note_lowered

_HELD = (
    *(DType.Float32, DType.Float16, DType.Int32, DType.Int16, DType.Int8),
    *(DType.UInt32, DType.UInt16, DType.UInt8),
)
"""The types of HTP whose numbers f64 holds exactly."""

_EXACT = (
    *("Concat", "Split", "Gather", "Reshape", "Transpose", "StridedSlice", "Tile"),
    *("DepthToSpace", "SpaceToDepth", "ReduceMax", "ReduceMin", "ElementWiseSelect"),
    *("ElementWiseMaximum", "ElementWiseMinimum", "ElementWiseEqual", "ElementWiseNotEqual"),
    *("ElementWiseGreater", "ElementWiseGreaterEqual", "ElementWiseLess", "ElementWiseLessEqual"),
    *("Argmax", "Argmin"),
)
"""Ops that move, choose or compare elements and compute none."""


class Narrow(ModulePass):
    """Graph level to graph level: what only passes through f64 passes through its own type.

    A Cast to f64 and one back cancel each other, with what moves, chooses or compares elements in
    between. Arithmetic in f64 stays, as it may be there for its digits.
    """

    name = "qti-narrow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_lowered(op)
        for block in bodies(op):
            for group in [*_groups(block)]:
                dtype = _type_of(group)
                if dtype is not None:
                    _retype(group, dtype)


def _groups(block: Block) -> Iterator[list[SSAValue]]:
    """Yield the f64 values that exact ops connect."""
    values = [v for op in block.ops for v in (*op.operands, *op.results) if _is_wide(v)]
    seen: set[SSAValue] = set()
    for value in dict.fromkeys(values):
        # From one value on, all that exact ops connect with it.
        group, open_ = [], [value]
        while open_:
            one = open_.pop()
            if one in seen:
                continue
            seen.add(one)
            group.append(one)
            for op in (one.owner, *(use.operation for use in one.uses)):
                if _is_exact(op):
                    open_ += [v for v in (*op.operands, *op.results) if _is_wide(v)]
        if group:
            yield group


def _is_exact(op: Operation | Block) -> bool:
    return isinstance(op, Operation) and op.name.removeprefix("qti_aisw.") in _EXACT


def _is_wide(value: SSAValue) -> bool:
    return is_tensor(value) and spec_of(value).dtype is DType.Float64


def _type_of(group: list[SSAValue]) -> DType | None:
    """Return the type that all of a group may have instead; None where there is none."""
    casts = [value.owner for value in group if isinstance(value.owner, CastOp)]
    types = {spec_of(cast.operands[0]).dtype for cast in casts}
    dtype = next(iter(types)) if len(types) == 1 else None
    if dtype not in _HELD:
        return None
    fits = all(_may_be(value, dtype) for value in group)
    return dtype if fits else None


def _may_be(value: SSAValue, dtype: DType) -> bool:
    """Tell whether a value can have a type, by the op that makes it and the ops that read it."""
    users = (use.operation for use in value.uses)
    if not all(isinstance(op, CastOp) or _is_exact(op) for op in users):
        return False
    owner = value.owner
    if isinstance(owner, ConstOp):
        with np.errstate(all="ignore"):
            back = owner.array.astype(dtype.storage).astype(np.float64)
        return np.array_equal(back, owner.array, equal_nan=True)
    return isinstance(owner, CastOp) or _is_exact(owner)


def _retype(group: list[SSAValue], dtype: DType) -> None:
    """Give the values of a group another type; Casts from it to itself go."""
    users = {use.operation for value in group for use in value.uses}
    for value in group:
        owner = value.owner
        if isinstance(owner, ConstOp):
            other = const(owner.array.astype(dtype.storage), spec_of(value).with_dtype(dtype))
            Rewriter.replace_op(owner, other)
        elif isinstance(owner, CastOp):
            Rewriter.replace_op(owner, [], [owner.operands[0]])
        else:
            Rewriter.replace_value_with_new_type(value, type_of(spec_of(value).with_dtype(dtype)))
    for op in users:
        if isinstance(op, CastOp) and op.operands[0].type == op.results[0].type:
            Rewriter.replace_op(op, [], [op.operands[0]])


_SMALLEST = float(np.finfo(np.float16).smallest_normal)
"""The smallest number that f16 has with all its digits."""
_MANY = 4096
"""The elements from which on a sum may well be larger than f16 holds: 16 is then their mean."""


def reason_for_f32(op: Operation) -> str:
    """Return why an op has to be computed in f32; empty where f16 does."""
    if not any(map(is_real, (*op.operands, *op.results))):
        return ""
    return next(filter(None, (reason(op) for reason in _REASONS)), "")


def goes_on(op: Operation, kept: Collection[SSAValue]) -> bool:
    """Tell whether an op goes on in f32 behind values that are kept in it.

    So does an element-wise op, move or reduction that reads nothing else, constants apart, and the
    product or quotient of a value of the result's size, which may bring it back into f16's range.
    """
    if not isinstance(op, Unary | Binary | Movement | Reduce):
        return False
    values = [v for v in op.operands if is_real(v) and not isinstance(v.owner, ConstOp)]
    scaled = isinstance(op, ElementWiseMultiplyOp | ElementWiseDivideOp)
    size = spec_of(op.results[0]).elements
    large = any(v in kept and spec_of(v).elements == size for v in values)
    return bool(values) and (all(v in kept for v in values) or (scaled and large))


def _package(op: Operation) -> str:
    return "is of a package" if isinstance(op, CustomOp) else ""


def _training(op: Operation) -> str:
    return "adds steps to weights that f16 is too coarse for" if isinstance(op, AdamOp) else ""


def _cast(op: Operation) -> str:
    """Integers may be large, as positions and sums are, and an f32 behind f16 is there for that."""
    dtype = spec_of(op.operands[0]).dtype if isinstance(op, CastOp) else DType.Float32
    if dtype is DType.Float16:
        return "is f32 for its digits"
    return "is of integers of many digits" if dtype.is_integer and dtype.itemsize > 1 else ""


def _constant(op: Operation) -> str:
    """Negative numbers beyond f16 are masks, which its largest serves."""
    for value in filter(is_real, op.operands):
        if isinstance(value.owner, ConstOp) and value.owner.array.size:
            array = value.owner.array
            largest = float(np.max(array, initial=0.0, where=np.isfinite(array)))
            reach = float(np.abs(array).max())
            if largest > LARGEST_F16 or 0 < reach < _SMALLEST:
                return f"has a constant of {max(largest, reach):.3g}"
    return ""


def _sum(op: Operation) -> str:
    if not isinstance(op, ReduceSumOp | ReduceMeanOp):
        return ""
    count = spec_of(op.operands[0]).elements // max(1, spec_of(op.results[0]).elements)
    if isinstance(op, ReduceSumOp) and count >= _MANY:
        return f"sums {count} numbers"
    return "sums squares" if _is_square(op.operands[0].owner) else ""


def _square(op: Operation) -> str:
    uses = [use.operation for result in op.results for use in result.uses]
    summed = bool(uses) and all(isinstance(user, ReduceSumOp | ReduceMeanOp) for user in uses)
    return "makes squares, which are summed" if summed and _is_square(op) else ""


def _is_square(op: object) -> bool:
    if isinstance(op, ElementWiseMultiplyOp):
        return op.a is op.b
    return isinstance(op, ElementWiseSquaredDifferenceOp)


_REASONS: tuple[Callable[[Operation], str], ...] = (
    _package,
    _training,
    _cast,
    _constant,
    _sum,
    _square,
)


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
