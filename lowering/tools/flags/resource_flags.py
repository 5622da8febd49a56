"""The flags that write large constants into a file beside the text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from xdsl.utils.arg_spec import parse_spec

from ....dialects.diagnostics import fail
from ....runtime.tools.flags.resource_flags import refuse_one_file
from .check_flags import count

_FLAG = "--resources"


def add_resource_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add(
        _FLAG,
        metavar="FILE",
        help="write large constants into FILE, a safetensors file, and handles into the text",
    )
    add(
        f"{_FLAG}-above",
        type=count,
        metavar="N",
        help="constants of more than N elements are large; without it, those of more than 100",
    )


def check_resource_flags(arguments: Namespace) -> None:
    """HtpError where another flag says that there is no text that could have handles."""
    if arguments.resources is None:
        if arguments.resources_above is not None:
            raise fail(f"{_FLAG}-above", "there is no file to write", f"give {_FLAG} FILE too")
        return
    target = str(parse_spec(arguments.target).name)
    if target != "mlir":
        raise fail(_FLAG, f"target '{target}' writes no module as text", "leave one of them out")
    if arguments.elide_constants is not None:
        problem = "it keeps the data that --elide-constants leaves out"
        raise fail(_FLAG, problem, "leave one of them out")
    if arguments.split_input_file:
        problem = "one file goes with one module, and --split-input-file prints several"
        raise fail(_FLAG, problem, "leave one of them out")
    if arguments.output_file:
        refuse_one_file(arguments.output_file, arguments.resources)
