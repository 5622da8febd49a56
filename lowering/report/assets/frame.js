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

const root = document.documentElement;
const isDark = () => root.dataset.theme
  ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
const kept = (name, value) => {
  // A page that was opened as a file may have no storage.
  try { return value === undefined ? localStorage[name] : (localStorage[name] = value); }
  catch { return undefined; }
};
if (kept('theme')) root.dataset.theme = kept('theme');
const theme = document.getElementById('theme');
const switchTheme = () => {
  root.dataset.theme = kept('theme', isDark() ? 'light' : 'dark') || (isDark() ? 'light' : 'dark');
  dispatchEvent(new Event('theme'));
};
theme.addEventListener('click', switchTheme);
