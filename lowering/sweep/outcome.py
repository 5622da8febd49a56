"""The outcome of a case, and the row of a table that it becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from ...dialects.diagnostics import HtpError
from .cases import Case

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
    figures: Mapping[str, Cell] = field(default_factory=dict[str, Cell])
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
        """Make the outcome that a JSON text describes."""
        values = json.loads(text)
        return cls(**{**values, "status": Status(values["status"])})

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
