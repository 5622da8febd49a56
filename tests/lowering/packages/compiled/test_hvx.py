"""The table of HVX intrinsics, beside Hexagon code and beside numpy."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.packages.compiled.compiler_errors import DEVICE

from ....support.hooks import needs
from .float_model import FloatRow, memory, program
from .hvx_oracle import Intrinsic, integer_rows, results, run_here, run_on_hexagon, table

LEAST_ROWS = 155
"""The intrinsics of public packages that the compiler's own header knows."""


def test_every_row_has_a_meaning_and_one_name() -> None:
    rows = table()
    assert len({row.name for row in rows}) == len(rows) >= LEAST_ROWS
    assert all(row.meaning for row in rows)


@pytest.mark.slow
@pytest.mark.needs("g++", "clang", "lld", "qemu-hexagon")
def test_integer_rows_give_the_bits_of_hexagon_code(tmp_path: Path) -> None:
    rows = integer_rows()
    clang, lld, qemu = (needs.program(name) or "" for name in ("clang", "lld", "qemu-hexagon"))
    here = dict(results(rows, run_here(rows, tmp_path)))
    there = dict(results(rows, run_on_hexagon(rows, tmp_path, (clang, lld, qemu))))
    assert [row.name for row in rows if here[row] != there[row]] == []
    # Operands that give nothing but zeros would hide a fault.
    assert [row.name for row in rows if not any(there[row])] == ["Q6_V_vzero", "Q6_W_vzero"]


SIZES = {
    "usual": {"sf": 1.0, "hf": 1.0},
    "beyond the largest": {"sf": 4e37, "hf": 8e3},
    "below the smallest normal number": {"sf": 2e-38, "hf": 1e-5},
}
"""Sizes of operands; those of qf32 and qf16 at the ends of the range are not told."""


@pytest.mark.needs("g++")
@pytest.mark.parametrize("size", SIZES)
def test_float_rows_are_the_numbers_of_their_format(tmp_path: Path, size: str) -> None:
    """sf, hf, integers and comparisons to the last bit; qf32 and qf16 within the model's bound."""
    rows = [FloatRow.of(row) for row in table() if row.is_float]
    rows = [row for row in rows if size == "usual" or not row.gives.startswith("q")]
    memories = [memory(number, SIZES[size]) for number in range(10)]
    (tmp_path / "floats.cpp").write_text(program(rows))
    command = ["g++", "-std=c++17", "-w", "-I", str(DEVICE), "floats.cpp", "-o", "floats"]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    data = b"".join(memories)
    ran = subprocess.run([tmp_path / "floats"], input=data, check=True, capture_output=True)
    at, wrong = 0, set[str]()
    for each in memories:
        for row in rows:
            with np.errstate(over="ignore"):
                lanes = row.wrong(ran.stdout[at : at + row.size], each)
            at += row.size
            if lanes.any():
                wrong.add(row.row.name)
    assert (wrong, at) == (set(), len(ran.stdout))


def test_the_kinds_of_a_row_are_read() -> None:
    row = next(row for row in table() if row.name == "Q6_V_valign_VVR")
    expected = Intrinsic("V", "Q6_V_valign_VVR", ("V", "V", "R"), row.meaning)
    assert row == expected


@pytest.mark.needs("g++")
def test_a_vector_is_read_and_written_at_a_multiple_of_its_size(tmp_path: Path) -> None:
    """As on the device; HVX_UVector takes any address."""
    text = """#include <cstdio>
#include "hvx.h"
alignas(128) int at[96];
int main()
{
    for (int i = 0; i < 96; i++) at[i] = i;
    const HVX_Vector down = *(HVX_Vector *)(at + 3), any = *(HVX_UVector *)(at + 3);
    *(HVX_Vector *)(at + 35) = Q6_V_vzero();
    *(HVX_UVector *)(at + 63) = Q6_V_vsplat_R(7);
    printf("%d %d %d %d %d %d", down[0], any[0], at[32], at[62], at[63], at[94]);
}
"""
    (tmp_path / "at.cpp").write_text(text)
    command = ["g++", "-std=c++17", "-O2", "-w", "-I", str(DEVICE), "at.cpp", "-o", "at"]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    ran = subprocess.run([tmp_path / "at"], check=True, capture_output=True, text=True)
    assert ran.stdout == "0 3 0 0 7 7"
