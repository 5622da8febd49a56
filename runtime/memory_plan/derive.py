"""The rows of a plan from the IR itself: offsets from the types, times from the uses.

One walk over the ops in order; a use extends the live interval of the tensor and of each one that
it is a part of. Cost: O(uses * depth of views). It is written apart from the allocator's own live
intervals, so that a fault of those shows here.

Example: `c = Concat(a, b)` in place at offset 0, read last by op 5, with a and b of 64 bytes: the
rows of a and b lie inside c at 0 and 64, and c lives from the first write of a or b to op 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.htp.base import NativeOp
from ...dialects.htp.views import views
from ...dialects.value.place import Memory
from ...dialects.value.spec import TensorSpec
from ..program.boundary import op_label
from ..program.placing import tensor_spec
from .plan import PlanRow


@dataclass
class _Seen:
    """A tensor in TCM: its live interval, and its position in the tensor that it is part of."""

    name: str
    spec: TensorSpec
    offset: int
    first: int
    last: int
    whole: SSAValue | None = None
    delta: int = 0


@dataclass
class Derived:
    """The rows of a function, and the tensors in TCM that have no offset yet."""

    rows: list[PlanRow] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)


def derive(function: FuncOp) -> Derived:
    """Derive the tensors in TCM from the IR alone; ops count from 0 in their block."""
    ops = list(function.body.block.ops)
    seen = dict(_tensors(ops))
    # Parts and their wholes.
    for share in (share for op in ops for share in views(op)):
        if share.part in seen and share.whole in seen:
            seen[share.part].whole, seen[share.part].delta = share.whole, share.delta or 0
    # Live intervals.
    for index, op in enumerate(ops):
        for value in (*op.operands, *op.results):
            # The live interval of a tensor extends that of every tensor that it is part of.
            while value in seen:
                tensor = seen[value]
                tensor.first, tensor.last = min(tensor.first, index), max(tensor.last, index)
                value = tensor.whole
    # A row for each tensor, then for the scratch of each op.
    derived = Derived()
    for tensor in seen.values():
        _add(derived, tensor, seen)
    for index, op in enumerate(ops):
        for number, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
            if spec.memory is Memory.TCM:
                name = f"{_label(op, index)}.scratch{number}"
                _add(derived, _Seen(name, spec, _offset(spec), index, index), seen)
    return derived


def _tensors(ops: Iterable[Operation]) -> Iterator[tuple[SSAValue, _Seen]]:
    for index, op in enumerate(ops):
        for result in op.results:
            if isinstance(result.type, TensorType):
                spec = tensor_spec(result, op_label(op, index))
                if spec.memory is Memory.TCM:
                    name = _label(op, index) + (f".{result.index}" if result.index else "")
                    yield result, _Seen(name, spec, _offset(spec), index, index)


def _add(derived: Derived, tensor: _Seen, seen: dict[SSAValue, _Seen]) -> None:
    if tensor.offset < 0:
        derived.unplaced.append(tensor.name)
        return
    parent = seen[tensor.whole].name if tensor.whole is not None else ""
    size, span = tensor.spec.nbytes, (tensor.first, tensor.last)
    derived.rows.append(PlanRow(tensor.name, size, *span, tensor.offset, "", parent, tensor.delta))


def _label(op: Operation, index: int) -> str:
    return f"{op.name.removeprefix('htp.')}@{index}"


def _offset(spec: TensorSpec) -> int:
    place = spec.place
    return place.offset if place is not None and place.offset is not None else -1
