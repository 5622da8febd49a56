"""Sizes in bytes as people write them: 65536, 512K, 2M, 2MiB."""

from __future__ import annotations

import re

from ..diagnostics import fail

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmg]?)(?:i?b)?", re.IGNORECASE)
_FACTOR = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
SIZE_WORDS = "a number of bytes, such as 65536, 512K, 2M or 2MiB"
"""The words for a size in messages."""


def size_of(where: str, name: str, size: int | str) -> int:
    """Read a size in bytes; K, M and G are powers of 1024, with B or iB behind them or without.

    HtpError for a text of another form, and for parts of a byte.
    """
    if not isinstance(size, str):
        return size
    match = _SIZE.fullmatch(size.strip())
    number = float(match[1]) * _FACTOR[match[2].lower()] if match else 0.5
    if not number.is_integer():
        raise fail(where, f"{name} is {size}", f"it must be {SIZE_WORDS}")
    return int(number)
