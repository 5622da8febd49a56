"""The options of a pass, read off the keyword arguments of its function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, field
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.diagnostics import fail

_LEAVES = (int, float, bool, str, NoneType, Ellipsis)
_WORDS = "an option is an int, float, bool or str, a tuple of these, or one of these or None"

_TAKEN = {"name", "work", *dir(ModulePass)}
"""The names that are not options, because a pass has them."""

Option = tuple[str, Any, Field[Any]]
"""Name, type and default, as dataclasses take them."""


def options_of(function: Callable[..., None], positional: int, where: str) -> list[Option]:
    """Read the options off a function's keyword-only arguments.

    HtpError for other than `positional` arguments before them, and for a type that no pipeline can
    write.
    """
    parameters = list(signature(function).parameters.values())
    before = [each for each in parameters if each.kind is not Parameter.KEYWORD_ONLY]
    if len(before) != positional or any(each.kind in _VARIADIC for each in before):
        problem = f"takes {len(before)} arguments before '*', not {positional}"
        raise fail(where, problem, "make the options keyword-only, behind '*'")
    return list(_options(function, parameters[positional:], where))


_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def _options(
    function: Callable[..., None], parameters: list[Parameter], where: str
) -> Iterator[Option]:
    types = _types(function, where)
    for parameter in parameters:
        name, default = parameter.name, parameter.default
        if name in _TAKEN:
            raise fail(where, f"option '{name}' has a name that passes use", "rename it")
        if name not in types:
            raise fail(where, f"option '{name}' has no type", _WORDS)
        if not _is_option_type(types[name]):
            raise fail(where, f"option '{name}' is of type {types[name]}", _WORDS)
        yield name, types[name], field(default=MISSING if default is Parameter.empty else default)


def _types(function: Callable[..., None], where: str) -> dict[str, Any]:
    """Resolve the annotations; HtpError where one names nothing."""
    try:
        return get_type_hints(function)
    except NameError as error:
        problem = f"has an annotation that means nothing: {error}"
        raise fail(where, problem, "import the name outside TYPE_CHECKING") from error


def root_of(function: Callable[..., None], where: str) -> tuple[type[Any], ...]:
    """Return the op classes that annotate the first argument, one or `A | B`; else HtpError."""
    first = next(iter(signature(function).parameters), "")
    root = _types(function, where).get(first)
    classes = get_args(root) or (root,)
    if all(isinstance(each, type) and issubclass(each, Operation) for each in classes):
        return classes
    words = "nothing" if root is None else getattr(root, "__name__", str(root))
    problem = f"the first argument is annotated with {words}, which is no class of ops"
    raise fail(where, problem, "annotate it with the class of the ops to rewrite")


def _is_option_type(option: Any) -> bool:
    if get_origin(option) in (Union, UnionType, tuple):
        return all(map(_is_option_type, get_args(option)))
    return option in _LEAVES
