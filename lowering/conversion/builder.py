"""Conversions of graph ops: their declaration, and the builder of native ops.

The builder appends native ops in order, and knows graph values as they became at rank 4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Protocol, TypeVar

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import Fault
from ...dialects.faults.op_faults import fault_at
from ...dialects.htp import NATIVE_OPS
from ...dialects.htp.base import NativeOp, native
from ...dialects.htp.ops.const import const, repeated, shape
from ...dialects.htp.ops.state import StateOp, state, state_read, state_write
from ...dialects.locations import NAME, location_of
from ...dialects.qti_aisw import CustomOp
from ...dialects.qti_aisw.base import GraphOp, ParamValue
from ...dialects.qti_aisw.ops.rnn import BufferOp, StatefulGruOp, StatefulLstmOp
from ...dialects.registrar import Registrar
from ...dialects.spec_of import Array, spec_of, text
from ...dialects.value import RANK, DType, Quant, Shape, TensorSpec
from ..rules.graph.graph import GRAPH, param_array
from ..rules.graph.param_order import ParamOrder

Built = TypeVar("Built", bound=Operation)


class Declared(Protocol):
    """Native ops by IR name (`Pkg.Op`), and how each takes its params."""

    @property
    def ops(self) -> Mapping[str, type[NativeOp]]:
        """Every op."""

    @property
    def param_orders(self) -> Mapping[str, ParamOrder]:
        """The param order of each op that declares one."""

    def axis_params(self, op: str) -> Collection[str]:
        """Return the params of an op that are axes."""

    def in_cpp(self, op: str) -> bool:
        """Tell whether an op belongs to a package that is written in C++."""


def rank4(spec: TensorSpec) -> TensorSpec:
    """Return the spec back-filled on the left with 1 to rank 4.

    Leading dims of 1 fold away; any other rank above 4 is a ConversionFault.
    """
    dims = spec.shape
    while len(dims) > RANK and dims[0] == 1:
        dims = dims[1:]
    if len(dims) > RANK:
        problem = f"shape {text(spec.shape)} has rank {spec.rank}"
        problem += f", native tensors have rank {RANK}"
        raise ConversionFault(problem, "reshape to rank 4 in the model")
    axis = None
    if spec.quant and spec.quant.axis is not None:
        axis = spec.quant.axis + RANK - spec.rank
    return _with_axis(spec.with_shape((1,) * (RANK - len(dims)) + dims), axis)


def native_spec(spec: TensorSpec) -> TensorSpec:
    """Return the spec that a value of any rank has at rank 4: leading dims merge into the first.

    A ConversionFault where a quantisation goes along one of several that merge.
    """
    dims = _merged(spec.shape)
    axis = spec.quant.axis if spec.quant else None
    if axis is None:
        return spec.with_shape(dims)
    moved = max(axis + RANK - spec.rank, 0)
    if dims[moved] != spec.shape[axis]:
        problem = f"shape {text(spec.shape)} is quantised along dim {axis}"
        problem += f", which merges with others to reach rank {RANK}"
        raise ConversionFault(problem, "quantise it per tensor")
    return _with_axis(spec.with_shape(dims), moved)


def _merged(shape: Shape) -> Shape:
    last = ((1,) * (RANK - 1) + shape)[1 - RANK :]
    return (prod(shape[: 1 - RANK]), *last)


class ConversionFault(Exception):
    """A reason why one graph op has no native form, with a remedy; the pass collects them all."""

    def __init__(
        self, problem: str, remedy: str = "express it in other ops, or convert it in an op package"
    ) -> None:
        super().__init__(problem)
        self.remedy = remedy

    def fault(self, op: Operation) -> Fault:
        """Return the fault with the op's place."""
        return fault_at(op, str(self), self.remedy)


