"""ONNX Runtime as the judge of numbers."""

import onnxruntime


def judge_options(is_wide: bool = False) -> onnxruntime.SessionOptions:
    """Options of a session on one thread, since some ops round by its rows, with errors alone.

    On processors without dot products of bytes sums of u8 by i8 saturate, unless they are wide;
    then activations of i8 have no kernels.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    options.add_session_config_entry("session.x64quantprecision", str(int(is_wide)))
    return options
