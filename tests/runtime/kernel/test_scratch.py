"""Scratch of one kernel: how it is declared, what it is, and what the checking mode finds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import FLAT_TCM, LayoutKind, Memory, TensorSpec
from htp_mlir.runtime import KernelSet, Session, parse_module
from htp_mlir.runtime.kernel.kernel import Operand, Sizes
from htp_mlir.runtime.kernel.library import KernelRegistry, Library
from htp_mlir.runtime.kernels import NATIVE
from htp_mlir.runtime.tensors.tensor_classes import (
    CLASSES,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    QuantInt32Tensor,
    QUint8CroutonTensor_TCM,
    tensor_class,
)
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

SPEC = TensorSpec((1, 1, 2, 3), DType.Float32)
F32 = TypeVar("F32", PlainFloatTensor, PlainFloatTensor_TCM)
ABS = """
func.func @main(%x: tensor<1x1x2x3xf32> {htp.name = "x"})
    -> (tensor<1x1x2x3xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %1 = htp.Abs(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %2 = htp.Abs(%1) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  func.return %3 : tensor<1x1x2x3xf32>
}
"""


def declared(function: Callable[..., None]) -> tuple[str, ...]:
    kernels = KernelSet()
    kernels.kernel("Abs", scratch=lambda outputs, operands: {})(function)
    return tuple(scratch.name for kernel in kernels for scratch in kernel.scratch)


def session(function: Callable[..., None]) -> Session:
    """A session in which the function is the only kernel of Abs, its scratch `own` a result."""
    kernels = KernelSet()
    kernels.kernel("Abs", scratch=lambda outputs, operands: {"own": outputs[0].shape})(function)
    library = Library(KernelRegistry([kernels]), {}, {})
    return Session(parse_module(ABS), check=True, library=library)


def result(function: Callable[..., None]) -> np.ndarray:
    x = np.arange(-3, 3, dtype=np.float32).reshape(1, 1, 2, 3)
    output = session(function).run({"x": x})["y"]
    assert output is not None
    return output


def test_keyword_only_parameters_are_scratch() -> None:
    def run(out: F32, in_: F32, *, first: F32, last: QUint8CroutonTensor_TCM) -> None: ...

    assert declared(run) == ("first", "last") * 2


def test_scratch_may_follow_any_number_of_operands() -> None:
    def run(out: Tensor, *parts: Tensor, own: PlainFloatTensor) -> None: ...

    kernels = KernelSet()
    kernels.kernel("Concat", scratch=lambda outputs, operands: {"own": (len(operands),)})(run)
    (kernel,) = kernels
    assert kernel.variadic
    assert [spec.shape for spec in kernel.scratch_specs([SPEC], [SPEC] * 3)] == [(1, 1, 1, 3)]
    assert kernel.misfit([SPEC], [SPEC] * 3) is None


def test_scratch_takes_its_type_from_its_class() -> None:
    def run(out: Tensor, *, first: QUint8CroutonTensor_TCM, last: QuantInt32Tensor) -> None: ...

    kernels = KernelSet()
    kernels.kernel("Make")(run)
    (kernel,) = kernels
    first, last = kernel.scratch_specs([SPEC], [])
    assert (first.shape, first.dtype, first.quant) == ((1,) * 4, DType.QUInt8, Quant((1.0,), (0,)))
    assert (first.layout, first.memory) == (LayoutKind.CROUTON, Memory.TCM)
    assert (last.quant, last.layout, last.memory) == (first.quant, LayoutKind.FLAT, Memory.DDR)


def test_every_concrete_class_can_be_scratch() -> None:
    for class_ in CLASSES.values():

        def run(out: Tensor, *, own: Tensor) -> None: ...

        run.__annotations__["own"] = class_
        kernels = KernelSet()
        kernels.kernel("Make")(run)
        (kernel,) = kernels
        assert [tensor_class(spec) for spec in kernel.scratch_specs([SPEC], [])] == [class_]


def test_scratch_of_no_concrete_class_is_refused() -> None:
    def generic(out: Tensor, *, own: Tensor) -> None: ...

    def number(out: Tensor, *, own: float = 1.0) -> None: ...

    def bare(out: Tensor) -> None: ...

    with pytest.raises(HtpError, match=r"htp\.Abs, kernel generic: scratch 'own' has the class Te"):
        declared(generic)
    with pytest.raises(HtpError, match="scratch 'own' has the class float"):
        declared(number)
    with pytest.raises(HtpError, match="kernel bare: sizes scratch and has none"):
        declared(bare)


def test_specs_reach_the_hook_without_offsets() -> None:
    seen: list[Operand] = []

    def run(
        out: PlainFloatTensor_TCM,
        in_: PlainFloatTensor_TCM,
        window: ShapeParam,
        *,
        own: PlainFloatTensor_TCM,
    ) -> None: ...

    def hook(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Sizes:
        seen.extend([*outputs, *operands])
        return {}

    kernels = KernelSet()
    kernels.kernel("Make", scratch=hook)(run)
    (kernel,) = kernels
    window = ShapeParam((1, 2, 2, 1))
    for offset in (None, 2048):
        spec = SPEC.with_place(replace(FLAT_TCM, offset=offset))
        kernel.scratch_specs([spec], [spec, window])
    assert seen == [SPEC.with_place(FLAT_TCM), SPEC.with_place(FLAT_TCM), window] * 2


def test_a_kernel_gets_its_scratch_bound_once() -> None:
    buffers: list[Tensor] = []

    def run(
        out: PlainFloatTensor, in_: PlainFloatTensor, *, own: PlainFloatTensor_TCM
    ) -> Callable[[], None]:
        buffers.append(own)

        def call() -> None:
            np.copyto(own.array, in_.array)
            np.abs(own.array, out=out.array)

        return call

    kernels = KernelSet()
    kernels.kernel("Abs", scratch=lambda outputs, operands: {"own": outputs[0].shape})(run)
    bound = Session(parse_module(ABS), library=Library(KernelRegistry([kernels]), {}, {}))
    x = np.array([[[[-1, 2, -3], [4, -5, 6]]]], np.float32)
    for _ in range(3):
        np.testing.assert_array_equal(bound.run({"x": x})["y"], np.abs(x))
    assert len(buffers) == 2
    assert all(isinstance(own, PlainFloatTensor_TCM) for own in buffers)


def test_results_that_depend_on_old_scratch_are_found() -> None:
    def sums(out: PlainFloatTensor, in_: PlainFloatTensor, *, own: PlainFloatTensor) -> None:
        own.array[..., 1:] = in_.array[..., 1:]
        np.abs(own.array, out=out.array)

    def counts(out: PlainFloatTensor, in_: PlainFloatTensor, *, own: PlainFloatTensor) -> None:
        np.abs(in_.array, out=out.array)
        out.array += own.array.view(np.uint32) > 0xC0000000

    for function in (sums, counts):
        message = r"htp\.Abs \(op 1\): result 0 depends on what its scratch holds"
        with pytest.raises(HtpError, match=message):
            result(function)


def test_unwritten_results_are_still_found() -> None:
    def half(out: PlainFloatTensor, in_: PlainFloatTensor, *, own: PlainFloatTensor_TCM) -> None:
        np.abs(in_.array, out=own.array)
        out.array[..., 1:] = own.array[..., 1:]

    with pytest.raises(HtpError, match="leaves elements of result 0 unwritten"):
        result(half)


def test_the_native_kernels_have_no_scratch() -> None:
    assert not NATIVE.has_scratch("htp.Abs")
