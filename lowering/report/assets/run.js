const $ = (id) => document.getElementById(id);
const make = (name, facts, ...inner) => {
  const element = Object.assign(document.createElement(name), facts);
  element.append(...inner);
  return element;
};
const count = (number) => number.toLocaleString('en');
const unpacked = async () => {
  const text = atob($('data').textContent), bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

/* Lines, ops and the links between them. Names are read off the text: `%a, %b = htp.Op(%c)`. */
const NAMES = /%[\w$.-]+/g;
const resultsOf = (text) => (text.split(' = ', 1)[0].match(NAMES) || []);
class Run {
  constructor(data) {
    Object.assign(this, data);
    this.made = new Map(data.made);
    this.versions = new Map();
    this.byName = new Map();
    this.lines.forEach(([op, text], index) => {
      if (op < 0) return;
      if (!this.versions.has(op)) this.versions.set(op, []);
      this.versions.get(op).push(index);
      if (text.startsWith('%')) for (const name of resultsOf(text)) this.byName.set(name, op);
    });
    this.replaced = new Map();
    this.rules.forEach((rule, index) => rule.firings.forEach((firing) => {
      this.replaced.set(this.lines[firing[1]][0], [index, firing]);
    }));
    this.kernelOf = new Map(this.kernels.map((row) => [this.lines[row[0]][0], row]));
    this.inModule = new Set(this.final.map((line) => this.lines[line][0]));
  }
  origins(line) { return this.texts[this.lines[line][2]]; }
  title(line) { return this.texts[this.lines[line][3]]; }
  pass(op) {
    // The innermost pass comes last among those in which the op was made.
    return this.passes.findLastIndex(({ ops }) => ops[0] <= op && op < ops[1]);
  }
}
const link = (text, kind, key) => {
  const anchor = make('a', { href: `#${kind}-${key}`, className: 'link', textContent: text });
  anchor.dataset[kind] = key;
  return anchor;
};
const linked = (run, text) => {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(NAMES)) {
    const op = run.byName.get(match[0]);
    if (op === undefined) continue;
    parts.push(text.slice(end, match.index), link(match[0], 'op', op));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
};
/* An op is called by its node or place; by its number on this page where it has neither. */
const opLink = (run, line) => link(run.title(line) || run.lines[line][1].split(/\(| : /, 1)[0], 'op',
  run.lines[line][0]);
const list = (items) => make('ul', {}, ...items.map((parts) => make('li', {}, ...parts)));

/* Details of a pass, below its row; made when it is opened. */
const SIGNS = { '+': 'add', '-': 'remove', ' ': '', '@': 'skip' };
const difference = (run, pass) => {
  const box = make('div', { className: 'lines', tabIndex: 0 });
  for (const [sign, number] of pass.parts) {
    const text = sign === '@' ? `  ${count(number)} lines as they were` : run.lines[number][1];
    const line = make('div', { className: SIGNS[sign] });
    if (sign === '@') line.textContent = text;
    else line.append(`${sign} `, link(text, 'op', run.lines[number][0]));
    box.append(line);
  }
  return box;
};
const passDetail = (run, index) => {
  const pass = run.passes[index], box = make('div', { className: 'detail' });
  if (pass.fired.length) box.append(make('h3', { textContent: 'Rules that fired' }), make('p', {},
    ...pass.fired.flatMap(([rule, times]) => [link(run.rules[rule].name, 'rule', rule),
      ` ${count(times)} times `.replace(' 1 times', ' once'), ' · ']).slice(0, -1)));
  if (!pass.parts.length) box.append(make('p', { textContent: 'It changed nothing itself.' }));
  else box.append(make('h3', { textContent: 'What it changed' }), difference(run, pass));
  if (pass.cut) box.append(make('p', { className: 'faint', textContent:
    'The rest is left out; --print-ir-diff or --dump-dir has all of it.' }));
  return box;
};
const openPass = (run, row) => {
  const isOpen = row.getAttribute('aria-expanded') === 'true';
  row.setAttribute('aria-expanded', String(!isOpen));
  if (isOpen) row.nextSibling.remove();
  else row.after(passDetail(run, Number(row.dataset.pass)));
};

/* The panel: an op or a rule. */
let opener = null;
const openPanel = (title, ...parts) => {
  const panel = $('panel');
  if (panel.hidden) opener = document.activeElement;
  const close = make('button', { type: 'button', className: 'close', textContent: 'Close' });
  close.addEventListener('click', closePanel);
  panel.replaceChildren(close, make('h2', { textContent: title }), ...parts);
  panel.hidden = false;
  panel.scrollTop = 0;
  panel.focus({ preventScroll: true });
};
const closePanel = () => {
  if ($('panel').hidden) return;
  $('panel').hidden = true;
  if (opener?.isConnected) opener.focus({ preventScroll: true });
};
const section = (title, ...parts) => [make('h3', { textContent: title }), ...parts];
const passLink = (run, index) => link(run.passes[index].name, 'goto', index);
const showOp = (run, op) => {
  const versions = run.versions.get(op) || [];
  const last = versions.at(-1);
  const facts = [];
  if (run.origins(last)) facts.push([`from ${run.origins(last)}`]);
  const pass = run.pass(op);
  if (pass >= 0) facts.push(['made in ', passLink(run, pass)]);
  else facts.push(['in the module before the passes']);
  if (run.made.has(op)) {
    const rule = run.made.get(op);
    facts.push(['made by the rule ', link(run.rules[rule].name, 'rule', rule)]);
  }
  if (run.replaced.has(op)) {
    const [rule, [step, , made]] = run.replaced.get(op);
    facts.push(['replaced by the rule ', link(run.rules[rule].name, 'rule', rule), ' in ',
      passLink(run, step), ...made.flatMap((line) => [' · ', opLink(run, line)])]);
  } else if (!run.inModule.has(op)) facts.push(['gone behind the last pass']);
  const parts = [list(facts), ...section('Its text, the latest first', ...versions.toReversed()
    .map((line) => make('p', { className: 'ir' }, ...linked(run, run.lines[line][1]))))];
  const kernel = run.kernelOf.get(op);
  if (kernel) {
    const [, name, cost, others] = kernel.map((key, index) => index ? run.texts[key] : key);
    parts.push(...section('Kernel', make('p', { textContent: `${name}, cost ${cost || '-'}` }),
      make('pre', { textContent: others || 'It has no other kernel.' })));
  }
  const tensors = (run.memory?.blocks || []).filter(([first]) =>
    run.lines[run.memory.steps[first]]?.[0] === op);
  if (tensors.length) parts.push(...section('In TCM from here', list(tensors.map((block) =>
    [blockLines(run, block).join('; ')]))));
  openPanel(run.lines[last][1].match(/[a-z_]+\.[\w.]+/i)?.[0] || 'op', ...parts);
};
const showRule = (run, index) => {
  const rule = run.rules[index], [attempts, matches, refusals, firings] = rule.counts;
  const place = rule.href ? make('a', { href: rule.href, textContent: rule.place }) : rule.place;
  const facts = [[`pass group ${rule.group}; it begins with ${rule.root}`], ['defined at ', place],
    [`tried ${count(attempts)} times, matched ${count(matches)}, refused ${count(refusals)}, `
      + `fired ${count(firings)}`]];
  const parts = [list(facts)];
  if (rule.source) parts.push(make('pre', { textContent: rule.source }));
  parts.push(make('details', {}, make('summary', { textContent: 'the rule written out' }),
    make('pre', { textContent: rule.text })));
  if (firings) {
    parts.push(...section('Fired at', list(rule.firings.map(([step, root, made]) =>
      [opLink(run, root), ' → ', ...made.flatMap((line) => [opLink(run, line), ', ']).slice(0, -1),
        ' in ', passLink(run, step)]))));
    if (firings > rule.firings.length) parts.push(make('p', { className: 'faint',
      textContent: `${count(firings - rule.firings.length)} more firings are left out.` }));
  }
  const idle = rule.ran ? `There was no ${rule.root} that it did not fire at.`
    : 'Its pass group did not run.';
  parts.push(...section('Why not', rule.why.length ? list(rule.why.map(
    ([line, name, outcome, reason]) => [
      link(run.texts[name], 'op', run.lines[line][0]),
      `: ${run.texts[outcome]}${run.texts[reason] && `: ${run.texts[reason]}`}`,
    ])) : make('p', { textContent: idle })));
  openPanel(rule.name, ...parts);
};

/* Ops: only rows in view are in the page. */
const HEIGHT = 22;
class OpList {
  constructor(run, box) {
    Object.assign(this, { run, box, at: -1 });
    this.space = make('div', {});
    this.rows = make('div', {});
    box.append(this.space, this.rows);
    box.tabIndex = 0;
    box.setAttribute('role', 'listbox');
    box.setAttribute('aria-label', 'ops');
    box.addEventListener('scroll', () => this.draw());
    this.filter('');
  }
  filter(wanted) {
    const { lines } = this.run;
    this.shown = this.run.final.filter((line) => !wanted
      || lines[line][1].toLowerCase().includes(wanted)
      || this.run.origins(line).toLowerCase().includes(wanted));
    this.at = -1;
    this.space.style.height = `${this.shown.length * HEIGHT}px`;
    this.box.scrollTop = 0;
    this.draw();
  }
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - 8);
    const lines = this.shown.slice(first, first + Math.ceil(this.box.clientHeight / HEIGHT) + 16);
    this.rows.style.transform = `translateY(${first * HEIGHT}px)`;
    this.rows.replaceChildren(...lines.map((line, index) => this.row(line, first + index)));
  }
  row(line, index) {
    const [op, text] = this.run.lines[line], node = this.run.origins(line);
    const row = make('div', { className: 'oprow', id: `row${index}` },
      op < 0 ? text : `  ${text}`, make('i', { textContent: node && `   // ${node}` }));
    row.setAttribute('role', 'option');
    row.setAttribute('aria-posinset', index + 1);
    row.setAttribute('aria-setsize', this.shown.length);
    row.setAttribute('aria-selected', String(index === this.at));
    if (index === this.at) row.classList.add('at');
    if (op >= 0) row.dataset.op = op;
    return row;
  }
  move(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.shown.length - 1);
    const top = this.at * HEIGHT, { box } = this;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + HEIGHT - box.clientHeight + 16;
    }
    this.draw();
    box.setAttribute('aria-activedescendant', `row${this.at}`);
  }
  enter() {
    const op = this.run.lines[this.shown[this.at]]?.[0];
    if (op >= 0) showOp(this.run, op);
  }
}

