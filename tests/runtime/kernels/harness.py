"""Kernels on poisoned memory: tensors with values, every kernel that fits, the reference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    Place,
    TensorSpec,
)
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Kernel
from htp_mlir.runtime.kernels import NATIVE
from htp_mlir.runtime.tensors.tensor_classes import tensor
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

PLACES = (FLAT_DDR, FLAT_TCM, CROUTON_DDR, CROUTON_TCM)
Operand = Tensor | ShapeParam


def poisoned(spec: TensorSpec) -> Tensor:
    """A tensor all of whose bytes are 0xFF, which is NaN in every float."""
    return tensor(spec, np.full(spec.nbytes, 0xFF, np.uint8))


def held(values: Array, place: Place = FLAT_DDR, spec: TensorSpec | None = None) -> Tensor:
    """A tensor with these values; the padding stays poisoned."""
    dtypes = {dtype.storage: dtype for dtype in reversed(DType) if not dtype.is_quantized}
    chosen = spec or TensorSpec(values.shape, dtypes[values.dtype])
    tensor = poisoned(chosen.with_place(place))
    tensor.store(values)
    return tensor


def scalar(value: float | int, dtype: type[np.generic] = np.float32) -> Tensor:
    """A param [1, 1, 1, 1]."""
    return held(np.full((1, 1, 1, 1), value, dtype))


def ints(*values: int, shape: tuple[int, ...] | None = None) -> Tensor:
    """An i32 param, [1, 1, 1, n] unless `shape` says otherwise."""
    return held(np.array(values, np.int32).reshape(shape or (1, 1, 1, len(values))))


def dims(*values: int) -> ShapeParam:
    """An operand of type !htp.shape."""
    return ShapeParam(values)


def run(kernel: Kernel, outputs: Sequence[Tensor], operands: Sequence[Operand]) -> list[Array]:
    """The values of the outputs after two runs of a kernel: the second must not see the first."""
    specs = kernel.scratch_specs([o.spec for o in outputs], [*map(described, operands)])
    call = kernel.bind(outputs, operands, [poisoned(spec) for spec in specs])
    with np.errstate(all="ignore"):
        call()
        first = [output.load().copy() for output in outputs]
        call()
    for before, output in zip(first, outputs, strict=True):
        np.testing.assert_array_equal(before, output.load())
    return first


def described(operand: Operand) -> TensorSpec | ShapeParam:
    """What selection sees of an operand."""
    return operand if isinstance(operand, ShapeParam) else operand.spec


def fitting(op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> list[Kernel]:
    """All kernels of an op that take these tensors."""
    seen = [described(operand) for operand in operands]
    return [k for k in NATIVE.kernels(f"htp.{op}") if k.misfit(outputs, seen) is None]


def selected(op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Kernel:
    """The kernel that the op would get."""
    return NATIVE.select(f"htp.{op}", outputs, [described(operand) for operand in operands])


def computed(op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> list[Array]:
    """The outputs of the selected kernel."""
    return run(selected(op, outputs, operands), [poisoned(spec) for spec in outputs], operands)


def flat(operand: Operand) -> Operand:
    """The same operand, flat in main memory."""
    if isinstance(operand, ShapeParam):
        return operand
    return held(operand.load(), FLAT_DDR, operand.spec)


def reference(op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> list[Array]:
    """The outputs of the op's first kernel, its reference, on flat tensors in main memory."""
    specs = [spec.with_place(FLAT_DDR) for spec in outputs]
    kernel = NATIVE.kernels(f"htp.{op}")[0]
    return run(kernel, [poisoned(spec) for spec in specs], [flat(o) for o in operands])


@dataclass(frozen=True)
class Outcome:
    """What one kernel made, beside what it should have made."""

    kernel: str
    results: list[Array]
    expected: list[Array]

    def check(self, tolerance: float) -> None:
        """Compare with an absolute tolerance for values about 1 and a relative one above."""
        for result, expected in zip(self.results, self.expected, strict=True):
            np.testing.assert_allclose(
                result, expected, rtol=tolerance, atol=tolerance, err_msg=self.kernel
            )


def outcomes(
    op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]
) -> Iterator[Outcome]:
    """Every kernel that fits against the reference; at least one must fit."""
    kernels = fitting(op, outputs, operands)
    assert kernels, f"no kernel of {op} fits"
    expected = reference(op, outputs, operands)
    for kernel in kernels:
        arrays = run(kernel, [poisoned(spec) for spec in outputs], operands)
        yield Outcome(kernel.name, arrays, expected)


def f32(shape: Sequence[int], place: Place = FLAT_DDR) -> TensorSpec:
    """The spec of an f32 tensor."""
    return TensorSpec(tuple(shape), DType.Float32, None, place)
