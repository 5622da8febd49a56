"""RotaryEmbedding. Source: ONNX operator spec, opset 23."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet

ONNX = ImporterSet(keeps_stored=False)

_X, _COS, _SIN, _POSITIONS = range(4)


@ONNX.importer("RotaryEmbedding")
def rotary_embedding(ctx: NodeContext) -> list[SSAValue]:
    """RotaryEmbedding of the first numbers of each head; the angles are those of all heads."""
    x = ctx.value(_X)
    shape, heads = ctx.shape(x), ctx.integer("num_heads")
    ctx.require(len(shape) in (3, 4), f"input 0 has rank {len(shape)}, it must be 3 or 4")
    if len(shape) == 3:
        fits = heads > 0 and shape[2] % heads == 0
        ctx.require(fits, f"attribute 'num_heads' is {heads}, input 0 has depth {shape[2]}")
        x = ctx.reshape(x, (*shape[:2], heads, shape[2] // heads))
    depth, heads_dim = ctx.shape(x)[3], 2 if len(shape) == 3 else 1
    size = ctx.integer("rotary_embedding_dim") or depth
    fits = 0 < size <= depth and size % 2 == 0
    ctx.require(fits, f"attribute 'rotary_embedding_dim' is {size}, heads have depth {depth}")
    pairs = bool(ctx.integer("interleaved"))
    angles = [_angles(ctx, index, size, heads_dim, pairs) for index in (_COS, _SIN)]
    rest: list[SSAValue] = []
    if size < depth:
        x, *rest = ctx.emit_all("Split", x, axis=3, split_index=(size,))
    out = ctx.emit("RotaryEmbedding", x, *angles, interleaved=pairs)
    return [ctx.reshape(ctx.emit("Concat", [out, *rest], axis=3) if rest else out, shape)]


def _angles(ctx: NodeContext, index: int, size: int, heads: int, pairs: bool) -> SSAValue:
    """Return cosines or sines of each position, twice for each pair, with a dim for the heads."""
    half = ctx.value(index)
    if ctx.has(_POSITIONS):
        half = ctx.emit("Gather", half, ctx.value(_POSITIONS), axis=0)
    shape = ctx.shape(half)
    fits = len(shape) == 3 and shape[2] == size // 2
    ctx.require(fits, f"input {index} has shape {shape}, pairs are {size // 2}")
    column = ctx.reshape(half, (*shape, 1)) if pairs else half
    whole = ctx.emit("Concat", [column, column], axis=-1)
    dims = [*shape[:2], size]
    dims.insert(heads, 1)
    return ctx.reshape(whole, tuple(dims))
