"""Recurrent layers without state of their own: the state comes in and goes out.

Source: ONNX operator spec LSTM and GRU. Gates lie in the order i o f c (LSTM) and z r h (GRU).
"""

from __future__ import annotations

from typing import ClassVar

from ...checks import require
from ...spec_of import spec_of
from ...value.dtypes import DType
from ...value.spec import TensorSpec
from ..base import NativeOp
from ..fields import out_def, param_def, tensor_def
from ..guards import has_shape, integer, is_a, is_scalar, same_type

_BIDIRECTIONAL = 2


class RecurrentOp(NativeOp):
    """A recurrent layer; `GATES` blocks of rows in its weights, `RESULTS - 1` states."""

    GATES: ClassVar[int] = 0
    STATES: ClassVar[tuple[str, ...]] = ()

    X = tensor_def()
    W = tensor_def()
    R = tensor_def()
    B = tensor_def()
    sequence_lens = tensor_def()
    initial_h = tensor_def()
    Y_h = out_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, seq, batch, inputs = spec_of(self.X).shape
        _, directions, _, hidden = spec_of(self.R).shape
        rows = self.GATES * hidden
        state = (1, directions, batch, hidden)
        has_shape(self, "X", (1, seq, batch, inputs))
        has_shape(self, "W", (1, directions, rows, inputs))
        has_shape(self, "R", (1, directions, rows, hidden))
        has_shape(self, "B", (1, 1, directions, 2 * rows))
        has_shape(self, "sequence_lens", (1, 1, 1, batch))
        for name in self.STATES:
            has_shape(self, name, state)
        self.verify_types()
        self.verify_direction(directions)
        like = self.like("X")
        y = like.with_shape((seq, directions, batch, hidden))
        states = [like.with_shape(state)] * len(self.STATES)
        return tuple(self.computed(spec, i) for i, spec in enumerate((y, *states)))

    def verify_types(self) -> None:
        """Check dtypes: those of the data agree, lengths are Int32."""
        is_a(self, "sequence_lens", DType.Int32)
        for name in ("W", "R", "B", *self.STATES):
            same_type(self, "X", name)
        is_scalar(self, *self.PARAMS)

    def verify_direction(self, directions: int) -> None:
        """Check that two directions go with `bidirectional`, and one with the others."""
        value = integer(self, "direction")
        if value is not None:
            known = value in range(_BIDIRECTIONAL + 1)
            require(known, self, f"param 'direction' is {value}, it must be 0, 1 or 2")
            wanted = 2 if value == _BIDIRECTIONAL else 1
            message = f"param 'direction' is {value}, the weights have {directions} directions"
            require(directions == wanted, self, message)


class LstmOp(RecurrentOp):
    """An LSTM over a whole sequence: (Y, Y_h, Y_c).

    X [1, seq, batch, in], W [1, dir, 4h, in], R [1, dir, 4h, h], B [1, 1, dir, 8h], sequence_lens
    i32 [1, 1, 1, batch], initial_h and initial_c [1, dir, batch, h], P [1, 1, dir, 3h]; direction
    0 forward, 1 reverse, 2 bidirectional; clip f32, 0 for none; input_forget 0 or 1.
    Y [seq, dir, batch, h], Y_h and Y_c [1, dir, batch, h].

    Constraints: (C1) the shapes agree; (C2) dir is 2 if bidirectional, else 1; (C3) the data has
    one dtype, or all of it is quantised.

    Example: `%y, %h, %c = htp.Lstm(%x, %w, %r, %b, %lens, %h0, %c0, %p, %dir, %clip, %forget) :
    (tensor<1x5x2x3xf32>, tensor<1x1x16x3xf32>, tensor<1x1x16x4xf32>, tensor<1x1x1x32xf32>,
    tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x1x12xf32>,
    tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
    -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>)`
    """

    name = "htp.Lstm"

    initial_c = tensor_def()
    P = tensor_def()
    direction = param_def()
    clip = param_def()
    input_forget = param_def()
    Y_c = out_def()

    GATES = 4
    STATES = ("initial_h", "initial_c")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, directions, _, hidden = spec_of(self.R).shape
        has_shape(self, "P", (1, 1, directions, 3 * hidden))
        same_type(self, "X", "P")
        return super().infer()


class GruOp(RecurrentOp):
    """A GRU over a whole sequence: (Y, Y_h).

    X [1, seq, batch, in], W [1, dir, 3h, in], R [1, dir, 3h, h], B [1, 1, dir, 6h], sequence_lens
    i32 [1, 1, 1, batch], initial_h [1, dir, batch, h]; direction and clip as in Lstm;
    linear_before_reset 0 or 1. Y [seq, dir, batch, h], Y_h [1, dir, batch, h].

    Constraints: (C1) to (C3) of Lstm.

    Example: `%y, %h = htp.Gru(%x, %w, %r, %b, %lens, %h0, %dir, %clip, %linear) :
    (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x4xf32>, tensor<1x1x1x24xf32>,
    tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)`
    """

    name = "htp.Gru"

    direction = param_def()
    clip = param_def()
    linear_before_reset = param_def()

    GATES = 3
    STATES = ("initial_h",)


OPS: tuple[type[NativeOp], ...] = (LstmOp, GruOp)
