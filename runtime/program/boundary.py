"""A module's interface: its function, the names of its inputs and outputs, labels of its ops."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import fail
from ...dialects.locations import NAME, called

MAIN = "main"


def main_function(module: ModuleOp) -> FuncOp:
    """Find the function `@main`, or the only one there is; HtpError where neither can be run."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    named = [op for op in functions if op.sym_name.data == MAIN]
    chosen = named or functions
    if len(chosen) != 1:
        problem = f"it has {len(functions)} functions, none of them @{MAIN}"
        raise fail("module", problem if functions else "it has no function", "name one @main")
    if len(chosen[0].body.blocks) != 1:
        count = len(chosen[0].body.blocks)
        problem = f"its body has {count} blocks, a model has one"
        raise fail(f"@{chosen[0].sym_name.data}", problem, "give the function without branches")
    return chosen[0]


def inputs_of(function: FuncOp) -> dict[str, SSAValue]:
    """List the arguments by their name, `arg0` and so on where they have none."""
    return _named("arg", function.body.block.args, function.arg_attrs)


def outputs_of(function: FuncOp) -> dict[str, SSAValue]:
    """List the returned values by their name, `result0` and so on where they have none."""
    end = function.body.block.last_op
    if not isinstance(end, ReturnOp):
        raise fail(
            f"@{function.sym_name.data}", "its body does not end in a return", "end it in one"
        )
    return _named("result", end.operands, function.res_attrs)


def _named(
    prefix: str, values: Sequence[SSAValue], attributes: ArrayAttr[DictionaryAttr] | None
) -> dict[str, SSAValue]:
    dictionaries = attributes.data if attributes is not None else ()
    named: dict[str, SSAValue] = {}
    for index, value in enumerate(values):
        attribute = dictionaries[index].data.get(NAME) if index < len(dictionaries) else None
        name = attribute.data if isinstance(attribute, StringAttr) else f"{prefix}{index}"
        if name in named:
            raise fail("module", f"two of its {prefix}s are named '{name}'", "names are unique")
        named[name] = value
    return named


def op_label(op: Operation, index: int) -> str:
    """Name an op in messages: as a reader knows it, and by its number in the function."""
    return f"{called(op)} (op {index})"
