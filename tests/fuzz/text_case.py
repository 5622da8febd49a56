"""A mutated text on its way through the tools: parsed, lowered and run, or refused in words."""

from random import Random

from htp_mlir.dialects.diagnostics import fail
from htp_mlir.lowering import lower
from htp_mlir.lowering.tools.htp_opt import run as htp_opt
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tools.summary import random_inputs

from .text_mutations import mutated
from .texts import SMALL, drawn, tensor_bytes

_PIPELINES = ("htp-lower", "htp-lower{tcm-bytes=65536}", "htp-fold", "cse,dce", "htp-rules")


def text_of(seed: int) -> str:
    """Return the text of a seed, to look at."""
    return _drawn(seed)[1]


def text_case(seed: int) -> None:
    """Read the text of a seed, by the tool or from Python, and lower or run what it holds."""
    random, text, pipeline = _drawn(seed)
    use = random.choice((_opt, _lower, _run))
    use(text, pipeline or random.choice(_PIPELINES))


def _drawn(seed: int) -> tuple[Random, str, str]:
    random = Random(f"text {seed}")
    source = drawn(random)
    return random, mutated(random, source.text), source.pipeline


def _opt(text: str, pipeline: str) -> None:
    status, _, errors = htp_opt(["-p", pipeline], text)
    if status:
        assert "internal error" not in errors, errors
        assert "Traceback" not in errors, errors
        problem, *rest = errors.splitlines() or [""]
        raise fail("htp-opt", problem, "\n".join(rest[:10]))


def _lower(text: str, pipeline: str) -> None:
    module = parse_module(text)
    if tensor_bytes(module) <= SMALL:
        lower(module, tcm_bytes=65536)


def _run(text: str, pipeline: str) -> None:
    module = parse_module(text)
    if tensor_bytes(module) <= SMALL:
        session = Session(module, check=True)
        session.run(random_inputs(session.inputs, 0))
