"""The memory report as a page, in a real browser: it shows, it answers the pointer, it fits."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from htp_mlir.lowering.tools.htp_opt import run

from ...support.browser import Page, opened
from ...support.paths import SPOTTER_MODEL

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The keyword spotter in a TCM that is too small for it without spills."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    passes = "htp-lower{tcm-bytes=65536}"
    outcome = run([str(SPOTTER_MODEL), "-p", passes, "-t", "memory-report", "-o", str(path)])
    assert outcome.status == 0, outcome.err
    return path


@pytest.fixture(scope="module")
def page(report: Path) -> Iterator[Page]:
    with opened(report) as page:
        yield page


def test_opens_without_errors(page: Page) -> None:
    assert page.errors == []
    assert page.value("document.querySelector('h1').textContent") == "Memory report"


def test_holds_everything_itself(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert "http://" not in text
    assert "https://" not in text


def test_both_plans_stand_side_by_side(page: Page) -> None:
    tops = page.value("[...document.querySelectorAll('.sides section')].map(s => s.offsetTop)")
    assert len(tops) == 2
    assert tops[0] == tops[1]
    drawn = page.value("[...document.querySelectorAll('.sides svg')].map(s => s.children.length)")
    assert min(drawn) > 10


def test_pointer_shows_tensor_op_and_node(page: Page) -> None:
    assert page.value("document.getElementById('tip').hidden")
    index = page.value(
        "JSON.parse(document.querySelector('figure script').textContent)"
        ".blocks.findIndex(b => b[0].startsWith('ConvLayer_valid.clamp'))"
    )
    page.point_at(f"figure rect[data-b='{index}']")
    lines = page.value("[...document.getElementById('tip').children].map(e => e.textContent)")
    assert not page.value("document.getElementById('tip').hidden")
    assert lines[0].startswith("ConvLayer_valid.clamp@")
    assert lines[1] == "from 'node_relu', 'node_conv2d'"
    assert " bytes at " in lines[3]
    assert lines[-1].startswith("running op ")


def test_the_picture_can_be_widened(page: Page) -> None:
    before = page.value("document.querySelector('figure svg').clientWidth")
    page.click("figure button[data-by='2']")
    assert page.value("document.querySelector('figure svg').clientWidth") > 1.9 * before


def test_the_table_can_be_filtered(page: Page) -> None:
    shown = "[...document.querySelectorAll('#tensors tbody tr')].filter(r => !r.hidden).length"
    every = page.value(shown)
    page.value(
        "(b => { b.value = 'SPILL'; b.dispatchEvent(new Event('input')) })"
        "(document.querySelector('input[data-filter]'))"
    )
    assert 0 < page.value(shown) < every


def test_fits_a_phone_in_the_dark(report: Path) -> None:
    with opened(report, width=390, height=800, dark=True) as page:
        assert page.errors == []
        assert page.value("document.documentElement.scrollWidth") <= 390
        paper = page.value("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(20, 24, 31)"
