// The alarms: views of elections that contradict each other, and former leaders that may still act. Others' texts are set as text, here and nowhere else.
import { age, confirming, plain, turnOff } from './words.js';

const MOST_OWED = 100;

const at = id => document.getElementById(id);

function make(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

/** The box of all alarms above the list of elections; hidden where there is none. */
export class AlarmBox {
  constructor() {
    this.drawn = '';
    this.ages = [];
  }

  /** These alarms of the agent, and for each holder that is owed a proof its election. */
  show(told, owed) {
    const { open, unlisted = 0 } = told;
    const count = open.length + unlisted + owed.length;
    const listed = owed.slice(0, MOST_OWED);
    at('alarms').hidden = count === 0;
    const title = `${count} ${count === 1 ? 'alarm' : 'alarms'}`;
    if (at('alarms-title').textContent !== title) {
      at('alarms-title').textContent = title;
    }
    const key = JSON.stringify([open.map(one => [one.number, one.election, one.evidence]), listed]);
    if (this.drawn !== key) {
      this.drawn = key;
      const rows = open.map(row);
      this.ages = rows.map(one => one.age);
      at('alarm-rows').replaceChildren(...rows.map(one => one.item), ...listed.map(one => owedRow(one.election, one.holder)));
    }
    this.ages.forEach((one, i) => {
      one.textContent = lasting(open[i]);
    });
  }
}

/** How long, and how often: it changes while the row stays. */
function lasting(alarm) {
  const times = alarm.times > 1 ? `, ${alarm.times} times` : '';
  return ` for ${age(alarm.since, Date.now())}${times}`;
}

function head(election, kind) {
  const link = make('a', 'name', plain(election));
  link.href = `#/${encodeURIComponent(election)}`;
  const head = make('p', '', '');
  head.append(link, ' ', make('strong', '', kind));
  return head;
}

/** A former leader that may still act, what to do about it, and the command that says that it is done. */
function owedRow(election, holder) {
  const item = document.createElement('li');
  item.append(head(election, 'proof-owed'), make('p', 'soft name', turnOff(holder)), make('code', 'command', confirming(election, holder)));
  return item;
}

function row(alarm) {
  const item = document.createElement('li');
  const lasts = make('span', 'soft', lasting(alarm));
  const title = head(alarm.election, plain(alarm.kind));
  title.append(lasts);
  item.append(title, ...alarm.evidence.map(one => make('p', 'soft name', `${plain(one.source)}: ${plain(one.value)}`)));
  return { item, age: lasts };
}
