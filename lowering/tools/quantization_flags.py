"""The flags of `htp-opt` that quantise a model before its passes run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import fail

if TYPE_CHECKING:
    from pathlib import Path

    from ...runtime.files.atomic import Parts
    from ...runtime.library import Library

_CHANGES = ("calibration_method", "activations", "save_encodings", "encodings_version")
"""The flags that change --calibrate alone."""


def add_quantization_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser; those that change --calibrate are None unless given."""
    add = parser.add_argument
    add(
        "--calibrate",
        metavar="F.npz",
        help="quantise the model before the passes, by its tensors' ranges on the inputs in this "
        "file; the leading axis of each array is successive inferences, with state kept",
    )
    add(
        "--calibration-method",
        metavar="NAME",
        help="of --calibrate: min-max (unless given), percentile, mse or entropy",
    )
    add(
        "--activations",
        metavar="TYPE",
        help="of --calibrate: u8 (unless given), u16, i8 or i16; signed ones are symmetric",
    )
    add(
        "--save-encodings",
        metavar="F.json",
        help="of --calibrate: write the encodings, which -p 'qti-quantize{encodings=\"F.json\"}' "
        "reads",
    )
    add(
        "--encodings-version",
        metavar="VERSION",
        help="of --save-encodings: 1.0.0 (unless given) or 0.6.1",
    )


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
    from ...runtime.files.arrays import read_npz
    from ...runtime.session.stream import successive
    from ..levels import Level
    from ..passes.check_level import check_level
    from ..quantization.calibrate import calibrate
    from ..quantization.files import encodings_text
    from ..quantization.quantize import quantize_in_place

    check_level(module, Level.GRAPH)
    encodings = calibrate(
        module,
        successive(read_npz(arguments.calibrate)),
        method=arguments.calibration_method or "min-max",
        activations=arguments.activations or "u8",
        library=library,
    )
    text = encodings_text(encodings, arguments.encodings_version or "1.0.0")
    quantize_in_place(module, encodings)
    return {arguments.save_encodings: [text.encode()]} if arguments.save_encodings else {}
