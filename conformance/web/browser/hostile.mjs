import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { accessibilityFaults, settled } from './browser.mjs';
import { openAccount, picture, sure } from './people.mjs';

/**
 * All texts of other accounts are as bad as can be, on pages at 320 px: nothing runs or loads, no
 * page is wider than the window, no text of the page is turned around by an untrusted one.
 */
const RUNS = 'globalThis.ran=1';
const CORPUS = [
  `<script>${RUNS}</script>`,
  `<img src=x onerror=${RUNS}>`,
  `<svg onload=${RUNS}><a href="javascript:${RUNS}">x</a></svg>`,
  `"><iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `data:text/html,<script>${RUNS}</script>`,
  `javascript:${RUNS}`,
  `{{constructor.constructor('${RUNS}')()}}`,
  '\u200b\u200d\ufeff'.repeat(20),
  'e\u0301'.repeat(5) + 'a' + '\u0316'.repeat(60),
  '\u202e\u2066gnp.exe',
];
/** The turn of direction comes last, so that what follows it on the page is the page's own. */
export const HOSTILE_TEXT = CORPUS.join(' ');
const TEXT = HOSTILE_TEXT;
const wordOf = (length) => 'W'.repeat(length);
const LONGEST_RESULT = 256 * 1024 - 2;
export const hostileWord = (length) =>
  `<img src=x onerror=${RUNS}>\u200b${wordOf(length)}`.slice(0, length - 4) + '\u202egnp';

export async function hostile({ open, world, report }) {
  const agent = await openAgent(world.hostilePort);
  try {
    const [one, two] = await Promise.all([openAccount(open, 2), openAccount(open)]);
    const paths = [
      ...(await writesWork(one.page, two.page)),
      await writesPlan(one.page, two.page),
      ...(await writesGames(one.page)),
      await listsAgent(one.page, agent.url),
    ];
    await writesAccount(one.page, two.account);
    await asksModel(one.page);
    const notes = await writesNote(one.page);
    await beginsTask(one.page);
    report(
      'other accounts have written scripts, turned texts and words of 256 KB wherever they may',
    );
    const viewer = await open({ viewport: { width: 320, height: 720 }, colorScheme: 'dark' });
    const lists = ['/', '/app/work', '/app/agents?all=1', '/app/games', '/app/judges'];
    const odd = [
      `/app/agents?q=${encodeURIComponent(hostileWord(100))}`,
      `/app/work?skill=${encodeURIComponent(hostileWord(60))}`,
    ];
    for (const path of [...lists, ...paths, ...odd]) await harmless(viewer, path);
    await one.page.setViewportSize({ width: 320, height: 720 });
    const own = [
      '/app/account/listings',
      '/app/account/money',
      '/app/account/keys',
      '/app/account/webhooks',
      notes,
      '/app/games',
      '/app/models',
      '/app/publish',
      '/app/status',
    ];
    for (const path of [...own, ...paths]) await harmless(one.page, path);
    await dropped(viewer);
    report(
      `${lists.length + odd.length + own.length + 2 * paths.length + 1} pages show it at 320 px; nothing of it runs or breaks them`,
    );
  } finally {
    await agent.close();
  }
}

async function writesWork(requester, worker) {
  await requester.goto('/app/publish');
  await requester.getByLabel('Title').fill(hostileWord(200));
  await requester.getByLabel('Description').fill(`${wordOf(8_000)} ${TEXT}`);
  await requester.getByText('More: input, skills').click();
  await requester.getByLabel('Skills needed').fill(hostileWord(80));
  await requester
    .getByLabel('Input for the worker')
    .fill(JSON.stringify({ [hostileWord(80)]: TEXT }));
  await requester.getByLabel('Reward in USDC').fill('0.05');
  await sure(requester, 'Publish', 'Yes, publish');
  await requester.getByRole('heading', { name: 'Your move' }).waitFor();
  const { pathname } = new URL(requester.url());
  await requester.getByLabel('Your comment').fill(`${TEXT}`);
  await requester.getByRole('button', { name: 'Comment', exact: true }).click();
  await requester.getByText('No comments.').waitFor({ state: 'detached' });
  await worker.goto(pathname);
  await worker.getByRole('button', { name: 'Claim this task' }).click();
  const result = worker.getByRole('textbox', { name: 'Result', exact: true });
  await result.fill(wordOf(LONGEST_RESULT));
  await worker.getByRole('button', { name: 'Deliver', exact: true }).click();
  await worker.getByText('Delivered.').waitFor();
  await requester.getByLabel('Reason').fill(TEXT);
  await sure(requester, 'Reject', 'Yes, reject it');
  await requester.getByRole('button', { name: 'Cancel and refund' }).waitFor();
  return [pathname];
}

/** Writes a plan of another account, and its price, on a task that asks for plans. */
async function writesPlan(requester, worker) {
  await requester.goto('/app/publish');
  await requester.getByLabel('Title').fill(hostileWord(200));
  await requester.getByLabel('Reward in USDC').fill('0.05');
  await requester
    .getByLabel('Who may work')
    .selectOption({ label: 'one worker, chosen by a plan' });
  await sure(requester, 'Publish', 'Yes, publish');
  await requester.getByText('No plan has been offered yet.').waitFor();
  const { pathname } = new URL(requester.url());
  await worker.goto(pathname);
  await worker.getByLabel('Your plan').fill(`${wordOf(1_000)} ${TEXT}`);
  await worker.getByRole('button', { name: 'Offer this plan' }).click();
  await worker.getByText('Your plan was offered').or(worker.getByText('WWWWWW')).first().waitFor();
  return pathname;
}

async function writesGames(page) {
  await page.goto('/app/games');
  await page.getByText('Open a market').click();
  await page.getByLabel('Question').fill(hostileWord(300));
  await page.getByLabel('Source').fill(hostileWord(500));
  await page
    .getByRole('button', { name: 'List this market' })
    .and(page.locator(':enabled'))
    .waitFor();
  await sure(page, 'List this market', 'Yes, list it');
  await page.getByText('There is no bet yet.').waitFor();
  const { pathname: market } = new URL(page.url());
  await page.goto('/app/games');
  await page.getByText('Open a table').click();
  await page.getByLabel('Name', { exact: true }).fill(hostileWord(60));
  await page.getByRole('button', { name: 'Open this table' }).click();
  await page.getByLabel('Your name at the table').fill(hostileWord(60));
  await sure(page, 'Sit down', 'Yes, sit down');
  await page.getByRole('heading', { name: 'Your seat' }).waitFor();
  return [market, new URL(page.url()).pathname];
}

/** A card that says all of it, of an agent that speaks just enough to be listed. */
async function openAgent(port) {
  const url = `http://127.0.0.1:${port}`;
  const skill = (n) => ({
    id: `s${n}`,
    name: hostileWord(200),
    description: TEXT,
    tags: [hostileWord(60)],
  });
  const card = {
    protocolVersion: '0.3.0',
    name: hostileWord(120),
    description: `${wordOf(2_000)} ${TEXT}`,
    url: `${url}/a2a`,
    version: hostileWord(40),
    provider: { organization: hostileWord(80), url: `javascript:${RUNS}` },
    documentationUrl: `javascript:${RUNS}`,
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [skill(1), skill(2)],
  };
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    const error = { code: -32_601, message: TEXT };
    const answer = request.method === 'GET' ? card : { jsonrpc: '2.0', id: null, error };
    response.end(JSON.stringify(answer));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}

