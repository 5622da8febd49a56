"""A view of what left TCM and came back gives the same numbers, and the bytes are checked."""

from __future__ import annotations

from pathlib import Path

from htp_mlir.dialects.htp.ops.copies import FillOp
from htp_mlir.lowering import load_module
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.allocation.allocate import Allocate
from htp_mlir.lowering.passes.placement.assign_places import AssignPlaces
from htp_mlir.lowering.passes.placement.realise_places import RealisePlaces
from htp_mlir.runtime import Session

from ....support.feeds import assert_same, feeds

TCM_BYTES = 49152


def test_a_reshape_follows_its_tensor() -> None:
    native = load_module(Path(__file__).with_name("views_follow.mlir"))
    before, lowered = Session(native), native.clone()
    for step in (AssignPlaces(TCM_BYTES), RealisePlaces(TCM_BYTES), Allocate(TCM_BYTES)):
        step.apply(installed().context(), lowered)
    lowered.verify()
    assert any(isinstance(op, FillOp) for op in lowered.walk())
    after = Session(lowered, check=True)
    assert_same(after.run(feeds(before)), before.run(feeds(before)))
