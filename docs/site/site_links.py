"""Links between files of the repository as links between pages of the site."""

import re
from pathlib import PurePosixPath
from posixpath import normpath, relpath

ROOT_PAGES = {
    "README.md": "overview.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages outside of docs/, and their names on the site."""

_FENCED = re.compile(r"(^ *```.*?^ *```)", re.M | re.S)
_LINK = re.compile(r"(?P<label>!?\[[^\[\]]*\])\((?P<target>[^)\s]+)\)")


def site_links(text: str, source: str, page: str) -> str:
    """Rewrite the links of a page, read from `source` and shown as `page`.

    `source` is relative to the repository, `page` to docs/. A link to a file that the site does not
    have leaves its label. Links in code blocks, to other sites and within the page stay.
    """
    parts = _FENCED.split(text)
    # Every second part is a code block.
    parts[::2] = [_LINK.sub(lambda link: _link(link, source, page), part) for part in parts[::2]]
    return "".join(parts)


def _link(link: re.Match[str], source: str, page: str) -> str:
    path, hash_, anchor = link["target"].partition("#")
    if not path or "://" in path:
        return link[0]
    file = normpath(PurePosixPath(source).parent / path)
    if file not in ROOT_PAGES and not file.startswith("docs/"):
        return link["label"].strip("![]")
    target = ROOT_PAGES.get(file, file.removeprefix("docs/"))
    return f"{link['label']}({relpath(target, PurePosixPath(page).parent)}{hash_}{anchor})"
