"""Findings of lints."""

from dataclasses import dataclass
from enum import Enum

from ..definition.rule import Rule


class FindingKind(Enum):
    """The kind of a finding; the value is the word in its text."""

    UNKNOWN_TAG = "unknown-tag"
    UNUSED_TAG = "unused-tag"
    UNKNOWN_OP = "unknown-op"
    OPERANDS = "wrong-operands"
    UNGUARDED_SPLIT = "unguarded-split"
    WRAP = "size-can-wrap"
    SHADOWED = "shadowed"
    NEVER_FIRES = "never-fires"
    RESULT = "wrong-result"
    RESTRICTION = "source-restriction"
    NO_CHANGE = "no-change"
    PASSED_OVER = "passed-over"


@dataclass(frozen=True)
class Finding:
    """A mistake in a rule, or an oddity; of the kind `PASSED_OVER`, a part that no lint judged."""

    kind: FindingKind
    rule: Rule
    message: str

    def __str__(self) -> str:
        return f"{self.rule.label}: [{self.kind.value}] {self.message}"
