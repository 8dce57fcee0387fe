// Asks before anything is done to an election, and tells how it ended.
import { operate } from './agent.js';
import { outcome, plain } from './words.js';

const at = id => document.getElementById(id);

const VERBS = {
  transfer: {
    title: (election, to) => `Transfer ${election} to ${plain(to.name)}?`,
    means: (election, to) => `The leader stops its work. Then ${plain(to.id)} leads, with a higher token. If it cannot be done in 30 s, the same term goes on.`,
    button: 'Transfer',
    body: (fields, to) => ({ to: to.id }),
  },
  resign: {
    title: election => `Ask the leader of ${election} to resign?`,
    means: () => 'The leader stops its work and stands last. The next candidate leads; if there is none, nobody does for now. If it cannot be done in 30 s, the same term goes on.',
    button: 'Resign',
    body: () => ({}),
  },
  cordon: {
    title: (election, whom) => `Keep ${plain(whom)} behind the others in ${election}?`,
    means: (election, whom) => `Whoever is called ${plain(whom)}, or runs on a host of that name, leads ${election} only where nobody else can. It only delays: a leader leads on until its term ends.`,
    button: 'Cordon',
    asksWhy: true,
    body: (fields, whom) => ({ whom, why: fields.why }),
  },
  uncordon: {
    title: (election, whom) => `Take back the cordon of ${plain(whom)} in ${election}?`,
    means: (election, whom) => `${plain(whom)} stands in the usual order again.`,
    button: 'Uncordon',
    body: (fields, whom) => ({ whom }),
  },
  freeze: {
    title: election => `Freeze ${election}?`,
    means: () => 'The leader stops, nobody leads, and the sinks of this agent are closed, until somebody thaws it.',
    button: 'Freeze',
    asksWhy: true,
    asksQuiet: true,
    body: fields => ({ why: fields.why, ...(fields.quiet ? { wait: 'quiet' } : {}) }),
  },
  thaw: {
    title: election => `Thaw ${election}?`,
    means: () => 'The next term may begin, above every mark. Thaw only what has been compared and reconciled.',
    button: 'Thaw',
    body: () => ({}),
  },
};

export class Dialog {
  /** Hears that something was done, and to which election. */
  constructor(done) {
    this.done = done;
    at('cancel').addEventListener('click', () => at('dialog').close());
    at('answer').addEventListener('submit', event => {
      event.preventDefault();
      this.go();
    });
  }

  /** Asks for confirmation, and a reason where the agent takes one. */
  ask(verb, election, to) {
    this.asked = { verb, election, to };
    const { title, means, button, asksWhy = false, asksQuiet = false } = VERBS[verb];
    at('asks').textContent = title(election, to);
    at('means').textContent = means(election, to);
    at('go').textContent = button;
    at('why-field').hidden = !asksWhy;
    at('quiet-field').hidden = !asksQuiet;
    at('why').required = asksWhy;
    at('why').value = '';
    at('quiet').checked = false;
    this.busy(false);
    this.tell('', '');
    at('dialog').showModal();
    at(asksWhy ? 'why' : 'cancel').focus();
  }

  busy(is) {
    at('go').disabled = is;
    at('cancel').textContent = is ? 'Close' : 'Cancel';
  }

  tell(progress, failure) {
    at('progress').textContent = progress;
    at('failure').textContent = failure;
  }

  async go() {
    const asked = this.asked;
    const by = at('by').value.trim();
    const body = { ...VERBS[asked.verb].body({ why: at('why').value.trim(), quiet: at('quiet').checked }, asked.to), ...(by ? { by } : {}) };
    this.busy(true);
    this.tell('Asked. The agent answers once it has ended.', '');
    try {
      const told = await operate(asked.election, asked.verb, body);
      this.end(asked, outcome(told), '');
    } catch (failure) {
      this.end(asked, '', plain(failure.message));
    }
  }

  /** Tells it in the dialog where that still asks the same, else on the page. */
  end(asked, success, failure) {
    const isOpen = at('dialog').open && this.asked === asked;
    if (isOpen && failure) {
      this.busy(false);
      this.tell('', failure);
    } else if (isOpen) {
      at('dialog').close();
    }
    this.done(asked.election, success, failure);
  }
}
