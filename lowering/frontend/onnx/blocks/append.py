"""Functions that append to an ONNX model: block ops, other nodes, constants, outputs."""

from collections.abc import Container, Mapping, Sequence
from itertools import chain, count, starmap
from typing import NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, TypeProto
from onnx.helper import make_attribute, make_node
from onnx.numpy_helper import from_array

from .....dialects.diagnostics import fail, listed
from .....dialects.faults.arguments import TEXT, WHOLE, a, arguments
from .....dialects.qti_aisw.choices import BufferMode, Choice, Direction, MaskMode
from ....importers.graph import masks
from ....importers.support.registry import BLOCK_OPS
from ....importers.support.schemas import register_block_ops
from .functions import BODIES, MODEL, add_functions

Value = str | NDArray[np.generic]
"""An input of a node: the name of a value of the model, or a constant."""
VALUE = a("a name or an array", str, np.ndarray)
"""The kind of an argument that is an input of a node."""
Attribute = int | float | str | list[int]


class Editor:
    """Appends nodes to a model; every name that it makes begins with that of the new op."""

    def __init__(self, model: ModelProto, name: str) -> None:
        self._model = model
        graph = model.graph
        values = [value.name for value in (*graph.input, *graph.initializer)]
        results = [output for node in graph.node for output in node.output if output]
        self._values = dict.fromkeys([*values, *results])
        self.name = free_name(name, {node.name for node in graph.node})

    def block(
        self, op: str, attributes: Mapping[str, Attribute | None], **inputs: Value | None
    ) -> list[str]:
        """Append a block op with its body; return its outputs, whose names begin with the op's."""
        results = [f"{self.name}.{output}" for output in BODIES[op].output]
        operands = [*map(inputs.get, BODIES[op].input)]
        results = self._append(op, operands, results, attributes, self.name)
        add_functions(self._model, [op])
        return results

    def node(self, op: str, *inputs: Value, **attributes: Attribute) -> str:
        """Append an op of ONNX with one output; return its name."""
        result = f"{self.name}.{op.lower()}"
        return self._append(op, inputs, [result], attributes)[0]

    def element_type(self, value: str) -> int:
        """Find the element type of a value of the model, as onnx numbers them; 0 if not known."""
        return self._type(value).tensor_type.elem_type

    def dims(self, value: Value) -> tuple[int, ...] | None:
        """Find the dims of a value, 0 where one is not known; None without a shape."""
        if not isinstance(value, str):
            return value.shape
        tensor = self._type(value).tensor_type
        if not tensor.HasField("shape"):
            return None
        return tuple(dim.dim_value for dim in tensor.shape.dim)

    def make_output(self, value: str) -> None:
        """Make a value an output of the model, with the type that ONNX infers for it."""
        type_ = self._type(value)
        if not type_.WhichOneof("value"):
            raise fail(f"output '{value}'", "its type does not follow", "state it in value_info")
        output = self._model.graph.output.add(name=value)
        output.type.CopyFrom(type_)

    def _type(self, value: str) -> TypeProto:
        register_block_ops()
        graph = onnx.shape_inference.infer_shapes(self._model, data_prop=True).graph
        known = {v.name: v.type for v in (*graph.value_info, *graph.input, *graph.output)}
        for tensor in graph.initializer:
            known[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        type_: TypeProto = known.get(value, TypeProto())
        return type_

    def _append(
        self,
        op: str,
        inputs: Sequence[Value | None],
        outputs: Sequence[str],
        attributes: Mapping[str, Attribute | None],
        block: str = "",
    ) -> list[str]:
        """Append a node, after a look at its inputs; return the names that its outputs got.

        `block` names a node of a block op; others bear the name of their output.
        """
        for value in inputs:
            if isinstance(value, str) and value not in self._values:
                problem = f"input '{value}' is no value of the model"
                raise fail(f"node '{self.name}'", problem, listed(value, self._values))
        names = [self._input(value) for value in inputs]
        results = [self._new(output) for output in outputs]
        while names and not names[-1]:
            names.pop()
        node = make_node(
            op, names, results, name=block or results[0], domain=BLOCK_OPS if block else ""
        )
        kept = {name: value for name, value in attributes.items() if value is not None}
        node.attribute.extend(starmap(make_attribute, kept.items()))
        self._model.graph.node.append(node)
        return results

    def _input(self, value: Value | None) -> str:
        if value is None or isinstance(value, str):
            return value or ""
        tensor: TensorProto = from_array(value, self._new(f"{self.name}.constant"))
        self._model.graph.initializer.append(tensor)
        return str(tensor.name)

    def _new(self, name: str) -> str:
        """Take a name for a value, with a number behind it where it is taken."""
        free = free_name(name, self._values)
        self._values[free] = None
        return free


def free_name(name: str, taken: Container[str]) -> str:
    """Find a name that is not taken: itself, or with a number behind it."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


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
