"""The function `@main` around what a frontend built."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from ....dialects.locations import NAME, named

Named = tuple[str, SSAValue]


def main_function(
    block: Block, inputs: Sequence[str], results: Sequence[Named], model: str
) -> FuncOp:
    """Return `@main` with the names of its arguments and results, located at the model."""
    values = [value for _, value in results]
    block.add_op(end := ReturnOp(*values))
    end.location = named(model)
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [value.type for value in values]),
        Region(block),
        arg_attrs=names_attr(inputs),
        res_attrs=names_attr([name for name, _ in results]),
    )
    function.location = end.location
    return function


def module_of(function: FuncOp) -> ModuleOp:
    """Return the module of a model, at the place of its function."""
    module = ModuleOp([function])
    module.location = function.location
    return module


def names_attr(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    """Return the names of arguments or results as the function keeps them."""
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])
