"""Views of what leaves TCM and comes back give the same numbers, and the bytes are checked."""

from pathlib import Path

import pytest
from htp_mlir.dialects.htp.ops.copies import FillOp
from htp_mlir.lowering import load_module
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.allocation.allocate import Allocate
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.passes.placement.assign_places import AssignPlaces, RealisePlaces
from htp_mlir.runtime import Session

from ....support.feeds import assert_same, feeds

TCM_BYTES = 49152


@pytest.mark.parametrize("name", ["views_follow", "join_leaves"])
def test_views_of_what_leaves_give_the_same(name: str) -> None:
    native = load_module(Path(__file__).with_name(f"{name}.mlir"))
    before, lowered = Session(native), native.clone()
    for step in (AssignPlaces(TCM_BYTES), RealisePlaces(TCM_BYTES), Allocate(TCM_BYTES)):
        step.apply(installed().context(), lowered)
    lowered.verify()
    check_dominance(lowered)
    assert any(isinstance(op, FillOp) for op in lowered.walk())
    after = Session(lowered, check=True)
    assert_same(after.run(feeds(before)), before.run(feeds(before)))
