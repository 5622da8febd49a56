"""A run on successive frames: results are printed as they come, states go on from step to step."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...dialects.diagnostics import fail
from ...dialects.faults.source_lines import STDIN_NAME
from ..session.session import Session
from ..session.stream import run_step
from .flags import DTYPES, STDIN
from .frames import Frames
from .inputs import other_inputs, samples_per_frame, streamed_input
from .lines import json_line, text_line
from .samples import opened


def run_frames(session: Session, arguments: Namespace, fixed: Mapping[str, ArrayLike]) -> None:
    """Print one line for each step in which any output ran, until the frames end.

    The end is that of the file or pipe, a reader that goes away, or Ctrl-C: the states are saved
    then, where that is asked for. HtpError where frames and model do not fit, or a step fails.
    """
    name = streamed_input(session.inputs, fixed, arguments.stream_input)
    spec = session.inputs[name]
    others = other_inputs(session.inputs, fixed, name)
    dtype = np.dtype(DTYPES[arguments.dtype]) if arguments.dtype else spec.dtype.storage
    source = STDIN_NAME if arguments.frames == STDIN else arguments.frames
    write = json_line if arguments.json else text_line
    try:
        with opened(arguments.frames, spec.dtype.is_float, sys.stdin.buffer, dtype) as samples:
            size = samples_per_frame(name, spec, samples.row, source)
            frames = Frames(samples, size, arguments.hop or size)
            for step, frame in enumerate(frames):
                feeds = {**others, name: frame.reshape(spec.shape)}
                outputs = run_step(session, feeds, step)
                results = {key: value for key, value in outputs.items() if value is not None}
                if results:
                    sys.stdout.write(write(step, results))
                    sys.stdout.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        _save(session, arguments)
        raise
    _save(session, arguments)
    if frames.left and not frames.count:
        problem = f"has {frames.left} samples, and no whole frame of {size}"
        raise fail(source, problem, "give a longer stream")
    if frames.left:
        print(f"{source}: the last {frames.left} samples make no whole frame", file=sys.stderr)


def _save(session: Session, arguments: Namespace) -> None:
    if arguments.save_state:
        session.save_state(arguments.save_state)
