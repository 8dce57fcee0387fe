// browser.mjs FOLDER: a headless Chromium with one page, driven by its DevTools protocol through a pipe. It is told what to do by HTTP, at the address that it writes to
// FOLDER/browser: POST /METHOD-OF-THE-PROTOCOL with its parameters, or one of the verbs below. Ends with SIGTERM. Needs Node alone.
import { spawn } from 'node:child_process';
import { openSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const folder = process.argv[2];
const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${folder}/profile`, '--no-first-run', '--no-proxy-server', '--disable-gpu', '--disable-dev-shm-usage',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions', '--window-size=1280,860'];
if (process.getuid() === 0) {
  flags.push('--no-sandbox');
}
const chromium = spawn('chromium', [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', openSync(`${folder}/chromium.log`, 'a'), 'pipe', 'pipe'] });
chromium.on('exit', () => process.exit());
process.on('SIGTERM', () => chromium.kill());

// The protocol: JSON texts, each with a NUL behind it.

const asked = new Map();
const said = [];
let last = 0;
let session;
let aside;

function send(method, params = {}, sessionId = session) {
  const id = ++last;
  chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

let rest = '';
chromium.stdio[4].setEncoding('utf8').on('data', text => {
  const parts = (rest + text).split('\0');
  rest = parts.pop();
  parts.map(part => JSON.parse(part)).forEach(hear);
});

function hear({ id, result, error, method, params }) {
  if (id) {
    const { resolve, reject } = asked.get(id);
    asked.delete(id);
    return error ? reject(new Error(error.message)) : resolve(result);
  }
  if (method === 'Runtime.consoleAPICalled') {
    said.push(`${params.type}: ${params.args.map(arg => arg.value ?? arg.description).join(' ')}`);
  } else if (method === 'Runtime.exceptionThrown') {
    said.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
  } else if (method === 'Log.entryAdded') {
    said.push(`${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ''}`);
  } else if (method === 'Page.javascriptDialogOpening') {
    said.push(`dialog: ${params.message}`);
    send('Page.handleJavaScriptDialog', { accept: true });
  } else if (method === 'Page.frameNavigated') {
    aside = undefined;
  }
}

// What a test says of a page.

const WORDS = `
  const q = selector => document.querySelector(selector);
  const text = selector => q(selector)?.textContent ?? null;
  const seen = selector => q(selector)?.checkVisibility() ?? false;
  const rows = () => [...document.querySelectorAll('.row')].filter(row => !row.hidden);
  const row = name => rows().find(one => one.querySelector('.row-name').textContent === name);`;

async function evaluate(expression, contextId) {
  const params = { expression: `(async () => {${WORDS} return (${expression}); })()`, awaitPromise: true, returnByValue: true, contextId };
  const { result, exceptionDetails } = await send('Runtime.evaluate', params);
  if (exceptionDetails) {
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value;
}

/** A world of scripts beside the page's own, over the same document, to which its policy does not apply. */
async function besides() {
  if (aside === undefined) {
    const { frameTree } = await send('Page.getFrameTree');
    aside = (await send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'test' })).executionContextId;
  }
  return aside;
}

async function click(expression) {
  const spot = await evaluate(`(() => {
    const one = ${expression};
    one.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = one.getBoundingClientRect();
    const spot = { x: x + width / 2, y: y + height / 2 };
    const hit = document.elementFromPoint(spot.x, spot.y);
    return one.contains(hit) || hit?.contains(one) ? spot : null;
  })()`);
  if (!spot) {
    throw new Error(`something lies over ${expression}`);
  }
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
    await send('Input.dispatchMouseEvent', { type, ...spot, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
  }
  return true;
}

const KEYS = { Enter: 13, Tab: 9, Escape: 27, PageDown: 34, End: 35, Home: 36, ArrowUp: 38, ArrowDown: 40 };

async function press(key) {
  const text = key === 'Enter' ? '\r' : key in KEYS ? undefined : key;
  await send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', key, code: key in KEYS ? key : '', text, windowsVirtualKeyCode: KEYS[key] ?? 0 });
  await send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  return true;
}

async function shoot(file) {
  writeFileSync(file, Buffer.from((await send('Page.captureScreenshot', { format: 'png' })).data, 'base64'));
  return true;
}

const verbs = {
  open: async url => Boolean(await send('Page.navigate', { url })),
  eval: expression => evaluate(expression),
  aside: async expression => evaluate(expression, await besides()),
  load: async script => Boolean(await send('Runtime.evaluate', { expression: script, contextId: await besides() })),
  click,
  press,
  type: async text => Boolean(await send('Input.insertText', { text })),
  shoot,
  said: async () => said,
};

const server = createServer(async (request, response) => {
  const verb = request.url.slice(1);
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
  }
  try {
    const answer = verb in verbs ? await verbs[verb](body) : await send(verb, body ? JSON.parse(body) : {});
    response.end(JSON.stringify(answer ?? null));
  } catch (failure) {
    response.writeHead(500).end(String(failure));
  }
});

const { targetInfos } = await send('Target.getTargets', {}, undefined);
const { targetId } = targetInfos.find(target => target.type === 'page') ?? (await send('Target.createTarget', { url: 'about:blank' }, undefined));
session = (await send('Target.attachToTarget', { targetId, flatten: true }, undefined)).sessionId;
await Promise.all(['Page.enable', 'Runtime.enable', 'Log.enable'].map(method => send(method)));
server.listen(0, '127.0.0.1', () => {
  writeFileSync(`${folder}/browser.new`, `http://127.0.0.1:${server.address().port}`);
  renameSync(`${folder}/browser.new`, `${folder}/browser`);
});
