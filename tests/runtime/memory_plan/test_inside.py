"""Plans of modules whose tensors lie inside others, and of modules that are not done."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.passes.allocation.certificate import memory_plan
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime.memory_plan import Plan, PlanRow, check_plan
from htp_mlir.runtime.tools.loading import parse_module

JOINED = Path(__file__).parents[2] / "lowering/passes/allocation/allocate_in_place.mlir"
PART = 16 * 32 * 4


@pytest.fixture(scope="module")
def text() -> str:
    """Relu and Neg write the halves of a join, a slice reads a part of the second half."""
    done = htp_opt.run([str(JOINED), "-p", "htp-allocate"])
    assert done.status == 0, done.err
    return done.out


def named(plan: Plan, start: str) -> PlanRow:
    (only,) = (row for row in plan.rows if row.tensor.startswith(start))
    return only


def faults(text: str, plan: Plan) -> list[str]:
    with pytest.raises(HtpError) as caught:
        check_plan(parse_module(text), plan, "plan.csv")
    return [fault.problem for fault in caught.value.faults]


def test_parts_name_their_whole_and_their_distance_from_its_start(text: str) -> None:
    plan = memory_plan(parse_module(text))
    join = named(plan, "Concat")
    parts = [(row.inside, row.delta) for name in ("Relu", "Neg") for row in [named(plan, name)]]
    assert parts == [(join.tensor, 0), (join.tensor, PART)]
    assert named(plan, "Slice_shape").delta == PART
    check_plan(parse_module(text), plan, "plan.csv")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"delta": 0}, "delta is '0' in the plan"),
        ({"inside": "", "delta": 0}, "inside is '' in the plan"),
        ({"last": 4}, "is planned for ops"),
    ],
)
def test_a_part_that_is_planned_elsewhere_is_rejected(
    damage: dict[str, int | str], message: str, text: str
) -> None:
    plan = memory_plan(parse_module(text))
    neg = named(plan, "Neg")
    rows = tuple(replace(row, **damage) if row is neg else row for row in plan.rows)
    lines = faults(text, replace(plan, rows=rows))
    assert any(line.startswith(f"{neg.tensor}: {message}") for line in lines), lines


def test_a_whole_is_in_use_while_its_parts_are(text: str) -> None:
    plan = memory_plan(parse_module(text))
    join, relu = named(plan, "Concat"), named(plan, "Relu")
    assert join.first == relu.first
    rows = tuple(replace(join, first=relu.first + 1) if row is join else row for row in plan.rows)
    assert any(
        line.startswith(f"{join.tensor}: is planned for ops")
        for line in faults(text, replace(plan, rows=rows))
    )


def test_a_tensor_without_an_offset_is_told(text: str) -> None:
    plan = memory_plan(parse_module(text))
    placed = re.search(r"htp\.Abs\(.* -> (tensor<.*, tcm), \d+>>", text)
    assert placed is not None
    bare = text.replace(placed[0].rpartition(" -> ")[2], f"{placed[1]}>>")
    assert faults(bare, plan) == [f"{named(plan, 'Abs').tensor}: has no offset in the module"]
