"""The pass of the whole path: its levels, its checks, and that it leaves the given module alone."""

from dataclasses import dataclass, replace

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import MatMulOp
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes import lower as lowering
from htp_mlir.lowering.passes.checks.check_level import Verifier, check_level
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.passes import run_passes
from htp_mlir.runtime.passes.notation import pipeline_text
from htp_mlir.runtime.tools.pipeline import passes_of
from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.passes import ModulePass

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model
from tests.support.roundtrip import to_text


def model() -> Model:
    graph = Graph()
    x = graph.input(1, 10, 9, 4)
    image = graph.op("Conv2d", x, graph.weights(3, 3, 4, 8), pad_amount=(1, 0, 1, 0))
    graph.give("y", graph.op("Softmax", graph.op("Relu", image)))
    return graph.model()


def test_each_level_is_reached_and_runs() -> None:
    source = model()
    inputs = source.feeds(0)
    expected = Session(source.module).run(inputs)
    for level in Level:
        lowered = lower(source.module, level=level.value)
        check_level(lowered, level)
        lowered.verify()
        assert_same(Session(lowered, check=True).run(inputs), expected)


def test_the_given_module_stays() -> None:
    module = model().module
    before = to_text(module)
    lower(module)
    with pytest.raises(HtpError):
        lower(module, tcm_bytes=0)
    assert to_text(module) == before


def test_lowering_is_deterministic() -> None:
    module = model().module
    texts = {to_text(lower(module.clone(), tcm_bytes=64 * 1024)) for _ in range(2)}
    assert len(texts) == 1


def test_the_soc_gives_the_size_of_the_tcm() -> None:
    module = model().module
    assert to_text(lower(module, soc="SM8350")) == to_text(lower(module, tcm_bytes=4 << 20))
    assert to_text(lower(module, soc="sm8350")) == to_text(lower(module, soc="SM8350"))


def test_every_pass_is_watched_in_order() -> None:
    seen: list[str] = []
    lower(model().module, watch=lambda step, module: seen.append(step.name))
    assert seen[:3] == ["htp-check-level", "qti-take-encodings", "cse"]
    assert seen[3:6] == ["qti-raise", "qti-take-encodings", "qti-fold-empty"]
    assert seen[6:9] == ["qti-narrow", "qti-reduce-ranks", "convert-qti-aisw-to-htp"]
    assert seen[-6:-3] == ["htp-schedule", "htp-refetch", "htp-allocate"]
    assert seen[-3:-1] == ["htp-prefetch", "htp-select-kernels"]
    assert seen[-1] == "htp-check-level"
    assert seen.index("htp-assign-places") < seen.index("htp-realise-places")
    assert seen.count("htp-rules") == 4


def product() -> Model:
    """Three matrices of 64 KiB."""
    graph = Graph()
    graph.give("y", graph.op("MatMul", graph.input(128, 128), graph.input(128, 128)))
    return graph.model()


def test_tiles_stay_where_they_move_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles for half of the TCM, of an op that does not fit whole."""
    tiles = lowering._tiles
    monkeypatch.setattr(
        lowering,
        "_tiles",
        lambda memory, **more: tiles(replace(memory, tcm_bytes=memory.tcm_bytes // 2), **more),
    )
    module, feeds = product().module, product().feeds(0)
    lowered = lower(module, tcm_bytes=128 << 10)
    whole = lower(module, tcm_bytes=128 << 10, tiling=False)
    products = [op for op in lowered.walk() if isinstance(op, MatMulOp)]
    assert len(products) > 1
    assert to_text(lowered) != to_text(whole)
    placed = lower(module, tcm_bytes=128 << 10, level="placed")
    assert sum(isinstance(op, MatMulOp) for op in placed.walk()) > 1
    assert_same(Session(lowered, check=True).run(feeds), Session(module).run(feeds))


def test_an_empty_function_and_a_constant_one() -> None:
    graph = Graph()
    graph.give("same", graph.input(2, 3))
    graph.give("constant", graph.weights(4))
    source = graph.model()
    inputs = source.feeds(0)
    lowered = lower(source.module)
    assert_same(Session(lowered).run(inputs), Session(source.module).run(inputs))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"soc": "SM1"}, "soc 'SM1'"),
        ({"level": "low"}, "level 'low'"),
        ({"tcm_bytes": 0}, "tcm-bytes is 0"),
        ({"tcm_bytes": -5}, "argument 'tcm_bytes' is -5"),
        ({"options": "nonsense"}, "'nonsense' is not name=value"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(HtpError) as error:
        lower(model().module, **options)
    assert message in error.value.lines()[0]
    assert len(error.value.lines()) == 2


@pytest.mark.parametrize("kib", [8192, 128])
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_lowering_goes_on_from_any_level(level: str, kib: int) -> None:
    """With 128 KiB the product is cut, at the native level already, where one plan is tried."""
    module = product().module
    half = lower(module, level=level, tcm_bytes=kib << 10)
    rest = lower(half, tcm_bytes=kib << 10)
    if (level, kib) == ("native", 128):
        feeds = product().feeds(0)
        assert_same(Session(rest, check=True).run(feeds), Session(module).run(feeds))
        return
    assert to_text(rest) == to_text(lower(module, tcm_bytes=kib << 10))


@pytest.mark.parametrize("kib", [8192, 128])
def test_the_pipeline_as_text_gives_the_same_module(kib: int) -> None:
    module, config = product().module, Lower(tcm_bytes=kib << 10)
    expected = to_text(lower(module, tcm_bytes=kib << 10))
    run_passes(installed().context(), module, passes_of(pipeline_text(config.steps(Level.GRAPH))))
    assert to_text(module) == expected


def test_no_level_goes_back() -> None:
    lowered = lower(model().module, level="placed")
    with pytest.raises(HtpError) as error:
        lower(lowered, level="native")
    assert error.value.lines() == [
        "module: is at the placed level, below level=native",
        "  ask htp-lower for level=placed or below",
    ]


@dataclass(frozen=True)
class Spoil(ModulePass):
    """A pass with a fault: it makes a Reshape to another number of elements."""

    name = "spoil"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if inner.name == "qti_aisw.Reshape":
                inner.properties["shape"] = DenseArrayBase.from_list(i64, [7])


def spoilt() -> ModuleOp:
    graph = Graph()
    graph.give("y", graph.op("Reshape", graph.input(2, 3), shape=(6,)))
    return graph.model().module


def test_what_a_pass_breaks_is_laid_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "steps", lambda settings, start: (Spoil(),))
    with pytest.raises(HtpError) as error:
        lower(spoilt())
    assert error.value.lines() == [
        "%1 = qti_aisw.Reshape: shape 7 has 7 elements, the input 6; pass 'spoil' left it so",
        "  this is a fault of the pass",
        "    %1 = qti_aisw.Reshape(%0) {shape = array<i64: 7>} : (tensor<2x3xf32>) "
        "-> tensor<6xf32>",
        "    ^^^^^^^^^^^^^^^^^^^^^",
    ]


def test_the_verifier_looks_again_at_what_changed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    module, verifier = spoilt(), Verifier()
    looked: list[str] = []
    (reshape,) = (op for op in module.walk() if op.name == "qti_aisw.Reshape")
    kind = type(reshape)
    verify = kind.verify_
    monkeypatch.setattr(kind, "verify_", lambda op: (looked.append(op.name), verify(op))[1])
    verifier.check(module, "first")
    verifier.check(module, "second")
    assert len(looked) == 1
    Spoil().apply(Context(), module)
    with pytest.raises(HtpError, match="third"):
        verifier.check(module, "third")
    assert len(looked) == 2
