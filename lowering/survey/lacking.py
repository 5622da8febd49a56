"""A graph without its ops on element types that HTP lacks."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.func import FuncOp, ReturnOp

from ...dialects.diagnostics import Fault
from ...dialects.locations import node_of
from ...dialects.qti_aisw.base import GraphOp
from ..conversion.element_types import lacking, lacking_at, op_fault
from .cut import cut


def take_out_lacking(function: FuncOp) -> dict[str, Fault]:
    """Erase the ops, inputs and outputs of such types; return each graph op's fault by node."""
    block = function.body.block
    ops = {op: lacking_at(op) for op in block.ops if not isinstance(op, ReturnOp)}
    elements = {op: element for op, element in ops.items() if element is not None}
    faults = {
        node_of(op): op_fault(op, element)
        for op, element in elements.items()
        if isinstance(op, GraphOp)
    }
    cut(function, [*elements])
    _take_out_outputs(function)
    _take_out_inputs(function)
    function.update_function_type()
    return faults


def _take_out_outputs(function: FuncOp) -> None:
    last = function.get_return_op()
    if last is None:
        return
    kept = [number for number, value in enumerate(last.operands) if lacking(value) is None]
    last.operands = [last.operands[number] for number in kept]
    if function.res_attrs is not None:
        names = function.res_attrs.data
        function.properties["res_attrs"] = ArrayAttr([names[number] for number in kept])


def _take_out_inputs(function: FuncOp) -> None:
    arguments = [*function.body.block.args]
    kept = [number for number, value in enumerate(arguments) if lacking(value) is None]
    if function.arg_attrs is not None:
        names = function.arg_attrs.data
        function.properties["arg_attrs"] = ArrayAttr([names[number] for number in kept])
    for argument in arguments:
        if lacking(argument) is not None:
            function.body.block.erase_arg(argument)
