"""What quantising before lowering is worth: block ops whole, and taken apart first.

`make bench-quantisation` prints the table; `--save FILE` puts it before the older ones in a file.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from htp_mlir.dialects.dense import Array
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.quantization import calibrate, quantize
from htp_mlir.lowering.quantization.measure import noise_ratio
from htp_mlir.runtime import Session
from report import put_in_front
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "docs/examples/keyword_spotter"))

from audio import HOP_S, frames, synthesise  # isort: skip
from detect import detections, score  # isort: skip
from tests.benchmarks.decompose import decompose  # isort: skip
from tests.support.graph import Graph  # isort: skip

SPOTTER = Path(__file__).parents[2] / "docs/examples/keyword_spotter"
LEVELS = ("graph", "native", "allocated")
HEARD = ((1, 8.0), (2, 6.0))
"""Seed and seconds of the audio that the spotter is calibrated and tested on."""
HEADING = """# Quantisation benchmark

What `make bench-quantisation` printed, newest first. Each model is quantised at its op boundaries,
min-max, i8 weights per channel, and again after its block ops, LayerNorm and Gelu are taken apart
into the ops that exporters write. Both are compared with f32: the ratio of signal to quantisation
noise of the main output, in dB, higher is better, at three levels. The inputs are others than those
of the calibration. Recurrent layers stay in f32 as block ops, as a cell their parts are quantised.
Of the keyword spotter there are also the chirps that it finds, false detections, and the part of
the frames whose most likely class is that of f32.
"""

Feeds = list[dict[str, Array]]
Inference = tuple[dict[str, Array], dict[str, Array]]
"""The inputs and the outputs, those of states included."""


@dataclass(frozen=True)
class Case:
    """A model, its main output, and inputs for calibration and for the test."""

    name: str
    module: ModuleOp
    output: str
    calibration: Feeds
    test: Feeds


def masked_softmax(graph: Graph) -> SSAValue:
    """Attention scores of 16 queries for 16 keys, a quarter of which are masked."""
    mask = graph.input(1, 16, of=DType.Int32, draw=drawn_mask)
    return graph.op("MaskedSoftmax", graph.input(1, 4, 16, 16, low=-6, high=6), mask)


def drawn_mask(generator: np.random.Generator) -> Array:
    """Truth values as addends."""
    return np.where(generator.random((1, 16)) < 0.25, -10000, 0).astype(np.int32)


def layer_norm(graph: Graph) -> SSAValue:
    """16 rows of 64 numbers about 1."""
    data = graph.input(1, 16, 64, low=-1, high=3)
    return graph.op("LayerNorm", data, graph.weights(64), graph.weights(64), axes=(2,))


def gelu(graph: Graph) -> SSAValue:
    """16 rows of 64 numbers."""
    return graph.op("Gelu", graph.input(1, 16, 64, low=-4, high=4))


def stateful_lstm(graph: Graph) -> SSAValue:
    """A layer of 32 units over 64 successive inferences."""
    weights = graph.weights(1, 128, 16), graph.weights(1, 128, 32), graph.weights(1, 256)
    return graph.op("StatefulLstm", graph.input(1, 1, 16), *weights, hidden_size=32)


OPS = {
    "MaskedSoftmax": masked_softmax,
    "LayerNorm": layer_norm,
    "Gelu": gelu,
    "StatefulLstm": stateful_lstm,
}
"""The models of one op."""


def small(name: str) -> Case:
    """A model of one op on random numbers."""
    graph = Graph()
    graph.give("y", OPS[name](graph))
    model = graph.model()
    inferences = [model.feeds(seed) for seed in range(128)]
    return Case(name, model.module, "y", inferences[:64], inferences[64:])


def spotter() -> Case:
    """The keyword spotter on synthetic audio."""
    model = load_module(SPOTTER / "model.onnx")
    calibration, test = (heard(seed, seconds) for seed, seconds in HEARD)
    return Case("keyword spotter", model, "probabilities", calibration, test)


def heard(seed: int, seconds: float) -> Feeds:
    """The inferences of some audio; the first one resets."""
    rows = frames(synthesise(seed, seconds)[0])
    return [
        {"frame": row.reshape(1, 1, 1, -1), "reset": np.asarray(index == 0)}
        for index, row in enumerate(rows)
    ]


def threaded(
    module: ModuleOp, feeds: Feeds, states: Mapping[str, str]
) -> Iterator[tuple[dict[str, Array], dict[str, Array]]]:
    """Yield the inputs and the outputs of each inference; states go from output to input."""
    session = Session(module)
    kept = {name: np.zeros(session.inputs[name].shape, np.float32) for name in states}
    for feed in feeds:
        whole = {**feed, **kept}
        outputs = {name: v for name, v in session.run(whole).items() if v is not None}
        yield whole, outputs
        kept = {name: outputs[output] for name, output in states.items()}


def output(module: ModuleOp, case: Case, states: Mapping[str, str]) -> Array:
    """The main output of all inferences of the test."""
    return np.stack([o[case.output] for _, o in threaded(module, case.test, states)])


def rows(case: Case) -> Iterator[str]:
    """A table row for each form of a model."""
    exact = output(case.module, case, {})
    for form in ("block ops", "decomposed"):
        module, states = decompose(case.module) if form == "decomposed" else (case.module, {})
        same = noise_ratio(exact, output(module, case, states))
        if same < 60:
            raise ValueError(f"{case.name}, {form}: computes something else, {same:.0f} dB")
        calibration = [feed for feed, _ in threaded(module, case.calibration, states)]
        quantised = quantize(module, calibrate(module, calibration))
        found = [output(at(quantised, level), case, states) for level in LEVELS]
        ratios = " | ".join(f"{noise_ratio(exact, each):.1f}" for each in found)
        task = accuracy(exact, found[0]) if case.output == "probabilities" else "| |"
        yield f"| {case.name} | {form} | {ratios} {task} |"


def at(module: ModuleOp, level: str) -> ModuleOp:
    """A module at a level."""
    return module if level == "graph" else lower(module, level=level)


def accuracy(exact: Array, found: Array) -> str:
    """The chirps found, false detections, and frames of the same class, as columns."""
    curve = found.reshape(len(found), -1)
    _, events = synthesise(*HEARD[1])
    hits, false = score(events, detections(curve, HOP_S))
    same = (curve.argmax(1) == exact.reshape(curve.shape).argmax(1)).mean()
    return f"| {hits} of {len(events)}, {false} false | {100 * same:.2f} %"


def report() -> str:
    """The section of this run."""
    _, events = synthesise(*HEARD[1])
    plain = spotter()
    curve = output(plain.module, plain, {})
    hits, false = score(events, detections(curve.reshape(len(curve), -1), HOP_S))
    lines = [f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "", versions(), ""]
    lines += [f"| model | form | {' | '.join(LEVELS)} | chirps | same class |"]
    lines += ["|---|---|---|---|---|---|---|"]
    lines += [row for name in OPS for row in rows(small(name))]
    lines += [*rows(plain), ""]
    lines += [f"In f32 the spotter finds {hits} of {len(events)} chirps, {false} false.", ""]
    return "\n".join(lines)


def versions() -> str:
    """The versions of what ran."""
    return f"Python {platform.python_version()}, numpy {np.__version__}."


def main() -> None:
    """Print the table, and save it where asked to."""
    parser = argparse.ArgumentParser(description="Benchmark of quantisation.")
    parser.add_argument("--save", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    section = report()
    print(section)
    if arguments.save:
        put_in_front(arguments.save, section, HEADING)


if __name__ == "__main__":
    main()
