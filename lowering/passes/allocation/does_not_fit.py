"""The error for an op whose tensors are larger than the TCM: what takes the bytes, what helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import HtpError, fail
from ....dialects.value.layout import round_up
from ....dialects.value.place import LAYOUTS, LayoutKind
from ....dialects.value.spec import Shape, TensorSpec, spec_of
from ...conversion.builder import source_name
from ...levels import operand_label
from ...planner.tiling import Operand, Tensor, TileOp
from ...planner.tiling.memory import chunk_sizes
from ...planner.tiling.single import granule
from ...rules.graph.tables import TensorProperties
from ..tiling.tile_program import TileReader, data_operands
from .tcm import in_tcm

_DIMS = ("batch", "height", "width", "depth")
Sizes = Sequence[tuple[str, int]]
"""Bytes by the name of a tensor, whole multiples of the alignment."""


@dataclass(frozen=True)
class SmallestTile:
    """The smallest tile that the tile table makes of an op: its result, and the bytes it takes.

    `cuts` are the dims along which it is smaller than the whole; none where there is no tile.
    """

    shape: Shape
    whole: Shape
    sizes: Sizes

    @property
    def cuts(self) -> tuple[str, ...]:
        """The names of the dims that are cut; only what has all four of them is."""
        dims = zip(_DIMS, self.shape, self.whole, strict=False)
        return tuple(name for name, part, all_ in dims if part < all_)

    @property
    def bytes(self) -> int:
        """What the tile needs at once."""
        return sum(size for _, size in self.sizes)


def does_not_fit(
    op: Operation,
    needed: int,
    capacity: int,
    tile: SmallestTile,
    sizes: Sizes,
) -> HtpError:
    """The error: the op by its source, its bytes by tensor, its smallest tile, what would fit.

    What is needed beyond the op's own bytes is held by tensors that cannot leave while it runs.
    """
    others = needed - sum(size for _, size in sizes)
    held = [*sizes, ("what cannot leave meanwhile", others)] if others else sizes
    return fail(
        source_name(op),
        f"needs {needed} bytes of TCM, there are {capacity}: {_listed(held)}",
        f"give tcm-bytes={needed} at least, {_advice(tile, needed, capacity)}",
    )


def _advice(tile: SmallestTile, needed: int, capacity: int) -> str:
    if not tile.whole:
        return "it has no result that could be made in tiles"
    shape, whole = _text(tile.shape), _text(tile.whole)
    if not tile.cuts or tile.bytes >= needed:
        return f"no tile of its result of {whole} takes less"
    needs = f"takes {tile.bytes}: {_listed(tile.sizes)}"
    along = " and ".join(tile.cuts)
    if tile.bytes <= capacity:
        return f"or cut it along {along}: a tile of {shape} of {whole} {needs}"
    return f"or {tile.bytes} for its smallest tile: {shape} of {whole}, cut along {along}, {needs}"


def _listed(sizes: Sizes) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes)


def _text(shape: Shape) -> str:
    return "x".join(map(str, shape))


def tensors_in_tcm(op: Operation) -> dict[SSAValue, str]:
    """The tensors in TCM that an op reads and makes, each by its first name, in quotes."""
    labels = [(value, operand_label(op, index)) for index, value in enumerate(op.operands)]
    labels += [(value, f"result {index}") for index, value in enumerate(op.results)]
    found: dict[SSAValue, str] = {}
    for value, name in labels:
        if in_tcm(value):
            found.setdefault(value, f"'{name}'")
    return found


def smallest_tile(
    op: Operation, properties: Mapping[str, TensorProperties], alignment: int
) -> SmallestTile:
    """The smallest tile of an op that makes one; its sizes are empty where it makes none.

    Dims are cut to the least size that the tile planner tries; constants are cut too.
    """
    reader = TileReader(properties)
    reader.read(op)
    (held,) = reader.program().ops or (TileOp(op.name, ()),)
    if not op.results:
        return SmallestTile((), (), ())
    result = _tensor(spec_of(op.results[0]))
    chunks = {dim: _least(result, dim) for dim in held.cuts}
    parts = _operand_parts(op, held, chunks)
    parts.update(dict.fromkeys(op.results, chunks))
    sizes = [
        (name, round_up(_tensor(spec_of(value)).part(parts.get(value, {})), alignment))
        for value, name in tensors_in_tcm(op).items()
    ]
    shape = tuple(chunks.get(dim, extent) for dim, extent in enumerate(result.shape))
    return SmallestTile(shape, result.shape, sizes)


def _operand_parts(
    op: Operation, held: TileOp, chunks: Mapping[int, int]
) -> dict[SSAValue, Mapping[int, int]]:
    """The block of each operand that a tile reads; all of one that is read in two ways."""
    found: dict[SSAValue, Mapping[int, int]] = {}
    for (_, value), operand in zip(data_operands(op), held.operands, strict=True):
        part = _window(operand, chunks)
        found[value] = part if found.get(value, part) == part else {}
    return found


def _window(operand: Operand, chunks: Mapping[int, int]) -> dict[int, int]:
    reaches = operand.reaches
    return {
        reaches[dim].dim: reaches[dim].window(size)
        for dim, size in chunks.items()
        if dim in reaches
    }


def _least(tensor: Tensor, dim: int) -> int:
    extent = tensor.shape[dim]
    return min(chunk_sizes(extent, granule(tensor, dim)), default=extent)


def _tensor(spec: TensorSpec) -> Tensor:
    """A tensor in the layout that it has."""
    kind = spec.place.layout if spec.place else LayoutKind.FLAT
    layout = LAYOUTS.get((kind, spec.dtype.itemsize))
    chunk = layout.chunk if layout else (1,) * spec.rank
    return Tensor(spec.shape, spec.dtype.itemsize, chunk)
