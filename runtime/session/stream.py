"""Successive inferences: the leading axis of every input, one step after the other."""

from collections.abc import Mapping

import numpy as np

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.value import TensorSpec
from ..functions.support.arrays import Array
from .session import Session


def run_stream(session: Session, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Stack the outputs of all steps; state is kept from step to step.

    Steps in which an output did not run, behind a BLOCKING buffer, are left out of its stack;
    `name.ran` then holds a truth value per step. HtpError where inputs differ in their steps, or
    a step fails: the message names it.
    """
    kept: dict[str, list[Array]] = {name: [] for name in session.outputs}
    ran: dict[str, list[bool]] = {name: [] for name in session.outputs}
    for step, feeds in enumerate(successive(inputs)):
        for name, value in run_step(session, feeds, step).items():
            ran[name].append(value is not None)
            kept[name] += [] if value is None else [value]
    stacked = {name: _stack(session, name, values) for name, values in kept.items()}
    marks = {f"{name}.ran": np.array(marks) for name, marks in ran.items() if not all(marks)}
    return {**stacked, **marks}


def is_stacked(inputs: Mapping[str, Array], specs: Mapping[str, TensorSpec]) -> bool:
    """Tell whether every array has one axis more than its input: that of successive inferences."""
    more = [array.ndim - specs[name].rank for name, array in inputs.items() if name in specs]
    return bool(more) and all(each == 1 for each in more)


def successive(inputs: Mapping[str, Array]) -> list[dict[str, Array]]:
    """List the inputs of each step; one without any for a model that has none.

    HtpError where inputs differ in their steps, or have none.
    """
    counts = {name: array.shape[0] if array.ndim else 0 for name, array in inputs.items()}
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"'{name}' has {count}" for name, count in counts.items())
        raise fail("stream", f"inputs differ in their number of steps: {sizes}", "make them equal")
    steps = range(next(iter(counts.values()), 1))
    if not steps:
        raise fail("stream", "holds no inference", "give at least one")
    return [{name: array[step] for name, array in inputs.items()} for step in steps]


def run_step(session: Session, feeds: Mapping[str, Array], step: int) -> dict[str, Array | None]:
    """Run one inference; what fails is named by the step's number."""
    try:
        return session.run(feeds)
    except HtpError as error:
        faults = (Fault(f"step {step}: {f.where}", f.problem, f.remedy) for f in error.faults)
        raise HtpError(*faults) from error


def _stack(session: Session, name: str, values: list[Array]) -> Array:
    spec = session.outputs[name]
    if not values:
        return np.empty((0, *spec.shape), spec.dtype.storage)
    return np.stack(values)
