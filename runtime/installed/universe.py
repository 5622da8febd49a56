"""The dialects, passes and targets of all installed distributions, and whose each of them is."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from ...dialects.diagnostics import fail
from .plugins import OFF_REMEDY, Plugin, guarded, loaded, optional

T = TypeVar("T")
Table = dict[str, Callable[[], Any]]
"""Functions that import something, by its name."""

GROUP = "xdsl.universe"
"""Entry points of this group are universes: every xDSL tool has their dialects and passes."""
_KINDS: Mapping[str, Callable[[Any], str | None]] = {
    "dialect": lambda value: value.name if isinstance(value, Dialect) else None,
    "pass": lambda value: _class_name(value, ModulePass),
    "target": lambda value: _class_name(value, Target),
}
"""For each kind, the name that a value says of itself; None where it is of another kind."""


def _class_name(value: object, base: type) -> str | None:
    is_one = isinstance(value, type) and issubclass(value, base)
    return getattr(value, "name", "") if is_one else None


class Multiverse(Universe):
    """A universe that knows the distribution of each name."""

    def __init__(self) -> None:
        super().__init__()
        self.origins: dict[tuple[str, str], str] = {}
        """Name and version of the distribution, by kind (`pass`, `dialect`, `target`) and name."""
        self.guests: set[str] = set()
        """The dialects that distributions but ours and xDSL bring."""

    def add(self, plugin: Plugin, universe: Universe) -> None:
        """Take up a universe whole; HtpError where one of its names is taken."""
        for kind, own, theirs in self._tables(universe):
            for name in theirs.keys() & own.keys():
                problem = f"{kind} '{name}' is also of {self.origins[kind, name]}"
                raise fail(plugin.label, problem, "rename it")
        for kind, own, theirs in self._tables(universe):
            for name, load in theirs.items():
                own[name] = load if plugin.is_own else _checked(plugin, kind, name, load)
                self.origins[kind, name] = plugin.origin
                if kind == "dialect" and not plugin.is_own:
                    self.guests.add(name)

    def _tables(self, other: Universe) -> tuple[tuple[str, Table, Table], ...]:
        return (
            ("dialect", self.all_dialects, other.all_dialects),
            ("pass", self.all_passes, other.all_passes),
            ("target", self.all_targets, other.all_targets),
        )


@cache
def universe() -> Multiverse:
    """Collect the universes of all installed distributions; a broken one is a warning."""
    everything = Multiverse()
    for each in loaded(GROUP, _universe):
        with optional(each.plugin):
            everything.add(each.plugin, each.value)
    return everything


def guests() -> list[str]:
    """List the dialects that distributions but ours and xDSL bring."""
    return sorted(universe().guests)


def guest_ops(dialect: str) -> dict[str, type[IRDLOperation]]:
    """Return the ops of a dialect of another distribution by name; none of another dialect."""
    if dialect not in guests():
        return {}
    operations = universe().all_dialects[dialect]().operations
    return {op.name: op for op in operations if issubclass(op, IRDLOperation)}


def way_down(dialect: str, otherwise: str, *, has_kernel: bool = False) -> str:
    """Say what makes an op of a plugin's dialect run: a pass of that plugin, or a kernel.

    `otherwise` is the remedy for an op of another dialect.
    """
    if dialect not in guests():
        return otherwise
    origins = universe().origins
    of = origins["dialect", dialect]
    passes = sorted(name for (kind, name), each in origins.items() if (kind, each) == ("pass", of))
    lower = f"lower it by a pass of {of}: {', '.join(passes) or 'write one'}"
    kernel = f'or give it a kernel: a KernelSet("{dialect}") as entry point htp_mlir.kernels'
    return lower if has_kernel else f"{lower}; {kernel}"


def _universe(_: str, value: object) -> Universe:
    if not isinstance(value, Universe):
        raise fail("its value", f"is {value!r}", "name a Universe of xDSL")
    return value


def _checked(plugin: Plugin, kind: str, name: str, load: Callable[[], T]) -> Callable[[], T]:
    """Return a loader whose errors name the plugin, and that refuses what it does not promise."""
    where = f"{kind} '{name}' of {plugin.origin}"

    def checked() -> T:
        value = guarded(where, load)
        if (own := _KINDS[kind](value)) is None:
            raise fail(where, f"{value!r} is no {kind}", OFF_REMEDY)
        if own != name:
            raise fail(where, f"calls itself '{own}'", "list it by its own name")
        return value

    return checked
