"""Lower the keyword spotter, stream audio through it, and show what happened.

Run it from anywhere: `python docs/examples/keyword_spotter/demo.py [--seconds N] [--report FILE]`.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from audio import HOP_S, Event, frames, synthesise
from detect import belongs, detections, score
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import ConcatOp, ConvLayerValidClampOp, FillOp, FillStartOp, SpillOp
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.lowering.report.plan import Timeline, timeline
from htp_mlir.lowering.report.run import Recorder, run_page
from htp_mlir.runtime import Session
from htp_mlir.runtime.passes import instrumented
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

HERE = Path(__file__).parent
SOC = "SM8650"
TCM_BYTES = 96 * 1024
"""Far below the 8 MiB that the SoC has, so that three of the convolutions fit in tiles only.

With less than about 68 KiB there is no room to keep the weights of the second convolution: they
come back so often that more bytes move than if the convolutions ran from main memory.
"""
SEED = 1

Outputs = dict[str, NDArray[np.float32]]


def main() -> None:
    """Lower, stream, compare, report."""
    options = arguments()
    module = load_module(HERE / "model.onnx")
    with instrumented(recorder := Recorder()):
        lowered = lower(module, soc=SOC, tcm_bytes=TCM_BYTES)
    line = timeline(lowered)
    whole = lower(module, soc=SOC, tcm_bytes=TCM_BYTES, tiling=False)
    for name, value in describe(lowered, whole, line):
        print(f"{name + ':':24} {value}")

    audio, events = synthesise(SEED, options.seconds)
    inputs = frames(audio)
    outputs = stream(lowered, inputs)
    print_detections(outputs["probabilities"], events, options.seconds)
    compare("graph level", stream(module, inputs), outputs)
    compare("ONNX Runtime, stateless part", stateless(outputs["window"]), outputs)

    title = f"Keyword spotter on {SOC} with {TCM_BYTES // 1024} KiB of TCM"
    options.report.write_text(run_page(title, recorder, lowered), encoding="utf-8")
    print(f"\nReport: {options.report}")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12.0, help="length of the audio")
    parser.add_argument("--report", type=Path, default=Path("report.html"), help="where it goes")
    return parser.parse_args()


def describe(lowered: ModuleOp, whole: ModuleOp, line: Timeline) -> list[tuple[str, str]]:
    """What lowering did, in figures; `whole` is the model lowered without tiling."""
    tiles, layers = (count(module, ConvLayerValidClampOp) for module in (lowered, whole))
    joins = count(lowered, ConcatOp) - count(whole, ConcatOp)
    fills = count(lowered, FillOp, FillStartOp)
    return [
        ("TCM", f"{TCM_BYTES:,} bytes of simulated memory, {line.peak:,} used at the peak"),
        ("Ops to run", str(len(line.steps))),
        ("Tiling", f"{layers} convolutions became {tiles}, joined by {joins} Concat ops"),
        ("Spilling", f"{count(lowered, SpillOp)} spills to DDR, {fills} fills from it"),
        ("To and from DDR", f"{moved(lowered)}; without tiling {moved(whole)}"),
    ]


def count(module: ModuleOp, *kinds: type[Operation]) -> int:
    """The ops of some kinds."""
    return sum(isinstance(op, kinds) for op in module.walk())


def moved(module: ModuleOp) -> str:
    """The bytes of one inference, beside inputs, constants, states and outputs moved once."""
    total = traffic(module).bytes
    return f"{total:,} bytes ({total / least_traffic(module):.2f} of the least)"


def stream(module: ModuleOp, inputs: NDArray[np.float32]) -> Outputs:
    """Feed one frame per inference, with a reset before the first; stack the outputs."""
    session = Session(module)
    rows = [
        session.run({"frame": frame.reshape(1, 1, 1, -1), "reset": np.bool_(step == 0)})
        for step, frame in enumerate(inputs)
    ]
    return {
        name: np.stack([array for row in rows if (array := row[name]) is not None])
        for name in session.outputs
    }


def stateless(windows: NDArray[np.float32]) -> Outputs:
    """The convolutions alone, by ONNX Runtime, on the windows that the Buffer gave."""
    session = onnxruntime.InferenceSession(HERE / "stateless.onnx")
    return {"features": np.stack([session.run(["features"], {"window": w})[0] for w in windows])}


def print_detections(
    probabilities: NDArray[np.float32], events: list[Event], seconds: float
) -> None:
    """What was heard, beside what was there."""
    detected = detections(probabilities[:, 0], HOP_S)
    print(f"\n{seconds:g} s of audio, one inference every {HOP_S * 1000:g} ms")
    print("  truth              heard")
    for event in events:
        times = [time for time, label in detected if belongs((time, label), event)]
        heard = f"at {times[0]:5.2f} s" if times else "missed"
        print(f"  {event.start_s:5.2f} to {event.end_s:5.2f} s  {heard:12} {event.label}")
    hits, false = score(events, detected)
    print(f"  {hits} of {len(events)} found, {false} false")


def compare(name: str, expected: Outputs, outputs: Outputs) -> None:
    """Print the largest difference relative to each output's scale; fail where it is too large."""
    print(f"\nLowered run against {name}:")
    for key, wanted in expected.items():
        scale = float(np.max(np.abs(wanted))) or 1.0
        error = float(np.max(np.abs(outputs[key] - wanted))) / scale
        print(f"  {key:14} {wanted.shape[0]} inferences, largest relative error {error:.1e}")
        if not error <= 1e-5:
            sys.exit(f"{key} differs by more than 1e-5 of its scale")


if __name__ == "__main__":
    try:
        main()
    except HtpError as error:
        sys.exit(str(error))
