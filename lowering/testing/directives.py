"""Directives that mean nothing: filecheck and lit skip a misspelt one, which then tests nothing."""

import re
from collections.abc import Iterator, Sequence

from ...dialects.diagnostics import closest, fail, listed

KEYWORDS = ("RUN", "REQUIRES", "UNSUPPORTED", "XFAIL")
"""The keywords of lit that are read, each with a colon behind it."""
_UNREAD = ("END", "ALLOW_RETRIES", "DEFINE", "REDEFINE")
"""Those that are not: a file that needs them belongs to lit."""
_SUFFIXES = ("DAG", "COUNT-2", "NOT", "EMPTY", "NEXT", "SAME", "LABEL")
_SUFFIX = r"(-(DAG|COUNT-\d+|NOT|EMPTY|NEXT|SAME|LABEL))?(\{LITERAL\})?:"
_WORD = re.compile(r"^\s*(?://|;|#)\s*([A-Z][A-Z_]{2,}):")
_DIRECTIVE = re.compile(rf"^\s*(?://|;|#)\s*([A-Z][A-Z0-9_-]*?){_SUFFIX.replace(')?', ')', 1)}")
_PLAIN = re.compile(r"^\s*(?://|;|#)\s*([A-Z][A-Z0-9_-]*)(?:\{LITERAL\})?:")
_LEAST = 0.75


def reject_unknown_directives(text: str, prefixes: Sequence[str]) -> None:
    """Raise HtpError at the first comment that starts as a directive of filecheck and is none.

    filecheck skips `CHECK-NEX:` or `CHECK-NEXT` without a colon in silence, and `CHEKC:` too.
    """
    known = "|".join(map(re.escape, prefixes))
    looks_like_one = re.compile(rf"^\s*(?://|;|#)\s*((?:{known})(?![A-Za-z0-9])\S*)")
    is_one = re.compile(rf"(?:{known}){_SUFFIX}")
    names = [f"{each}-{suffix}:" for each in prefixes for suffix in _SUFFIXES]
    for number, line in enumerate(text.split("\n"), start=1):
        match = looks_like_one.match(line)
        if match is not None and not is_one.match(match[1]):
            remedy = listed(match[1], [*(f"{each}:" for each in prefixes), *names])
            raise fail(f"line {number}", f"'{match[1]}' is no directive of filecheck", remedy)


def reject_unknown_keywords(text: str, prefixes: Sequence[str]) -> None:
    """Raise HtpError at the first keyword that is nearly one of lit's, or nearly a check prefix.

    A word is one in capitals, with a colon, that begins a comment.
    """
    known = [*KEYWORDS, *prefixes]
    for number, word in _words(text):
        if word in _UNREAD:
            raise fail(f"line {number}", f"'{word}:' is read by lit alone", "run the file with lit")
        if word not in known and (near := _near(word, known)):
            remedy = f"did you mean '{near[0]}:'?"
            raise fail(f"line {number}", f"'{word}:' is no keyword", remedy)


def _near(word: str, known: Sequence[str]) -> Sequence[str]:
    """Return the keywords that a word may represent: of the same letters, or nearly the same."""
    swapped = [each for each in known if sorted(each) == sorted(word)]
    return swapped or closest(word, known, _LEAST)


def reject_unused_prefixes(text: str, prefixes: Sequence[str]) -> None:
    """Raise HtpError at the first prefix that a command names and no directive has."""
    for prefix in prefixes:
        if not re.search(rf"(^|[^A-Za-z_-]){re.escape(prefix)}{_SUFFIX}", text):
            remedy = "write its directives, or leave it out"
            raise fail("filecheck", f"no check strings found with prefix '{prefix}'", remedy)


def directive_of(line: str) -> tuple[str, str]:
    """Return the prefix of the directive that a comment is, and its kind, such as `-DAG`.

    Both are empty for any other line.
    """
    match = _DIRECTIVE.match(line) or _PLAIN.match(line)
    return ("", "") if match is None else (match[1], line[match.end(1) : match.end() - 1])


def reject_unread_prefixes(text: str, prefixes: Sequence[str]) -> None:
    """Raise HtpError at the first directive whose prefix no RUN line of the file reads."""
    for number, line in enumerate(text.split("\n"), start=1):
        match = _DIRECTIVE.match(line)
        if match is not None and match[1] not in prefixes:
            problem = f"no RUN line reads the prefix '{match[1]}'"
            raise fail(f"line {number}", problem, listed(match[1], prefixes))


def _words(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _WORD.match(line):
            yield number, match[1]
