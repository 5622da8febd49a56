"""The pipeline of htp-lower, in order, with what holds after each step."""

from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.checks.check_level import CheckLevel
from htp_mlir.lowering.passes.graph.raise_ops import RunRules
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.runtime.passes.notation import one_step
from xdsl.passes import ModulePass

_HOLDS = {
    "qti-take-encodings": "an op between a Dequantize and a Quantize that has a form on integers "
    "computes with them; behind `qti-raise` also one that was spelled out",
    "qti-raise": "what exporters spelled out is one op: norms, Softmax, activations, Attention",
    "qti-fold-empty": "no op computes on a tensor without elements",
    "qti-narrow": "numbers of one type that only pass through f64 keep their type",
    "qti-reduce-ranks": "every op works on rank 4 or less",
    "convert-qti-aisw-to-htp": "every op is a native op of rank 4; params are operands, state is "
    "explicit; a Reshape stands behind each argument and in front of each result",
    "htp-fold": "no op has only constants as operands, but those that kernels' flags protect",
    "cse": "no two ops without effect are equal",
    "dce": "every op without effect has a user",
    "htp-plan-tiles": "`htp.tile` says how ops are cut, or that they stay whole; the rules of "
    "group TILING carry it out",
    "htp-absorb-copies": "no conversion or copy that a rule placed is left; `htp.by_hand` keeps "
    "what it asked for",
    "htp-assign-places": "every tensor of the function's body has a layout and a memory",
    "htp-realise-places": "every op reads its operands where it wants them; conversions and copies "
    "stand between",
    "htp-in-place": "joins and slices in DDR that move no bytes are marked `in_place`",
    "htp-schedule": "ops stand in execution order; tile plans are gone",
    "htp-refetch": "what was sliced, padded or converted from main memory is made again where it "
    "would leave TCM and come back",
    "htp-allocate": "every tensor in TCM has an offset, and no two live ones overlap; spills and "
    "fills are ops",
    "htp-prefetch": "copies to TCM are a start and a wait, where an op can run between",
    "htp-select-kernels": "every op that runs names its kernel",
}
_RULES = {
    "BEGIN": "raw forms that have a core form are rewritten to it",
    "EARLY": "ops that a fusion rule joins into one kernel's op are joined",
    "TILING": "no op has a tile plan that is not carried out",
    "MIDDLE": "the rules of the last groups ran, those of packages that place copies among them",
}
"""By the first priority that the step runs."""
_INTRO = """## The pipeline

What `htp-lower` runs, in order: `htp-opt -p htp-lower --dump-pass-pipeline` prints it as text to
edit, `-p @FILE` runs it, and `before` and `after` of `htp-lower` put passes in. Each step keeps
what held before, unless its own line says otherwise."""


def pipeline() -> str:
    """Write the section: a table of the steps; KeyError for a step that nothing is said of."""
    steps = Lower().steps(Level.GRAPH)
    rows = [f"| `{one_step(step)}` | {_holds(step)} |" for step in steps]
    return "\n".join([_INTRO, "", "| step | holds after it |", "| --- | --- |", *rows])


def _holds(step: ModulePass) -> str:
    if isinstance(step, CheckLevel):
        return f"**the module is at the {step.level} level**"
    return _RULES[step.first] if isinstance(step, RunRules) else _HOLDS[step.name]
