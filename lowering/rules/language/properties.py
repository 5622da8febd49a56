"""Tensor properties: the layout and memory that an op demands for each of its tensors.

Source: QNN HTP op package documentation, implementing ops, DEF_TENSOR_PROPERTIES.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import fail
from ....dialects.value import LayoutKind, Memory
from ..graph.graph import ROOT, TensorProperties
from ..tree.expr import Expr, OpForm, Tag

REST = "..."
"""All tensors that no earlier clause constrains for the property."""


@dataclass(frozen=True)
class Clause:
    """A property that certain tensors must have."""

    word: str
    value: LayoutKind | Memory
    tags: tuple[str, ...]


@dataclass(frozen=True)
class OutputNames:
    """Names of the outputs, from the first on."""

    tags: tuple[str, ...]


def Flat(*tags: str) -> Clause:
    """These tensors are in flat layout.

    Example: `Flat("*", "axis")`
    """
    return Clause("Flat", LayoutKind.FLAT, tags)


def Crouton(*tags: str) -> Clause:
    """These tensors are in crouton layout.

    Example: `Crouton("in")`
    """
    return Clause("Crouton", LayoutKind.CROUTON, tags)


def Tcm(*tags: str) -> Clause:
    """These tensors are in TCM.

    Example: `Tcm("*", "in")`
    """
    return Clause("Tcm", Memory.TCM, tags)


def MainMemory(*tags: str) -> Clause:
    """These tensors are in main memory.

    Example: `MainMemory("...")`
    """
    return Clause("MainMemory", Memory.DDR, tags)


def Outputs(*tags: str) -> OutputNames:
    """Names for the outputs, from the first on, which is `*` as well.

    Example: `Outputs("Y", "Y_h")`
    """
    return OutputNames(tags)


def tensor_properties(op: OpForm, *clauses: Clause | OutputNames) -> TensorProperties:
    """The properties of one op's tensors; the first clause that names a tensor wins.

    HtpError for a tag that neither the op nor Outputs() names, or that names two tensors.

    Example: `tensor_properties(Op("Argmax", "in", "axis"), Flat("*", "axis"), MainMemory("..."))`
    """
    inputs = tuple(_input_tag(op, expr) for expr in op.inputs)
    named = [tag for clause in clauses if isinstance(clause, OutputNames) for tag in clause.tags]
    outputs = tuple(named) or (ROOT,)
    known = (*outputs, *inputs)
    names = known if outputs[0] == ROOT else (ROOT, *known)
    _check_tags(op, names)
    demands = [clause for clause in clauses if isinstance(clause, Clause)]
    for clause in demands:
        _check(op, clause, names)
    layouts = _first_wins(known, [c for c in demands if isinstance(c.value, LayoutKind)])
    memories = _first_wins(known, [c for c in demands if isinstance(c.value, Memory)])
    return TensorProperties(
        op.name,
        inputs,
        outputs,
        tuple((tag, value) for tag, value in layouts if isinstance(value, LayoutKind)),
        tuple((tag, value) for tag, value in memories if isinstance(value, Memory)),
    )


def merge(rows: Sequence[TensorProperties]) -> dict[str, TensorProperties]:
    """Properties by op; HtpError where an op has two declarations."""
    merged: dict[str, TensorProperties] = {}
    for row in rows:
        if row.op in merged:
            raise fail(f"tensor properties of {row.op}", "are declared twice", "keep one of them")
        merged[row.op] = row
    return merged


def _input_tag(op: OpForm, expr: Expr) -> str:
    if isinstance(expr, Tag):
        return expr.name
    raise fail(
        f"tensor properties of {op.name}", f"{expr} stands among the inputs", "name each by a tag"
    )


def _check_tags(op: OpForm, known: Sequence[str]) -> None:
    where = f"tensor properties of {op.name}"
    for tag, count in Counter(known).items():
        if count > 1:
            raise fail(where, f"'{tag}' names {count} tensors", "give each tensor its own tag")
        if tag == REST:
            raise fail(where, f"'{REST}' names a tensor", "it means all others; take another tag")


def _check(op: OpForm, clause: Clause, known: Sequence[str]) -> None:
    for tag in clause.tags:
        if tag != REST and tag not in known:
            raise fail(
                f"tensor properties of {op.name}",
                f"{clause.word}() names '{tag}', which is no tag of the op",
                f"its tags are {', '.join(known)}",
            )


def _first_wins(
    known: Sequence[str], clauses: Sequence[Clause]
) -> list[tuple[str, LayoutKind | Memory]]:
    chosen: dict[str, LayoutKind | Memory] = {}
    for clause in clauses:
        for tag in clause.tags:
            for member in known if tag == REST else (known[0] if tag == ROOT else tag,):
                chosen.setdefault(member, clause.value)
    return list(chosen.items())
