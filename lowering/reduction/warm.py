"""Loads what scripts are likely to import, for the process that they are copied from."""

from ...runtime import Session, parse_module

_SMALL = "func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { func.return %x : tensor<1xf32> }"

LOADED = Session(parse_module(_SMALL))
"""A session, which loads the dialects and the kernels."""
