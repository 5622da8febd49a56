"""Products, norms, recurrent layers and block ops as nodes."""

import numpy as np

from ....dialects.qti_aisw.choices import BufferModeAttr, MaskModeAttr
from ....dialects.spec_of import Array
from ....dialects.value import DType
from ....dialects.value.limits import ANY_KEY
from ...frontend.onnx.blocks.functions import BODIES
from ...importers.graph.moves import Perm
from ...importers.support.registry import BLOCK_OPS
from .call import PrintedOp, PrinterSet
from .draft import ModelTensor, Ordered

PRINTS = PrinterSet()


@PRINTS.op("FullyConnected")
def _fully_connected(call: PrintedOp) -> ModelTensor:
    """Gemm of a matrix; of more dims MatMul and Add."""
    bias = call.optional("bias")
    if len(call.shape("inp")) == 2:
        return call.node("Gemm", call.real("inp"), call.real("weights"), bias, transB=1)
    product = call.node("MatMul", call.real("inp"), call.real("weights", (1, 0)))
    return product if bias is None else call.node("Add", product, bias)


@PRINTS.op("MatMul")
def _matmul(call: PrintedOp) -> ModelTensor:
    turned = [call.param(f"transpose_in{index}") for index in (0, 1)]
    ranks = [len(call.shape(index)) for index in (0, 1)]
    constant = call.operands[1].tensor.data is not None
    if any(turned) and ranks == [2, 2] and not constant and call.spec.dtype.is_float:
        a, b = turned
        return call.node("Gemm", call.real(0), call.real(1), transA=a, transB=b)
    perms = [
        (*range(rank - 2), rank - 1, rank - 2) if turn else None
        for rank, turn in zip(ranks, turned, strict=True)
    ]
    return call.node("MatMul", *(call.real(index, perm) for index, perm in enumerate(perms)))


@PRINTS.op("Softmax", "LogSoftmax")
def _softmax(call: PrintedOp) -> ModelTensor:
    x, beta = call.real(), call.param("beta")
    x = x if beta == 1 else call.node("Mul", x, call.like(beta))
    return call.node(call.mnemonic, x, **call.params("axis"))


def _normal(call: PrintedOp, centred: bool) -> ModelTensor:
    """Return the normalised data, axes of any place, before scale and shift; f16 in f32."""
    x, axes, narrow = call.real(), call.param("axes"), call.spec.dtype is DType.Float16
    x = call.cast(x, DType.Float32) if narrow else x
    x = call.node("Sub", x, call.reduced("ReduceMean", x, axes)) if centred else x
    number = call.param("epsilon")
    epsilon = call.const(number, DType.Float32) if narrow else call.like(number)
    mean = call.reduced("ReduceMean", call.node("Mul", x, x), axes)
    square = call.node("Add", mean, epsilon)
    normal = call.node("Div", x, call.node("Sqrt", square))
    return call.cast(normal, DType.Float16) if narrow else normal


def _at_the_end(call: PrintedOp) -> bool:
    """Tell whether the axes of a norm are the last ones."""
    rank = len(call.shape())
    axes = [axis % rank for axis in call.param("axes")]
    return axes == list(range(rank - len(axes), rank))


def _scaled(call: PrintedOp, normal: ModelTensor, order: Perm | None = None) -> ModelTensor:
    """Return normalised data, with dims in an order, times gamma plus beta, of the axes' dims."""
    shape = call.shape()
    axes = {axis % len(shape) for axis in call.param("axes")}
    dims = order or range(len(shape))
    wide = [shape[axis] if axis in axes else 1 for axis in dims]
    for name, op, idle in (("gamma", "Mul", 1), ("beta", "Add", 0)):
        factor = call.optional(name)
        if factor is not None and not np.all(call.numbers(factor) == idle):
            factor = factor if _at_the_end(call) else call.reshaped(factor, wide)
            normal = call.node(op, normal, factor)
    return normal


