"""Where an op's tensors may lie, and the way from place to place."""

from __future__ import annotations

import pytest
from htp_mlir.dialects.value.place import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
)
from htp_mlir.lowering.planner.placement.places import (
    HOME,
    OPEN,
    Arrangement,
    Demand,
    Port,
    at_home,
    unmet,
)
from htp_mlir.lowering.planner.placement.route import route

BOTH = {LayoutKind.FLAT: 100, LayoutKind.CROUTON: 128}
FLAT_ONLY = {LayoutKind.FLAT: 100}
IN_TCM = Demand(memory=Memory.TCM)


def test_an_open_tensor_goes_anywhere_where_it_fits() -> None:
    assert Port(OPEN, BOTH).places(1000) == (FLAT_DDR, FLAT_TCM, CROUTON_DDR, CROUTON_TCM)
    assert Port(OPEN, BOTH).places(100) == (FLAT_DDR, FLAT_TCM, CROUTON_DDR)
    assert Port(OPEN, FLAT_ONLY).places(0) == (FLAT_DDR,)


def test_a_demand_is_met_however_large_the_tensor_is() -> None:
    assert Port(IN_TCM, BOTH).places(0) == (FLAT_TCM, CROUTON_TCM)
    assert Port(HOME, BOTH).places(0) == (FLAT_DDR,)
    assert Port(Demand(LayoutKind.CROUTON), FLAT_ONLY).places(1000) == ()


def test_a_param_stays_home_unless_it_is_demanded_elsewhere() -> None:
    assert Port(OPEN, BOTH, param=True).places(1000) == (FLAT_DDR,)
    assert Port(IN_TCM, BOTH, param=True).places(1000) == (FLAT_TCM,)


def test_at_home_is_main_memory_for_all_but_shapes() -> None:
    assert at_home((FLAT_TCM, None), 1) == Arrangement((FLAT_DDR, None), (FLAT_DDR,))


def test_the_first_demand_that_is_not_met() -> None:
    assert unmet([HOME, IN_TCM], [FLAT_DDR, CROUTON_TCM.at(4096)]) is None
    assert unmet([HOME, IN_TCM], [FLAT_DDR, CROUTON_DDR]) == 1
    assert IN_TCM.text() == "any layout in tcm"


@pytest.mark.parametrize(
    ("start", "end", "ops"),
    [
        (FLAT_DDR, FLAT_DDR, ""),
        (FLAT_DDR, FLAT_TCM, "flat_to_vtcm"),
        (FLAT_DDR, CROUTON_TCM, "ForceFormat_Crouton crouton_to_vtcm"),
        (CROUTON_TCM.at(0), CROUTON_TCM, ""),
        (CROUTON_TCM, FLAT_DDR, "crouton_from_vtcm ForceFormat_Flat"),
        (FLAT_TCM, CROUTON_TCM, "flat_from_vtcm ForceFormat_Crouton crouton_to_vtcm"),
    ],
)
def test_layouts_change_in_main_memory(start: Place, end: Place, ops: str) -> None:
    steps = route(start, end)
    assert " ".join(step.op for step in steps) == ops
    assert not steps or steps[-1].result == end


def test_other_layouts_have_no_conversion() -> None:
    with pytest.raises(ValueError, match="no conversion from or to layout weights"):
        route(FLAT_DDR, Place(LayoutKind.WEIGHTS, Memory.DDR))
