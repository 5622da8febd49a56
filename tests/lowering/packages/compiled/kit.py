"""C++ packages in files, and what running them needs."""

from collections.abc import Sequence
from pathlib import Path

from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.lowering.tools import htp

FOLDER = Path(__file__).with_name("packages")
SAMPLES = ("activations", "attention", "recurrence")
"""Packages without a fault."""


def sample(name: str) -> str:
    return str(FOLDER / f"{name}.cpp")


def loaded(
    folder: Path,
    text: str,
    *,
    defines: Sequence[str] = (),
    in_process: bool = False,
    hexagon: bool = False,
    kernel_limit: float = 10.0,
) -> Packages:
    """The built package of a text, whose third line is the first of it."""
    path = folder / "package.cpp"
    path.write_text(f'#include "HTP/core/simple_reg.h"\n#define THIS_PKG_NAME Pkg\n{text}')
    return load_packages(
        path,
        build=True,
        defines=defines,
        in_process=in_process,
        hexagon=hexagon,
        kernel_limit=kernel_limit,
    )


COPY = """// @op Copy(x: real) -> x
GraphStatus copy(PlainFloatTensor &out, const PlainFloatTensor &in)
{{
    out.set_dims(in);
    memcpy(out.raw_data(), in.raw_data_const(), in.total_storage_bytes());
    {}
    return GraphStatus::Success;
}}
DEF_PACKAGE_OP(copy, "Copy")
"""
"""A kernel with a line of its own before it ends."""

MODEL = """
func.func @main(%x: tensor<1x2x3x8xf32> {htp.name = "x"})
    -> (tensor<1x2x3x8xf32> {htp.name = "y"}) {
  %0 = Pkg.Copy(%x) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  func.return %0 : tensor<1x2x3x8xf32>
}
"""


def told(*arguments: str) -> str:
    """What `htp` prints, errors included."""
    outcome = htp.run(list(arguments))
    return outcome.out + outcome.err
