"""Words of the flags for streams: where frames come from, the types of numbers on a pipe."""

from pathlib import Path
from typing import NamedTuple

from ...dialects.diagnostics import fail

STDIN = "-"
WAV = ".wav"
SUFFIXES = (WAV, ".npy")
DTYPES = {
    name: f"<{name[0]}{int(name[1:]) // 8}"
    for name in ("f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "u32")
}
"""The numbers that a pipe may bring, little-endian, as numpy names them."""


class FrameSource(NamedTuple):
    """The file with the frames, and the input that takes them where one is named."""

    path: str
    input: str | None = None


def frame_source(text: str) -> FrameSource:
    """Read `[NAME=]FILE`; a file may have `=` in its path."""
    name, mark, path = text.partition("=")
    return FrameSource(path, name) if mark and not Path(text).exists() else FrameSource(text)


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
