"""Lets lit run the .mlir tests (`lit tests`); pytest runs the same files in one process."""

import os
import sys
from pathlib import Path

import lit.formats
from lit.TestingConfig import TestingConfig


def configure(config: TestingConfig) -> None:
    """Set up the suite: every .mlir file, with the tools of this environment first on the path."""
    config.name = "htp-mlir"
    config.test_source_root = str(Path(__file__).parent)
    config.test_exec_root = str(Path(__file__).parent.parent / "build" / "lit")
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".mlir"]
    config.excludes = ["inputs", "Output", "corpus"]
    tools = str(Path(sys.executable).parent)
    config.environment["PATH"] = os.pathsep.join([tools, config.environment["PATH"]])


configure(globals()["config"])
