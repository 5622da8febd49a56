"""The dialects and kernels of the packages in use, which read and run models.

The runtime knows no op packages. Who has the value of an entry point makes the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from xdsl.context import Context

from ...dialects.diagnostics import fail
from .plugins import plugins
from .universe import universe as universe
from .universe import way_down as way_down

if TYPE_CHECKING:
    from ..kernel.library import Library

PACKAGES = "htp_mlir.packages"
"""Entry points of this group are op packages that are always in use."""
RULES = "htp_mlir.rules"
"""Entry points of this group are rules, or tables of rules, that are always in use."""
KERNELS = "htp_mlir.kernels"
"""Entry points of this group are kernel sets that are always in use."""

MAKERS = "htp_mlir.environments"
"""The entry point of this group is called with sources of packages and gives an environment."""


FALLBACKS = "htp_mlir.fallbacks"
"""Entry points of this group make a library run ops that only their own framework knows."""


class Environment(Protocol):
    """Gives what reads and what runs the ops of some packages."""

    def context(self) -> Context:
        """Make a context with the dialects of all packages."""

    @property
    def library(self) -> Library:
        """The kernels of all packages."""


@dataclass(frozen=True)
class Plain:
    """The environment without op packages of users."""

    def context(self) -> Context:
        """Make a context with every installed dialect; each is imported when text uses it."""
        context = Context()
        for name, dialect in universe().all_dialects.items():
            context.register_dialect(name, dialect)
        return context

    @property
    def library(self) -> Library:
        """The project's own kernels."""
        from ..kernels import standard_library

        return standard_library()


def environment(sources: Sequence[str], **settings: object) -> Environment:
    """Make the environment of the installed packages and of those in files and modules.

    `settings` say how C++ text is read and built. HtpError where one cannot be loaded or does not
    fit the others.
    """
    return _maker()(*sources, **settings) if sources else installed()


def with_fallbacks(library: Library) -> Library:
    """Let a library run the ops of other frameworks that are kept in a graph unchanged."""
    for entry in entry_points(group=FALLBACKS):
        library = entry.load()(library)
    return library


@cache
def installed() -> Environment:
    """Make the environment of the installed packages alone."""
    return _maker()() if any(map(plugins, (PACKAGES, RULES, KERNELS))) else Plain()


def _maker() -> Callable[..., Environment]:
    for entry in entry_points(group=MAKERS):
        maker: Callable[..., Environment] = entry.load()
        return maker
    raise fail("op packages", "nothing is installed that loads them", "install htp-mlir again")
