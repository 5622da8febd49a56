"""Placement constraints of one op, and the places that they leave open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....dialects.value import CHUNK_BYTES, FLAT_DDR, LayoutKind, Memory, Place, round_up


@dataclass(frozen=True)
class PlacementConstraint:
    """The layout and the memory that an op demands for one tensor; None leaves it open."""

    layout: LayoutKind | None = None
    memory: Memory | None = None

    def met_by(self, place: Place) -> bool:
        """Say whether a tensor in this place meets the constraint."""
        right_layout = self.layout in (None, place.layout)
        return right_layout and self.memory in (None, place.memory)

    def text(self) -> str:
        """Name the constraint as messages do: `crouton in tcm`."""
        layout = self.layout.value if self.layout else "any layout"
        return f"{layout} in {self.memory.value if self.memory else 'any memory'}"


OPEN = PlacementConstraint()
DEFAULT = PlacementConstraint(LayoutKind.FLAT, Memory.DDR)
"""The default placement, flat in DDR."""


def is_mostly_padding(forms: Mapping[LayoutKind, int]) -> bool:
    """Say of the bytes in each layout whether croutons take more than five times the flat ones."""
    return forms.get(LayoutKind.CROUTON, 0) > 5 * forms.get(LayoutKind.FLAT, 0)


@dataclass(frozen=True)
class OperandSlot:
    """One tensor of an op: its constraint, and its bytes in each layout that it can take.

    A param is no data: left open, it stays flat in DDR.
    """

    constraint: PlacementConstraint
    forms: Mapping[LayoutKind, int]
    param: bool = False

    @property
    def open_layout(self) -> bool:
        """Data whose layout the op leaves to the system."""
        return self.constraint.layout is None and not self.param

    @property
    def open_memory(self) -> bool:
        """Data whose memory the op leaves to the system."""
        return self.constraint.memory is None and not self.param

    def places(self, tcm_bytes: int) -> tuple[Place, ...]:
        """List the places that meet the constraint; TCM unasked only for at most `tcm_bytes`."""
        open_ = DEFAULT if self.param else OPEN
        wanted = PlacementConstraint(
            self.constraint.layout or open_.layout, self.constraint.memory or open_.memory
        )
        return tuple(
            Place(layout, memory)
            for layout, size in self.forms.items()
            for memory in Memory
            if wanted.met_by(Place(layout, memory))
            and (wanted.memory or memory is Memory.DDR or size <= tcm_bytes)
        )


Placement = tuple[Place | None, ...]
"""A place for every operand, then every result of one op; None for a shape."""
PlacementOption = tuple[tuple[Place, ...], ...]
"""For each tensor of an op, operands first, the places where one of its kernels takes it."""


@dataclass(frozen=True)
class TcmBudget:
    """The bytes of TCM for tensors that no op demands to be there.

    `tensor` bounds one such result, `op` bounds all tensors in TCM of an op that has one.
    """

    tensor: int
    op: int

    def converts(self, forms: Mapping[LayoutKind, int]) -> bool:
        """Say whether a tensor changes its layout in TCM: both forms fit there together."""
        return sum(round_up(size, CHUNK_BYTES) for size in forms.values()) <= self.op


def default_placement(slots: Sequence[OperandSlot | None]) -> Placement:
    """Place every tensor of an op flat in DDR."""
    return tuple(FLAT_DDR if slot else None for slot in slots)
