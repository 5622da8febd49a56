"""What the reference planner reads of lowered models, planned and replayed."""

from collections.abc import Callable
from importlib import import_module

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.traffic import least_traffic
from xdsl.dialects.builtin import ModuleOp

from ..benchmarks.reference.actions import actions
from ..benchmarks.reference.graph import Graph, Kind
from ..benchmarks.reference.reading import read_graph
from ..benchmarks.reference.replay import replay
from ..benchmarks.reference.search import best_plan
from ..benchmarks.reference.sizes import Rules
from ..support.paths import ROOT

KIB = 1 << 10
Model = Callable[[], ModuleOp]


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, Model]:
    """The benchmark's models in small, and one drawn of each family."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    drawn = import_module("models.drawn").drawn
    small = {name: model.small for name, model in import_module("models").MODELS.items()}
    return small | {f"drawn {seed}": lambda seed=seed: drawn(seed).module for seed in range(8)}


def _read(model: Model) -> tuple[Graph, int]:
    fused = lower(model(), tcm_bytes=1 << 40, level="native")
    return read_graph(fused), least_traffic(fused)


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("unet", {Kind.PRODUCT, Kind.POINTWISE}),
        ("mobilenet", {Kind.PRODUCT, Kind.POINTWISE, Kind.SUM}),
        ("encoder-128", {Kind.PRODUCT, Kind.POINTWISE}),
        ("lstm", {Kind.PRODUCT, Kind.RECURRENCE}),
        ("drawn 7", {Kind.PRODUCT, Kind.POINTWISE}),
    ],
)
def test_models_are_read_with_their_kinds_and_all_their_bytes(
    models: dict[str, Model], name: str, kinds: set[Kind]
) -> None:
    graph, least = _read(models[name])
    assert {node.kind for node in graph.nodes} == kinds
    assert graph.compulsory == pytest.approx(least, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kib"), [("drawn 3", 308), ("lstm", 2048), ("drawn 2", 256), ("drawn 5", 96)]
)
def test_plans_of_models_replay_to_the_byte(models: dict[str, Model], name: str, kib: int) -> None:
    graph, _ = _read(models[name])
    plan = best_plan(graph, kib * KIB, Rules())
    totals = replay(graph, actions(graph, plan, Rules()), kib * KIB, True)
    assert totals.bytes == plan.bytes >= graph.compulsory
