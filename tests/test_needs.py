"""The hooks of `needs`, on test files made for them."""

import re
import sys

import pytest

from .support.hooks import guard, needs
from .support.paths import ROOT

pytest_plugins = ("pytester",)

_IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)
HOOKS = ("-p", "tests.support.hooks.needs")
MIXED = """
import pytest

@pytest.mark.needs("json", "{absent}")
@pytest.mark.parametrize("x", [1, 2])
def test_absent(x):
    raise ValueError

@pytest.mark.needs("json")
def test_here():
    pass

# Skipped in the file that the test writes: a skip without a need is told apart from one with it.
@pytest.mark.skip(reason="stands for a test that nobody finished")
def test_unfinished():
    pass
""".format(absent="no_such_package")
MODULE = """
import no_such_package
import pytest

MARKS = [pytest.mark.slow, pytest.mark.needs("json", "no_such_package")]

@pytest.mark.parametrize("x", [1, 2])
def test_one(x):
    pass

def test_two():
    pass
""".replace("MARKS", "pytestmark")


def test_what_is_absent_is_skipped_with_its_name_and_counted(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(MIXED)
    result = pytester.runpytest_inprocess(*HOOKS, "-rs")
    result.assert_outcomes(passed=1, skipped=3)
    result.stdout.fnmatch_lines(["2 tests need more: 2 no_such_package", "*needs no_such_package"])


def test_where_all_is_there_a_skipped_test_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(MIXED)
    result = pytester.runpytest_inprocess(*HOOKS, "--whole")
    result.assert_outcomes(passed=1, errors=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*needs no_such_package, with --whole"])


def test_a_module_that_cannot_be_imported_is_counted_by_its_tests(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(MODULE)
    pytester.runpytest_inprocess(*HOOKS).assert_outcomes(skipped=2)
    pytester.makepyfile(MODULE.replace("no_such_package", "csv"))
    pytester.runpytest_inprocess(*HOOKS).assert_outcomes(passed=3)


def test_a_program_is_known_by_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(needs.PROGRAMS, "snake", ("no-such-program", "python3"))
    assert needs.program.__wrapped__("snake").endswith("/python3")
    monkeypatch.setitem(needs.PROGRAMS, "snake", ("no-such-program",))
    assert needs.program.__wrapped__("snake") is None


@pytest.fixture(name="watched")
def _watched(monkeypatch: pytest.MonkeyPatch, pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder of tests; the guard takes `elsewhere` for the folder of a foreign program."""
    script = pytester.makefile("", "#!/bin/sh\n")
    script.chmod(0o755)
    script.rename(pytester.path / "judge")
    monkeypatch.setattr(guard, "_FOLDERS", ())
    monkeypatch.setenv("PATH", str(pytester.path), prepend=":")
    return pytester


START = """
import subprocess, pytest

{mark}
def test_start():
    subprocess.run({words})
"""


@pytest.mark.parametrize(
    ("mark", "words", "told"),
    [
        ("", '["judge"]', "*: starts judge"),
        ("", '"judge"', "*: starts judge"),
        ("", '["sh", "-c", ":"]', None),
        ("", '":", shell=True', None),
        ('@pytest.mark.needs("judge")', '["judge"]', None),
        ('@pytest.mark.needs("json")', '["judge"]', "*: starts judge"),
    ],
)
def test_a_program_that_is_not_named_is_refused(
    watched: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    words: str,
    told: str | None,
) -> None:
    monkeypatch.setitem(needs.PROGRAMS, "judge", ("judge",))
    watched.makepyfile(START.format(mark=mark, words=words))
    result = watched.runpytest_inprocess(*HOOKS, "-p", "tests.support.hooks.guard")
    result.assert_outcomes(passed=1, errors=1 if told else 0)
    if told:
        result.stdout.fnmatch_lines([told, "  mark it needs(...)"])


def test_a_program_that_is_nowhere_is_not_started(watched: pytest.Pytester) -> None:
    watched.makepyfile("""
        import subprocess, pytest

        def test_start():
            with pytest.raises(OSError):
                subprocess.run(["no-such-program"])
    """)
    result = watched.runpytest_inprocess(*HOOKS, "-p", "tests.support.hooks.guard")
    result.assert_outcomes(passed=1)


IMPORT = """
import pytest
{first}
{mark}
def test_import():
    import {name}
"""


@pytest.mark.parametrize(
    ("first", "mark", "name", "outcomes"),
    [
        ("", "", "foreign", {"passed": 1, "errors": 1}),
        ("", "", "colorsys", {"passed": 1}),
        ("", '@pytest.mark.needs("foreign")', "foreign", {"passed": 1}),
        ("", '@pytest.mark.needs("no_such_package")', "colorsys", {"skipped": 1}),
        ("import foreign", "", "colorsys", {"errors": 1}),
        ('import foreign\npytestmark = pytest.mark.needs("foreign")', "", "foreign", {"passed": 1}),
    ],
)
def test_a_package_that_is_not_named_is_refused(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    mark: str,
    name: str,
    outcomes: dict[str, int],
) -> None:
    site = pytester.mkdir("site-packages")
    (site / "foreign.py").write_text("")
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(guard.sys.modules, "foreign", raising=False)
    monkeypatch.setattr(guard, "_packages", set())
    monkeypatch.setattr(guard, "_modules", set(guard.sys.modules))
    monkeypatch.setitem(needs.PROGRAMS, "dot", ())
    needs.is_here.cache_clear()
    pytester.makepyfile(IMPORT.format(first=first, mark=mark, name=name))
    result = pytester.runpytest_inprocess(*HOOKS, "-p", "tests.support.hooks.guard")
    result.assert_outcomes(**outcomes)
    needs.is_here.cache_clear()


def test_the_extra_brings_what_its_distributions_ask_for() -> None:
    brought = guard._brought()
    assert {"numba", "llvmlite", "onnx", "pytest", "xdsl", "numpy"} <= brought
    assert not {"torch", "distributed", "textual", "mkdocs"} & brought


def test_a_module_names_the_packages_that_it_imports() -> None:
    usual = {*sys.stdlib_module_names, *guard._brought(), "htp_mlir"}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.samefile(__file__) or {*_IMPORT.findall(text)} <= usual | {
            *needs.named(text)
        }, path


def test_a_test_is_skipped_by_this_mark_alone() -> None:
    other = re.compile(r"importorskip|skipif|pytest\.skip\(|mark\.skip\b")
    files = [*(ROOT / "tests").rglob("*.py")]
    named = {path.name for path in files if other.search(path.read_text(encoding="utf-8"))}
    assert named == {"needs.py", "test_needs.py"}
