"""The names that tensors have in the model that a module came from, while the module lives."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

_NAMES: WeakKeyDictionary[ModuleOp, Mapping[str, SSAValue]] = WeakKeyDictionary()


def note_names(module: ModuleOp, names: Mapping[str, SSAValue]) -> None:
    """Note which values of a module are the tensors of its model, by their names there."""
    _NAMES[module] = names


def names_of(module: ModuleOp) -> Mapping[str, SSAValue]:
    """Return the values of a module by the names of its model; passes may have dropped some."""
    return _NAMES.get(module, {})