/* Memory over time, on a canvas: a block is first step, last step, offset, bytes, name, ... */
const hue = (name) => {
  let seed = 7;
  for (const sign of name) seed = (seed * 31 + sign.charCodeAt(0)) % 9973;
  return `hsl(${seed % 360} 52% ${50 + seed % 17}%)`;
};
const blockLines = (run, [first, last, offset, bytes, name, node, label, why]) => [name,
  run.texts[node] ? `from ${run.texts[node]}` : 'no node of the model', run.texts[label],
  `${count(bytes)} bytes at ${count(offset)}, steps ${first} to ${last}`, run.texts[why]];
class Memory {
  constructor(run, canvas) {
    Object.assign(this, { run, canvas, start: 0, step: 0 });
    this.steps = Math.max(run.memory.steps.length, 1);
    this.span = this.steps;
    this.live = this.liveBytes();
    canvas.addEventListener('pointermove', (event) => this.point(event));
    canvas.addEventListener('pointerdown', (event) => this.point(event));
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    canvas.addEventListener('keydown', (event) => this.key(event));
    for (const button of document.querySelectorAll('[data-zoom]')) {
      button.addEventListener('click', () => this.zoom(Number(button.dataset.zoom)));
    }
    new ResizeObserver(() => this.draw()).observe(canvas);
    addEventListener('theme', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.tell(0);
  }
  liveBytes() {
    const change = new Array(this.steps + 1).fill(0);
    for (const [first, last, , bytes, , , , , look] of this.run.memory.blocks) {
      if (this.run.texts[look] === 'block part') continue;
      change[first] += bytes;
      change[last + 1] -= bytes;
    }
    let sum = 0;
    return change.slice(0, -1).map((by) => (sum += by));
  }
  draw() {
    const { canvas, run } = this, style = getComputedStyle(canvas);
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = devicePixelRatio;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const x = (step) => (step - this.start) / this.span * width;
    const y = (bytes) => height - bytes / run.memory.top * height;
    for (const [first, last, offset, bytes, name, , , , look] of run.memory.blocks) {
      if (last + 1 < this.start || first > this.start + this.span) continue;
      const kind = run.texts[look];
      const box = [x(first), y(offset + bytes), Math.max(x(last + 1) - x(first), 1),
        Math.max(y(offset) - y(offset + bytes), 1)];
      pen.globalAlpha = kind === 'block' || kind === 'block fill' ? 1 : 0.5;
      pen.fillStyle = hue(name);
      pen.fillRect(...box);
      pen.globalAlpha = 1;
      pen.strokeStyle = kind === 'block fill' ? '#d0183a' : style.backgroundColor;
      if (box[2] > 3) pen.strokeRect(...box);
    }
    pen.strokeStyle = style.color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    const end = Math.min(Math.ceil(this.start + this.span), this.steps);
    for (let step = Math.floor(this.start); step < end; step += 1) {
      pen.lineTo(x(step), y(this.live[step]));
      pen.lineTo(x(step + 1), y(this.live[step]));
    }
    pen.stroke();
    pen.strokeRect(x(this.step), 0, Math.max(x(1) - x(0), 1), height);
  }
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const step = Math.floor(this.start + (event.clientX - box.left) / box.width * this.span);
    const byte = (box.bottom - event.clientY) / box.height * this.run.memory.top;
    return [Math.min(Math.max(step, 0), this.steps - 1), byte];
  }
  point(event) {
    const [step, byte] = this.at(event);
    const block = this.run.memory.blocks.findLast(([first, last, offset, bytes]) =>
      first <= step && step <= last && offset <= byte && byte < offset + bytes);
    this.tell(step);
    if (!block) tip.hidden = true;
    else show(blockLines(this.run, block), `step ${count(step)}: ${this.op(step)}`, event);
  }
  op(step) {
    const line = this.run.memory.steps[step];
    if (line === undefined) return 'no op runs';
    const node = this.run.origins(line);
    return this.run.lines[line][1].match(/htp\.[\w.]+|[\w]+\.[\w.]+/)[0] + (node && ` (${node})`);
  }
  tell(step) {
    $('step').textContent = `step ${count(step)} of ${count(this.steps)}: ${this.op(step)}, `
      + `${count(this.live[step] || 0)} of ${count(this.run.memory.bytes)} bytes live`;
  }
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === '+' || event.key === '-') this.zoom(event.key === '+' ? 0.5 : 2);
    if (event.key === 'Enter' && this.run.memory.steps.length) {
      showOp(this.run, this.run.lines[this.run.memory.steps[this.step]][0]);
    }
    if (!by) return;
    event.preventDefault();
    this.step = Math.min(Math.max(this.step + by, 0), this.steps - 1);
    if (this.step < this.start) this.start = this.step;
    if (this.step >= this.start + this.span) this.start = this.step - this.span + 1;
    this.tell(this.step);
    this.draw();
  }
  zoom(by) {
    const middle = this.step;
    this.span = Math.min(Math.max(this.span * by, 8), this.steps);
    this.start = Math.min(Math.max(middle - this.span / 2, 0), this.steps - this.span);
    this.draw();
  }
}

