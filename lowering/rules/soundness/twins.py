"""Graph ops as the native ops of their names, whose schemas say which graphs are valid."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Operation
from xdsl.irdl import OptOperandDef

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import NativeOp
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.elementwise import Binary
from ..graph.inputs import params_of
from .drawing.constraint_system import Contradiction
from .drawing.template import GraphTemplate, OpTemplate
from .schemas import schema_of
from .schemas.common import ints

_KEPT = "keep_dims"
"""The param of graph ops whose native ops keep all dims, as most graphs made here do."""

_DIMS = "shape"
"""The param of a graph op that is the shape of its result."""


def twin(op_class: type[Operation]) -> type[Operation]:
    """Return the native op of a graph op's name; any other op itself.

    Contradiction for a graph op without one.
    """
    if not issubclass(op_class, GraphOp):
        return op_class
    name = op_class.name.rpartition(".")[2]
    if name not in NATIVE_OPS:
        raise Contradiction(f"no native op says which graphs of {op_class.name} are valid")
    return NATIVE_OPS[name]


def input_names(op_class: type[GraphOp], count: int) -> tuple[str, ...]:
    """Return the inputs of a graph op in their order, by the names that the native op gives them.

    A param that it does not have keeps its own name. Where fewer are asked for, the last operand is
    left out, if it may be absent.
    """
    native = twin(op_class)
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} is no native op")
    own, params = params_of(op_class), native.PARAMS
    same = params if len(params) == len(own) and not {*params} & {*own} else own
    operands = [name for name in native.OPERANDS if name not in native.PARAMS]
    _, last = op_class.get_irdl_definition().operands[-1]
    if count < len(operands) + len(same) and isinstance(last, OptOperandDef):
        operands.pop()
    return (*operands, *same)


def relate(template: GraphTemplate, op: OpTemplate) -> None:
    """State what holds between operands and results of an op of any level."""
    native = twin(op.op_class)
    schema_of(native)(template, replace(op, op_class=native))
    if _KEPT in op.names:
        kept = op.slot(_KEPT)
        ints(template, kept, *(kept.numbers.values() or (1,)))
    if issubclass(op.op_class, Binary):
        template.same_dtype(*op.operands)
    if _DIMS in op.names and _DIMS not in getattr(native, "OPERANDS", ()):
        ints(template, op.slot(_DIMS), *op.results[0].dims)
