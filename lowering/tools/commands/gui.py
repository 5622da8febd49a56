"""The app that picks passes for a module."""

import importlib.util
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from ....dialects.diagnostics import fail
from ....runtime.installed.environment import universe
from ....runtime.tools.flags import packages_in_use, parse_constants, parse_dims
from ....runtime.tools.pipeline import make_pipeline

LIBRARIES = ("textual", "pyclip")
"""The libraries of xDSL's app."""


def run_app(arguments: Namespace) -> None:
    """Run the app to its end; HtpError for a file or a pipeline that cannot be read."""
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            raise fail("htp gui", f"{name} is not installed", "pip install 'htp-mlir[gui]'")
    from ...gui.app import EXAMPLE, Document, HtpApp, Opener

    passes = make_pipeline(universe().all_passes, arguments.passes).passes
    dims, constants = parse_dims(arguments.dim), parse_constants(arguments.const)
    environment, path = packages_in_use(arguments), arguments.input_file
    with TemporaryDirectory() as folder:
        opener = Opener(environment, Path(folder), dims, constants, arguments.fallback)
        document = Document(EXAMPLE) if path is None else opener.open(path)
        # The app draws on the standard error of the process, whatever stands in its place here.
        if not (sys.stdin.isatty() and sys.__stderr__ and sys.__stderr__.isatty()):
            raise fail("htp gui", "this is no terminal", "use htp-opt in scripts and pipes")
        HtpApp(opener, document, passes).run()
