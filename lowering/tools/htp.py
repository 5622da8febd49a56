"""`htp`: one program for all jobs but those of `htp-opt`; each command states its flags here."""

import re
from argparse import SUPPRESS, ArgumentTypeError
from collections.abc import Sequence
from functools import partial

from ...dialects.diagnostics import HtpError
from ...dialects.faults.arguments import size_of
from ...runtime.tools.flags import (
    BUILD,
    DEFINES,
    FALLBACK,
    INCLUDE,
    MACHINE,
    OPEN,
    PACKAGES,
    READING,
    RESOURCES,
    SEED,
    TOLERANCE,
    count,
    flags,
    number,
    real,
)
from ...runtime.tools.htp_run import VERBS as RUN_VERBS
from ...runtime.tools.tool import Tool
from ...runtime.tools.verbs import MovedFlag, ToolParser, moved, note_move, program_parser, verbs_of
from .opt_flags import INPUT, OUTPUT, PASSES, PLAN, SPLIT

_DESCRIPTION = (
    "Lower, run, look at and check models for the Hexagon Tensor Processor. Single passes are the "
    "work of htp-opt."
)
_ROOMS = {
    "rules": "check, lint, explain and count rules",
    "report": "write a page about a lowering",
    "show": "look up ops, passes, dialects, plugins",
    "package": "look at an op package, change or begin one",
}
"""The commands of two words, by the first."""
_COMMAND = "--"
"""The word before the command that a reduction calls."""


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


def _sizes(text: str) -> list[int]:
    """Read TCM sizes, in bytes; K and M are kibibytes and mebibytes."""
    try:
        return [size_of("--tcm", "a size", part) for part in text.split(",")]
    except HtpError as error:
        remedy = "write 65536,256K,8M"
        raise ArgumentTypeError(f"'{text}' is no SIZE,...: {remedy}") from error


