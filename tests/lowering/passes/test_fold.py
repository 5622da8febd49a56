"""Constant propagation: values from kernels, flags respected, effects and signatures left alone."""

import gc
import tracemalloc

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp, inferred
from htp_mlir.dialects.htp.ops.const import ConstOp
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.packages import Packages, op_package
from htp_mlir.lowering.passes import fold
from htp_mlir.lowering.passes.checks.check_level import check_level
from htp_mlir.runtime import Session
from htp_mlir.runtime.kernel.declare import KernelSet
from htp_mlir.runtime.kernel.kernel import Cost, Flag
from htp_mlir.runtime.tensors.tensors import Tensor
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same, feeds
from tests.support.native_graph import NativeGraph


def folded(module: ModuleOp) -> list[str]:
    """Fold a module and check the numbers; the names of what is left to run."""
    before = Session(module)
    inputs = feeds(before)
    expected = before.run(inputs)
    fold.Fold().apply(Context(), module)
    module.verify()
    check_level(module, Level.NATIVE)
    assert_same(Session(module, check=True).run(inputs), expected)
    names = [op.name.removeprefix("htp.") for op in module.walk() if op.name.startswith("htp.")]
    return [name for name in names if name not in ("Reshape", "Const", "Shape")]


def test_a_chain_over_constants_becomes_one() -> None:
    graph = NativeGraph()
    x = graph.input(1, 2, 3, 4)
    chain = graph.op("Relu", graph.op("Neg", graph.random(1, 2, 3, 4)))
    assert folded(graph.module(graph.op("Add", x, chain))) == ["Add"]


def test_what_reads_an_input_stays() -> None:
    graph = NativeGraph()
    x = graph.input(1, 2, 3, 4)
    product = graph.op("Mul", x, graph.random(1, 1, 1, 4), out=x)
    assert folded(graph.module(graph.op("Neg", product))) == ["Mul", "Neg"]


def test_a_constant_result_keeps_its_reshape() -> None:
    graph = NativeGraph()
    graph.input(1, 1, 1, 1)
    module = graph.module(graph.op("Neg", graph.random(1, 2, 3, 4)))
    assert folded(module) == []


def test_constants_that_nothing_reads_take_no_memory() -> None:
    """A chain takes what two of its steps do, until the garbage collector runs, too."""
    graph = NativeGraph()
    x = graph.random(1, 1, 512, 512)
    for _ in range(20):
        x = graph.op("Neg", x)
    module = graph.module(x)
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        fold.Fold().apply(Context(), module)
        assert tracemalloc.get_traced_memory()[1] < 5 * 4 * 512 * 512
    finally:
        tracemalloc.stop()
        gc.enable()


@pytest.mark.parametrize(("most", "left"), [(16, []), (15, ["Mul"])])
def test_an_op_that_makes_too_much_runs_later(
    most: int, left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "MAX_FOLDED", most)
    graph = NativeGraph()
    graph.input(1, 1, 1, 1)
    row, column = graph.random(1, 1, 1, 4), graph.random(1, 1, 6, 1)
    product = graph.op("Mul", row, column, out=(1, 1, 6, 4))
    assert folded(graph.module(product)) == left


def test_shapes_are_constants_too() -> None:
    graph = NativeGraph()
    x = graph.input(1, 2, 2, 4)
    cut = graph.op(
        "Slice_shape",
        graph.random(1, 2, 5, 4),
        graph.shape(0, 0, 1, 0),
        graph.shape(1, 2, 2, 4),
        out=(1, 2, 2, 4),
    )
    assert folded(graph.module(graph.op("Add", x, cut))) == ["Add"]


def test_quantised_values_are_folded_as_stored() -> None:
    graph = NativeGraph()
    spec = TensorSpec((1, 1, 2, 3), DType.QUInt8, Quant((0.05,), (128,)))
    x = graph.input(spec=spec)
    wide = TensorSpec((1, 1, 2, 3), DType.QUInt8, Quant((0.1,), (100,)))
    stored = graph.const(np.array([[[[0, 1, 128], [129, 254, 255]]]]), spec)
    requantised = graph.op("Relu", stored, out=wide)
    assert folded(graph.module(graph.op("Add", x, requantised))) == ["Add"]


