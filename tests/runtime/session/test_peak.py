"""Values go after their last reader: the memory of a run follows what is still to be read."""

import tracemalloc

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session, Tap
from htp_mlir.runtime.program.placing import (
    Interval,
    live_intervals,
    packed,
    peak_live,
    spare_bytes,
)
from htp_mlir.runtime.program.preparation import prepare
from htp_mlir.runtime.program.program import Allocation, Program, Region
from htp_mlir.runtime.tensors.memory import Workspace, aligned_bytes, fitting, working
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Graph

DIMS = (1, 128, 128, 64)


def chain(count: int) -> ModuleOp:
    """A model of element-wise ops one after the other, with reshapes in between."""
    graph = Graph()
    value = graph.input(*DIMS)
    for number in range(count):
        value = graph.op("Relu" if number % 2 else "ElementWiseNeg", value)
        value = graph.op("Reshape", value, shape=DIMS if number % 2 else (1, 16384, 64))
    graph.give("y", graph.op("ReduceSum", value, axes=(1, 2, 3)))
    return graph.model().module


def live(program: Program) -> int:
    """The largest sum of values that live at one step, in bytes."""
    regions = (Region.RUN, Region.DDR, Region.TCM)
    return peak_live([life for r in regions for life in live_intervals(program, r)], 1)


@pytest.mark.parametrize("level", ["graph", "native"])
def test_a_run_takes_little_more_than_the_values_that_live_at_one_step(level: str) -> None:
    module = chain(12) if level == "graph" else lower(chain(12), level="native")
    program = prepare(module)
    feeds = {"x0": np.ones(DIMS, np.float32)}
    tracemalloc.start()
    Session(program).run(feeds)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert live(program) <= most <= 1.3 * live(program)
    assert live(program) <= 3 * np.prod(DIMS) * 4


@pytest.mark.parametrize("level", ["graph", "native", "placed", "allocated"])
def test_values_that_are_gone_change_no_number(level: str) -> None:
    graph = Graph()
    x = graph.input(1, 8, 8, 8)
    first = graph.op("Relu", x)
    second = graph.op("ElementWiseAdd", first, graph.op("ElementWiseNeg", x))
    graph.give("first", graph.op("Reshape", first, shape=(8, 64)))
    graph.give("last", graph.op("ElementWiseMultiply", second, graph.op("Relu", second)))
    module = graph.model().module
    session = Session(module if level == "graph" else lower(module, level=level), check=True)
    for seed in range(3):
        value = np.random.default_rng(seed).standard_normal((1, 8, 8, 8)).astype(np.float32)
        outputs = session.run({"x0": value})
        relu = np.maximum(value, 0)
        np.testing.assert_array_equal(outputs["first"], relu.reshape(8, 64))
        total = relu - value
        np.testing.assert_allclose(outputs["last"], total * np.maximum(total, 0), rtol=1e-6)


def test_an_observer_sees_each_result_though_none_is_kept() -> None:
    tap = Tap()
    Session(chain(4), observers=[tap]).run({"x0": np.ones(DIMS, np.float32)})
    assert [values[0].max() for values in tap.values.values()] == [-1, 0, 0, 0, 0]


def test_kernels_work_in_the_same_memory() -> None:
    def session_bytes(count: int) -> int:
        graph = Graph()
        value = graph.input(1, 32, 32, 32)
        for _ in range(count):
            value = graph.op("Conv2d", value, graph.weights(3, 3, 32, 32), pad_amount=(1, 1, 1, 1))
        graph.give("y", value)
        program = prepare(lower(graph.model().module, level="native"))
        tracemalloc.start()
        session = Session(program)
        taken = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        del session
        return taken

    assert session_bytes(8) < 1.5 * session_bytes(2)


def test_a_session_copies_no_weights() -> None:
    graph = Graph()
    value = graph.input(64, 512)
    for _ in range(4):
        value = graph.op("FullyConnected", value, graph.weights(512, 512))
    graph.give("y", value)
    program = prepare(lower(graph.model().module, level="native"))
    tracemalloc.start()
    Session(program).run({"x0": np.ones((64, 512), np.float32)})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < np.float32(0).nbytes * 512 * 512


