"""The origin of an op: its nodes of the model and places in a text; and the names of its tensors.

An op that one node became has that node's location. An op in place of several has them all in
one FusedLoc, each once, that of the op which it replaces first.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    DictionaryAttr,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike

from .diagnostics import Position


def shown_path(path: Path | str) -> str:
    """Return a path as messages show it: relative below the current folder, else unchanged.

    It is asked when the message is made, since a program may go to another folder.
    """
    return str(path).removeprefix(os.path.join(os.getcwd(), ""))


NAME = "htp.name"
"""The name of an argument or result of `@main`, or of the model's node that an op comes from."""
_SHOWN = 3
"""Origins of one op that a message names."""


@dataclass(frozen=True)
class Origin:
    """A node of the model, its `file:line:column`, and the path of the user's module around it.

    Each is empty where it is not known.
    """

    node: str = ""
    position: str = ""
    module: str = ""

    def __str__(self) -> str:
        node = f"'{self.node}'" if self.node else ""
        return " at ".join(filter(None, (f"{node}{inside(self.module)}".strip(), self.position)))


def inside(module: str) -> str:
    """Return the path of a module for the end of a name; empty where it is not known."""
    return f" in {module}" if module else ""


def node_of(op: Operation) -> str:
    """Return the name of the first node that an op comes from; empty if there is none."""
    node = op.attributes.get(NAME)
    if isinstance(node, StringAttr):
        return node.data
    names = (part.desc.data for part in _parts(op.location) if isinstance(part, NameLoc))
    return next(names, "")


def position_of(op: Operation) -> str:
    """Return the first `file:line:column` that an op comes from; empty if there is none."""
    return _position(op.location)


def place_of(op: Operation) -> Position | None:
    """Return the first place in a text that an op comes from."""
    return _place(op.location)


def source_name(op: Operation) -> str:
    """Return the op's name and, where the model gave them, its node's and its module's path.

    So `htp.Relu 'conv1'`, or `htp.Relu 'conv1' in encoder`.
    """
    node, first = node_of(op), next(_origins(op.location), Origin())
    return f"{op.name} '{node}'{inside(first.module)}" if node else op.name


def called(op: Operation) -> str:
    """Name an op to a reader: `htp.Relu 'conv1'`, else `htp.Relu %y` or `htp.Relu at net.mlir:3:5`.

    Its name alone is left for one of no node, no name in the text and no place.
    """
    if node_of(op):
        return source_name(op)
    if name := next((result.name_hint for result in op.results if result.name_hint), None):
        return f"{op.name} %{name}"
    place = position_of(op)
    return f"{op.name} at {place}" if place else op.name


def known_as(value: SSAValue) -> str:
    """Return the name that a reader knows a value by; empty if there is none.

    It is the node, `'conv1'`, else a name from the text, `%y`, else the place of the op there,
    `net.mlir:3:5`. A number, `%4`, does not count as a name: every pass gives values new ones.
    """
    op = value.owner if isinstance(value.owner, Operation) else None
    if op is not None and (node := node_of(op)):
        return f"'{node}'"
    if value.name_hint:
        return f"%{value.name_hint}"
    return position_of(op) if op is not None else ""


def origins_of(op: Operation) -> tuple[Origin, ...]:
    """Return all nodes and places that an op comes from, in the order of its location."""
    every, node = list(origins(op.location)), node_of(op)
    if node and all(origin.node != node for origin in every):
        # A name of the op's own comes first, with its place where that has no other name.
        unnamed = bool(every) and not every[0].node
        every.insert(0, replace(every.pop(0), node=node) if unnamed else Origin(node))
    return tuple(every)


def origins(location: LocationAttr) -> tuple[Origin, ...]:
    """Return all nodes and places of a location, each once."""
    return tuple(dict.fromkeys(_origins(location)))


def origins_text(op: Operation) -> str:
    """Name the origins of an op: `'conv1' at net.py:3:5, 'relu1' and 4 more`."""
    return listed(origins_of(op))


def listed(origins: Iterable[Origin]) -> str:
    """Name the first of some origins, and count the others."""
    texts = list(dict.fromkeys(map(str, origins)))
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def location_of(op: Operation) -> LocationAttr:
    """Return an op's location with the name of its node, which rules then pass on."""
    node = op.attributes.get(NAME)
    if not isinstance(node, StringAttr):
        return op.location
    is_named = any(isinstance(part, NameLoc) for part in _parts(op.location))
    return op.location if is_named else named(node.data, op.location)


def location_of_copy(value: SSAValue, reader: Operation) -> LocationAttr:
    """Return the location for a copy or view of a value: its maker's, else its reader's.

    A constant and an argument have no maker of the model.
    """
    maker = value.owner
    if not isinstance(maker, Operation) or maker.has_trait(ConstantLike):
        return location_of(reader)
    location = location_of(maker)
    return location_of(reader) if isinstance(location, UnknownLoc) else location


def named(node: str, place: Attribute = UNKNOWN_LOC) -> LocationAttr:
    """Return the location of a node of the model, with its place in a text if that is known.

    A module's path around a place, which is inside the node's location, is made so, too.
    """
    return NameLoc(StringAttr(node), NoneAttr() if isinstance(place, UnknownLoc) else place)


def fused(locations: Iterable[LocationAttr]) -> LocationAttr:
    """Return one location for all, each once and in order; unknown where none is known."""
    return _fused(tuple(locations))


