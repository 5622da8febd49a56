"""Cases for kernels of every element type: tensors as a dtype holds them, and the bounds of error.

A result is compared with the float meaning on the values that the operands stand for: within one
step of its encoding where it is quantised, within the rounding of f16 where it is that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import FLAT_DDR, Place, TensorSpec
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Cost, Kernel
from htp_mlir.runtime.kernels import NATIVE
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

from .harness import Operand, held, poisoned, run, selected

QUANTIZED = (DType.QUInt8, DType.QInt8, DType.QUInt16, DType.QInt16, DType.QInt32)
FLOATS = (DType.Float32, DType.Float16)
UNITS = 2e-6
REALS = (*FLOATS, *QUANTIZED)

_LIMITS = {dtype: np.iinfo(dtype.storage) for dtype in QUANTIZED}


def encoding(dtype: DType, low: float, high: float) -> Quant | None:
    """An encoding that covers low to high; None for a dtype that has none."""
    if not dtype.is_quantized:
        return None
    least, most = int(_LIMITS[dtype].min), int(_LIMITS[dtype].max)
    scale = float(np.float32((high - low) / (float(most) - least)))
    return Quant((scale,), (int(np.clip(round(least - low / scale), least, most)),))


def spec(shape: Sequence[int], dtype: DType, low: float, high: float, at: Place) -> TensorSpec:
    """A tensor of this dtype for values between low and high."""
    return TensorSpec(tuple(shape), dtype, encoding(dtype, low, high), at)


def tensor(values: Array, dtype: DType, at: Place = FLAT_DDR) -> Tensor:
    """A tensor that holds these values as well as its dtype can."""
    if dtype.is_integer:
        return held(values, at, TensorSpec(values.shape, dtype))
    low, high = float(values.min(initial=0)), float(values.max(initial=0))
    return held(values, at, spec(values.shape, dtype, low, max(high, low + 1e-3), at))


@dataclass(frozen=True)
class Case:
    """An op: arrays for its data (which take the dtype), its weights, biases and its params.

    data: they lie where the op is asked to work. weights: flat, in either memory. biases: flat, in
    main memory. fixed: params that keep their own dtype. `order` puts all operands in their places.
    """

    op: str
    data: tuple[Array, ...]
    shapes: tuple[tuple[int, ...], ...]
    weights: tuple[Array, ...] = ()
    biases: tuple[Array, ...] = ()
    fixed: tuple[Operand, ...] = ()
    order: tuple[int, ...] | None = None

    def operands(self, dtype: DType, at: Place, weights_at: Place) -> list[Operand]:
        """The operands of a kernel."""
        tensors: list[Operand] = [tensor(values, dtype, at) for values in self.data]
        tensors += [tensor(values, dtype, weights_at) for values in self.weights]
        tensors += [tensor(values, dtype) for values in self.biases]
        tensors += self.fixed
        return [tensors[i] for i in self.order] if self.order else tensors


def meaning(op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> list[Array]:
    """The f32 reference on the values that the operands stand for."""
    plain = [
        o if isinstance(o, ShapeParam) or o.spec.dtype is DType.Int32 else held(o.load())
        for o in operands
    ]
    specs = [TensorSpec(s.shape, DType.Float32, None, FLAT_DDR) for s in outputs]
    return run(NATIVE.kernels(f"htp.{op}")[0], [poisoned(s) for s in specs], plain)


def check(case: Case, dtype: DType, at: Place, weights_at: Place = FLAT_DDR) -> Kernel:
    """Run the kernel that the case gets; the kernel, to look at."""
    operands = case.operands(dtype, at, weights_at)
    bare = [TensorSpec(shape, DType.Float32, None, FLAT_DDR) for shape in case.shapes]
    expected = meaning(case.op, bare, operands)
    outputs = [
        spec(e.shape, dtype, min(0.0, float(e.min())), max(1e-3, float(e.max())), at)
        for e in expected
    ]
    kernel = selected(case.op, outputs, operands)
    results = run(kernel, [poisoned(s) for s in outputs], operands)
    for result, wanted, output in zip(results, expected, outputs, strict=True):
        within(result, wanted, output)
    return kernel


def within(result: Array, expected: Array, output: TensorSpec) -> None:
    """One step of an encoding, or of f16; besides, a few units of the largest number as f32 has.

    Only a 32-bit encoding has steps that are finer than these units.
    """
    wanted = np.asarray(expected, np.float64)
    relative = 2.0**-10 if output.dtype is DType.Float16 else 0.0
    step = output.quant.scale if output.quant is not None else 0.0
    slack = UNITS * float(np.abs(wanted).max(initial=0)) + step
    np.testing.assert_allclose(result, wanted, rtol=relative, atol=slack)


def is_concrete(kernel: Kernel) -> bool:
    """Whether a kernel is no reference: it names the class of every tensor."""
    slots = (*kernel.outputs, *kernel.inputs)
    return kernel.cost is not Cost.GLACIAL and all(slot.takes is not Tensor for slot in slots)
