"""What lies where in TCM, and from which op to which, as the types of an allocated block say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.views import views
from ....dialects.value.place import Memory
from ....dialects.value.spec import TensorSpec, spec_of
from .tcm import in_tcm


@dataclass(frozen=True)
class Stay:
    """A tensor's bytes in TCM and the positions, first and last included, of the ops it spans.

    `value` is None for scratch, which is no value and stays for its op alone.
    """

    value: SSAValue | None
    first: int
    last: int
    offset: int
    bytes: int


def wholes(ops: Iterable[Operation]) -> Mapping[SSAValue, SSAValue]:
    """For each value that lies in the bytes of another one, that one.

    Parts that are joined in place lie in the result, slices in place and what is only reshaped in
    their input, and what a wait gives in what was started.
    """
    return {share.part: share.whole for op in ops for share in views(op)}


def root(value: SSAValue, inside: Mapping[SSAValue, SSAValue]) -> SSAValue:
    """The value whose bytes a value lies in; itself where it has its own."""
    while value in inside:
        value = inside[value]
    return value


def spans(
    ops: Iterable[Operation], inside: Mapping[SSAValue, SSAValue]
) -> Mapping[SSAValue, tuple[int, int]]:
    """The positions of the first and last op that uses a value, or one that lies inside it."""
    found: dict[SSAValue, tuple[int, int]] = {}
    for index, op in enumerate(ops):
        for used in (*op.operands, *op.results):
            value: SSAValue | None = used
            while value is not None:
                found[value] = (found.get(value, (index, index))[0], index)
                value = inside.get(value)
    return found


def stays(block: Block) -> tuple[Stay, ...]:
    """The stay of each tensor that has an offset in TCM and bytes of its own."""
    ops = list(block.ops)
    inside = wholes(ops)
    found = [
        _stay(value, spec_of(value), *span)
        for value, span in spans(ops, inside).items()
        if value not in inside and in_tcm(value)
    ]
    return (*(stay for stay in found if stay), *_scratch(ops))


def _scratch(ops: Iterable[Operation]) -> Iterator[Stay]:
    for index, op in enumerate(ops):
        for spec in op.scratch_specs() if isinstance(op, NativeOp) else ():
            stay = _stay(None, spec, index, index)
            if stay:
                yield stay


def _stay(value: SSAValue | None, spec: TensorSpec, first: int, last: int) -> Stay | None:
    if spec.place is None or spec.memory is not Memory.TCM or spec.place.offset is None:
        return None
    return Stay(value, first, last, spec.place.offset, spec.nbytes)


class Occupancy:
    """Which bytes of TCM are in use at which positions; stays may be extended."""

    def __init__(self, held: Iterable[Stay]) -> None:
        rows = list(held)
        self._index = {stay.value: i for i, stay in enumerate(rows) if stay.value is not None}
        self._first = np.array([stay.first for stay in rows], np.int64)
        self._last = np.array([stay.last for stay in rows], np.int64)
        self._start = np.array([stay.offset for stay in rows], np.int64)
        self._end = np.array([stay.offset + stay.bytes for stay in rows], np.int64)

    def free(self, value: SSAValue, position: int) -> bool:
        """Whether nothing else uses a value's bytes from a position on until its own stay."""
        own = self._index[value]
        busy = (self._first < self._first[own]) & (self._last >= position)
        busy &= (self._start < self._end[own]) & (self._start[own] < self._end)
        return not bool(busy.any())

    def extend(self, value: SSAValue, position: int) -> None:
        """Let a value's stay begin earlier."""
        own = self._index[value]
        self._first[own] = min(position, int(self._first[own]))
