"""The hooks of the quick tier, on test files made for them."""

import pytest

from .support.hooks.tiers import SLOW_FILES
from .support.paths import ROOT

pytest_plugins = ("pytester",)

PRODUCT = """
import pytest

@pytest.mark.one_per("op")
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("op", ["Add", "Mul", "Neg"])
def test_op(op, size):
    pass

def test_plain():
    pass
"""


def _collect(pytester: pytest.Pytester, text: str, *arguments: str) -> pytest.RunResult:
    pytester.makepyfile(text)
    hooks = ("-p", "tests.support.hooks.tiers")
    return pytester.runpytest_inprocess(*hooks, "--collect-only", "-q", *arguments)


def test_the_quick_tier_takes_one_case_per_value(pytester: pytest.Pytester) -> None:
    quick = _collect(pytester, PRODUCT, "-m", "not slow").outlines
    kept = [line.partition("::")[2] for line in quick if "::" in line]
    assert kept == ["test_op[Add-1]", "test_op[Mul-2]", "test_op[Neg-3]", "test_plain"]


def test_the_whole_suite_takes_every_case(pytester: pytest.Pytester) -> None:
    assert _collect(pytester, PRODUCT).outlines[-1].startswith("10 tests collected")


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ("{1, 2}", "the cases of 'x' come from a set"),
        ("[len, lambda: 0], ids=str", "the address changes"),
    ],
)
def test_cases_that_differ_between_processes_are_refused(
    pytester: pytest.Pytester, cases: str, message: str
) -> None:
    text = f"import pytest\n\n@pytest.mark.parametrize('x', {cases})\ndef test_x(x):\n    pass\n"
    refused = _collect(pytester, text)
    assert refused.ret != pytest.ExitCode.OK
    assert message in str(refused.stdout) + str(refused.stderr)
    taken = _collect(pytester, text.replace(cases, "[1, 2]"))
    assert taken.ret == pytest.ExitCode.OK


def test_a_slow_file_is_one_mlir_test() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("*.mlir")]
    assert [names.count(name) for name in SLOW_FILES] == [1] * len(SLOW_FILES)


def test_a_slow_file_is_left_out(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.hooks.tiers.SLOW_FILES", ("test_whole.py",))
    pytester.makepyfile(test_whole="def test_all(): pass", test_part="def test_one(): pass")
    quick = _collect(pytester, "", "-m", "not slow").outlines
    assert [line for line in quick if "::" in line] == ["test_part.py::test_one"]


COLLECTED = """
import gc

KEPT = [[]]

def test_kept():
    assert gc.isenabled()
    assert not any(each is KEPT for each in gc.get_objects())
"""


def test_what_is_collected_is_not_searched_for_garbage(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COLLECTED)
    hooks = ("-p", "tests.support.hooks.garbage")
    pytester.runpytest_inprocess(*hooks).assert_outcomes(passed=1)


BUSY = """
import pytest

@pytest.mark.parametrize("size", [*range(150), 3_000_000])
def test_sum(size):
    sum(range(size))
"""


@pytest.mark.parametrize(("flags", "told"), [(("-m", "not slow"), True), ((), False)])
def test_the_quick_tier_sums_its_time_and_names_what_takes_a_large_share(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], told: bool
) -> None:
    monkeypatch.setattr("tests.support.hooks.budget.MANY", 100)
    pytester.makepyfile(BUSY)
    lines = pytester.runpytest_inprocess("-p", "tests.support.hooks.budget", "-q", *flags).outlines
    assert any("processor seconds in tests, of" in line for line in lines) is told
    assert any("test_sum[3000000]: mark it slow" in line for line in lines) is told