_FORMAT = flags("--format {text,json}  text unless json is given", format={"default": "text"})
_MODULE = flags("-o --output-file FILE  write the module, too; - is stdout")
_PASSED = {**INPUT, **PASSES, **_MODULE, **READING}
_RULES = flags(
    """
    --package-rules NAME,...  the rules of these packages, or of all; those of --package, or without
        one of htp, unless given
    --group FIRST[:LAST]...  only of this pass group, such as EARLY+2, or of all from FIRST to LAST
    --rule RULE...  only of this name, or of this FILE:LINE
    """
)
_STRICT = flags("--strict  fail where anything was passed over: a rule not read, linted or checked")
_CASES = flags(
    "--cases N  graphs for each rule, 50 unless given", cases={"type": number, "default": 50}
)
_SWEEP = flags(
    """
    -o --output FILE  the table, a .csv or .parquet file (extra 'sweep'); sweep.csv unless given
    --plot FILE  draw the table as SVG
    -j --jobs N  local processes; one per core unless given
    --cluster ADDRESS|FILE  run on the Dask cluster at tcp://HOST:PORT, or of a scheduler file
        (extra 'sweep')
    --time-limit SECONDS  seconds that a case may take; one that takes more is a fault; an hour
        unless given
    --retry  run the cases that failed before again
    """,
    output={"default": "sweep.csv"},
    jobs={"type": number},
    time_limit={"type": number},
)
_SOURCE = {
    **flags(
        "source [NAME=]FILE|DIR|MODULE  one package; of C++, all its files", source={"nargs": "+"}
    ),
    **INCLUDE,
    **DEFINES,
}
_LOWER = flags(
    """
    --soc NAME  SM8650 unless given
    --tcm-bytes SIZE  the TCM, in bytes or as 2M; that of the SoC unless given
    --level LEVEL  native, placed or allocated (unless given)
    --options TEXT  further options of the pass htp-lower, such as tiling=false
    -p --passes PIPELINE  these passes in its place, of an old spelling of htp-opt
    --save-tiles F.json  write the tile plan, which --options 'tiles="F.json"' reads
    --explain-tiles {text,json}  print to stderr which ops run in which tiles, what stays in TCM
        meanwhile, the bytes that are planned, and the next best tiles
    --explain-kernels  print to stderr which kernel each native op gets, and why no other one
    """,
    passes={"help": SUPPRESS},
)
_QUANTIZE = flags(
    """
    --inputs F.npz  the inputs; the leading axis of each array is successive inferences, with state
        kept
    --calibration-method NAME  min-max (unless given), percentile, mse or entropy
    --activations TYPE  u8 (unless given), u16, i8 or i16; signed ones are symmetric
    --save-encodings F.json  write the encodings in version 1.0.0, which htp encodings turns into
        others, and -p 'qti-quantize{encodings="F.json"}' reads
    --improve NAME...  equalize: scale the channels of neighbouring layers to like ranges
        first, as the pass qti-equalize does; bias: take the mean error of rounded weights off the
        biases, which is in the output, and not in the saved encodings
    --sensitivity  print to stderr, worst first, the signal-to-noise ratio of the worst output, in
        dB, when one op alone is quantised
    --least-ratio DB  leave the fewest ops in f16 that give each output this ratio in dB
    """,
    inputs={"required": True},
    calibration_method={"default": "min-max"},
    activations={"default": "u8"},
    improve={"choices": ("equalize", "bias")},
    least_ratio={"type": real},
)
_NUMERICS = flags(
    """
    -i --input X.npz  the inputs by name, or stacked along a leading axis for several inferences;
        random ones without it
    --numerics-dir DIR  the folder for the small modules, numerics unless given
    """,
    numerics_dir={"default": "numerics"},
)
_EXPLAIN = flags(
    """
    --rule RULE[@OP]...  a rule by its name or by the FILE:LINE that defines it, at every op that
        its root names or at one, as --op names it
    --op OP...  every rule that begins with an op that comes from this one: a node of the model, or
        in text the name of a result, LINE:COLUMN, FILE:LINE or FILE:LINE:COLUMN
    """
)
_SWEPT = flags(
    """
    model MODEL  a model to lower, as htp-opt reads it
    --soc NAME,...  SoCs, or all; SM8650 unless given
    --tcm SIZE,...  TCM sizes in bytes, or as 256K or 8M; each SoC's own unless given
    --options TEXT...  further options of htp-lower, such as tiling=false; repeated, each is a case;
        the empty text is the case without any
    """,
    model={"nargs": "+"},
    tcm={"type": _sizes},
)
_MEMORY = flags(
    """
    --format FORMAT  text (unless given), html or json; the suffix of -o says it, too
    --io MODE  model (unless given), or vendor: inputs and outputs as the vendor's converter makes
        them
    --beside F.json  the tile plan to show beside this one, in place of that without tiling
    """
)
_ENCODINGS = flags(
    """
    encodings F.json  a file of encodings of any version
    model MODEL  list the tensors of this model that have none; with a version, print the encodings
        with blocks as its weights have them
    --encodings-version VERSION  2.0.0 (unless given), 2.1.0, 1.0.0 or 0.6.1
    """,
    model={"nargs": "?"},
)
_MEASURED = flags(
    """
    summary F.json  the profiler's summary of a run on the device
    -p --passes PIPELINE  htp-lower unless given; '' for a module that is lowered
    """,
    passes={"default": "htp-lower"},
)
_NEW = flags(
    """
    name NAME  its name, and that of its folder
    --op OP...  an op of it
    --pass PASS...  a pass of it: write a distribution that makes the pass known to all tools
    --rule RULE...  a rule of it: write a distribution whose rules are in use in all lowerings
    --cpp  declare it in C++, its bodies in Python
    -o --output DIR  where to; a folder NAME unless given
    """,
    **{"pass": {"dest": "passes"}, "rule": {"dest": "rules"}},
)
_REDUCE = flags(
    """
    model MODEL  a .mlir file or a model that a frontend reads
    -o --output FILE  the small module; MODEL.reduced.mlir unless given
    --test FILE  a program to call with the file of the module, in place of --
    --match REGEX  the output that counts as the failure; without it any exit status but 0 does
    --trials N  runs of the command, 1000 unless given
    --timeout SECONDS  a program that takes longer did not fail; htp-opt and htp-run have no limit
    """,
    match={"type": _pattern},
    trials={"type": number, "default": 1000},
    timeout={"type": number, "default": 60.0},
)
_BEGIN = flags("-p --passes PIPELINE  the passes to begin with", passes={"default": ""})
_FOR = flags("-p --passes PIPELINE  'htp-lower{...}' says for what", passes={"default": ""})
_OP = flags("name OP  such as htp.Relu", name={"nargs": "+"})
_PASS = flags("name PASS  all without it", name={"nargs": "*"})
_LEVEL = flags(
    "-O --optimize LEVEL  0, 1, 2 (unless given) or 3",
    optimize={"choices": "0123", "default": "2"},
)
_COMPILED = {
    **_LEVEL,
    **MACHINE,
    **flags(
        """
        -g --debug-info  keep what a debugger needs of variables
        --sanitize  build with the address and undefined-behaviour sanitizers
        """
    ),
}
_PROFILED = {**_LEVEL, **flags("--target {hexagon}  the machine that counts, which is the default")}
_FEW_CASES = flags(
    "--cases N  graphs of each kind of size, 10 unless given", cases={"type": number, "default": 10}
)
_BUILT = flags("--build  compile it, and say of each kernel whether it runs")
_SHOWN = flags("--show-flags  print the compiler's commands first")
_MIGRATED = flags("-o --output FILE  write the package after it, as C++")
_SEEDS = flags("--seeds N  the seeds 0 to N-1", seeds={"type": number, "default": 1})
_DRAWN = flags("--seed N  other graphs", seed={"type": count, "default": 0})
_CHECK = [_DRAWN, _FEW_CASES, TOLERANCE]


