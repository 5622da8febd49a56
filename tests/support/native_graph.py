"""Native graphs for tests, written in Python: inputs, constants, ops, and the module of them."""

from collections.abc import Sequence

import numpy as np
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import native
from htp_mlir.dialects.htp.ops.const import const, shape
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.spec_of import Array, spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

Dims = Sequence[int]


class NativeGraph:
    """Collects native ops; `module(results)` closes the function."""

    def __init__(self) -> None:
        self.block = Block()
        self.names: list[str] = []

    def input(self, *dims: int, spec: TensorSpec | None = None) -> SSAValue:
        """An argument of f32 (or of a given spec), at rank 4."""
        wanted = spec or TensorSpec(tuple(dims), DType.Float32)
        self.names.append(f"x{len(self.names)}")
        argument = self.block.insert_arg(type_of(wanted), len(self.block.args))
        return self._add(native(ReshapeOp, [argument], wanted))

    def const(self, array: Array, spec: TensorSpec | None = None) -> SSAValue:
        """A constant of the array's own dtype, back-filled to rank 4, or of a given spec."""
        four = np.asarray(array).reshape((1,) * (4 - np.ndim(array)) + np.shape(array))
        dtype = {"f": DType.Float32, "i": DType.Int32, "u": DType.UInt8, "b": DType.Bool8}[
            four.dtype.kind
        ]
        return self._add(const(four, spec or TensorSpec(four.shape, dtype)))

    def random(self, *dims: int, seed: int = 7) -> SSAValue:
        """A constant of random f32 values of about 0.1, so that sums of hundreds stay about 1."""
        values = np.random.default_rng(seed).normal(0.0, 0.1, dims)
        return self.const(values.astype(np.float32))

    def ints(self, *values: int) -> SSAValue:
        """A param: ints in a row."""
        return self.const(np.array(values, np.int32))

    def scalar(self, value: float) -> SSAValue:
        """A param: one f32."""
        return self.const(np.array([value], np.float32))

    def shape(self, *dims: int) -> SSAValue:
        """A shape."""
        return self._add(shape(dims))

    def op(
        self, name: str, *operands: SSAValue, out: Dims | TensorSpec | SSAValue | None = None
    ) -> SSAValue:
        """A native op; its result is like the first operand, `out` gives another shape or spec."""
        like = spec_of(out if isinstance(out, SSAValue) else operands[0])
        if isinstance(out, TensorSpec):
            like = out
        elif out is not None and not isinstance(out, SSAValue):
            like = like.with_shape(tuple(out))
        return self._add(native(NATIVE_OPS[name], operands, like))

    def module(self, *results: SSAValue) -> ModuleOp:
        """The verified module whose `@main` gives these values."""
        outs = [self._add(native(ReshapeOp, [value], spec_of(value))) for value in results]
        self.block.add_op(ReturnOp(*outs))
        function = FuncOp(
            "main",
            ([arg.type for arg in self.block.args], [value.type for value in outs]),
            Region(self.block),
            arg_attrs=_names(self.names),
            res_attrs=_names([f"y{index}" for index in range(len(outs))]),
        )
        module = ModuleOp([function])
        module.verify()
        return module

    def _add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]


def _names(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({"htp.name": StringAttr(name)}) for name in names])
