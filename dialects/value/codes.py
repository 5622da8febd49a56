"""Codes of weights: how many of them a byte holds, by the entries of their table."""

from __future__ import annotations

CODES_IN_A_BYTE = {256: 1, 16: 2, 4: 4}
"""The codes in a byte, the lowest bits first, by the entries of the table that they point into."""