@PRINTS.op("LayerNorm")
def _layer_norm(call: PrintedOp) -> ModelTensor | Ordered:
    """LayerNormalization, of images in the model's own order InstanceNormalization."""
    axes, shape = call.param("axes"), call.shape()
    between = (*range(1, len(shape) - 1),)
    first, last = (0, len(shape) - 1, *between), (0, *(axis + 1 for axis in between), 1)
    if tuple(axes) == between and call.operands[0].order == last:
        ones, zeros = (call.like(np.full(shape[-1], number)) for number in (1, 0))
        images, epsilon = call.real("inp", first), call.params("epsilon")
        normal = call.node("InstanceNormalization", images, ones, zeros, **epsilon)
        return Ordered(_scaled(call, normal, first), last)
    if not _at_the_end(call):
        return _scaled(call, _normal(call, centred=True))
    gamma = call.optional("gamma")
    if gamma is None:
        gamma = call.like(np.ones(shape[len(shape) - len(axes) :]))
    inputs, axis = (call.real(), gamma, call.optional("beta")), len(shape) - len(axes)
    return call.node("LayerNormalization", *inputs, axis=axis, **call.params("epsilon"))


@PRINTS.op("RmsNorm")
def _rms_norm(call: PrintedOp) -> ModelTensor:
    if call.opset < 23 or not _at_the_end(call) or "beta" in call.by_name:
        return _scaled(call, _normal(call, centred=False))
    inputs, axis = (call.real(), call.real("gamma")), -len(call.param("axes"))
    return call.node("RMSNormalization", *inputs, axis=axis, **call.params("epsilon"))


@PRINTS.op("Gru", "Lstm", *BODIES)
def _by_body(call: PrintedOp) -> list[ModelTensor]:
    """A block op, by the names in its body; GRU and LSTM are those without a reset."""
    op, kept = call.mnemonic, call.mnemonic in BODIES
    body = BODIES[op if kept else f"Stateful{op}"]
    inputs = [call.optional(name) for name in body.input if kept or name != "reset"]
    attributes = call.params(*body.attribute, *(each.name for each in body.attribute_proto))
    if isinstance(mode := call.properties.get("mode"), BufferModeAttr | MaskModeAttr):
        attributes["mode"] = mode.data.code
    name, domain = (op, BLOCK_OPS) if kept else (op.upper(), None)
    return call.nodes(name, *inputs, outputs=len(call.specs), domain=domain, **attributes)


