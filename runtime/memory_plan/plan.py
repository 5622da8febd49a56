"""A plan: the offset and the live interval of each tensor in TCM, the faults of one, and its file.

The file is CSV: a few named numbers, the names of the columns, then one row per residency.
"""

import csv
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from heapq import heappop, heappush
from io import StringIO
from pathlib import Path

from ...dialects.diagnostics import fail
from ..files.atomic import write_bytes
from ..files.budget import read_text


@dataclass(frozen=True)
class PlanRow:
    """One residency in TCM: bytes at an offset from the first to the last op, both included.

    A tensor that is spilled and filled again has one row per residency; `reason` says why it came
    or left. One that is `inside` another tensor begins `delta` bytes after the start of that one.
    """

    tensor: str
    bytes: int
    first: int
    last: int
    offset: int
    reason: str = ""
    inside: str = ""
    delta: int = 0

    @property
    def end(self) -> int:
        """The first byte after the tensor."""
        return self.offset + self.bytes


@dataclass(frozen=True)
class Plan:
    """All residencies in a TCM of `capacity` bytes, at multiples of `alignment` or inside others.

    `peak` is the end of the highest. In chunks of the alignment, no addresses take less than
    `bound`.
    """

    capacity: int
    alignment: int
    peak: int
    bound: int
    rows: tuple[PlanRow, ...]


def plan_of_rows(rows: Sequence[PlanRow], capacity: int, alignment: int) -> Plan:
    """Make the plan of rows, with their peak and their bound."""
    return Plan(capacity, alignment, peak_of(rows), bound_of(rows, alignment), tuple(rows))


def peak_of(rows: Sequence[PlanRow]) -> int:
    """Find the end of the highest row."""
    return max((row.end for row in rows), default=0)


