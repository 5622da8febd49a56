"""Hooks of pytest that sum the processor time of a run, and name the tests that take most of it.

Processor time, not elapsed time: other work on the machine hardly changes it. That of processes
that a test starts and waits for counts.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from .tiers import QUICK

BUDGET = 150
"""Processor seconds of the quick tier on the machine on which it takes a minute and a half."""
SHARE = 100
"""A test that takes more than one part in this many of a run is named."""
MANY = 5000
"""A run of fewer tests is no quick tier, and names none."""
_START = pytest.StashKey[float]()
_SECONDS = "processor seconds"


def _now() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note the time at which a test begins."""
    item.stash[_START] = _now()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Put the time that a test took into its last report, which also comes from other processes."""
    report = yield
    if call.when == "teardown" and _START in item.stash:
        report.user_properties.append((_SECONDS, _now() - item.stash[_START]))
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Write the sum of a run of the quick tier, and the tests with a large share of it."""
    if config.option.markexpr != QUICK:
        return
    reports = (report for each in terminalreporter.stats.values() for report in each)
    times: Counter[str] = Counter()
    for report in reports:
        for name, seconds in getattr(report, "user_properties", ()):
            if name == _SECONDS:
                times[report.nodeid] = seconds
    terminalreporter.write_line(
        f"{times.total():.0f} processor seconds in tests, of {BUDGET} for the quick tier"
    )
    for test, seconds in times.most_common():
        if seconds * SHARE > times.total() and len(times) > MANY:
            terminalreporter.write_line(f"{seconds:6.1f} {test}: mark it slow, or make it quicker")
