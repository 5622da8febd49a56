"""Recurrent layers, without state and with it, and the block op Buffer.

Ops that keep state share its memory effect and the reset operand. Source: QNN op definitions Lstm
and Gru, ONNX operator spec LSTM and GRU; QAIRT block op definitions StatefulLstm, StatefulGru and
Buffer.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure

from ...spec_of import require, text
from ...value import Kind, Shape, TensorSpec
from ..base import GraphOp, int_def, opt_float_def
from ..choices import BufferMode, BufferModeAttr, Direction, DirectionAttr
from ..guards import has_shape, same_dtype, tensor


class KeepsState(MemoryEffect):
    """Reads and writes a state of its own: dead code elimination and CSE leave the op alone."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


def check_reset(op: GraphOp, reset: SSAValue | None, rule: str) -> None:
    """Check that an optional reset is one truth value: a scalar or a tensor of one element."""
    if reset is None:
        return
    spec = tensor(op, "reset", reset, Kind.BOOL, rule=rule)
    message = f"{rule}operand 'reset' has shape {text(spec.shape)}, it must hold one element"
    require(spec.elements == 1, op, message)


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


class LayerOperands(GraphOp):
    """The operands and results of any layer."""

    X = operand_def()
    W = operand_def()
    R = operand_def()
    B = opt_operand_def()
    sequence_lens = opt_operand_def()
    initial_h = opt_operand_def()

    Y = result_def()
    Y_h = result_def()


class CellOperands(GraphOp):
    """The further operands and results of a layer with cell states."""

    initial_c = opt_operand_def()
    P = opt_operand_def()

    Y_c = result_def()


