"""Hooks of mkdocs: pages from outside of docs/, links that fit them, the order of all pages."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from site_links import ROOT_PAGES, site_links
from site_nav import sections

ROOT = Path(__file__).parents[2]
_SOURCES = {page: source for source, page in ROOT_PAGES.items()}
_TITLES = {"overview.md": "Overview"}
"""The titles of pages that are called otherwise in the navigation."""
_COMMENTS = re.compile(r"\A(\s*<!--.*?-->)+\s*", re.S)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the repository's root, and give all pages their places."""
    for source, page in ROOT_PAGES.items():
        content = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=content))
    pages = [file.src_uri for file in files.documentation_pages()]
    config.nav = [
        {title: [{_TITLES[name]: name} if name in _TITLES else name for name in names]}
        for title, names in sections(pages).items()
    ]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make the links of a page lead to pages of the site, and begin it with its title."""
    name = page.file.src_uri
    return site_links(_COMMENTS.sub("", markdown), _SOURCES.get(name, f"docs/{name}"), name)
