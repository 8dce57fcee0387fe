// What is told, in words. Names and reasons come from anybody who may write to the store: they are text, and stay text.

const REASONS = {
  resigned: 'by its own will or on request',
  transferred: 'to a named successor',
  'task-failed': 'its work failed',
  lost: 'its lease ended, or could not be proved any more',
  superseded: 'a later term or a higher mark exists',
  frozen: 'an operator froze the election',
  unhealthy: 'its leader was no longer well',
  stalled: 'its work would not stop',
  closed: 'its process ended in order',
};

/** Of the ends, those that nobody has asked for. */
export const isTrouble = reason => ['lost', 'superseded', 'task-failed', 'unhealthy', 'stalled'].includes(reason);

/** Why a term ended. */
export const why = reason => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : plain(reason));

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of others, in which nothing is invisible and nothing turns the direction of what follows. */
export const plain = text => String(text).replace(UNPRINTABLE, '\uFFFD');

/** Those who may still act in a former term: whoever leads next begins only once each of them is proved to act no more. */
export const owed = told => (told?.stonith?.holders ?? []).filter(one => !one.leads);

/** By machine and term, as the command line's column OWED. */
export const mayAct = holder => `${plain(holder.node)} (term ${holder.term})`;

/** What to do about one, before the command that says so. */
export const turnOff = holder => `${plain(holder.node)} may still act in term ${holder.term}. Where no fence agent turns it off, turn it off by hand, see that it is off, and then confirm that:`;

/** The command by which a person confirms that it acts no more; names are quoted for a shell. */
export const confirming = (election, holder) => `incumbent stonith confirm ${quoted(election)} ${quoted(holder.node)} --term ${holder.term} --why TEXT`;

const quoted = text => (/^[\w.:/@][\w.:/@-]*$/.test(text) ? text : `'${plain(text).replaceAll("'", "'\\''")}'`);

const STATES = { led: 'led', jeopardy: 'in jeopardy', vacant: 'nobody leads', frozen: 'frozen', unread: 'unread', unknown: '…' };

/** Which of the states an election is in; nothing is known of it yet where it was not read. */
export function stateOf(told) {
  if (!told) {
    return 'unknown';
  }
  if (told.unread !== undefined) {
    return 'unread';
  }
  if (told.frozen) {
    return 'frozen';
  }
  if (!told.leader || !told.leaseAlive) {
    return 'vacant';
  }
  return told.jeopardy ? 'jeopardy' : 'led';
}

export const stateWord = state => STATES[state];

/** What a row tells below the name: first of all who may still act. */
export function brief(told, now) {
  const still = owed(told);
  return still.length === 0 ? standing(told, now) : `may still act: ${still.map(mayAct).join(', ')} · ${standing(told, now)}`;
}

function standing(told, now) {
  switch (stateOf(told)) {
    case 'unknown':
      return 'not read yet';
    case 'unread':
      return plain(told.unread);
    case 'frozen':
      return `“${plain(told.frozen.why)}”`;
    case 'vacant':
      return told.token > 0 ? `last token ${told.token}` : 'nobody has led yet';
    default:
      return `${plain(told.leader.name)} · token ${told.token} · ${age(told.since, now)}`;
  }
}

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000]];

/** A length of time, in its two largest units. */
export function length(ms) {
  if (ms < 10_000) {
    return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
  }
  const first = UNITS.findIndex(([, unit]) => ms >= unit);
  const [word, unit] = UNITS[first];
  const rest = Math.floor((ms % unit) / (UNITS[first + 1]?.[1] ?? unit));
  return `${Math.floor(ms / unit)} ${word}${rest > 0 ? ` ${rest} ${UNITS[first + 1][0]}` : ''}`;
}

/** How long ago, by the clock of this machine and that of whoever wrote the time. */
export const age = (at, now) => (at ? length(Math.floor(Math.max(0, now - Date.parse(at)) / 1_000) * 1_000).replace(/^0 ms$/, '0 s').replace('.0 s', ' s') : 'unknown');

const TIME = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** A time in the zone of whoever looks. */
export const time = at => (at ? TIME.format(new Date(at)) : 'never');

export const clock = at => CLOCK.format(at);

/** How an operator's request ended. */
export function outcome(told) {
  const leader = told.leader ? plain(told.leader.name) : 'nobody';
  const gap = typeof told.gapMs === 'number' ? ` after a gap of ${length(told.gapMs)}` : '';
  switch (told.outcome) {
    case 'transferred':
      return `Handed over: ${leader} leads, token ${told.token}${gap}.`;
    case 'leads-already':
      return `${leader} leads already, token ${told.token}.`;
    case 'resigned':
      return told.leader ? `Term ${told.ended} is over: ${leader} leads, token ${told.token}${gap}.` : `Term ${told.ended} is over, and nobody leads.`;
    case 'cordoned':
      return `${plain(told.cordon.whom)} stands behind the others${told.changed ? '' : `, as before: ${plain(told.cordon.why)}, by ${plain(told.cordon.by)}`}.`;
    case 'uncordoned':
      return `${plain(told.whom)} stands in the usual order${told.changed ? ' again' : ', as before'}.`;
    case 'frozen':
      return told.quiet ? 'Frozen and quiet: nobody can believe to lead.' : `Frozen; quiet in ${length(told.untilQuietMs)}.`;
    case 'thawed':
      return `Thawed: the next term is above ${told.term}.`;
    case 'not-frozen':
      return 'It is not frozen.';
    default:
      return plain(told.outcome);
  }
}
