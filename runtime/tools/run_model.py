"""Runs of a module: once or on a stack, on frames, and with its tensors kept or compared."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from numpy.typing import ArrayLike
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import fail
from ...dialects.faults.op_faults import STDIN_NAME
from ...dialects.value import round_up
from ..files.arrays import LIST, read_input_list, read_npz, read_results, write_npz, write_results
from ..files.budget import read_text
from ..functions.support.arrays import Array
from ..installed.environment import universe, with_fallbacks
from ..kernel.library import Library
from ..memory_plan import check_plan, read_plan
from ..probe.compare import compare
from ..probe.recording import Recording, TensorRecorder, read_recording, write_recording
from ..session.observer import Observer
from ..session.session import Session, is_stacked, run_stream
from ..streaming.flags import refuse_source
from ..streaming.run import run_frames
from .choices import print_choices
from .flags import STDIN, packages_in_use, parse_constants, parse_dims, refuse_overwriting
from .following import following
from .loading import TEXT, load_module, parse_module, unknown_suffix, verify
from .pipeline import make_pipeline
from .summary import random_inputs, summary

Outputs = Mapping[str, Array]
_UNNAMED = (
    "note: most tensors of {} are of no node; they are joined by place or structure, or not "
    "compared; text keeps its nodes where it is printed with --print-debuginfo"
)


@dataclass(frozen=True)
class LoadedModel:
    """A module that was read and passed through the passes, with what opens a session of it.

    `fixed` are the inputs that each step gets alike.
    """

    arguments: Namespace
    ctx: Context
    library: Library
    module: ModuleOp
    fixed: Mapping[str, ArrayLike]

    def session(self, module: ModuleOp | None = None, *observers: Observer) -> Session:
        """Open a session of this or of another module, in the state that was asked for."""
        session = Session(
            module or self.module,
            check=vars(self.arguments).get("check", False),
            observers=observers,
            library=self.library,
        )
        if self.arguments.load_state:
            session.load_state(self.arguments.load_state)
        return session


def run_model(arguments: Namespace) -> None:
    """Run a model, and write its outputs and states."""
    loaded = _loaded(arguments)
    if vars(arguments).get("explain_kernels"):
        print_choices(loaded.module, loaded.library.kernels)
    session = loaded.session()
    outputs = _outputs(session, _inputs(arguments, session))
    if is_list(arguments) and arguments.output and not is_recording(arguments.output):
        write_results(arguments.output, outputs, session.outputs)
    else:
        _write(arguments, outputs)
    if arguments.save_state:
        session.save_state(arguments.save_state)


def stream_model(arguments: Namespace) -> None:
    """Run a model on frames, and print the results as they come."""
    refuse_source(arguments.frames.path, arguments.dtype)
    if arguments.frames.path == STDIN == arguments.model:
        raise fail("htp stream", "model and frames cannot both come from stdin", "name the model")
    loaded = _loaded(arguments, keep_open=True)
    session = loaded.session()
    by_file = read_npz(Path(arguments.input)) if arguments.input else {}
    run_frames(session, arguments, {**loaded.fixed, **by_file})


def probe_model(arguments: Namespace) -> None:
    """Run a model, and write its tensors and outputs."""
    read = arguments.model, arguments.input, arguments.resources_from
    refuse_overwriting({"htp probe": arguments.tensors}, read)
    loaded, recorder = _loaded(arguments), TensorRecorder()
    session = loaded.session(None, recorder)
    inputs = _inputs(arguments, session)
    _write(arguments, _outputs(session, inputs))
    write_recording(arguments.tensors, recorder.recording(is_stacked(inputs, session.inputs)))


def compare_models(arguments: Namespace) -> None:
    """Compare two models on the same inputs, or files of tensors; HtpError where one differs."""
    paths = arguments.model, arguments.other
    if is_recording(paths[0]):
        if not is_recording(paths[1]):
            problem = "is a model, and there are no inputs to run it on"
            raise fail(paths[1], problem, "name another .npz file, or a model twice")
        first, second = map(read_recording, paths)
    else:
        loaded = _loaded(arguments)
        recorder = TensorRecorder()
        session = loaded.session(None, recorder)
        inputs = _inputs(arguments, session)
        _outputs(session, inputs)
        stacked = is_stacked(inputs, session.inputs)
        first, second = recorder.recording(stacked), _other(loaded, inputs, stacked)
    result = compare(first, second, arguments.tolerance)
    where = f"{paths[0]} and {paths[1]}"
    if not result.rows:
        unlike = f"'{result.unlike[0]}' in two shapes" if result.unlike else "no tensor of one name"
        raise fail(where, f"have {unlike}", "compare two runs of one model on as many inferences")
    sys.stdout.write(result.text())
    for path, recording in zip(paths, (first, second), strict=True):
        if recording.lacks_nodes:
            print(_UNNAMED.format(path), file=sys.stderr)
    if faults := result.faults:
        worst = faults[0]
        problem = f"{len(faults)} of {len(result.rows)} tensors differ, the worst '{worst.name}'"
        raise fail(where, f"{problem} {worst.difference}", "--tolerance REL allows another error")


def _other(loaded: LoadedModel, inputs: Outputs, stacked: bool) -> Recording:
    """Read the other recording, or run the other model on the same inputs."""
    arguments = loaded.arguments
    if is_recording(arguments.other):
        return read_recording(arguments.other)
    if Path(arguments.other).is_dir():
        arrays = read_results(arguments.other, loaded.session().outputs)
        arrays = arrays if stacked else {n: a[0] for n, a in arrays.items()}
        return Recording(arrays, dict.fromkeys(arrays, 0.0))
    recorder = TensorRecorder()
    module = _module(arguments, arguments.other, loaded.ctx, arguments.const)
    _outputs(loaded.session(module, recorder), inputs)
    return recorder.recording(stacked)


def check_model_plan(arguments: Namespace) -> None:
    """Print a line about a plan that holds; HtpError with all that is wrong with another."""
    path, module = arguments.plan, _loaded(arguments).module
    plan = read_plan(path)
    check_plan(module, plan, path)
    print(
        f"{path}: holds; {len(plan.rows)} tensors, peak {plan.peak} of {plan.capacity} bytes; in "
        f"chunks of {plan.alignment} it takes {round_up(plan.peak, plan.alignment)}, "
        f"no other addresses take less than {plan.bound}"
    )


def is_recording(path: str) -> bool:
    """Tell whether a path is that of a file of tensors."""
    return path.lower().endswith(".npz")


def _loaded(arguments: Namespace, keep_open: bool = False) -> LoadedModel:
    """Load the model and run the passes; with `keep_open` the constants of a text are inputs."""
    for name in ("output", "save_state", "tensors"):
        path = vars(arguments).get(name) or ""
        is_folder = name == "output" and path and is_list(arguments)
        if Path(path).suffix and not (is_recording(path) or is_folder):
            raise unknown_suffix(path, ["npz"])
    if is_recording(arguments.model):
        remedy = "give htp compare two of them, or name a model"
        raise fail(arguments.model, "holds tensors, and nothing says what to do with them", remedy)
    packages = packages_in_use(arguments)
    ctx, constants = packages.context(), arguments.const
    fixed: Mapping[str, ArrayLike] = {}
    if keep_open and Path(arguments.model).suffix.lower() in ("", f".{TEXT}"):
        fixed, constants = parse_constants(constants), []
    module = _module(arguments, arguments.model, ctx, constants)
    if arguments.passes:
        with following():
            make_pipeline(universe().all_passes, arguments.passes).apply(ctx, module)
        verify(module, arguments.model)
    library = with_fallbacks(packages.library) if arguments.fallback else packages.library
    return LoadedModel(arguments, ctx, library, module, fixed)


def _module(arguments: Namespace, path: str, ctx: Context, constants: Sequence[str]) -> ModuleOp:
    """Load a model; what is said of the first one does not hold of another that is text."""
    other = path != arguments.model
    if path == STDIN:
        return parse_module(read_text(), STDIN_NAME, ctx, arguments.resources_from)
    is_open = not (other and Path(path).suffix.lower() == f".{TEXT}")
    return load_module(
        path,
        dims=parse_dims(arguments.dim) if is_open else {},
        constants=parse_constants(constants) if is_open else {},
        ctx=ctx,
        resources=None if other else arguments.resources_from,
        fallback=arguments.fallback and is_open,
    )


def _inputs(arguments: Namespace, session: Session) -> Outputs:
    if is_list(arguments):
        return read_input_list(arguments.input, session.inputs)
    if arguments.input:
        return read_npz(Path(arguments.input))
    return random_inputs(session.inputs, arguments.seed)


def is_list(arguments: Namespace) -> bool:
    """Tell whether the inputs are a list of raw files."""
    return str(arguments.input or "").lower().endswith(LIST)


def _outputs(session: Session, inputs: Outputs) -> Outputs:
    """Run once or once a step; an output that did not run is left out."""
    if is_stacked(inputs, session.inputs):
        return run_stream(session, inputs)
    return {name: v for name, v in session.run(inputs).items() if v is not None}


def _write(arguments: Namespace, outputs: Outputs) -> None:
    if arguments.output:
        write_npz(arguments.output, outputs)
    else:
        sys.stdout.write(summary(outputs))
