"""Inputs for sessions, and the comparison of what two of them gave."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from htp_mlir.dialects.dense import Array
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs

TOLERANCE = 1e-5
"""Largest error of f32 results relative to the scale of the output."""


def feeds(session: Session, seed: int = 0) -> dict[str, Array]:
    """Random inputs for a session."""
    return random_inputs(session.inputs, seed)


def assert_same(found: Mapping[str, Array | None], expected: Mapping[str, Array | None]) -> None:
    """The same outputs: floats within TOLERANCE of their scale, everything else equal."""
    assert found.keys() == expected.keys()
    for name, wanted in expected.items():
        got = found[name]
        assert (got is None) == (wanted is None), f"{name}: one ran, the other did not"
        if got is None or wanted is None:
            continue
        assert got.dtype == wanted.dtype
        assert got.shape == wanted.shape
        if wanted.dtype.kind != "f":
            np.testing.assert_array_equal(got, wanted, err_msg=name)
            continue
        same = np.isfinite(wanted) & np.isfinite(got)
        np.testing.assert_array_equal(got[~same], wanted[~same], err_msg=name)
        scale = float(np.max(np.abs(wanted[same]), initial=0.0)) or 1.0
        error = float(np.max(np.abs(got[same] - wanted[same]), initial=0.0)) / scale
        assert error <= TOLERANCE, f"{name}: relative error {error:.2e}"
