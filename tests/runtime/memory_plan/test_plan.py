"""A plan beside the module: the one that belongs to it holds, and no damaged one does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.passes.allocation.certificate import memory_plan
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.memory_plan import Plan, PlanRow, check_plan, read_plan, write_plan
from htp_mlir.runtime.memory_plan.plan import COLUMNS, parse_plan, plan_of_rows, plan_text
from htp_mlir.runtime.tools.loading import load_module, parse_module

X = "tensor<1x16x16x32xf32>"
MODEL = f"""
func.func @main(%x: {X} {{htp.name = "x"}}) -> ({X} {{htp.name = "y"}}) {{
  %0 = qti_aisw.ElementWiseNeg(%x) : ({X}) -> {X}
  %1 = qti_aisw.ElementWiseExp(%0) : ({X}) -> {X}
  %2 = qti_aisw.ElementWiseAdd(%0, %1) : ({X}, {X}) -> {X}
  return %2 : {X}
}}
"""
LOWER = "htp-lower{tcm-bytes=262144 allow-reference=true}"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The paths of a lowered module and of its plan."""
    folder = tmp_path_factory.mktemp("plan")
    model, lowered, plan = (str(folder / name) for name in ("m.mlir", "out.mlir", "plan.csv"))
    Path(model).write_text(MODEL)
    done = htp_opt.run([model, "-p", LOWER, "-o", lowered, "--plan", plan])
    assert done.status == 0, done.err
    return lowered, plan


def in_command(plan: Plan, files: tuple[str, str], tmp_path: Path) -> tuple[int, str]:
    write_plan(tmp_path / "plan.csv", plan)
    done = htp.run(["plan", files[0], str(tmp_path / "plan.csv")])
    assert done.err.count("\n") <= 12
    return done.status, done.err


def test_the_plan_of_a_module_holds(files: tuple[str, str]) -> None:
    lowered, plan = files
    done = htp.run(["plan", lowered, plan])
    assert done.status == 0, done.err
    assert "holds; " in done.out
    assert " of 262144 bytes; in chunks of 2048 it takes " in done.out


def test_a_plan_is_the_same_after_writing_and_reading(files: tuple[str, str]) -> None:
    lowered, path = files
    plan = read_plan(path)
    assert plan == memory_plan(load_module(lowered))
    assert parse_plan(plan_text(plan), "again") == plan
    assert len(plan.rows) >= 3


def with_row(plan: Plan, index: int, row: PlanRow) -> Plan:
    rows = list(plan.rows)
    rows[index] = row
    return plan_of_rows(rows, plan.capacity, plan.alignment)


def meeting(plan: Plan) -> tuple[int, int]:
    """Two rows that are alive together."""
    rows = [(i, row) for i, row in enumerate(plan.rows) if not row.inside]
    return next(
        (i, k)
        for i, one in rows
        for k, two in rows
        if i < k and one.first <= two.last and two.first <= one.last
    )


def overlapping(plan: Plan) -> tuple[Plan, str]:
    one, two = meeting(plan)
    return with_row(plan, two, replace(plan.rows[two], offset=plan.rows[one].offset)), "share bytes"


def cut_short(plan: Plan) -> tuple[Plan, str]:
    index = max(range(len(plan.rows)), key=lambda i: plan.rows[i].last - plan.rows[i].first)
    return with_row(
        plan, index, replace(plan.rows[index], last=plan.rows[index].last - 1)
    ), "is planned for ops"


def without_a_row(plan: Plan) -> tuple[Plan, str]:
    return plan_of_rows(plan.rows[1:], plan.capacity, plan.alignment), "is missing in the plan"


def with_a_strange_row(plan: Plan) -> tuple[Plan, str]:
    rows = (*plan.rows, PlanRow("Ghost@99", 8, 99, 99, 0))
    return plan_of_rows(rows, plan.capacity, plan.alignment), "no tensor in TCM of the module"


def doubled(plan: Plan) -> tuple[Plan, str]:
    rows = (*plan.rows, plan.rows[0])
    return plan_of_rows(rows, plan.capacity, plan.alignment), "has 2 rows"


def crowded(plan: Plan) -> tuple[Plan, str]:
    rows = [replace(plan.rows[0], tensor=f"t{number}") for number in range(100)]
    return plan_of_rows((*plan.rows, *rows), plan.capacity, plan.alignment), "share bytes"


def unaligned(plan: Plan) -> tuple[Plan, str]:
    return plan_of_rows(plan.rows, plan.capacity, 1), "multiples of 1, the module of 2048"


