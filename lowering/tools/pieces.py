"""Inputs in pieces, of `--split-input-file`: their separator, and errors in one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import IO

from ...dialects.diagnostics import HtpError

Piece = tuple[IO[bytes], int]
"""A piece of the input, and the number of lines before it."""

SEPARATOR = "// -----\n"
"""The line between the outputs of two pieces."""


def in_piece(error: HtpError, number: int, count: int, line: int) -> HtpError:
    """Say in each fault of an error in which piece it is, and where that begins."""
    # A piece begins behind the separator, and its text on the next line.
    begin = line + 2 if number else 1
    piece = f"(piece {number + 1} of {count}, from line {begin} on)"
    return HtpError(*(replace(fault, problem=f"{fault.problem} {piece}") for fault in error.faults))
