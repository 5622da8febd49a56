"""Layouts of a function: no assignment converts less, and the realised IR converts just that."""

from collections.abc import Callable

import numpy as np
import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp, native
from htp_mlir.dialects.htp.ops.const import ConstOp, shape
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import CROUTON_DDR, FLAT_DDR
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.levels import bodies, mnemonic
from htp_mlir.lowering.passes.placement.assign_places import (
    assign_places,
    check_properties,
    realise_places,
)
from htp_mlir.lowering.passes.placement.choose_places import (
    conversion_bytes,
    least_conversion_bytes,
)
from htp_mlir.lowering.passes.placement.placement import OpConstraints, Placer
from htp_mlir.lowering.planner.placement.places import OPEN, TcmBudget
from htp_mlir.runtime.kernel.library import KernelRegistry, Library
from htp_mlir.runtime.kernels.moves.slices import KERNELS as SLICES
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....support.paths import SPOTTER_MODEL
from ..kit import HTP_ONLY, KERNELS, Model, assert_same, demands, real_placer, run

SHAPE = (1, 3, 5, 30)
FLAT, CROUTON = False, True
REGISTRY = KernelRegistry([KERNELS, SLICES])
LIBRARY = Library(REGISTRY, {}, {})
MOST = 12
ANY = ("Slice_shape",)
"""Ops that read any layout."""


def wishes(op: Operation) -> OpConstraints:
    """The kit's demands, and slices that take and make what the system likes."""
    if mnemonic(op) == "Slice_shape":
        return OpConstraints((OPEN,) * 3, (OPEN,))
    return demands(op)


BY = Placer(wishes, REGISTRY, TcmBudget(1 << 20, 1 << 22))


def slice_(model: Model, value: SSAValue) -> SSAValue:
    """All of a tensor once more, by an op that converts on its way."""
    bounds = [shape((0,) * 4), shape(SHAPE)]
    slice_op = native(
        NATIVE_OPS["Slice_shape"], [value, *(bound.out for bound in bounds)], model.spec
    )
    model.block.add_ops([*bounds, slice_op])
    return slice_op.results[0]


Plan = list[tuple[str, int, int]]
"""For each op its name and how far back its operands are; of an Add the second may be constant."""


def plans(*names: str) -> st.SearchStrategy[Plan]:
    """Up to 12 ops with open layouts among as many as these."""
    back = st.integers(1, 5)
    count = st.integers(0, MOST)
    open_ = st.tuples(st.sampled_from(("Add", "Slice")), back, st.integers(0, 5))
    fixed = st.tuples(st.sampled_from(names), back, st.just(1))
    return st.builds(
        lambda some, more, order: order.sample([*some, *more], len(some) + len(more)),
        count.flatmap(lambda n: st.lists(open_, min_size=n, max_size=n)),
        st.lists(fixed, max_size=8),
        st.randoms(use_true_random=False),
    )


def built(plan: Plan) -> ModuleOp:
    model = Model(*SHAPE)
    values = [model.x]
    for seed, (name, first, second) in enumerate(plan):
        a, b = (values[-min(back, len(values))] for back in (first, max(second, 1)))
        if name == "Slice":
            values.append(slice_(model, a))
        elif name == "Add":
            values.append(model.op("Add", a, b if second else model.const(seed)))
        else:
            values.append(model.op(name, a))
    return model.module(*values[-2:])


def realised(module: ModuleOp, by: Placer) -> ModuleOp:
    module = module.clone()
    assign_places(module, by)
    realise_places(module, by.budget)
    check_properties(module, by)
    return module


Column = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
"""Whether a tensor is in croutons, for every labelling."""
Bytes = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def brute_force(module: ModuleOp) -> int:
    """The least bytes over every label of every open tensor, counted from the op names alone."""
    ops = [op for block in bodies(module) for op in block.ops if isinstance(op, NativeOp)]
    open_ = [op for op in ops if mnemonic(op) in ("Add", "Slice_shape")]
    assert len(open_) <= MOST
    grid = (np.arange(1 << len(open_))[:, None] >> np.arange(len(open_)) & 1).astype(bool)
    labels = {op: np.full(len(grid), mnemonic(op) == "Relu") for op in ops}
    labels |= {op: grid[:, index] for index, op in enumerate(open_)}
    total = np.zeros(len(grid), np.int64)
    for op in ops:
        total += converted(op, labels)
    return int(total.min())