def bound_of(rows: Sequence[PlanRow], alignment: int) -> int:
    """Compute the most bytes alive at one op, each tensor rounded up to the alignment."""
    changes: list[tuple[int, int]] = []
    for row in rows:
        if not row.inside:
            size = -(-row.bytes // alignment) * alignment
            changes += [(row.first, size), (row.last + 1, -size)]
    most = live = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return most


def plan_faults(plan: Plan) -> tuple[str, ...]:
    """List the faults of a plan by itself, one sentence each."""
    claims = (
        ("peak", plan.peak, peak_of(plan.rows)),
        ("bound", plan.bound, bound_of(plan.rows, plan.alignment)),
    )
    wrong = [
        f"{name}: the plan says {said}, its rows give {actual}"
        for name, said, actual in claims
        if said != actual
    ]
    return (*verify(plan.rows, plan.capacity, plan.alignment), *wrong)


def verify(rows: Sequence[PlanRow], capacity: int, alignment: int) -> tuple[str, ...]:
    """List the faults of rows, one sentence each.

    Rows must lie inside `capacity`, start at multiples of `alignment`, and no two may share both
    an op and a byte. Those inside another must lie in its bytes and its time, and may share them.
    """
    parents = {row.tensor: row for row in rows}
    faults = [fault for row in rows for fault in _alone(row, capacity, alignment)]
    counts = Counter(row.tensor for row in rows)
    faults += [f"{name}: has {count} rows" for name, count in counts.items() if count > 1]
    nested = _nested(parents)
    faults += [fault for row in rows if row.inside for fault in _inside(row, parents, nested)]
    own = [row for row in rows if not row.inside]
    return (*faults, *_clashes(own))


def _alone(row: PlanRow, capacity: int, alignment: int) -> list[str]:
    free = bool(row.inside) or row.offset % alignment == 0
    checks = (
        (row.bytes < 0, f"has {row.bytes} bytes"),
        (row.first > row.last, f"ends at op {row.last}, before its first op {row.first}"),
        (row.offset < 0, f"starts at {row.offset}, below 0"),
        (not free, f"starts at {row.offset}, no multiple of {alignment}"),
        (row.end > capacity, f"ends at {row.end} of {capacity}"),
    )
    return [f"{row.tensor}: {message}" for broken, message in checks if broken]


def _nested(rows: Mapping[str, PlanRow]) -> set[str]:
    """Return the tensors that lie in no other one, and all that lie inside these; no circles."""
    inner: dict[str, list[str]] = {}
    for row in rows.values():
        inner.setdefault(row.inside if row.inside in rows else "", []).append(row.tensor)
    names = inner.pop("", [])
    # The list grows as it is walked.
    for name in names:
        names += inner.pop(name, ())
    return {*names}


def _inside(row: PlanRow, rows: Mapping[str, PlanRow], nested: Collection[str]) -> Iterator[str]:
    """A row inside another is checked against that one, which may lie inside a third."""
    parent = rows.get(row.inside)
    if parent is None or parent is row:
        yield f"{row.tensor}: lies inside {row.inside}, which has no row"
        return
    if not 0 <= row.delta <= parent.bytes - row.bytes:
        span = f"bytes {row.delta} to {row.delta + row.bytes}"
        yield f"{row.tensor}: takes {span} of the {parent.bytes} of {row.inside}"
    if row.offset != parent.offset + row.delta:
        wanted = parent.offset + row.delta
        yield f"{row.tensor}: starts at {row.offset}, inside {row.inside} it is {wanted}"
    if row.first < parent.first or row.last > parent.last:
        times = f"ops {row.first} to {row.last}"
        yield (
            f"{row.tensor}: is alive at {times}, but {row.inside}, which it lies inside, "
            f"only at {parent.first} to {parent.last}"
        )
    if row.tensor not in nested:
        yield f"{row.tensor}: lies inside itself"


def _clashes(rows: Sequence[PlanRow]) -> Iterator[str]:
    """Rows with another that is alive at the same op and has bytes in common.

    A sweep over the ops keeps those alive in order of their offsets, where no two overlap: a row is
    compared with its two neighbours, and joins them if it meets neither. So not every pair is
    listed: of a plan with all offsets wrong there are too many to make sentences of. O(n log n),
    but for moving numbers in a list.
    """
    alive: list[tuple[int, int]] = []
    ending: list[tuple[int, int, int]] = []
    ordered = sorted(enumerate(row for row in rows if row.bytes > 0), key=lambda i: i[1].first)
    by_number = dict(ordered)
    for number, row in ordered:
        while ending and ending[0][0] < row.first:
            _, *key = heappop(ending)
            del alive[bisect_left(alive, tuple(key))]
        at = bisect_left(alive, (row.offset, number))
        near = [by_number[other] for _, other in alive[max(0, at - 1) : at + 1]]
        met = next((o for o in near if max(o.offset, row.offset) < min(o.end, row.end)), None)
        if met is None:
            alive.insert(at, (row.offset, number))
            heappush(ending, (row.last, row.offset, number))
            continue
        start, end = max(met.offset, row.offset), min(met.end, row.end)
        steps = f"ops {row.first} to {min(met.last, row.last)}"
        yield f"{met.tensor} and {row.tensor} share bytes {start} to {end} at {steps}"


MAGIC = ("htp-memory-plan", "1")
NUMBERS = ("capacity", "alignment", "peak", "bound")
COLUMNS = tuple(field.name for field in fields(PlanRow))
_REMEDY = "write the plan again with htp-opt --plan"


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan, or leave the file as it was; HtpError where it cannot be written."""
    write_bytes(path, plan_text(plan).encode())


def plan_text(plan: Plan) -> str:
    """Write the file's text. `rows` is their number, so that a missing one is noticed."""
    text = StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(MAGIC)
    out.writerows((name, getattr(plan, name)) for name in NUMBERS)
    out.writerow(("rows", len(plan.rows)))
    out.writerow(COLUMNS)
    out.writerows([getattr(row, column) for column in COLUMNS] for row in plan.rows)
    return text.getvalue()


def read_plan(path: str | Path) -> Plan:
    """Read a plan; HtpError with the line where the file is none, or not all of one."""
    return parse_plan(read_text(path), str(path))


def parse_plan(text: str, where: str) -> Plan:
    """Parse a plan; `where` names the file in errors."""
    try:
        lines = list(csv.reader(StringIO(text), strict=True))
    except csv.Error as error:
        raise fail(where, f"is no CSV: {error}", _REMEDY) from error
    head = len(NUMBERS) + 3
    if not lines or tuple(lines[0]) != MAGIC:
        raise fail(where, f"does not begin with '{','.join(MAGIC)}'", _REMEDY)
    if not text.endswith("\n"):
        raise fail(where, "ends inside a line", _REMEDY)
    if len(lines) < head:
        raise fail(where, f"ends after {len(lines)} lines, inside its header", _REMEDY)
    numbers = [
        _header(lines[index], name, f"{where}:{index + 1}")
        for index, name in enumerate((*NUMBERS, "rows"), 1)
    ]
    if tuple(lines[head - 1]) != COLUMNS:
        raise fail(f"{where}:{head}", f"the columns are not {','.join(COLUMNS)}", _REMEDY)
    rows = [_row(line, f"{where}:{number}") for number, line in enumerate(lines[head:], head + 1)]
    *named, count = numbers
    if len(rows) != count:
        raise fail(where, f"says {count} rows and has {len(rows)}", _REMEDY)
    capacity, alignment, peak, bound = named
    if alignment < 1:
        raise fail(where, f"alignment is {alignment}, it must be at least 1", _REMEDY)
    return Plan(capacity, alignment, peak, bound, tuple(rows))


def _header(line: Sequence[str], name: str, where: str) -> int:
    if len(line) != 2 or line[0] != name:
        raise fail(where, f"is '{','.join(line)}', expected '{name},' and a number", _REMEDY)
    return _number(line[1], name, where)


def _row(line: Sequence[str], where: str) -> PlanRow:
    if len(line) != len(COLUMNS):
        raise fail(where, f"has {len(line)} fields, expected {len(COLUMNS)}", _REMEDY)
    tensor, *numbers, reason, inside, delta = line
    named = zip(COLUMNS[1:5], numbers, strict=True)
    size, first, last, offset = (_number(text, name, where) for name, text in named)
    return PlanRow(
        tensor, size, first, last, offset, reason, inside, _number(delta, "delta", where)
    )


def _number(text: str, name: str, where: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 18:
        raise fail(where, f"{name} is '{text}', no whole number", _REMEDY)
    return int(text)
