"""The environment of an evaluation: bound tags, the splits around it, and the graph options."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Protocol

from xdsl.ir import SSAValue

from ....dialects.diagnostics import fail, listed
from .graph import EvaluationError, Node, Number, OpTables

OptionValue = bool | int | float | str
DEFAULT_TCM = 8 * 1024 * 1024
RELAXED = "relaxed_precision_flag"
"""The option by which floats may be computed as halves."""
_OFF = ("", "0", "false", "off", "no")


@dataclass(frozen=True)
class GraphOptions:
    """Named numbers that steer rules; sizes in bytes.

    `tcm_size_for_tiling` is half of `tcm_size` unless given. `extra` holds further options by name.
    """

    tcm_size: int = DEFAULT_TCM
    tcm_size_for_tiling: int = -1
    tile_height: int = 8
    autothread_hvx_ntiles: int = 4
    autothread_hmx_ntiles: int = 4
    relaxed_precision_flag: bool = False
    extra: Mapping[str, OptionValue] = field(default_factory=dict[str, OptionValue])

    def __post_init__(self) -> None:
        if self.tcm_size_for_tiling < 0:
            object.__setattr__(self, "tcm_size_for_tiling", self.tcm_size // 2)
        for name in ("tile_height", "autothread_hvx_ntiles", "autothread_hmx_ntiles"):
            if self.values()[name] < 1:
                problem = f"{self.values()[name]} is not >= 1"
                raise fail(f"graph option {name}", problem, "give a number from 1 on")

    def values(self) -> dict[str, Number]:
        """Return every option as a number, by name; a string reads as 0 or 1."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "extra"}
        return {name: _number(value) for name, value in {**own, **self.extra}.items()}

    def value(self, name: str) -> Number:
        """Return one option; HtpError where no option has this name."""
        if name in self.extra:
            return _number(self.extra[name])
        if name == "extra" or name not in _NAMES:
            known = f"{listed(name, self.values())}; set it as an extra"
            raise fail(f"graph option '{name}'", "unknown", known)
        number: Number = getattr(self, name)
        return number

    def is_on(self, name: str) -> bool:
        """Test that the option exists and is not 0."""
        return (name in self.extra or name in _NAMES) and bool(self.value(name))


_NAMES = frozenset(f.name for f in fields(GraphOptions)) - {"extra"}


def _number(value: OptionValue) -> Number:
    return int(value.lower() not in _OFF) if isinstance(value, str) else value


@dataclass(frozen=True)
class Split:
    """One slice of a split: the dim of the output, the start and the size along it."""

    dim: int
    start: int
    size: int
    index: int = 0


def to_stderr(message: str) -> None:
    """Print a message of a rule to stderr, apart from IR text."""
    print(message, file=sys.stderr)


def silent(message: str) -> None:
    """Print nothing: for rules that are evaluated again, or on graphs that nobody sees."""


class UserFunction(Protocol):
    """A Python function that rules call by name; it may take the environment first."""

    @property
    def function(self) -> Callable[..., object] | None:
        """The function; None for a name alone."""

    @property
    def takes_env(self) -> bool:
        """The environment is its first operand."""

    def __call__(self, *args: object) -> object:
        """Call the function as plain Python would."""


@dataclass
class Env:
    """The values of the names of one match.

    `tables` describe the ops of the packages in use; a rule set that no package has made has none.
    """

    bindings: Mapping[str, SSAValue]
    options: GraphOptions
    package: str = "htp"
    externals: Mapping[str, UserFunction] = field(default_factory=dict)
    tables: OpTables | None = None
    report: Callable[[str], None] = to_stderr
    splits: dict[str, Split] = field(default_factory=dict)

    def node(self, tag: str) -> Node:
        """Return the node that a tag is bound to; EvaluationError where none is."""
        if tag not in self.bindings:
            raise EvaluationError(f'"{tag}" is in an alternative that does not match here')
        return Node(self.bindings[tag])

    @contextmanager
    def inside(self, variable: str, split: Split) -> Iterator[None]:
        """Bind a split tag while its slice is built."""
        outer = self.splits.get(variable)
        self.splits[variable] = split
        try:
            yield
        finally:
            if outer is None:
                del self.splits[variable]
            else:
                self.splits[variable] = outer
