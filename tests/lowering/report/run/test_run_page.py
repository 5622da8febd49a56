"""The page about a lowering, in a real browser: its links, its keys, its lists, its colours."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import sleep

import pytest
from htp_mlir.lowering.report.run import Recorder, run_page
from htp_mlir.lowering.tools.htp_opt import run
from htp_mlir.runtime import parse_module

from ....support.browser import Page, opened
from ....support.paths import SPOTTER_MODEL

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

PANEL = "document.getElementById('panel')"
FOCUS = "document.activeElement"


def ready(page: Page) -> None:
    """Wait for the script, which starts behind the first paint."""
    for _ in range(600):
        # While a page is loaded anew there is no document for a moment.
        if page.value("document.documentElement?.dataset.ready"):
            return
        sleep(0.05)
    raise TimeoutError("the page's script is not ready")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key)


def texts(page: Page, selector: str) -> list[str]:
    lines: list[str] = page.value(
        f"[...document.querySelectorAll({selector!r})].filter(e => e.offsetParent)"
        ".map(e => e.textContent)"
    )
    return lines


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The keyword spotter in a TCM so small that it is tiled and spilled."""
    path = tmp_path_factory.mktemp("run") / "report.html"
    passes = "htp-lower{tcm-bytes=98304}"
    outcome = run([str(SPOTTER_MODEL), "-p", passes, "-t", "report", "-o", str(path)])
    assert outcome.status == 0, outcome.err
    return path


@pytest.fixture(scope="module")
def browser(report: Path) -> Iterator[Page]:
    with opened(report) as page:
        ready(page)
        yield page


@pytest.fixture
def page(browser: Page) -> Page:
    browser.value("localStorage.clear(); document.documentElement.dataset.ready = ''")
    browser.call("Page.reload")
    ready(browser)
    return browser


def test_opens_without_errors_and_holds_everything(page: Page, report: Path) -> None:
    assert page.errors == []
    assert page.value("document.querySelector('h1').textContent") == "Lowering of model.onnx"
    text = report.read_text(encoding="utf-8")
    assert "http://" not in text
    assert "https://" not in text


def test_has_a_heading_for_each_section(page: Page) -> None:
    wanted = ["Totals", "Passes", "Rules", "Kernels", "Memory", "Ops"]
    assert texts(page, "main > section > h2") == wanted
    labelled = "[...document.querySelectorAll('main > section')].every(s => "
    assert page.value(labelled + "document.getElementById(s.getAttribute('aria-labelledby')))")


def test_totals_are_those_of_the_run(page: Page) -> None:
    rows = page.value(
        "Object.fromEntries([...document.querySelectorAll('#totals tbody tr')]"
        ".map(r => [r.cells[0].textContent, r.cells[1].textContent]))"
    )
    assert rows["passes"] == str(len(texts(page, ".row.pass")))
    assert rows["rules that fired"].startswith(f"{len(texts(page, '#rules > ol .rule'))} of ")
    assert "x)" in rows["bytes between DDR and the chip"]


def test_a_pass_opens_to_what_it_changed(page: Page) -> None:
    assert texts(page, ".detail") == []
    names = texts(page, ".row.pass code")
    row = f".row[data-pass='{names.index('convert-qti-aisw-to-htp')}']"
    page.click(row)
    assert page.value(f'document.querySelector("{row}").ariaExpanded') == "true"
    removed, added = texts(page, ".lines .remove"), texts(page, ".lines .add")
    assert any("qti_aisw.Conv2d" in line for line in removed)
    assert any("htp.Conv2d" in line for line in added)
    page.click(row)
    assert texts(page, ".detail") == []


def test_a_rule_links_its_source_and_the_ops_that_it_made(page: Page) -> None:
    number = page.value(
        "[...document.querySelectorAll('.rule')].find(r => r.textContent.includes('PoolMax2d'))"
        ".dataset.rule"
    )
    page.click(f".row[data-rule='{number}']")
    assert texts(page, "#panel h2") == ["PoolMax2d"]
    place, link = page.value("(a => [a.textContent, a.href])(document.querySelector('#panel a'))")
    assert place.startswith("lowering/patterns/qnn.py:")
    assert link.startswith("file:///")
    assert link.endswith("/lowering/patterns/qnn.py")
    assert "rule(" in texts(page, "#panel pre")[0]
    (fired,) = texts(page, "#panel h3 + ul li")
    assert fired.startswith("htp.PoolMax2d 'node_max_pool2d' → ")
    # The op that it made: its node, its history, its kernel.
    page.value(
        "[...document.querySelectorAll('#panel .link')]"
        ".find(a => a.textContent.includes('MaxPool_valid')).click()"
    )
    assert texts(page, "#panel h2") == ["htp.MaxPool_valid"]
    text = page.value(f"{PANEL}.textContent")
    assert "from 'node_max_pool2d'" in text
    assert "made by the rule PoolMax2d" in text
    assert "made in htp-rules{last=EARLY-1" in text
    assert "max_pool.FloatCroutonTensor_TCM, cost FAST" in text
    assert "does not fit" in text
    assert "bytes at" in text


def test_a_rule_that_did_not_fire_says_why(page: Page) -> None:
    page.click("#rules > details > summary")
    page.click("#rules > details .rule")
    assert "Why not" in texts(page, "#panel h3")
    reasons = texts(page, "#panel h3 + ul li")
    assert any("refused: " in reason or "no match: " in reason for reason in reasons)


