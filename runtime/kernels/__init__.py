"""The kernels of the package `htp`, from an explicit list of modules.

A kernel module holds `KERNELS = KernelSet()` and declares with `KERNELS.kernel("Op", ...)`.
"""

from __future__ import annotations

from ..registry import KernelRegistry, KernelSet
from . import (
    copies,
    elementwise,
    reference,
    reference_movement,
    reference_state,
    reference_valid,
    slices,
)

SETS: tuple[KernelSet, ...] = (
    reference.KERNELS,
    reference_valid.KERNELS,
    reference_movement.KERNELS,
    reference_state.KERNELS,
    copies.KERNELS,
    elementwise.KERNELS,
    slices.KERNELS,
)
"""The kernel sets of this folder's modules; among kernels of equal cost the earlier wins."""

NATIVE = KernelRegistry(SETS)
"""All kernels of native ops."""
