"""Recurrent layers without state. Source: QNN op definitions Lstm and Gru."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ..base import GraphOp
from .recurrent import GruLike, LstmLike


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

    X = operand_def()
    W = operand_def()
    R = operand_def()
    B = opt_operand_def()
    sequence_lens = opt_operand_def()
    initial_h = opt_operand_def()
    initial_c = opt_operand_def()
    P = opt_operand_def()

    Y = result_def()
    Y_h = result_def()
    Y_c = result_def()

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

    X = operand_def()
    W = operand_def()
    R = operand_def()
    B = opt_operand_def()
    sequence_lens = opt_operand_def()
    initial_h = opt_operand_def()

    Y = result_def()
    Y_h = result_def()

    traits = traits_def(Pure())


OPS: tuple[type[GraphOp], ...] = (LstmOp, GruOp)
