"""StatefulGru and StatefulLstm as functions that append them to an ONNX model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from onnx import ModelProto, TensorProto

from .....dialects.diagnostics import fail
from .....dialects.faults.arguments import TEXT, arguments
from .....dialects.qti_aisw.choices import Direction
from .editing import VALUE, Attribute, Editor, Value
from .functions import MODEL


class GruOutputs(NamedTuple):
    """The names of a StatefulGru's outputs: Y [seq, dir, batch, hidden], Y_h the final state."""

    Y: str
    Y_h: str


class LstmOutputs(NamedTuple):
    """The names of a StatefulLstm's outputs: as of a GRU, and Y_c, the final cell state."""

    Y: str
    Y_h: str
    Y_c: str


@arguments(model=MODEL, X=VALUE, W=VALUE, R=VALUE, direction=TEXT, name=TEXT)
def append_stateful_gru(
    model: ModelProto,
    X: Value,
    W: Value,
    R: Value,
    B: Value | None = None,
    *,
    reset: Value | None = None,
    sequence_lens: Value | None = None,
    initial_h: Value | None = None,
    direction: Direction | str = Direction.FORWARD,
    linear_before_reset: int = 0,
    clip: float | None = None,
    name: str = "stateful_gru",
) -> GruOutputs:
    """Append a StatefulGru with ONNX's operands, gates in the order z, r, h.

    X [seq, batch, input], W [dir, 3 * hidden, input], R [dir, 3 * hidden, hidden], B
    [dir, 6 * hidden], initial_h [dir, batch, hidden] or [batch, hidden], sequence_lens [batch]. The
    hidden size is R's, whose shape must be known. Raises HtpError where it is not, and for a name
    that the model does not have.
    """
    editor = Editor(model, name)
    options = {"linear_before_reset": linear_before_reset}
    attributes = {**_attributes(editor, R, direction, clip), **options}
    state = _state(initial_h, direction)
    inputs = [X, W, R, B, _lengths(editor, sequence_lens), state, reset]
    return GruOutputs(*editor.block("StatefulGru", inputs, GruOutputs._fields, attributes))


@arguments(model=MODEL, X=VALUE, W=VALUE, R=VALUE, direction=TEXT, name=TEXT)
def append_stateful_lstm(
    model: ModelProto,
    X: Value,
    W: Value,
    R: Value,
    B: Value | None = None,
    P: Value | None = None,
    *,
    reset: Value | None = None,
    sequence_lens: Value | None = None,
    initial_h: Value | None = None,
    initial_c: Value | None = None,
    direction: Direction | str = Direction.FORWARD,
    input_forget: int = 0,
    clip: float | None = None,
    name: str = "stateful_lstm",
) -> LstmOutputs:
    """Append a StatefulLstm with ONNX's operands, gates in the order i, o, f, c.

    X [seq, batch, input], W [dir, 4 * hidden, input], R [dir, 4 * hidden, hidden], B
    [dir, 8 * hidden], P [dir, 3 * hidden], initial_h and initial_c [dir, batch, hidden] or
    [batch, hidden], sequence_lens [batch]. The hidden size is R's, whose shape must be known.
    Raises HtpError where it is not, and for a name that the model does not have.
    """
    editor = Editor(model, name)
    attributes = {**_attributes(editor, R, direction, clip), "input_forget": input_forget}
    states = [_state(initial_h, direction), _state(initial_c, direction)]
    inputs = [X, W, R, B, _lengths(editor, sequence_lens), *states, P, reset]
    return LstmOutputs(*editor.block("StatefulLstm", inputs, LstmOutputs._fields, attributes))


def _attributes(
    editor: Editor, R: Value, direction: str, clip: float | None
) -> dict[str, Attribute | None]:
    dims = editor.dims(R)
    if dims is None or len(dims) != 3:
        raise fail(f"node '{editor.name}'", "the shape of R is not known", "state it in value_info")
    return {"hidden_size": dims[-1], "direction": str(Direction(direction)), "clip": clip}


def _state(state: Value | None, direction: str) -> Value | None:
    """Give an array without a direction axis one, of extent 1."""
    one_way = Direction(direction).directions == 1
    missing = isinstance(state, np.ndarray) and state.ndim == 2 and one_way
    return state[None] if missing and isinstance(state, np.ndarray) else state


def _lengths(editor: Editor, lengths: Value | None) -> Value | None:
    """Make lengths i32, as the op takes them."""
    if lengths is None or not isinstance(lengths, str):
        return None if lengths is None else lengths.astype(np.int32)
    wide = editor.element_type(lengths) == TensorProto.INT64
    return editor.node("Cast", lengths, to=TensorProto.INT32) if wide else lengths
