"""The flags of `htp-opt` that quantise a model before its passes run."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from math import isfinite, nan
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ....dialects.diagnostics import fail
from ....runtime.tools.flags.flag_table import FlagTable, add_flags_of

if TYPE_CHECKING:
    from pathlib import Path

    from ....runtime.files.atomic import Parts
    from ....runtime.library import Library
    from ...quantization.encodings import Encodings
    from ...quantization.sensitivity import Feeds

_CHANGES = (
    *("calibration_method", "activations", "save_encodings", "encodings_version"),
    *("equalize", "correct_bias", "sensitivity", "least_ratio"),
)
"""The flags that change --calibrate alone."""


def _decibels(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise ArgumentTypeError(f"'{text}' is no finite number")
    return value


_FLAGS: FlagTable = {
    "--calibrate": {
        "metavar": "F.npz",
        "help": (
            "quantise the model before the passes, by its tensors' ranges on the inputs in this "
            "file; the leading axis of each array is successive inferences, with state kept"
        ),
    },
    "--calibration-method": {
        "metavar": "NAME",
        "help": "of --calibrate: min-max (unless given), percentile, mse or entropy",
    },
    "--activations": {
        "metavar": "TYPE",
        "help": "of --calibrate: u8 (unless given), u16, i8 or i16; signed ones are symmetric",
    },
    "--save-encodings": {
        "metavar": "F.json",
        "help": (
            "of --calibrate: write the encodings, which -p 'qti-quantize{encodings=\"F.json\"}' "
            "reads"
        ),
    },
    "--encodings-version": {
        "metavar": "VERSION",
        "help": "of --save-encodings: 1.0.0 (unless given) or 0.6.1",
    },
    "--equalize": {
        "action": "store_true",
        "default": None,
        "help": (
            "of --calibrate: scale the channels of neighbouring layers to like ranges first, as "
            "the pass qti-equalize does"
        ),
    },
    "--correct-bias": {
        "action": "store_true",
        "default": None,
        "help": (
            "of --calibrate: take the mean error of rounded weights off the biases; it is in the "
            "output, and not in the saved encodings"
        ),
    },
    "--sensitivity": {
        "action": "store_true",
        "default": None,
        "help": (
            "of --calibrate: print to stderr, worst first, the signal-to-noise ratio of the worst "
            "output, in dB, when one op alone is quantised"
        ),
    },
    "--least-ratio": {
        "type": _decibels,
        "metavar": "DB",
        "help": (
            "of --calibrate: leave the fewest ops in f16 that give each output this ratio in dB"
        ),
    },
}
"""The flags; those that change --calibrate are None unless given."""


def add_quantization_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add_flags_of(_FLAGS, parser)


def check_quantization_flags(arguments: Namespace) -> None:
    """HtpError for a flag that changes what another does where that is absent."""
    needs = {**dict.fromkeys(_CHANGES, "calibrate"), "encodings_version": "save_encodings"}
    for name, other in needs.items():
        if getattr(arguments, name) is not None and getattr(arguments, other) is None:
            problem = f"changes what {flag(other)} does"
            raise fail(flag(name), problem, f"add {flag(other)}, or leave it out")
    if arguments.calibrate and arguments.split_input_file:
        problem = "one file goes with one module, and --split-input-file reads several"
        raise fail("--calibrate", problem, "leave one of them out")


def flag(name: str) -> str:
    """Write the name of an argument as a flag."""
    return f"--{name.replace('_', '-')}"


def calibrated(arguments: Namespace, module: ModuleOp, library: Library) -> dict[str | Path, Parts]:
    """Quantise a module as the flags say, in place; return the files to write."""
    if arguments.calibrate is None:
        return {}
    from ....runtime.files.arrays import read_npz
    from ....runtime.session.stream import successive
    from ...levels import Level
    from ...passes.check_level import check_level
    from ...quantization.bias import correct_bias
    from ...quantization.calibrate import calibrate
    from ...quantization.equalize import equalize
    from ...quantization.files.files import encodings_text
    from ...quantization.measure import summary
    from ...quantization.quantize import quantize_in_place

    check_level(module, Level.GRAPH)
    feeds = successive(read_npz(arguments.calibrate))
    if arguments.equalize:
        equalize(module)
    encodings = calibrate(
        module,
        feeds,
        method=arguments.calibration_method or "min-max",
        activations=arguments.activations or "u8",
        library=library,
    )
    encodings, halves = _with_floats(arguments, module, encodings, feeds, library)
    text = encodings_text(encodings, arguments.encodings_version or "1.0.0")
    exact = module.clone()
    if arguments.correct_bias:
        correct_bias(module, feeds, library)
    quantize_in_place(module, encodings)
    print(summary(exact, module, feeds, halves, library), file=sys.stderr)
    return {arguments.save_encodings: [text.encode()]} if arguments.save_encodings else {}


def _with_floats(
    arguments: Namespace, module: ModuleOp, encodings: Encodings, feeds: Feeds, library: Library
) -> tuple[Encodings, list[str]]:
    """Print how sensitive ops are, and put in f16 those that have to be, as the flags say."""
    from ...quantization.sensitivity import sensitivities, with_f16

    if arguments.sensitivity:
        for row in sensitivities(module, encodings, feeds, library):
            print(f"{row.ratio:8.1f} dB  {row.op} '{row.tensor}'", file=sys.stderr)
    if arguments.least_ratio is None:
        return encodings, []
    mixed, rows = with_f16(module, encodings, feeds, arguments.least_ratio, library)
    for row in rows:
        print(f"f16: {row.op} '{row.tensor}'", file=sys.stderr)
    return mixed, [row.tensor for row in rows]
