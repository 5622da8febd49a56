"""Tests of the pytest plugin and of the checks by running."""