@pytest.mark.parametrize(("flags", "left"), [(Flag.INHIBIT_CONST_PROP, 1), (Flag(0), 0)])
def test_an_inhibited_kernel_is_left_to_the_run(flags: Flag, left: int) -> None:
    kernels = KernelSet()

    @kernels.kernel("Neg", cost=Cost.FREE, flags=flags)
    def negated(out: Tensor, in_: Tensor) -> None:
        out.store(-in_.load())

    packages = Packages().extended(op_package("Quick", kernels=[kernels]))
    graph = NativeGraph()
    x = graph.input(1, 1, 1, 4)
    module = graph.module(graph.op("Add", x, graph.op("Neg", graph.random(1, 1, 1, 4))))
    fold.Fold().apply(packages.context(), module)
    assert sum(op.name == "htp.Neg" for op in module.walk()) == left


def test_a_kernel_that_fails_on_constants_is_named() -> None:
    kernels = KernelSet()

    @kernels.kernel("Neg", cost=Cost.FREE)
    def broken(out: Tensor, in_: Tensor) -> None:
        raise RuntimeError("boo")

    packages = Packages().extended(op_package("Quick", kernels=[kernels]))
    graph = NativeGraph()
    x = graph.input(1, 1, 1, 4)
    module = graph.module(graph.op("Add", x, graph.op("Neg", graph.random(1, 1, 1, 4))))
    with pytest.raises(HtpError, match=r"htp\.Neg: kernel broken fails on constants: RuntimeErr"):
        fold.Fold().apply(packages.context(), module)


def test_a_value_that_an_op_refuses_is_named() -> None:
    graph = NativeGraph()
    graph.input(1, 1, 1, 1)
    axis, wrong = graph.ints(3), graph.ints(7)
    picked = graph.op("Gather", graph.random(1, 1, 1, 4), wrong, axis, out=(1, 1, 1, 1))
    module = graph.module(graph.op("Neg", picked))
    with pytest.raises(HtpError, match=r"Gather.*7"):
        fold.Fold().apply(Context(), module)


def test_extreme_values_fold_without_warnings() -> None:
    graph = NativeGraph()
    x = graph.input(1, 1, 1, 3)
    data = graph.const(np.array([0.0, -1.0, 3e38], np.float32))
    odd = graph.op("Log", graph.op("Mul", data, data))
    module = graph.module(graph.op("Add", x, odd))
    assert folded(module) == ["Add"]
    values = [op.array for op in module.walk() if isinstance(op, ConstOp)]
    assert any(np.isinf(array).any() for array in values)


class Answer(NativeOp):
    """Gives 42, from nothing."""

    name = "Quick.Answer"

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (TensorSpec((1, 1, 1, 4), DType.Float32),)


@pytest.mark.parametrize(("flags", "left"), [(Flag.IS_CONST, 0), (Flag(0), 1)])
def test_an_op_without_operands_is_a_constant_where_its_kernel_says_so(
    flags: Flag, left: int
) -> None:
    kernels = KernelSet("Quick")

    @kernels.kernel("Answer", flags=flags)
    def answer(out: Tensor) -> None:
        out.store(np.full(out.shape, 42, np.float32))

    packages = Packages().extended(op_package("Quick", ops=[Answer], kernels=[kernels]))
    graph = NativeGraph()
    x = graph.input(1, 1, 1, 4)
    answered = inferred(Answer, [])
    graph.block.add_op(answered)
    module = graph.module(graph.op("Add", x, answered.results[0]))
    fold.Fold().apply(packages.context(), module)
    assert sum(op.name == Answer.name for op in module.walk()) == left
    outputs = Session(module, library=packages.library).run({"x0": np.zeros((1, 1, 1, 4))})
    np.testing.assert_array_equal(outputs["y0"], np.full((1, 1, 1, 4), 42, np.float32))
