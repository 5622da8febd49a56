"""The pass over the rules: which groups run, what its options mean, and what it refuses."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.passes.graph.raise_ops import RunRules, graph_options
from htp_mlir.lowering.rules import EARLY, LT, OPTION_FLOAT, Op, rule, rules
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph


def module() -> ModuleOp:
    """An addition by its graph name and the clamp of a layer's result."""
    graph = NativeGraph()
    x = graph.input(1, 16, 16, 32)
    total = graph.op("ElementWiseAdd", x, graph.random(32), out=x)
    return graph.module(graph.op("ReluMinMax", total, graph.scalar(-1), graph.scalar(1)))


def after(**options: object) -> list[str]:
    """What runs after the pass."""
    rewritten = module()
    RunRules(**options).apply(Context(), rewritten)
    quiet = ("Reshape", "Const", "Shape")
    names = [op.name.removeprefix("htp.") for op in rewritten.walk() if op.name.startswith("htp.")]
    return [name for name in names if name not in quiet]


def used(names: list[str]) -> set[str]:
    return set(names)


def test_groups_run_from_first_to_last() -> None:
    raw = {"ElementWiseAdd", "ReluMinMax"}
    assert used(after(last="QNN-1")) == raw
    assert used(after(first="LATE")) == raw
    assert used(after(first="QNN", last="QNN")) >= {"Add", "Clamp"}
    assert "BiasAdd" in after(first="QNN", last="EARLY")
    assert "BiasAdd" not in after(first="QNN", last="QNN+9")


def test_priorities_are_names_or_numbers() -> None:
    assert after(first="0", last="1000") == after(first="BEGIN", last="QNN")


def test_tiles_follow_from_the_size_of_the_tcm() -> None:
    assert "Concat" not in after(tcm_bytes=8 << 20)
    assert "Concat" in after(tcm_bytes=1 << 16)


def test_options_are_read_by_name() -> None:
    asks = rules(rule(EARLY, Op("Neg", "X"), LT(OPTION_FLOAT("mine"), 3.0), "X"))
    text = "tile_height=16; relaxed_precision_flag=true;mine=2.5"
    options = graph_options(1 << 20, text, asks)
    values = options.values()
    assert values["tcm_size"] == 1 << 20
    assert (values["tile_height"], values["mine"]) == (16, 2.5)
    assert options.is_on("relaxed_precision_flag")
    off = graph_options(1 << 20, "relaxed_precision_flag=0", asks)
    assert not off.is_on("relaxed_precision_flag")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first": "NEVER"}, "priority 'NEVER'"),
        ({"first": "LATE", "last": "EARLY"}, "last=EARLY is before first=LATE"),
        ({"tcm_bytes": 0}, "tcm-bytes is 0"),
        ({"options": "tile_height"}, "'tile_height' is not name=value"),
        ({"options": "=3"}, "'=3' is not name=value"),
        ({"options": "tile_height="}, "'tile_height=' is not name=value"),
        ({"options": "tile_height=0"}, "tile_height"),
        ({"options": "tile_height=8.5"}, "graph option 'tile_height': is 8.5"),
        ({"options": "tcm_size_for_tiling=-1"}, "'tcm_size_for_tiling': is -1"),
        ({"options": "mine=inf"}, "'mine=inf' is not finite"),
        ({"options": "mine=nan"}, "'mine=nan' is not finite"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(HtpError) as error:
        after(**options)
    assert message in error.value.lines()[0]
    assert len(error.value.lines()) == 2
