"""Proposals for where an op's tensors lie, and the way from place to place."""

from __future__ import annotations

import pytest
from htp_mlir.dialects.place import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
)
from htp_mlir.lowering.planner.places import (
    HOME,
    OPEN,
    Arrangement,
    Demand,
    Port,
    Ports,
    Room,
    at_home,
    proposals,
    unmet,
)
from htp_mlir.lowering.planner.route import route

BOTH = {LayoutKind.FLAT: 100, LayoutKind.CROUTON: 128}
FLAT_ONLY = {LayoutKind.FLAT: 100}
IN_TCM = Demand(memory=Memory.TCM)


def first(ports: Ports, *here: Place | None, largest: int = 1000) -> Arrangement:
    return next(iter(proposals(ports, here, Room(largest, 1 << 20))))


def test_a_demand_is_met_and_the_rest_follows_the_first_data_operand() -> None:
    ports = Ports((Port(IN_TCM, BOTH), Port(IN_TCM, BOTH)), (Port(IN_TCM, BOTH),))
    found = first(ports, CROUTON_DDR, FLAT_TCM)
    assert found == Arrangement((CROUTON_TCM, CROUTON_TCM), (CROUTON_TCM,))


def test_a_param_leads_nobody_and_stays_home() -> None:
    ports = Ports((Port(OPEN, BOTH, param=True), Port(OPEN, BOTH)), (Port(OPEN, BOTH),))
    found = first(ports, FLAT_DDR, CROUTON_TCM)
    assert found == Arrangement((FLAT_DDR, CROUTON_TCM), (CROUTON_TCM,))


def test_a_shape_has_no_place() -> None:
    ports = Ports((Port(HOME, BOTH), None), (Port(HOME, BOTH),))
    assert first(ports, CROUTON_TCM, None) == Arrangement((FLAT_DDR, None), (FLAT_DDR,))


def test_an_open_operand_stays_where_it_is() -> None:
    ports = Ports((Port(OPEN, BOTH),), (Port(OPEN, BOTH),))
    assert first(ports, FLAT_DDR) == Arrangement((FLAT_DDR,), (FLAT_TCM,))


def test_a_large_result_stays_in_main_memory_with_all_open_operands() -> None:
    ports = Ports((Port(OPEN, BOTH),) * 3, (Port(OPEN, BOTH),))
    found = first(ports, FLAT_TCM, FLAT_TCM, FLAT_DDR, largest=99)
    assert found == Arrangement((FLAT_DDR,) * 3, (FLAT_DDR,))


def test_what_has_no_croutons_stays_flat() -> None:
    ports = Ports((Port(OPEN, BOTH), Port(OPEN, FLAT_ONLY)), (Port(OPEN, FLAT_ONLY),))
    assert first(ports, CROUTON_TCM, FLAT_DDR).results == (FLAT_TCM,)
    assert first(ports, CROUTON_TCM, FLAT_DDR).operands == (CROUTON_TCM, FLAT_DDR)


def test_a_demand_for_a_layout_that_is_not_there_has_no_proposal() -> None:
    crouton = Port(Demand(LayoutKind.CROUTON), FLAT_ONLY)
    assert list(proposals(Ports((crouton,), (crouton,)), (FLAT_DDR,), Room(1000, 1 << 20))) == []
    assert at_home((FLAT_TCM, None), 1) == Arrangement((FLAT_DDR, None), (FLAT_DDR,))


def test_proposals_end_with_the_other_layout_and_name_each_once() -> None:
    ports = Ports((Port(IN_TCM, BOTH),), (Port(IN_TCM, BOTH),))
    found = list(proposals(ports, (CROUTON_TCM,), Room(1000, 1 << 20)))
    assert [arrangement.results for arrangement in found] == [(CROUTON_TCM,), (FLAT_TCM,)]


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