class Builder:
    """Collects the native ops of one function and its states; `prefix` begins their symbols.

    `declared` is what the packages in use declare of native ops.
    """

    def __init__(self, prefix: str, declared: Declared) -> None:
        self.declared = declared
        self.ops: list[Operation] = []
        self.states: list[StateOp] = []
        self._prefix = prefix
        self._stateful: dict[GraphOp, int] = {}
        self._values: dict[SSAValue, SSAValue] = {}
        self._source: Operation | None = None

    def start(self, op: Operation) -> None:
        """Name the graph op whose conversion follows."""
        self._source = op

    def add(self, op: Built) -> Built:
        """Append an op; it takes its location and name from the graph op at hand."""
        if self._source is not None:
            op.location = location_of(self._source)
            if NAME in self._source.attributes:
                op.attributes[NAME] = self._source.attributes[NAME]
        self.ops.append(op)
        return op

    def op(self, name: str, operands: Sequence[SSAValue], result: TensorSpec) -> SSAValue:
        """Append `htp.name`, or `Package.Op`, of one result."""
        return self.multi(name, operands, result)[0]

    def multi(
        self, name: str, operands: Sequence[SSAValue], *results: TensorSpec
    ) -> Sequence[SSAValue]:
        """As `op`, of several results; ConversionFault where no package has the op."""
        op = NATIVE_OPS.get(name) or self.declared.ops.get(name)
        if op is None:
            raise ConversionFault(f"becomes {name}, which no package in use has", "name another op")
        return self.add(native(op, operands, *results)).results

    def const(self, array: Array, spec: TensorSpec) -> SSAValue:
        """Append a constant."""
        return self.add(const(array, spec)).results[0]

    def zeros(self, dims: Shape, dtype: DType = DType.Float32) -> SSAValue:
        """Append a constant of zeros."""
        return self.full(dims, 0, dtype)

    def full(self, dims: Shape, value: float, dtype: DType = DType.Float32) -> SSAValue:
        """Append a constant that holds one value everywhere."""
        return self.const(np.full(dims, value, dtype.storage), TensorSpec(dims, dtype))

    def param(self, name: str, value: ParamValue) -> SSAValue:
        """Append a param as a constant."""
        return self.const(*param_array(name, value))

    def shape(self, dims: Sequence[int]) -> SSAValue:
        """Append a shape."""
        return self.add(shape(dims)).results[0]

    def cast(self, value: SSAValue, dtype: DType) -> SSAValue:
        """Return the value in another dtype; nothing is appended where it has it already."""
        spec = spec_of(value)
        if spec.dtype is dtype:
            return value
        return self.op("Cast", [value], spec.with_dtype(dtype))

    def reshape(self, value: SSAValue, spec: TensorSpec) -> SSAValue:
        """Return the value with another shape; nothing is appended where it has it already.

        ConversionFault where the number of elements differs.
        """
        if spec_of(value).shape == spec.shape:
            return value
        if prod(spec.shape) != spec_of(value).elements:
            raise ConversionFault("a result's element count does not follow from its operands")
        return self.op("Reshape", [value], spec)

    def set(self, value: SSAValue, converted: SSAValue) -> None:
        """Record what a graph value became; it is brought to the value's own shape at rank 4."""
        self._values[value] = self.reshape(converted, native_spec(spec_of(value)))

    def recover(self, values: Sequence[SSAValue]) -> None:
        """Let constants, of one number each, replace what failed, so that later ops are seen."""
        for value in values:
            spec = spec_of(value)
            quant = Quant((1.0,), (0,)) if spec.dtype.is_quantized else None
            one = const(np.zeros(1, spec.dtype.storage), TensorSpec((1,), spec.dtype, quant))
            self._values[value] = self.add(repeated(one, _merged(spec.shape))).results[0]

    def discard(self) -> None:
        """Erase everything that was built: it was only a trial."""
        for op in reversed(self.ops):
            op.erase()

    def is_set(self, value: SSAValue) -> bool:
        """Tell whether a graph value is recorded as converted."""
        return value in self._values

    def get(self, value: SSAValue) -> SSAValue:
        """Return the native value of a graph value."""
        return self._values[value]

    def get_all(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Return the native values of some graph values."""
        return [self.get(value) for value in values]

    def reset_of(self, op: GraphOp) -> SSAValue:
        """Return the reset input of a stateful block op; an omitted one is a constant false."""
        reset: SSAValue | None = None
        if isinstance(op, BufferOp | StatefulGruOp | StatefulLstmOp):
            reset = op.reset
        return self.full((1, 1, 1, 1), 0, DType.Bool8) if reset is None else self.get(reset)

    def state(self, op: GraphOp, role: str, init: SSAValue, reset: SSAValue) -> State:
        """Declare a state of an op and append its read."""
        number = self._stateful.setdefault(op, len(self._stateful))
        kind = op.name.rpartition(".")[2]
        op_state = state(f"{self._prefix}{kind}{number}_{role}", spec_of(init))
        op_state.location = location_of(op)
        self.states.append(op_state)
        return State(op_state, self.add(state_read(op_state, init, reset)).out)

    def write(self, read: State, value: SSAValue) -> None:
        """Append the write that ends a state's step."""
        self.add(state_write(read.op, value))


@dataclass(frozen=True)
class State:
    """A state and the value read from it."""

    op: StateOp
    value: SSAValue


def _with_axis(spec: TensorSpec, axis: int | None) -> TensorSpec:
    if spec.quant is None or spec.quant.axis == axis:
        return spec
    return replace(spec, quant=replace(spec.quant, axis=axis))


Convert = Callable[[GraphOp, Builder], None]
"""Appends native ops to the builder and sets what the op's results became."""

CUSTOM = CustomOp.name
"""The graph op that represents ops of packages."""


@dataclass(frozen=True)
class Conversion:
    """A function that turns one graph op into native ops; `op` is the graph op's name in the IR.

    For an op of a package (`qti_aisw.Custom`) that is the op it represents: `Package.Op`.
    """

    op: str
    function: Convert

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class ConversionSet(Registrar[Conversion]):
    """The conversions of one module; the decorator is `ConversionSet().conversion`."""

    def conversion(self, *ops: str) -> Callable[[Convert], Convert]:
        """Declare a function as the conversion of graph ops: `Conv2d`, or `Package.Op`."""
        return self._declaring(lambda function: [Conversion(ir_name(op), function) for op in ops])


def function_label(function: Callable[..., object]) -> str:
    """Return a function's module and name: `linear.gemm`; of a closure, its maker's."""
    module = str(function.__module__).rpartition(".")[2]
    return f"{module}.{function.__qualname__.partition('.')[0]}"


def ir_name(op: str) -> str:
    """Return a graph op's name in the IR: `Conv2d` -> `qti_aisw.Conv2d`; `Package.Op` stays."""
    return op if "." in op else f"{GRAPH}.{op}"


def keys(op: GraphOp) -> tuple[str, ...]:
    """Return the names under which an op's conversion is looked for, the most special first."""
    return (op.target, op.name) if isinstance(op, CustomOp) else (op.name,)


def conversion_sketch(op: str) -> str:
    """Return the remedy for a graph op without a conversion: the three lines of one."""
    lines = (
        "give it one in an op package",
        f'  @CONVERSIONS.conversion("{op}")  # CONVERSIONS = ConversionSet()',
        "  def convert(op: GraphOp, builder: Builder) -> None: builder.set(op.results[0], ...)",
        '  PACKAGE = op_package("Name", conversions=[CONVERSIONS])',
    )
    return "\n".join(lines)
