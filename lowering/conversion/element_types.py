"""Element types that no tensor on HTP has: the tensors that have one, and what would help."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault
from ...dialects.op_faults import fault_at
from ...dialects.spec_of import plain_element_type, spec_of
from ...dialects.value.dtypes import INSTEAD
from ...runtime.program.boundary import inputs_of


def lacks(value: SSAValue) -> bool:
    """Tell whether HTP has no tensors of a value's element type."""
    return isinstance(value.type, TensorType) and not spec_of(value).dtype.on_htp


def type_faults(function: FuncOp) -> Iterator[Fault]:
    """Return a fault for each input and each result of such a type.

    A result whose op takes in an operand of the same type follows from that one, and has none.
    """
    for name, argument in inputs_of(function).items():
        if lacks(argument):
            problem, instead = _said(argument)
            yield Fault(f"input '{name}'", problem, f"export the model with {instead} instead")
    for op in function.body.block.ops:
        taken = {spec_of(operand).dtype for operand in op.operands if lacks(operand)}
        for index, result in enumerate(op.results):
            if lacks(result) and spec_of(result).dtype not in taken:
                problem, instead = _said(result)
                named = f"result {index}" if result.name_hint is None else f"%{result.name_hint}"
                yield fault_at(op, f"{named} {problem}", f"cast to {instead} instead")


def _said(value: SSAValue) -> tuple[str, str]:
    """Return the problem in words, and the nearest type that HTP has."""
    dtype = spec_of(value).dtype
    element, instead = plain_element_type(dtype), plain_element_type(INSTEAD[dtype])
    return f"has element type {element}, which no tensor on HTP has", str(instead)