const LISTED_MS_MAX = 60_000;

async function listsAgent(page, url) {
  const submit = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const hub = new URL(page.url()).origin;
  await fetch(`${hub}/api/v1/agents`, { ...submit, body: JSON.stringify({ url }) });
  const deadline = performance.now() + LISTED_MS_MAX;
  for (;;) {
    const list = await (await fetch(`${hub}/api/v1/agents?includeUnavailable=true`)).json();
    const listed = list.agents.find(({ name }) => name.includes('onerror'));
    if (listed !== undefined) return `/app/agents/${listed.id}`;
    assert.ok(performance.now() < deadline, 'the hostile agent is listed');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function writesAccount(page, other) {
  await page.goto('/app/account/money');
  await page.getByLabel('To', { exact: true }).fill(other);
  await page.getByLabel('Amount in USDC').fill('0.01');
  await page.getByLabel('Memo').fill(hostileWord(200));
  await sure(page, 'Pay', 'Yes, pay');
  await page.getByText('Paid 0.01 to').waitFor();
  await page.goto('/app/account/listings');
  await page.getByRole('button', { name: 'Open the passport of this key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(hostileWord(80));
  await page.getByRole('button', { name: 'Save the passport' }).click();
  await page.getByText('WWWWWW').first().waitFor();
  await page.goto('/app/account/keys');
  await page.getByLabel('Name of the key').fill(hostileWord(80));
  await page.getByRole('button', { name: 'Make a key', exact: true }).click();
  await page.getByLabel('Your API key').waitFor();
}

/** A note whose key and text another account could have written into a shared space. */
async function writesNote(page) {
  await page.goto('/app/account/storage');
  await page.getByLabel('Name of a new space').fill('W'.repeat(64));
  await page.getByRole('button', { name: 'Make a space' }).click();
  const write = page.getByRole('form', { name: 'Write a note' });
  await write.getByLabel('Key of the note').fill(hostileWord(128));
  await write.getByLabel('Text of the note').fill(`${wordOf(4_000)} ${TEXT}`);
  await write.getByRole('button', { name: 'Write a note' }).click();
  await page.getByText('Written.').waitFor();
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** The model says again what it was asked; the page keeps the conversation. */
async function asksModel(page) {
  await page.goto('/app/models');
  const talk = page.getByRole('form', { name: 'Ask a model' });
  await talk.getByLabel('Your message').fill(`${wordOf(500)} ${TEXT}`);
  await talk.getByRole('button', { name: 'Send' }).click();
  await page.getByText('complete', { exact: true }).waitFor();
}

/** A draft that its writer finds again. */
async function beginsTask(page) {
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill(hostileWord(200));
  await page.getByLabel('Description').fill(`${wordOf(2_000)} ${TEXT}`);
  await page.getByText('More: input, skills').click();
  await page.getByLabel('Skills needed').fill(hostileWord(80));
}

/** Asserts of a page as it is opened, in the words of what must not be. */
export async function harmless(page, path) {
  await page.goto(path);
  await settled(page);
  const found = await page.evaluate(() => {
    const isApart = (element) =>
      getComputedStyle(element).unicodeBidi !== 'normal' ||
      !getComputedStyle(element).display.startsWith('inline');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const leaks = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (!data.includes('\u202e')) continue;
      let apart = parentElement;
      while (!isApart(apart)) apart = apart.parentElement;
      const after = apart.textContent.slice(apart.textContent.lastIndexOf('\u202e') + 1);
      if (/[a-z]/i.test(after.replace(/^[\u2066]?gnp(\.exe)?/, ''))) leaks.push(after.slice(0, 60));
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      ran: 'ran' in globalThis,
      foreign: document.querySelectorAll('img, iframe, object, embed, base, main script').length,
      links: [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
      wider: scrollWidth > clientWidth ? scrollWidth - clientWidth : 0,
      leaks,
    };
  });
  await picture(page, '-hostile');
  const expected = { ran: false, foreign: 0, links: 0, wider: 0, leaks: [] };
  assert.deepEqual(found, expected, `${path} shows the untrusted texts and nothing more`);
  assert.deepEqual(await accessibilityFaults(page), [], path);
}

/** A file that is dropped on the page of trust is untrusted as well. */
async function dropped(page) {
  await harmless(page, '/app/trust');
  const text = page.getByLabel('Paste it, or drop a file here');
  await text.fill(JSON.stringify({ body: { [TEXT]: TEXT }, kind: TEXT, keys: TEXT }));
  await page.getByRole('alert').waitFor();
  assert.equal(await page.evaluate(() => 'ran' in globalThis), false);
}
