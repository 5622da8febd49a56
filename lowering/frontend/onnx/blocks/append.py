"""Buffer and MaskedSoftmax as functions that append them to an ONNX model."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto

from .....dialects.diagnostics import fail
from .....dialects.faults.arguments import TEXT, WHOLE, arguments
from .....dialects.qti_aisw.choices import BufferMode, Choice, MaskMode
from .....dialects.suggestions import listed
from ....importers.graph import masks
from .editing import VALUE, Editor, Value
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
    (out,) = Editor(model, name).block("Buffer", [inp, reset], ["out"], attributes)
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
    (out,) = editor.block("MaskedSoftmax", [data, mask], ["out"], {"mode": code})
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
