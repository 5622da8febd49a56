"""The kernels of the package `htp`, from an explicit list of modules.

A kernel module holds `KERNELS = KernelSet()`, or `RealKernels()` where kernels for other dtypes
follow from its own, and declares with `KERNELS.kernel("Op", ...)` or `KERNELS.add("Op", ...)`.
"""

from collections.abc import Iterable

from ..kernel.kernel import Kernel
from ..kernel.library import KernelRegistry, Library
from .derived.derived import derived
from .f32 import attention, convolution, elementwise, images, linear, norm, rnn
from .moves import movement, slices
from .semantics import reference

_MODULES = (
    reference,
    elementwise,
    linear,
    attention,
    norm,
    rnn,
    movement,
    slices,
    convolution,
    images,
)
_DECLARED: tuple[Iterable[Kernel], ...] = (
    *(module.KERNELS for module in _MODULES),
    convolution.STORED,
    elementwise.COMPARISONS,
)

DERIVED = derived(_DECLARED)
"""The kernels for other dtypes and mixed layouts that follow from the declared ones."""

SETS: tuple[Iterable[Kernel], ...] = (*_DECLARED, DERIVED)
"""The kernel sets of these modules and the derived one; among equal costs the earlier wins."""

NATIVE = KernelRegistry(SETS)
"""All kernels of native ops."""


def standard_library() -> Library:
    """Collect the project's own kernels and the evaluators of graph ops."""
    return Library(NATIVE, reference.GRAPH, reference.GRAPH_STATEFUL)
