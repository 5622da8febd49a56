"""The error for an op whose tensors are larger than the TCM: its bytes, and its smallest tile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import HtpError
from ....dialects.faults.op_faults import fail_at
from ....dialects.spec_of import spec_of
from ....dialects.value import LAYOUTS, LayoutKind, Shape, TensorSpec, round_up
from ...levels import operand_label
from ...planner.tiling import TilingOp, TilingTensor
from ...rules.graph.graph import OpTables
from ..tiling.tile_program import TileReader, data_operands
from .tcm import in_tcm

_DIMS = ("batch", "height", "width", "depth")
Sizes = Sequence[tuple[str, int]]
"""Bytes by the name of a tensor, whole multiples of the alignment."""


@dataclass(frozen=True)
class SmallestTile:
    """The smallest tile that the tile table makes of an op: its result, and the bytes it takes.

    `cuts` are the dims along which it is smaller than the whole; it is empty where no tile exists.
    """

    shape: Shape
    whole: Shape
    sizes: Sizes

    @property
    def cuts(self) -> tuple[str, ...]:
        """The names of the dims that are cut; only tensors with all four of them are."""
        dims = zip(_DIMS, self.shape, self.whole, strict=False)
        return tuple(name for name, part, all_ in dims if part < all_)

    @property
    def bytes(self) -> int:
        """The bytes that the tile needs at once."""
        return sum(size for _, size in self.sizes)


def does_not_fit(
    op: Operation,
    needed: int,
    capacity: int,
    tile: SmallestTile,
    sizes: Sizes,
) -> HtpError:
    """Make the error: the op by its source, its bytes by tensor, its smallest tile, what would fit.

    Bytes needed beyond the op's own are of tensors that cannot leave while it runs.
    """
    others = needed - sum(size for _, size in sizes)
    taken = [*sizes, ("what cannot leave meanwhile", others)] if others else sizes
    return fail_at(
        op,
        f"needs {needed} bytes of TCM, there are {capacity}: {_listed(taken)}",
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
    """List the tensors in TCM that an op reads and makes, each by its first name, in quotes."""
    labels = [(value, operand_label(op, index)) for index, value in enumerate(op.operands)]
    labels += [(value, f"result {index}") for index, value in enumerate(op.results)]
    names: dict[SSAValue, str] = {}
    for value, name in labels:
        if in_tcm(value):
            names.setdefault(value, f"'{name}'")
    return names


def smallest_tile(
    op: Operation, inside: Mapping[SSAValue, str], tables: OpTables, alignment: int
) -> SmallestTile:
    """Find the smallest tile of an op that makes one; its sizes are empty where it makes none.

    They are of the tensors `inside` TCM, by name. Dims are cut to the least size that the tile
    planner tries; constants are cut too.
    """
    reader = TileReader(tables)
    reader.read(op)
    (tiled,) = reader.program().ops or (TilingOp(op.name, ()),)
    if not op.results:
        return SmallestTile((), (), ())
    result = _tensor(spec_of(op.results[0]))
    chunks = {dim: min(result.tile_sizes(dim), default=result.shape[dim]) for dim in tiled.cuts}
    parts: dict[SSAValue, Mapping[int, int]] = {}
    for (_, value), operand in zip(data_operands(op), tiled.operands, strict=True):
        # The block that a tile reads; all of an operand that is read in two ways.
        part = operand.window(chunks)
        parts[value] = part if parts.get(value, part) == part else {}
    parts.update(dict.fromkeys(op.results, chunks))
    sizes = [
        (name, round_up(_tensor(spec_of(value)).part(parts.get(value, {})), alignment))
        for value, name in inside.items()
    ]
    if scratch := tiled.scratch_bytes(chunks):
        sizes.append(("scratch", round_up(scratch, alignment)))
    shape = tuple(chunks.get(dim, extent) for dim, extent in enumerate(result.shape))
    return SmallestTile(shape, result.shape, sizes)


def _tensor(spec: TensorSpec) -> TilingTensor:
    """A tensor of the tiling planner, in the layout that it has."""
    kind = spec.place.layout if spec.place else LayoutKind.FLAT
    layout = LAYOUTS.get((kind, spec.dtype.itemsize))
    chunk = layout.chunk if layout else (1,) * spec.rank
    return TilingTensor(spec.shape, spec.dtype.itemsize, chunk)
