"""Tests of the exchange with upstream MLIR."""
