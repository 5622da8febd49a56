"""The error for ops that only their reference kernel takes, with the ways to fix it."""

import re
from collections.abc import Iterator
from keyword import iskeyword

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.faults.op_faults import fault_at
from ....dialects.htp.base import NativeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import LayoutKind, Memory, Place
from ....runtime.kernel.sketch import cpp_lines
from ....runtime.tensors.tensor_classes import Int64Tensor, Int64Tensor_TCM, tensor_class
from ....runtime.tensors.tensors import ShapeParam, Tensor
from ...levels import bodies, operand_label
from ...planner.placement.places import DEFAULT, OperandSlot, default_placement
from .placement import Placer

_ONLY_REFERENCE = (Tensor, Int64Tensor, Int64Tensor_TCM)
"""Tensor classes for which no other kernel can be written."""


def check_reference(module: ModuleOp, by: Placer) -> None:
    """Raise HtpError with every op that would fall back to its reference kernel.

    Exempt are ops without tensor properties, ops on indices (i64), and ops with a tensor that has
    no class in the place that its properties want: no kernel can be written for these.
    """
    faults = [
        _fault(op, by)
        for block in bodies(module)
        for op in block.ops
        if isinstance(op, NativeOp) and _falls_back(op, by)
    ]
    if faults:
        raise HtpError(*faults)


def _falls_back(op: NativeOp, by: Placer) -> bool:
    if by.served(op) or any(class_ in _ONLY_REFERENCE for _, class_ in _demanded(op, by)):
        return False
    return by.price(op, default_placement(by.slots(op))) is not None


def _fault(op: NativeOp, by: Placer) -> Fault:
    package, _, name = op.name.partition(".")
    slots = [(_parameter(label), class_.__name__) for label, class_ in _demanded(op, by)]
    params = ", ".join(f"{label}: {class_}" for label, class_ in slots)
    tags = dict.fromkeys(op.operand_name(index) for index in range(len(op.operands)))
    inputs = "".join(f', "{tag}"' for tag in tags)
    results = len(op.results)
    if cpp := by.kernels.in_cpp(op.name):
        kernel = " ".join(cpp_lines(name, slots[:results], slots[results:]))
    else:
        kernel = f'@KERNELS.kernel("{name}")  # KERNELS = KernelSet("{package}"); '
        kernel += f"def f({params}) -> None"
    properties = "DEF_TENSOR_PROPERTIES" if cpp else "tensor_properties"
    lines = (
        "write a kernel for that, change the properties, or lower with allow-reference=true",
        f"  {kernel}",
        f'  {properties}(Op("{name}"{inputs}), Flat("..."), MainMemory("..."))',
        "  htp-lower{allow-reference=true}, or lower(module, allow_reference=True)",
    )
    wants = ", ".join(
        f"'{label}' {spec_of(value).dtype.name} {slot.constraint.text()}"
        for label, value, slot in _tensors(op, by)
        if slot is not None and slot.constraint != DEFAULT
    )
    return fault_at(op, f"no kernel takes what its properties want: {wants}", "\n".join(lines))


def _parameter(name: str) -> str:
    """Turn a tensor's name into that of a parameter in Python."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"{word}_" if iskeyword(word) else word


def _tensors(op: NativeOp, by: Placer) -> Iterator[tuple[str, SSAValue, OperandSlot | None]]:
    """Results, then operands: a name as a kernel may have it, the value, its slot."""
    slots, count = by.slots(op), len(op.operands)
    for index, (value, slot) in enumerate(zip(op.results, slots[count:], strict=True)):
        yield f"out{index or ''}", value, slot
    for index, (operand, slot) in enumerate(zip(op.operands, slots[:count], strict=True)):
        yield operand_label(op, index), operand, slot


def _demanded(op: NativeOp, by: Placer) -> Iterator[tuple[str, type[Tensor | ShapeParam]]]:
    """The class that each tensor has in the place that its constraint demands."""
    for name, value, slot in _tensors(op, by):
        if slot is None:
            yield name, ShapeParam
        else:
            wanted = slot.constraint
            place = Place(wanted.layout or LayoutKind.FLAT, wanted.memory or Memory.DDR)
            yield name, tensor_class(spec_of(value).with_place(place))
