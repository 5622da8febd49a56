"""Schemas for ops that nobody described: those of native ops with operands like theirs.

Where a guess is wrong the op's own verifier refuses the graph; another one is drawn next time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from .....dialects.htp import NATIVE_OPS
from .....dialects.htp.base import NativeOp
from ..template import GraphTemplate, OpTemplate
from .common import Schema

Schemas = Mapping[type[Operation], Schema]


@dataclass(frozen=True)
class Signature:
    """How many results, how many operands, which of them are shapes, and params."""

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


def guessed(op_class: type[Operation], schemas: Schemas) -> Schema:
    """A schema that draws one of the guesses, the simplest of which is `alike`."""
    guesses = [Guess(alike, op_class), *_similar(op_class, schemas)]

    def schema(template: GraphTemplate, op: OpTemplate) -> None:
        template.choices.pick(guesses).apply(template, op)

    return schema


def alike(template: GraphTemplate, op: OpTemplate) -> None:
    """Results and tensors have one shape and dtype."""
    tensors = [slot for slot in (*op.operands, *op.results) if not slot.is_shape]
    for slot in tensors[1:]:
        template.same_dims(tensors[0], slot)
        template.same_dtype(tensors[0], slot)


def _similar(op_class: type[Operation], schemas: Schemas) -> list[Guess]:
    """One guess for each schema and row of names among the native ops of the same signature."""
    if not issubclass(op_class, NativeOp):
        return []
    wanted = _signature(op_class)
    native = (op for op in NATIVE_OPS.values() if _signature(op) == wanted)
    guesses: dict[tuple[Schema, tuple[str, ...]], Guess] = {}
    for op in native:
        for schema in (schemas[base] for base in op.__mro__ if base in schemas):
            guesses.setdefault((schema, op.OPERANDS), Guess(schema, op, op.OPERANDS))
    return list(guesses.values())


def _signature(op: type[NativeOp]) -> Signature:
    places = {name: place for place, name in enumerate(op.OPERANDS)}
    shapes = tuple(sorted(places[name] for name in op.SHAPES if name in places))
    params = tuple(sorted(places[name] for name in op.PARAMS if name in places))
    return Signature(op.RESULTS, len(op.OPERANDS), shapes, params)
