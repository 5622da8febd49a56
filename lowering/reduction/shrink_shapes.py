"""Smaller sizes: every dim of one size, in types, constants and params, gets another size.

Results of ops follow from their operands, as far as the ops say how.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ...dialects.constant import Constant
from ...dialects.dense import dense_of
from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.htp.ops.state import StateOp
from ...dialects.htp.types import ShapeType
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ...dialects.qti_aisw.params import ints_attr
from ...dialects.spec_of import spec_of, type_of
from ...dialects.value.spec import TensorSpec
from .entries import entries

_PARAM = 8
"""Elements of an integer constant up to which it may hold sizes."""


def sizes(module: ModuleOp) -> list[tuple[int, int]]:
    """List the changes of a size to try, the largest size first: to 1, to 2, to its half."""
    blocks = [function.body.block for function in entries(module)]
    results = [value for block in blocks for op in block.ops for value in op.results]
    values = [*(arg for block in blocks for arg in block.args), *results]
    tensors = [value for value in values if not isinstance(value.type, ShapeType)]
    known = {dim for value in tensors for dim in spec_of(value).shape if dim > 1}
    return [
        (size, smaller)
        for size in sorted(known, reverse=True)
        for smaller in dict.fromkeys((1, 2, size // 2))
        if smaller < size
    ]


def with_size(module: ModuleOp, old: int, new: int) -> bool:
    """Change a size everywhere, in place; tell whether all ops take it."""
    for state in (op for op in module.ops if isinstance(op, StateOp)):
        state.properties["type"] = type_of(_with_dims(state.spec, old, new))
    return all(_resized(function, old, new) for function in entries(module))


def _resized(function: FuncOp, old: int, new: int) -> bool:
    block = function.body.block
    for argument in list(block.args):
        Rewriter.replace_value_with_new_type(argument, _renamed(argument, old, new))
    try:
        for op in list(block.ops):
            _change(op, old, new)
    except VerifyException:
        return False
    function.update_function_type()
    return True


def _change(op: Operation, old: int, new: int) -> None:
    """Change an op's data and params, then the types of its results."""
    if isinstance(op, Constant):
        _slice(op, old, new)
        return
    for name, value in op.properties.items():
        op.properties[name] = _param(value, old, new) if name != "operandSegmentSizes" else value
    for result in list(op.results):
        Rewriter.replace_value_with_new_type(result, _renamed(result, old, new))
    if isinstance(op, GraphReshapeOp | ReshapeOp):
        _reshape(op)
    if isinstance(op, GraphOp | NativeOp):
        for result, spec in zip(list(op.results), op.infer(), strict=False):
            if spec is not None:
                stated = spec_of(result)
                kept: TensorSpec = stated.with_shape(spec.shape)
                Rewriter.replace_value_with_new_type(result, type_of(kept))


def _reshape(op: GraphReshapeOp | ReshapeOp) -> None:
    """Let the largest dim of a Reshape hold the rest of what its operand has."""
    source, spec = spec_of(op.operands[0]), spec_of(op.results[0])
    if source.elements == spec.elements or not spec.elements:
        return
    dims = list(spec.shape)
    largest = dims.index(max(dims))
    dims[largest] = max(source.elements * dims[largest] // spec.elements, 1)
    if "shape" in op.properties:
        op.properties["shape"] = ints_attr(dims)
    Rewriter.replace_value_with_new_type(op.results[0], type_of(spec.with_shape(tuple(dims))))


def _slice(op: Constant, old: int, new: int) -> None:
    """Take the first elements along each dim of the old size; replace sizes in small data."""
    spec, array = spec_of(op.out), op.array
    if array.dtype.kind in "iu" and array.size <= _PARAM and spec.quant is None:
        array = np.where(array == old, new, array).astype(array.dtype)
    changed = _with_dims(spec, old, new)
    if spec.quant is not None and spec.quant.axis is not None and changed != spec:
        raise VerifyException("one scale for each index")
    op.properties["value"] = dense_of(array[tuple(slice(0, n) for n in changed.shape)], changed)
    Rewriter.replace_value_with_new_type(op.out, type_of(changed))


def _renamed(value: SSAValue, old: int, new: int) -> Attribute:
    if isinstance(value.type, ShapeType):
        dims = value.type.get_shape()
        return ShapeType(tuple(new if dim == old else dim for dim in dims))
    return type_of(_with_dims(spec_of(value), old, new))


def _with_dims(spec: TensorSpec, old: int, new: int) -> TensorSpec:
    return spec.with_shape(tuple(new if dim == old else dim for dim in spec.shape))


def _param(value: Attribute, old: int, new: int) -> Attribute:
    """Replace a size in a param: a number, or a list of numbers."""
    if isinstance(value, IntegerAttr) and value.value.data == old:
        return IntegerAttr(new, value.type)
    if isinstance(value, DenseArrayBase) and isinstance(value.elt_type, IntegerType):
        numbers = [new if number == old else number for number in value.get_values()]
        return DenseArrayBase.from_list(value.elt_type, numbers)
    return value
