"""The frame of HTML pages: one file without outside parts, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --faint: #5b6678; --paper: #fff;
  --panel: #f5f7fa; --edge: #d8dde6; --red: #b00020 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --faint: #98a3b5; --paper: #14181f;
  --panel: #1c222c; --edge: #333c4a; --red: #ff6b81 } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 1400px;
  color: var(--ink); background: var(--paper) }
h1, h2, h3 { font-weight: 600; line-height: 1.25 } h1 { font-size: 1.6rem }
h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem; margin: .5rem 0 }
p { max-width: 75ch }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .92em }
td, th { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top }
thead th { border-bottom: 1px solid var(--edge) }
tbody th { font-weight: 400; white-space: pre-wrap }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap }
.sides { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)) }
figure.tcm { margin: 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .4rem }
.offsets { display: flex; flex-direction: column; justify-content: space-between; height: 380px;
  font-size: 11px; color: var(--faint); text-align: right; white-space: nowrap }
.scroll { overflow-x: auto; background: var(--panel); border: 1px solid var(--edge) }
.scroll svg { display: block; width: 100%; height: 378px }
figcaption { grid-column: 2; color: var(--faint); font-size: 12px }
.zoom { float: right } .zoom button { font: inherit; min-width: 2rem; margin-left: .3rem;
  color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: 4px }
svg rect, svg line { vector-effect: non-scaling-stroke }
rect.block { stroke: var(--paper); stroke-width: .5 }
rect.part { fill-opacity: .45 } rect.scratch { fill-opacity: .6; stroke-dasharray: 2 2 }
rect.fill { stroke: var(--red); stroke-width: 1.5 }
rect.block:hover { stroke: var(--ink); stroke-width: 2 }
line.grid { stroke: var(--edge) } line.peak { stroke: var(--ink); stroke-dasharray: 5 4 }
#tip { position: fixed; z-index: 1; max-width: min(36rem, 92vw); padding: .5rem .7rem;
  color: var(--ink); background: var(--paper); border: 1px solid var(--faint); border-radius: 6px;
  box-shadow: 0 3px 14px #0004; font-size: 12.5px; pointer-events: none }
#tip div:first-child { font-weight: 600 } #tip div { overflow-wrap: anywhere }
#tip .now { margin-top: .3rem; color: var(--faint) }
.bar { display: flex; height: 1.3rem; margin: .2rem 0 .7rem; background: var(--panel) }
.bar span { min-width: 1px } .legend { font-size: 12px; color: var(--faint) }
.legend span { white-space: nowrap; margin-right: 1em }
.legend b { display: inline-block; width: .8em; height: .8em; margin-right: .35em }
input { font: inherit; padding: .2rem .5rem; margin: .4rem 0; width: min(100%, 24rem);
  color: var(--ink); background: var(--panel); border: 1px solid var(--edge) }
pre { background: var(--panel); border: 1px solid var(--edge); padding: .8rem; overflow: auto;
  font-size: 12px; max-height: 70vh }
details { margin: .4rem 0 } summary { cursor: pointer }
"""

_SCRIPT = """
const tip = document.getElementById('tip');
const show = (lines, now, event) => {
  tip.replaceChildren(...[...lines, now].map((text, index) => {
    const line = document.createElement('div');
    line.textContent = text;
    if (index === lines.length) line.className = 'now';
    return line;
  }));
  tip.hidden = false;
  const right = innerWidth - tip.offsetWidth - 8, below = innerHeight - tip.offsetHeight - 8;
  tip.style.left = Math.max(8, Math.min(event.clientX + 14, right)) + 'px';
  tip.style.top = Math.max(8, Math.min(event.clientY + 14, below)) + 'px';
};
for (const figure of document.querySelectorAll('figure.tcm')) {
  const data = JSON.parse(figure.querySelector('script').textContent);
  const svg = figure.querySelector('svg');
  let width = 100;
  const move = event => {
    const block = event.target.dataset.b, box = svg.getBoundingClientRect();
    const step = Math.floor((event.clientX - box.left) / box.width * data.steps.length);
    const now = data.steps[step] ? 'running op ' + data.steps[step] : '';
    if (block === undefined) tip.hidden = true; else show(data.blocks[block], now, event);
  };
  svg.addEventListener('pointermove', move);
  svg.addEventListener('pointerdown', move);
  svg.addEventListener('pointerleave', () => { tip.hidden = true; });
  for (const button of figure.querySelectorAll('button')) button.addEventListener('click', () => {
    width = Math.min(Math.max(width * button.dataset.by, 100), 12800);
    svg.style.width = width + '%';
  });
}
for (const box of document.querySelectorAll('input[data-filter]')) {
  const rows = document.querySelectorAll('#' + box.dataset.filter + ' tbody tr');
  box.addEventListener('input', () => {
    const wanted = box.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
"""


def document(title: str, parts: Iterable[str]) -> str:
    """Return a whole page."""
    return "\n".join(
        [
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            "<link rel='icon' href='data:,'>",
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            f"<div id='tip' role='status' hidden></div><script>{_SCRIPT}</script>",
            "</body></html>\n",
        ]
    )


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
