"""Schemas for ops that nobody described: those of native ops with operands like theirs.

Where a guess is wrong the op's own verifier refuses the graph; another one is drawn next time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from .....dialects.htp.base import NativeOp
from ..template import GraphTemplate, OpTemplate
from .common import Schema


@dataclass(frozen=True)
class Signature:
    """The number of results and operands, and the positions of shapes and params."""

    results: int
    operands: int
    shapes: tuple[int, ...]
    params: tuple[int, ...]


@dataclass(frozen=True)
class Guess:
    """The schema of a native op, by which another op is taken for one like it."""

    schema: Schema
    op: type[Operation]
    names: tuple[str, ...] = ()

    def apply(self, template: GraphTemplate, op: OpTemplate) -> None:
        """State what holds, if the guess is right."""
        self.schema(template, replace(op, op_class=self.op, names=self.names))


def distinct(op_class: type[Operation], similar: Iterable[Guess]) -> tuple[Guess, ...]:
    """Return the guesses to draw from, the simplest of which is `alike`."""
    guesses = {(guess.schema, guess.names): guess for guess in reversed(tuple(similar))}
    return (Guess(alike, op_class), *reversed(guesses.values()))


def alike(template: GraphTemplate, op: OpTemplate) -> None:
    """Give results and tensors one shape and dtype."""
    tensors = [slot for slot in (*op.operands, *op.results) if not slot.is_shape]
    for slot in tensors[1:]:
        template.same_dims(tensors[0], slot)
        template.same_dtype(tensors[0], slot)


def signature(op: type[NativeOp], operands: int) -> Signature:
    """Read the signature of an op with this number of operands."""
    places = {name: place for place, name in enumerate(op.OPERANDS)}
    shapes = tuple(sorted(places[name] for name in op.SHAPES if name in places))
    params = tuple(sorted(places[name] for name in op.PARAMS if name in places))
    return Signature(op.RESULTS, operands, shapes, params)
