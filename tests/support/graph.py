"""Graph-level models for tests, written in Python: inputs with their values, ops, outputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build, const
from htp_mlir.dialects.qti_aisw.base import Operand
from htp_mlir.dialects.qti_aisw.choices import (
    BufferMode,
    BufferModeAttr,
    Direction,
    DirectionAttr,
    MaskMode,
    MaskModeAttr,
)
from htp_mlir.dialects.spec_of import Array, element_type, spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.importers.graph.value import attribute_of
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

Draw = Callable[[np.random.Generator], Array]
Param = bool | int | float | Sequence[int] | BufferMode | MaskMode | Direction | Quant | DType

F32 = DType.Float32
F16 = DType.Float16
I32 = DType.Int32
BOOL = DType.Bool8


def u8(scale: float = 0.05, zero: int = 128) -> tuple[DType, Quant]:
    """The element type of quantised u8."""
    return DType.QUInt8, Quant((scale,), (zero,))


Element = DType | tuple[DType, Quant]


@dataclass(frozen=True)
class Model:
    """A graph module and what draws its inputs."""

    module: ModuleOp
    draws: dict[str, Draw]

    def feeds(self, seed: int) -> dict[str, Array]:
        """One inference's inputs."""
        generator = np.random.default_rng(seed)
        return {name: draw(generator) for name, draw in self.draws.items()}


class Graph:
    """Collects graph ops; `model()` closes the function over the outputs that were named."""

    def __init__(self) -> None:
        self.block = Block()
        self.draws: dict[str, Draw] = {}
        self.outputs: dict[str, SSAValue] = {}
        self._random = np.random.default_rng(3)

    def input(
        self,
        *dims: int,
        of: Element = F32,
        low: float = -2,
        high: float = 2,
        draw: Draw | None = None,
    ) -> SSAValue:
        """An argument; floats lie in [low, high), ints too, quantised ones take all values."""
        spec = spec_for(dims, of)
        name = f"x{len(self.draws)}"
        self.draws[name] = draw or (lambda generator: _drawn(generator, spec, low, high))
        return self.block.insert_arg(type_of(spec), len(self.block.args))

    def const(self, array: object, of: Element | None = None) -> SSAValue:
        """A constant; stored values where it is quantised."""
        values = np.asarray(array)
        element = of or {"f": F32, "i": I32, "b": BOOL}[values.dtype.kind]
        spec = spec_for(values.shape, element)
        return self._add(const(values.astype(spec.dtype.storage), spec))[0]

    def weights(self, *dims: int, of: Element = F32) -> SSAValue:
        """A constant of random values; f32 ones are about 0.3."""
        spec = spec_for(dims, of)
        data = _drawn(self._random, spec, -0.5, 0.5)
        return self._add(const(data, spec))[0]

    def op(
        self, name: str, *operands: Operand, out: Element | None = None, **params: Param
    ) -> SSAValue:
        """The first result of an op; absent operands are None, variadic ones a list."""
        return self.ops(name, *operands, out=out, **params)[0]

    def ops(
        self, name: str, *operands: Operand, out: Element | None = None, **params: Param
    ) -> Sequence[SSAValue]:
        """All results of an op; `out` gives the results another encoding."""
        properties = {key: _attribute(value) for key, value in params.items()}
        expected = len(GRAPH_OPS[name].get_irdl_definition().operands)
        op = build(GRAPH_OPS[name], [*operands, *[None] * (expected - len(operands))], properties)
        if out is not None:
            types = [type_of(spec_for(spec_of(result).shape, out)) for result in op.results]
            op = type(op).create(operands=op.operands, result_types=types, properties=op.properties)
        return self._add(op)

    def give(self, name: str, value: SSAValue) -> None:
        """Make a value an output."""
        self.outputs[name] = value

    def model(self) -> Model:
        """The verified model."""
        values = list(self.outputs.values())
        self.block.add_op(ReturnOp(*values))
        function = FuncOp(
            "main",
            ([argument.type for argument in self.block.args], [value.type for value in values]),
            Region(self.block),
            arg_attrs=_names(self.draws),
            res_attrs=_names(self.outputs),
        )
        module = ModuleOp([function])
        module.verify()
        return Model(module, self.draws)

    def _add(self, op: Operation) -> Sequence[SSAValue]:
        self.block.add_op(op)
        return op.results


def spec_for(dims: Sequence[int], of: Element) -> TensorSpec:
    """The spec of a shape and an element type."""
    dtype, quant = of if isinstance(of, tuple) else (of, None)
    return TensorSpec(tuple(dims), dtype, quant)


def _drawn(generator: np.random.Generator, spec: TensorSpec, low: float, high: float) -> Array:
    storage = spec.dtype.storage
    if spec.dtype.is_float:
        return generator.uniform(low, high, spec.shape).astype(storage)
    if spec.dtype is DType.Bool8:
        return generator.integers(0, 2, spec.shape).astype(storage)
    if spec.dtype.is_integer:
        return generator.integers(floor(low), ceil(high), spec.shape).astype(storage)
    info = np.iinfo(storage.str)
    return generator.integers(info.min, info.max, spec.shape, endpoint=True).astype(storage)


_CHOICES = {BufferMode: BufferModeAttr, MaskMode: MaskModeAttr, Direction: DirectionAttr}


def _attribute(value: Param) -> Attribute:
    match value:
        case BufferMode() | MaskMode() | Direction():
            return _CHOICES[type(value)](value)
        case (DType() as dtype, Quant() as quant):
            return element_type(dtype, quant)
        case _:
            return attribute_of(value)


def _names(names: object) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({"htp.name": StringAttr(name)}) for name in names])
