"""All flags of `htp-opt` beside those of xdsl-opt."""

from __future__ import annotations

from argparse import ArgumentParser

from ....runtime.tools.completion import add_completion_flag
from ....runtime.tools.flags.model_flags import add_model_flags
from ....runtime.tools.flags.package_flags import add_package_flags
from ....runtime.tools.flags.resource_flags import add_resources_from
from ..support import add_support_flag
from ..tile_plans import add_tile_flags
from .check_flags import add_check_flags, count
from .numerics_flags import add_numerics_flags
from .pass_flags import add_pass_flags
from .quantization_flags import add_quantization_flags
from .resource_flags import add_resource_flags
from .rule_flags import add_rule_flags


def add_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add_model_flags(parser)
    add(
        "--elide-constants",
        type=count,
        metavar="N",
        help="print constants of more than N elements as a handle; for reading only",
    )
    add_resource_flags(parser)
    add_resources_from(parser)
    add_package_flags(parser)
    add("--plan", metavar="F.csv", help="write the plan of TCM beside the output")
    add(
        "--explain-kernels",
        action="store_true",
        help="print to stderr which kernel each native op gets, and why no other one",
    )
    add(
        "--show-plugins",
        action="store_true",
        help="print what other distributions bring (passes, rules, ...), and run nothing",
    )
    add(
        "--show-op",
        action="append",
        default=[],
        metavar="OP",
        help="print the kernels, properties, params and rules of an op, and run nothing",
    )
    add_support_flag(parser)
    add_tile_flags(parser)
    add("--debug", action="store_true", help="show the traceback of an error")
    add_quantization_flags(parser)
    add_rule_flags(parser)
    add_pass_flags(parser)
    add_check_flags(parser)
    add_numerics_flags(parser)
    add_completion_flag(parser)
