"""The comparison of two modules by their outputs."""

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...dialects.spec_of import Array, type_of
from ...dialects.value import TensorSpec
from ...runtime import Session
from ...runtime.tools.summary import random_inputs

Outputs = Mapping[str, Array | None]
"""Arrays by name; None where an output did not run."""


def compare_modules(
    before: ModuleOp, after: ModuleOp, runs: int, seed: int, tolerance: float
) -> None:
    """Check that two modules give the same; AssertionError names run, seed and output."""
    if runs < 1:
        raise ValueError(f"runs is {runs}; without a run nothing is compared")
    # A module that is changed in place later must not change the session's.
    first, second = Session(before.clone()), Session(after.clone())
    _compare_specs("input", first.inputs, second.inputs)
    _compare_specs("output", first.outputs, second.outputs)
    for run in range(runs):
        feeds = random_inputs(first.inputs, seed + run)
        expected, results = first.run(feeds), second.run(feeds)
        try:
            compare_outputs(results, expected, tolerance)
        except AssertionError as error:
            raise AssertionError(f"run {run + 1} of {runs}, seed {seed}: {error}") from None


def _compare_specs(
    kind: str, before: Mapping[str, TensorSpec], after: Mapping[str, TensorSpec]
) -> None:
    for name in dict.fromkeys([*before, *after]):
        was, became = before.get(name), after.get(name)
        if was != became:
            raise AssertionError(f"{kind} '{name}': {_shown(was)} before, {_shown(became)} after")


def _shown(spec: TensorSpec | None) -> str:
    return "none" if spec is None else str(type_of(spec))


def compare_outputs(results: Outputs, expected: Outputs, tolerance: float) -> None:
    """Check that outputs are the same: floats within `tolerance` of their scale, others equal.

    AssertionError names the first output that differs and its worst element.
    """
    if results.keys() != expected.keys():
        raise AssertionError(f"outputs {[*results]} are not {[*expected]}")
    for name, wanted in expected.items():
        got = results[name]
        if got is None or wanted is None:
            if got is not wanted:
                raise AssertionError(f"{name}: one ran, the other did not")
            continue
        kinds = [f"{array.dtype} {array.shape}" for array in (got, wanted)]
        if kinds[0] != kinds[1]:
            raise AssertionError(f"{name}: {kinds[0]} is not {kinds[1]}")
        errors = _errors(got, wanted)
        allowed = tolerance if wanted.dtype.kind == "f" else 0.0
        if errors.size and not errors.max() <= allowed:
            worst = np.unravel_index(int(errors.argmax()), errors.shape)
            place = ", ".join(map(str, worst))
            raise AssertionError(
                f"{name}: relative error {errors.max():.2e} at [{place}], "
                f"{got[worst]} is not {wanted[worst]}"
            )


def _errors(got: Array, wanted: Array) -> Array:
    """The error of each element relative to the scale of all; infinite beside no finite number."""
    if wanted.dtype.kind != "f":
        return np.where(got == wanted, 0.0, np.inf)
    finite = np.isfinite(wanted) & np.isfinite(got)
    scale = float(np.max(np.abs(wanted[finite]), initial=0.0)) or 1.0
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(finite, np.abs(got - wanted) / scale, np.where(same, 0.0, np.inf))
