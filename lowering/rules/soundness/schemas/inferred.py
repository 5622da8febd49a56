"""Results by trial: what the op's own `infer` says of operands that are drawn.

Dims and dtypes of the results are functions of one row of numbers: the operands' dims, dtypes and
elements. Once the row is known, an op of it is made, asked for its results and discarded.

Cost: one op for each different row; the last one is remembered, for all dims of its results.
Example: a Concat along the depth of operands 1x2x2x3 and 1x2x2x5 answers 1x2x2x8; the depth 8 is a
derived variable of the constraint system, and so are the other dims and the dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.htp.base import NativeOp
from .....dialects.htp.ops.const import const, shape
from .....dialects.spec_of import type_of
from .....dialects.value import RANK, Quant, TensorSpec
from ..drawing.constraint_system import IntVar
from ..drawing.template import ELEMENTS, GraphTemplate, OpTemplate, Slot

Specs = tuple[TensorSpec | None, ...]


def follow(
    template: GraphTemplate, op: OpTemplate, known: Collection[tuple[int, int]] = ()
) -> None:
    """State that dims and dtypes of the results are what the op infers, but for `known` dims."""
    native = op.op_class
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} infers nothing")
    # The row of numbers that the results are functions of.
    rows = tuple(map(OperandRow.of, op.operands))
    sources = [var for slot in op.operands for var in _sources(slot)]
    ask = lru_cache(maxsize=1)(partial(results_of, native, rows))
    # Each dtype and dim of a result is one of the answers to that row.
    for at, result in enumerate(op.results):
        template.derive(result.element, sources, partial(_element, ask, at))
        for dim in (dim for dim in range(RANK) if (at, dim) not in known):
            template.derive(result.dims[dim], sources, partial(_dim, ask, at, dim))


@dataclass(frozen=True)
class OperandRow:
    """An operand: whether it is a shape, and the places of its numbers in units."""

    is_shape: bool = False
    places: tuple[int, ...] = ()
    unit: float = 1.0

    @classmethod
    def of(cls, slot: Slot) -> OperandRow:
        """Return the row of an operand."""
        return cls(slot.is_shape, tuple(slot.numbers), float(slot.unit))

    def value(self, block: Block, numbers: Iterator[int]) -> SSAValue:
        """Make the operand of its numbers: dims, dtype, then those that it holds."""
        dims = tuple(next(numbers) for _ in range(RANK))
        if self.is_shape:
            op: Operation = shape(dims)
        else:
            dtype = ELEMENTS[next(numbers)]
            quant = Quant((1.0,), (0,)) if dtype.is_quantized else None
            spec = TensorSpec(dims, dtype, quant)
            if not self.places:
                return block.insert_arg(type_of(spec), len(block.args))
            array = np.zeros(dims, dtype.storage)
            for place in self.places:
                array.flat[place] = next(numbers) * self.unit
            op = const(array, spec)
        block.add_op(op)
        return op.results[0]


def _sources(slot: Slot) -> Iterator[IntVar]:
    yield from slot.dims
    if not slot.is_shape:
        yield slot.element
        yield from slot.numbers.values()


def results_of(native: type[NativeOp], rows: Sequence[OperandRow], *numbers: int) -> Specs:
    """Return the results that the op infers; none where the operands do not fit together."""
    block, each = Block(), iter(numbers)
    try:
        op = native.create(operands=[row.value(block, each) for row in rows])
        block.add_op(op)
        op.verify_operands()
        return op.infer()
    except (VerifyException, IndexError):
        return ()


def _dim(ask: Callable[..., Specs], at: int, dim: int, *numbers: int) -> int | None:
    """Return a dim of a result; None where nothing follows."""
    spec = _result(ask, at, numbers)
    return None if spec is None or spec.rank != RANK else spec.shape[dim]


def _element(ask: Callable[..., Specs], at: int, *numbers: int) -> int | None:
    """Return the position of a result's dtype; None where nothing follows."""
    spec = _result(ask, at, numbers)
    return None if spec is None or spec.dtype not in ELEMENTS else ELEMENTS.index(spec.dtype)


def _result(ask: Callable[..., Specs], at: int, numbers: tuple[int, ...]) -> TensorSpec | None:
    specs = ask(*numbers)
    return specs[at] if at < len(specs) else None
