"""Names that a user may have meant, for errors about unknown names; numbers of things in words."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache


def counted(count: int, word: str, plural: str = "s") -> str:
    """Write a number of things: `1 pass`, `2 passes` where the plural ends in `es`."""
    return f"{count} {word}{plural * (count != 1)}"


LEAST = 0.65
"""The least similarity of a name that is proposed, from 0 to 1."""
_OTHER_START = 0.75
"""The least similarity of a name that begins with another letter: few words are misspelt so."""
_TIE = 0.04
"""The difference to the best similarity up to which a name is proposed too."""
MOST = 3
"""The largest number of names that are proposed."""


def closest(name: str, known: Iterable[str], least: float = LEAST) -> list[str]:
    """List the known names that are closest to one, and others that are nearly as close.

    Upper and lower case count as the same letter; `least` is the least similarity, from 0 to 1.
    """
    scores = [(_likeness(name.lower(), each.lower()), each) for each in dict.fromkeys(known)]
    best = max((score for score, _ in scores), default=0.0)
    least = max(best - _TIE, least)
    return [each for score, each in sorted(scores, reverse=True) if score >= least][:MOST]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "", least: float = LEAST) -> str:
    """Ask for the closest known names, `did you mean 'A' or 'B'?`; `otherwise` without any."""
    near = [f"'{each}'" for each in closest(name, known, least)]
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def proposals(remedy: str) -> list[str]:
    """List the names that `did_you_mean` proposed in a remedy or a problem."""
    question = re.search(r"did you mean ('.*?')\?", remedy)
    return question[1].strip("'").split("' or '") if question else []


@lru_cache(1 << 12)
def _likeness(name: str, known: str) -> float:
    """Compare two names; a part before the dot that differs must be close by itself, as the rest.

    A name without such a part, or with the same, is compared with the rest alone.
    """
    # The dashes of flags would make any two alike.
    name, known = name.lstrip("-"), known.lstrip("-")
    owner, dot, rest = name.partition(".")
    known_owner, _, known_rest = known.partition(".")
    if not dot:
        return _ratio(name, known_rest or known)
    if owner == known_owner:
        return _ratio(rest, known_rest)
    parts = (_ratio(owner, known_owner), _ratio(rest, known_rest))
    return _ratio(name, known) if min(parts) >= LEAST else 0.0


def _ratio(name: str, known: str) -> float:
    matcher = SequenceMatcher(None, name, known)
    least = LEAST if name[:1] == known[:1] else _OTHER_START
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0.0


def listed(name: str, known: Iterable[str], words: str = "known are") -> str:
    """Ask for the closest known names and list all: `did you mean 'A'? known are A, B`."""
    names = list(known)
    hint = did_you_mean(name, names)
    return f"{hint} {words} {', '.join(names) or 'none'}".lstrip()