/* Search, keys and clicks. */
const search = (ops) => {
  const wanted = $('search').value.trim().toLowerCase();
  const rows = [...document.querySelectorAll('.rows > li, #kernel-table tbody tr')];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  for (const fold of document.querySelectorAll('#rules > details')) {
    if (wanted) fold.open = [...fold.querySelectorAll('li')].some((row) => !row.hidden);
  }
  ops.filter(wanted);
  const visible = rows.filter((row) => !row.hidden).length;
  $('matches').textContent = wanted ? `${count(visible)} rows, ${count(ops.shown.length)} ops` : '';
};
const step = (by, ops) => {
  const here = document.activeElement;
  if (ops.box.contains(here) || here === ops.box) return ops.move(by);
  const all = here.closest('[data-rows]') || document.querySelector('[data-rows]');
  const rows = [...(all?.querySelectorAll('.row') || [])].filter((row) => row.offsetParent);
  const next = rows[Math.min(Math.max(rows.indexOf(here.closest('.row')
    || here.closest('li')?.querySelector('.row')) + by, 0), rows.length - 1)];
  next?.focus();
  return next?.scrollIntoView({ block: 'nearest' });
};
const go = (run, index) => {
  const row = document.querySelector(`.row[data-pass="${index}"]`);
  closePanel();
  if (row.getAttribute('aria-expanded') !== 'true') openPass(run, row);
  row.focus();
  row.scrollIntoView({ block: 'center' });
};
const pressed = (ops) => (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Escape') {
    closePanel();
    if (document.activeElement === $('search')) $('search').blur();
    return;
  }
  if (event.target.closest?.('input, textarea, dialog')) return;
  const sections = document.querySelectorAll('main > section');
  if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1, ops);
  else if (key === 'Enter' && document.activeElement === ops.box) ops.enter();
  else if (key === '/') $('search').focus();
  else if (key === '?') $('help').showModal();
  else if (key === 't') switchTheme();
  else if (sections[key - 1]) {
    sections[key - 1].scrollIntoView();
    const inside = sections[key - 1].querySelector('.row, canvas, .list') || sections[key - 1];
    inside.focus({ preventScroll: true });
  } else return;
  event.preventDefault();
};
const clicked = (run) => (event) => {
  const target = event.target.closest('[data-op], [data-rule], [data-goto], .row[data-pass]');
  if (!target) return;
  event.preventDefault();
  const { op, rule, pass } = target.dataset;
  if (op !== undefined) { if (Number(op) >= 0) showOp(run, Number(op)); }
  else if (rule !== undefined) showRule(run, Number(rule));
  else if (pass !== undefined) openPass(run, target);
  else go(run, Number(target.dataset.goto));
};
const begin = async () => {
  const run = new Run(await unpacked());
  const ops = new OpList(run, $('oplist'));
  if (run.memory) new Memory(run, $('tcm'));
  document.addEventListener('click', clicked(run));
  document.addEventListener('keydown', pressed(ops));
  $('search').addEventListener('input', () => search(ops));
  root.dataset.ready = 'true';
};
$('keys').addEventListener('click', () => $('help').showModal());
$('help').addEventListener('click', () => $('help').close());
// The tables are painted first.
requestAnimationFrame(() => setTimeout(begin));
