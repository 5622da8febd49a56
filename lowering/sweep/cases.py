"""The cases of a sweep and their outcomes: values that go to other processes as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from shlex import join, quote
from typing import ClassVar

from ...dialects.diagnostics import HtpError
from ...dialects.version import VERSION
from ...runtime.files.json_object import JsonObject


@dataclass(frozen=True, kw_only=True)
class Case:
    """A piece of work of a sweep, and the op packages that it needs.

    `folder` is the absolute folder where relative names of files begin, `digest` the sha256 of the
    files that are read: a case whose files have changed is another one.
    """

    AXES: ClassVar[tuple[str, ...]]
    """The fields that say in a table which case it is."""

    packages: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    folder: str = ""
    digest: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that the case reads, for its digest."""
        return tuple(source.rpartition("=")[2] for source in self.packages)

    @property
    def command(self) -> str:
        """The command that repeats the case alone."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """The name of the case in a journal: the same for the same work of the same version."""
        values = {**json.loads(self.text()), "folder": "", "version": VERSION}
        return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:32]

    def text(self) -> str:
        """Return the case as JSON on one line, from which `case_of` makes it again."""
        return json.dumps({"kind": type(self).__name__, **asdict(self)})

    def path(self, name: str) -> Path:
        """Return where a file of the case is, as it was named where this process can see it so."""
        return Path(name) if Path(self.folder) == Path.cwd() else Path(self.folder, name)

    def digest_of_files(self) -> str:
        """Return the sha256 of the files as they are now; folders and modules count by name."""
        total = sha256()
        for name in self.files:
            path = self.path(name)
            total.update(path.read_bytes() if path.is_file() else name.encode())
        return total.hexdigest()

    def _package_flags(self) -> list[str]:
        sources = [word for name in self.packages for word in ("--package", name)]
        return [*sources, *(word for name in self.include for word in ("-I", name))]


@dataclass(frozen=True, kw_only=True)
class Lowering(Case):
    """A model to lower for a SoC and a TCM size, in bytes; `options` are others of htp-lower.

    `dims` and `constants` are `NAME=SIZE` and `NAME=VALUE`, as the flags `--dim` and `--const`.
    """

    AXES = ("model", "soc", "tcm_bytes", "options")

    model: str
    soc: str
    tcm_bytes: int
    options: str = ""
    dims: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        return (self.model, *super().files)

    @property
    def pipeline(self) -> str:
        """The pass with its options, as `-p` takes it."""
        options = f"soc={self.soc} tcm-bytes={self.tcm_bytes} {self.options}".rstrip()
        return f"htp-lower{{{options}}}"

    @property
    def command(self) -> str:
        flags = [word for dim in self.dims for word in ("--dim", dim)]
        flags += [word for value in self.constants for word in ("--const", value)]
        words = [*self._package_flags(), *flags]
        return f"{join(['htp-opt', self.model, *words])} -p {quote(self.pipeline)}"


@dataclass(frozen=True, kw_only=True)
class RuleCheck(Case):
    """A rule to check on `cases` graphs that are drawn from a seed.

    Other processes know it by `definition`, its text; `rule` is its label for people.
    """

    AXES = ("rule", "seed", "cases")

    rule: str
    name: str
    place: str
    definition: str
    seed: int
    cases: int

    @property
    def command(self) -> str:
        words = [*self._package_flags(), "--package-rules", "all"]
        numbers = ["--seed", str(self.seed), "--cases", str(self.cases)]
        return join(["htp", "rules", "check", *words, "--rule", self.place, *numbers])


_KINDS: dict[str, Callable[..., Case]] = {kind.__name__: kind for kind in (Lowering, RuleCheck)}


def case_of(text: str) -> Case:
    """Make the case that a JSON text describes."""
    values = json.loads(text)
    make = _KINDS[values.pop("kind")]
    return make(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


Cell = int | float | str
"""A value in a table."""


class Status(StrEnum):
    """The end of a case; a rule is passed over where no graph for it can be run."""

    OK = "ok"
    FAULT = "fault"
    PASSED_OVER = "passed over"


@dataclass(frozen=True)
class Outcome:
    """The figures of a case, or the two lines of its fault; `seconds` of wall time."""

    status: Status
    figures: Mapping[str, int] = field(default_factory=dict[str, int])
    problem: str = ""
    remedy: str = ""
    seconds: float = 0.0

    @classmethod
    def fault(cls, error: HtpError) -> Outcome:
        """Make the outcome of a case that failed; of several faults the first counts."""
        problem, remedy, *_ = error.lines()
        return cls(Status.FAULT, {}, problem, remedy.strip())

    @classmethod
    def read(cls, text: str) -> Outcome:
        """Make the outcome that a JSON text describes; HtpError or ValueError where it is none."""
        read = JsonObject("", {"outcome": json.loads(text)}).inner("outcome")
        figures = read.inner("figures")
        numbers = {name: figures.whole(name) for name in figures.fields}
        said = read.text("problem"), read.text("remedy")
        return cls(Status(read.text("status")), numbers, *said, read.number("seconds"))

    def text(self) -> str:
        """Return the outcome as JSON on one line."""
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Row:
    """A case with its outcome."""

    case: Case
    outcome: Outcome

    def cells(self) -> dict[str, Cell]:
        """Return the row by the names of its columns."""
        outcome = self.outcome
        return {
            **{name: getattr(self.case, name) for name in self.case.AXES},
            "status": outcome.status.value,
            **outcome.figures,
            "seconds": round(outcome.seconds, 4),
            "problem": outcome.problem,
            "remedy": outcome.remedy,
            "command": self.case.command,
        }
