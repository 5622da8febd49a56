"""The site of docs/: it builds strictly, needs no network, and reads well in a browser."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from ..support.browser import opened
from ..support.paths import ROOT

DOCS = ROOT / "docs"
LOADED = re.compile(r"<(?:script|link|img|iframe)[^>]*?(?:src|href)=\"?(https?:[^\" >]+)")
WIDTHS = (1280, 390)
LOOKED_AT = ("index.html", "concepts.html", "comparison.html", "reference/qti_aisw.html")


@pytest.fixture(scope="session", name="site")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=True,
        timeout=300,
    )
    return folder


def module(name: str) -> ModuleType:
    """A module of docs/site."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS / "site")
        return import_module(name)


@pytest.mark.slow
@pytest.mark.needs("material")
def test_every_page_is_on_the_site(site: Path) -> None:
    pages = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    names = {str(page).replace("README.md", "index.html").replace(".md", ".html") for page in pages}
    names |= {"overview.html", "contributing.html", "changelog.html"}
    assert [name for name in names if not (site / name).exists()] == []


@pytest.mark.slow
@pytest.mark.needs("material")
def test_blocks_of_ir_are_coloured(site: Path) -> None:
    page = (site / "editors.html").read_text(encoding="utf-8")
    assert '<span class="nb">htp.Relu</span>' in page


@pytest.mark.slow
@pytest.mark.needs("material")
def test_nothing_is_loaded_from_the_network(site: Path) -> None:
    loaded = {
        (page.name, url)
        for page in site.rglob("*.html")
        for url in LOADED.findall(page.read_text(encoding="utf-8"))
    }
    assert loaded == set()


@pytest.mark.needs("material", "chromium")
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_fits_its_window(site: Path, name: str, dark: bool) -> None:
    with opened(site / name, dark=dark) as page:
        scheme = page.value("document.body.getAttribute('data-md-color-scheme')")
        assert scheme == ("slate" if dark else "default")
        for width in WIDTHS:
            page.resize(width, 900)
            assert page.value("document.documentElement.scrollWidth") <= width
        assert page.errors == []


@pytest.mark.slow
@pytest.mark.needs("material", "chromium")
def test_the_search_works_from_a_file(site: Path) -> None:
    with opened(site / "index.html") as page:
        page.value("document.querySelector('[data-md-toggle=search]').click()")
        page.value(
            "(i => { i.focus(); i.value = 'crouton';"
            " i.dispatchEvent(new Event('keyup', {bubbles: true})) })"
            "(document.querySelector('.md-search__input'))"
        )
        hits = "document.querySelectorAll('.md-search-result__item').length"
        waited = page.call(
            "Runtime.evaluate",
            expression=f"new Promise(done => {{ const look = () => {hits} ? done({hits}) :"
            " setTimeout(look, 50); look(); setTimeout(() => done(0), 20000) })",
            awaitPromise=True,
            returnByValue=True,
        )
        assert waited["result"]["value"] > 0
        assert page.errors == []


def test_sections_take_new_pages() -> None:
    sections = module("site_nav").sections
    pages = ["index.md", "new.md", "passes/first_pass.md", "passes/second.md", "faq.md"]
    assert sections(pages) == {
        "Start": ["index.md"],
        "Tutorials": ["passes/first_pass.md"],
        "Guides": ["passes/second.md", "new.md"],
        "About": ["faq.md"],
    }


@pytest.mark.parametrize(
    ("text", "source", "page", "expected"),
    [
        ("[a](docs/text.md#b)", "README.md", "overview.md", "[a](text.md#b)"),
        ("[a](../README.md)", "docs/faq.md", "faq.md", "[a](overview.md)"),
        ("[a](../../README.md)", "docs/rules/x.md", "rules/x.md", "[a](../overview.md)"),
        ("[the tables](lowering/patterns)", "CONTRIBUTING.md", "contributing.md", "the tables"),
        ("![i](docs/images/i.svg)", "README.md", "overview.md", "![i](images/i.svg)"),
        ("[a](https://x.org) [b](#c)", "README.md", "overview.md", "[a](https://x.org) [b](#c)"),
        ("```\n[a](x.py)\n```\n", "README.md", "overview.md", "```\n[a](x.py)\n```\n"),
    ],
)
def test_links_lead_to_pages_of_the_site(text: str, source: str, page: str, expected: str) -> None:
    assert module("site_links").site_links(text, source, page) == expected
