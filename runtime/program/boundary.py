"""The module's own interface: its function, and the names of what goes in and comes out."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import fail

NAME = "htp.name"
MAIN = "main"


def main_function(module: ModuleOp) -> FuncOp:
    """The function `@main`, or the only one there is; HtpError where neither can be run."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    named = [op for op in functions if op.sym_name.data == MAIN]
    chosen = named or functions
    if len(chosen) != 1:
        found = f"it has {len(functions)} functions, none of them @{MAIN}"
        raise fail("module", found if functions else "it has no function", "name one @main")
    if len(chosen[0].body.blocks) != 1:
        count = len(chosen[0].body.blocks)
        raise fail(f"@{chosen[0].sym_name.data}", f"its body has {count} blocks, a model has one")
    return chosen[0]


def inputs_of(function: FuncOp) -> dict[str, SSAValue]:
    """The arguments by their name, `arg0` and so on where they have none."""
    return _named("arg", function.body.block.args, function.arg_attrs)


def outputs_of(function: FuncOp) -> dict[str, SSAValue]:
    """The returned values by their name, `result0` and so on where they have none."""
    end = function.body.block.last_op
    if not isinstance(end, ReturnOp):
        raise fail(f"@{function.sym_name.data}", "its body does not end in a return")
    return _named("result", end.operands, function.res_attrs)


def _named(
    prefix: str, values: Sequence[SSAValue], attributes: ArrayAttr[DictionaryAttr] | None
) -> dict[str, SSAValue]:
    held = attributes.data if attributes is not None else ()
    named: dict[str, SSAValue] = {}
    for index, value in enumerate(values):
        given = held[index].data.get(NAME) if index < len(held) else None
        name = given.data if isinstance(given, StringAttr) else f"{prefix}{index}"
        if name in named:
            raise fail("module", f"two of its {prefix}s are named '{name}'", "names are unique")
        named[name] = value
    return named
