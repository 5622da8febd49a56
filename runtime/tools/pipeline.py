"""Pass pipelines of the command line: reading `-p`, saying what is wrong with it, writing it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.hints import isa

from ...dialects.diagnostics import Fault, HtpError, did_you_mean, fail
from ...dialects.faults.arguments import SIZE_WORDS, size_of
from ..files.budget import read_text
from ..installed.environment import universe
from ..passes.notation import pipeline_text, plain
from ..passes.run import Pipeline


def passes_of(text: str) -> tuple[ModulePass, ...]:
    """Read a pipeline of installed passes; HtpError where it cannot be read."""
    return make_pipeline(universe().all_passes, text).passes


def text_of(steps: Sequence[ModulePass]) -> str:
    """Write passes as a pipeline on one line, for an option."""
    return plain(pipeline_text(steps))


_SHOWN = 30
PassTable = dict[str, Callable[[], type[ModulePass]]]


def make_pipeline(available: PassTable, text: str) -> Pipeline:
    """Read `name{option=value ...},name,...` as passes that are ready to run.

    An option that is a pipeline itself may stand in square brackets, on several lines; `@FILE`
    represents what a file holds. HtpError names every pass that is unknown, or the option that its
    pass does not take.
    """
    where = f"pass pipeline '{text}'"
    if text.startswith("@"):
        where, text = text[1:], read_text(text[1:])
    try:
        specs = tuple(parse_pipeline(plain(text)))
    except ArgSpecParseError as error:
        # The error ends in the text, a mark below the place, and a message.
        *_, text, mark, message = str(error).splitlines()
        rest = text[len(mark) - len(mark.lstrip()) :]
        if wrong := _unbracketed(text, len(text) - len(rest)):
            raise fail(where, *wrong) from error
        problem = message.strip() + (f" at '{rest[:_SHOWN]}'" if rest else "")
        raise fail(where, problem, "write name{option=value},name") from error
    except ValueError as error:
        remedy = "write name{option=value},name"
        raise fail("pass pipeline", "a number has too many digits", remedy) from error
    except RecursionError as error:
        raise fail(where[:_SHOWN], "is nested too deeply", "flatten it") from error
    if unknown := {spec.name: None for spec in specs if spec.name not in available}:
        raise HtpError(*(_unknown_pass(name, available) for name in unknown))
    return Pipeline(tuple(_make(available[spec.name](), spec) for spec in specs))


_OPTIONS = re.compile(r"\{[^{}]*\}")
_PASS_AS_VALUE = re.compile(r'([\w-]+)="?((?:[^\s"=,{}]*:)?)([\w.-]+)"?$')
"""An option whose value is a pass, behind a point or not, where the pass's options follow."""


def _unbracketed(text: str, place: int) -> tuple[str, str] | None:
    """Return problem and remedy for options of a pass that is itself an option's value."""
    option, options = _PASS_AS_VALUE.search(text[:place]), _OPTIONS.match(text, place)
    if not (option and options):
        return None
    name, point, step = option.groups()
    inner = f"{step}{options[0]}"
    problem = f"option '{name}' is a pass with options of its own, without brackets: {inner}"
    return problem, f"write {name}={point}[{inner}]"


def _make(pass_type: type[ModulePass], spec: ArgSpec) -> ModulePass:
    options = {field.name.replace("_", "-") for field in fields(pass_type) if field.init}
    for name in spec.parameters:
        if name.replace("_", "-") not in options:
            known = f"its options: {', '.join(sorted(options)) or 'none'}"
            remedy = did_you_mean(name, options, known)
            raise fail(f"pass '{spec.name}'", f"unknown option '{name}'", remedy)
    spec = _with_numbers(pass_type, spec)
    _check_values(pass_type, spec)
    try:
        return pass_type.from_spec(spec)
    except (ValueError, TypeError) as error:
        known = f"its options: {', '.join(sorted(options)) or 'none'}"
        raise fail(f"pass '{spec.name}'", str(error).strip().rpartition("\n")[2], known) from error


def _with_numbers(pass_type: type[ModulePass], spec: ArgSpec) -> ArgSpec:
    """Read sizes such as `tcm-bytes=2M`, and make whole numbers real: `scale=2`.

    An option of whole numbers whose name ends in `bytes` is a size; real are those of an option
    that takes real numbers alone.
    """
    types = get_type_hints(pass_type)
    values = dict(spec.parameters)
    for name, numbers in values.items():
        kinds = _kinds(types[name.replace("-", "_")])
        if float in kinds and int not in kinds:
            values[name] = tuple(float(v) if type(v) is int else v for v in numbers)
        if _is_size(name, kinds):
            values[name] = tuple(
                size_of(f"pass '{spec.name}'", f"option '{name}'", v) if isinstance(v, str) else v
                for v in numbers
            )
    return ArgSpec(spec.name, values)


def _check_values(pass_type: type[ModulePass], spec: ArgSpec) -> None:
    """Refuse a value of another type than its option's, by the option's name."""
    types = get_type_hints(pass_type)
    for name, values in spec.parameters.items():
        wanted = types[name.replace("-", "_")]
        if not _fits(values, wanted):
            shown = ", ".join(map(str, values)) or "given no value"
            kinds = _kinds(wanted)
            words = " or ".join(_WORDS[kind] for kind in kinds if kind in _WORDS)
            words = SIZE_WORDS if _is_size(name, kinds) else words
            problem = f"option '{name}' is {shown}"
            raise fail(f"pass '{spec.name}'", problem, f"it must be {words or wanted}")


def _is_size(name: str, kinds: tuple[object, ...]) -> bool:
    return name.endswith("bytes") and int in kinds


_WORDS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "a word or text in quotes",
    bool: "true or false",
}


def _fits(values: ParameterListType, wanted: Any) -> bool:
    """Tell whether an option takes these values; `true` is not a number."""
    if any(isinstance(value, bool) for value in values) and bool not in _kinds(wanted):
        return False
    candidates: list[object] = [values, *(values[:1] if len(values) == 1 else ())]
    candidates += () if values else (None, True)
    return any(isa(candidate, wanted) for candidate in candidates)


def _kinds(wanted: object) -> tuple[object, ...]:
    return get_args(wanted) or (wanted,)


def _unknown_pass(name: str, available: PassTable) -> Fault:
    ours = [known for known in available if known.startswith(("htp-", "qti-", "convert-qti"))]
    remedy = did_you_mean(name, available, f"ours are {', '.join(ours)}")
    return Fault("pass pipeline", f"unknown pass '{name}'", remedy)