def test_a_transposed_convolution_copies_no_weights() -> None:
    graph = Graph()
    value = graph.input(1, 4, 4, 256)
    weights = graph.weights(2, 2, 256, 256)
    graph.give("y", graph.op("TransposeConv2d", value, weights, stride=(2, 2)))
    program = prepare(lower(graph.model().module, level="native"))
    tracemalloc.start()
    Session(program).run({"x0": np.ones((1, 4, 4, 256), np.float32)})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < np.float32(0).nbytes * 2 * 2 * 256 * 256 / 2


def test_a_step_keeps_its_call_and_not_the_tensors_that_it_was_bound_to() -> None:
    def most(pairs: int) -> int:
        graph = Graph()
        value = graph.input(1, 2, 2, 2)
        for _ in range(pairs):
            value = graph.op("ElementWiseNeg", graph.op("Relu", value))
        graph.give("y", value)
        program = prepare(lower(graph.model().module, level="native"))
        tracemalloc.start()
        Session(program)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    assert most(120) - most(20) < 650 * 200


def test_kernels_work_in_bytes_that_no_tensor_has() -> None:
    graph = Graph()
    value = graph.input(1, 32, 32, 16)
    for _ in range(3):
        other = graph.op("Conv2d", value, graph.weights(3, 3, 16, 16), pad_amount=(1, 1, 1, 1))
        value = graph.op("ElementWiseAdd", other, graph.op("Relu", value))
    graph.give("y", value)
    program = prepare(lower(graph.model().module, level="native"))
    lives = live_intervals(program, Region.DDR)
    spare = list(spare_bytes(program))
    assert any(run.stop > run.start for run in spare)
    for index, run in enumerate(spare):
        taken = np.zeros(program.ddr_bytes + 1, bool)
        for life in lives:
            if life.first <= index <= life.last:
                taken[life.allocation.offset : life.allocation.end] = True
        assert not taken[run].any()
        taken[-1] = True
        lengths = np.diff(np.flatnonzero(np.concatenate([[True], taken]))) - 1
        assert run.stop - run.start == max(lengths)


def test_lent_bytes_are_taken_from_an_aligned_one_on() -> None:
    workspace, lent = Workspace(), aligned_bytes(1024, 64)[5:]
    with workspace.step(lent):
        arrays = [working((n,), np.float32) for n in (10, 100, 500)]
    assert [array.ctypes.data % 64 for array in arrays] == [0, 0, 0]
    assert [np.shares_memory(array, lent) for array in arrays] == [True, True, False]
    assert not np.shares_memory(arrays[0], arrays[1])


def test_a_kernel_takes_the_parts_that_fit_lent_bytes_and_at_least_half() -> None:
    workspace = Workspace()
    for lent, parts in ((800, 8), (512, 5), (64, 4)):
        with workspace.step(aligned_bytes(lent, 64)):
            assert fitting(8, 100) == parts
    assert fitting(8, 100) == 8


def interval(first: int, length: int, nbytes: int) -> Interval:
    """A live interval of so many bytes."""
    spec = TensorSpec((nbytes,), DType.UInt8)
    return Interval(None, Allocation(spec, Region.DDR, 0, "x"), first, first + length)


DRAWN = st.lists(st.builds(interval, st.integers(0, 9), st.integers(0, 6), st.integers(0, 500)))


@given(DRAWN, st.sampled_from([1, 64]))
def test_tensors_that_live_together_are_packed_apart(lives: list[Interval], unit: int) -> None:
    offsets = packed(lives, unit)
    for index, (one, at) in enumerate(zip(lives, offsets, strict=True)):
        assert at % unit == 0
        for other, start in list(zip(lives, offsets, strict=True))[:index]:
            apart = at + one.nbytes <= start or start + other.nbytes <= at
            assert apart or one.last < other.first or other.last < one.first


def test_the_sizes_of_the_docstrings_example() -> None:
    lives = [interval(0, 1, 8), interval(1, 1, 4), interval(2, 1, 8)]
    assert peak_live(lives, 1) == 12
    assert packed(lives, 1) == [0, 8, 0]


def test_those_that_end_highest_are_placed_first_where_bytes_are_left_over() -> None:
    # In the order of bytes times steps they lie at 0, 1 and 2, and take 4.
    lives = [interval(0, 2, 1), interval(1, 2, 1), interval(3, 0, 2)]
    assert peak_live(lives, 1) == 3
    assert packed(lives, 1) == [0, 2, 0]
