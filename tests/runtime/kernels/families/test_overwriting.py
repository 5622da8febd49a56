"""Kernels of ops that may write their result onto an operand: the same numbers as beside it."""

import numpy as np
import pytest
from htp_mlir.dialects.htp import NATIVE_OPS, NativeOp
from htp_mlir.dialects.htp.fields import TensorConstraint
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.tensors.tensor_classes import tensor as tensor_over
from htp_mlir.runtime.tensors.tensors import Tensor

from ..dtypes import QUANTIZED, spec, tensor
from ..harness import fitting, held, poisoned, scalar

OPS = {name: op for name, op in NATIVE_OPS.items() if op.OVERWRITABLE}
DTYPES = (DType.Float32, DType.Float16, *QUANTIZED, DType.Int32, DType.Bool8)
SHAPE = (1, 9, 64, 65)
"""Odd, and more elements than kernels take at a time."""
RNG = np.random.default_rng(0)


def data(dtype: DType, at: Place) -> Tensor:
    values = RNG.uniform(-1, 1, SHAPE).astype(np.float32)
    match dtype:
        case DType.Bool8:
            return held(values > 0, at)
        case DType.Int32:
            return held((9 * values).astype(np.int32), at)
        case _:
            return tensor(values, dtype, at)


def takes(op: type[NativeOp], dtype: DType) -> bool:
    constraint = op.CONSTRAINTS.get(op.OVERWRITABLE[0])
    kind = constraint.kind if isinstance(constraint, TensorConstraint) else None
    return kind is None or kind.fault("operand", dtype) is None


def result_of(op: type[NativeOp], dtype: DType, at: Place) -> TensorSpec:
    """The spec of a result; a quantised one has another encoding than the operands."""
    only = op.RESULT_KINDS[0].only
    return TensorSpec(SHAPE, only, None, at) if only else spec(SHAPE, dtype, -2, 3, at)


@pytest.mark.parametrize("name", OPS)
def test_every_kernel_may_write_onto_an_operand(name: str) -> None:
    op, tried = OPS[name], 0
    for dtype in (dtype for dtype in DTYPES if takes(op, dtype)):
        for at in (FLAT_TCM, CROUTON_TCM):
            result = result_of(op, dtype, at)
            operands = [
                scalar(0.5) if operand in op.PARAMS else data(dtype, at) for operand in op.OPERANDS
            ]
            for kernel in fitting(name, [result], operands):
                beside = poisoned(result)
                for position in map(op.OPERANDS.index, op.OVERWRITABLE):
                    twin = tensor_over(operands[position].spec, operands[position].bytes.copy())
                    if twin.spec.nbytes != result.nbytes:
                        continue
                    onto = tensor_over(result, twin.bytes)
                    read = [*operands[:position], twin, *operands[position + 1 :]]
                    with np.errstate(all="ignore"):
                        kernel.bind([beside], operands)()
                        kernel.bind([onto], read)()
                    np.testing.assert_array_equal(onto.load(), beside.load(), kernel.name)
                    tried += 1
    assert tried
