"""The error of a quantised graph, the sensitivity of each op, and the ops to leave in f16.

Algorithm: each op is quantised alone, and the graph's error measured; of the ops in the order of
that error, the fewest go to f16 that reach a ratio, found by bisection. O(ops + log(ops)) runs.

Example: alone the ops a, b, c cost 20, 35 and 50 dB, and 30 dB are asked for. With all three in f16
it is 60, with a alone 33, with none 19: a goes to f16.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from ...dialects.diagnostics import fail
from ...dialects.faults.arguments import MANY, MODULE, NUMBER, a, arguments
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.value import DType
from ...runtime import Array, Session
from ...runtime.kernel.library import LIBRARY, Library
from ...runtime.probe.compare import compare
from ...runtime.probe.recording import TensorRecorder, named_tensors, signal_to_noise
from ...runtime.program.boundary import main_function
from .encodings import ENCODINGS, Encoding, Encodings, reach
from .fitting import tensor_names
from .groups import LARGEST_F16, clipped, groups_of
from .quantize import quantize

Outputs = Mapping[str, Array]

_ARRAY = a("an array", np.ndarray)


@arguments(module=MODULE, feeds=MANY, library=LIBRARY)
def outputs_of(
    module: ModuleOp,
    feeds: Iterable[Mapping[str, ArrayLike]],
    library: Library | None = None,
    check: bool = False,
) -> dict[str, Array]:
    """Return the numbers of each output over successive inferences, where it ran."""
    session = Session(module, library=library, check=check)
    parts: dict[str, list[Array]] = {name: [] for name in session.outputs}
    for feed in feeds:
        for name, value in session.run(feed).items():
            parts[name] += [] if value is None else [value.reshape(-1)]
    return {name: np.concatenate(values or [np.zeros(0)]) for name, values in parts.items()}


@arguments(signal=_ARRAY, other=_ARRAY)
def noise_ratio(signal: Array, other: Array) -> float:
    """Return the signal to quantisation noise ratio in dB; infinite without noise."""
    return signal_to_noise(signal, other)


def worst_ratio(exact: Outputs, other: Outputs) -> float:
    """Return the least ratio of all outputs that are floats, in dB."""
    ratios = (
        noise_ratio(exact[name], other[name]) for name in exact if exact[name].dtype.kind == "f"
    )
    return min(ratios, default=inf)


def summary(
    module: ModuleOp,
    quantised: ModuleOp,
    feeds: Sequence[Mapping[str, ArrayLike]],
    halves: Sequence[str],
    library: Library | None = None,
) -> str:
    """Return the line that ends a calibration: how close the outputs stay, and what is worst.

    The ratio is the worst output's, the worst op that of the first inference; `halves` are the
    tensors that were put in f16.
    """
    ratio = worst_ratio(outputs_of(module, feeds, library), outputs_of(quantised, feeds, library))
    exact, rounded = (_run(each, feeds[0], library) for each in (module, quantised))
    # What only a clip reads is on the grid of the clip, and is cut off there.
    cut = {name for name, value in named_tensors(exact.program).items() if clipped(value)}
    rows = compare(rounded.recording(), exact.recording()).rows
    ratios = {row.name: row.difference.decibels for row in rows if row.name not in cut}
    words = [f"calibrated: {ratio:.1f} dB"]
    if ratios:
        worst = min(ratios, key=ratios.__getitem__)
        words.append(f"the worst op '{worst}' with {ratios[worst]:.1f} dB")
    names = ", ".join(f"'{name}'" for name in halves)
    words.append(f"{len(halves)} ops in f16" + (f": {names}" if names else ""))
    return ", ".join(words)


def _run(
    module: ModuleOp, feeds: Mapping[str, ArrayLike], library: Library | None
) -> TensorRecorder:
    recorder = TensorRecorder()
    Session(module, observers=[recorder], library=library).run(feeds)
    return recorder


Feeds = Sequence[Mapping[str, ArrayLike]]


@dataclass(frozen=True)
class Sensitivity:
    """The first result of an op, the op, and the ratio in dB when it alone is quantised."""

    tensor: str
    op: str
    ratio: float


@arguments(module=MODULE, encodings=ENCODINGS, feeds=MANY, library=LIBRARY)
def sensitivities(
    module: ModuleOp, encodings: Encodings, feeds: Feeds, library: Library | None = None
) -> list[Sensitivity]:
    """Measure each op that is quantised, the most sensitive first.

    Ops that move what another has computed, and clips, count with the op before them.
    """
    exact, names = outputs_of(module, feeds, library), tensor_names(module)
    unchanged = str(quantize(module, encodings, only=()))
    rows = []
    for op in main_function(module).body.block.ops:
        name = names[op.results[0]] if isinstance(op, GraphOp) else ""
        if name not in encodings.activations or _follows(op):
            continue
        alone = quantize(module, encodings, only={name})
        if str(alone) != unchanged:
            ratio = worst_ratio(exact, outputs_of(alone, feeds, library))
            rows.append(Sensitivity(name, op.name, ratio))
    return sorted(rows, key=lambda row: row.ratio)


def _follows(op: Operation) -> bool:
    """Tell whether an op's numbers are on the grid of the op before it."""
    computed = any(not isinstance(value.owner, Block | ConstOp) for value in op.operands)
    moves = isinstance(op, GraphOp) and op.keeps_encoding
    return computed and (moves or any(clipped(value) for value in op.operands))


@arguments(module=MODULE, encodings=ENCODINGS, feeds=MANY, least=NUMBER, library=LIBRARY)
def with_f16(
    module: ModuleOp,
    encodings: Encodings,
    feeds: Feeds,
    least: float,
    library: Library | None = None,
) -> tuple[Encodings, list[Sensitivity]]:
    """Put the fewest of the most sensitive ops in f16 that give a ratio of at least `least` dB.

    Only tensors that f16 can hold go there; an op that reads one of them is in f16 too. Returns the
    ops that were put there as well. HtpError where all of them do not suffice.
    """
    exact, tied = outputs_of(module, feeds, library), _tied(module)
    ranked = [
        row
        for row in sensitivities(module, encodings, feeds, library)
        if reach(encodings.activations[row.tensor]) <= LARGEST_F16
    ]

    def ratio_of(count: int) -> float:
        mixed = quantize(module, _in_f16(encodings, ranked[:count], tied))
        return worst_ratio(exact, outputs_of(mixed, feeds, library))

    low, high = -1, len(ranked)
    best = ratio_of(high)
    if best < least:
        problem = f"{best:.1f} dB is reached with {high} ops in f16, {least:g} is asked for"
        raise fail("mixed precision", problem, "ask for less, or give wider activations")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ratio_of(middle) >= least else (middle, high)
    return _in_f16(encodings, ranked[:high], tied), ranked[:high]


def _tied(module: ModuleOp) -> dict[str, list[str]]:
    """List, by the name of each tensor, those that share its grid: moved, or clipped."""
    names, groups = tensor_names(module), groups_of(module)
    group_of = {value: group for group in groups for value in group}
    tied = {}
    for value, group in group_of.items():
        shared, last = list(group), value
        while (after := clipped(last)) is not None:
            last = after
            shared += group_of[last]
        tied[names[value]] = [names[each] for each in shared if not isinstance(each.owner, ConstOp)]
    return tied


def _in_f16(
    encodings: Encodings, rows: Sequence[Sensitivity], tied: Mapping[str, Sequence[str]]
) -> Encodings:
    half = {name: Encoding(DType.Float16) for row in rows for name in tied[row.tensor]}
    return replace(encodings, activations={**encodings.activations, **half})
