"""Recurrent layers without state of their own: the state comes in and goes out.

Source: ONNX operator spec LSTM and GRU. Gates lie in the order i o f c (LSTM) and z r h (GRU).
"""

from typing import ClassVar

from ...qti_aisw.choices import Direction
from ...qti_aisw.ops.rnn import SHAPES, Extents, GruLike, LstmLike
from ...spec_of import require
from ...value import RANK, Kind, TensorSpec
from ..base import NativeOp, has_shape
from ..fields import out_def, param_def, tensor_def


class RecurrentOp(NativeOp):
    """A recurrent layer; `GATES` blocks of rows in its weights, `RESULTS - 1` states.

    The shapes are those of the graph op, with dims of 1 in front.
    """

    GATES: ClassVar[int] = 0
    RECURRENT: ClassVar[tuple[str, ...]] = ("R",)
    """The recurrent weights, in the order of the elements of h that they are multiplied with."""

    X = tensor_def()
    W = tensor_def(like="X")
    R = tensor_def(like="X")
    B = tensor_def(like="X")
    sequence_lens = tensor_def(Kind.LENGTH)
    initial_h = tensor_def(like="X")
    Y_h = out_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, seq, batch, inputs = self.dims("X")
        directions = self.dims("R")[1]
        hidden = sum(self.dims(name)[-1] for name in self.RECURRENT)
        extents = Extents(seq, batch, inputs, hidden, directions, self.GATES)
        has_shape(self, "X", (1, seq, batch, inputs))
        whole = {name: shape(extents) for name, (_, shape) in SHAPES.items()}
        parts = {name: (*whole["R"][:-1], self.dims(name)[-1]) for name in self.RECURRENT}
        for name, dims in {**whole, **parts}.items():
            if name in self.OPERANDS:
                has_shape(self, name, (*(1,) * (RANK - len(dims)), *dims))
        self.verify_direction(directions)
        like, state = self.like("X"), (1, directions, batch, hidden)
        shapes = ((seq, *state[1:]), *(state,) * (self.RESULTS - 1))
        return tuple(self.computed(like.with_shape(shape), i) for i, shape in enumerate(shapes))

    def verify_direction(self, directions: int) -> None:
        """Check that two directions go with `bidirectional`, and one with the others."""
        value = self.integer("direction")
        if value is not None:
            message = f"param 'direction' is {value}, the weights have {directions} directions"
            require(directions == list(Direction)[value].directions, self, message)


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

    initial_c = tensor_def(like="X")
    P = tensor_def(like="X")
    direction = param_def(1, least=0, most=len(Direction) - 1)
    clip = param_def(1)
    input_forget = param_def(1)
    Y_c = out_def()

    GATES = LstmLike.GATES


class GruOp(RecurrentOp):
    """A GRU over a whole sequence: (Y, Y_h).

    X [1, seq, batch, in], W [1, dir, 3h, in], R [1, dir, 3h, h], B [1, 1, dir, 6h], sequence_lens
    i32 [1, 1, 1, batch], initial_h [1, dir, batch, h]; direction and clip as in Lstm;
    linear_before_reset 0 or 1. Y [seq, dir, batch, h], Y_h [1, dir, batch, h].

    Constraints: (C1) the shapes agree; (C2) dir is 2 if bidirectional, else 1; (C3) the data has
    one dtype, or all of it is quantised.

    Example: `%y, %h = htp.Gru(%x, %w, %r, %b, %lens, %h0, %dir, %clip, %linear) :
    (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x4xf32>, tensor<1x1x1x24xf32>,
    tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)`
    """

    name = "htp.Gru"

    direction = param_def(1, least=0, most=len(Direction) - 1)
    clip = param_def(1)
    linear_before_reset = param_def(1)

    GATES = GruLike.GATES


class PinnedLstmOp(LstmOp):
    """An LSTM of which a part of the recurrent weights stays in TCM: (Y, Y_h, Y_c).

    As Lstm, but for R [1, dir, 4h, h - n], which each step reads from where it lies, and R_pinned
    [1, dir, 4h, n]: the weights of the last h - n elements of a state, and of the first n.

    Example: `%y, %h, %c = htp.Lstm.pinned(%x, %w, %r, %b, %lens, %h0, %c0, %p, %dir, %clip,
    %forget, %pinned) : (tensor<1x5x2x3xf32>, tensor<1x1x16x3xf32>, tensor<1x1x16x1xf32>,
    tensor<1x1x1x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>,
    tensor<1x1x1x12xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x16x3xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>)`
    """

    name = "htp.Lstm.pinned"
    RECURRENT = ("R_pinned", "R")

    R_pinned = tensor_def(like="X")


class PinnedGruOp(GruOp):
    """A GRU of which a part of the recurrent weights stays in TCM: (Y, Y_h).

    As Gru, but for R [1, dir, 3h, h - n], which each step reads from where it lies, and R_pinned
    [1, dir, 3h, n]: the weights of the last h - n elements of a state, and of the first n.

    Example: `%y, %h = htp.Gru.pinned(%x, %w, %r, %b, %lens, %h0, %dir, %clip, %linear, %pinned) :
    (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x1xf32>, tensor<1x1x1x24xf32>,
    tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xi32>, tensor<1x1x12x3xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)`
    """

    name = "htp.Gru.pinned"
    RECURRENT = ("R_pinned", "R")

    R_pinned = tensor_def(like="X")


OPS: tuple[type[RecurrentOp], ...] = (LstmOp, GruOp, PinnedLstmOp, PinnedGruOp)
