"""The app as `htp-gui` is asked for it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...runtime.environment import universe
from ...runtime.tools.package_flags import packages_in_use
from ...runtime.tools.pipeline import make_pipeline
from ..gui.app import EXAMPLE, HtpApp
from ..gui.document import Document, Opener


def run_app(arguments: Namespace) -> None:
    """Run the app to its end; HtpError for a file or a pipeline that cannot be read."""
    passes = make_pipeline(universe().all_passes, arguments.passes).passes
    environment = packages_in_use(arguments)
    flags = tuple(arguments.dim), tuple(arguments.const), arguments.fallback
    with TemporaryDirectory() as folder:
        opener = Opener(environment, Path(folder), *flags)
        path = arguments.input_file
        document = Document(EXAMPLE) if path is None else opener.open(path)
        HtpApp(opener, document, passes).run()
