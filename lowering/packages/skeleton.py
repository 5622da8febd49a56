"""The skeleton of a new op package, which loads, lowers and runs unchanged.

In the texts of its files `$name` and the like are filled in.
"""

import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from string import Template

from ...dialects.diagnostics import HtpError, fail
from ...runtime.files.atomic import write_files
from .checks import name_faults
from .to_cpp import identifier

MODEL_OP = """\
  %$into = qti_aisw.Custom(%$of) {op_type = "$op", package = "$name", params = {}}
    : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>"""

MODEL = """\
func.func @main(%0: tensor<1x8x8x64xf32> {htp.name = "x"})
    -> (tensor<1x8x8x64xf32> {htp.name = "y"}) {
$model_ops
  func.return %$last : tensor<1x8x8x64xf32>
}
"""

PYTHON = '''\
"""The op package $name.

Try it:
  htp-opt --package package.py model.mlir -p htp-lower -o lowered.mlir
  htp-run --package package.py lowered.mlir --check
"""

from __future__ import annotations

from typing import TypeVar

from htp_mlir.dialects.htp import NativeOp, TensorSpec, tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    DIM_DEPTH,
    EARLY,
    GT,
    TYPICAL_SLICE,
    Crouton,
    Op,
    Tcm,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import (
    Cost,
    FloatCroutonTensor_TCM,
    KernelSet,
    QUint8CroutonTensor_TCM,
    Tensor,
)

NAME = "$name"
KERNELS = KernelSet(NAME)
Croutons = TypeVar("Croutons", FloatCroutonTensor_TCM, QUint8CroutonTensor_TCM)


$python_ops

PACKAGE = op_package(
    NAME,
    ops=[
$classes
    ],
    kernels=[KERNELS],
    properties=[
$properties
    ],
    rules=[
$rules
    ],
)
'''

PYTHON_OP = '''\
# $op: what it takes, what it computes, where its tensors are, how it is cut.


class $camel(NativeOp):
    """out = act; write here what the op means, and its operands' shapes."""

    name = f"{NAME}.$op"

    act = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.like("act"),)


@KERNELS.kernel("$op")
def ${lower}_reference(out: Tensor, act: Tensor) -> None:
    """Any tensors, from main memory. Write here what the op computes."""
    out.store(act.load())


@KERNELS.kernel("$op", cost=Cost.SNAIL)
def ${lower}_in_croutons(out: Croutons, act: Croutons) -> None:
    """Croutons in TCM, where the properties below want them."""
    out.store(act.load())


${upper}_PROPERTIES = tensor_properties(
    Op("$op", "act"),
    Crouton("*", "act"),
    Tcm("*", "act"),
)
${upper}_TILES = rule(
    EARLY,
    Op("$op", "act"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("$op", TYPICAL_SLICE("act", "I"))),
    name="$op in tiles of 32 channels",
)'''

CPP = """\
// The op package $name, whose kernels run with --build. package.py beside it has Python bodies.
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME $name

BEGIN_PKG_OP_DEFINITION(PKG_$name)

$cpp_ops

END_PKG_OP_DEFINITION(PKG_$name)
"""

CPP_OP = """\
// $op: what it takes, where its tensors are, how it is cut.
template <typename TType>
GraphStatus $function(TType &out, const TType &act)
{
    out.set_dims(act);
    auto [batches, height, width, depth] = act.dims();
    for (Idx b = 0; b < batches; b++)
        for (Idx h = 0; h < height; h++)
            for (Idx w = 0; w < width; w++)
                for (Idx d = 0; d < depth; d++)
                    out(b, h, w, d) = act(b, h, w, d);  // Write here what the op computes.
    return GraphStatus::Success;
}

DEF_PACKAGE_OP($function<Tensor>, "$op")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS($function<FloatCroutonTensor_TCM>, "$op", SNAIL,
                                  Flags::RESOURCE_HVX)

DEF_TENSOR_PROPERTIES(Op("$op", "act"), Crouton("*", "act"), Tcm("*", "act"))

DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op("$op", "act"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("$op", TYPICAL_SLICE("act", "I")))
)"""

