'use strict';
// Times are whole tenths of a millisecond since the world began. Lists of messages, beliefs and the like are flat, to keep the page small.
const TENTHS = 10000;
const data = JSON.parse(document.getElementById('data').textContent);
const q = id => document.getElementById(id);
const make = (name, text, attributes) => {
  const made = Object.assign(document.createElement(name), attributes);
  if (text !== undefined) made.textContent = text;
  return made;
};
const seconds = at => (at / TENTHS).toFixed(4) + ' s';

// The table of figures.
const FIGURES = [
  ['severalBelieversSeconds', 'seconds with two believers', cell => cell.severalBelieversSeconds, 40],
  ['noBelieverSeconds', 'seconds with none', cell => cell.noBelieverSeconds, 40],
  ['takeover', 'seconds until a new leader, median', cell => cell.takeover.never * 2 > cell.takeover.count ? Infinity : cell.takeover.p50Seconds, 20],
  ['detection', 'seconds until detected, median', cell => cell.detection.never * 2 > cell.detection.count ? Infinity : cell.detection.p50Seconds, 20],
  ['lostUnfenced', 'writes lost without a fence', cell => cell.writesLostUnfenced, 1000],
  ['lostFenced', 'writes lost behind a fence', cell => cell.writesLostFenced, 1],
  ['availability', 'seconds in a hundred without a write', cell => 100 * (1 - cell.availability), 60],
  ['messages', 'messages in a second', cell => cell.messagesPerSecond, 200],
  ['leaderships', 'leaderships that began', cell => cell.leaderships, 16],
];
const distinct = all => [...new Set(all)];
const heatOf = (value, worst) => value === Infinity ? 1 : Math.min(1, Math.log1p(Math.max(0, value)) / Math.log1p(worst));

function showGrid() {
  const [, name, valueOf, worst] = FIGURES[q('figure').selectedIndex];
  const size = Number(q('size').value);
  const cells = data.cells.filter(cell => cell.members === size);
  const scenarios = distinct(cells.map(cell => cell.scenario));
  const head = make('tr');
  head.append(make('th', ''));
  scenarios.forEach(one => head.append(make('th', one, { title: data.scenarios[one] || '', scope: 'col' })));
  const body = make('tbody');
  for (const protocol of distinct(cells.map(cell => cell.protocol))) {
    const row = make('tr');
    row.append(make('th', protocol, { title: data.protocols[protocol] || '', scope: 'row' }));
    for (const scenario of scenarios) {
      const cell = cells.find(one => one.protocol === protocol && one.scenario === scenario);
      row.append(cellOf(cell, valueOf, worst, name));
    }
    body.append(row);
  }
  const top = make('thead');
  top.append(head);
  q('heat').replaceChildren(top, body);
  markChosen();
}

function cellOf(cell, valueOf, worst, name) {
  const place = make('td');
  const value = cell ? valueOf(cell) : undefined;
  const text = value === undefined || value === null ? '–' : value === Infinity ? 'never' : value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1);
  const id = cell && cell.protocol + '/' + cell.scenario;
  if (!cell || !stories.has(id)) {
    place.append(make('span', text));
    return place;
  }
  const button = make('button', text, { type: 'button', title: `${cell.protocol} in ${cell.scenario}: ${text} ${name}` });
  button.setAttribute('aria-label', `${cell.protocol} in ${cell.scenario}: ${text} ${name}; play`);
  button.dataset.story = id;
  if (text !== '–') button.style.background = `color-mix(in srgb, var(--several) ${Math.round(55 * heatOf(value, worst))}%, var(--panel))`;
  button.onclick = () => { open(id); q('player').scrollIntoView({ block: 'start' }); };
  place.append(button);
  return place;
}

function markChosen() {
  document.querySelectorAll('#heat button').forEach(one => one.setAttribute('aria-pressed', String(Boolean(story) && one.dataset.story === story.id)));
}

// The player.
const stories = new Map(data.stories.map(one => [one.id, one]));
let story;
let moment = 0;
let playing = false;
let drawnAt = 0;
let moments = [];

const triples = flat => Array.from({ length: flat.length / 3 }, (_, i) => ({ place: flat[3 * i], from: flat[3 * i + 1], to: flat[3 * i + 2] }));

