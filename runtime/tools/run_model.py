"""A run of a module as `htp-run` is asked for it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from numpy.typing import ArrayLike
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import fail
from ...dialects.faults.source_lines import STDIN_NAME
from ..environment import Environment, universe, with_fallbacks
from ..files.arrays import read_npz, write_npz
from ..functions.support.arrays import Array
from ..memory_plan import check_plan, read_plan
from ..probe.flags import check_probe_flags, is_recording
from ..probe.recording import TensorRecorder
from ..probe.run import compare_files, look_at
from ..session.observer import Observer
from ..session.session import Session
from ..session.stream import run_stream
from ..streaming.flags import STACKED, check_stream_flags
from ..streaming.run import run_frames
from .choices import print_choices
from .flags.model_flags import parse_constants, parse_dims
from .flags.package_flags import packages_in_use
from .flags.run_flags import STDIN
from .following import following
from .pipeline import make_pipeline
from .reading.loading import (
    TEXT,
    load_module,
    parse_module,
    verify,
)
from .summary import random_inputs, summary


def run_model(arguments: argparse.Namespace) -> None:
    """Load the module, and run it or check its plan; write what was asked for."""
    check_stream_flags(arguments)
    check_probe_flags(arguments)
    _refuse_overwriting(arguments)
    if is_recording(arguments.model):
        compare_files(arguments)
        return
    packages = packages_in_use(arguments)
    ctx = packages.context()
    module, fixed = _module(arguments, ctx)
    if arguments.verify_plan:
        sys.stdout.write(_plan_verdict(module, arguments.verify_plan))
        return
    if arguments.explain_kernels:
        print_choices(module, packages.library.kernels)
    recorder = TensorRecorder() if arguments.probe or arguments.compare else None
    session = _session(arguments, packages, module, [recorder] if recorder else [])
    if arguments.stream:
        by_file = read_npz(Path(arguments.input)) if arguments.input else {}
        run_frames(session, arguments, {**fixed, **by_file})
        return
    stacked = arguments.stream == STACKED
    inputs = _inputs(arguments, session, stacked)
    _write_outputs(arguments, session, _outputs(session, inputs, stacked))
    if recorder is not None:

        def again(path: str, observer: Observer) -> Session:
            return _session(arguments, packages, _loaded(arguments, path, ctx), [observer])

        look_at(arguments, recorder, inputs, stacked, again)


def _refuse_overwriting(arguments: argparse.Namespace) -> None:
    """HtpError where outputs or states would take the place of what the run reads."""
    read = (arguments.model, arguments.input, arguments.resources_from)
    for flag, target in (("-o", arguments.output), ("--save-state", arguments.save_state)):
        for source in filter(None, read):
            there = target and Path(target).exists()
            if there and Path(target).resolve() == Path(source).resolve():
                raise fail(flag, f"'{target}' is what the run reads", "name another file")


def _module(
    arguments: argparse.Namespace, ctx: Context
) -> tuple[ModuleOp, Mapping[str, ArrayLike]]:
    """Load the module and run its passes; return it with the inputs that each step gets alike."""
    constants = parse_constants(arguments.const)
    fixed: Mapping[str, ArrayLike] = {}
    if arguments.stream and Path(arguments.model).suffix.lower() in ("", f".{TEXT}"):
        # Text has its inputs open.
        fixed, constants = constants, {}
    if arguments.model == STDIN:
        module = parse_module(sys.stdin.read(), STDIN_NAME, ctx, arguments.resources_from)
    else:
        module = _loaded(arguments, arguments.model, ctx, constants)
    if arguments.passes:
        with following():
            make_pipeline(universe().all_passes, arguments.passes).apply(ctx, module)
        verify(module, arguments.model)
    return module, fixed


def _session(
    arguments: argparse.Namespace,
    packages: Environment,
    module: ModuleOp,
    observers: Sequence[Observer],
) -> Session:
    """Open a session, in the state that was asked for."""
    library = with_fallbacks(packages.library) if arguments.fallback else packages.library
    session = Session(
        module,
        check=arguments.check,
        observers=observers,
        threads=arguments.threads,
        library=library,
    )
    if arguments.load_state:
        session.load_state(arguments.load_state)
    return session


def _inputs(arguments: argparse.Namespace, session: Session, stacked: bool) -> Mapping[str, Array]:
    if arguments.input:
        return read_npz(Path(arguments.input))
    return random_inputs(session.inputs, arguments.seed, 1 if stacked else None)


def _outputs(session: Session, inputs: Mapping[str, Array], stacked: bool) -> dict[str, Array]:
    """Run; an output that did not run is left out."""
    if stacked:
        return run_stream(session, inputs)
    return {name: v for name, v in session.run(inputs).items() if v is not None}


def _write_outputs(
    arguments: argparse.Namespace, session: Session, outputs: Mapping[str, Array]
) -> None:
    if arguments.output:
        write_npz(arguments.output, outputs)
    if arguments.save_state:
        session.save_state(arguments.save_state)
    if not arguments.output and not arguments.compare:
        sys.stdout.write(summary(outputs))


def _loaded(
    arguments: argparse.Namespace,
    path: str,
    ctx: Context,
    constants: Mapping[str, ArrayLike] | None = None,
) -> ModuleOp:
    """Load a model; text has no dims that are open."""
    is_text = Path(path).suffix.lower() == f".{TEXT}"
    other = path != arguments.model
    constants = parse_constants(arguments.const) if constants is None else constants
    dims = parse_dims(arguments.dim)
    if other and is_text:
        dims, constants = {}, {}
    resources = None if other else arguments.resources_from
    return load_module(
        path,
        dims=dims,
        constants=constants,
        ctx=ctx,
        resources=resources,
        fallback=arguments.fallback and not (other and is_text),
    )


def _plan_verdict(module: ModuleOp, path: str) -> str:
    """One line about a plan that holds; HtpError with all that is wrong with one that does not."""
    plan = read_plan(path)
    check_plan(module, plan, path)
    return (
        f"{path}: holds; {len(plan.rows)} tensors, peak {plan.peak} of {plan.capacity} bytes, "
        f"at least {plan.bound}\n"
    )
