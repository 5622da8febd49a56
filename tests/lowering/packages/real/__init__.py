"""C++ packages in the manner of real ones: a folder each, with text, bodies, a model and numbers.

A folder holds `package.cpp`, `package.py` with its bodies in `PACKAGE`, what was read in `READ` and
`SUMMARY`, the numbers of its model in `expected`, and `model.mlir` with the input x and output y.
"""
