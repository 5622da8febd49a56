"""A reproducer repeats the crash of a user's pass or rule, from any folder."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.dialects.htp import ReluOp
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime.installed.environment import universe
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tests.support.paths import SPOTTER_MODEL

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %7 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %7 : tensor<2xf32>
}
"""


@dataclass(frozen=True)
class Boom(ModulePass):
    """Fails at the first Relu, or leaves it without an operand."""

    name = "boom"

    leaves: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        relu = next(each for each in op.walk() if isinstance(each, ReluOp))
        if not self.leaves:
            raise KeyError(relu.name)
        relu.operands = ()


@pytest.fixture(autouse=True)
def _boom_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(universe().all_passes, "boom", lambda: Boom)


@pytest.fixture(params=["text", "model"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "model.mlir").write_text(TEXT)
    return "model.mlir" if request.param == "text" else str(SPOTTER_MODEL)


def crashes(flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run until the crash in one folder, and what it left in another; return the pipeline."""
    folders = [tmp_path, tmp_path / "out", tmp_path / "some" / "where" / "else"]
    for folder in folders[1:]:
        folder.mkdir(parents=True)
    monkeypatch.chdir(folders[0])
    first = htp_opt.run([*flags, "--crash-reproducer", "out/crash.mlir"])
    assert first.status == 1
    note, told = first.err.splitlines()[:2]
    assert note == "note: out/crash.mlir reproduces it with --run-reproducer"
    path = folders[1] / "crash.mlir"
    monkeypatch.chdir(folders[2])
    again = htp_opt.run(["../../../out/crash.mlir", "--run-reproducer"])
    # Where a rule is defined, and a file of an option, is told from the current folder.
    said = again.err.splitlines()[0].replace(f"{tmp_path}/", "").removeprefix("../../../")
    assert (again.status, said) == (1, told)
    return path.read_text().splitlines()[1].removeprefix("// pipeline: ")


@pytest.mark.one_per
@pytest.mark.parametrize("flags", [[], ["--verify-each"]])
@pytest.mark.parametrize("boom", ["boom", "boom{leaves=true}"])
def test_a_pass_in_the_middle_of_htp_lower(
    model: str, boom: str, flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower = f"htp-lower{{after=htp-fold#2:[{boom}]}}"
    pipeline = crashes([model, "-p", f"dce,{lower}", *flags], tmp_path, monkeypatch)
    assert pipeline == boom


RULE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, EXTERNAL_CONSTRAINT, Op, external_constraint, rule

@external_constraint("broken")
def broken(node):
    raise ValueError("boo")

RULES = [rule(EARLY, Op("q::Relu", "X"), EXTERNAL_CONSTRAINT(broken, "X"), "X", name="raises")]
PACKAGE = op_package("Mine", rules=RULES)
"""


@pytest.mark.one_per("name")
@pytest.mark.parametrize("name", ["", "Mine="])
def test_a_rule_of_a_package_that_is_named_by_path(
    name: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "mine.py").write_text(RULE)
    flags = [model, "-p", "htp-lower", "--package", f"{name}packages/mine.py"]
    assert crashes(flags, tmp_path, monkeypatch).startswith("htp-rules{first=EARLY")


def test_files_in_the_options_of_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    (tmp_path / "en codings").mkdir()
    (tmp_path / "en codings" / "f.json").write_text(
        '{"version": "0.6.1", "activation_encodings": 3}'
    )
    flags = ["model.mlir", "-p", 'qti-quantize{encodings="en codings/f.json"}']
    pipeline = crashes(flags, tmp_path, monkeypatch)
    assert pipeline == 'qti-quantize{encodings="../en codings/f.json"}'
