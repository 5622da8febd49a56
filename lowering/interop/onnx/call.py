"""One graph op while it is written: its params, its operands as tensors, and nodes for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from xdsl.ir import Attribute, SSAValue

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.locations import called
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.params import ParamValue, param_value
from ....dialects.registrar import Registrar
from ....dialects.spec_of import dtype_of, spec_of
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ...conversion.registry import function_label
from ...importers.graph.moves import Perm, inverse
from .draft import ELEMENTS, ModelTensor

if TYPE_CHECKING:
    from .writer import Writer


@dataclass(frozen=True)
class Ordered:
    """A value of the IR as a tensor of the model with its dims in an order."""

    tensor: ModelTensor
    order: Perm

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, once its maker stated it."""
        spec = self.tensor.spec
        return () if spec is None else tuple(spec.shape[dim] for dim in self.order)


Printed = ModelTensor | Ordered | Sequence[ModelTensor | Ordered]


class PrintedOp:
    """An op to be written; a Transpose before its operands may stand behind its results instead."""

    def __init__(
        self,
        writer: Writer,
        op: GraphOp,
        properties: dict[str, Attribute],
        operands: Sequence[Ordered],
        place: int,
        after: Perm | None,
    ) -> None:
        self.writer, self.op, self.properties, self.place = writer, op, properties, place
        self.after = after
        self.operands = list(operands)
        self.by_name: dict[str, Ordered] = {}
        left = iter(self.operands)
        for name, _ in op.get_irdl_definition().operands:
            if isinstance(getattr(op, name), SSAValue):
                self.by_name[name] = next(left)
        self.specs = [self._moved(spec_of(result)) for result in op.results]

    def _moved(self, spec: TensorSpec) -> TensorSpec:
        return spec if self.after is None else spec.transposed(inverse(self.after))

    @property
    def opset(self) -> int:
        """The version of ONNX that the model states."""
        return self.writer.opset

    @property
    def spec(self) -> TensorSpec:
        """The spec of the first result."""
        return self.specs[0]

    def param(self, name: str) -> ParamValue:
        """Return a param."""
        return param_value(self.properties[name])

    def ints(self, name: str) -> tuple[int, ...]:
        """Return a list param."""
        value = self.param(name)
        assert isinstance(value, tuple)
        return value

    def whole(self, name: str) -> int:
        """Return a whole param, or a truth value as 0 or 1."""
        value = self.param(name)
        assert isinstance(value, int)
        return int(value)

    def number(self, name: str) -> float:
        """Return a float param."""
        value = self.param(name)
        assert isinstance(value, float)
        return value

    def element(self, name: str) -> DType:
        """Return an element type."""
        return dtype_of(self.properties[name])[0]

    def shape(self, operand: str | int = 0) -> tuple[int, ...]:
        """Return the shape of an operand in the order of the IR."""
        value = self._operand(operand)
        return () if value is None else value.shape

    def _operand(self, operand: str | int) -> Ordered | None:
        return self.operands[operand] if isinstance(operand, int) else self.by_name.get(operand)

    def stored(self, operand: str | int = 0, perm: Perm | None = None) -> ModelTensor:
        """Return an operand with its dims in an order, integers of a quantised one."""
        value = self._operand(operand)
        assert value is not None
        return self.writer.ordered(value, perm or tuple(range(len(value.order))))

    def real(self, operand: str | int = 0, perm: Perm | None = None) -> ModelTensor:
        """Return an operand with its dims in an order, the reals of a quantised one."""
        return self.writer.draft.real(self.stored(operand, perm))

    def optional(self, operand: str, perm: Perm | None = None) -> ModelTensor | None:
        """Return an operand that may be absent."""
        return self.real(operand, perm) if operand in self.by_name else None

    def const(self, value: ArrayLike, dtype: DType | None = None) -> ModelTensor:
        """Return a new constant."""
        array = np.asarray(value)
        array = array if dtype is None else array.astype(dtype.storage)
        return ModelTensor(f"{self.op.name.partition('.')[2].lower()}_constant", None, array)

    def like(self, number: float, operand: str | int = 0) -> ModelTensor:
        """Return a scalar of the type of an operand's reals."""
        value = self._operand(operand)
        spec = None if value is None else value.tensor.spec
        plain = spec is not None and spec.quant is None
        return self.const(number, spec.dtype if spec and plain else DType.Float32)

    def nodes(
        self, op: str, *inputs: ModelTensor | None, outputs: int = 1, **attributes: Any
    ) -> list[ModelTensor]:
        """Append a node of several outputs."""
        results = [ModelTensor(op.lower()) for _ in range(outputs)]
        kept = {name: value for name, value in attributes.items() if value is not None}
        self.writer.draft.add_new(op, inputs, results, self.place, **kept)
        return results

    def node(self, op: str, *inputs: ModelTensor | None, **attributes: Any) -> ModelTensor:
        """Append a node."""
        (result,) = self.nodes(op, *inputs, **attributes)
        return result

    def cast(self, tensor: ModelTensor, dtype: DType) -> ModelTensor:
        """Append a Cast."""
        return self.node("Cast", tensor, to=ELEMENTS[dtype])

    def reshaped(self, tensor: ModelTensor, shape: Sequence[int]) -> ModelTensor:
        """Append a Reshape."""
        return self.node(
            "Reshape",
            tensor,
            self.const(np.array(shape, np.int64)),
            allowzero=1 if 0 in shape else None,
        )

    def cut(self, tensor: ModelTensor, axis: int, start: int, end: int, step: int) -> ModelTensor:
        """Append a Slice along an axis."""
        bounds = (self.const(np.array([number])) for number in (start, end, axis, step))
        return self.node("Slice", tensor, *bounds)

    def results(self, printed: Printed, stored: bool) -> list[Ordered]:
        """Return the results, quantised where the op's are and what was printed is not."""
        every = [printed] if isinstance(printed, ModelTensor | Ordered) else [*printed]
        written = []
        for result, each, spec in zip(self.op.results, every, self.specs, strict=True):
            plain = self.after or tuple(range(spec.rank))
            value = each if isinstance(each, Ordered) else Ordered(each, plain)
            spec = spec_of(result).transposed(inverse(value.order))
            tensor = value.tensor
            if spec.quant is not None and not stored:
                tensor = ModelTensor(value.tensor.wanted)
                self.writer.draft.linear("QuantizeLinear", value.tensor, tensor, spec)
            tensor.spec = tensor.spec or spec
            tensor.wanted = result.name_hint or tensor.wanted
            written.append(Ordered(tensor, value.order))
        return written

    def refuse(self, problem: str, remedy: str) -> HtpError:
        """Return the error that the op cannot be written."""
        return HtpError(Fault(called(self.op), problem, remedy))


Print = Callable[[PrintedOp], Printed]


@dataclass(frozen=True)
class Printer:
    """The function that writes an op; `stored` where it gives a quantised result its integers."""

    op: str
    write: Print
    stored: bool

    @property
    def key(self) -> str:
        """The key in tables."""
        return f"qti_aisw.{self.op}"

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.write)


class PrinterSet(Registrar[Printer]):
    """The printers of one module; the decorator is `PrinterSet().op`."""

    def op(self, *ops: str, stored: bool = False) -> Callable[[Print], Print]:
        """Declare a function as that of graph ops by mnemonic."""
        return self._declaring(lambda function: [Printer(op, function, stored) for op in ops])
