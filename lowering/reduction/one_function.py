"""Changes of one function: its outputs, ops that are cut out, and what nothing reads then."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free

from ...dialects.htp.ops.const import const
from ...dialects.spec_of import spec_of


class NotPossible(Exception):
    """An edit that cannot be made at these sites."""


def return_of(function: FuncOp) -> ReturnOp:
    """Return the op that ends a function; NotPossible where it is not a return."""
    last = function.body.block.last_op
    if not isinstance(last, ReturnOp):
        raise NotPossible
    return last


def set_outputs(function: FuncOp, kept: Sequence[int], added: Sequence[SSAValue]) -> None:
    """Keep some outputs and add others; NotPossible where none would be left."""
    last = return_of(function)
    values = [last.operands[index] for index in kept]
    if not (values or added):
        raise NotPossible
    last.operands = [*values, *added]
    if function.res_attrs is not None:
        names = function.res_attrs.data
        kept_names = [names[index] for index in kept if index < len(names)]
        function.res_attrs = ArrayAttr([*kept_names, *[DictionaryAttr({})] * len(added)])
    function.update_function_type()


def cut(function: FuncOp, ops: Sequence[Operation]) -> None:
    """Cut ops out: their results become arguments, and what they alone read becomes outputs."""
    gone = set(ops)
    last = return_of(function)
    kept = [i for i, value in enumerate(last.operands) if value.owner not in gone]
    read = dict.fromkeys(value for op in ops for value in op.operands)
    left = [value for value in read if _is_only_read_by(value, gone)]
    set_outputs(function, kept, left)
    for op in ops:
        for value in op.results:
            if any(use.operation not in gone for use in value.uses):
                value.replace_all_uses_with(_stand_in(value, op))
    for op in reversed(ops):
        op.detach()
        op.erase(safe_erase=False)
    tidy(function)


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


def return_only(function: FuncOp, ops: Sequence[Operation]) -> None:
    """Give the results of ops in place of all outputs, and erase what follows."""
    set_outputs(function, [], [value for op in ops for value in op.results])
    for op in reversed(list(function.body.block.ops)[:-1]):
        if op is ops[-1]:
            break
        op.detach()
        op.erase()
    tidy(function)


def tidy(function: FuncOp) -> None:
    """Erase what nothing reads: ops without effect, constants, arguments."""
    block = function.body.block
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
