"""`htp package new --rule`: a distribution whose rules are in use."""

from pathlib import Path

from htp_mlir.lowering.tools import htp

from tests.support.distributions import Distributions

from .plugins import opt

NAMES = ("two-negs", "if")


def test_its_rules_fire_as_its_tests_say(distributions: Distributions, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    flags = [word for name in NAMES for word in ("--rule", name)]
    written = htp.run(["package", "new", "my-rules", *flags, "-o", str(folder)])
    assert written.status == 0, written.err
    files = [Path(line).relative_to(folder).as_posix() for line in written.out.splitlines()]
    assert files == [
        *("pyproject.toml", "my_rules.py", "tests/test_my_rules.py"),
        *("tests/two_negs.mlir", "tests/if.mlir"),
    ]
    test = str(folder / "tests" / "two_negs.mlir")
    assert opt(test, "-p", "htp-rules,dce").out.count("htp.Neg") == 2
    entry = {"htp_mlir.rules": {"my-rules": "my_rules:RULES"}}
    assert 'my-rules = "my_rules:RULES"' in (folder / "pyproject.toml").read_text()
    distributions.add("my-rules", entry, {"my_rules": (folder / "my_rules.py").read_text()})
    assert opt(test, "-p", "htp-rules,dce").out.count("htp.Neg") == 0
    status, out, _ = htp.run(["rules", "check", "--package-rules", "all", "--rule", "two-negs"])
    assert (status, "sound" in out) == (0, True)
