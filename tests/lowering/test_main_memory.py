"""The ops that run from main memory for want of a kernel in TCM are known."""

from __future__ import annotations

import pytest

from .main_memory import DTYPES, rows

LOGIC = {
    *("Not", "And", "Or", "Xor", "Equal", "NotEqual", "Less", "LessEqual"),
    *("Greater", "GreaterEqual", "Select"),
}
RARE = {
    *("Mod", "TopK", "ScatterNd", "NonMaxSuppression", "BitCast", "Argmin", "SequenceIds"),
    *("DecodeWeights", "BufferStep"),
}
RECURRENT = {"Lstm", "Gru"}


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_runs_from_main_memory_is_known(dtype: str) -> None:
    listed = {native for _, _, names in rows([dtype]) for native in names.split(", ")}
    assert listed == LOGIC | RARE | RECURRENT
