"""Marks that join tensors of no node in two modules: the place of the op, and the structure.

The structure of a tensor is its op with those of its operands, in order: two tensors have one
structure where ops of the same names and types compute both from the same inputs. Attributes, with
the data of constants, do not count. Equal marks are numbered in order.

A structure is a digest of digests, of which each value has one. Cost: linear in the uses.
Example: of `a = Relu(x); b = Relu(x); c = Neg(b)` a and b are #1 and #2 of one structure; c is
joined with the Neg of `d = Relu(x); e = Neg(d)`, since a and b are computed alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256

from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.locations import position_of
from ..program.program import Program

Marks = Mapping[str, tuple[str, ...]]
"""The marks of each tensor, `place ...` and `structure ...`, the best first."""


def marks(program: Program, names: Mapping[str, SSAValue]) -> dict[str, tuple[str, ...]]:
    """Mark the tensors of a program."""
    known = {value: f"input {name}" for name, value in program.inputs.items()}
    counts, marked = Counter[str](), {}
    for name, value in names.items():
        texts = [f"structure {structure(value, known)}"]
        if isinstance(value.owner, Operation) and (place := position_of(value.owner)):
            texts.insert(0, f"place {place} {value.owner.name}")
        counts.update(texts)
        marked[name] = tuple(f"{text}#{counts[text]}" for text in texts)
    return marked


def structure(value: SSAValue, known: dict[SSAValue, str]) -> str:
    """Return the digest of how a value is computed; `known` has inputs, and gets what is asked."""
    waiting = [value]
    while waiting:
        owner = waiting[-1].owner
        operands = owner.operands if isinstance(owner, Operation) else ()
        unknown = [operand for operand in operands if operand not in known]
        if unknown and waiting[-1] not in known:
            waiting += unknown
            continue
        last = waiting.pop()
        if last not in known and isinstance(last, OpResult):
            kinds = [last.op.name, str(last.index), str(last.type)]
            parts = [*kinds, *(known[each] for each in operands)]
            known[last] = sha256("\0".join(parts).encode()).hexdigest()
        known.setdefault(last, "argument")
    return known[value]
