"""Trains the keyword spotter on synthetic audio and writes the ONNX files next to itself.

    pip install torch==2.13.0 numpy onnx
    python train.py [--steps N]

Training runs the model as a stream: chunk after chunk of long recordings, with the state carried
from one chunk to the next, as it is carried from one inference to the next afterwards.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from audio import BANDS, HOP_S, Event, Label, frames, synthesise
from detect import detections, score
from export import write
from model import KeywordSpotter, State
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
    state, running = State.initial(STREAMS), 0.0
    for step, (heard, classes, fresh) in enumerate(chunks(steps, seed=1000)):
        before = State.initial(STREAMS) if fresh else state.detached()
        logits, activity, state = model(heard, before)
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


def weights(model: KeywordSpotter) -> dict[str, NDArray[np.float32]]:
    """The trained weights under the names and in the forms of the ONNX files."""
    have = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    named = {}
    for name, layer in {"conv1": 0, "conv2": 2, "conv3": 4, "conv4": 7}.items():
        named[f"{name}.w"] = have[f"conv.{layer}.weight"]
        named[f"{name}.b"] = have[f"conv.{layer}.bias"]
    # PyTorch orders the gates rzn and ifgo, ONNX zrh and iofc.
    for name, order in {"gru": [1, 0, 2], "lstm": [0, 3, 1, 2]}.items():
        gates = {key: _reordered(have[f"{name}.{key}_l0"], order) for key in _RNN_KEYS}
        named[f"{name}.w"] = gates["weight_ih"][None]
        named[f"{name}.r"] = gates["weight_hh"][None]
        named[f"{name}.b"] = np.concatenate([gates["bias_ih"], gates["bias_hh"]])[None]
    named["attention.w"] = have["attention"][:, None]
    named["class.w"] = np.ascontiguousarray(have["classifier.weight"].T)
    named["class.b"] = have["classifier.bias"]
    return named


_RNN_KEYS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _reordered(array: NDArray[np.float32], order: list[int]) -> NDArray[np.float32]:
    gates = np.split(array, len(order))
    return np.concatenate([gates[gate] for gate in order])


@torch.no_grad()
def write_trace(model: KeywordSpotter, path: Path) -> None:
    """What the model answers step by step, for comparison: frames, reset and probabilities."""
    audio, _ = synthesise(TRACE_SEED, (TRACE_STEPS + 2) * HOP_S)
    features = frames(audio)[:TRACE_STEPS]
    reset = np.isin(np.arange(TRACE_STEPS), TRACE_RESETS)
    state, answers = State.initial(1), []
    for frame, fresh in zip(torch.from_numpy(features), reset, strict=True):
        logits, _, state = model(frame.view(1, 1, BANDS), State.initial(1) if fresh else state)
        answers.append(logits.softmax(-1).view(-1).numpy())
    np.savez(path, frames=features, reset=reset, probabilities=np.stack(answers))


@torch.no_grad()
def evaluate(model: KeywordSpotter, count: int = 50, seconds: float = 20) -> str:
    """A sentence on what is detected in recordings that the training has not heard."""
    totals = np.zeros(3, int)
    for seed in range(1, count + 1):
        audio, events = synthesise(seed, seconds)
        logits, _, _ = model(torch.from_numpy(frames(audio))[None], State.initial(1))
        found = detections(logits[0].softmax(-1).numpy(), HOP_S)
        totals += (*score(events, found), len(events))
    hits, false, chirps = totals
    return f"{hits} of {chirps} chirps found, {false} false detections in {count * seconds:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the keyword spotter.")
    parser.add_argument("--steps", type=int, default=600, help="chunks to train on")
    steps: int = parser.parse_args().steps
    torch.manual_seed(7)
    model = KeywordSpotter()
    train(model, steps)
    write(weights(model.eval()), HERE)
    write_trace(model, HERE / "trace.npz")
    print(evaluate(model))


if __name__ == "__main__":
    main()
