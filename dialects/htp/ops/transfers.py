"""Copies from main memory to TCM in two halves, so that other ops can run in between.

A start names the place of the tensor to be; only its CopyWait may use that result. The result of
the wait is the tensor.
"""

from xdsl.ir import Block

from ...spec_of import require, spec_of
from ...value import CROUTON_DDR, CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place, TensorSpec
from ..base import NativeOp
from .copies import CopyOp, FillOp, MoveOp, ReasonedOp


class StartOp(CopyOp):
    """A copy to TCM that is under way when the op is done."""

    def verify_(self) -> None:
        super().verify_()
        users = [use.operation for use in self.out.uses]
        early = next((user for user in users if not isinstance(user, CopyWaitOp)), None)
        reader = early.name if early is not None else ""
        require(early is None, self, f"its result is read by {reader} before it is waited for")
        require(len(users) < 2, self, "is waited for more than once")


class CopyWaitOp(CopyOp):
    """The tensor that a started copy brings, once all of it is there.

    in [b, h, w, d], the result of a start; the result has the same bytes.

    Constraints: (C1) the operand is the result of a start; (C2) both lie in the same place.

    Example: `%r = htp.CopyWait(%started) :
    (tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>`
    """

    name = "htp.CopyWait"

    def infer(self) -> tuple[TensorSpec | None, ...]:
        maker = self.in_.owner
        started = isinstance(maker, (StartOp, Block))
        require(started, self, "operand 'in' is not the result of a start")
        return super().infer()

    def verify_places(self, source: Place, result: Place) -> None:
        source_place = spec_of(self.in_).place
        wanted = spec_of(self.out).place
        require(source_place == wanted, self, "operand and result do not lie in the same place")


class FillStartOp(StartOp, ReasonedOp):
    """The first half of a Fill: a spilled tensor is on its way back into TCM.

    in [b, h, w, d]; the attribute reason is a string.

    Constraints: (C1) from ddr to tcm; (C2) the layout stays; (C3) reason is a string; (C4) only a
    CopyWait uses the result.

    Example: `%r = htp.Fill.start(%x) {reason = "needed by %add"} :
    (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>`
    """

    name = "htp.Fill.start"
    FROM, TO = FillOp.FROM, FillOp.TO


class MoveStartOp(StartOp, MoveOp):
    """The first half of a copy between two fixed places."""


class FlatToVtcmStartOp(MoveStartOp):
    """A tensor that is flat in ddr, copied to tcm. The copy is under way."""

    name = "htp.flat_to_vtcm.start"
    SOURCE, TARGET = FLAT_DDR, FLAT_TCM


class CroutonToVtcmStartOp(MoveStartOp):
    """A tensor that is crouton in ddr, copied to tcm. The copy is under way."""

    name = "htp.crouton_to_vtcm.start"
    SOURCE, TARGET = CROUTON_DDR, CROUTON_TCM


OPS: tuple[type[NativeOp], ...] = (
    *(FlatToVtcmStartOp, CroutonToVtcmStartOp, FillStartOp, CopyWaitOp),
)

STARTS: dict[str, str] = {
    "flat_to_vtcm": "flat_to_vtcm.start",
    "crouton_to_vtcm": "crouton_to_vtcm.start",
    "Fill": "Fill.start",
}
"""The start of each copy to TCM, by mnemonics."""