function unpack(one) {
  if (one.unpacked) return;
  one.unpacked = true;
  one.beliefs = triples(one.beliefs);
  one.downs = triples(one.downs);
  one.pauses = triples(one.pauses);
  const flat = one.messages;
  one.messages = [];
  let at = one.from;
  for (let i = 0; i < flat.length; i += 5) {
    at += flat[i];
    one.messages.push({ at, takes: flat[i + 1], from: flat[i + 2], to: flat[i + 3], kind: one.kinds[flat[i + 4]], label: one.labels[flat[i + 4]] });
  }
  one.events = one.marks.map(([when, what]) => ({ at: when, what }));
  one.faults.forEach(fault => {
    one.events.push({ at: fault.from, what: fault.what + (fault.places.length && fault.places.length < one.members ? ': ' + fault.places.map(i => one.places[i]).join(', ') : '') });
    if (fault.to > fault.from && fault.to < one.to) one.events.push({ at: fault.to, what: fault.what + ' is over' });
  });
  one.beliefs.forEach(belief => {
    one.events.push({ at: belief.from, what: one.places[belief.place] + ' believes that it leads' });
    if (belief.to < one.to) one.events.push({ at: belief.to, what: one.places[belief.place] + ' believes it no more' });
  });
  one.events.sort((a, b) => a.at - b.at);
}

function open(id, at) {
  const next = stories.get(id);
  if (!next) return;
  unpack(next);
  story = next;
  playing = false;
  q('play').textContent = 'Play';
  q('story').textContent = story.title;
  q('plot').textContent = story.plot;
  Object.assign(q('scrub'), { min: story.from, max: story.to });
  moments = distinct([
    ...story.events.map(event => event.at),
    ...story.messages.filter(message => message.kind === 'ELECTION').flatMap(message => message.takes < 0 ? [message.at] : [message.at, message.at + message.takes]),
    story.from,
    story.to,
  ]).filter(when => when >= story.from && when <= story.to).sort((a, b) => a - b);
  markChosen();
  go(at === undefined ? story.begins : at);
}

function go(at) {
  moment = Math.max(story.from, Math.min(story.to, Math.round(at)));
  q('scrub').value = moment;
  q('clock').textContent = seconds(moment);
  const hash = '#' + encodeURI(story.id) + '@' + (moment / TENTHS).toFixed(4);
  q('link').href = hash;
  if (!playing) history.replaceState(null, '', hash);
  tellNow();
  draw();
}

const within = (span, at) => span.from <= at && (at < span.to || span.to === story.to);
const stateOf = place => {
  if (story.downs.some(span => span.place === place && within(span, moment))) return ['down', 'is dead'];
  const leads = story.beliefs.some(span => span.place === place && within(span, moment));
  const paused = story.pauses.some(span => span.place === place && within(span, moment));
  if (leads) return ['leads', paused ? 'believes that it leads, and stands still' : 'believes that it leads'];
  return paused ? ['paused', 'stands still'] : ['', 'follows'];
};

function tellNow() {
  const rows = [];
  let leaders = 0;
  for (let place = 0; place < story.members; place++) {
    const [kind, words] = stateOf(place);
    leaders += kind === 'leads' ? 1 : 0;
    const row = make('tr');
    row.append(make('th', story.places[place], { scope: 'row' }), make('td', words, { className: kind }));
    rows.push(row);
  }
  q('now').replaceChildren(...rows);
  q('believers').textContent = leaders === 0 ? 'Nobody believes that it leads' : leaders === 1 ? 'One member believes that it leads' : leaders + ' members believe that they lead';
  q('believers').className = leaders > 1 ? 'several' : '';
  const past = [];
  for (let i = story.events.length - 1; i >= 0 && past.length < 10; i--) {
    if (story.events[i].at <= moment) past.push(make('li', seconds(story.events[i].at) + '  ' + story.events[i].what));
  }
  q('events').replaceChildren(...past);
}

function draw() {
  const canvas = q('lanes');
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name);
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const left = 70;
  const right = width - 12;
  const top = 14;
  const bottom = height - 22;
  const shown = Number(q('zoom').value) * TENTHS || story.to - story.from;
  const from = Math.max(story.from, Math.min(moment - shown / 2, story.to - shown));
  const to = from + shown;
  const x = at => left + (right - left) * Math.max(0, Math.min(1, (at - from) / (to - from)));
  const y = place => top + (bottom - top) * (place + 0.5) / story.places.length;
  const lane = (bottom - top) / story.places.length;

  pen.fillStyle = colour('fault');
  for (const fault of story.faults) {
    const end = Math.max(fault.to, fault.from + shown / 400);
    if (end < from || fault.from > to) continue;
    fault.places.forEach(place => pen.fillRect(x(fault.from), y(place) - lane / 2, x(end) - x(fault.from), lane));
  }
  pen.strokeStyle = colour('line');
  pen.fillStyle = colour('ink');
  pen.font = '13px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  story.places.forEach((name, place) => {
    pen.fillText(name, 8, y(place));
    pen.beginPath();
    pen.moveTo(left, y(place));
    pen.lineTo(right, y(place));
    pen.stroke();
  });
  const bars = (spans, name, half) => {
    pen.fillStyle = colour(name);
    for (const span of spans) {
      if (span.to < from || span.from > to) continue;
      pen.fillRect(x(span.from), y(span.place) - half, Math.max(1, x(span.to) - x(span.from)), 2 * half);
    }
  };
  const half = Math.min(9, lane / 3);
  bars(story.downs, 'down', 2);
  bars(story.beliefs, 'leads', half);
  bars(story.pauses, 'paused', half / 3);

  const beats = q('beats').checked;
  for (const message of story.messages) {
    const takes = message.takes < 0 ? Math.min(shown / 30, 300) : message.takes;
    if (message.at > to || message.at + takes < from) continue;
    if (message.kind !== 'ELECTION' && !beats) continue;
    arrow(pen, message, takes, x, y, message.takes < 0 ? colour('sunk') : colour(message.kind === 'ELECTION' ? 'election' : 'beat'), shown < TENTHS);
  }

  pen.strokeStyle = colour('accent');
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(x(moment), 4);
  pen.lineTo(x(moment), bottom + 4);
  pen.stroke();
  pen.fillStyle = colour('quiet');
  pen.textAlign = 'left';
  pen.fillText(seconds(from), left, height - 9);
  pen.textAlign = 'right';
  pen.fillText(seconds(to), right, height - 9);
  pen.textAlign = 'left';
}

