"""Exports of small functions: raised where an op is there for them, with the same numbers."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import load_onnx
from htp_mlir.lowering.quantization.calibrate import calibrate
from htp_mlir.lowering.quantization.quantize import quantize
from htp_mlir.runtime import Session

from tests.support.feeds import feeds
from tests.support.paths import ROOT

from .__main__ import MARK
from .count import MODELS, Spelling, ops, page, raised, spelling

PAGE = ROOT / "docs" / "benchmarks" / "raising.md"
EXPORTS = ROOT / "tests" / "models" / "onnx"
ERROR = {"f4": 2e-6, "f2": 2e-3}
"""Largest error relative to the output's scale: some units in the last place of f32, two of f16.

The sums of a norm go in another order, and an f16 norm rounds once, not after its cast and factor.
"""
STEPS = 2 / 128
"""Two steps of the grid of an output with both signs: what is one op is rounded once."""
POSITIVE = ("Adam",)
"""Ops whose inputs are not negative: means of squares, and numbers of steps."""


def op(path: Path) -> str:
    """The op that a model computes."""
    return path.name.partition(".")[0].partition("-")[0]


@pytest.mark.one_per("name")
@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(op(path), path, id=path.stem) for path in MODELS]
)
def test_every_level_gives_the_numbers_of_the_model(name: str, path: Path) -> None:
    module = load_onnx(path)
    session = Session(module)
    inputs = feeds(session)
    if name in POSITIVE:
        inputs = {key: np.abs(array) for key, array in inputs.items()}
    expected = session.run(inputs)
    for after in (raised(module.clone()), lower(module.clone())):
        after.verify()
        results = Session(after, check=True).run(inputs)
        for key, wanted in expected.items():
            assert wanted is not None
            # A query without keys: parts divide 0 by 0.
            numbers = ~np.isnan(wanted)
            assert numbers.any()
            scale = float(np.max(np.abs(wanted[numbers])))
            error = np.abs(np.asarray(results[key], np.float64) - wanted)[numbers]
            assert float(np.max(error)) <= ERROR[wanted.dtype.str[1:]] * scale


@pytest.mark.one_per("name")
@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(op(path), path, id=path.stem) for path in MODELS]
)
def test_quantised_models_are_raised_as_well(name: str, path: Path) -> None:
    module = load_onnx(path)
    inputs = feeds(Session(module))
    if name in POSITIVE:
        inputs = {key: np.abs(array) for key, array in inputs.items()}
    quantised = quantize(module, calibrate(module, [inputs]))
    expected = Session(quantised).run(inputs)
    results = Session(lower(quantised.clone()), check=True).run(inputs)
    for key, wanted in expected.items():
        assert wanted is not None
        numbers = ~np.isnan(wanted)
        computed, wanted = np.asarray(results[key])[numbers], wanted[numbers]
        scale = float(np.max(np.abs(wanted)))
        np.testing.assert_allclose(computed, wanted, rtol=0, atol=STEPS * scale)


@pytest.fixture(scope="module")
def spellings() -> list[Spelling]:
    """All spellings."""
    return [spelling(path) for path in MODELS]


@pytest.mark.slow
def test_no_spelling_has_more_ops_afterwards(spellings: list[Spelling]) -> None:
    assert all(each.after.total() <= each.before.total() for each in spellings)


BESIDE = {
    "Adam": {"ElementWiseAdd"},
    "Attention": {
        *("Reshape", "ElementWiseAdd", "ElementWiseDivide", "ElementWiseLess", "ElementWiseSelect"),
    },
    "Gru": {"Reshape"},
    "Lstm": {"Reshape"},
    "PagedAttention": {"Reshape", "ElementWiseLess", "ElementWiseSelect"},
    "RoutedExperts": {"FullyConnected"},
}
"""Ops that make a mask, scores or the next step's number, or give operands their rank."""


@pytest.mark.slow
def test_what_is_raised_is_one_op(spellings: list[Spelling]) -> None:
    raised_ones = [each for each in spellings if each.verdict == "raised"]
    assert len(raised_ones) > len(MODELS) / 2
    for each in raised_ones:
        assert each.after[each.op] == 1
        assert each.after.keys() - {each.op} <= BESIDE.get(each.op, set())


@pytest.mark.parametrize("name", ["language/bert", "language/gpt", "language/llama", "vision/vit"])
def test_both_exporters_models_have_the_same_attention(name: str) -> None:
    counts = [ops(raised(load_onnx(path))) for path in sorted(EXPORTS.glob(f"{name}.*.onnx"))]
    assert len(counts) == len(("dynamo", "torchscript"))
    assert len({each["Attention"] for each in counts}) == 1
    assert not any(each["Softmax"] for each in counts)
    assert all(each["Attention"] for each in counts)


@pytest.mark.slow
def test_the_page_has_the_table(spellings: list[Spelling]) -> None:
    _, _, table = PAGE.read_text(encoding="utf-8").partition(f"{MARK}\n")
    assert table == page(spellings), f"run: python -m tests.raising --save {PAGE.name}"
