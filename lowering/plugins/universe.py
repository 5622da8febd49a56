"""The universe of a plugin: its passes and dialects, for the entry point `xdsl.universe`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from .function import PassFunction


def plugin_universe(
    *, passes: Iterable[PassFunction[...] | type[ModulePass]] = (), dialects: Iterable[Dialect] = ()
) -> Universe:
    """Return the value of an entry point `xdsl.universe`: passes and dialects by their names."""
    classes = [each.pass_type if isinstance(each, PassFunction) else each for each in passes]
    return Universe(
        all_passes={each.name: _giving(each) for each in classes},
        all_dialects={each.name: _giving(each) for each in dialects},
    )


def _giving(value: Any) -> Callable[[], Any]:
    return lambda: value
