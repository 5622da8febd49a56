"""The table an allocation ends with, and a check of it that shares no code with the packers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One tensor's stay in TCM: bytes at an offset from the first to the last op, both included.

    A tensor that is spilled and filled again has one row per stay; `reason` says why it left.
    """

    tensor: str
    bytes: int
    first: int
    last: int
    offset: int
    reason: str = ""


def verify(rows: Sequence[Row], capacity: int, alignment: int) -> tuple[str, ...]:
    """What is wrong with a table, one sentence each; empty when it holds.

    Rows must lie inside `capacity`, start at multiples of `alignment`, and no two may share both
    an op and a byte.
    """
    faults = [fault for row in rows for fault in _alone(row, capacity, alignment)]
    open_rows: list[Row] = []
    for row in sorted(rows, key=lambda row: row.first):
        open_rows = [other for other in open_rows if other.last >= row.first]
        faults += [_clash(other, row) for other in open_rows if _shares_bytes(other, row)]
        open_rows.append(row)
    return tuple(faults)


def _alone(row: Row, capacity: int, alignment: int) -> list[str]:
    checks = (
        (row.first > row.last, f"ends at op {row.last}, before its first op {row.first}"),
        (row.offset < 0, f"starts at {row.offset}, below 0"),
        (row.offset % alignment != 0, f"starts at {row.offset}, no multiple of {alignment}"),
        (row.offset + row.bytes > capacity, f"ends at {row.offset + row.bytes} of {capacity}"),
    )
    return [f"{row.tensor}: {message}" for broken, message in checks if broken]


def _shares_bytes(one: Row, other: Row) -> bool:
    return max(one.offset, other.offset) < min(one.offset + one.bytes, other.offset + other.bytes)


def _clash(one: Row, other: Row) -> str:
    steps = f"ops {max(one.first, other.first)} to {min(one.last, other.last)}"
    start = max(one.offset, other.offset)
    end = min(one.offset + one.bytes, other.offset + other.bytes)
    return f"{one.tensor} and {other.tensor} share bytes {start} to {end} at {steps}"
