// The agent's HTTP, as this page uses it. The token is kept in this variable and nowhere else: who loads the page again shows it again.
let token = '';

const PATIENCE_MS = 10_000;

/** The agent answered, and refused. */
export class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** The token of all requests from now on; empty for none. */
export function show(text) {
  token = text;
}

const headers = more => (token ? { ...more, Authorization: `Bearer ${token}` } : more);

const address = (election, more = '') => `/v1/elections/${encodeURIComponent(election)}${more}`;

async function answer(response) {
  if (response.ok) {
    return response.json();
  }
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, problem.detail ?? `the agent answered ${response.status}`);
}

const read = async path => answer(await fetch(path, { headers: headers({ Accept: 'application/json' }), signal: AbortSignal.timeout(PATIENCE_MS) }));

/** The names of all elections, in order. */
export const names = async () => (await read('/v1/elections')).elections;

/** How those elections stand, in brief; 100 at most. */
export const overview = async some => (await read(`/v1/overview?of=${some.map(encodeURIComponent).join(',')}`)).elections;

/** The alarms of this agent. */
export const alarms = () => read('/v1/alarms');

/** How one stands. */
export const standing = election => read(address(election));

/** Its terms that are over, the oldest first. */
export const history = async election => (await read(address(election, '/history'))).terms;

/** Does what an operator does, and answers once that has ended. */
export async function operate(election, verb, body) {
  const request = { method: 'POST', headers: headers({ 'Content-Type': 'application/json' }), body: JSON.stringify(body) };
  return answer(await fetch(address(election, `/${verb}`), request));
}

/** Tells each event of an election, until its stream or the signal ends. EventSource would do, if it could show a token. */
export async function follow(election, seen, signal, hear) {
  const resume = seen === '' ? {} : { 'Last-Event-ID': seen };
  const response = await fetch(address(election), { headers: headers({ Accept: 'text/event-stream', ...resume }), signal });
  if (!response.ok) {
    await answer(response);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    parts.map(event).filter(one => one.event).forEach(hear);
  }
}

function event(text) {
  const fields = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) {
      fields[line.slice(0, colon)] = line.slice(colon + 2);
    }
  }
  return fields.data ? { ...fields, data: JSON.parse(fields.data) } : fields;
}
