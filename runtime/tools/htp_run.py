"""`htp run` and its neighbours: run a module of any level, on a stream, or beside another one.

Nothing is imported here that only a run needs. `htp-run` is `htp run`.
"""

from argparse import SUPPRESS
from collections.abc import Mapping, Sequence

from ..streaming.flags import DTYPES, frame_source
from .flags import MODEL, NAMED_MODEL, PASSES, READING, SEED, TOLERANCE, flags, number
from .tool import Tool
from .verbs import MovedFlag, ToolParser, add_flags, moved, note_move, verbs_of

_FEEDS = flags(
    """
    -i --input X.npz  the inputs by name, or stacked along a leading axis for successive inferences
        with state kept, or a .txt list of raw files, as the vendor's runner takes it: a line is an
        inference; random ones without it
    """
)
_INPUTS = {**_FEEDS, **SEED}
_OTHERS = flags("-i --input X.npz  the inputs that take no frames, by name, for all steps")
_OUTPUT = flags(
    """
    -o --output Y.npz  where the outputs go, after a list of raw files also a folder; a summary
        without it
    """
)
_CHECK = flags("--check  look for overlaps and stale or unwritten memory")
_START = flags("--load-state F.npz  start from these states")
_SAVE = flags("--save-state F.npz  keep the states after the last inference")
_FRAMES = flags(
    """
    frames [NAME=]FILE  a .wav or .npy file, or - for raw numbers on stdin; NAME is the input that
        takes the frames, if several could
    --hop N  samples between the starts of two frames
    --dtype TYPE  the numbers on stdin; those of the input by default
    --json  print the results as lines of JSON
    """,
    frames={"type": frame_source},
    hop={"type": number},
    dtype={"choices": tuple(DTYPES), "metavar": None},
)
_OTHER = flags(
    """
    other OTHER  the model, the file of tensors, or the folder of the runner's results to compare
        with
    """
)
_TENSORS = flags("tensors FILE.npz  where the tensors go")
_PLAN = flags("plan F.csv  the plan that htp-opt --plan wrote")
_RUN = [PASSES, _CHECK, _START]
_WORK = "runtime.tools.run_model"
VERBS = verbs_of(
    """
    run  run a model of any level on numpy in simulated memory
    stream  run a model on the frames of a file or a pipe, and print the results as they come
    compare  compare the tensors of two models, or of files of htp probe, node by node; exit status
        1 where one differs by more than its dtype allows
    probe  run a model and keep every tensor that is not a constant, as real numbers by node
    plan  check that a plan of TCM holds for a lowered module
    """,
    {
        "run": (f"{_WORK}:run_model", [MODEL, _INPUTS, _OUTPUT, *_RUN, _SAVE, READING]),
        "stream": (
            f"{_WORK}:stream_model",
            [NAMED_MODEL, _FRAMES, _OTHERS, PASSES, _START, _SAVE, READING],
        ),
        "compare": (
            f"{_WORK}:compare_models",
            [NAMED_MODEL, _OTHER, TOLERANCE, _INPUTS, *_RUN, READING],
        ),
        "probe": (
            f"{_WORK}:probe_model",
            [NAMED_MODEL, _TENSORS, _INPUTS, _OUTPUT, *_RUN, READING],
        ),
        "plan": (f"{_WORK}:check_model_plan", [NAMED_MODEL, _PLAN, PASSES, READING]),
    },
)
_MOVED: Mapping[str, MovedFlag] = {
    "--stream": MovedFlag("stream", valued=True),
    "--compare": MovedFlag("compare", valued=True),
    "--probe": MovedFlag("probe", valued=True),
    "--verify-plan": MovedFlag("plan", valued=True),
}


def _run(argv: Sequence[str]) -> None:
    now = moved("htp-run", argv, _MOVED)
    name, *rest = now or ["run", *argv]
    verb = next(verb for verb in VERBS if verb.name == name)
    parser = ToolParser(f"htp {name}" if now else "htp-run", description=verb.sentence)
    add_flags(parser, verb.flags, of_program=not now)
    if not now:
        for old in ("--explain-kernels", "--stream"):
            parser.add_argument(old, action="store_true", help=SUPPRESS)
    arguments = parser.parse_args(rest)
    if vars(arguments).get("explain_kernels"):
        note_move("htp-run --explain-kernels", "htp lower --explain-kernels")
    verb.run(arguments)


main = Tool("htp-run", _run)
"""The command `htp-run`."""
run = main.run
