"""Bodies of the block ops as model-local functions, so that ONNX Runtime runs the model, too.

ONNX Runtime has no state between runs. So a Buffer gives what it gives in a first inference, and
the recurrent ops are ONNX's own and ignore the reset; MaskedSoftmax is exact. Source: QAIRT block
op definitions.

Some tools write a body out in place of its node. `Where(reset, X, X)` is X: by it
`qti-raise-block-ops` knows such a layer again, and its reset.
"""

from collections.abc import Iterable

import numpy as np
from onnx import FunctionProto, ModelProto, NodeProto, TensorProto
from onnx.helper import make_opsetid, make_tensor_value_info
from onnx.numpy_helper import from_array
from onnx.parser import parse_function

from .....dialects.faults.arguments import MANY, a, arguments
from ....importers.support.registry import BLOCK_OPS

MODEL = a("an ONNX model", ModelProto, remedy="give a ModelProto, as of onnx.load")
"""The kind of an argument that is a model to write into."""

_OLDEST = 17
_HEAD = f'<domain: "{BLOCK_OPS}", opset_import: ["" : {_OLDEST}]>'

_BUFFER = """
Buffer <buffer_size, buffer_dim, stride, buffer_padding: int = 0, mode: int = 0>
    (inp, reset) => (out)
{
    size = Constant <value_int: int = @buffer_size> ()
    dim = Constant <value_int: int = @buffer_dim> ()
    padding = Constant <value_int: int = @buffer_padding> ()
    code = Constant <value_int: int = @mode> ()
    right = Constant <value_int = 2> ()
    first = Constant <value_ints = [0]> ()
    nothing = Constant <value_float = 0.0> ()
    zero = CastLike (nothing, inp)
    shape = Shape (inp)
    rows = Gather (shape, dim)
    missing = Sub (size, rows)
    padded = Min (padding, missing)
    is_right = Equal (code, right)
    before = Where (is_right, missing, padded)
    after = Sub (missing, before)
    place = Unsqueeze (dim, first)
    rows_before = Unsqueeze (before, first)
    rows_after = Unsqueeze (after, first)
    shape_before = ScatterElements (shape, place, rows_before)
    shape_after = ScatterElements (shape, place, rows_after)
    front = Expand (zero, shape_before)
    end = Expand (zero, shape_after)
    out = Concat <axis: int = @buffer_dim> (front, inp, end)
}"""

_MASKED_SOFTMAX = """
MaskedSoftmax <mode: int = 0> (data, mask) => (out)
{
    zero = Constant <value_int = 0> ()
    one = Constant <value_int = 1> ()
    shape = Shape <start = -1> (data)
    size = Abs (shape)
    count = Squeeze (size)
    places = Range (zero, count, one)
    rows = Constant <value_ints = [1, 2]> ()
    columns = Constant <value_ints = [1, 3]> ()
    code = Constant <value_int: int = @mode> ()
    packed = Cast <to = 9> (code)
    out = If (packed) <
        then_branch = compressed () => (blocks) {
            last = Constant <value_ints = [-1]> ()
            batch = Constant <value_ints = [1]> ()
            lengths = Cast <to = 7> (mask)
            ends = CumSum (lengths, one)
            before = Unsqueeze (ends, batch)
            place = Unsqueeze (places, last)
            is_past = LessOrEqual (before, place)
            past = Cast <to = 7> (is_past)
            sequence = ReduceSum <keepdims = 0> (past, last)
            number = Shape <start = 1, end = 2> (lengths)
            inside = Less (sequence, number)
            sequence_of_row = Unsqueeze (sequence, columns)
            sequence_of_column = Unsqueeze (sequence, rows)
            same = Equal (sequence_of_row, sequence_of_column)
            row_inside = Unsqueeze (inside, columns)
            seen = And (same, row_inside)
            least = Constant <value_float = -inf> ()
            nothing = Constant <value_float = 0.0> ()
            hidden = CastLike (least, data)
            none = CastLike (nothing, data)
            scores = Where (seen, data, hidden)
            shares = Softmax <axis = -1> (scores)
            blocks = Where (seen, shares, none)
        },
        else_branch = uncompressed () => (masked) {
            typed = CastLike (mask, data)
            whole = Gather <axis = 1> (typed, places)
            addend = Unsqueeze (whole, rows)
            sum = Add (data, addend)
            masked = Softmax <axis = -1> (sum)
        }
    >
}"""
"""ONNX infers shapes in both branches; the Abs hides an extent that fits one of them only."""

