"""The modes of `htp-opt` that list the passes and the dialects that it knows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields

from xdsl.context import Context
from xdsl.passes import ModulePass
from xdsl.utils.hints import type_repr

from ...dialects.counted import counted
from ...dialects.diagnostics import HtpError
from ...runtime.universe import universe

_OURS = "htp-mlir"


def pass_lines(available: Mapping[str, Callable[[], type[ModulePass]]]) -> Iterator[str]:
    """Yield a line for each pass, its options below, by the distribution that brings them."""
    sources = _sources("pass")
    for source in _in_order(sources.get(name, "") for name in available):
        yield f"{source or 'elsewhere'}:"
        for name in sorted(available):
            if sources.get(name, "") == source:
                try:
                    kind = available[name]()
                except HtpError as error:
                    yield f"  {name}: {error.faults[0].problem}"
                    continue
                text = kind.__doc__ or ""
                # A dataclass without a docstring has its signature in place of one.
                is_own = not text.startswith(f"{kind.__name__}(")
                line = inspect.cleandoc(text).partition("\n")[0] if is_own else ""
                yield f"  {name}: {line}".rstrip(": ")
                yield from (f"    {text}" for text in _options(kind))


def dialect_lines(ctx: Context) -> Iterator[str]:
    """Yield a line for each dialect, by the distribution that brings it."""
    sources = _sources("dialect")
    names = sorted(ctx.registered_dialect_names)
    for source in _in_order(sources.get(name, "") for name in names):
        yield f"{source or 'packages in use'}:"
        for name in names:
            if sources.get(name, "") == source:
                try:
                    dialect = ctx.get_dialect(name)
                except HtpError as error:
                    yield f"  {name}: {error.faults[0].problem}"
                    continue
                ops = counted(len(list(dialect.operations)), "op")
                attributes = counted(len(list(dialect.attributes)), "attribute")
                yield f"  {name}: {ops}, {attributes}"


def _sources(kind: str) -> dict[str, str]:
    """Return the distribution of each name, without its version."""
    origins = universe().origins
    return {name: origins[of, name].partition(" ")[0] for of, name in origins if of == kind}


def _in_order(sources: Iterator[str]) -> Sequence[str]:
    """Return ours, then the others by name."""
    return sorted(set(sources), key=lambda source: (source != _OURS, source))


def _options(kind: type[ModulePass]) -> Iterator[str]:
    for option in fields(kind):
        if option.init and option.name != "name":
            type_ = option.type if isinstance(option.type, str) else type_repr(option.type)
            default = option.default
            is_plain = isinstance(default, str | int | float) and default != ""
            shown = str(default).lower() if isinstance(default, bool) else default
            yield f"{option.name.replace('_', '-')} ({type_}){f' = {shown}' if is_plain else ''}"
