"""The lines of an error: the problem, what to do, and at most an excerpt with marks below."""

import re


def told(text: str) -> list[str]:
    """Return the problem and the remedy; check that behind them there is at most one excerpt."""
    lines = text.splitlines()
    if len(lines) > 2:
        assert len(lines) == 4, text
        assert re.fullmatch(r" {4,}\^+", lines[3]), text
        assert len(lines[3]) <= len(lines[2]) + 1, text
    assert lines[1].startswith("  "), text
    return lines[:2]
