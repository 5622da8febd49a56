"""`htp-absorb-copies`: what rules place by hand becomes what ops want, and nothing else changes."""

from __future__ import annotations

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.place import CROUTON_TCM, FLAT_TCM
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.placement.absorb_copies import AbsorbCopies, by_hand
from htp_mlir.runtime import parse_module
from xdsl.dialects.builtin import ModuleOp

T = "tensor<1x8x8x32xf32>"


def absorbed(*lines: str) -> ModuleOp:
    body = "\n".join(f"  {line} : ({T}) -> {T}" for line in lines)
    text = f"func.func @main(%x: {T}) -> {T} {{\n{body}\n  func.return %y : {T}\n}}"
    module = parse_module(text)
    AbsorbCopies().apply(Packages().context(), module)
    module.verify()
    return module


def names(module: ModuleOp) -> list[str]:
    return [op.name.partition(".")[2] for op in module.walk() if op.name.startswith("htp.")]


def test_chains_become_wishes() -> None:
    module = absorbed(
        "%a = htp.Reshape(%x)",
        "%b = htp.ForceFormat_Crouton(%a)",
        "%c = htp.crouton_to_vtcm(%b)",
        "%d = htp.Neg(%c)",
        "%e = htp.flat_from_vtcm(%d)",
        "%y = htp.Reshape(%e)",
    )
    assert names(module) == ["Reshape", "Neg", "Reshape"]
    (neg,) = [op for op in module.walk() if op.name == "htp.Neg"]
    assert by_hand(neg) == (CROUTON_TCM, FLAT_TCM)


def test_copies_that_lead_home_say_nothing() -> None:
    module = absorbed(
        "%a = htp.Reshape(%x)",
        "%b = htp.ForceFormat_Flat(%a)",
        "%c = htp.Neg(%b)",
        "%d = htp.ForceFormat_Flat(%c)",
        "%y = htp.Reshape(%d)",
    )
    assert names(module) == ["Reshape", "Neg", "Reshape"]
    assert not any(op.attributes for op in module.walk() if op.name == "htp.Neg")


def test_results_in_two_places_are_refused() -> None:
    with pytest.raises(HtpError, match="rules copy its result from crouton in tcm and flat in tcm"):
        absorbed(
            "%a = htp.Reshape(%x)",
            "%b = htp.Neg(%a)",
            "%c = htp.flat_from_vtcm(%b)",
            "%d = htp.crouton_from_vtcm(%b)",
            "%y = htp.Reshape(%d)",
        )
