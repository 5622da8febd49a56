"""Plugins: entry points of other distributions, checked, and left out where they are broken.

`HTP_MLIR_PLUGINS=off` leaves out all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Generic, TypeVar

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.op_faults import described

T = TypeVar("T")

SWITCH = "HTP_MLIR_PLUGINS"
"""The environment variable that switches plugins off."""
OFF_REMEDY = f"fix or uninstall it; {SWITCH}=off leaves out all plugins"
LEFT_OUT: set[Plugin] = set()
"""The plugins that were left out in this process, each after its warning."""
_OWN = ("xdsl", "htp-mlir")
"""The distributions that are not plugins, in the order in which theirs come."""


@dataclass(frozen=True)
class Plugin:
    """An entry point, and the distribution that has it."""

    entry: EntryPoint

    @property
    def origin(self) -> str:
        """The name and version of the distribution."""
        distribution = self.entry.dist
        return f"{distribution.name} {distribution.version}" if distribution else "(unknown)"

    @property
    def label(self) -> str:
        """The words that name the plugin in errors."""
        return f"plugin '{self.entry.name}' ({self.entry.group}) of {self.origin}"

    @cached_property
    def rank(self) -> tuple[int, str, str]:
        """The place in the order of plugins: our own first, then by distribution and name."""
        name = _name_of(self.entry.dist) if self.entry.dist else ""
        place = _OWN.index(name) if name in _OWN else len(_OWN)
        return place, name, self.entry.name

    @property
    def is_own(self) -> bool:
        """The entry point is of this project or of xDSL."""
        return self.rank[0] < len(_OWN)

    def load(self, make: Callable[[str, object], T]) -> T:
        """Import the value and make something of its name and it; HtpError where that fails."""
        return guarded(self.label, lambda: make(self.entry.name, self.entry.load()))


@lru_cache(maxsize=16)
def _name_of(distribution: Distribution) -> str:
    """The name of a distribution, whose metadata, a long text, is read anew for each answer."""
    return distribution.name


@dataclass(frozen=True)
class Loaded(Generic[T]):
    """A plugin with its value, ready for use."""

    plugin: Plugin
    value: T


def plugins(group: str) -> list[Plugin]:
    """List the entry points of a group, in their order, without those that are switched off."""
    listed = sorted(map(Plugin, entry_points(group=group)), key=lambda plugin: plugin.rank)
    return [plugin for plugin in listed if plugin.is_own or _are_on()]


def loaded(group: str, make: Callable[[str, object], T]) -> Iterator[Loaded[T]]:
    """Yield what the plugins of a group bring; a broken one is a warning."""
    for plugin in plugins(group):
        with optional(plugin):
            yield Loaded(plugin, plugin.load(make))


@contextmanager
def optional(plugin: Plugin) -> Iterator[None]:
    """Turn an error about a plugin into a warning of two lines that names its distribution."""
    try:
        yield
    except HtpError as error:
        if plugin.is_own:
            raise
        fault = error.faults[0]
        where = "" if fault.where == plugin.label else f"{fault.where}: "
        print(f"warning: {plugin.label} is left out: {where}{fault.problem}", file=sys.stderr)
        print(f"  {OFF_REMEDY}", file=sys.stderr)
        LEFT_OUT.add(plugin)


def guarded(where: str, load: Callable[[], T]) -> T:
    """Run code of a plugin; whatever it raises becomes an error that names the plugin."""
    try:
        return load()
    except HtpError:
        raise
    except (Exception, SystemExit) as error:
        raise fail(where, f"cannot be imported: {described(error)}", OFF_REMEDY) from error


def _are_on() -> bool:
    value = os.environ.get(SWITCH, "on").strip().lower()
    if value not in ("on", "off", ""):
        raise fail(SWITCH, f"is '{value}'", "set it to off, or to on")
    return value != "off"