function arrow(pen, message, takes, x, y, colour, close) {
  const lost = message.takes < 0;
  const [x1, y1, x2] = [x(message.at), y(message.from), x(message.at + takes)];
  const y2 = lost ? y1 + (y(message.to) - y1) * 0.45 : y(message.to);
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = message.kind === 'ELECTION' ? 1.6 : 1;
  pen.setLineDash(lost ? [4, 3] : []);
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
  pen.setLineDash([]);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  pen.beginPath();
  pen.moveTo(x2, y2);
  pen.lineTo(x2 - 6 * Math.cos(angle - 0.4), y2 - 6 * Math.sin(angle - 0.4));
  pen.lineTo(x2 - 6 * Math.cos(angle + 0.4), y2 - 6 * Math.sin(angle + 0.4));
  pen.fill();
  if (close) {
    pen.font = '11px system-ui, sans-serif';
    pen.fillText(message.label, (x1 + x2) / 2 + 4, (y1 + y2) / 2);
  }
}

function tick(now) {
  if (playing) {
    const next = moment + (now - drawnAt) / 1000 * Number(q('speed').value) * TENTHS;
    if (next >= story.to) toggle();
    go(next);
  }
  drawnAt = now;
  if (playing) requestAnimationFrame(tick);
}

function toggle() {
  playing = !playing;
  q('play').textContent = playing ? 'Pause' : 'Play';
  if (playing) {
    if (moment >= story.to) go(story.from);
    drawnAt = performance.now();
    requestAnimationFrame(tick);
  } else {
    go(moment);
  }
}

const stepBy = way => {
  if (playing) toggle();
  const next = way > 0 ? moments.find(at => at > moment) : moments.findLast(at => at < moment);
  if (next !== undefined) go(next);
};

function follow() {
  const said = decodeURIComponent(location.hash.slice(1));
  const cut = said.lastIndexOf('@');
  const id = cut < 0 ? said : said.slice(0, cut);
  const at = cut < 0 ? undefined : said.slice(cut + 1);
  if (stories.has(id)) open(id, at === undefined || Number.isNaN(Number(at)) ? undefined : Number(at) * TENTHS);
  else if (!story && data.stories.length) open(data.stories[0].id);
}

q('play').onclick = toggle;
q('back').onclick = () => stepBy(-1);
q('step').onclick = () => stepBy(1);
q('scrub').oninput = () => { if (playing) toggle(); go(Number(q('scrub').value)); };
q('zoom').onchange = q('beats').onchange = draw;
q('lanes').onclick = event => {
  const box = q('lanes').getBoundingClientRect();
  const shown = Number(q('zoom').value) * TENTHS || story.to - story.from;
  const from = Math.max(story.from, Math.min(moment - shown / 2, story.to - shown));
  go(from + shown * (event.clientX - box.left - 70) / (box.width - 82));
};
document.onkeydown = event => {
  if (['SELECT', 'INPUT', 'BUTTON'].includes(event.target.tagName)) return;
  if (event.key === ' ') { event.preventDefault(); toggle(); }
  if (event.key === 'ArrowRight') stepBy(1);
  if (event.key === 'ArrowLeft') stepBy(-1);
};
window.onresize = draw;
window.onhashchange = follow;
matchMedia('(prefers-color-scheme: dark)').onchange = () => draw();

q('title').textContent = data.title;
document.title = data.title;
q('about').textContent = data.about;
if (data.cells && data.cells.length) {
  q('grid').hidden = false;
  FIGURES.forEach(([, name]) => q('figure').append(make('option', name)));
  distinct(data.cells.map(cell => cell.members)).forEach(size => q('size').append(make('option', size, { value: size, selected: size === data.shownSize })));
  q('figure').onchange = q('size').onchange = showGrid;
}
follow();
if (data.cells && data.cells.length) showGrid();
