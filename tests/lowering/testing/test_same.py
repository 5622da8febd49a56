"""Modules that give the same outputs, and those that do not."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.dialects.value.spec import LAYOUTS, TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.testing import assert_same, random_feeds, random_module, strategies
from htp_mlir.lowering.testing.api import TOLERANCE
from htp_mlir.lowering.testing.random_modules import STEPS
from htp_mlir.lowering.testing.same import compare_outputs
from htp_mlir.runtime import Session
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from ...support.graph import Graph

LEFT = BufferMode.NON_BLOCKING_LEFT


def _one(name: str, *dims: int) -> ModuleOp:
    graph = Graph()
    graph.give("y", graph.op(name, graph.input(*dims)))
    return graph.model().module


@pytest.mark.one_per
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_a_module_is_the_same_at_every_level(level: str) -> None:
    module = random_module(3)
    text = str(module)
    assert_same(module, lower(module, level=level))
    assert_same(lower(module), module)
    assert str(module) == text


def test_another_op_gives_other_numbers() -> None:
    with pytest.raises(AssertionError, match=r"run 1 of 3, seed 5: y: relative error .* at \[\d"):
        assert_same(_one("Relu", 2, 3), _one("Tanh", 2, 3), seed=5)


def test_a_wide_tolerance_lets_it_pass() -> None:
    assert_same(_one("Relu", 2, 3), _one("Tanh", 2, 3), tolerance=10)


def test_a_state_is_compared_in_later_runs() -> None:
    graph, plain = Graph(), Graph()
    window = graph.op("Buffer", graph.input(1, 4), buffer_size=2, buffer_dim=0, mode=LEFT)
    graph.give("y", graph.op("ReduceSum", window, axes=[0], keep_dims=True))
    plain.give("y", plain.op("ElementWiseNeg", plain.op("ElementWiseNeg", plain.input(1, 4))))
    before, after = graph.model().module, plain.model().module
    assert_same(before, after, runs=1)
    with pytest.raises(AssertionError, match="run 2 of 3"):
        assert_same(before, after)


def test_other_inputs_are_told() -> None:
    message = "input 'x0': tensor<2x3xf32> before, tensor<2x4xf32> after"
    with pytest.raises(AssertionError, match=message):
        assert_same(_one("Relu", 2, 3), _one("Relu", 2, 4))


def test_without_a_run_nothing_is_compared() -> None:
    with pytest.raises(ValueError, match="runs is 0"):
        assert_same(_one("Relu", 2), _one("Relu", 2), runs=0)


F32 = np.float32
APART = {
    "dtype": (np.zeros(2, F32), np.zeros(2, np.int32)),
    "shape": (np.zeros(2, F32), np.zeros(3, F32)),
    "NaN": (np.array([np.nan, 1], F32), np.array([1, 1], F32)),
    "infinity": (np.array([np.inf, 1], F32), np.array([-np.inf, 1], F32)),
    "number": (np.array([1, 1.001], F32), np.array([1, 1], F32)),
    "int": (np.array([1, 2]), np.array([1, 3])),
    "absent": (None, np.zeros(2, F32)),
}


@pytest.mark.parametrize("case", APART)
def test_outputs_that_differ(case: str) -> None:
    got, wanted = APART[case]
    with pytest.raises(AssertionError, match="y: "):
        compare_outputs({"y": got}, {"y": wanted}, TOLERANCE)
    with pytest.raises(AssertionError):
        compare_outputs({}, {"y": wanted}, TOLERANCE)


@pytest.mark.parametrize(
    "array",
    [np.array([np.nan, np.inf, 1], F32), np.zeros((0, 3), F32), np.array([True]), None],
    ids=["special", "empty", "truth", "absent"],
)
def test_an_output_is_like_itself(array: np.ndarray) -> None:
    compare_outputs({"y": array}, {"y": array}, TOLERANCE)


def test_a_seed_makes_a_module_and_its_feeds() -> None:
    assert str(random_module(1)) == str(random_module(1)) != str(random_module(2))
    module = random_module(1, shape=(2, 5))
    first, again, other = (random_feeds(module, seed)["x0"] for seed in (1, 1, 2))
    assert first.shape == (2, 5)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", STEPS)
def test_every_op_of_random_modules_runs(name: str) -> None:
    module = random_module(ops=[name], count=2)
    assert str(module).count(f"qti_aisw.{name}(") == 2
    results = Session(module, check=True).run(random_feeds(module))
    assert all(array is not None and np.isfinite(array).all() for array in results.values())


def test_an_unknown_op_is_refused() -> None:
    with pytest.raises(HtpError, match=r"Rellu: is no op of random modules\n  did you mean 'Relu'"):
        random_module(ops=["Rellu"])


@settings(max_examples=10)
@given(strategies.modules(max_ops=4))
def test_modules_of_the_strategy_are_the_same_when_lowered(module: ModuleOp) -> None:
    assert_same(module, lower(module, level="native"), runs=1)


@given(strategies.shapes(min_rank=2, max_rank=3, max_size=4), strategies.specs(), strategies.ops())
def test_shapes_specs_and_ops(shape: tuple[int, ...], spec: TensorSpec, op: str) -> None:
    assert 2 <= len(shape) <= 3
    assert all(1 <= size <= 4 for size in shape)
    assert spec.quant is None
    assert op in STEPS


@given(st.data())
def test_layouts_fit_the_size_of_elements(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([1, 2, 4, 8]))
    place = data.draw(strategies.places(size))
    assert (place.layout, size) in LAYOUTS
    assert place.offset is None


def test_no_layout_is_of_three_bytes() -> None:
    with pytest.raises(ValueError, match="no layout is of elements of 3 bytes"):
        strategies.layouts(3)
