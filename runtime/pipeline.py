"""Pass pipelines of the command line: what `-p` means, and what is wrong with it when it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from difflib import get_close_matches

from xdsl.passes import ModulePass, PassPipeline, PassPipelineCallbackType
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from ..dialects.diagnostics import Fault, HtpError, fail

PassTable = dict[str, Callable[[], type[ModulePass]]]


def make_pipeline(
    available: PassTable, text: str, callback: PassPipelineCallbackType | None = None
) -> PassPipeline:
    """The passes of `name{option=value ...},name,...`, each made ready to run.

    HtpError names every pass that is unknown, or the option that its pass does not take.
    """
    try:
        specs = tuple(parse_pipeline(text))
    except ArgSpecParseError as error:
        remedy = "write name{option=value},name"
        raise fail(f"pass pipeline '{text}'", _first_line(error), remedy) from error
    unknown = [spec.name for spec in specs if spec.name not in available]
    if unknown:
        raise HtpError(*(_unknown_pass(name, available) for name in unknown))
    return PassPipeline(tuple(_make(available[spec.name](), spec) for spec in specs), callback)


def _make(pass_type: type[ModulePass], spec: ArgSpec) -> ModulePass:
    options = {field.name.replace("_", "-") for field in fields(pass_type) if field.init}
    for name in spec.parameters:
        if name.replace("_", "-") not in options:
            known = ", ".join(sorted(options)) or "none"
            raise fail(f"pass '{spec.name}'", f"unknown option '{name}'", f"its options: {known}")
    try:
        return pass_type.from_spec(spec)
    except (ValueError, TypeError) as error:
        known = f"its options: {', '.join(sorted(options)) or 'none'}"
        raise fail(f"pass '{spec.name}'", _first_line(error), known) from error


def _unknown_pass(name: str, available: PassTable) -> Fault:
    near = get_close_matches(name, available, n=3)
    ours = [known for known in available if known.startswith(("htp-", "qti-", "convert-qti"))]
    remedy = f"did you mean {' or '.join(near)}?" if near else f"ours are {', '.join(ours)}"
    return Fault("pass pipeline", f"unknown pass '{name}'", remedy)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
