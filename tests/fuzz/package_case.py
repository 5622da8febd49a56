"""Damaged C++ op packages in use: read, offered to a lowering and migrated, or refused in words."""

from contextlib import redirect_stderr
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.packages.loading import load_packages
from htp_mlir.lowering.packages.migrate.migration import migrate
from htp_mlir.runtime import parse_module

from ..lowering.packages.def_package.mutations import damaged
from ..support.paths import ROOT
from .text_mutations import mutated

_LOWERED = """func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %y = qti_aisw.Relu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}
"""


@cache
def _packages() -> tuple[dict[str, str], ...]:
    """The sources of each package of the tests, by file name."""
    folders = sorted((ROOT / "tests/lowering/packages/real").glob("*/package.cpp"))
    return tuple(
        {path.name: path.read_text("utf-8") for path in sorted(source.parent.glob("*.[ch]*"))}
        for source in folders
    )


def package_of(seed: int) -> dict[str, str]:
    """Return a package with a damaged file, at times beside a file of another one."""
    random = Random(f"packages {seed}")
    files = dict(random.choice(_packages()))
    if random.random() < 0.2:
        files["other.cpp"] = random.choice(_packages())["package.cpp"]
    name = random.choice([*files])
    files[name] = random.choice((damaged, mutated))(random, files[name])
    return files


def packages_case(seed: int) -> None:
    """Load the package of a seed from its folder, lower a module with it, and migrate it."""
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()):
        for name, text in package_of(seed).items():
            (Path(folder) / name).write_text(text, "utf-8", errors="surrogatepass")
        packages = load_packages(folder)
        if seed % 10 == 0:
            lower(parse_module(_LOWERED), packages=packages)
        migrate(load_cpp(Path(folder))[0])
