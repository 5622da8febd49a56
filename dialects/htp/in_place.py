"""Slices and joins that move no bytes: the part of a tensor is where it belongs in the whole.

A Slice_shape or Concat with the unit attribute `in_place` is a statement about memory, not work:
a slice is read from its input, and the parts of a Concat were written into their
places in its result. In main memory a part that is flat may be any block of a flat whole, for ops
that work line by line.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue

from ..attributes import IN_PLACE
from ..spec_of import require, spec_of, text
from ..value import RANK, LayoutKind, Memory, byte_offset
from .base import NativeOp
from .types import ShapeType

LINE_BY_LINE = frozenset(
    f"htp.{name}"
    for name in (
        *("Cast", "Dequantize", "Quantize", "Slice_shape", "SlicePad_shape", "Transpose"),
        *("flat_from_vtcm", "flat_to_vtcm"),
        *("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"),
    )
)
"""Ops whose kernels take any block of a larger tensor, and not only runs of bytes."""


@dataclass(frozen=True)
class Share:
    """A tensor and the block of another one that it is, beginning at `start`."""

    part: SSAValue
    whole: SSAValue
    start: tuple[int, ...]

    @property
    def delta(self) -> int | None:
        """Bytes from the start of the whole to the part; None where they cannot share bytes."""
        part, whole = spec_of(self.part), spec_of(self.whole)
        if part.memory is not whole.memory or part.layout is not whole.layout:
            return None
        if part.layout is LayoutKind.FLAT and part.elements == whole.elements:
            return 0
        return byte_offset(whole, self.start, part.shape)

    @property
    def strided(self) -> bool:
        """True where the part is not a run of bytes of the whole, but a block of it in DDR."""
        part, whole = spec_of(self.part), spec_of(self.whole)
        flat = part.layout is whole.layout is LayoutKind.FLAT
        in_ddr = part.memory is whole.memory is Memory.DDR
        return flat and in_ddr and self.delta is None


def is_in_place(op: Operation) -> bool:
    """Tell whether an op states that its parts are in place."""
    return op.name in _READERS and op.attributes.get(IN_PLACE) == UnitAttr()


def shares(op: Operation) -> tuple[Share, ...]:
    """The parts that a Slice_shape or Concat takes apart or joins; no parts for other ops."""
    read = _READERS.get(op.name)
    return tuple(read(op)) if read else ()


def _slice(op: Operation) -> Iterator[Share]:
    source, start = op.operands[0], op.operands[1].type
    if isinstance(start, ShapeType):
        yield Share(op.results[0], source, start.get_shape())


def _concat(op: Operation) -> Iterator[Share]:
    whole = spec_of(op.results[0]).shape
    position = [0] * RANK
    for part in op.operands[1:]:
        yield Share(part, op.results[0], tuple(position))
        for dim, extent in enumerate(spec_of(part).shape):
            position[dim] += extent if extent != whole[dim] else 0


_READERS: dict[str, Callable[[Operation], Iterator[Share]]] = {
    "htp.Slice_shape": _slice,
    "htp.Concat": _concat,
}


def verify_in_place(op: NativeOp) -> None:
    """Check that an op that says so can do without moving bytes."""
    if IN_PLACE not in op.attributes:
        return
    parts = shares(op)
    once = len({share.part for share in parts}) == len(parts)
    require(once, op, "is in place, but has a part twice, which cannot lie in two places")
    for share in parts:
        part, whole = spec_of(share.part), spec_of(share.whole)
        block = f"{text(part.shape)} at {text(share.start)} of {text(whole.shape)}"
        message = f"is in place, but {block} is no run of its bytes"
        require(share.strided or share.delta is not None, op, message)
        _verify_offsets(op, share)


def _verify_offsets(op: NativeOp, share: Share) -> None:
    """Check that the part's offset is the one inside the whole, where both tensors have one."""
    part, whole = (spec_of(value).place for value in (share.part, share.whole))
    if part is None or whole is None or part.offset is None or whole.offset is None:
        return
    wanted = whole.offset + (share.delta or 0)
    problem = f"is in place, but a part lies at {part.offset}"
    require(part.offset == wanted, op, f"{problem}, in place is {wanted}")
