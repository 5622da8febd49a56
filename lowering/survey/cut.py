"""A graph without some of its ops: what they made becomes arguments of their function."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.locations import NAME


def cut(function: FuncOp, ops: Collection[Operation]) -> None:
    """Erase ops of a function; the values that others read of them become its last arguments."""
    block = function.body.block
    names = [*(function.arg_attrs or ())]
    for op in reversed([*ops]):
        for result in op.results:
            if result.uses:
                argument = block.insert_arg(result.type, len(block.args))
                result.replace_all_uses_with(argument)
                names.append(DictionaryAttr({NAME: StringAttr(f"cut {len(names)}")}))
        op.detach()
        op.erase()
    if function.arg_attrs is not None:
        function.properties["arg_attrs"] = ArrayAttr(names)
    function.update_function_type()