def canonical(location: LocationAttr) -> LocationAttr:
    """Return a location as upstream builds it: a FusedLoc is flat, without what is unknown."""
    match location:
        case NameLoc(location=NoneAttr()):
            return location
        case NameLoc():
            return named(location.desc.data, canonical(_inner(location.location)))
        case CallSiteLoc():
            callee, caller = map(_inner, (location.callee, location.caller))
            return CallSiteLoc(canonical(callee), canonical(caller))
        case FusedLoc(metadata=NoneAttr()):
            return fused(canonical(_inner(part)) for part in _fused_parts(location))
        case _:
            return location


@lru_cache(maxsize=1 << 12)
def _fused(locations: tuple[LocationAttr, ...]) -> LocationAttr:
    """Fuse; equal locations are one object, so thousands of tiles share theirs."""
    flat = dict.fromkeys(part for location in locations for part in _flat(location))
    known = [part for part in flat if not isinstance(part, UnknownLoc)]
    match known:
        case []:
            return UNKNOWN_LOC
        case [only]:
            return only
        case _:
            return FusedLoc(ArrayAttr(known), NoneAttr())


def _flat(location: LocationAttr) -> Iterator[LocationAttr]:
    if isinstance(location, FusedLoc) and isinstance(location.metadata, NoneAttr):
        yield from map(_inner, _fused_parts(location))
    else:
        yield location


def _fused_parts(location: FusedLoc) -> tuple[Attribute, ...]:
    return tuple(location.locations) if isinstance(location.locations, ArrayAttr) else ()


def _inner(location: Attribute) -> LocationAttr:
    """Return a location inside another one, whose type xDSL does not state."""
    return cast(LocationAttr, location)


def _origins(location: Attribute) -> Iterator[Origin]:
    """Yield the node and the place of each location that was fused."""
    if isinstance(location, FusedLoc):
        for part in _fused_parts(location):
            yield from _origins(part)
        return
    name = next((part for part in _parts(location) if isinstance(part, NameLoc)), None)
    module = name.location if name else None
    origin = Origin(
        name.desc.data if name else "",
        _position(location),
        module.desc.data if isinstance(module, NameLoc) else "",
    )
    if origin != Origin():
        yield origin


def _position(location: Attribute) -> str:
    place = _place(location)
    return str(place) if place else ""


def _place(location: Attribute) -> Position | None:
    for part in _parts(location):
        if isinstance(part, FileLineColLoc):
            return Position(part.filename.data, part.line.data, part.column.data)
    return None


def _parts(location: Attribute) -> Iterator[Attribute]:
    """Yield a location and those inside it, outer ones first."""
    yield location
    inner: tuple[Attribute, ...] = ()
    match location:
        case NameLoc():
            inner = (location.location,)
        case CallSiteLoc():
            inner = (location.callee, location.caller)
        case FusedLoc():
            inner = _fused_parts(location)
    for part in inner:
        yield from _parts(part)


SOURCES: WeakKeyDictionary[ModuleOp, object] = WeakKeyDictionary()
"""The model, in the form of its importer, that each module was made from."""
_NAMES: WeakKeyDictionary[ModuleOp, Sequence[str]] = WeakKeyDictionary()
"""The names of the tensors of the model that each module was made from."""
_NAMED: WeakKeyDictionary[SSAValue, Sequence[str]] = WeakKeyDictionary()
"""The names of each value that is a tensor of its model."""


def note_names(module: ModuleOp, names: Mapping[str, SSAValue]) -> None:
    """Note which values of a module are the tensors of its model, by their names there."""
    _NAMES[module] = [*names]
    for name, value in names.items():
        _NAMED[value] = [*_NAMED.get(value, ()), name]


def pass_names(old: SSAValue, new: SSAValue, *, first: bool = False) -> None:
    """Give the names that a value has in the model to the one that takes its place.

    They come behind those that it has, or `first`.
    """
    parts = _NAMED.get(new, ()), _NAMED.pop(old, ())
    if names := [name for part in (parts[::-1] if first else parts) for name in part]:
        _NAMED[new] = names


def names_in_model(value: SSAValue) -> Sequence[str]:
    """Return the names that a value has in the model."""
    return _NAMED.get(value, ())


def names_of(module: ModuleOp) -> Mapping[str, SSAValue | None]:
    """Return the values of a module by the names of its model; None for one that is gone."""
    if module not in _NAMES:
        return {}
    blocks = (block for op in module.walk() for region in op.regions for block in region.blocks)
    values = [value for block in blocks for value in block.args]
    values += [value for op in module.walk() for value in op.results]
    named = {name: value for value in values for name in _NAMED.get(value, ())}
    return {name: named.get(name) for name in _NAMES[module]}


def clone_of_model(module: ModuleOp) -> ModuleOp:
    """Return a clone of a module that knows the model and its tensors as the module does."""
    mapper = dict[SSAValue, SSAValue]()
    clone = module.clone(mapper)
    if module in SOURCES:
        SOURCES[clone] = SOURCES[module]
    if module in _NAMES:
        _NAMES[clone] = _NAMES[module]
    for old, new in mapper.items():
        if old in _NAMED:
            _NAMED[new] = _NAMED[old]
    return clone


def names_attr(names: Iterable[str]) -> ArrayAttr[DictionaryAttr]:
    """Return the names of arguments or results as the function keeps them."""
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])