_PASSES, _RULE_CHECKS = "lowering.tools.commands.passes", "lowering.tools.rule_reports"
_PACKAGE, _SWEEPS = "lowering.tools.commands.package", "lowering.tools.commands.sweep"
_SHOW, _JOBS = "lowering.tools.show", "lowering.tools.commands"
_CHECKED = [_RULES, _STRICT, PACKAGES, BUILD]
_TEXTS = """
    lower  lower a model to the processor's ops
    support  print how far each op of a model gets, on which kernels, and why no further; exit
        status 1 where any falls short
    quantize  quantise a model by its tensors' ranges on inputs, then run the passes
    encodings  print a file of encodings in another version, or the tensors that have none
    numerics  find the pass, the firing of a rule and the op that first change the numbers; write
        two small modules that show it
    rules check  run every rule alone on graphs that are made for it, and compare the numbers
    rules lint  print what looks wrong in rules
    rules explain  print for each op why rules fire there or not
    rules stats  print what each rule did in a run of passes
    rules sweep  check each rule with each seed, and write one table; the same command goes on
        where it was ended
    sweep  lower each model for each SoC, TCM size and options, and write one table; the same
        command goes on where it was ended
    report memory  report bytes by node, the place of every tensor, and the reasons
    report measured  lay a plan beside what a device counted, the largest differences first; also
        as htp report --measured F.json MODEL
    report passes  write a page about a lowering: its passes, rules, kernels, memory
    report stream  report when each output runs, and how long a frame waits for it
    show op  print the kernels, properties, params and rules of ops
    show pass  print passes with their options
    show dialect  print all dialects of the packages in use
    show plugin  print what other distributions bring
    package show  print what a package declares, and what was not read
    package build  compile a C++ package, and say which of its kernels run here
    package check  run each kernel of a C++ package beside the reference kernel of its op, between
        guard bytes, and compare the numbers
    package profile  count the packets that each kernel of a C++ package executes on Hexagon, under
        QEMU, on the same tensors and bit for bit beside this machine
    package migrate  propose tensor properties in place of copies that rules place by hand
    package new  write a package that runs, to begin with
    reduce  shrink a module as long as a command fails on it; the command stands behind --, and {}
        in it is the file of the module: htp reduce bad.mlir -- htp-opt {} -p htp-lower
    gui  pick passes for a module and see what they make of it
"""
_OWN = verbs_of(
    _TEXTS,
    {
        "lower": (f"{_PASSES}:lower_model", [INPUT, OUTPUT, _LOWER, PLAN, PACKAGES, BUILD, OPEN]),
        "support": (
            f"{_JOBS}.support:print_support",
            [INPUT, _FOR, OUTPUT, _FORMAT, PACKAGES, BUILD, OPEN, RESOURCES],
        ),
        "quantize": (
            f"{_PASSES}:quantize_model",
            [INPUT, PASSES, OUTPUT, _QUANTIZE, PACKAGES, BUILD, OPEN],
        ),
        "encodings": (
            f"{_JOBS}.encodings:turn_encodings",
            [_ENCODINGS, OUTPUT, PACKAGES, OPEN],
        ),
        "numerics": (f"{_PASSES}:check_numbers", [_PASSED, _NUMERICS, SEED, TOLERANCE]),
        "rules check": (f"{_RULE_CHECKS}:check_rules", [*_CHECKED, _DRAWN, _CASES]),
        "rules lint": (f"{_RULE_CHECKS}:lint_rules", _CHECKED),
        "rules explain": (f"{_PASSES}:explain_rules", [_PASSED, _EXPLAIN, _FORMAT, SPLIT]),
        "rules stats": (f"{_PASSES}:rule_stats", [_PASSED, _FORMAT, SPLIT]),
        "rules sweep": (f"{_SWEEPS}:sweep_rules", [_RULES, _SEEDS, _CASES, _SWEEP, PACKAGES]),
        "sweep": (f"{_SWEEPS}:sweep_models", [_SWEPT, OPEN, _SWEEP, PACKAGES]),
        "report memory": (f"{_PASSES}:report_memory", [INPUT, PASSES, OUTPUT, _MEMORY, READING]),
        "report measured": (
            f"{_PASSES}:report_measured",
            [_MEASURED, INPUT, OUTPUT, _FORMAT, READING],
        ),
        "report passes": (f"{_PASSES}:report_passes", [INPUT, PASSES, OUTPUT, READING]),
        "report stream": (f"{_PASSES}:report_stream", [INPUT, PASSES, OUTPUT, _FORMAT, READING]),
        "show op": (f"{_SHOW}:show_ops", [_OP, OUTPUT, PACKAGES]),
        "show pass": (f"{_SHOW}:show_passes", [_PASS, OUTPUT]),
        "show dialect": (f"{_SHOW}:show_dialects", [OUTPUT, PACKAGES]),
        "show plugin": (f"{_SHOW}:show_plugins", [OUTPUT]),
        "package show": (f"{_PACKAGE}:show", [_SOURCE, _BUILT]),
        "package build": (f"{_PACKAGE}:build", [_SOURCE, _COMPILED, _SHOWN]),
        "package check": (f"{_PACKAGE}:check", [_SOURCE, _COMPILED, *_CHECK]),
        "package profile": (f"{_PACKAGE}:profile", [_SOURCE, _PROFILED, _DRAWN]),
        "package migrate": (f"{_PACKAGE}:migrate_package", [_SOURCE, _MIGRATED]),
        "package new": (f"{_PACKAGE}:new", [_NEW]),
        "reduce": (f"{_JOBS}.reduce:run_reduce", [_REDUCE, PACKAGES, OPEN, FALLBACK]),
        "gui": (f"{_JOBS}.gui:run_app", [INPUT, _BEGIN, OPEN, FALLBACK, PACKAGES]),
    },
)
VERBS = (*_OWN[:1], *RUN_VERBS, *_OWN[1:])


def htp_parser() -> ToolParser:
    """Make the parser."""
    return program_parser("htp", _DESCRIPTION, VERBS, _ROOMS)


def _run(argv: Sequence[str]) -> None:
    own, command = list(argv), None
    if own[:2] == ["report", "--measured"]:
        own[1] = "measured"
    if own[:1] == ["reduce"] and _COMMAND in own:
        at = own.index(_COMMAND)
        own, command = own[:at], own[at + 1 :]
    arguments = htp_parser().parse_args(own)
    arguments.command = command
    arguments.verb.run(arguments)


def _old(tool: str, argv: Sequence[str]) -> None:
    """Run a program of the last release, which is a command now."""
    moves = {"--rules": MovedFlag("rules sweep")} if tool == "htp-sweep" else {}
    now = moved(tool, argv, moves)
    if now is None:
        now = [tool.removeprefix("htp-"), *argv]
        note_move(tool, f"htp {now[0]}")
    _run(now)


main = Tool("htp", _run)
"""The command `htp`."""
run = main.run
htp_package, htp_sweep, htp_reduce, htp_gui = (
    Tool(name, partial(_old, name))
    for name in ("htp-package", "htp-sweep", "htp-reduce", "htp-gui")
)
