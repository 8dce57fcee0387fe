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
      at('alarm-rows').replaceChildren(...open.map(row));
    }
  }
}

function row(alarm) {
  const link = make('a', 'name', plain(alarm.election));
  link.href = `#/${encodeURIComponent(alarm.election)}`;
  const item = document.createElement('li');
  const times = alarm.times > 1 ? `, ${alarm.times} times` : '';
  const head = make('p', '', '');
  head.append(link, ' ', make('strong', '', plain(alarm.kind)), make('span', 'soft', ` for ${age(alarm.since, Date.now())}${times}`));
  item.append(head, ...alarm.evidence.map(one => make('p', 'soft name', `${plain(one.source)}: ${plain(one.value)}`)));
  return item;
}
