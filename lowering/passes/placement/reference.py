"""Ops that only their reference kernel takes: allowed, or an error that says how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from keyword import iskeyword

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.htp.base import NativeOp
from ....dialects.value.place import LayoutKind, Memory, Place
from ....dialects.value.spec import spec_of
from ....runtime.tensors.tensor_classes import Int64Tensor, Int64Tensor_TCM, tensor_class
from ....runtime.tensors.tensors import ShapeParam, Tensor
from ...conversion.builder import source_name
from ...levels import bodies, operand_label
from ...planner.placement.places import HOME, Demand, Port, at_home
from .placement import Placer, place_of

_AT_HOME = (Tensor, Int64Tensor, Int64Tensor_TCM)


def check_reference(module: ModuleOp, by: Placer) -> None:
    """Raise HtpError with every op that would fall back to its reference kernel.

    An op that declares no tensor properties is at home in main memory. So is one that works on
    indices (i64), and one with a tensor that has no class where its properties want it: nobody can
    write a kernel for that.
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
    if by.served(op) or any(class_ in _AT_HOME for _, class_ in _demanded(op, by)):
        return False
    here = tuple(map(place_of, op.operands))
    return by.price(op, at_home(here, len(op.results))) is not None


def _fault(op: NativeOp, by: Placer) -> Fault:
    package, _, name = op.name.partition(".")
    demanded = list(_demanded(op, by))
    slots = ", ".join(f"{_parameter(slot)}: {class_.__name__}" for slot, class_ in demanded)
    tags = dict.fromkeys(op.operand_name(index) for index in range(len(op.operands)))
    inputs = "".join(f', "{tag}"' for tag in tags)
    lines = (
        "write a kernel for that, change the properties, or lower with allow-reference=true",
        f'  @KERNELS.kernel("{name}")  # KERNELS = KernelSet("{package}"); def f({slots}) -> None',
        f'  tensor_properties(Op("{name}"{inputs}), Flat("..."), MainMemory("..."))',
        "  htp-lower{allow-reference=true}, or lower(module, allow_reference=True)",
    )
    wants = ", ".join(_wishes(op, by))
    return Fault(
        source_name(op), f"no kernel takes what its properties want: {wants}", "\n".join(lines)
    )


def _parameter(name: str) -> str:
    """A tensor's name as that of a parameter in Python."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"{found}_" if iskeyword(found) else found


def _tensors(op: NativeOp, by: Placer) -> Iterator[tuple[str, SSAValue, Port | None]]:
    """Results, then operands: a name as a kernel may have it, the value, its port."""
    ports = by.ports(op)
    for index, (value, port) in enumerate(zip(op.results, ports.results, strict=True)):
        yield f"out{index or ''}", value, port
    for index, (operand, held) in enumerate(zip(op.operands, ports.operands, strict=True)):
        yield operand_label(op, index), operand, held


def _demanded(op: NativeOp, by: Placer) -> Iterator[tuple[str, type[Tensor | ShapeParam]]]:
    """The class that each tensor has where its properties want it."""
    for name, value, port in _tensors(op, by):
        if port is None:
            yield name, ShapeParam
        else:
            yield name, tensor_class(spec_of(value).with_place(_place(port.demand)))


def _wishes(op: NativeOp, by: Placer) -> Iterator[str]:
    """What the properties say beyond flat in main memory."""
    for name, value, port in _tensors(op, by):
        if port is not None and port.demand != HOME:
            yield f"'{name}' {spec_of(value).dtype.name} {port.demand.text()}"


def _place(demand: Demand) -> Place:
    return Place(demand.layout or LayoutKind.FLAT, demand.memory or Memory.DDR)
