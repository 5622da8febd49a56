"""`htp-opt`: import, rewrite, lower and check modules from the command line."""

from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from textwrap import fill

from ...runtime.tools.tool import Tool
from ...runtime.tools.verbs import ToolParser, add_flags, moved
from .opt_flags import MOVED, OPT, PRINTING

_USAGE = "htp-opt [MODEL] [-p PIPELINE] [-t TARGET] [-o FILE] [...]"
_DESCRIPTION = "Import, rewrite, lower and check modules for the Hexagon Tensor Processor."


class _OptParser(ToolParser):
    """The parser of `htp-opt`; its help names our passes and targets, and counts the others."""

    def format_help(self) -> str:
        """Write the help, with what the installed distributions bring."""
        from .show import ours

        lists = [
            fill(f"{kind}: {', '.join(names)}, and {more} of others", 78, break_on_hyphens=False)
            for kind, names, more in ours()
        ]
        self.description = "\n\n".join(
            [_DESCRIPTION, *lists, "`htp show pass` prints the passes with their options."]
        )
        return super().format_help()


def opt_parser() -> ToolParser:
    """Make the parser."""
    parser = _OptParser("htp-opt", usage=_USAGE, formatter_class=RawDescriptionHelpFormatter)
    add_flags(parser, OPT, of_program=True)
    return parser


def _run(argv: Sequence[str]) -> None:
    if now := moved("htp-opt", argv, MOVED):
        from .htp import main as htp

        htp.work(_as_before(now))
        return
    from .driver import drive, prepared

    drive(prepared(opt_parser().parse_args(argv)))


def _as_before(argv: Sequence[str]) -> list[str]:
    """Let a command print the module, and run the passes, as the old flag did."""
    flags = {word.partition("=")[0] for word in argv}
    command = " ".join(argv[:2])
    more = ["-o", "-"] if command in PRINTING or argv[0] in PRINTING else []
    passes = ["-p", ""] if argv[0] == "lower" else []
    return [
        *argv,
        *(more if not flags & {"-o", "--output-file"} else []),
        *(passes if not flags & {"-p", "--passes"} else []),
    ]


main = Tool("htp-opt", _run)
"""The command `htp-opt`."""
run = main.run
