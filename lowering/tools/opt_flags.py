"""The flags of `htp-opt`: those of xdsl-opt, and those that write, print and follow more."""

from collections.abc import Mapping

from ...runtime.tools.flags import MACHINE, READING, count, flags
from ...runtime.tools.verbs import MovedFlag

INPUT = flags(
    "input_file MODEL  a .mlir file or a model that a frontend reads; text on stdin without it",
    input_file={"nargs": "?"},
)
OUTPUT = flags("-o --output-file FILE  where the text goes; stdout without it")
PASSES = flags(
    "-p --passes PIPELINE  the passes to run: name{option=value},name, or @FILE",
    passes={"default": ""},
)
SPLIT = flags("--split-input-file  run on each piece of the input between // ----- alone")
PLAN = flags("--plan F.csv  write the plan of TCM beside the output")
FILTER_FUNCTIONS = "--filter-functions"
LISTS = flags(
    """
    --print-ir-before NAME,...  print the IR before these passes, also where they run inside
        htp-lower; * matches any letters
    --print-ir-after NAME,...  print the IR after these passes
    --filter-passes NAME,...  print, compare and dump the IR at these passes only
    --filter-functions NAME,...  print, compare and dump these functions only
    """
)
"""The flags that name passes or functions."""

OPT = {
    **INPUT,
    **PASSES,
    **OUTPUT,
    **flags(
        """
        -t --target TARGET  what is written: name{option=value}; the module as text without it
        -f --frontend SUFFIX  read the input as a file of this suffix
        """,
        target={"default": "mlir"},
    ),
    **PLAN,
    **{row: said for row, said in READING.items() if row not in MACHINE},
    **SPLIT,
    **flags(
        """
        --allow-unregistered-dialect  read ops of dialects that are not known
        --no-implicit-module  read a module as the text's own outermost op
        --disable-verify  verify nothing
        --verify-diagnostics  compare errors with the // expected-error {{...}} of the text; without
            any, print the errors of verifiers and go on
        --parsing-diagnostics  print the errors of the parser and go on
        --verify-each  verify the whole module after each pass, also after those inside htp-lower,
            which otherwise verifies what they changed
        --verify-roundtrip  check that the module that was read, and the one after the passes, read
            back from their text, pretty and generic, as they were
        --print-op-generic  write ops in the generic form
        --print-no-properties  write properties as attributes
        --print-debuginfo  write locations
        --syntax-highlight  write in colours
        --elide-constants N  print constants of more than N elements as a handle; for reading only
        --resources FILE  write large constants into FILE, a safetensors file, and handles into the
            text
        --resources-above N  constants of more than N elements are large; without it, those of more
            than 100
        --dump-pass-pipeline  print the passes of -p, those inside htp-lower in its place, as a
            pipeline to edit and to run, for the level of the input file or for a graph; run nothing
        --time-passes  print the time of each pass, pass group and rule to stderr
        --follow-passes  print a line to stderr as each pass ends, with its time and the rules that
            fired; --time-passes does so on a terminal
        --print-between-passes  print the IR between the passes of -p to stdout
        --print-ir-before-all  print the IR to stderr before every pass
        --print-ir-after-all  print the IR to stderr after every pass
        --print-ir-before-change  print the IR before those passes that change it
        --print-ir-after-change  print the IR after those passes that changed it
        --print-ir-diff  print what changed in place of the IR after a pass; alone, after each that
            changed it
        """,
        elide_constants={"type": count},
        resources_above={"type": count},
    ),
    **LISTS,
    **flags(
        """
        --dump-dir DIR  write the IR after each pass to a file of this folder
        --crash-reproducer FILE  where a pass fails, write the IR before it to this file, with the
            pass to run on it
        --run-reproducer  run the pipeline that the input file states, which --crash-reproducer
            wrote
        --shrink  for shrinkray: exit status 0 where a pass raises ShrinkException
        """
    ),
}

MOVED: Mapping[str, MovedFlag] = {
    "--check-rules": MovedFlag("rules check"),
    "--lint-rules": MovedFlag("rules lint"),
    "--rule-stats": MovedFlag("rules stats", "--format", "text"),
    "--explain": MovedFlag("rules explain", "--rule"),
    "--explain-op": MovedFlag("rules explain", "--op"),
    "--explain-format": MovedFlag("rules explain", "--format"),
    "--support": MovedFlag("support", "--format", "text"),
    "--show-op": MovedFlag("show op"),
    "--show-plugins": MovedFlag("show plugin"),
    "--show-dialects": MovedFlag("show dialect"),
    "--list-passes": MovedFlag("show pass"),
    "--calibrate": MovedFlag("quantize", "--inputs"),
    "--equalize": MovedFlag("quantize", "--improve", "equalize"),
    "--correct-bias": MovedFlag("quantize", "--improve", "bias"),
    "--check-numerics": MovedFlag("numerics"),
    "--explain-kernels": MovedFlag("lower", "--explain-kernels"),
    "--explain-tiles": MovedFlag("lower", "--explain-tiles", "text"),
    "--save-tiles": MovedFlag("lower", "--save-tiles"),
}
"""The flags of the last release that are commands of `htp` now."""
PRINTING = ("rules stats", "rules explain", "numerics")
"""Commands that print the module only where -o asks for it; the old flags always did."""
