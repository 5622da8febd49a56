"""The list of plugins that `--show-plugins` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...runtime.environment import KERNELS, PACKAGES, RULES
from ...runtime.plugins import LEFT_OUT, plugins
from ...runtime.tools.reading.loading import GROUP as FRONTENDS
from ...runtime.universe import GROUP as UNIVERSES
from ...runtime.universe import universe
from ..packages.loading import installed
from ..soc import GROUP as SOCS
from ..soc import installed_socs

_WORDS: Mapping[str, str] = {
    PACKAGES: "op package",
    RULES: "rules",
    KERNELS: "kernels",
    SOCS: "SoCs",
    FRONTENDS: "frontend for",
}
"""The word for each group but universes, of which every name is listed."""


def plugin_lines() -> Iterator[str]:
    """Yield the distributions with plugins, each followed by what it brings."""
    installed()
    installed_socs()
    rows = [*_universes(), *_others()]
    for origin in sorted({origin for origin, _ in rows}):
        yield origin
        yield from (f"  {line}" for owner, line in rows if owner == origin)
    if not rows:
        yield "no plugins"


def _universes() -> Iterator[tuple[str, str]]:
    """Yield each dialect, pass and target, and each universe that was left out."""
    own = {plugin.origin for plugin in plugins(UNIVERSES) if plugin.is_own}
    for (kind, name), origin in sorted(universe().origins.items()):
        if origin not in own:
            yield origin, f"{kind} {name}"
    for plugin in LEFT_OUT:
        if plugin.entry.group == UNIVERSES:
            yield plugin.origin, f"left out: universe {plugin.entry.name} ({plugin.entry.value})"


def _others() -> Iterator[tuple[str, str]]:
    for group, word in _WORDS.items():
        for plugin in plugins(group):
            left_out = "left out: " if plugin in LEFT_OUT else ""
            if not plugin.is_own:
                name = f"{word} {plugin.entry.name} ({plugin.entry.value})"
                yield plugin.origin, f"{left_out}{name}"
