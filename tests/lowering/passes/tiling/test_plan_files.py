"""Tile plans from files: kept to, with the numbers that they were; refused where they cannot be."""

import json
from functools import cache
from pathlib import Path

import pytest
from htp_mlir.dialects.attributes import NAME
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.tiling.plan_table import PlanTable, table_json, table_text
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ....support.feeds import assert_same
from ....support.graph import Graph, Model
from ....support.roundtrip import to_text

TCM = 256 << 10
SIZE = 32


@cache
def model() -> Model:
    """Two convolutions with a Tanh between them, and a product, in nodes of these names."""
    graph = Graph()
    x = graph.input(1, SIZE, SIZE, 8)
    first = graph.op("Conv2d", x, graph.weights(3, 3, 8, 32), pad_amount=(1, 1, 1, 1))
    between = graph.op("Tanh", first)
    second = graph.op("Conv2d", between, graph.weights(3, 3, 32, 32), pad_amount=(1, 1, 1, 1))
    graph.give("y", second)
    for value, name in {first: "first", between: "tanh", second: "second"}.items():
        value.op.attributes[NAME] = StringAttr(name)
    return graph.model()


def planned(tiles: str | Path = "") -> tuple[ModuleOp, PlanTable]:
    """Lower the model, and return the plan of its function too."""
    with collecting_plans() as tables:
        lowered = lower(model().module, tcm_bytes=TCM, tiles=tiles)
    (function,) = (op for op in lowered.body.block.ops if isinstance(op, FuncOp))
    return lowered, tables[function]


@pytest.fixture(scope="module")
def own() -> tuple[ModuleOp, PlanTable]:
    return planned()


def cuts(table: PlanTable) -> dict[str, dict[str, int]]:
    """The tiles of the ops that are cut."""
    ops = (op for segment in table.segments for op in segment.ops)
    return {op.op: dict(op.tiles) for op in ops if op.tiles}


