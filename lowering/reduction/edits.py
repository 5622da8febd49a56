"""The kinds of edits that make a module smaller, the most rewarding first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptPropertyDef
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import VerifyException

from ...dialects.htp import NativeOp, ReshapeOp, ShapeType, StateOp
from ...dialects.qti_aisw.base import GraphOp, ints_attr
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ...dialects.spec_of import dense_of, spec_of, type_of
from ...dialects.text.constant import Constant
from ...dialects.value import TensorSpec
from ...runtime.program.boundary import MAIN
from .one_function import NotPossible, cut, return_of, return_only, set_outputs, tidy


def functions(module: ModuleOp) -> list[FuncOp]:
    """List all functions."""
    return [op for op in module.ops if isinstance(op, FuncOp)]


def _entries(module: ModuleOp) -> list[FuncOp]:
    """List the functions without branches that are run: @main, or those that no other one calls."""
    known = functions(module)
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, CallOp)}
    outer = [each for each in known if each.sym_name.data not in called]
    main = [each for each in known if each.sym_name.data == MAIN]
    return [each for each in main or outer if _is_straight(each)]


def _is_straight(function: FuncOp) -> bool:
    blocks = list(function.body.blocks)
    return len(blocks) == 1 and isinstance(blocks[0].last_op, ReturnOp)


_PARAM = 8
"""Elements of an integer constant up to which it may hold sizes."""


def _sizes(module: ModuleOp) -> list[tuple[int, int]]:
    """List the changes of a size to try, the largest size first: to 1, to 2, to its half."""
    blocks = [function.body.block for function in _entries(module)]
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


class Search(Enum):
    """The order in which the sites of an edit are tried.

    `CHUNKS`: all at once, then halves, down to single ones. `SINGLE`: one after the other. `FIRST`:
    the first one at which the edit may be made, by bisection.
    """

    CHUNKS = auto()
    SINGLE = auto()
    FIRST = auto()


@dataclass(frozen=True)
class Edit:
    """A kind of edit: the sites in a module, and the change at some of them, in place.

    Equal modules have the same sites in the same order.
    """

    name: str
    sites: Callable[[ModuleOp], Sequence[Any]]
    apply: Callable[[ModuleOp, Sequence[Any]], None]
    search: Search = Search.CHUNKS


def _body(module: ModuleOp) -> list[Operation]:
    """List the ops of all entries, in order."""
    return [op for function in _entries(module) for op in function.body.block.ops]


def _ops(module: ModuleOp) -> list[Operation]:
    """List the ops that compute, in order."""
    ops = _body(module)
    return [op for op in ops if not (op.has_trait(ConstantLike) or isinstance(op, ReturnOp))]


def _functions(module: ModuleOp) -> list[Operation]:
    """List the functions that may go: all, but for an entry that is the only one."""
    runs = _entries(module)
    return [op for op in functions(module) if [op] != runs]


def _states(module: ModuleOp) -> list[Operation]:
    """List what a module holds beside its functions."""
    return [op for op in module.ops if not isinstance(op, FuncOp)]


def _erase_symbols(module: ModuleOp, ops: Sequence[Operation]) -> None:
    known = functions(module)
    if known and set(ops).issuperset(known):
        raise NotPossible
    for op in ops:
        op.detach()
        op.erase()


def _outputs(module: ModuleOp) -> list[tuple[FuncOp, int]]:
    return [(each, index) for each in _entries(module) for index in _numbers(each)]


def _numbers(function: FuncOp) -> range:
    return range(len(return_of(function).operands))


def _drop_outputs(module: ModuleOp, dropped: Sequence[tuple[FuncOp, int]]) -> None:
    for function, gone in _by_function(dropped):
        kept = [index for index in _numbers(function) if index not in gone]
        set_outputs(function, kept, [])
        tidy(function)


def _by_function(sites: Iterable[tuple[FuncOp, Any]]) -> list[tuple[FuncOp, list[Any]]]:
    """Sort sites by the function that each is in."""
    groups: dict[FuncOp, list[Any]] = {}
    for function, site in sites:
        groups.setdefault(function, []).append(site)
    return list(groups.items())


def _in_functions(ops: Iterable[Operation]) -> list[tuple[FuncOp, list[Operation]]]:
    parents = ((op.parent_op(), op) for op in ops)
    return _by_function((each, op) for each, op in parents if isinstance(each, FuncOp))


def _in_each(
    change: Callable[[FuncOp, Sequence[Operation]], None],
) -> Callable[[ModuleOp, Sequence[Operation]], None]:
    """Apply a change of one function to each that has some of the ops."""

    def apply(module: ModuleOp, ops: Sequence[Operation]) -> None:
        for function, its_ops in _in_functions(ops):
            change(function, its_ops)

    return apply


def _bypassed(module: ModuleOp) -> list[Operation]:
    """List the ops with an operand like their only result."""
    return [op for op in _ops(module) if _like_result(op) is not None]


def _like_result(op: Operation) -> SSAValue | None:
    if len(op.results) != 1:
        return None
    return next((value for value in op.operands if value.type == op.results[0].type), None)


def _bypass(module: ModuleOp, ops: Sequence[Operation]) -> None:
    for op in ops:
        operand = _like_result(op)
        if operand is None:
            raise NotPossible
        op.results[0].replace_all_uses_with(operand)
    for function, _ in _in_functions(ops):
        tidy(function)


def _constants(module: ModuleOp) -> list[Constant]:
    """List the constants that are not of one value throughout."""
    ops = (op for op in _body(module) if isinstance(op, Constant))
    return [op for op in ops if op.array.size > 1 and np.ptp(op.array.astype(np.float64)) != 0]


def _flatten(value_of: Callable[[Any], Any]) -> Callable[[ModuleOp, Sequence[Constant]], None]:
    def apply(module: ModuleOp, constants: Sequence[Constant]) -> None:
        for op in constants:
            array, spec = op.array, spec_of(op.out)
            flat = np.full(array.shape, value_of(array), array.dtype)
            op.properties["value"] = dense_of(flat, spec)

    return apply


def _attributes(module: ModuleOp) -> list[str]:
    """List the names of the attributes and optional params that there are."""
    return sorted({name for op in module.walk() for _, name in _droppable(op)})


def _drop_attributes(module: ModuleOp, names: Sequence[str]) -> None:
    for op in module.walk():
        for holder, name in _droppable(op):
            if name in names:
                del holder[name]


def _droppable(op: Operation) -> list[tuple[dict[str, Attribute], str]]:
    """List the attributes of an op and its optional params, by what holds them."""
    stated = op.get_irdl_definition().properties if isinstance(op, IRDLOperation) else {}
    optional = [name for name in op.properties if isinstance(stated.get(name), OptPropertyDef)]
    return [
        *((op.attributes, name) for name in op.attributes),
        *((op.properties, name) for name in optional),
    ]


def _shrink(module: ModuleOp, changes: Sequence[tuple[int, int]]) -> None:
    for old, new in changes:
        for state in (op for op in module.ops if isinstance(op, StateOp)):
            state.properties["type"] = type_of(_with_dims(state.spec, old, new))
        if not all(_resized(function, old, new) for function in _entries(module)):
            raise NotPossible


EDITS = (
    Edit("functions", _functions, _erase_symbols),
    Edit("outputs", _outputs, _drop_outputs),
    Edit("results", _ops, _in_each(return_only), Search.FIRST),
    Edit("ops", _ops, _in_each(cut)),
    Edit("ops that may be left out", _bypassed, _bypass),
    Edit("states", _states, _erase_symbols),
    Edit("sizes", _sizes, _shrink, Search.SINGLE),
    Edit("constants to 0", _constants, _flatten(lambda array: 0)),
    Edit("constants to one value", _constants, _flatten(lambda array: array.flat[0])),
    Edit("attributes", _attributes, _drop_attributes),
)
"""The kinds of edits in the order in which they are tried."""
