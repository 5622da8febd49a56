"""Block ops as functions that append them to an ONNX model."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from onnx import ModelProto, TensorProto

from .....dialects.diagnostics import fail
from .....dialects.faults.arguments import TEXT, WHOLE, arguments
from .....dialects.qti_aisw.choices import BufferMode, Choice, Direction, MaskMode
from .....dialects.suggestions import listed
from ....importers.graph import masks
from .editing import VALUE, Attribute, Editor, Value
from .functions import MODEL


@arguments(
    model=MODEL,
    inp=VALUE,
    reset=VALUE,
    buffer_size=WHOLE,
    buffer_dim=WHOLE,
    stride=WHOLE,
    buffer_padding=WHOLE,
    mode=TEXT,
    name=TEXT,
)
def append_buffer(
    model: ModelProto,
    inp: Value,
    *,
    buffer_size: int,
    buffer_dim: int,
    mode: BufferMode | str,
    stride: int = 1,
    buffer_padding: int = 0,
    reset: Value | None = None,
    name: str = "buffer",
) -> str:
    """Append a Buffer; return the name of its output, inp's shape with `buffer_size` rows.

    `buffer_size`, `stride` and `buffer_padding` count rows along `buffer_dim`. `mode` is BLOCKING,
    NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT; the tensor processor has the last two. `reset` is one
    bool. Raises HtpError for a name that the model does not have, and for another mode.
    """
    attributes = {
        "buffer_size": buffer_size,
        "buffer_dim": buffer_dim,
        "buffer_padding": buffer_padding,
        "stride": stride,
        "mode": _code(BufferMode, mode, name),
    }
    (out,) = Editor(model, name).block("Buffer", attributes, inp=inp, reset=reset)
    return out


@arguments(model=MODEL, data=VALUE, mask=VALUE, mode=TEXT, name=TEXT)
def append_masked_softmax(
    model: ModelProto,
    data: Value,
    mask: Value,
    *,
    mode: MaskMode | str = MaskMode.UNCOMPRESSED,
    name: str = "masked_softmax",
) -> str:
    """Append a MaskedSoftmax over data [b, h, w, c]; return the name of its output.

    For UNCOMPRESSED the mask is one of: integers [b, c] that are added, truth values [b, c] that
    are true where a column takes part, an additive mask [b, c] of 0 and -10000 or less, lengths
    [b]. An array is turned into the first form now, a value of the model by nodes before the op.
    For COMPRESSED the mask is integers [b, n], the lengths of sequences packed back to back.

    Raises HtpError for a name that the model does not have, and for a mask of another form.
    """
    editor = Editor(model, name)
    code = _code(MaskMode, mode, name)
    if code == MaskMode.UNCOMPRESSED.code:
        mask = _added(editor, data, mask)
    elif not isinstance(mask, str):
        mask = mask.astype(np.int32)
    (out,) = editor.block("MaskedSoftmax", {"mode": code}, data=data, mask=mask)
    return out


@arguments(model=MODEL, names=TEXT)
def append_outputs(model: ModelProto, *names: str) -> None:
    """Make values outputs of the model, with the types that ONNX infers.

    Raises HtpError for a value whose type does not follow.
    """
    editor = Editor(model, "outputs")
    for name in names:
        editor.make_output(name)


def _added(editor: Editor, data: Value, mask: Value) -> Value:
    """Turn a mask into the integers that are added."""
    if isinstance(mask, str):
        return _added_value(editor, data, mask)
    if mask.dtype == np.bool_:
        return masks.to_uncompressed(mask)
    if mask.dtype.kind == "f":
        return masks.to_uncompressed(masks.from_additive(mask))
    if mask.ndim == 1:
        columns = editor.dims(data)
        if not columns or not columns[-1]:
            raise fail(
                f"node '{editor.name}'", "the columns of the data are not known", "state them"
            )
        return masks.to_uncompressed(masks.from_lengths(mask, columns[-1]))
    return mask.astype(np.int32)


def _added_value(editor: Editor, data: Value, mask: str) -> str:
    """Append the nodes that turn a mask of the model into the integers that are added."""
    kind = editor.element_type(mask)
    if kind in (TensorProto.FLOAT, TensorProto.FLOAT16):
        # Below MASKED a column is masked just as well, and -inf has no integer.
        single = editor.node("Cast", mask, to=TensorProto.FLOAT)
        bounded = editor.node("Max", single, np.array(masks.MASKED, np.float32))
        return editor.node("Cast", bounded, to=TensorProto.INT32)
    if kind in (TensorProto.INT32, TensorProto.INT64) and len(editor.dims(mask) or (0, 0)) == 1:
        columns = editor.node("Squeeze", editor.node("Shape", data, start=-1))
        zero, one = np.array(0), np.array(1)
        places = editor.node("Range", zero, columns, one)
        lengths = editor.node("Cast", mask, to=TensorProto.INT64)
        mask = editor.node("Less", places, editor.node("Unsqueeze", lengths, np.array([1])))
        kind = TensorProto.BOOL
    if kind == TensorProto.BOOL:
        kept, masked = np.array(0, np.int32), np.array(masks.MASKED, np.int32)
        return editor.node("Where", mask, kept, masked)
    return mask if kind == TensorProto.INT32 else editor.node("Cast", mask, to=TensorProto.INT32)


def _code(choices: type[Choice], mode: str, name: str) -> int:
    """Return the number of a mode; HtpError for a name that is none."""
    known = [str(choice) for choice in choices]
    if mode not in known:
        raise fail(f"node '{name}'", f"mode '{mode}' is not known", listed(mode, known))
    return known.index(mode)


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
    operands = {"X": X, "W": W, "R": R, "B": B, "reset": reset}
    operands |= {"sequence_lens": sequence_lens, "initial_h": initial_h}
    options = {"clip": clip, "linear_before_reset": linear_before_reset}
    return GruOutputs(*_recurrent(Editor(model, name), "StatefulGru", direction, options, operands))


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
    operands = {"X": X, "W": W, "R": R, "B": B, "P": P, "reset": reset}
    operands |= {"sequence_lens": sequence_lens, "initial_h": initial_h, "initial_c": initial_c}
    options = {"clip": clip, "input_forget": input_forget}
    return LstmOutputs(
        *_recurrent(Editor(model, name), "StatefulLstm", direction, options, operands)
    )


def _recurrent(
    editor: Editor,
    op: str,
    direction: str,
    options: Mapping[str, Attribute | None],
    operands: dict[str, Value | None],
) -> list[str]:
    """Append a recurrent block op; states get an axis of directions, lengths become i32."""
    weights, lengths, way = operands["R"], operands["sequence_lens"], Direction(direction)
    dims = None if weights is None else editor.dims(weights)
    if dims is None or len(dims) != 3:
        raise fail(f"node '{editor.name}'", "the shape of R is not known", "state it in value_info")
    for name in ("initial_h", "initial_c"):
        state = operands.get(name)
        if isinstance(state, np.ndarray) and state.ndim == 2 and way.directions == 1:
            operands[name] = state[None]
    if isinstance(lengths, np.ndarray):
        operands["sequence_lens"] = lengths.astype(np.int32)
    elif lengths is not None and editor.element_type(lengths) == TensorProto.INT64:
        operands["sequence_lens"] = editor.node("Cast", lengths, to=TensorProto.INT32)
    return editor.block(op, {"hidden_size": dims[-1], "direction": str(way), **options}, **operands)
