"""A model of the floats of HVX, in float64: what a row of the table gives, by its name.

qf32 and qf16 keep one bit more than sf and hf. No program executes them here: QEMU 7.2 ends at most
of them, and takes `Q6_Vsf_equals_Vqf32` and the conversions of v73 for other instructions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .hvx_oracle import Intrinsic

BOUND = 0.75
"""Last places of sf or hf by which a row of qf32 or qf16 may be off.

Half of one is for the bit that is not kept, and a quarter for the model's own rounding.
"""
STORED = {"sf": "f4", "w": "i4", "hf": "f2", "h": "i2"}
"""The formats in memory, and how their lanes are stored there."""
VECTORS = 6
"""Vectors of each format in memory: two for each operand."""
_KEPT_AS = {"qf32": "sf", "qf16": "hf"}
_BITS = {"qf32": 24, "qf16": 11}
_OPERATIONS: Mapping[str, Callable[..., np.ndarray]] = {
    "vadd": np.add,
    "vsub": np.subtract,
    "vmpy": np.multiply,
    "vmpyacc": lambda x, y, z: x + y * z,
    "vmax": np.maximum,
    "vmin": np.minimum,
    "vcmp_gt": np.greater,
    "equals": lambda x: x,
    # The second operand is in the even lanes.
    "vcvt": lambda *parts: np.stack(parts[::-1], axis=-1).reshape(-1),
}
_NAME = re.compile(r"Q6_(?P<gives>\w+?)_(?P<operation>v?[a-z]+(?:_gt)?)_(?P<takes>[VW]\w+)")
_OPERAND = re.compile("[VW](qf32|qf16|sf|hf|h|w)")
_STORES = {
    "V": "keep({});",
    "W": "{{ HVX_VectorPair p = {}; keep(Q6_V_lo_W(p)); keep(Q6_V_hi_W(p)); }}",
    "Q": "keep(Q6_V_vand_QR({}, -1));",
}


@dataclass(frozen=True)
class FloatRow:
    """A row of the table, with the formats of what it gives and takes."""

    row: Intrinsic
    operation: str
    gives: str
    takes: tuple[str, ...]

    @classmethod
    def of(cls, row: Intrinsic) -> FloatRow:
        """Read a row's name."""
        name = _NAME.fullmatch(row.name)
        assert name, row.name
        takes = tuple(_OPERAND.findall(name["takes"]))
        assert len(takes) == len(row.parameters)
        # A comparison gives bits for lanes as wide as those of its operands.
        return cls(row, name["operation"], name["gives"][1:] or takes[0], takes)

    def statement(self) -> str:
        """The line of C++ that calls the row on vectors of memory and keeps what it gives."""
        operands = []
        for kind, _, at in self._places():
            pair = f"Q6_W_vcombine_VV(v[{at + 1}], v[{at}])"
            operands.append(pair if kind == "W" else f"v[{at}]")
        return _STORES[self.row.result].format(f"{self.row.name}({', '.join(operands)})")

    def _places(self) -> Iterator[tuple[str, str, int]]:
        for index, (kind, takes) in enumerate(zip(self.row.parameters, self.takes, strict=True)):
            format_ = _KEPT_AS.get(takes, takes)
            yield kind, format_, VECTORS * list(STORED).index(format_) + 2 * index

    def result(self, printed: bytes) -> np.ndarray:
        """The lanes that the row gives, those of a pair in the order of narrow ones."""
        return _lanes(printed, self.row.result, _KEPT_AS.get(self.gives, self.gives))

    @property
    def size(self) -> int:
        """Bytes that the row prints."""
        return 256 if self.row.result == "W" else 128

    def wrong(self, printed: bytes, memory: bytes) -> np.ndarray:
        """Tell of each lane whether it is not what the model says, or is beyond the bound."""
        lanes = self.result(printed)
        operands = [_lanes(memory[128 * at :], *each) for *each, at in self._places()]
        exact = _OPERATIONS[self.operation](*(each.astype(np.float64) for each in operands))
        if self.row.result == "Q":
            return (lanes != 0) != exact
        if lanes.dtype.kind == "i":
            limits = np.iinfo(lanes.dtype)
            return lanes != np.clip(np.trunc(exact), limits.min, limits.max)
        if self.gives not in _BITS:
            return lanes != exact.astype(lanes.dtype)
        place = np.ldexp(1.0, np.frexp(exact)[1] - _BITS[self.gives])
        return np.abs(lanes - np.rint(2 * exact / place) / 2 * place) > BOUND * place


def _lanes(data: bytes, kind: str, format_: str) -> np.ndarray:
    """The lanes of a vector or a pair; of a pair they alternate, as those of narrow ones."""
    halves = np.frombuffer(data[: 256 if kind == "W" else 128], STORED[format_])
    return halves.reshape(2, -1).T.reshape(-1) if kind == "W" else halves


def program(rows: Sequence[FloatRow]) -> str:
    """The text that calls all rows on each memory of standard input."""
    lines = ["#include <cstdio>", '#include "hvx.h"']
    lines.append(f"static HVX_Vector v[{VECTORS * len(STORED)}];")
    lines.append("static void keep(HVX_Vector x) { fwrite(&x, 1, 128, stdout); }")
    lines.append("int main() { while (fread(v, 1, sizeof v, stdin) == sizeof v) {")
    return "\n".join([*lines, *(row.statement() for row in rows), "} }"])


def memory(round_: int, size: Mapping[str, float]) -> bytes:
    """Vectors of each format: floats of a size, some of them equal, and integers of any bits."""
    rng = np.random.default_rng(round_)
    count = VECTORS * 128
    near = 2.0 ** rng.integers(-3, 3, count) * rng.uniform(1, 2, count) * rng.choice([-1, 1], count)
    near[rng.integers(0, count, count // 2)] = 1.5
    parts = {name: rng.bytes(count) for name in STORED}
    for name, scale in size.items():
        parts[name] = (near * scale).astype(STORED[name]).tobytes()[:count]
    return b"".join(parts.values())