CORRUPTIONS: dict[str, Callable[[Plan], tuple[Plan, str]]] = {
    "overlap": overlapping,
    "misaligned": lambda plan: (
        with_row(plan, 0, replace(plan.rows[0], offset=plan.rows[0].offset + 4)),
        "no multiple",
    ),
    "beyond the end": lambda plan: (
        with_row(plan, 0, replace(plan.rows[0], offset=plan.capacity)),
        "of 262144",
    ),
    "below zero": lambda plan: (with_row(plan, 0, replace(plan.rows[0], offset=-2048)), "below 0"),
    "cut short": cut_short,
    "missing": without_a_row,
    "strange": with_a_strange_row,
    "doubled": doubled,
    "crowded": crowded,
    "other alignment": unaligned,
    "fewer bytes": lambda plan: (
        with_row(plan, 0, replace(plan.rows[0], bytes=1)),
        "bytes is '1' in the plan",
    ),
    "moved": lambda plan: (
        with_row(plan, 0, replace(plan.rows[0], offset=131072)),
        "offset is '131072' in the plan",
    ),
    "other size": lambda plan: (replace(plan, capacity=524288), "the module for 262144"),
    "other bound": lambda plan: (replace(plan, bound=1), "bound: the plan says 1"),
    "other peak": lambda plan: (replace(plan, peak=1), "peak: the plan says 1"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_plan_is_rejected(name: str, files: tuple[str, str], tmp_path: Path) -> None:
    plan = read_plan(files[1])
    corrupt, message = CORRUPTIONS[name](plan)
    changed = set(corrupt.rows) ^ set(plan.rows) or {plan.rows[0]} & set(corrupt.rows[1:])
    with pytest.raises(HtpError) as caught:
        check_plan(load_module(files[0]), corrupt, "plan.csv")
    problems = [fault.problem for fault in caught.value.faults]
    assert [line for line in problems if message in line]
    if changed:
        assert any(row.tensor in line for row in changed for line in problems if message in line)
    status, told = in_command(corrupt, files, tmp_path)
    assert status == 1
    assert message in told


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: "", "does not begin with"),
        (lambda text: "htp-memory-plan,2\n" + text.partition("\n")[2], "does not begin with"),
        (lambda text: "".join(text.splitlines(True)[:4]), "ends after 4 lines"),
        (lambda text: "".join(text.splitlines(True)[:-1]), "rows and has"),
        (lambda text: text[:-2], "ends inside a line"),
        (lambda text: text.replace(",0\n", "\n", 1), r"^plan\.csv:8: has 7 fields"),
        (
            lambda text: text.replace("capacity,", "room,"),
            r"^plan\.csv:2: .* expected 'capacity,' and a number",
        ),
        (lambda text: text.replace("alignment,2048", "alignment,0"), "must be at least 1"),
        (
            lambda text: text.replace(",".join(COLUMNS), "tensor,offset"),
            r"^plan\.csv:7: the columns are not",
        ),
        (lambda text: text.replace("peak,", "peak,1e"), "peak is '1e"),
        (lambda text: text + '"\n', "is no CSV"),
    ],
)
def test_a_damaged_file_is_rejected(
    damage: Callable[[str], str], message: str, files: tuple[str, str]
) -> None:
    text = damage(Path(files[1]).read_text())
    with pytest.raises(HtpError, match=message):
        parse_plan(text, "plan.csv")


def test_a_file_that_is_not_there_or_no_text_is_two_lines(
    files: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    for name, message in (("none.csv", "No such file"), ("bytes.csv", "is no UTF-8 text")):
        done = htp.run(["plan", files[0], str(tmp_path / name)])
        assert done.status == 1
        assert message in done.err
        assert done.err.count("\n") == 2


def test_a_module_without_offsets_has_no_plan(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODEL)
    done = htp_opt.run([str(tmp_path / "m.mlir"), "--plan", str(tmp_path / "plan.csv")])
    assert done.status == 1
    assert "the module is not allocated" in done.err
    assert not (tmp_path / "plan.csv").exists()


def test_a_plan_of_another_module_is_rejected(files: tuple[str, str], tmp_path: Path) -> None:
    text = Path(files[0]).read_text().replace("tcm, 0>", "tcm, 133120>")
    (tmp_path / "moved.mlir").write_text(text)
    done = htp.run(["plan", str(tmp_path / "moved.mlir"), files[1]])
    assert done.status == 1
    assert "offset is '0' in the plan, '133120' in the module" in done.err


FLAT = "tensor<1x1x16x32xf32>"
RESIDENT = f"""
builtin.module attributes {{htp.tcm_bytes = 16384 : i64}} {{
htp.State @h : {FLAT}
func.func @main(%x: {FLAT}) -> {FLAT} {{
  %0 = htp.Reshape(%x) : ({FLAT}) -> {FLAT}
  %c = htp.Const dense<2.0> : {FLAT} -> {FLAT[:-1]}, #htp.place<flat, tcm, 0>>
  %reset = htp.Const dense<false> : tensor<1x1x1x1xi1> -> tensor<1x1x1x1xi1>
  %h = htp.StateRead @h, %0, %reset : {FLAT}, tensor<1x1x1x1xi1>
      -> {FLAT[:-1]}, #htp.place<flat, tcm, 2048>>
  %1 = htp.Add(%c, %h) : ({FLAT[:-1]}, #htp.place<flat, tcm, 0>>,
      {FLAT[:-1]}, #htp.place<flat, tcm, 2048>>) -> {FLAT[:-1]}, #htp.place<flat, tcm, 4096>>
  %2 = htp.flat_from_vtcm(%1) : ({FLAT[:-1]}, #htp.place<flat, tcm, 4096>>) -> {FLAT}
  %3 = htp.Reshape(%2) : ({FLAT}) -> {FLAT}
  return %3 : {FLAT}
}}
}}
"""


def test_constants_and_states_in_tcm_are_in_the_plan() -> None:
    module = parse_module(RESIDENT)
    plan = memory_plan(module)
    check_plan(module, plan, "plan.csv")
    for row in plan.rows:
        rows = [other for other in plan.rows if other is not row]
        less = plan_of_rows(rows, plan.capacity, plan.alignment)
        with pytest.raises(HtpError, match=f"{row.tensor}: lies in TCM in the module"):
            check_plan(module, less, "plan.csv")
