#!/usr/bin/env node
// owner.mjs SOCKET ELECTION: writes rows into PostgreSQL while it leads the election, through the agent of this host.
// Needs the package pg. PGHOST, PGUSER, PGDATABASE and so on name the database. TERM or INT ends it in order.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const TTL_MS = 3000;
const PAUSE_MS = 100;
const [socketPath, election] = process.argv.slice(2);
const campaign = `/v1/elections/${encodeURIComponent(election)}/campaign`;

// Milliseconds since boot, in steps of 10. This clock runs on through a suspend; process.hrtime() and performance.now() do not.
const now = () => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;

// The candidacy, and what the last answer is worth.
let id, every = 0, due = 0, token = 0, end = 0, said = {};
const holds = () => now() < end - 10;

async function ask(method, path, body) {
  const request = http.request({ socketPath, method, path, agent: false, signal: AbortSignal.timeout(1000) });
  request.on('error', () => {}); // once() throws it
  request.end(body && JSON.stringify(body));
  const [response] = await once(request, 'response');
  return { ...(await json(response)), status: response.statusCode };
}

async function stand() {
  const answer = await ask('POST', campaign, { ttlMs: TTL_MS, name: `owner-${process.pid}` });
  if (answer.status === 201) {
    [id, every] = [answer.id, answer.heartbeatMs];
  } else if (answer.status < 500) {
    console.error(answer.detail);
    process.exit(1);
  }
}

// Stands, or sends a heartbeat. Nothing of ours runs meanwhile, so it may say that the work has stopped.
async function beat() {
  if (!id) await stand();
  if (!id) return;
  const sent = now();
  due = sent + every / 2;
  const answer = await ask('POST', `${campaign}/${id}`, said);
  [end, said] = [0, {}];
  if (answer.leads) {
    [token, end] = [answer.token, sent + answer.holdsMs];
  } else if (answer.ended) {
    [due, said] = [0, { stopped: answer.ended }];
  } else if (answer.status === 404) {
    [due, id] = [0, undefined];
  }
}

// One row. Once a later leader is announced, PostgreSQL refuses the whole transaction.
async function write(db, number) {
  await db.query('BEGIN');
  await db.query('SELECT incumbent.admit($1, $2)', [election, token]);
  await db.query('INSERT INTO ledger(token, number) VALUES ($1, $2)', [token, number]);
  await db.query('COMMIT');
}

async function connect() {
  const client = new pg.Client({ connectionTimeoutMillis: 2000, statement_timeout: 500, query_timeout: 1000 });
  client.on('error', () => {}); // the next query throws it
  await client.connect();
  return client;
}

let ending = false;
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { ending = true; });
let db, number = 0;
while (!ending) {
  if (now() >= due) await beat().catch(() => {}); // without an answer, the last one is worth what it was
  try {
    db ??= await connect();
    if (holds()) await write(db, number++);
  } catch (error) {
    console.error(error.message);
    db?.end().catch(() => {});
    db = undefined;
  }
  await sleep(PAUSE_MS);
}
if (id) await ask('DELETE', `${campaign}/${id}`).catch(() => {}); // this also says that the work has stopped
process.exit();
