"""The block ops StatefulLstm and StatefulGru. Source: QAIRT block op definitions."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def

from ...value.spec import TensorSpec
from ..base import GraphOp
from .recurrent import GruLike, LstmLike
from .reset import KeepsState, check_reset


@irdl_op_definition
class StatefulLstmOp(LstmLike):
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

    X = operand_def()
    W = operand_def()
    R = operand_def()
    B = opt_operand_def()
    sequence_lens = opt_operand_def()
    initial_h = opt_operand_def()
    initial_c = opt_operand_def()
    P = opt_operand_def()
    reset = opt_operand_def()

    Y = result_def()
    Y_h = result_def()
    Y_c = result_def()

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        check_reset(self, self.reset, "(C11) ")
        return super().infer()


@irdl_op_definition
class StatefulGruOp(GruLike):
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

    X = operand_def()
    W = operand_def()
    R = operand_def()
    B = opt_operand_def()
    sequence_lens = opt_operand_def()
    initial_h = opt_operand_def()
    reset = opt_operand_def()

    Y = result_def()
    Y_h = result_def()

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        check_reset(self, self.reset, "(C11) ")
        return super().infer()


OPS: tuple[type[GraphOp], ...] = (StatefulLstmOp, StatefulGruOp)
