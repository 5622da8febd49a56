"""Trains the keyword spotter on synthetic audio and writes the ONNX files next to itself.

    pip install 'htp-mlir[torch]'
    python train.py [--steps N]

Training runs the model as a stream: chunk after chunk of long recordings. The modules carry the
state from one chunk to the next, as the block ops do from one inference to the next afterwards.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from audio import BANDS, HOP_S, Event, Label, frames, synthesise
from detect import detections, score
from export import write
from htp_mlir.lowering.frontend.torch import reset_states
from model import KeywordSpotter
from numpy.typing import NDArray
from torch import Tensor, nn

HERE = Path(__file__).parent
STREAMS, CHUNK, CHUNKS = 12, 48, 12
"""Recordings side by side, steps in a chunk, chunks in a recording."""
IGNORED = -100
ACTIVITY_COST = 0.01
TRACE_SEED, TRACE_STEPS, TRACE_RESETS = 4245, 300, (0, 150)
"""What `trace.npz` holds: a stream of another seed, with a reset in the middle of a chirp."""


def targets(events: list[Event], count: int) -> NDArray[np.int64]:
    """The class of every frame. Not judged: the first 0.2 s of a chirp, the 0.3 s after it.

    Those are the times at which a listener cannot know yet, or may still be saying so.
    """
    times = (np.arange(count) + 2) * HOP_S
    classes = np.full(count, Label.BACKGROUND, np.int64)
    for start_s, end_s, label in events:
        classes[(times > start_s) & (times < end_s + 0.3)] = IGNORED
        classes[(times > start_s + 0.2) & (times < end_s + 0.1)] = label
    return classes


def recordings(seed: int) -> tuple[Tensor, Tensor]:
    """Frames [STREAMS, steps, 40] and their classes [STREAMS, steps]."""
    steps = CHUNK * CHUNKS
    heard = [synthesise(seed * STREAMS + stream, (steps + 2) * HOP_S) for stream in range(STREAMS)]
    features = np.stack([frames(audio)[:steps] for audio, _ in heard])
    classes = np.stack([targets(events, steps) for _, events in heard])
    return torch.from_numpy(features), torch.from_numpy(classes)


def chunks(steps: int, seed: int) -> Iterator[tuple[Tensor, Tensor, bool]]:
    """`steps` chunks of frames and classes, and whether each begins new recordings."""
    for step in range(steps):
        part = step % CHUNKS
        if part == 0:
            features, classes = recordings(seed + step // CHUNKS)
        piece = slice(part * CHUNK, (part + 1) * CHUNK)
        yield features[:, piece], classes[:, piece], part == 0


def train(model: KeywordSpotter, steps: int) -> None:
    """Truncated back-propagation through time, one chunk a step."""
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED)
    running = 0.0
    for step, (heard, classes, fresh) in enumerate(chunks(steps, seed=1000)):
        logits, activity = model(heard, reset=fresh)
        loss = loss_of(logits.flatten(0, 1), classes.flatten())
        # Small features keep the gates out of saturation and quantise well.
        loss = loss + ACTIVITY_COST * activity.square().mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        running += (loss.item() - running) / min(step + 1, 20)
        if step % 20 == 19:
            print(f"step {step + 1}: loss {running:.4f}", flush=True)


@torch.no_grad()
def write_trace(model: KeywordSpotter, path: Path) -> None:
    """What the model answers step by step, for comparison: frames, reset and probabilities."""
    audio, _ = synthesise(TRACE_SEED, (TRACE_STEPS + 2) * HOP_S)
    features = frames(audio)[:TRACE_STEPS]
    reset = np.isin(np.arange(TRACE_STEPS), TRACE_RESETS)
    np.savez(path, frames=features, reset=reset, probabilities=answers(model, features, reset))


@torch.no_grad()
def answers(
    model: KeywordSpotter, features: NDArray[np.float32], reset: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Probabilities [steps, 3] of frames [steps, 40], one call each, with a reset where it says."""
    single = model.on_a_stream()
    steps = zip(torch.from_numpy(features), reset, strict=True)
    logits = [single(frame.view(1, 1, BANDS), bool(fresh))[0] for frame, fresh in steps]
    return torch.cat(logits).view(-1, 3).softmax(-1).numpy()


@torch.no_grad()
def evaluate(model: KeywordSpotter, count: int = 50, seconds: float = 20) -> str:
    """A sentence on what is detected in recordings that the training has not heard."""
    totals = np.zeros(3, int)
    heard = [synthesise(seed, seconds) for seed in range(1, count + 1)]
    features = torch.from_numpy(np.stack([frames(audio) for audio, _ in heard]))
    # Silence at the end fills the last chunk.
    padded = nn.functional.pad(features, (0, 0, 0, -features.shape[1] % CHUNK))
    reset_states(model)
    logits = torch.cat([model(chunk, False)[0] for chunk in padded.split(CHUNK, 1)], 1)
    curves = logits[:, : features.shape[1]].softmax(-1).numpy()
    for curve, (_, events) in zip(curves, heard, strict=True):
        totals += (*score(events, detections(curve, HOP_S)), len(events))
    hits, false, chirps = totals
    return f"{hits} of {chirps} chirps found, {false} false detections in {count * seconds:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the keyword spotter.")
    parser.add_argument("--steps", type=int, default=600, help="chunks to train on")
    steps: int = parser.parse_args().steps
    torch.manual_seed(7)
    model = KeywordSpotter(CHUNK)
    train(model, steps)
    write(model.eval(), HERE)
    write_trace(model, HERE / "trace.npz")
    print(evaluate(model))


if __name__ == "__main__":
    main()
