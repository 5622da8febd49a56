"""The flags of `htp-sweep`."""

from __future__ import annotations

import argparse

from ....dialects.diagnostics import HtpError
from ....dialects.faults.sizes import size_of
from ....runtime.tools.completion import add_completion_flag
from ....runtime.tools.flags.flag_table import FlagTable, add_flags_of
from ....runtime.tools.flags.package_flags import add_package_flags
from ....runtime.tools.tool import ToolParser, add_tool_flags

_DESCRIPTION = (
    "Lower each model for each SoC, TCM size and options, or check each rule with each seed, and "
    "write one table. What is done is kept: the same command goes on where it was ended."
)
OUTPUT = "sweep.csv"
"""The file of the table unless another one is given."""
CASES = 50
"""Graphs for each rule and seed unless another number is given."""
OF_MODELS = ("soc", "tcm", "options", "dim", "const")
OF_RULES = ("package_rules", "group", "rule", "seeds", "cases")
"""The flags that say which models or which rules; each is None unless given."""


def sizes(text: str) -> list[int]:
    """Read TCM sizes, in bytes; K and M are kibibytes and mebibytes."""
    try:
        return [size_of("--tcm", "a size", part) for part in text.split(",")]
    except HtpError as error:
        remedy = "write 65536,256K,8M"
        raise argparse.ArgumentTypeError(f"'{text}' is no SIZE,...: {remedy}") from error


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)


_CHOICES: FlagTable = {
    "model": {"nargs": "*", "metavar": "MODEL", "help": "a model to lower, as htp-opt reads it"},
    "--soc": {
        "action": "append",
        "metavar": "NAME,...",
        "help": "SoCs, or all; SM8650 unless given",
    },
    "--tcm": {
        "action": "append",
        "metavar": "SIZE,...",
        "type": sizes,
        "help": "TCM sizes in bytes, or as 256K or 8M; each SoC's own unless given",
    },
    "--options": {
        "action": "append",
        "metavar": "TEXT",
        "help": (
            "further options of htp-lower, such as tiling=false; repeated, each is a case; the "
            "empty text is the case without any"
        ),
    },
    "--dim": {
        "action": "append",
        "metavar": "NAME=SIZE",
        "help": "fix a symbolic dim of all models",
    },
    "--const": {
        "action": "append",
        "metavar": "NAME=VALUE",
        "help": "fix an input of all models",
    },
    "--rules": {"action": "store_true", "help": "check rules instead of lowering models"},
    "--package-rules": {
        "action": "append",
        "metavar": "NAME,...",
        "help": "of these packages, or of all",
    },
    "--group": {
        "action": "append",
        "metavar": "FIRST[:LAST]",
        "help": "only of this pass group",
    },
    "--rule": {
        "action": "append",
        "metavar": "RULE",
        "help": "only of this name, or of this FILE:LINE",
    },
    "--seeds": {
        "type": _number,
        "metavar": "N",
        "help": "check each rule with the seeds 0 to N-1",
    },
    "--cases": {
        "type": _number,
        "metavar": "N",
        "help": f"graphs for a seed, {CASES} unless given",
    },
}
"""The flags that say what is swept."""
_RUN: FlagTable = {
    "-o --output": {
        "default": OUTPUT,
        "metavar": "FILE",
        "help": f"the table, a .csv or .parquet file (extra 'sweep'); {OUTPUT} unless given",
    },
    "--plot": {"metavar": "FILE", "help": "draw the table as SVG"},
    "-j --jobs": {
        "type": _number,
        "metavar": "N",
        "help": "local processes; one per core unless given",
    },
    "--cluster": {
        "metavar": "ADDRESS|FILE",
        "help": (
            "run on the Dask cluster at tcp://HOST:PORT, or of a scheduler file (extra 'sweep')"
        ),
    },
    "--time-limit": {
        "type": _number,
        "metavar": "SECONDS",
        "help": (
            "seconds that a case may take; one that takes more is a fault; an hour unless given"
        ),
    },
    "--retry": {"action": "store_true", "help": "run the cases that failed before again"},
    "--debug": {"action": "store_true", "help": "show the traceback of an error"},
}
"""The flags that say how it runs and what is written beside the table."""


def sweep_parser() -> ToolParser:
    """Make the parser."""
    parser = ToolParser("htp-sweep", description=_DESCRIPTION)
    add_flags_of(_CHOICES, parser)
    add_package_flags(parser)
    add_flags_of(_RUN, parser)
    add_tool_flags(parser)
    add_completion_flag(parser)
    return parser
