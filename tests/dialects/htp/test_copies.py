"""Conversions and copies: which places they go between."""

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import native
from htp_mlir.dialects.htp.ops.copies import CopyOp, SpillOp
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.utils.exceptions import VerifyException

from ...support.native import make, spec, t

_FLAT_DDR, _FLAT_TCM = "flat, ddr", "flat, tcm"
_CROUTON_DDR, _CROUTON_TCM = "crouton, ddr", "crouton, tcm"
_PLACES = [_FLAT_DDR, _FLAT_TCM, _CROUTON_DDR, _CROUTON_TCM]
_LEGAL = {
    "flat_to_vtcm": {(_FLAT_DDR, _FLAT_TCM)},
    "crouton_to_vtcm": {(_CROUTON_DDR, _CROUTON_TCM)},
    "flat_to_vtcm.start": {(_FLAT_DDR, _FLAT_TCM)},
    "crouton_to_vtcm.start": {(_CROUTON_DDR, _CROUTON_TCM)},
    "Fill.start": {(_FLAT_DDR, _FLAT_TCM), (_CROUTON_DDR, _CROUTON_TCM)},
    "flat_from_vtcm": {(_FLAT_TCM, _FLAT_DDR)},
    "crouton_from_vtcm": {(_CROUTON_TCM, _CROUTON_DDR)},
    "ForceFormat_Flat": {
        *((_FLAT_DDR, _FLAT_DDR), (_CROUTON_DDR, _FLAT_DDR)),
        *((_FLAT_TCM, _FLAT_TCM), (_CROUTON_TCM, _FLAT_TCM)),
    },
    "ForceFormat_Crouton": {
        *((_FLAT_DDR, _CROUTON_DDR), (_CROUTON_DDR, _CROUTON_DDR)),
        *((_FLAT_TCM, _CROUTON_TCM), (_CROUTON_TCM, _CROUTON_TCM)),
    },
    "Spill": {(_FLAT_TCM, _FLAT_DDR), (_CROUTON_TCM, _CROUTON_DDR)},
    "Fill": {(_FLAT_DDR, _FLAT_TCM), (_CROUTON_DDR, _CROUTON_TCM)},
    "Relocate": {(_FLAT_TCM, _FLAT_TCM), (_CROUTON_TCM, _CROUTON_TCM)},
}


def _at(place: str) -> str:
    return f"1x8x8x32xf32, #htp.place<{place}>"


@pytest.mark.parametrize("mnemonic", _LEGAL)
def test_places(mnemonic: str) -> None:
    for source in _PLACES:
        for target in _PLACES:
            if (source, target) in _LEGAL[mnemonic]:
                make(mnemonic, [t(_at(source))], _at(target))
            else:
                with pytest.raises(VerifyException, match=rf"^htp\.{mnemonic}: "):
                    make(mnemonic, [t(_at(source))], _at(target))


def test_no_place_is_flat_in_ddr() -> None:
    make("flat_to_vtcm", [t("1x8x8x32xf32")], _at(_FLAT_TCM))
    with pytest.raises(VerifyException, match="result 0 is flat in ddr, it must be flat in tcm"):
        make("flat_to_vtcm", [t(_at(_FLAT_DDR))], "1x8x8x32xf32")


def test_without_any_place_a_copy_says_nothing() -> None:
    make("crouton_from_vtcm", [t("1x8x8x32xf32")], "1x8x8x32xf32")


def test_offsets_do_not_matter() -> None:
    make("crouton_to_vtcm", [t(_at(_CROUTON_DDR))], _at("crouton, tcm, 4096"))


def test_shape_and_type_stay() -> None:
    with pytest.raises(VerifyException, match="result 0 has shape 1x8x4x32"):
        make("flat_to_vtcm", [t(_at(_FLAT_DDR))], "1x8x4x32xf32, #htp.place<flat, tcm>")


def test_reason() -> None:
    op = native(SpillOp, [t(_at(_FLAT_TCM))], spec(_at(_FLAT_DDR)))
    op.verify()
    assert op.reason == ""
    op.attributes["reason"] = StringAttr("room")
    op.verify()
    assert op.reason == "room"
    op.attributes["reason"] = IntegerAttr(3, i64)
    with pytest.raises(VerifyException, match=r"htp\.Spill: attribute 'reason' is 3 : i64"):
        op.verify()


def test_every_copy_is_tried() -> None:
    copies = {name for name, op in NATIVE_OPS.items() if issubclass(op, CopyOp)}
    assert copies == {*_LEGAL, "CopyWait"}
