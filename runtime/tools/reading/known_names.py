"""The names that a context knows, for errors about one that it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from ....dialects.faults.suggestions import did_you_mean

_FIRST = ("htp", "qti_aisw")
"""Dialects whose ops are proposed for any name."""


class KnownNames(Context):
    """A context that asks another one, and keeps the last name that it did not know."""

    def __init__(self, inner: Context) -> None:
        super().__init__(inner.allow_unregistered)
        self._inner = inner
        self.missing: str | None = None
        """The name that is not known."""
        self._known: Callable[[], Iterator[str]] = self._ops

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        """Look up an op."""
        op = self._inner.get_optional_op(name, dialect_stack=dialect_stack)
        self._note(name, op, self._ops)
        return op

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        """Look up a type."""
        type_ = self._inner.get_optional_type(name)
        self._note(name, type_, self._types)
        return type_

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        """Look up an attribute."""
        attribute = self._inner.get_optional_attr(name)
        self._note(name, attribute, self._attributes)
        return attribute

    def get_optional_dialect(self, name: str) -> Dialect | None:
        """Look up a dialect."""
        dialect = self._inner.get_optional_dialect(name)
        self._note(name, dialect, self._dialects)
        return dialect

    def remedy(self) -> str:
        """Ask for the names that are close to the missing one."""
        name = self.missing or ""
        dialects = [*self._dialects()]
        own = name.partition(".")[0]
        # A dialect is loaded when text names it; the one that was meant may not be yet.
        for near in (each for each in dialects if each in _FIRST or did_you_mean(own, [each])):
            self._inner.get_optional_dialect(near)
        otherwise = "correct the name, or name its package by --package"
        return did_you_mean(name, self._known(), otherwise)

    def _note(self, name: str, definition: object, known: Callable[[], Iterator[str]]) -> None:
        if definition is None:
            self.missing, self._known = name, known

    def _ops(self) -> Iterator[str]:
        return (op.name for op in self._inner.loaded_ops)

    def _types(self) -> Iterator[str]:
        return (type_.name for type_ in self._inner.loaded_types)

    def _attributes(self) -> Iterator[str]:
        return (attribute.name for attribute in self._inner.loaded_attrs)

    def _dialects(self) -> Iterator[str]:
        return iter(self._inner.registered_dialect_names)
