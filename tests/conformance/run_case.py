"""One case on its way through the stack: import, the graph level, the allocated level."""

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.lowering.conversion.convert import lacking
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.preparation.sizes import real_inputs
from htp_mlir.lowering.frontend.onnx.preparation.supported import Supported
from htp_mlir.lowering.packages import Packages
from htp_mlir.runtime import Session
from onnx.backend.test.runner import Runner
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp

from .case import Case, NoTensor
from .reasons import OFF, PADDED, Kind, why_not

_PARTS_FROM_FIRST = (
    *("ConstantOfShape", "Range", "Loop", "MelWeightMatrix", "NonZero", "Unique"),
    *("BlackmanWindow", "HammingWindow", "HannWindow"),
)
"""Ops whose first input, too, says the shape of the result."""


@dataclass(frozen=True)
class Verdict:
    """The end of a case at one level, and the reason where it does not pass."""

    kind: Kind
    reason: str = ""


@dataclass(frozen=True)
class Result:
    """The verdicts of a case; `allocated` is None where the graph level did not pass."""

    suite: str
    name: str
    graph: Verdict
    allocated: Verdict | None = None


def run_case(case: Case, *, allocated: bool = True) -> Result:
    """Run a case at the graph level and, if it passes there, lowered with every access checked."""
    try:
        kind, modules = _imported(case)
        problem = _differs(case, modules, check=False)
    except (HtpError, NoTensor) as error:
        return Result(case.suite, case.name, _refused(case, error))
    except Exception as error:
        return Result(case.suite, case.name, _bug(error))
    if problem:
        return Result(case.suite, case.name, Verdict(Kind.BUG, OFF.get(case.name, problem)))
    if kind.passes and _is_padded(case):
        kind = Kind.PADDED
    lowered = _lowered(case, modules) if allocated else None
    return Result(case.suite, case.name, Verdict(kind), lowered)


def _imported(case: Case) -> tuple[Kind, list[ModuleOp]]:
    """Import the model of each data set, with as few of its inputs as constants as will do."""
    errors = []
    tried: set[frozenset[str]] = set()
    for names in _constant_inputs(case):
        if names in tried:
            continue
        tried.add(names)
        try:
            modules = [
                import_model(case.model(), constants={name: arrays[name] for name in names})
                for arrays in _feeds(case)
            ]
        except HtpError as error:
            errors.append(error)
            continue
        if all(_is_folded(module) for module in modules):
            return Kind.FOLDED, modules
        return Kind.CONSTANTS if names else Kind.PASSES, modules
    raise errors[0] if len(errors) == 1 else errors[-1]


def _constant_inputs(case: Case) -> Iterator[frozenset[str]]:
    """Yield what to take as constants: nothing, shapes and axes, all inputs that are no data."""
    yield frozenset()
    model = case.model()
    arrays = _feeds(case)[0]
    later = {name for node in model.graph.node for name in node.input[1:] if name in arrays}
    first = {node.input[0] for node in model.graph.node if node.input}
    if any(node.op_type in _PARTS_FROM_FIRST for node in model.graph.node):
        later |= set(arrays)
        first = set()
    whole = {name for name, a in arrays.items() if a.dtype.kind in "iu" and a.ndim <= 1}
    yield frozenset((later - first) & whole)
    yield frozenset(later - first)


def _feeds(case: Case) -> list[dict[str, Array]]:
    """Return the inputs of each data set by name."""
    names = [value.name for value in real_inputs(case.model().graph)]
    return [dict(zip(names, inputs, strict=False)) for inputs, _ in case.data_sets()]


def _is_folded(module: ModuleOp) -> bool:
    """Tell whether all that a module returns is constant."""
    results = [v for op in module.walk() if isinstance(op, ReturnOp) for v in op.operands]
    return all(isinstance(value.owner, ConstOp) for value in results)


def _differs(case: Case, modules: Sequence[ModuleOp], *, check: bool) -> str:
    """Run the modules on their data sets; return the first difference in words."""
    answers = [expected for _, expected in case.data_sets()]
    for module, feeds, expected in zip(modules, _feeds(case), answers, strict=True):
        session = Session(module, check=check)
        outputs = session.run({name: feeds[name] for name in session.inputs})
        arrays = [np.asarray(output) for output in outputs.values()]
        try:
            if _is_padded(case):
                arrays = [_without_padding(*pair) for pair in zip(arrays, expected, strict=True)]
            Runner.assert_similar_outputs(expected, arrays, case.rtol, case.atol)
        except AssertionError as error:
            return "wrong: " + " ".join(str(error).split())[:160]
    return ""


def _is_padded(case: Case) -> bool:
    return any(node.op_type in PADDED for node in case.model().graph.node)


def _without_padding(array: Array, wanted: Array) -> Array:
    """Return as many rows as are wanted; AssertionError where one behind them is not -1."""
    assert (array[len(wanted) :] == -1).all(), "rows behind the wanted ones are not -1"
    return array[: len(wanted)]


def _lowered(case: Case, modules: Sequence[ModuleOp]) -> Verdict:
    try:
        problem = _differs(case, [lower(module) for module in modules], check=True)
    except HtpError as error:
        lacked = _not_held(modules)
        return Verdict(Kind.LACKED, lacked) if lacked else Verdict(Kind.REFUSED, _said(error))
    except Exception as error:
        return _bug(error)
    return Verdict(Kind.BUG, problem) if problem else Verdict(Kind.PASSES)


def _not_held(modules: Sequence[ModuleOp]) -> str:
    """Name the element types of graphs that no tensor on HTP has; nothing where there are none."""
    values = [v for module in modules for op in module.walk() for v in (*op.operands, *op.results)]
    types = {str(element) for element in map(lacking, values) if element is not None}
    return f"HTP cannot hold {', '.join(sorted(types))}" if types else ""


def _reason(case: Case) -> tuple[Kind, str] | None:
    if case.name in OFF:
        return Kind.BUG, OFF[case.name]
    return why_not(case.model(), Supported(Packages()))


def _refused(case: Case, error: HtpError | NoTensor) -> Verdict:
    reason = _reason(case)
    if reason:
        return Verdict(*reason)
    return Verdict(Kind.REFUSED, _said(error)) if isinstance(error, HtpError) else _bug(error)


def _said(error: HtpError) -> str:
    """Return the first fault; the rest follows from it or is alike."""
    fault = error.faults[0]
    return " ".join(f"{fault.where}: {fault.problem}".split())[:200]


def _bug(error: Exception) -> Verdict:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())[:160]
    return Verdict(Kind.BUG, f"{type(error).__name__} in {frame.name}: {text}")