@PRINTS.op("RotaryEmbedding")
def _rotary(call: PrintedOp) -> ModelTensor:
    """Two products and their sum; of neighbours as even and odd numbers, joined in the end.

    From opset 23 on it is ONNX's own, whose constants have the angle of each pair once.
    """
    x, shape = call.real("inp"), call.shape("inp")
    size = shape[-1]
    angles = [each for name in ("cos", "sin") if (each := _angles(call, name)) is not None]
    if call.opset >= 23 and len(angles) == 2:
        caches = map(call.const, angles)
        return call.node("RotaryEmbedding", x, *caches, **call.params("interleaved"))
    if not call.param("interleaved"):
        first, second = (call.cut(x, -1, at, at + size // 2, 1) for at in (0, size // 2))
        turned = call.node("Concat", call.node("Neg", second), first, axis=-1)
        straight = call.node("Mul", x, call.real("cos"))
        return call.node("Add", straight, call.node("Mul", turned, call.real("sin")))
    halves: list[list[ModelTensor]] = []
    for operand in (x, call.real("cos"), call.real("sin")):
        halves.append([call.cut(operand, -1, start, size, 2) for start in (0, 1)])
    (even, odd), cosines, sines = halves
    first, second = (call.node("Mul", a, b) for a, b in ((even, cosines[0]), (odd, sines[0])))
    third, fourth = (call.node("Mul", a, b) for a, b in ((even, sines[1]), (odd, cosines[1])))
    pairs = call.node("Sub", first, second), call.node("Add", third, fourth)
    columns = [call.reshaped(each, (*shape[:-1], size // 2, 1)) for each in pairs]
    return call.reshaped(call.node("Concat", *columns, axis=-1), shape)


def _angles(call: PrintedOp, name: str) -> Array | None:
    """Return constants of the rows of all heads, by pair; None of others, and of a value."""
    tensor, shape = call.real(name), call.shape("inp")
    data = None if tensor in call.draft.encodings else tensor.data
    if data is None or len(shape) != 4 or call.spec.dtype is DType.Float64:
        return None
    rows = data.reshape((1,) * (4 - data.ndim) + data.shape)
    if rows.shape[1] > 1:
        return None
    rows = np.broadcast_to(rows[:, 0], (shape[0], *shape[2:]))
    pairs = call.param("interleaved")
    first, second = (rows[..., 0::2], rows[..., 1::2]) if pairs else np.split(rows, 2, -1)
    return first if np.array_equal(first, second) else None


@PRINTS.op("Attention", "PagedAttention")
def _attention(call: PrintedOp) -> ModelTensor:
    """Attention, before opset 23 and with a window as the products that it is."""
    scale, softcap = call.param("scale"), call.param("softcap")
    first, last, mask = call.param("first"), call.param("last"), call.optional("mask")
    q, k, v = _query_key_value(call)
    windowed = first > -ANY_KEY or last not in (0, ANY_KEY)
    # ONNX Runtime takes no mask that broadcasts over queries or keys.
    plain = mask is None or call.shape("mask")[-2:] == (call.shape("q")[2], _keys(call))
    if call.opset >= 23 and plain and not windowed:
        numbers = call.params("scale", "softcap")
        return call.node("Attention", q, k, v, mask, is_causal=int(last == 0), **numbers)
    turned = call.node("Transpose", k, perm=(0, 1, 3, 2))
    scores = _scores(call, q, turned, scale)
    if softcap:
        capped = call.node("Tanh", call.node("Div", scores, call.like(softcap)))
        scores = call.node("Mul", capped, call.like(softcap))
    if windowed or last == 0:
        distance = np.arange(_keys(call)) - np.arange(call.shape("q")[2])[:, None]
        hidden = np.where((distance >= first) & (distance <= last), 0, -np.inf)
        scores = call.node("Add", scores, call.const(hidden, call.spec.dtype))
    scores = scores if mask is None else call.node("Add", scores, mask)
    weights = call.node("Softmax", scores, axis=-1)
    if mask is not None:
        # A query whose keys are all masked gives 0.
        weights = call.node("Where", call.node("IsNaN", weights), call.like(0), weights)
    return call.node("MatMul", weights, v)


def _scores(call: PrintedOp, q: ModelTensor, k: ModelTensor, scale: float) -> ModelTensor:
    """Return products times the scale; in f16 by its inverse or root where that is a number."""

    def near(number: float) -> bool:
        return call.spec.dtype is not DType.Float16 or abs(number - scale) < 1e-7 * scale

    with np.errstate(over="ignore"):
        numbers = np.array([scale, 1 / (scale or 1), abs(scale) ** 0.5], np.float16)
    half, inverse, root = numbers.tolist()
    if near(1 / (inverse or 1)) and not near(half):
        return call.node("Div", call.node("MatMul", q, k), call.like(inverse))
    if near(root**2) and not near(half):
        q, k = (call.node("Mul", each, call.like(root)) for each in (q, k))
        return call.node("MatMul", q, k)
    return call.node("Mul", call.node("MatMul", q, k), call.like(scale))


def _keys(call: PrintedOp) -> int:
    """Return the number of keys of an attention."""
    if "k" in call.by_name:
        return call.shape("k")[2]
    return call.shape("keys")[1] * call.shape("table")[1]


def _query_key_value(call: PrintedOp) -> list[ModelTensor]:
    """Return an attention's operands, from pages in order, each head as often as it is shared."""
    paged = "table" in call.by_name
    names, kept = ("keys", "values") if paged else ("k", "v"), [call.real("q")]
    heads, groups = call.shape("q")[1], call.shape(names[0])[2 if paged else 1]
    for name in names:
        x, whole = call.real(name), (call.shape("q")[0], groups, _keys(call), call.shape(name)[3])
        if paged:
            batch, _, keys, depth = whole
            x = call.reshaped(
                call.node("Gather", x, call.real("table")), (batch, keys, groups, depth)
            )
            x = call.node("Transpose", x, perm=(0, 2, 1, 3))
        kept.append(x if heads == groups else _repeated(call, x, whole, heads // groups))
    return kept


def _repeated(call: PrintedOp, x: ModelTensor, shape: tuple[int, ...], times: int) -> ModelTensor:
    """Return keys or values, each head several times in a row."""
    batch, groups, keys, depth = shape
    wide = call.wholes((batch, groups, times, keys, depth))
    x = call.node("Expand", call.reshaped(x, (batch, groups, 1, keys, depth)), wide)
    return call.reshaped(x, (batch, groups * times, keys, depth))