class Recurrent(GraphOp):
    """One layer over X[seq, batch, input]; absent operands represent zeros and full lengths.

    Operands and results are those of the bases in front of it, in their order.
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


class LstmLike(LayerOperands, CellOperands, Recurrent):
    """Gates in the order i, o, f, c; peepholes in the order i, o, f."""

    GATES: ClassVar[int] = 4
    SWITCH: ClassVar[str] = "input_forget"
    FINALS: ClassVar[int] = 2

    input_forget = int_def(0)


class GruLike(LayerOperands, Recurrent):
    """Gates in the order z, r, h."""

    GATES: ClassVar[int] = 3
    SWITCH: ClassVar[str] = "linear_before_reset"

    linear_before_reset = int_def(0)


class Resettable(GraphOp):
    """The last operand of a layer that keeps its state."""

    reset = opt_operand_def()


@irdl_op_definition
class LstmOp(LstmLike):
    """One LSTM layer: X[seq, batch, input] -> Y[seq, dir, batch, hidden], Y_h and Y_c.

    dir is 2 for `bidirectional`, else 1. `clip` bounds every gate before its activation;
    `input_forget` 1 makes the forget gate 1 - the input gate.

    Constraints: (C1) X is real, of rank 3; (C2) hidden_size >= 1; (C3) W is
    [dir, 4 * hidden, input]; (C4) R is [dir, 4 * hidden, hidden]; (C5) B is [dir, 8 * hidden];
    (C6) sequence_lens is i32 [batch]; (C7) initial_h and initial_c are [dir, batch, hidden];
    (C8) clip > 0; (C9) input_forget is 0 or 1; (C10) P is [dir, 3 * hidden]. All is
    quantised, or floats of X's element type.

    Example: `%y, %h, %c = qti_aisw.Lstm(%x, %w, %r, initial_h = %s) {hidden_size = 8 : i64} :
    (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<1x2x8xf32>) ->
    (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)`
    """

    name = "qti_aisw.Lstm"

    traits = traits_def(Pure())


@irdl_op_definition
class GruOp(GruLike):
    """One GRU layer: X[seq, batch, input] -> Y[seq, dir, batch, hidden] and Y_h.

    dir is 2 for `bidirectional`, else 1. `clip` bounds every gate before its activation;
    `linear_before_reset` 1 applies the reset gate after the recurrent product and its bias.

    Constraints: (C1) X is real, of rank 3; (C2) hidden_size >= 1; (C3) W is
    [dir, 3 * hidden, input]; (C4) R is [dir, 3 * hidden, hidden]; (C5) B is [dir, 6 * hidden];
    (C6) sequence_lens is i32 [batch]; (C7) initial_h is [dir, batch, hidden]; (C8) clip > 0;
    (C9) linear_before_reset is 0 or 1. All is quantised, or floats of X's
    element type.

    Example: `%y, %h = qti_aisw.Gru(%x, %w, %r, B = %b) {clip = 2.0 : f32,
    direction = #qti_aisw.direction<reverse>, hidden_size = 8 : i64} :
    (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<1x48xf32>) ->
    (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)`
    """

    name = "qti_aisw.Gru"

    traits = traits_def(Pure())


@irdl_op_definition
class StatefulLstmOp(LstmLike, Resettable):
    """An LSTM layer that goes on from the final states of the last inference.

    Where `reset` is true, and at the first inference, it starts from initial_h and initial_c, or
    from zeros; else these two are ignored. An omitted reset is false. One reset serves the whole
    batch and all directions. Rows of Y past an element's length are 0, and its final state is that
    of its last valid step; with length 0 it keeps the state it had. `reverse` reads from the last
    valid row down to row 0.

    Constraints: (C1) X is real, of rank 3; (C2) hidden_size >= 1; (C3) W is
    [dir, 4 * hidden, input]; (C4) R is [dir, 4 * hidden, hidden]; (C5) B is [dir, 8 * hidden];
    (C6) sequence_lens is i32 [batch]; (C7) initial_h and initial_c are [dir, batch, hidden];
    (C8) clip > 0; (C9) input_forget is 0 or 1; (C10) P is [dir, 3 * hidden]; (C11) reset is one i1.
    All is quantised, or floats of X's
    element type.

    Example: `%y, %h, %c = qti_aisw.StatefulLstm(%x, %w, %r, reset = %s) {hidden_size = 8 : i64} :
    (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<i1>) ->
    (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)`
    """

    name = "qti_aisw.StatefulLstm"

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        check_reset(self, self.reset, "(C11) ")
        return super().infer()


@irdl_op_definition
class StatefulGruOp(GruLike, Resettable):
    """A GRU layer that goes on from the final state of the last inference.

    Where `reset` is true, and at the first inference, it starts from initial_h, or from zeros;
    else initial_h is ignored. An omitted reset is false. One reset serves the whole batch and all
    directions. Rows of Y past an element's length are 0, and its final state is that of its last
    valid step; with length 0 it keeps the state it had. `reverse` reads from the last valid row
    down to row 0.

    Constraints: (C1) X is real, of rank 3; (C2) hidden_size >= 1; (C3) W is
    [dir, 3 * hidden, input]; (C4) R is [dir, 3 * hidden, hidden]; (C5) B is [dir, 6 * hidden];
    (C6) sequence_lens is i32 [batch]; (C7) initial_h is [dir, batch, hidden]; (C8) clip > 0;
    (C9) linear_before_reset is 0 or 1; (C11) reset is one i1. All is quantised, or floats of X's
    element type.

    Example: `%y, %h = qti_aisw.StatefulGru(%x, %w, %r, initial_h = %i, reset = %s)
    {direction = #qti_aisw.direction<bidirectional>, hidden_size = 8 : i64} :
    (tensor<5x2x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>, tensor<2x2x8xf32>, tensor<1xi1>) ->
    (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)`
    """

    name = "qti_aisw.StatefulGru"

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        check_reset(self, self.reset, "(C11) ")
        return super().infer()


@irdl_op_definition
class BufferOp(GraphOp):
    """Gathers the rows of `inp` along `buffer_dim` across inferences, the newest last.

    One step: on reset, and at the first inference, the content becomes `buffer_padding` rows of
    zeros; if it is full, its oldest `stride` rows go; then the k rows of `inp` are appended, k
    being inp's extent along `buffer_dim`. All four params count rows. Until the buffer is full,
    BLOCKING stops all that depends on the result, NON_BLOCKING_LEFT fills it from the front and
    NON_BLOCKING_RIGHT, until it was full once, from the end; what is not filled is zero.

    Constraints: (C1) inp is f32, f16 or quantised u8 or u16; (C2) 0 <= buffer_dim < rank;
    (C3) buffer_size is a positive multiple of k; (C4) k <= stride <= buffer_size, a multiple of k;
    (C5) 0 <= buffer_padding <= buffer_size, a multiple of k; (C6) reset is one i1. The result has
    inp's element type and its shape, with buffer_size along buffer_dim.

    Example: `%y = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 1 : i64, buffer_size = 8 : i64,
    mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64} :
    (tensor<1x2x16xf32>, tensor<i1>) -> tensor<1x8x16xf32>`
    """

    name = "qti_aisw.Buffer"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    reset = opt_operand_def()

    buffer_size = int_def()
    buffer_dim = int_def()
    buffer_padding = int_def(0)
    stride = int_def(1)
    mode = prop_def(BufferModeAttr, BufferModeAttr(BufferMode.BLOCKING))

    out = result_def()

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.BLOCK_DATA, rule="(C1) ")
        dim, size = self.buffer_dim.value.data, self.buffer_size.value.data
        message = f"(C2) param 'buffer_dim' is {dim}, the input has rank {data.rank}"
        require(0 <= dim < data.rank, self, f"{message}; it must be from 0 to rank - 1")
        self._check_rows(data.shape[dim], size)
        check_reset(self, self.reset, "(C6) ")
        return (data.with_shape((*data.shape[:dim], size, *data.shape[dim + 1 :])),)

    def _check_rows(self, rows: int, size: int) -> None:
        stride, padding = self.stride.value.data, self.buffer_padding.value.data
        brings = f"an inference brings {rows} rows"
        message = f"(C3) param 'buffer_size' is {size}, {brings}; it must be a positive multiple"
        require(rows > 0 and size > 0 and size % rows == 0, self, message)
        message = f"(C4) param 'stride' is {stride}, {brings} and the buffer holds {size}"
        legal = rows <= stride <= size and stride % rows == 0
        require(legal, self, f"{message}; it must be a multiple of {rows} from {rows} to {size}")
        message = f"(C5) param 'buffer_padding' is {padding}, {brings} and the buffer holds {size}"
        legal = 0 <= padding <= size and padding % rows == 0
        require(legal, self, f"{message}; it must be a multiple of {rows} from 0 to {size}")


OPS: tuple[type[GraphOp], ...] = (LstmOp, GruOp, StatefulLstmOp, StatefulGruOp, BufferOp)
