"""Kernel selection: classes first, then cost, then the order of declaration."""

from typing import TypeVar

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, FLAT_TCM, TensorSpec
from htp_mlir.runtime.kernel.declare import KernelSet
from htp_mlir.runtime.kernel.kernel import BoundCall, Cost, Flag
from htp_mlir.runtime.kernel.library import KernelRegistry
from htp_mlir.runtime.tensors.tensor_classes import (
    Int32Tensor,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    QuantInt8Tensor,
    QuantUint8Tensor,
    constant_tensor,
    new_tensor,
)
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

F32 = TensorSpec((1, 2, 2, 2), DType.Float32)
IN_TCM = F32.with_place(FLAT_TCM)
CROUTON = F32.with_place(CROUTON_TCM)
Flat = TypeVar("Flat", PlainFloatTensor, PlainFloatTensor_TCM)
Other = TypeVar("Other", PlainFloatTensor, PlainFloatTensor_TCM)

BYTES = (DType.QUInt8, DType.QInt8)
SHAPE = (1, 1, 1, 4)
SET = KernelSet()
kernel = SET.kernel


@kernel("Add")
def add_any(out: Tensor, a: Tensor, b: Tensor) -> None:
    out.store(np.add(a.load(), b.load()))


@kernel("Add", cost=Cost.SNAIL)
def add_float(out: Flat, a: Flat, b: Flat) -> None:
    np.add(a.array, b.array, out=out.array)


@kernel("Add", cost=Cost.SNAIL)
def add_again(out: PlainFloatTensor, a: PlainFloatTensor, b: PlainFloatTensor) -> None:
    np.add(a.array, b.array, out=out.array)


@kernel("Neg", cost=Cost.FAST)
def neg_bound(out: Flat, a: Other) -> BoundCall:
    scratch = np.empty_like(a.array)

    def run() -> None:
        np.negative(a.array, out=scratch)
        np.copyto(out.array, scratch)

    return run


@kernel("Slice_shape")
def slice_any(out: Tensor, a: Tensor, start: ShapeParam, size: ShapeParam) -> None:
    region = tuple(slice(i, i + n) for i, n in zip(start.dims, size.dims, strict=True))
    out.store(a.load()[region])


@kernel("Concat")
def concat_any(out: Tensor, axis: Tensor, *parts: Tensor) -> None:
    out.store(np.concatenate([part.load() for part in parts], int(axis.load().item())))


REGISTRY = KernelRegistry([SET])


def chosen(op: str, out: TensorSpec, *operands: TensorSpec | ShapeParam) -> str:
    return REGISTRY.select(op, [out], operands).name


def test_the_cheapest_kernel_that_fits_wins() -> None:
    assert chosen("htp.Add", F32, F32, F32) == "add_float.PlainFloatTensor"
    assert chosen("htp.Add", IN_TCM, IN_TCM, IN_TCM) == "add_float.PlainFloatTensor_TCM"


def test_equal_costs_go_to_the_first_declared() -> None:
    names = [kernel.name for kernel in REGISTRY.kernels("htp.Add")]
    assert names.index("add_float.PlainFloatTensor") < names.index("add_again")
    assert chosen("htp.Add", F32, F32, F32) != "add_again"


def test_the_generic_kernel_takes_any_operand_and_gives_flat_ddr() -> None:
    assert chosen("htp.Add", F32, CROUTON, IN_TCM) == "add_any"
    assert chosen("htp.Add", F32.with_place(FLAT_DDR), CROUTON, F32) == "add_any"


def test_several_typevars_stand_for_all_combinations() -> None:
    assert len(REGISTRY.kernels("htp.Neg")) == 4
    assert chosen("htp.Neg", IN_TCM, F32) == "neg_bound.PlainFloatTensor_TCM.PlainFloatTensor"


def test_a_missing_kernel_lists_why_each_does_not_fit() -> None:
    with pytest.raises(HtpError) as caught:
        REGISTRY.select("htp.Add", [CROUTON], [F32, F32])
    text = str(caught.value)
    assert "4 errors:" in text
    assert "add_any does not fit: takes a flat tensor in ddr as 'out', " in text
    assert text.count("; write one for these classes") == 1
    why = "takes PlainFloatTensor as 'out', it is FloatCroutonTensor_TCM"
    assert f"add_again does not fit: {why}" in text


def test_an_unknown_op_and_a_wrong_count_are_errors() -> None:
    with pytest.raises(HtpError, match=r"htp.Nope: no kernel exists"):
        REGISTRY.select("htp.Nope", [F32], [])
    with pytest.raises(HtpError, match=r"takes 1 outputs and 1 operands, the op has 1 and 2"):
        REGISTRY.select("htp.Neg", [F32], [F32, F32])


def test_one_kernel_that_does_not_fit_is_told_with_one_that_would() -> None:
    dims = ShapeParam((0, 0, 0, 0))
    with pytest.raises(HtpError) as caught:
        REGISTRY.select("htp.Slice_shape", [CROUTON], [IN_TCM, dims, dims])
    assert caught.value.lines()[1:] == [
        "  write one for these classes",
        "    from htp_mlir.runtime import KernelSet, ShapeParam, Tensor",
        '    KERNELS = KernelSet("htp")',
        '    @KERNELS.kernel("Slice_shape")',
        "    def reference(out: FloatCroutonTensor_TCM, in0: PlainFloatTensor_TCM, "
        "in1: ShapeParam, in2: ShapeParam) -> None: out.store(...)",
    ]