def test_a_plan_that_is_written_is_kept_to(own: tuple[ModuleOp, PlanTable], tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(table_json({"main": own[1]}))
    again, table = planned(path)
    assert cuts(own[1])
    assert to_text(again) == to_text(own[0])
    assert [segment.ops for segment in table.segments] == [s.ops for s in own[1].segments]
    assert json.loads(path.read_text())["main"]["tcm_bytes"] == TCM


OWN_PLANS = {
    "rows": "first: H=8\nsecond: H=16",
    "columns": "// a comment\n\nfirst ConvLayer_valid: W=4\nsecond: W=2\n",
    "nested": "second ConvLayer_valid#1: H=16 W=8",
    "depth": "second: D=32 W=8",
    "in step": "first: W=4, in step\ntanh: W=4, in step\nsecond: W=4",
    "in step along another dim": "tanh: W=8, in step\nsecond: H=8",
    "a sum": "second: W=8 K=32",
}


@pytest.mark.parametrize("name", OWN_PLANS)
def test_an_own_plan_cuts_as_it_says_and_keeps_the_numbers(name: str, tmp_path: Path) -> None:
    path = tmp_path / "own.tiles"
    path.write_text(OWN_PLANS[name])
    lowered, table = planned(path)
    feeds = model().feeds(1)
    result = Session(lowered, check=True).run(feeds)
    assert_same(result, Session(model().module).run(feeds))
    lines = "\n".join(table_text("main", table))
    for wish in filter(None, OWN_PLANS[name].splitlines()):
        assert wish.startswith("//") or wish.rpartition(": ")[2] in lines


def test_other_nodes_are_planned_as_usual(own: tuple[ModuleOp, PlanTable], tmp_path: Path) -> None:
    path = tmp_path / "own.tiles"
    path.write_text("second: H=16")
    ops = [op for segment in planned(path)[1].segments for op in segment.ops]
    (second,) = (op for op in ops if op.node == "second" and op.tiles)
    assert second.tiles == {"H": 16}
    assert [op.node for op in ops] == [op.node for s in own[1].segments for op in s.ops]
    assert any(op.tiles for op in ops if op.node == "first")


def test_own_tiles_change_what_moves(own: tuple[ModuleOp, PlanTable], tmp_path: Path) -> None:
    path = tmp_path / "own.tiles"
    path.write_text("first: W=2\nsecond: W=2")
    assert traffic(planned(path)[0]).bytes != traffic(own[0]).bytes


def one_op(number: int, tiles: str) -> str:
    """A plan in JSON with one op."""
    names = '"node": "second", "op": "ConvLayer_valid", "in_step": false'
    op = f'{{{names}, "number": {number}, "tiles": {tiles}}}'
    return f'{{"main": {{"segments": [{{"ops": [{op}]}}]}}}}'


FAULTS = {
    "thanh: H=8": ("own.tiles:1: no op comes from a node 'thanh'", "did you mean 'tanh'"),
    "pool: H=8": ("no op comes from a node 'pool'", "--explain-tiles lists the nodes"),
    "\nfirst Relu: H=8": ("own.tiles:2: node 'first' has no op Relu", "its ops are"),
    "first Const_not: H=8": ("node 'first' has no op Const_not", "its ops are"),
    "second ConvLayer_valid#2: H=8": ("has 1 ConvLayer_valid, not 2", "give 1 to 1"),
    "second: H=5": ("H=5 of ConvLayer_valid of 'second' is no multiple of 8", "give H=8"),
    "second: H=0": ("H=0 of ConvLayer_valid of 'second' is no multiple of 8", "give H=8"),
    "second: W=8 K=40": ("K=40 of ConvLayer_valid of 'second' is no multiple of 32", "give K=32"),
    "second: K=32 W=8": ("ConvLayer_valid of 'second' is not cut along K there", "K is the last"),
    "second: H=8 H=16": ("is cut along H twice", "name each dim once"),
    "tanh: K=32": ("Tanh of 'tanh' is not cut along K there", "its dims are"),
    "second: whole": ("whole of ConvLayer_valid of 'second' needs", "give smaller tiles"),
    "second: H=32": ("bytes of TCM, there are 262144", "give smaller tiles, or more tcm-bytes"),
    "second: H=8\nsecond: W=8": ("has tiles from own.tiles:1 already", "leave one of them out"),
    "second": ("'second' names no node and tiles", "write lines such as 'conv1: H=16 D=64'"),
    "second: X=8": ("'second: X=8' names no node and tiles", "write lines such as"),
    "second: W=8, in step": ("'second' is in step with an op", "leave 'in step' out"),
    f"second: H={'9' * 5000}": ("names no node and tiles", "write lines such as"),
    f"second ConvLayer_valid#{'9' * 5000}: H=8": ("no op comes from a node", "--explain-tiles"),
    "{": ("own.tiles:1:2: is not JSON", "write lines such as"),
    '{"main": ' + "[" * 100_000: ("own.tiles: has nesting or numbers", "write lines such as"),
    '{"main": [1]}': ("own.tiles: is no tile plan in JSON", "write lines such as"),
    one_op(0, '{"HW": 8}'): ("own.tiles: is no tile plan in JSON", "write"),
    one_op(0, '{"H": Infinity}'): ("own.tiles: is no tile plan in JSON", "write"),
    one_op(-2, "{}"): ("node 'second' has 1 ConvLayer_valid, not -2", "give 1 to 1"),
    '{"main": null}': ("'main' is planned without tiles", "give tiling=false instead"),
}


@pytest.mark.parametrize("text", FAULTS, ids=[text[:30] for text in FAULTS])
def test_a_plan_that_cannot_be_is_refused_in_two_lines(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.tiles").write_text(text)
    with pytest.raises(HtpError) as caught:
        planned("own.tiles")
    first, remedy = str(caught.value).splitlines()
    assert FAULTS[text][0] in first
    assert FAULTS[text][1] in remedy


def test_a_json_plan_of_another_model_names_its_segment(
    own: tuple[ModuleOp, PlanTable], tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(table_json({"main": own[1]}).replace('"tanh"', '"gelu"'))
    with pytest.raises(HtpError, match=r"plan\.json: segment \d+: no op comes from a node 'gelu'"):
        planned(path)


def test_a_file_that_is_missing_and_one_without_tiling_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match=r"none\.tiles: No such file"):
        planned("none.tiles")
    with pytest.raises(HtpError, match="tiles are of no use without tiling"):
        lower(model().module, tiles="none.tiles", tiling=False)
