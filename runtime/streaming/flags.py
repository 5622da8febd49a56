"""The flags of a stream from a file, and the check that none of them is idle."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from ...dialects.diagnostics import fail

STACKED = ""
"""The value of `--stream` without a file: the inputs of `-i` are stacked."""
STDIN = "-"
WAV = ".wav"
SUFFIXES = (WAV, ".npy")
DTYPES = {
    name: f"<{name[0]}{int(name[1:]) // 8}"
    for name in ("f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "u32")
}
"""The numbers that a pipe may bring, little-endian, as numpy names them."""
_STREAM = (
    "run on the frames of a .wav or .npy file, or of raw numbers on stdin (-), and print the "
    "results as they come; without FILE the leading axis of each input of -i is inferences"
)


def add_stream_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add("--stream", metavar="FILE", nargs="?", const=STACKED, help=_STREAM)
    add("--stream-input", metavar="NAME", help="the input that takes the frames, if several could")
    add("--hop", type=_count, metavar="N", help="samples between the starts of two frames")
    add(
        "--dtype", choices=tuple(DTYPES), help="the numbers on stdin; those of the input by default"
    )
    add("--json", action="store_true", help="print the results of a stream as lines of JSON")


def check_stream_flags(arguments: Namespace) -> None:
    """HtpError where a flag has no part in the run that the others ask for."""
    if arguments.stream:
        if arguments.stream != STDIN and suffix_of(arguments.stream) not in SUFFIXES:
            problem = f"'{arguments.stream}' is no {' or '.join(SUFFIXES)} file"
            raise fail("--stream", problem, "give one, or -; the model stands before --stream")
        if arguments.stream == STDIN == arguments.model:
            raise fail("--stream", "model and frames cannot both come from stdin", "name the model")
        for flag, asked in (("-o", arguments.output), ("--verify-plan", arguments.verify_plan)):
            if asked:
                problem = f"prints its results as they come, and {flag} asks for something else"
                raise fail("--stream FILE", problem, "give one of them")
        if arguments.dtype and arguments.stream != STDIN:
            raise fail("--dtype", "is for raw numbers on stdin", "leave it out: the file tells")
        return
    for name in ("stream_input", "hop", "dtype", "json"):
        if getattr(arguments, name):
            flag = f"--{name.replace('_', '-')}"
            raise fail(flag, "is for a stream from a file", "add --stream FILE, or leave it out")


def suffix_of(path: str) -> str:
    """Return the suffix of a path in small letters."""
    return Path(path).suffix.lower()


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)
