"""The scratch of an op's kernel for a tile of the result, as the tiling planner asks for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import HtpError
from ....dialects.value import CHUNK_BYTES, Memory, TensorSpec, round_up
from ....runtime.kernel.kernel import Kernel, Operand
from ....runtime.kernel.library import KernelRegistry
from ...planner.tiling import AccessMap

Maps = Mapping[int, Mapping[int, AccessMap]]
"""Access maps of operands by position, by dim of the result."""


@dataclass(frozen=True)
class TileScratch:
    """The bytes of TCM that a kernel takes beside a tile; equal for ops of the same tensors.

    `maps` are an operand's position, a dim of the result and how the operand follows its cuts.
    """

    kernel: Kernel
    results: tuple[TensorSpec, ...]
    operands: tuple[Operand, ...]
    maps: tuple[tuple[int, int, AccessMap], ...]

    def __call__(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes for a tile of these extents; a hook that fails has allocation say so."""
        operands = list(self.operands)
        for at, dim, access in self.maps:
            operand = operands[at]
            if dim in sizes and isinstance(operand, TensorSpec):
                window = access.footprint.window(sizes[dim])
                operands[at] = _cut(operand, {access.dim: window})
        results = [_cut(result, sizes) for result in self.results]
        try:
            specs = self.kernel.scratch_specs(results, operands)
        except HtpError:
            return 0
        inside = (spec.nbytes for spec in specs if spec.memory is Memory.TCM)
        return sum(round_up(size, CHUNK_BYTES) for size in inside)


def tile_scratch(
    op: str,
    results: Sequence[TensorSpec],
    operands: Sequence[Operand],
    maps: Maps,
    kernels: KernelRegistry,
) -> TileScratch | None:
    """Make the function for an op whose tensors have their places; None where it has no scratch.

    An op that no kernel takes has none: the selection of kernels says why.
    """
    if not kernels.has_scratch(op):
        return None
    try:
        kernel = kernels.select(op, results, operands)
    except HtpError:
        return None
    if not kernel.scratch:
        return None
    followed = ((at, dim, access) for dim, by in maps.items() for at, access in by.items())
    return TileScratch(kernel, tuple(results), tuple(operands), tuple(followed))


def _cut(spec: TensorSpec, sizes: Mapping[int, int]) -> TensorSpec:
    """Cut a tensor to at most these extents."""
    shape = (min(sizes.get(dim, extent), extent) for dim, extent in enumerate(spec.shape))
    return spec.with_shape(tuple(shape))
