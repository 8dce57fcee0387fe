// The alarms: views of elections that contradict each other. Others' texts are set as text, here and nowhere else.
import { age, plain } from './words.js';

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

  show(told) {
    const { open, unlisted = 0 } = told;
    at('alarms').hidden = open.length === 0;
    const title = `${open.length + unlisted} ${open.length + unlisted === 1 ? 'alarm' : 'alarms'}`;
    if (at('alarms-title').textContent !== title) {
      at('alarms-title').textContent = title;
    }
    const key = JSON.stringify(open.map(one => [one.number, one.election, one.evidence]));
    if (this.drawn !== key) {
      this.drawn = key;
      const rows = open.map(row);
      this.ages = rows.map(one => one.age);
      at('alarm-rows').replaceChildren(...rows.map(one => one.item));
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

function row(alarm) {
  const link = make('a', 'name', plain(alarm.election));
  link.href = `#/${encodeURIComponent(alarm.election)}`;
  const item = document.createElement('li');
  const head = make('p', '', '');
  const lasts = make('span', 'soft', lasting(alarm));
  head.append(link, ' ', make('strong', '', plain(alarm.kind)), lasts);
  item.append(head, ...alarm.evidence.map(one => make('p', 'soft name', `${plain(one.source)}: ${plain(one.value)}`)));
  return { item, age: lasts };
}
