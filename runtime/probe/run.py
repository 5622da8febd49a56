"""The tensors of a run of `htp-run`: a file of them, and a table of differences."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

from ...dialects.diagnostics import fail
from ..functions.support.arrays import Array
from ..session.session import Session
from ..session.stream import run_stream
from .compare import compare
from .flags import is_recording
from .recording import Recording, TensorRecorder, read_recording, write_recording

Feeds = Mapping[str, Array]
Open = Callable[[str, TensorRecorder], Session]
"""Makes a session of a model that a path names, with an observer."""
_UNNAMED = (
    "note: most tensors of {} are of no node; they are joined by place or structure, or not "
    "compared; text keeps its nodes where it is printed with --print-debuginfo"
)


def compare_files(arguments: Namespace) -> None:
    """Compare two files of tensors."""
    if not is_recording(arguments.compare):
        problem = "is a model, and there are no inputs to run it on"
        raise fail(arguments.compare, problem, "name another .npz file, or a model twice")
    _tell(arguments, read_recording(arguments.model), read_recording(arguments.compare))


def look_at(
    arguments: Namespace, recorder: TensorRecorder, inputs: Feeds, stacked: bool, open_model: Open
) -> None:
    """Write or compare the tensors of the run that is over; HtpError where any differs too much."""
    recording = recorder.recording(stacked)
    if arguments.probe:
        write_recording(arguments.probe, recording)
    if arguments.compare:
        _tell(arguments, recording, _other(arguments.compare, inputs, stacked, open_model))


def _other(path: str, inputs: Feeds, stacked: bool, open_model: Open) -> Recording:
    if is_recording(path):
        return read_recording(path)
    recorder = TensorRecorder()
    session = open_model(path, recorder)
    if stacked:
        run_stream(session, inputs)
    else:
        session.run(inputs)
    return recorder.recording(stacked)


def _tell(arguments: Namespace, first: Recording, second: Recording) -> None:
    """Print the table; HtpError where a tensor differs, or where nothing can be compared."""
    result = compare(first, second, arguments.tolerance)
    where = f"{arguments.model} and {arguments.compare}"
    if not result.rows:
        raise fail(where, "have no tensor of one name", "compare two runs of one model")
    sys.stdout.write(result.text())
    for path, recording in ((arguments.model, first), (arguments.compare, second)):
        if recording.lacks_nodes:
            print(_UNNAMED.format(path), file=sys.stderr)
    if faults := result.faults:
        worst = faults[0]
        problem = f"{len(faults)} of {len(result.rows)} tensors differ, the worst '{worst.name}'"
        raise fail(where, f"{problem} {worst.difference}", "--tolerance REL allows another error")
