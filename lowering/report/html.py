"""The frame of HTML pages: one file without outside parts, light and dark, wide and narrow."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

_ASSETS = Path(__file__).parent / "assets"


def document(title: str, parts: Iterable[str], *, more: Sequence[str] = (), tools: str = "") -> str:
    """Return a whole page with a switch of its colours.

    `more` names assets, a style and a script of one name each; `tools` are buttons beside it.
    """
    names = ("frame", *more)
    return "\n".join(
        [
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            "<link rel='icon' href='data:,'>",
            f"<title>{escape(title)}</title>",
            f"<style>{''.join(map(_style, names))}</style></head><body>",
            f"<header class='top'><h1>{escape(title)}</h1><div class='tools'>{tools}",
            "<button type='button' id='theme' title='light or dark (t)'>Light / dark</button>",
            "</div></header>",
            *parts,
            f"<div id='tip' role='status' hidden></div><script>{''.join(map(_script, names))}",
            "</script></body></html>\n",
        ]
    )


def _style(name: str) -> str:
    return (_ASSETS / f"{name}.css").read_text(encoding="utf-8")


def _script(name: str) -> str:
    return (_ASSETS / f"{name}.js").read_text(encoding="utf-8")


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: set[int], name: str = ""
) -> str:
    """Return a table with the columns `numbers` aligned right; first cells are headings."""
    ident = f" id='{name}'" if name else ""
    top = "".join(
        f"<th{_number(index in numbers)}>{escape(cell)}</th>" for index, cell in enumerate(head)
    )
    body = "\n".join(f"<tr>{''.join(_cells(row, numbers))}</tr>" for row in rows)
    heading = f"<thead><tr>{top}</tr></thead>" if head else ""
    return f"<div class='wide'><table{ident}>{heading}<tbody>{body}</tbody></table></div>"


def _cells(row: Sequence[str], numbers: set[int]) -> Iterable[str]:
    for index, cell in enumerate(row):
        kind = "td" if index else "th"
        yield f"<{kind}{_number(index in numbers)}>{escape(cell)}</{kind}>"


def _number(wanted: bool) -> str:
    return " class='number'" if wanted else ""
