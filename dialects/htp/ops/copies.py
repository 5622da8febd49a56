"""Conversions between layouts and copies between memories.

Shape, dtype and quantisation stay. Where operand or result carries a place, it must be the one
that the op's name says; a tensor without a place reads as flat in main memory.

Copies to TCM may be in two halves, so that other ops can run in between. A start names the place of
the tensor to be; only its CopyWait may use that result. The result of the wait is the tensor.
"""

import re
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, SSAValue

from ...attributes import REASON
from ...place_attr import PlaceAttr
from ...spec_of import require, spec_of
from ...value import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
    TensorSpec,
)
from ..base import NativeOp
from ..fields import tensor_def

_ABOUT = """in [b, h, w, d], {}; the result is {}.

    Example: `%r = {{}}(%x) :
    ({})
    -> {}`"""


def _text(place: Place) -> str:
    return f"{place.layout.value} in {place.memory.value}"


class CopyOp(NativeOp):
    """in [b, h, w, d] at another place."""

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        if self.results:
            source, result = spec_of(self.in_).place, spec_of(self.out).place
            if source is not None or result is not None:
                ends = (source or FLAT_DDR, result or FLAT_DDR)
                self.verify_places(*(place.unplaced() for place in ends))
        return (self.like("in"),)

    def verify_places(self, source: Place, result: Place) -> None:
        """Check where the tensor comes from and where it goes."""


class MoveOp(CopyOp):
    """A conversion or copy between two fixed places."""

    SOURCE: ClassVar[Place]
    TARGET: ClassVar[Place]

    def __init_subclass__(cls) -> None:
        if "SOURCE" in vars(cls):
            types = (f"tensor<1x8x8x32xf32, {PlaceAttr(p)}>" for p in (cls.SOURCE, cls.TARGET))
            cls.ABOUT = _ABOUT.format(_text(cls.SOURCE), _text(cls.TARGET), *types)
        super().__init_subclass__()

    def verify_places(self, source: Place, result: Place) -> None:
        for what, actual, wanted in (
            ("operand 'in'", source, self.SOURCE),
            ("result 0", result, self.TARGET),
        ):
            message = f"{what} is {_text(actual)}, it must be {_text(wanted)}"
            require(actual == wanted, self, message)


class FormatOp(CopyOp):
    """A change of the layout within one memory."""

    LAYOUT: ClassVar[LayoutKind]

    def verify_places(self, source: Place, result: Place) -> None:
        message = f"result 0 is {_text(result)}, its layout must be {self.LAYOUT.value}"
        require(result.layout is self.LAYOUT, self, message)
        message = f"goes from {source.memory.value} to {result.memory.value}"
        require(result.memory is source.memory, self, f"{message}; the memory must stay")


class ForceFormatFlatOp(FormatOp):
    """The input in the flat layout, in the same memory.

    in [b, h, w, d].

    Constraints: (C1) the result is flat; (C2) the memory stays.

    Example: `%r = htp.ForceFormat_Flat(%x) :
    (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>`
    """

    name = "htp.ForceFormat_Flat"
    LAYOUT = LayoutKind.FLAT


class ForceFormatCroutonOp(FormatOp):
    """The input in the crouton layout, in the same memory.

    in [b, h, w, d].

    Constraints: (C1) the result is crouton; (C2) the memory stays.

    Example: `%r = htp.ForceFormat_Crouton(%x) :
    (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>`
    """

    name = "htp.ForceFormat_Crouton"
    LAYOUT = LayoutKind.CROUTON


OP_LABEL = re.compile(r"([\w.]+)@(\d+)")
"""An op in a reason, by its name and its place."""


class ReasonedOp(CopyOp):
    """A copy that the allocator adds; its attribute `reason` says in words why."""

    FROM: ClassVar[Memory]
    TO: ClassVar[Memory]

    @property
    def reason(self) -> str:
        """The reason for the copy; empty if there is none."""
        reason = self.attributes.get(REASON)
        return reason.data if isinstance(reason, StringAttr) else ""

    def verify_places(self, source: Place, result: Place) -> None:
        ways = f"{source.memory.value} to {result.memory.value}"
        wanted = f"{self.FROM.value} to {self.TO.value}"
        right = (source.memory, result.memory) == (self.FROM, self.TO)
        require(right, self, f"goes from {ways}, it must go from {wanted}")
        message = f"turns {source.layout.value} into {result.layout.value}"
        require(source.layout is result.layout, self, f"{message}; the layout must stay")


class SpillOp(ReasonedOp):
    """The input moved out of TCM to make room; the layout stays.

    in [b, h, w, d]; the attribute reason is a string.

    Constraints: (C1) from tcm to ddr; (C2) the layout stays; (C3) reason is a string.

    Example: `%r = htp.Spill(%x) {reason = "room for %conv"} :
    (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>`
    """

    name = "htp.Spill"
    FROM = Memory.TCM
    TO = Memory.DDR


class FillOp(ReasonedOp):
    """A spilled tensor moved back into TCM; the layout stays.

    in [b, h, w, d]; the attribute reason is a string.

    Constraints: (C1) from ddr to tcm; (C2) the layout stays; (C3) reason is a string.

    Example: `%r = htp.Fill(%x) {reason = "needed by %add"} :
    (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>`
    """

    name = "htp.Fill"
    FROM = Memory.DDR
    TO = Memory.TCM


class RelocateOp(ReasonedOp):
    """A tensor moved within TCM, so that free bytes lie together; the layout stays.

    in [b, h, w, d]; the attribute reason is a string. The result may lie on bytes of the operand,
    which nothing else reads behind the op.

    Constraints: (C1) from tcm to tcm; (C2) the layout stays; (C3) reason is a string.

    Example: `%r = htp.Relocate(%x) {reason = "room for %conv"} :
    (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>`
    """

    name = "htp.Relocate"
    FROM = Memory.TCM
    TO = Memory.TCM

    @property
    def overwritten(self) -> SSAValue:
        """The operand, each byte of which is read before something is written there."""
        return self.operands[0]


class FlatToVtcmOp(MoveOp):
    """A tensor that is flat in ddr, copied to tcm."""

    name = "htp.flat_to_vtcm"
    SOURCE, TARGET = FLAT_DDR, FLAT_TCM


class CroutonToVtcmOp(MoveOp):
    """A tensor that is crouton in ddr, copied to tcm."""

    name = "htp.crouton_to_vtcm"
    SOURCE, TARGET = CROUTON_DDR, CROUTON_TCM


class FlatFromVtcmOp(MoveOp):
    """A tensor that is flat in tcm, copied to ddr."""

    name = "htp.flat_from_vtcm"
    SOURCE, TARGET = FLAT_TCM, FLAT_DDR


class CroutonFromVtcmOp(MoveOp):
    """A tensor that is crouton in tcm, copied to ddr."""

    name = "htp.crouton_from_vtcm"
    SOURCE, TARGET = CROUTON_TCM, CROUTON_DDR


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


STARTS: dict[str, str] = {
    "flat_to_vtcm": "flat_to_vtcm.start",
    "crouton_to_vtcm": "crouton_to_vtcm.start",
    "Fill": "Fill.start",
}
"""The start of each copy to TCM, by mnemonics."""

OPS: tuple[type[NativeOp], ...] = (
    *(ForceFormatFlatOp, ForceFormatCroutonOp, FlatToVtcmOp, CroutonToVtcmOp, FlatFromVtcmOp),
    *(CroutonFromVtcmOp, SpillOp, FillOp, RelocateOp),
    *(FlatToVtcmStartOp, CroutonToVtcmStartOp, FillStartOp, CopyWaitOp),
)
