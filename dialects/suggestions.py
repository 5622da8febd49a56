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

    Upper and lower case count as the same letter. A name without a dot is compared with what
    stands behind the first dot of the known ones.
    """
    matcher = SequenceMatcher(None, b=name.lower())
    scores: list[tuple[float, str]] = []
    for candidate in dict.fromkeys(known):
        owner, _, rest = candidate.lower().partition(".")
        matcher.set_seq1(candidate.lower() if "." in name else rest or owner)
        if matcher.quick_ratio() >= _CUTOFF and (score := matcher.ratio()) >= _CUTOFF:
            scores.append((score, candidate))
    best = max((score for score, _ in scores), default=0.0)
    near = [f"'{each}'" for score, each in sorted(scores, reverse=True) if score >= best - _TIE]
    return f"did you mean {' or '.join(near[:_MOST])}?" if near else otherwise


def listed(name: str, known: Iterable[str]) -> str:
    """Ask for the closest known names, or list all where none is close."""
    names = list(known)
    return did_you_mean(name, names, f"known are {', '.join(names) or 'none'}")
