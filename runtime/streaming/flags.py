"""The sources of frames and the numbers of a pipe; nothing is imported that only a run needs."""

from __future__ import annotations

from pathlib import Path

from ...dialects.diagnostics import fail

STDIN = "-"
WAV = ".wav"
SUFFIXES = (WAV, ".npy")
DTYPES = {
    name: f"<{name[0]}{int(name[1:]) // 8}"
    for name in ("f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "u32")
}
"""The numbers that a pipe may bring, little-endian, as numpy names them."""


def refuse_source(path: str, dtype: str | None) -> None:
    """HtpError for a file of another kind, and for a dtype that the file itself has."""
    if path != STDIN and suffix_of(path) not in SUFFIXES:
        problem = f"'{path}' is no {' or '.join(SUFFIXES)} file"
        raise fail("htp stream", problem, "give one, or -; the model stands before it")
    if dtype and path != STDIN:
        raise fail("--dtype", "is for raw numbers on stdin", "leave it out: the file tells")


def suffix_of(path: str) -> str:
    """Return the suffix of a path in small letters."""
    return Path(path).suffix.lower()
