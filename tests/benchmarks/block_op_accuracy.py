"""What quantising before lowering is worth: block ops whole, and taken apart first."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.quantization import calibrate, quantize
from htp_mlir.lowering.quantization.measure import noise_ratio
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "docs/examples/keyword_spotter"))

from audio import HOP_S, frames, synthesise  # isort: skip
from detect import detections, score  # isort: skip
from tests.benchmarks.decompose import decompose  # isort: skip
from tests.support.graph import Graph  # isort: skip

SPOTTER = Path(__file__).parents[2] / "docs/examples/keyword_spotter"
LEVELS = ("graph", "native", "placed", "allocated")
HEARD = ((1, 8.0), (2, 6.0))
"""Seed and seconds of the audio that the spotter is calibrated and tested on."""
ACCURACY = """\
Each model is quantised at its op boundaries, min-max, i8 weights per channel, and again after its
block ops, LayerNorm and Gelu are taken apart into the ops that exporters write. Both are compared
with f32: the ratio of signal to quantisation noise of the main output, in dB, higher is better, at
every level. The inputs are others than those of the calibration. Recurrent layers stay in f32 as
block ops (`inf` and rounding), as a cell their parts are quantised. Of the keyword spotter there is
the task's accuracy, too: the chirps that it finds, false detections, and the part of the frames
whose most likely class is that of f32.
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


@dataclass(frozen=True)
class Outcome:
    """The main output of a quantised form of a model at each level, and that of f32."""

    case: Case
    form: str
    exact: Array
    rounded: dict[str, Array]

    def ratios(self) -> str:
        """The row of ratios in dB."""
        cells = [f"{noise_ratio(self.exact, each):.1f}" for each in self.rounded.values()]
        return f"| {self.case.name} | {self.form} | {' | '.join(cells)} |"

    def tasks(self) -> Iterator[str]:
        """The rows of the task's accuracy, one for each level."""
        for level, rounded in self.rounded.items():
            curve = rounded.reshape(len(rounded), -1)
            same = (curve.argmax(1) == self.exact.reshape(curve.shape).argmax(1)).mean()
            yield f"| {self.form} | {level} | {chirps(curve)} | {100 * same:.2f} % |"


def outcomes(case: Case) -> Iterator[Outcome]:
    """Quantise both forms of a model."""
    exact = output(case.module, case, {})
    for form in ("block ops", "decomposed"):
        module, states = decompose(case.module) if form == "decomposed" else (case.module, {})
        same = noise_ratio(exact, output(module, case, states))
        if same < 60:
            raise ValueError(f"{case.name}, {form}: computes something else, {same:.0f} dB")
        calibration = [feed for feed, _ in threaded(module, case.calibration, states)]
        quantised = quantize(module, calibrate(module, calibration))
        rounded = {level: output(at(quantised, level), case, states) for level in LEVELS}
        yield Outcome(case, form, exact, rounded)


def at(module: ModuleOp, level: str) -> ModuleOp:
    """A module at a level."""
    return module if level == "graph" else lower(module, level=level)


def chirps(curve: Array) -> str:
    """The chirps found, and false detections, as columns."""
    _, events = synthesise(*HEARD[1])
    hits, false = score(events, detections(curve, HOP_S))
    return f"{hits} of {len(events)} | {false}"


def accuracy_tables() -> str:
    """The part of the page with the ratios of all models and the accuracy of the spotter."""
    spotted = list(outcomes(spotter()))
    curve = spotted[0].exact.reshape(len(spotted[0].exact), -1)
    lines = ["## Quantised: signal to noise in dB", ""]
    lines += [f"| model | form | {' | '.join(LEVELS)} |", f"|---|---|{'---|' * len(LEVELS)}"]
    lines += [outcome.ratios() for name in OPS for outcome in outcomes(small(name))]
    lines += [*(outcome.ratios() for outcome in spotted), ""]
    lines += ["## Quantised: what the keyword spotter hears", ""]
    lines += ["| form | level | chirps | false | same class |", "|---|---|---|---|---|"]
    lines += [f"| f32 | graph | {chirps(curve)} | 100.00 % |"]
    lines += [row for outcome in spotted for row in outcome.tasks()]
    return "\n".join(lines) + "\n"
