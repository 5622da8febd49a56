"""The environment of an evaluation: bound tags, graph options, the splits around it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.ir import SSAValue

from .graph import Node
from .options import GraphOptions
from .tables import OpTables
from .types import EvaluationError


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