def converted(op: NativeOp, labels: dict[NativeOp, Column]) -> Bytes:
    """The bytes of an op's result in the layouts in which it is read but not made."""
    layouts = labels[op]
    readers = [use.operation for use in op.results[0].uses]
    wanted = [labels[r] for r in readers if isinstance(r, NativeOp) and mnemonic(r) not in ANY]
    if not wanted:
        return np.zeros(len(layouts), np.int64)
    crouton, flat = (
        np.any([column == label for column in wanted], axis=0) for label in (CROUTON, FLAT)
    )
    forms = [spec_of(op.results[0]).with_place(place).nbytes for place in (CROUTON_DDR, FLAT_DDR)]
    return (crouton & ~layouts) * forms[0] + (flat & layouts) * forms[1]


@pytest.mark.slow
@settings(max_examples=200)
@given(plans("Relu", "Neg"))
def test_every_random_graph_converts_as_little_as_can_be(plan: Plan) -> None:
    module = built(plan)
    least = least_conversion_bytes(module, BY)
    assert least == brute_force(module)
    assert conversion_bytes(realised(module, BY)) == least


@settings(max_examples=25)
@given(plans("Relu", "Neg"))
def test_the_numbers_stay(plan: Plan) -> None:
    module = built(plan)
    assert_same(run(module, library=LIBRARY), run(realised(module, BY), library=LIBRARY))


def test_the_choice_is_the_same_each_time() -> None:
    module = built([("Relu", 1, 1), ("Add", 1, 2), ("Neg", 1, 1), ("Add", 2, 1), ("Slice", 1, 1)])
    first, second = realised(module, BY), realised(module, BY)
    assert first.is_structurally_equivalent(second)


def residual(model: Model) -> SSAValue:
    """A flat input is added to croutons, whose sum is wanted in croutons, four times over."""
    value = model.x
    for _ in range(4):
        value = model.op("Add", model.x, model.op("Relu", value))
    return model.op("Relu", value)


def late(model: Model) -> SSAValue:
    """Flat and crouton tensors meet in sums that only croutons are made of."""
    flat = model.op("Neg", model.x)
    value = model.op("Add", flat, model.op("Relu", flat))
    return model.op("Relu", model.op("Add", model.op("Add", value, flat), model.op("Relu", value)))


def shared(model: Model) -> SSAValue:
    """A sum with many readers, most of which want it flat."""
    value = model.op("Add", model.op("Relu", model.x), model.x)
    readers = [model.op(name, value) for name in ("Neg", "Neg", "Relu")]
    return model.op("Add", model.op("Add", readers[0], readers[1]), readers[2])


@pytest.mark.parametrize(
    ("build", "op_by_op", "least"),
    [(residual, 39720, 7944), (late, 23832, 7944), (shared, 9744, 9744)],
)
def test_less_than_op_by_op(build: Callable[[Model], SSAValue], op_by_op: int, least: int) -> None:
    """`op_by_op` was measured with layouts that follow each op's first data operand."""
    model = Model(*SHAPE)
    module = model.module(build(model))
    assert conversion_bytes(realised(module, BY)) == brute_force(module) == least <= op_by_op


def test_a_real_model_converts_its_optimum() -> None:
    module = lower(load_module(SPOTTER_MODEL), level="native", tcm_bytes=1 << 20)
    by = real_placer(1 << 20, HTP_ONLY)
    least = least_conversion_bytes(module, by)
    assert conversion_bytes(realised(module, by)) == least == 2560


def test_constants_convert_for_nothing() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Neg", model.op("Add", model.const(1), model.const(2))))
    assert least_conversion_bytes(module, BY) == 0
    flat = Model(*SHAPE)
    relu = flat.op("Relu", flat.const(1))
    assert isinstance(relu.owner, NativeOp)
    assert isinstance(relu.owner.operands[0].owner, ConstOp)
    assert least_conversion_bytes(flat.module(relu), BY) == spec_of(relu).nbytes
