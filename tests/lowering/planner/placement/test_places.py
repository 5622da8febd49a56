"""Places that an op's tensors may have, and the conversions from place to place."""

import pytest
from htp_mlir.dialects.value.spec import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
)
from htp_mlir.lowering.planner.placement.places import (
    DEFAULT,
    OPEN,
    OperandSlot,
    PlacementConstraint,
    default_placement,
)
from htp_mlir.lowering.planner.placement.plan import route

BOTH = {LayoutKind.FLAT: 100, LayoutKind.CROUTON: 128}
FLAT_ONLY = {LayoutKind.FLAT: 100}
IN_TCM = PlacementConstraint(memory=Memory.TCM)


def test_an_open_tensor_goes_anywhere_where_it_fits() -> None:
    assert OperandSlot(OPEN, BOTH).places(1000) == (FLAT_DDR, FLAT_TCM, CROUTON_DDR, CROUTON_TCM)
    assert OperandSlot(OPEN, BOTH).places(100) == (FLAT_DDR, FLAT_TCM, CROUTON_DDR)
    assert OperandSlot(OPEN, FLAT_ONLY).places(0) == (FLAT_DDR,)


def test_a_constraint_is_met_however_large_the_tensor_is() -> None:
    assert OperandSlot(IN_TCM, BOTH).places(0) == (FLAT_TCM, CROUTON_TCM)
    assert OperandSlot(DEFAULT, BOTH).places(0) == (FLAT_DDR,)
    assert OperandSlot(PlacementConstraint(LayoutKind.CROUTON), FLAT_ONLY).places(1000) == ()


def test_a_param_stays_flat_in_ddr_unless_it_is_demanded_elsewhere() -> None:
    assert OperandSlot(OPEN, BOTH, param=True).places(1000) == (FLAT_DDR,)
    assert OperandSlot(IN_TCM, BOTH, param=True).places(1000) == (FLAT_TCM,)


def test_the_default_placement_is_flat_ddr_for_all_but_shapes() -> None:
    assert default_placement([OperandSlot(IN_TCM, BOTH), None]) == (FLAT_DDR, None)


def test_a_constraint_is_met_in_any_place_that_it_leaves_open() -> None:
    assert IN_TCM.met_by(CROUTON_TCM.at(4096))
    assert not IN_TCM.met_by(CROUTON_DDR)
    assert DEFAULT.met_by(FLAT_DDR)
    assert IN_TCM.text() == "any layout in tcm"


@pytest.mark.parametrize(
    ("start", "end", "in_tcm", "in_ddr"),
    [
        (FLAT_DDR, FLAT_DDR, "", ""),
        (FLAT_DDR, FLAT_TCM, "flat_to_vtcm", "flat_to_vtcm"),
        (FLAT_DDR, CROUTON_DDR, "ForceFormat_Crouton", "ForceFormat_Crouton"),
        (
            FLAT_DDR,
            CROUTON_TCM,
            "flat_to_vtcm ForceFormat_Crouton",
            "ForceFormat_Crouton crouton_to_vtcm",
        ),
        (CROUTON_TCM, CROUTON_TCM, "", ""),
        (
            CROUTON_TCM,
            FLAT_DDR,
            "ForceFormat_Flat flat_from_vtcm",
            "crouton_from_vtcm ForceFormat_Flat",
        ),
        (
            FLAT_TCM,
            CROUTON_TCM,
            "ForceFormat_Crouton",
            "flat_from_vtcm ForceFormat_Crouton crouton_to_vtcm",
        ),
    ],
)
def test_layouts_change_in_tcm_where_there_is_room(
    start: Place, end: Place, in_tcm: str, in_ddr: str
) -> None:
    for room, ops in ((True, in_tcm), (False, in_ddr)):
        steps = route([start], end, BOTH, room)
        assert " ".join(step.op for step in steps) == ops
        assert not steps or steps[-1].result == end


def test_a_path_begins_where_the_fewest_bytes_move() -> None:
    """In TCM already, or in DDR in the layout that is smaller."""
    (only,) = route([FLAT_DDR, CROUTON_TCM], FLAT_TCM, BOTH, True)
    assert (only.start, only.op) == (CROUTON_TCM, "ForceFormat_Flat")
    steps = route([FLAT_DDR, CROUTON_DDR], CROUTON_TCM, BOTH, True)
    assert [step.op for step in steps] == ["flat_to_vtcm", "ForceFormat_Crouton"]
    alike = {LayoutKind.FLAT: 128, LayoutKind.CROUTON: 128}
    assert [s.op for s in route([FLAT_DDR, CROUTON_DDR], CROUTON_TCM, alike, True)] == [
        "crouton_to_vtcm"
    ]


def test_other_layouts_have_no_conversion() -> None:
    with pytest.raises(ValueError, match="no conversion from or to layout weights"):
        route([FLAT_DDR], Place(LayoutKind.WEIGHTS, Memory.DDR), BOTH, True)
