"""The functions of a module that a reduction edits."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp

from ...runtime.program.boundary import MAIN


def functions(module: ModuleOp) -> list[FuncOp]:
    """List all functions."""
    return [op for op in module.ops if isinstance(op, FuncOp)]


def entries(module: ModuleOp) -> list[FuncOp]:
    """List the functions without branches that are run: @main, or those that no other one calls."""
    known = functions(module)
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, CallOp)}
    outer = [each for each in known if each.sym_name.data not in called]
    main = [each for each in known if each.sym_name.data == MAIN]
    return [each for each in main or outer if _is_straight(each)]


def _is_straight(function: FuncOp) -> bool:
    blocks = list(function.body.blocks)
    return len(blocks) == 1 and isinstance(blocks[0].last_op, ReturnOp)
