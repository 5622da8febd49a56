"""Element types that no tensor on HTP has: the tensors that have one, and what would help."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.diagnostics import Fault
from ...dialects.faults.op_faults import fault_at
from ...dialects.spec_of import plain_element_type
from ...dialects.value.dtypes import INSTEAD
from ...runtime.program.boundary import inputs_of

_INSTEAD: dict[Attribute, Attribute] = {
    plain_element_type(dtype): plain_element_type(instead) for dtype, instead in INSTEAD.items()
}
"""The nearest element type that HTP has, by one that it lacks."""

_NONE = "which no tensor on HTP has"


def lacking(value: SSAValue) -> Attribute | None:
    """Return the element type of a tensor where HTP lacks it."""
    element = value.type.element_type if isinstance(value.type, TensorType) else None
    return element if element in _INSTEAD else None


def lacking_at(op: Operation) -> Attribute | None:
    """Return the first such element type of an op's operands and results."""
    elements = (lacking(value) for value in (*op.operands, *op.results))
    return next((element for element in elements if element is not None), None)


def type_faults(function: FuncOp) -> Iterator[Fault]:
    """Return a fault for each input and each result of such a type.

    A result whose op takes in an operand of the same type follows from that one, and has none.
    """
    yield from input_faults(function)
    for op in function.body.block.ops:
        taken = {lacking(operand) for operand in op.operands}
        for index, result in enumerate(op.results):
            element = lacking(result)
            if element is not None and element not in taken:
                named = f"result {index}" if result.name_hint is None else f"%{result.name_hint}"
                remedy = f"cast to {_INSTEAD[element]} instead, or {_retyped(element)}"
                yield fault_at(op, f"{named} {_problem(element)}", remedy)


def input_faults(function: FuncOp) -> Iterator[Fault]:
    """Return a fault for each input of such a type."""
    for name, argument in inputs_of(function).items():
        element = lacking(argument)
        if element is not None:
            remedy = f"export the model with {_INSTEAD[element]} instead, or {_retyped(element)}"
            yield Fault(f"input '{name}'", _problem(element), remedy)


def op_fault(op: Operation, element: Attribute) -> Fault:
    """Return the fault of an op that takes in or gives such a type."""
    return fault_at(op, f"works on {element}, {_NONE}", _retyped(element))


def _retyped(element: Attribute) -> str:
    return f"run qti-retype{{old={element} new={_INSTEAD[element]}}} first"


def _problem(element: Attribute) -> str:
    return f"has element type {element}, {_NONE}"
