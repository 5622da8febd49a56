"""Kernels that follow from others: for further dtypes, and for mixed layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.ops.elementwise import BinaryOp, ChoiceOp, UnaryOp
from ....dialects.value.dtypes import DType
from ....dialects.value.place import FLAT_TCM
from ...kernel.kernel import BoundCall, Cost, Kernel, KernelSlot
from ...tensors.tensors import Tensor
from ..semantics.reference import REFERENCE
from ..support.families import CROUTONS, NUMBERS, WHOLES, RealKernels, classes
from .extremes import extremes
from .stored import stored_weights
from .tables import tables
from .variants import by_op, dtype_variants, for_family, plain_of, through_reals

_POINTWISE = {
    op.name
    for op in NATIVE_OPS.values()
    if op.CORE is None and issubclass(op, UnaryOp | BinaryOp | ChoiceOp)
}


def derived(declared: Iterable[Iterable[Kernel]]) -> list[Kernel]:
    """Derive the kernels from the sets of f32 kernels among the declared ones."""
    sets = [kernels for kernels in declared if isinstance(kernels, RealKernels)]
    reals = [kernel for kernels in sets for kernel in kernels]
    elementwise = {kernel.op for kernels in sets if kernels.elementwise for kernel in kernels}
    groups = by_op(reals)

    def otherwise(op: str) -> Callable[..., BoundCall]:
        """An op's kernel on tensors read as real numbers, else its reference."""
        return through_reals(plain_of(groups.get(op, [])) or REFERENCE[op])

    return [
        *tables(otherwise),
        *extremes(otherwise),
        *dtype_variants(reals, elementwise),
        *stored_weights(reals),
        *_for_integers(reals),
        *_for_mixed_placements(sorted({*elementwise, *_POINTWISE, "htp.BiasAdd"})),
    ]


def _for_integers(reals: Sequence[Kernel]) -> Iterator[Kernel]:
    """The reference on i32 tensors wherever an f32 kernel takes f32 ones."""
    for op, kernels in by_op(reals).items():
        yield from for_family(kernels, WHOLES, replace(REFERENCE[op], cost=Cost.SNAIL))


def _for_mixed_placements(ops: Iterable[str]) -> Iterator[Kernel]:
    """The reference on operands of any layout and memory, for results in croutons or TCM."""
    dtypes = (*NUMBERS, DType.Int64, DType.Bool8)
    results = KernelSlot.of("out", classes(dtypes, FLAT_TCM, *CROUTONS))
    for op in ops:
        yield replace(
            REFERENCE[op],
            name="mixed",
            cost=Cost.SNAIL,
            outputs=(results,),
            inputs=(KernelSlot("operands", Tensor),),
            variadic=True,
        )
