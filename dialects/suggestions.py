"""Names that a user may have meant, for errors about a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_CUTOFF = 0.6
"""The least similarity of a name that is proposed, from 0 to 1."""
_TIE = 0.04
"""The difference to the best similarity up to which a name is proposed too."""
_MOST = 3
"""The largest number of names that are proposed."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Ask for the closest known names, `did you mean 'A' or 'B'?`; `otherwise` without any.

    Upper and lower case count as the same letter.
    """
    scores = [(_likeness(name.lower(), each.lower()), each) for each in dict.fromkeys(known)]
    best = max((score for score, _ in scores), default=0.0)
    least = max(best - _TIE, _CUTOFF)
    near = [f"'{each}'" for score, each in sorted(scores, reverse=True) if score >= least]
    return f"did you mean {' or '.join(near[:_MOST])}?" if near else otherwise


def _likeness(name: str, known: str) -> float:
    """Compare two names; what stands before the dot counts where both have it and it differs."""
    owner, dot, rest = name.partition(".")
    known_owner, _, known_rest = known.partition(".")
    if dot and owner == known_owner:
        name, known = rest, known_rest
    elif not dot:
        known = known_rest or known
    matcher = SequenceMatcher(None, name, known)
    return matcher.ratio() if matcher.quick_ratio() >= _CUTOFF else 0.0


def listed(name: str, known: Iterable[str]) -> str:
    """Ask for the closest known names, or list all where none is close."""
    names = list(known)
    return did_you_mean(name, names, f"known are {', '.join(names) or 'none'}")
