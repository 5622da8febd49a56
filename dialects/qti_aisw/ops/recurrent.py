"""The base classes of LSTM and GRU, with state and without: operands, params and their rules.

Source: ONNX operator spec LSTM and GRU; QAIRT block op definitions StatefulLstm and StatefulGru.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    prop_def,
)

from ...checks import require
from ...value.kinds import Kind
from ...value.spec import Shape, TensorSpec
from ..base import GraphOp
from ..choices import Direction, DirectionAttr
from ..guards import has_shape, same_dtype, tensor
from ..params import int_def, opt_float_def


@dataclass(frozen=True)
class Extents:
    """The extents that all operands of a recurrent layer are made of."""

    seq: int
    batch: int
    inputs: int
    hidden: int
    directions: int
    gates: int


SHAPES: dict[str, tuple[str, Callable[[Extents], Shape]]] = {
    "W": ("(C3) ", lambda e: (e.directions, e.gates * e.hidden, e.inputs)),
    "R": ("(C4) ", lambda e: (e.directions, e.gates * e.hidden, e.hidden)),
    "B": ("(C5) ", lambda e: (e.directions, 2 * e.gates * e.hidden)),
    "sequence_lens": ("(C6) ", lambda e: (e.batch,)),
    "initial_h": ("(C7) ", lambda e: (e.directions, e.batch, e.hidden)),
    "initial_c": ("(C7) ", lambda e: (e.directions, e.batch, e.hidden)),
    "P": ("(C10) ", lambda e: (e.directions, 3 * e.hidden)),
}
"""The shape of each operand but X, and the constraint that says so."""


class Recurrent(GraphOp):
    """One layer over X[seq, batch, input]; absent operands represent zeros and full lengths.

    The leaves declare operands and results, because their order is part of an op's definition.
    """

    GATES: ClassVar[int]
    SWITCH: ClassVar[str]
    """The param that is 0 or 1."""
    FINALS: ClassVar[int] = 1
    """The number of results that hold a final state."""

    hidden_size = int_def()
    direction = prop_def(DirectionAttr, DirectionAttr(Direction.FORWARD))
    clip = opt_float_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "X", self.operands[0], Kind.REAL, rank=3, rule="(C1) ")
        self._check_params()
        seq, batch, inputs = data.shape
        count, hidden = self.direction.data.directions, self.hidden_size.value.data
        extents = Extents(seq, batch, inputs, hidden, count, self.GATES)
        for name, value in self.named_operands().items():
            if name in SHAPES:
                self._check_operand(name, value, data, extents)
        final = data.with_shape((count, batch, hidden))
        return (data.with_shape((seq, count, batch, hidden)), *(final,) * self.FINALS)

    def _check_operand(
        self, name: str, value: SSAValue, data: TensorSpec, extents: Extents
    ) -> None:
        rule, shape = SHAPES[name]
        kind = Kind.LENGTH if name == "sequence_lens" else Kind.REAL
        spec = tensor(self, name, value, kind, rule=rule)
        has_shape(self, name, spec, shape(extents), rule=rule)
        if kind is Kind.REAL and not (spec.dtype.is_quantized and data.dtype.is_quantized):
            same_dtype(self, name, spec, "X", data, rule=rule)

    def _check_params(self) -> None:
        hidden, params = self.hidden_size.value.data, self.params()
        require(hidden >= 1, self, f"(C2) param 'hidden_size' is {hidden}, it must be >= 1")
        clip = None if self.clip is None else self.clip.value.data
        require(clip is None or clip > 0, self, f"(C8) param 'clip' is {clip}, it must be > 0")
        switch = params[self.SWITCH]
        message = f"(C9) param '{self.SWITCH}' is {switch}, it must be 0 or 1"
        require(switch in (0, 1), self, message)


class LstmLike(Recurrent):
    """Gates in the order i, o, f, c; peepholes in the order i, o, f."""

    GATES: ClassVar[int] = 4
    SWITCH: ClassVar[str] = "input_forget"
    FINALS: ClassVar[int] = 2

    input_forget = int_def(0)


class GruLike(Recurrent):
    """Gates in the order z, r, h."""

    GATES: ClassVar[int] = 3
    SWITCH: ClassVar[str] = "linear_before_reset"

    linear_before_reset = int_def(0)
