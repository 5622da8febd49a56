"""ONNX Runtime as the judge of numbers."""

from __future__ import annotations

import onnxruntime


def judge_options() -> onnxruntime.SessionOptions:
    """Options of a session on one thread, since some ops round by its rows, with errors alone.

    On processors without dot products of bytes its sums of u8 by i8 saturate, unless told.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    options.add_session_config_entry("session.x64quantprecision", "1")
    return options
