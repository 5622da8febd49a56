"""The kernels of the package `htp`, from an explicit list of modules.

A kernel module holds `KERNELS = KernelSet()` and declares with `KERNELS.kernel("Op", ...)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..kernel.kernel import Kernel
from ..kernel.registry import KernelRegistry
from .derived import derived
from .f32 import (
    activations,
    comparisons,
    convolution,
    elementwise,
    im2col,
    linear,
    norm,
    pool,
    reductions,
    rnn,
    softmax,
    upsampling,
)
from .moves import conversions, copies, movement, slices
from .semantics import reference, written_out

SETS: tuple[Iterable[Kernel], ...] = (
    reference.KERNELS,
    written_out.KERNELS,
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
