"""The kinds of edits that make a module smaller, the most rewarding first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free

from ...dialects.constant import Constant
from ...dialects.dense import dense_of
from ...dialects.htp.ops.const import const
from ...dialects.locations import NAME
from ...dialects.spec_of import spec_of
from ...runtime.program.boundary import main_function
from .shrink_shapes import sizes, with_size


class NotPossible(Exception):
    """An edit that cannot be made at these sites."""


@dataclass(frozen=True)
class Edit:
    """A kind of edit: the sites in a module, and the change at some of them, in place.

    Equal modules have the same sites in the same order.
    """

    name: str
    sites: Callable[[ModuleOp], Sequence[Any]]
    apply: Callable[[ModuleOp, Sequence[Any]], None]
    in_chunks: bool = True


def _block(module: ModuleOp) -> Block:
    return main_function(module).body.block


def _ops(module: ModuleOp) -> list[Operation]:
    """List the ops that compute, in order."""
    ops = _block(module).ops
    return [op for op in ops if not (op.has_trait(ConstantLike) or isinstance(op, ReturnOp))]


def _symbols(module: ModuleOp) -> list[Operation]:
    """List the functions and states beside the main function."""
    main = main_function(module)
    return [op for op in module.ops if op is not main]


def _erase_symbols(module: ModuleOp, ops: Sequence[Operation]) -> None:
    for op in ops:
        op.detach()
        op.erase()


def _outputs(module: ModuleOp) -> list[int]:
    return list(range(len(_return(module).operands)))


def _drop_outputs(module: ModuleOp, dropped: Sequence[int]) -> None:
    kept = [index for index in _outputs(module) if index not in dropped]
    _set_outputs(module, kept, [])
    _tidy(module)


def _erase_ops(module: ModuleOp, ops: Sequence[Operation]) -> None:
    """Cut ops out: their results become arguments, and what they alone read becomes outputs."""
    gone = set(ops)
    last = _return(module)
    kept = [i for i, value in enumerate(last.operands) if value.owner not in gone]
    read = dict.fromkeys(value for op in ops for value in op.operands)
    left = [value for value in read if _is_only_read_by(value, gone)]
    _set_outputs(module, kept, left)
    for op in ops:
        for value in op.results:
            if any(use.operation not in gone for use in value.uses):
                value.replace_all_uses_with(_stand_in(value, op))
    for op in reversed(ops):
        op.detach()
        op.erase(safe_erase=False)
    _tidy(module)


def _is_only_read_by(value: SSAValue, gone: set[Operation]) -> bool:
    """Tell whether an op that stays would lose all that reads its result."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner in gone or owner.has_trait(ConstantLike):
        return False
    return all(use.operation in gone for use in value.uses)


def _stand_in(value: SSAValue, op: Operation) -> SSAValue:
    """Return a new argument in place of an op's result, or a constant of 0 where it has a place."""
    spec, block, function = spec_of(value), op.parent, op.parent_op()
    if block is None or not isinstance(function, FuncOp):
        raise NotPossible
    if spec.place is not None:
        constant = const(np.zeros(spec.shape, spec.dtype.storage), spec)
        block.insert_op_before(constant, op)
        return constant.out
    argument = block.insert_arg(value.type, len(block.args))
    if function.arg_attrs is not None:
        function.arg_attrs = ArrayAttr([*function.arg_attrs.data, DictionaryAttr({})])
    function.update_function_type()
    return argument


def _return_only(module: ModuleOp, ops: Sequence[Operation]) -> None:
    """Give the results of ops in place of all outputs."""
    _set_outputs(module, [], [value for op in ops for value in op.results])
    _tidy(module)


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
    _tidy(module)


def _constants(module: ModuleOp) -> list[Constant]:
    """List the constants that are not of one value throughout."""
    ops = (op for op in _block(module).ops if isinstance(op, Constant))
    return [op for op in ops if op.array.size > 1 and np.ptp(op.array.astype(np.float64)) != 0]


def _flatten(value_of: Callable[[Any], Any]) -> Callable[[ModuleOp, Sequence[Constant]], None]:
    def apply(module: ModuleOp, constants: Sequence[Constant]) -> None:
        for op in constants:
            array, spec = op.array, spec_of(op.out)
            flat = np.full(array.shape, value_of(array), array.dtype)
            op.properties["value"] = dense_of(flat, spec)

    return apply


def _attributed(module: ModuleOp) -> list[Operation]:
    """List the ops with attributes that say nothing of what they compute."""
    return [op for op in module.walk() if NAME in op.attributes]


def _drop_attributes(module: ModuleOp, ops: Sequence[Operation]) -> None:
    for op in ops:
        del op.attributes[NAME]


def _shrink(module: ModuleOp, changes: Sequence[tuple[int, int]]) -> None:
    for old, new in changes:
        if not with_size(module, old, new):
            raise NotPossible


def _return(module: ModuleOp) -> ReturnOp:
    last = _block(module).last_op
    if not isinstance(last, ReturnOp):
        raise NotPossible
    return last


def _set_outputs(module: ModuleOp, kept: Sequence[int], added: Sequence[SSAValue]) -> None:
    """Keep some outputs and add others; NotPossible where none would be left."""
    function, last = main_function(module), _return(module)
    values = [last.operands[index] for index in kept]
    if not (values or added):
        raise NotPossible
    last.operands = [*values, *added]
    if function.res_attrs is not None:
        names = function.res_attrs.data
        kept_names = [names[index] for index in kept if index < len(names)]
        function.res_attrs = ArrayAttr([*kept_names, *[DictionaryAttr({})] * len(added)])
    function.update_function_type()


def _tidy(module: ModuleOp) -> None:
    """Erase what nothing reads: ops without effect, constants, arguments."""
    function, block = main_function(module), _block(module)
    for op in reversed(list(block.ops)):
        unread = not any(result.uses for result in op.results)
        if op.results and unread and is_side_effect_free(op):
            op.detach()
            op.erase()
    unused = [arg.index for arg in block.args if not arg.uses]
    if len(unused) == len(block.args):
        return
    for index in reversed(unused):
        block.erase_arg(block.args[index])
        if function.arg_attrs is not None:
            names = list(function.arg_attrs.data)
            del names[index]
            function.arg_attrs = ArrayAttr(names)
    function.update_function_type()


EDITS = (
    Edit("outputs", _outputs, _drop_outputs),
    Edit("ops", _ops, _erase_ops),
    Edit("ops that may be left out", _bypassed, _bypass),
    Edit("results", _ops, _return_only, in_chunks=False),
    Edit("functions and states", _symbols, _erase_symbols),
    Edit("sizes", sizes, _shrink, in_chunks=False),
    Edit("constants to 0", _constants, _flatten(lambda array: 0)),
    Edit("constants to one value", _constants, _flatten(lambda array: array.flat[0])),
    Edit("names", _attributed, _drop_attributes),
)
"""The kinds of edits in the order in which they are tried."""