def test_shapes_and_tensors_are_not_confused() -> None:
    dims = ShapeParam((0, 0, 0, 0))
    assert chosen("htp.Slice_shape", F32, F32, dims, dims) == "slice_any"
    with pytest.raises(HtpError, match=r"takes ShapeParam as 'size', it is PlainFloatTensor"):
        REGISTRY.select("htp.Slice_shape", [F32], [F32, dims, F32])


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_variadic_kernel_takes_any_number(count: int) -> None:
    axis = TensorSpec((1, 1, 1, 1), DType.Int32)
    assert chosen("htp.Concat", F32, axis, *[F32] * count) == "concat_any"


def test_a_variadic_kernel_wants_what_comes_before() -> None:
    with pytest.raises(HtpError, match=r"takes 1 outputs and 1 or more operands"):
        REGISTRY.select("htp.Concat", [F32], [])


def test_direct_and_binding_kernels_run_the_same_way() -> None:
    ones = np.ones(F32.shape, np.float32)
    out, operand = new_tensor(F32), constant_tensor(F32, ones)
    REGISTRY.select("htp.Add", [F32], [F32, F32]).bind([out], [operand, operand])()
    np.testing.assert_array_equal(out.array, 2 * ones)
    REGISTRY.select("htp.Neg", [F32], [F32]).bind([out], [operand])()
    np.testing.assert_array_equal(out.array, -ones)


def test_a_kernel_is_found_by_name_and_a_wrong_name_lists_them() -> None:
    assert REGISTRY.by_name("htp.Add", "add_any").cost is Cost.GLACIAL
    with pytest.raises(
        HtpError,
        match=r"has no kernel 'add_all'\n  did you mean 'add_any'\? known are add_any, add_float",
    ):
        REGISTRY.by_name("htp.Add", "add_all")


def test_a_cost_function_sees_the_tensors() -> None:
    kernels = KernelSet("Mine")
    kernels.kernel("Neg", cost=Cost.SNAIL, name="plain")(neg_bound)
    kernels.kernel("Neg", cost=lambda outs, _: float(outs[0].elements), name="sized")(neg_bound)
    registry = REGISTRY.extended([kernels])
    assert registry.select("Mine.Neg", [F32], [F32]).name.startswith("sized.")


def test_two_kernels_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"htp.Add has two kernels named add_any"):
        REGISTRY.extended([SET])


def test_a_kernel_that_takes_any_of_some_classes() -> None:
    kernels = KernelSet()

    @kernels.kernel("Neg")
    def neg(out: QuantUint8Tensor | QuantInt8Tensor, a: QuantUint8Tensor | Int32Tensor) -> None:
        """It is not run here."""

    (kernel,) = kernels
    u8, i8 = (TensorSpec(SHAPE, dtype, Quant((1.0,), (0,))) for dtype in BYTES)
    assert kernel.misfit([i8], [u8]) is None
    assert kernel.misfit([u8], [TensorSpec(SHAPE, DType.Int32)]) is None
    wrong = "takes QuantUint8Tensor or Int32Tensor as 'a', it is QuantInt8Tensor"
    assert kernel.misfit([u8], [i8]) == wrong


def test_the_generic_kernel_that_refuses() -> None:
    kernels = KernelSet()
    kernels.refuse("Slice_shape", "only croutons are cut", outputs=1)
    registry = KernelRegistry([kernels])
    x, size = TensorSpec(SHAPE, DType.Float32), ShapeParam((1, 1, 1, 1))
    kernel = registry.select("htp.Slice_shape", [x], [x, size, size])
    assert Flag.INHIBIT_CONST_PROP in kernel.flags
    tensor = new_tensor(x)
    with pytest.raises(HtpError) as caught:
        kernel.bind([tensor], [tensor, size, size])
    (fault,) = caught.value.faults
    assert fault.where == "htp.Slice_shape"
    assert fault.problem == (
        "its generic kernel refuses on purpose: only croutons are cut; it met "
        "PlainFloatTensor, ShapeParam, ShapeParam for a result of PlainFloatTensor"
    )


def test_a_kernel_that_fits_goes_before_one_that_refuses() -> None:
    kernels = KernelSet()
    kernels.refuse("Neg", "there are faster ones")

    @kernels.kernel("Neg", cost=Cost.SNAIL)
    def neg(out: QuantUint8Tensor, a: QuantUint8Tensor) -> None:
        """It is not run here."""

    registry = KernelRegistry([kernels])
    u8, i8 = (TensorSpec(SHAPE, dtype, Quant((1.0,), (0,))) for dtype in BYTES)
    assert registry.select("htp.Neg", [u8], [u8]).name == "neg"
    assert registry.select("htp.Neg", [i8], [i8]).name == "refuse"


Loose = TypeVar("Loose")


def test_what_is_no_kernel_is_told_at_its_declaration() -> None:
    kernels = KernelSet("P")

    def unknown(out: Tensor, a: Tensor) -> None: ...

    unknown.__annotations__["a"] = "Nowhere"

    def loose(out: Tensor, a: Tensor, *, work: Loose) -> None: ...

    def backwards(a: Tensor, out: Tensor) -> None: ...

    for function, message in (
        (unknown, "P.X, kernel unknown: its annotations do not resolve: name 'Nowhere'"),
        (loose, "P.X, kernel loose: TypeVar Loose names no tensor classes"),
        (backwards, "P.X, kernel backwards: its first parameter is 'a', no result"),
    ):
        with pytest.raises(HtpError, match=message):
            kernels.kernel("X")(function)
    assert not list(kernels)
