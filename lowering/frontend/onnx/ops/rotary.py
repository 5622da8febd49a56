"""RotaryEmbedding. Source: ONNX operator spec, opset 23."""

from __future__ import annotations

from ...graph.value import Value, joined
from ..support.faults import require
from ..support.registry import ImporterSet

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("RotaryEmbedding")
def rotary_embedding(
    x: Value,
    cos: Value,
    sin: Value,
    positions: Value | None,
    *,
    num_heads: int = 0,
    interleaved: bool = False,
    rotary_embedding_dim: int = 0,
) -> Value:
    """RotaryEmbedding of the first numbers of each head; the angles are those of all heads."""
    shape = x.shape
    require(x.rank in (3, 4), f"input 0 has rank {x.rank}, it must be 3 or 4")
    if len(shape) == 3:
        fits = num_heads > 0 and shape[2] % num_heads == 0
        require(fits, f"attribute 'num_heads' is {num_heads}, input 0 has depth {shape[2]}")
        x = x.reshape(*shape[:2], num_heads, shape[2] // num_heads)
    depth, heads_dim = x.shape[3], 2 if len(shape) == 3 else 1
    size = rotary_embedding_dim or depth
    fits = 0 < size <= depth and size % 2 == 0
    require(fits, f"attribute 'rotary_embedding_dim' is {size}, heads have depth {depth}")
    angles = [
        _angles(index, half, positions, size, heads_dim, interleaved)
        for index, half in ((1, cos), (2, sin))
    ]
    rest: list[Value] = []
    if size < depth:
        x, *rest = x.ops("Split", axis=3, split_index=(size,))
    out = x.op("RotaryEmbedding", *angles, interleaved=interleaved)
    return (joined([out, *rest], axis=3) if rest else out).reshape(*shape)


def _angles(
    index: int, half: Value, positions: Value | None, size: int, heads: int, pairs: bool
) -> Value:
    """Return cosines or sines of each position, twice for each pair, with a dim for the heads."""
    half = half if positions is None else half.gather(positions)
    fits = half.rank == 3 and half.shape[2] == size // 2
    require(fits, f"input {index} has shape {half.shape}, pairs are {size // 2}")
    column = half.reshape(*half.shape, 1) if pairs else half
    whole = joined([column, column], axis=-1)
    dims = [*half.shape[:2], size]
    dims.insert(heads, 1)
    return whole.reshape(*dims)
