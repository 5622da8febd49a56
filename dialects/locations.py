"""The origin of an op: its node of the model and its place in a text, read off its location."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    StringAttr,
)
from xdsl.ir import Attribute, Operation

NAME = "htp.name"
"""The name of an argument or result of `@main`, or of the model's node that an op comes from."""


def node_of(op: Operation) -> str:
    """Return the name of the model's node that an op comes from; empty if there is none."""
    node = op.attributes.get(NAME)
    if isinstance(node, StringAttr):
        return node.data
    names = (part.desc.data for part in _parts(op.location) if isinstance(part, NameLoc))
    return next(names, "")


def position_of(op: Operation) -> str:
    """Return the `file:line:column` that an op comes from; empty if there is none."""
    for part in _parts(op.location):
        if isinstance(part, FileLineColLoc):
            return f"{part.filename.data}:{part.line.data}:{part.column.data}"
    return ""


def source_name(op: Operation) -> str:
    """Return the op's name and, where the model gave one, its node's: `htp.Relu 'conv1'`."""
    node = node_of(op)
    return f"{op.name} '{node}'" if node else op.name


def location_of(op: Operation) -> LocationAttr:
    """Return an op's location with the name of its node, which rules then pass on."""
    node = op.attributes.get(NAME)
    named = any(isinstance(part, NameLoc) for part in _parts(op.location))
    return NameLoc(node, op.location) if isinstance(node, StringAttr) and not named else op.location


def _parts(location: Attribute) -> Iterator[Attribute]:
    """Yield a location and those inside it, outer ones first."""
    yield location
    inner: tuple[Attribute, ...] = ()
    match location:
        case NameLoc():
            inner = (location.location,)
        case CallSiteLoc():
            inner = (location.callee, location.caller)
        case FusedLoc() if isinstance(location.locations, ArrayAttr):
            inner = tuple(location.locations)
    for part in inner:
        yield from _parts(part)