def test_keys_walk_open_and_close(page: Page) -> None:
    press(page, "j")
    assert page.value(f"{FOCUS}.dataset.pass") == "0"
    press(page, "j", "j", "k")
    assert page.value(f"{FOCUS}.dataset.pass") == "1"
    press(page, "Enter")
    assert page.value(f"{FOCUS}.ariaExpanded") == "true"
    press(page, "3")
    assert page.value(f"{FOCUS}.dataset.rule") is not None
    before = page.value(f"{FOCUS}.dataset.rule")
    press(page, "Enter")
    assert not page.value(f"{PANEL}.hidden")
    assert page.value(f"{FOCUS} === {PANEL}")
    press(page, "Escape")
    assert page.value(f"{PANEL}.hidden")
    assert page.value(f"{FOCUS}.dataset.rule") == before
    press(page, "6", "j", "j")
    assert page.value("document.querySelector('.oprow.at').ariaPosInSet") == "2"
    press(page, "Enter")
    assert not page.value(f"{PANEL}.hidden")


def test_focus_is_visible(page: Page) -> None:
    press(page, "j")
    assert page.value(f"getComputedStyle({FOCUS}).outlineStyle") == "solid"


def test_help_shows_the_keys(page: Page) -> None:
    press(page, "?")
    assert page.value("document.getElementById('help').open")
    assert "Escape" in page.value("document.getElementById('help').textContent")
    press(page, "Escape")


def test_search_narrows_every_list(page: Page) -> None:
    ops = page.value("document.querySelector('.oprow').ariaSetSize")
    press(page, "/")
    assert page.value(f"{FOCUS}.id") == "search"
    press(page, *"maxpool")
    assert page.value("document.querySelector('.oprow').ariaSetSize") == "1"
    assert int(ops) > 100
    assert texts(page, ".row.pass") == []
    assert page.value("document.getElementById('matches').textContent").endswith("rows, 1 ops")


def test_the_switch_changes_the_colours(page: Page) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.value(paper) == "rgb(255, 255, 255)"
    press(page, "t")
    assert page.value(paper) == "rgb(20, 24, 31)"
    page.click("#theme")
    assert page.value(paper) == "rgb(255, 255, 255)"


def tip_at(page: Page, tenths: int) -> list[str]:
    """Point at the lowest bytes of TCM, some tenths of the steps from the left; the tip's lines."""
    lowest = f"(b => ({{x: b.left + b.width * {tenths / 10}, y: b.bottom - 12}}))"
    box = page.value(f"{lowest}(document.getElementById('tcm').getBoundingClientRect())")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", **box)
    return list(page.value("[...document.getElementById('tip').children].map(e => e.textContent)"))


def test_memory_tells_of_tensors(page: Page) -> None:
    press(page, "5", *["ArrowRight"] * 12)
    told = page.value("document.getElementById('step').textContent")
    assert told.startswith("step 12 of ")
    assert "bytes live" in told
    told = [lines[3] for lines in map(partial(tip_at, page), range(1, 10)) if len(lines) > 3]
    assert any("bytes at" in line for line in told)
    press(page, "+")
    painted = (
        "(c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size)"
        "(document.getElementById('tcm'))"
    )
    assert page.value(painted) > 10


@pytest.mark.parametrize("dark", [False, True])
def test_fits_a_phone(report: Path, dark: bool) -> None:
    with opened(report, width=390, height=800, dark=dark) as page:
        ready(page)
        page.click(".row[data-pass='6']")
        page.click(".row[data-rule]")
        assert page.errors == []
        assert page.value("document.documentElement.scrollWidth") <= 390
        paper = page.value("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(20, 24, 31)" if dark else "rgb(255, 255, 255)")


def test_without_passes_it_shows_the_module(tmp_path: Path) -> None:
    path = tmp_path / "module.html"
    outcome = run([str(SPOTTER_MODEL), "-t", "report", "-o", str(path)])
    assert outcome.status == 0, outcome.err
    with opened(path) as page:
        ready(page)
        assert page.errors == []
        assert "No pass was recorded." in texts(page, "#passes p")
        assert int(page.value("document.querySelector('.oprow').ariaSetSize")) > 50


def test_a_text_of_the_model_is_no_markup(tmp_path: Path) -> None:
    name = '<img src=x onerror=\\"console.error(1)\\"></script>'
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = qti_aisw.Relu(%x) {{htp.name = "{name}"}} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %0 : tensor<4xf32>
    }}"""
    path = tmp_path / "name.html"
    path.write_text(run_page("<b>", Recorder(), parse_module(text)), encoding="utf-8")
    with opened(path) as page:
        ready(page)
        press(page, "6", "j", "j", "Enter")
        assert page.errors == []
        assert page.value("document.querySelectorAll('img').length") == 0
        assert page.value("document.querySelector('h1').textContent") == "<b>"


def test_fifty_thousand_ops_are_a_small_page(tmp_path: Path) -> None:
    count = 50_000
    module = parse_module("""func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {
      %v1 = qti_aisw.Relu(%v0) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %v1 : tensor<4xf32>
    }""")
    *_, relu, end = module.walk()
    block = relu.parent
    assert block is not None
    # Text of that many ops would take most of the test's time.
    for index in range(2, count + 1):
        relu = relu.clone({relu.operands[0]: relu.results[0]})
        relu.results[0].name_hint = f"v{index}"
        block.insert_op_before(relu, end)
    end.operands = relu.results
    path = tmp_path / "large.html"
    path.write_text(run_page("large", Recorder(), module))
    assert path.stat().st_size < 2 << 20
    with opened(path) as page:
        ready(page)
        elements = "document.querySelectorAll('*').length"
        assert page.value(elements) < 500
        page.value("(l => { l.scrollTop = l.scrollHeight })(document.getElementById('oplist'))")
        sleep(0.2)
        assert f"func.return %v{count}" in texts(page, ".oprow")[-2]
        assert page.value(elements) < 500
        press(page, "/", *f"%v{count - 1}")
        assert page.value("document.querySelector('.oprow').ariaSetSize") == "2"
        assert page.errors == []
