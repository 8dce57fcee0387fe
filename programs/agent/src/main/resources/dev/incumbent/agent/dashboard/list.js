// A list of thousands of elections. Only the rows that can be seen exist, so its length costs nothing.
import { brief, stateOf, stateWord } from './words.js';

const ROW_PX = 52;
const SPARE = 6;

export class List {
  /** Looks up what is told of an election, and tells which one is opened. */
  constructor(box, room, told, open) {
    this.box = box;
    this.room = room;
    this.told = told;
    this.open = open;
    this.names = [];
    this.rows = [];
    this.active = 0;
    this.opened = '';
    this.drawing = 0;
    box.addEventListener('scroll', () => this.drawSoon(), { passive: true });
    box.addEventListener('keydown', event => this.key(event));
    box.addEventListener('focus', () => this.drawSoon());
    room.addEventListener('click', event => this.click(event));
    new ResizeObserver(() => this.drawSoon()).observe(box);
  }

  /** Other names; the place in the list stays. */
  show(names) {
    const name = this.names[this.active];
    this.names = names;
    this.active = Math.max(0, names.indexOf(name));
    this.room.style.height = `${names.length * ROW_PX}px`;
    this.box.hidden = names.length === 0;
    this.drawSoon();
  }

  /** Marks the one that is open. */
  mark(name) {
    this.opened = name;
    const at = this.names.indexOf(name);
    if (at >= 0) {
      this.active = at;
      this.uncover(at);
    }
    this.drawSoon();
  }

  /** The names that can be seen. */
  visible() {
    const first = Math.floor(this.box.scrollTop / ROW_PX);
    return this.names.slice(first, first + Math.ceil(this.box.clientHeight / ROW_PX) + 1);
  }

  drawSoon() {
    if (this.drawing === 0) {
      this.drawing = requestAnimationFrame(() => {
        this.drawing = 0;
        this.draw();
      });
    }
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_PX) - SPARE);
    const count = Math.min(this.names.length - first, Math.ceil(this.box.clientHeight / ROW_PX) + 2 * SPARE);
    const now = Date.now();
    while (this.rows.length < count) {
      this.rows.push(new Row(this.room));
    }
    const free = new Set(this.rows);
    for (let i = first; i < first + count; i++) {
      const row = this.rows[i % this.rows.length];
      free.delete(row);
      row.show(i, this.names.length, this.names[i], this.told(this.names[i]), now);
      row.mark(i === this.active, this.names[i] === this.opened);
    }
    free.forEach(row => row.hide());
    if (this.names.length > 0) {
      this.box.setAttribute('aria-activedescendant', `row-${this.active}`);
    } else {
      this.box.removeAttribute('aria-activedescendant');
    }
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_PX) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.active = Math.min(this.names.length - 1, Math.max(0, this.active + steps[event.key]));
      this.uncover(this.active);
      this.draw();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.names.length > 0) {
      event.preventDefault();
      this.open(this.names[this.active]);
    }
  }

  click(event) {
    const row = this.rows.find(one => one.element.contains(event.target));
    if (row) {
      this.active = row.index;
      this.open(row.name);
    }
  }

  uncover(at) {
    const top = at * ROW_PX;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) {
      this.box.scrollTop = top;
    } else if (top + ROW_PX > scrollTop + clientHeight) {
      this.box.scrollTop = top + ROW_PX - clientHeight;
    }
  }
}

/** One row that can be seen; it shows now this election and now that. */
class Row {
  constructor(room) {
    this.element = document.createElement('div');
    this.element.setAttribute('role', 'option');
    this.element.className = 'row';
    this.title = this.part('row-name');
    this.state = this.part('state');
    this.more = this.part('row-more');
    this.index = -1;
    room.append(this.element);
  }

  part(name) {
    const part = document.createElement('span');
    part.className = name;
    this.element.append(part);
    return part;
  }

  show(index, count, name, told, now) {
    if (index !== this.index) {
      this.index = index;
      this.element.id = `row-${index}`;
      this.element.style.transform = `translateY(${index * ROW_PX}px)`;
      this.element.setAttribute('aria-posinset', index + 1);
    }
    this.name = name;
    this.element.hidden = false;
    this.set('aria-setsize', count);
    const state = stateOf(told);
    this.say(this.title, name);
    this.say(this.state, stateWord(state));
    this.say(this.more, brief(told, now));
    if (this.state.dataset.state !== state) {
      this.state.dataset.state = state;
    }
  }

  /** What is written again costs the browser time, also where it is the same. */
  set(attribute, value) {
    if (this.element.getAttribute(attribute) !== String(value)) {
      this.element.setAttribute(attribute, value);
    }
  }

  say(part, text) {
    if (part.textContent !== text) {
      part.textContent = text;
    }
  }

  mark(isActive, isOpen) {
    this.element.classList.toggle('active', isActive);
    this.set('aria-selected', isOpen);
  }

  hide() {
    this.element.hidden = true;
    this.element.removeAttribute('id');
    this.index = -1;
  }
}
