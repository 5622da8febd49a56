"""Graphs that spell an op out, redrawn: with other extents, and other numbers in constants."""

from collections.abc import Callable
from random import Random

import numpy as np
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.base import GraphOp, int_attr, ints, ints_attr
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp, const
from htp_mlir.dialects.spec_of import Array, spec_of, type_of
from htp_mlir.dialects.value.spec import Shape
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

Size = Callable[[int], int]
_PARAMS = ("shape", "ranges", "split_index", "hidden_size")
"""Params whose numbers are extents."""


def redrawn(module: ModuleOp, random: Random) -> ModuleOp | None:
    """Return a copy in which one extent is another one, with its multiples or without them.

    None where the ops do not fit together then.
    """
    copy = module.clone()
    function = next(op for op in copy.ops if isinstance(op, FuncOp))
    size = _size(function, random)
    try:
        for argument in function.body.block.args:
            _retype(argument, tuple(map(size, spec_of(argument).shape)))
        for op in list(function.body.block.ops):
            _redraw(op, size, random)
        function.update_function_type()
        copy.verify()
    except (VerifyException, HtpError, ValueError, OverflowError, IndexError):
        return None
    return copy


def _size(function: FuncOp, random: Random) -> Size:
    """Choose an extent of the inputs and another one in its place."""
    extents = {n for argument in function.body.block.args for n in spec_of(argument).shape}
    old = random.choice(sorted(extents - {0, 1}) or [1])
    new, multiples = random.choice((old - 1, old + 1, old + 2, 2 * old)) or 1, random.random() < 0.5

    def size(extent: int) -> int:
        if extent == old:
            return new
        return extent // old * new if multiples and extent > old and extent % old == 0 else extent

    return size


def _redraw(op: Operation, size: Size, random: Random) -> None:
    if isinstance(op, ConstOp):
        array, spec = _resized(op.array, size, random), spec_of(op.results[0])
        Rewriter.replace_op(op, const(array, spec.with_shape(array.shape)))
    elif isinstance(op, GraphOp):
        for name in op.properties.keys() & set(_PARAMS):
            value = op.properties[name]
            is_one = isinstance(value, IntegerAttr)
            op.properties[name] = (
                int_attr(size(value.value.data)) if is_one else ints_attr([*map(size, ints(value))])
            )
        for result, spec in zip(op.results, op.infer(), strict=True):
            if spec is not None:
                _retype(result, spec.shape)


def _resized(array: Array, size: Size, random: Random) -> Array:
    """Repeat or cut an array to other dims; extents that it holds are others, too."""
    for axis, extent in enumerate(array.shape):
        array = array.take(np.arange(size(extent)) % max(extent, 1), axis)
    if array.dtype in (np.int32, np.int64):
        return np.array([size(int(n)) for n in array.flat], array.dtype).reshape(array.shape)
    if array.dtype.kind == "f" and random.random() < 0.3:
        generator = np.random.default_rng(random.randrange(1 << 16))
        return generator.permuted(array.reshape(-1)).reshape(array.shape)
    return array


def _retype(value: SSAValue, shape: Shape) -> None:
    Rewriter.replace_value_with_new_type(value, type_of(spec_of(value).with_shape(shape)))
