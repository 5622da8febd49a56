"""Tests of rules, passes and text: a pytest plugin for `.mlir` files, and checks by running.

The plugin is inactive until an ini file says `htp_mlir = true`. What the functions need is imported
when they are called; strategies of hypothesis are in `htp_mlir.lowering.testing.strategies`.
"""

from .api import assert_same, random_feeds, random_module

__all__ = ["assert_same", "random_feeds", "random_module"]
