"""The kernels of the package `htp`, from an explicit list of modules.

A kernel module holds `KERNELS = KernelSet()` and declares with `KERNELS.kernel("Op", ...)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..registry import Kernel, KernelRegistry
from . import (
    activations,
    comparisons,
    conversions,
    convolution,
    copies,
    derived,
    elementwise,
    im2col,
    linear,
    movement,
    norm,
    pool,
    reductions,
    reference,
    reference_movement,
    reference_state,
    reference_valid,
    rnn,
    slices,
    softmax,
    upsampling,
)

SETS: tuple[Iterable[Kernel], ...] = (
    reference.KERNELS,
    reference_valid.KERNELS,
    reference_movement.KERNELS,
    reference_state.KERNELS,
    copies.KERNELS,
    elementwise.KERNELS,
    activations.KERNELS,
    linear.KERNELS,
    softmax.KERNELS,
    norm.KERNELS,
    rnn.KERNELS,
    movement.KERNELS,
    reductions.KERNELS,
    slices.KERNELS,
    convolution.KERNELS,
    upsampling.KERNELS,
    pool.KERNELS,
    im2col.KERNELS,
    comparisons.KERNELS,
    conversions.KERNELS,
    derived.KERNELS,
)
"""The kernel sets of this folder's modules; among kernels of equal cost the earlier wins."""

NATIVE = KernelRegistry(SETS)
"""All kernels of native ops."""