BODIES = '''\
"""The op package $name: package.cpp beside it, and what its kernels do.

Try it:
  htp-opt --package package.py model.mlir -p htp-lower -o lowered.mlir
  htp-run --package package.py lowered.mlir --check
"""

from __future__ import annotations

from pathlib import Path

from htp_mlir.dialects.htp import tensor_def
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

BODIES = Bodies()


$bodies


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, BODIES)
'''

BODY = '''\
@BODIES.op("$op", "act", act=tensor_def())
def $function(out: Tensor, act: Tensor) -> None:
    """Write here what the op computes; now it is a copy."""
    out.store(act.load())'''


_PARTS = {
    "python_ops": (PYTHON_OP, "\n\n\n"),
    "cpp_ops": (CPP_OP, "\n\n"),
    "bodies": (BODY, "\n\n\n"),
    "classes": ("        $camel,", "\n"),
    "properties": ("        ${upper}_PROPERTIES,", "\n"),
    "rules": ("        ${upper}_TILES,", "\n"),
}
"""The text for each op, and the text between two of them."""
_OP = re.compile(r"[A-Za-z][\w.]*", re.ASCII)


def skeleton(name: str, ops: Sequence[str], in_cpp: bool) -> dict[str, str]:
    """Return the files of a new package by their names.

    Each op takes one tensor and gives one like it, and as long as nobody writes more, it is a copy.
    HtpError for a name that is none, or an op that is given twice.
    """
    _check(name, ops)
    # The model has one op after the other, from %0, which is the input.
    model_ops = [
        _filled(MODEL_OP, {"name": name, "op": op, "into": str(index + 1), "of": str(index)})
        for index, op in enumerate(ops)
    ]
    whole = {"name": name, "model_ops": "\n".join(model_ops), "last": str(len(ops))}
    for key, (text, between) in _PARTS.items():
        whole[key] = between.join(_filled(text, _words(name, op)) for op in ops)
    files = {"package.py": BODIES, "package.cpp": CPP} if in_cpp else {"package.py": PYTHON}
    return {file: _filled(text, whole) for file, text in {**files, "model.mlir": MODEL}.items()}


def write_skeleton(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write the files into a folder, which is made if it is not there.

    HtpError, and nothing written, where one of them exists or cannot be written.
    """
    paths = {folder / name: text for name, text in files.items()}
    for path in paths:
        if path.exists():
            raise fail(str(path), "exists already", "name another folder with -o")
    is_new = not folder.exists()
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(str(folder), error.strerror or str(error), "name a folder with -o") from error
    try:
        write_files({path: [text.encode()] for path, text in paths.items()})
    except BaseException:
        if is_new:
            folder.rmdir()
        raise
    return list(paths)


def _check(name: str, ops: Sequence[str]) -> None:
    if not name.isidentifier() or not name.isascii() or name in ("htp", "qti_aisw"):
        raise fail(f"package '{name}'", "this is no name for it", "take letters, digits and _")
    if faults := list(name_faults(name)):
        raise HtpError(*faults)
    for op in ops:
        if _OP.fullmatch(op) is None or op.endswith("."):
            remedy = "take letters, digits, _ and inner dots, a letter first"
            raise fail(f"op '{op}'", "this is no name", remedy)
    words = [_words(name, op)["lower"] for op in ops]
    for op, word in zip(ops, words, strict=True):
        if words.count(word) > 1:
            raise fail(f"op '{op}'", "is given twice, or another is spelled alike", "name it once")


def _words(name: str, op: str) -> dict[str, str]:
    """Return the op's name as each part of a file needs it."""
    parts = [part for part in re.split(r"[._]+|(?<=[a-z0-9])(?=[A-Z])", op) if part]
    lower = "_".join(parts).lower()
    camel = "".join(part[:1].upper() + part[1:] for part in parts)
    return {
        "name": name,
        "op": op,
        "lower": lower,
        "function": f"{lower}_" if iskeyword(lower) else identifier(lower),
        "upper": lower.upper(),
        "camel": f"{camel}Op",
    }


def _filled(text: str, words: Mapping[str, str]) -> str:
    return Template(text).substitute(words)
