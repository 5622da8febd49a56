"""Arguments of public functions: the kind of each, and two lines for one of another kind.

Example: `@arguments(module=MODULE, path=PATH)` above `def save(module, path)`.

Sizes in bytes are read as people write them: 65536, 512K, 2M, 2MiB.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from importlib import import_module
from inspect import BoundArguments, Parameter, Signature, signature
from numbers import Integral, Real
from os import PathLike
from reprlib import repr as short
from typing import ParamSpec, TypeVar

from ..diagnostics import fail

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmg]?)(?:i?b)?", re.IGNORECASE)
_FACTOR = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
SIZE_WORDS = "a number of bytes, such as 65536, 512K, 2M or 2MiB"
"""The words for a size in messages."""


def size_of(where: str, name: str, size: int | str) -> int:
    """Read a size in bytes; K, M and G are powers of 1024, with B or iB behind them or without.

    HtpError for a text of another form, for parts of a byte, and for less than none.
    """
    if not isinstance(size, str) and size >= 0:
        return size
    match = _SIZE.fullmatch(str(size).strip())
    number = float(match[1]) * _FACTOR[match[2].lower()] if match else 0.5
    if not number.is_integer():
        raise fail(where, f"{name} is {size}", f"it must be {SIZE_WORDS}")
    return int(number)


P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class ArgumentKind:
    """A kind of argument: its name in messages, its test, and the remedy for another one."""

    name: str
    accepts: Callable[[object], bool]
    remedy: str


def a(name: str, *classes: type, remedy: str = "") -> ArgumentKind:
    """Make the kind of the instances of classes; truth values are not numbers."""

    def accepts(value: object) -> bool:
        return isinstance(value, classes) and not isinstance(value, bool)

    return ArgumentKind(name, accepts, remedy or f"give {name}")


def of_class(name: str, module: str, cls: str, remedy: str = "") -> ArgumentKind:
    """Make the kind of the instances of a class whose module is imported for the first value."""

    def accepts(value: object) -> bool:
        return isinstance(value, getattr(import_module(module), cls))

    return ArgumentKind(name, accepts, remedy or f"give {name}")


def many(kind: ArgumentKind) -> ArgumentKind:
    """Make the kind of a list of a kind; the items of an iterator are left to its reader."""

    def accepts(value: object) -> bool:
        return MANY.accepts(value) and (
            not isinstance(value, Collection) or all(map(kind.accepts, value))
        )

    return ArgumentKind(f"a list, each {kind.name}", accepts, kind.remedy)


def one_or_many(kind: ArgumentKind) -> ArgumentKind:
    """Make the kind of an argument that is one of a kind or a list of it."""
    several = many(kind)
    return replace(
        kind,
        name=f"{kind.name} or several",
        accepts=lambda value: kind.accepts(value) or several.accepts(value),
    )


def named(kind: ArgumentKind) -> ArgumentKind:
    """Make the kind of a dict from texts to a kind."""

    def accepts(value: object) -> bool:
        return isinstance(value, Mapping) and (
            all(map(TEXT.accepts, value)) and all(map(kind.accepts, value.values()))
        )

    return ArgumentKind(f"a dict, each {kind.name} by a name", accepts, "give a dict by name")


def _is_many(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


PATH = a("a path", str, PathLike)
TEXT = a("a text", str)
WHOLE = a("a whole number", Integral)
SIZE = a("a number of bytes", Integral, str, remedy="give a whole number, or a text such as 2M")
NUMBER = a("a number", Real)
ANYTHING = ArgumentKind("any value", lambda _: True, "give a value")
MANY = ArgumentKind("a list", _is_many, "give a list, also for a single one")
DIMS = named(WHOLE)
CONSTANTS = named(ANYTHING)
TEXTS = one_or_many(TEXT)
PATHS = one_or_many(PATH)
FUNCTION = ArgumentKind("a function", callable, "give a function")
MODULE = of_class(
    "a module", "xdsl.dialects.builtin", "ModuleOp", 'give a module, as of load_module("FILE")'
)
CONTEXT = of_class("a context", "xdsl.context", "Context", "give that of packages: .context()")


def arguments(**kinds: ArgumentKind) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Check the named arguments of a function before it runs; its defaults pass.

    HtpError for an argument of another kind names the function, the argument and its value.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        form = signature(function)

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            _check(function.__qualname__, form, form.bind(*args, **kwargs), kinds)
            return function(*args, **kwargs)

        return checked

    return decorate


def _check(
    function: str, form: Signature, bound: BoundArguments, kinds: Mapping[str, ArgumentKind]
) -> None:
    for name, value in bound.arguments.items():
        parameter = form.parameters[name]
        if name not in kinds or value is parameter.default:
            continue
        for each in value if parameter.kind is Parameter.VAR_POSITIONAL else (value,):
            require(f"{function.removesuffix('.__init__')}: argument '{name}'", each, kinds[name])


def require(where: str, value: object, kind: ArgumentKind) -> None:
    """Raise HtpError where a value is of another kind."""
    if not kind.accepts(value):
        plain = value is None or isinstance(value, str | int | float)
        shown = short(value) if plain else f"of type {type(value).__name__}"
        raise fail(where, f"is {shown}, not {kind.name}", kind.remedy)
