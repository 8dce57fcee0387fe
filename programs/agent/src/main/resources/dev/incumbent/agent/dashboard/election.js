// One election in detail: how it stands, its terms, what is heard of it, and what may be done to it.
import { age, clock, confirming, isTrouble, length, owed, plain, stateOf, stateWord, time, turnOff, why } from './words.js';

const MOST_HEARD = 20;
const at = id => document.getElementById(id);

/** Sets the text of an element; others' texts come here and nowhere else. */
function say(id, text) {
  if (at(id).textContent !== text) {
    at(id).textContent = text;
  }
}

function make(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function part(parent, ...children) {
  parent.append(...children);
  return parent;
}

export class ElectionView {
  /** Tells which verb is wished for whom. */
  constructor(wish) {
    this.wish = wish;
    this.drawn = {};
    setInterval(() => this.tick(), 250);
  }

  /** Another one is opened; nothing is known of it yet. */
  begin(name) {
    this.name = name;
    this.told = undefined;
    this.toldAt = 0;
    this.drawn = {};
    at('none').hidden = true;
    at('details').hidden = false;
    say('name', name);
    ['notice', 'trouble', 'leader', 'leader-id', 'leader-token', 'age', 'since', 'lease', 'here', 'sinks'].forEach(id => say(id, ''));
    ['candidates', 'cordons', 'owed-rows', 'terms', 'heard'].forEach(id => at(id).replaceChildren());
    ['frozen', 'request', 'owed', 'bar', 'nobody', 'cordoned'].forEach(id => (at(id).hidden = true));
    at('silence').hidden = false;
    this.state('unknown');
  }

  state(state) {
    say('state', stateWord(state));
    at('state').dataset.state = state;
  }

  /** It stands so. */
  show(told) {
    this.told = told;
    this.toldAt = performance.now();
    const state = stateOf(told);
    this.state(state);
    const leads = told.leader && told.leaseAlive;
    say('leader', leads ? plain(told.leader.name) : 'nobody');
    say('leader-id', leads ? [told.leader.id, told.leader.address].filter(Boolean).map(plain).join(' · ') : '');
    say('leader-token', leads ? String(told.token) : told.token > 0 ? `none; the last one was ${told.token}` : 'none');
    say('since', leads ? time(told.since) : '');
    say('here', here(told.here));
    say('sinks', told.sinks.length === 0 ? 'none: nothing refuses a late write' : told.sinks.map(id => plain(told.sinkLabels[id] ?? id)).join(', '));
    this.showFreeze(told.frozen);
    this.showRequest(told.request);
    this.showOwed(owed(told));
    at('resign').disabled = !leads;
    at('freeze').hidden = Boolean(told.frozen);
    at('thaw').hidden = !told.frozen;
    at('cordoned').hidden = told.cordons.length === 0;
    this.redraw('cordons', told.cordons, () => told.cordons.map(one => this.cordon(one)));
    this.redraw('candidates', [told.candidates, leads && told.leader.id], () => this.candidates(told, leads));
    this.tick();
  }

  showFreeze(frozen) {
    at('frozen').hidden = !frozen;
    say('frozen-why', frozen ? plain(frozen.why) : '');
    say('frozen-by', frozen ? `by ${plain(frozen.by)}, ${time(frozen.at)}, number ${frozen.number}` : '');
  }

  showRequest(request) {
    at('request').hidden = !request;
    say('request', !request ? '' : request.kind === 'transfer' ? `The leader is asked to hand over to ${plain(request.to)}.` : 'The leader is asked to resign.');
  }

  showOwed(holders) {
    at('owed').hidden = holders.length === 0;
    this.redraw('owed-rows', holders, () => holders.map(one => owedRow(this.name, one)));
  }

  /** Builds a list anew where it has changed, so that the focus stays where it has not. */
  redraw(id, from, build) {
    const key = JSON.stringify(from);
    if (this.drawn[id] !== key) {
      this.drawn[id] = key;
      const focused = at(id).contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
      at(id).replaceChildren(...build());
      if (focused) {
        [...at(id).querySelectorAll('button')].find(one => one.getAttribute('aria-label') === focused)?.focus();
      }
    }
  }

  candidates(told, leads) {
    at('nobody').hidden = told.candidates.length > 0;
    return told.candidates.map(one => {
      const isLeader = leads && one.id === told.leader.id;
      const who = part(make('div', 'who', ''), make('strong', 'name', plain(one.name)), make('span', 'soft name', plain(one.id)));
      const ranks = ['priority', 'version', 'zone'].filter(key => one.attributes?.[key]).map(key => `${key} ${plain(one.attributes[key])}`);
      if (one.cordoned || ranks.length > 0) {
        part(who, make('span', 'soft', [one.cordoned && 'cordoned', ...ranks].filter(Boolean).join(', ')));
      }
      const may = make('span', 'may', '');
      if (!one.cordoned) {
        part(may, this.button('Cordon…', `Cordon ${plain(one.name)}…`, () => this.wish('cordon', one.name)));
      }
      if (isLeader) {
        part(may, make('span', 'state', 'leads'));
      } else {
        part(may, this.button('Transfer…', `Transfer to ${plain(one.name)}…`, () => this.wish('transfer', one), !leads));
      }
      return part(make('li', 'candidate', ''), who, may);
    });
  }

  cordon(one) {
    const what = part(make('div', 'who', ''), make('strong', 'name', plain(one.whom)), make('q', 'name', plain(one.why)), make('span', 'soft', `by ${plain(one.by)}, ${time(one.at)}`));
    return part(make('li', 'candidate', ''), what, part(make('span', 'may', ''), this.button('Uncordon…', `Uncordon ${plain(one.whom)}…`, () => this.wish('uncordon', one.whom))));
  }

  button(word, label, pressed, isDisabled = false) {
    const button = make('button', '', word);
    button.type = 'button';
    button.disabled = isDisabled;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', pressed);
    return button;
  }

  /** Its terms, the present one first. */
  showTerms(terms) {
    const told = this.told;
    const leads = told?.leader && told.leaseAlive;
    this.redraw('terms', [terms, leads && [told.token, told.leader]], () => {
      const past = terms.filter(term => !leads || term.term !== told.token);
      const rows = past.map((term, i) => this.pastTerm(term, past[i + 1]?.from ?? (leads ? told.since : undefined))).reverse();
      return leads ? [this.presentTerm(told), ...rows] : rows;
    });
  }

  presentTerm(told) {
    const row = make('li', 'present', '');
    return part(row, termTitle(told.token, told.leader), make('p', '', 'leads now'), make('p', 'soft', `since ${time(told.since)}`));
  }

  pastTerm(term, next) {
    const row = make('li', isTrouble(term.reason) ? 'trouble' : term.reason === 'frozen' ? 'froze' : '', '');
    const lasted = Date.parse(term.to) - Date.parse(term.from);
    part(row, termTitle(term.term, term.leader), part(make('p', '', ''), make('strong', '', plain(term.reason)), `: ${why(term.reason)}`));
    part(row, make('p', 'soft', `${time(term.from)}, for ${length(lasted)}`));
    if (term.stonith) {
      part(row, make('p', term.stonith.verified ? 'soft' : 'gap', provedSo(term.stonith)));
    }
    const gap = next ? Date.parse(next) - Date.parse(term.to) : 0;
    return gap >= 100 ? part(row, make('p', 'gap', `then nobody led for ${length(gap)}`)) : row;
  }

  /** An event of its stream. */
  hear({ event, data }) {
    at('silence').hidden = true;
    const isTroubled = ['jeopardy', 'lost', 'alarm'].includes(event);
    const row = part(make('li', isTroubled ? 'trouble' : '', ''), make('time', 'soft number', clock(Date.now())), ` ${heard(event, data)}`);
    at('heard').prepend(row);
    while (at('heard').children.length > MOST_HEARD) {
      at('heard').lastChild.remove();
    }
  }

  /** What runs on by itself between two answers: the age, and what is left of the lease. */
  tick() {
    const told = this.told;
    if (!told) {
      return;
    }
    const leads = told.leader && told.leaseAlive;
    say('age', leads ? age(told.since, Date.now()) : '–');
    const knows = leads && told.leaseRemainingMs !== null;
    const left = knows ? Math.max(0, told.leaseRemainingMs - (performance.now() - this.toldAt)) : 0;
    say('lease', !leads ? (told.leader ? 'over' : 'none') : knows ? `alive, ${(left / 1_000).toFixed(1)} s of ${length(told.leaseMs)} left` : 'alive');
    at('bar').hidden = !knows;
    at('left').style.width = `${told.leaseMs > 0 ? Math.min(100, (100 * left) / told.leaseMs) : 0}%`;
  }
}

const termTitle = (token, leader) => part(make('p', 'term', ''), make('span', 'number', `Token ${token} `), make('strong', 'name', plain(leader.name)));

function owedRow(election, holder) {
  const where = [holder.candidate, `boot ${holder.bootId}`, `process ${holder.process}`].map(plain).join(' · ');
  return part(make('li', '', ''), make('p', 'name', turnOff(holder)), make('code', 'command', confirming(election, holder)), make('p', 'soft name', where));
}

const provedSo = stonith => (stonith.verified ? `acts no more: ${plain(stonith.proof)}, by ${plain(stonith.by)}, ${time(stonith.at)}: ${plain(stonith.why)}` : `may still act on ${plain(stonith.node)}`);

function here(local) {
  const owners = local.owners.length === 0 ? 'no owner stands' : `${local.owners.length === 1 ? 'owner' : 'owners in line'}: ${local.owners.map(plain).join(', ')}`;
  return local.token === undefined ? owners : `${owners}; leads with token ${local.token}`;
}

function heard(event, data) {
  switch (event) {
    case 'leader':
      return data.leader ? `${plain(data.leader.name)} leads, token ${data.token}` : `nobody leads${data.reason ? `: ${plain(data.reason)}` : ''}`;
    case 'acquired':
      return `an owner of this host leads, token ${data.token}`;
    case 'jeopardy':
      return `token ${data.token} is in jeopardy: the lease was not renewed in time`;
    case 'safe':
      return `token ${data.token} is safe again`;
    case 'alarm':
      return `alarm ${plain(data.kind)}: ${plain(data.sentence)}`;
    case 'alarm-over':
      return `the alarm ${plain(data.kind)} is over`;
    case 'lost':
      return `token ${data.token} is lost${data.reason ? `: ${plain(data.reason)}` : ''}`;
    default:
      return plain(event);
  }
}