_GRU = """
StatefulGru <hidden_size, clip, direction, linear_before_reset>
    (X, W, R, B, sequence_lens, initial_h, reset) => (Y, Y_h)
{
    known = Where (reset, X, X)
    Y, Y_h = GRU <
        hidden_size: int = @hidden_size,
        clip: float = @clip,
        direction: string = @direction,
        linear_before_reset: int = @linear_before_reset
    > (known, W, R, B, sequence_lens, initial_h)
}"""

_LSTM = """
StatefulLstm <hidden_size, clip, direction, input_forget>
    (X, W, R, B, sequence_lens, initial_h, initial_c, P, reset) => (Y, Y_h, Y_c)
{
    known = Where (reset, X, X)
    Y, Y_h, Y_c = LSTM <
        hidden_size: int = @hidden_size,
        clip: float = @clip,
        direction: string = @direction,
        input_forget: int = @input_forget
    > (known, W, R, B, sequence_lens, initial_h, initial_c, P)
}"""

FUNCTIONS: tuple[FunctionProto, ...] = tuple(
    parse_function(_HEAD + body) for body in (_BUFFER, _MASKED_SOFTMAX, _GRU, _LSTM)
)
"""The body of each block op."""
BODIES = {body.name: body for body in FUNCTIONS}
"""The body by the name of its op."""
_RESETS = {name: [*BODIES[name].input].index("reset") for name in ("StatefulGru", "StatefulLstm")}
"""The place of the reset among the inputs of a recurrent block op."""
NO_RESET = "qti_aisw.no_reset"
"""The name of a constant that is false."""


@arguments(model=MODEL, ops=MANY)
def add_functions(model: ModelProto, ops: Iterable[str] | None = None) -> None:
    """Add the bodies of block ops, by default of those that the graph has, and their domain.

    A recurrent node without a reset is given one that is false, which is the same: its body reads
    it. A body is of the opset of the model, or of the oldest one that has its ops.
    """
    wanted = {node.op_type for node in model.graph.node if node.domain == BLOCK_OPS}
    wanted = wanted if ops is None else {*ops}
    there = {function.name for function in model.functions if function.domain == BLOCK_OPS}
    model.functions.extend(f for f in FUNCTIONS if f.name in wanted - there)
    version = max((each.version for each in model.opset_import if not each.domain), default=0)
    for body in model.functions:
        if body.domain == BLOCK_OPS and any([*body.node] == [*own.node] for own in FUNCTIONS):
            body.opset_import[0].version = max(version, _OLDEST)
    if wanted and all(opset.domain != BLOCK_OPS for opset in model.opset_import):
        model.opset_import.append(make_opsetid(BLOCK_OPS, 1))
    without = [node for node in model.graph.node if _lacks_reset(node)]
    if without and all(tensor.name != NO_RESET for tensor in model.graph.initializer):
        model.graph.initializer.append(from_array(np.array(False), NO_RESET))
        # onnx's inliner asks for it.
        model.graph.value_info.append(make_tensor_value_info(NO_RESET, TensorProto.BOOL, []))
    for node in without:
        place = _RESETS[node.op_type]
        names = [*node.input[:place], *[""] * place]
        node.input[:] = [*names[:place], NO_RESET]


def _lacks_reset(node: NodeProto) -> bool:
    """Tell whether a node is a recurrent block op whose reset is left out."""
    place = _RESETS.get(node.op_type) if node.domain == BLOCK_OPS else None
    return place is not None and not [*node.input[place:], ""][0]
