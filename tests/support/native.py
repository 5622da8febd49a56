"""Operands of native ops for tests: values by their type text, params, shapes."""

from collections.abc import Sequence

import numpy as np
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp, inferred, native
from htp_mlir.dialects.htp.ops.const import const, shape
from htp_mlir.dialects.spec_of import spec_of_type
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.utils.test_value import create_ssa_value

from .roundtrip import context

U8 = "!quant.uniform<u8:f32, 0.05:128>"
U8_FINE = "!quant.uniform<u8:f32, 0.01:3>"
I32_BIAS = "!quant.uniform<i32:f32, 0.0025>"


def spec(text: str) -> TensorSpec:
    """The spec of `tensor<text>`."""
    return spec_of_type(Parser(context(), f"tensor<{text}>").parse_type())


def t(text: str) -> SSAValue:
    """A value of type `tensor<text>`."""
    return create_ssa_value(Parser(context(), f"tensor<{text}>").parse_type())


def i32(*numbers: int, dims: Sequence[int] | None = None) -> SSAValue:
    """An i32 param, [1, 1, 1, n] unless `dims` says otherwise."""
    dims = tuple(dims or (1, 1, 1, len(numbers)))
    return const(np.array(numbers, np.int32), TensorSpec(dims, DType.Int32)).out


def f32(number: float) -> SSAValue:
    """An f32 scalar param."""
    return const(np.array([number], np.float32), TensorSpec((1, 1, 1, 1), DType.Float32)).out


def dims(*numbers: int) -> SSAValue:
    """A value of type `!htp.shape`."""
    return shape(numbers).out


def infer(mnemonic: str, *operands: SSAValue) -> NativeOp:
    """A verified op whose results follow from its operands."""
    op = inferred(NATIVE_OPS[mnemonic], operands)
    op.verify()
    return op


def make(mnemonic: str, operands: Sequence[SSAValue], *results: str) -> NativeOp:
    """A verified op with results `tensor<text>`."""
    op = native(NATIVE_OPS[mnemonic], operands, *map(spec, results))
    op.verify()
    return op
