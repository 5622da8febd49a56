"""Inputs for sessions, and the comparison of what two of them gave."""

from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering.testing.api import TOLERANCE as TOLERANCE
from htp_mlir.lowering.testing.same import Outputs, compare_outputs
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs

__all__ = ["TOLERANCE", "assert_same", "feeds"]


def feeds(session: Session, seed: int = 0) -> dict[str, Array]:
    """Random inputs for a session."""
    return random_inputs(session.inputs, seed)


def assert_same(results: Outputs, expected: Outputs, tolerance: float = TOLERANCE) -> None:
    """Check that outputs are the same: floats within `tolerance` of their scale, others equal."""
    compare_outputs(results, expected, tolerance)
