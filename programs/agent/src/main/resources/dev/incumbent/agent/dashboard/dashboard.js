// The dashboard: which election is open, what is asked of the agent how often, and who is told.
import * as agent from './agent.js';
import { AlarmBox } from './alarms.js';
import { Dialog } from './dialog.js';
import { ElectionView } from './election.js';
import { List } from './list.js';
import { clock, owed, plain, stateOf } from './words.js';

const NAMES_EVERY_MS = 10_000;
const SEEN_EVERY_MS = 2_000;
/** All others, so many at a time: of 5,000 elections each is looked at once in a minute. */
const OTHERS_EVERY_MS = 1_000;
const MOST_OF_ONCE = 100;
/** The agent takes 8 kB of headers. */
const MOST_CHARACTERS = 5_000;
const RETRY_MS = 1_000;

const at = id => document.getElementById(id);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

let names = [];
let known = new Map();
let next = 0;
let opened = '';
let following = new AbortController();
let isIn = false;
let index = -1;
const troubles = new Map();

const dialog = new Dialog(done);
const alarms = new AlarmBox();
const view = new ElectionView((verb, whom) => dialog.ask(verb, opened, whom));
const list = new List(at('rows'), at('room'), name => known.get(name), name => (location.hash = `#/${encodeURIComponent(name)}`));

// Who may look.

at('door').addEventListener('submit', async event => {
  event.preventDefault();
  agent.show(at('token').value.trim());
  try {
    names = await agent.names();
    at('token').value = '';
    begin();
  } catch (failure) {
    at('refused').textContent = plain(failure.message);
  }
});

at('forget').addEventListener('click', () => location.reload());

function begin() {
  isIn = true;
  at('refused').textContent = '';
  at('forget').hidden = false;
  route();
  filter();
  at('rows').focus();
  every(SEEN_EVERY_MS, lookAtSeen);
  every(OTHERS_EVERY_MS, lookAtOthers);
  every(NAMES_EVERY_MS, lookForNames);
  every(SEEN_EVERY_MS, lookForAlarms);
}

/** Again and again, while somebody sees the page. What fails is told, and tried again. */
async function every(ms, work) {
  for (;;) {
    if (!document.hidden) {
      await told(work);
    }
    await pause(ms);
  }
}

/** Does it, and tells in the head of the page whether all that was asked last was answered. */
async function told(work) {
  try {
    await work();
    troubles.delete(work);
  } catch (failure) {
    troubles.set(work, failure instanceof agent.Refusal ? plain(failure.message) : 'The agent does not answer: what is shown may be old.');
  }
  const [trouble] = troubles.values();
  if (!trouble) {
    at('asof').textContent = `as of ${clock(Date.now())}`;
  }
  tellIfNew('health', trouble ?? '');
}

/** A screen reader reads aloud what is written, also where it is the same. */
function tellIfNew(id, text) {
  if (at(id).textContent !== text) {
    at(id).textContent = text;
  }
}

// The list.

async function lookForNames() {
  names = await agent.names();
  const there = new Set(names);
  known = new Map([...known].filter(([name]) => there.has(name)));
  filter();
}

async function lookForAlarms() {
  const told = await agent.alarms();
  alarms.show(told, names.flatMap(name => owed(known.get(name)).map(holder => ({ election: name, holder }))));
}

/** What is known of one. Who may still act stays so while its record cannot be read. */
function learn(told) {
  const before = known.get(told.election)?.stonith;
  known.set(told.election, told.unread !== undefined && before ? { ...told, stonith: before } : told);
}

async function lookAt(some) {
  if (some.length > 0) {
    (await agent.overview(some)).forEach(learn);
  }
}

async function lookAtSeen() {
  await lookAt(bounded(list.visible()));
  if (opened) {
    await lookAtOpened();
  }
  list.drawSoon();
}

async function lookAtOthers() {
  next = next < names.length ? next : 0;
  const some = bounded(names.slice(next, next + MOST_OF_ONCE));
  await lookAt(some);
  next += some.length;
  filter();
}

/** As many of them as one request may name. */
function bounded(some) {
  let characters = 0;
  return some.slice(0, MOST_OF_ONCE).filter(name => (characters += encodeURIComponent(name).length + 1) <= MOST_CHARACTERS);
}

function filter() {
  const wanted = at('search').value.trim().toLowerCase();
  const kind = document.querySelector('#kinds input:checked').value;
  const shown = names.filter(name => isWanted(name, wanted) && isOfKind(known.get(name), kind));
  list.show(shown);
  const count = shown.length === names.length ? `${names.length} elections` : `${shown.length} of ${names.length} elections`;
  tellIfNew('count', names.length === 0 ? 'There are no elections that you may read.' : count);
  tellIfNew('read', kind !== 'all' && known.size < names.length ? `, ${known.size} read so far` : '');
}

const isWanted = (name, wanted) => name.toLowerCase().includes(wanted) || Boolean(known.get(name)?.leader?.name.toLowerCase().includes(wanted));

function isOfKind(told, kind) {
  return kind === 'all' || stateOf(told) === kind;
}

at('search').addEventListener('input', filter);
at('kinds').addEventListener('change', filter);
document.addEventListener('keydown', event => {
  if (event.key === '/' && isIn && !at('dialog').open && !event.target.matches('input:not([type=radio])')) {
    event.preventDefault();
    at('search').focus();
  }
});

// The one that is open.

addEventListener('hashchange', route);

function route() {
  if (!isIn) {
    return;
  }
  const name = written(location.hash.slice(2));
  at('main').dataset.view = name ? 'election' : 'list';
  following.abort();
  opened = name;
  list.mark(name);
  document.title = name ? `${name} · Incumbent` : 'Incumbent';
  if (name) {
    view.begin(name);
    index = -1;
    following = new AbortController();
    if (at('rows').offsetParent === null) {
      at('election').focus({ preventScroll: true });
    }
    told(lookAtOpened);
    follow(name, following.signal);
  } else {
    at('details').hidden = true;
    at('none').hidden = false;
  }
}

function written(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function lookAtOpened() {
  const name = opened;
  const told = await agent.standing(name);
  if (name !== opened) {
    return;
  }
  learn(told);
  view.show(known.get(name));
  if (told.index !== index) {
    const terms = await agent.history(name);
    if (name === opened) {
      index = told.index;
      view.showTerms(terms);
    }
  }
}

/** Hears of each change at once; where the stream ends, it is resumed after the last change that was heard. */
async function follow(name, signal) {
  let seen = '';
  while (!signal.aborted) {
    try {
      await agent.follow(name, seen, signal, event => {
        seen = event.id ?? seen;
        view.hear(event);
        told(lookAtOpened).then(() => list.drawSoon());
      });
    } catch {
      // What the page asks for by itself tells whether the agent answers.
    }
    await pause(RETRY_MS);
  }
}

at('back').addEventListener('click', () => {
  location.hash = '';
  at('rows').focus();
});
['resign', 'freeze', 'thaw'].forEach(verb => at(verb).addEventListener('click', () => dialog.ask(verb, opened)));

function done(election, success, failure) {
  if (election === opened) {
    at('notice').textContent = success;
    at('trouble').textContent = failure;
    told(lookAtOpened);
  }
}

at('token').focus();
