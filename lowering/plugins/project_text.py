"""The text of the project file of a new plugin; `$name` and the like are filled in."""

from __future__ import annotations

PYPROJECT = """\
[build-system]
requires = ["setuptools>=69"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1"
dependencies = ["htp-mlir"]

[project.entry-points."$group"]
$name = "$module:$value"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
htp_mlir = true
testpaths = ["tests"]
"""
