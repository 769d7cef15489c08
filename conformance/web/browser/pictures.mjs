import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { keyIdOfSecret } from '../../../clients/typescript/index.ts';
import { startHub } from '../../kinds/dredd/hub.mjs';
import { settled } from './browser.mjs';
import { unpacked } from './install.mjs';
import { bringKey, PAGES } from './people.mjs';

/**
 * Every page in four looks against pictures that a person accepted, of a hub on which nothing has
 * happened; values of this run (amounts, times, names, digests, waiting rows) are written over.
 * `npm run web:test -- pictures --accept` accepts the pictures of this run.
 */
const FOLDER = fileURLToPath(new URL('pictures', import.meta.url));
const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 1100 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 1100 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 1100 } },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 390, height: 1100 } },
};
/** Half of the points each way: letters are still letters, and a picture has about 20 kB. */
const SCALE = 0.5;
/** The share of points that may differ: a smoothed edge is no difference, a moved line is. */
const OTHER_MAX = 0.0003;
const ROWS_SHOWN = 2;
const LOOK_MS = 50;
const QUIET_LOOKS = 4;
const LOOKS_MAX = 1_000;
/** The same account in every run: its picture, and its name where a form has filled it in. */
const secretKey = new Uint8Array(32).fill(7);
const KEY = { keyId: await keyIdOfSecret(secretKey), secretKey };
/** One of the tasks that a new hub publishes itself, which are all of the same moment. */
const TASK = 'Say hello';
const TOKEN = 'a-token-of-the-operator-for-this-run';

export async function pictures({ open, accept, report }) {
  if ((await unpacked()) === undefined) {
    report(
      'not compared: the pictures are those of the browser that npm brings, which is not here',
    );
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  const hub = await startHub({ settings: { HUB_ADMIN_TOKEN: TOKEN } });
  const httpCredentials = { username: 'operator', password: TOKEN };
  try {
    const found = [];
    let count = 0;
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await open({
        ...options,
        baseURL: hub.url,
        deviceScaleFactor: SCALE,
        httpCredentials,
      });
      const quiet = quietOf(page);
      await page.goto('/app/account');
      await bringKey(page, KEY);
      await page.getByRole('navigation', { name: 'Pages of your account' }).waitFor();
      for (const [name, path] of await pathsOf(page)) {
        const other = await compared(page, { name: `${name}-${look}`, path, accept, quiet });
        if (other !== undefined) found.push(other);
        count += 1;
      }
      // It would go on asking a hub that is gone.
      await page.context().close();
    }
    assert.deepEqual(found, [], 'look at them beside the others, then run with --accept');
    report(`${count} pictures ${accept ? 'are accepted' : 'are as they were accepted'}`);
  } finally {
    await hub.stop();
  }
}

async function pathsOf(page) {
  const { tasks } = await page.evaluate(async () => (await fetch('/api/v1/tasks')).json());
  const { id } = tasks.find(({ title }) => title === TASK);
  return [
    ...PAGES.map((path) => [path.slice(1).replace('/', '-') || 'home', `/app${path}`]),
    ['task', `/app/work/${id}`],
    ['try', '/app/try?operation=tasks.publish'],
    ['missing', '/app/no-such-page'],
    ['contract', '/docs'],
    ['operation', '/docs#tasks.publish'],
    ['errors', '/errors'],
    ['error', '/errors/busy'],
    ['keys', '/keys'],
    ['admin', '/admin'],
  ];
}

async function compared(page, { name, path, accept, quiet }) {
  await page.goto(path);
  await settled(page);
  // The main content of the page comes first; the balance and some counts come after it.
  if (path.startsWith('/app')) await page.locator('.who .purse').waitFor();
  await quiet();
  const shown = await stopped(page, async () => {
    await page.evaluate(writeOver, ROWS_SHOWN);
    return page.screenshot({ animations: 'disabled', caret: 'hide' });
  });
  const file = join(FOLDER, `${name}.png`);
  const share = existsSync(file) ? differing(readFileSync(file), shown) : 1;
  if (accept && share > 0) writeFileSync(file, shown);
  if (accept || share <= OTHER_MAX) return undefined;
  const kept = process.env.WEB_PICTURES;
  if (kept !== undefined) writeFileSync(join(kept, `${name}.png`), shown);
  return `${name}: ${(share * 100).toFixed(2)} % of its points differ`;
}

/** Returns a wait for a moment in which no answer is due; streams of news are always open. */
function quietOf(page) {
  const open = new Set();
  const isNews = (request) => /\/events\b|[?&]wait=/.test(request.url());
  page.on('request', (request) => isNews(request) || open.add(request));
  for (const end of ['requestfinished', 'requestfailed']) {
    page.on(end, (request) => open.delete(request));
  }
  return async () => {
    let quiet = 0;
    for (let looks = 0; quiet < QUIET_LOOKS; looks += 1) {
      assert.ok(looks < LOOKS_MAX, `it waits for ${[...open].map((each) => each.url())}`);
      await sleep(LOOK_MS);
      quiet = open.size === 0 ? quiet + 1 : 0;
    }
  };
}

/** Does something while no script of the page runs, so that none writes again what was written over. */
async function stopped(page, work) {
  const session = await page.context().newCDPSession(page);
  const stop = (value) => session.send('Emulation.setScriptExecutionDisabled', { value });
  await stop(true);
  try {
    return await work();
  } finally {
    await stop(false);
    await session.detach();
  }
}

/** The share of points that differ; all of them where the sizes do. */
function differing(before, after) {
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  const other = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.2 });
  return other / (a.width * a.height);
}

/** Runs in the page: what another run shows differently is the same in every picture. */
function writeOver(rowsShown) {
  for (const list of document.querySelectorAll('main .rows, main tbody, main .endless')) {
    [...list.children].slice(rowsShown).forEach((each) => each.remove());
  }
  for (const each of document.querySelectorAll('main svg, main canvas, main .plot, main meter')) {
    each.style.visibility = 'hidden';
  }
  const names = 'main time, main .account, .who .account, main .mono';
  for (const each of document.querySelectorAll(names)) each.textContent = 'xxxxxxxx';
  for (const each of document.querySelectorAll('.money')) each.firstChild.data = '0.00 ';
  const same = (text) =>
    text
      .replace(/\b[0-9a-f]{16,}\b|\b[1-9A-HJ-NP-Za-km-z]{30,}\b|[0-9a-f-]{36}/g, 'xxxxxxxx')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'xxxxxxxx')
      .replace(/127\.0\.0\.1:\d+/g, 'hub.example')
      // A minute may end before or after a picture.
      .replace(/\bnot yet\b/g, 'xxxxxxxx')
      .replace(/The log only grew .+/, '')
      .replace(/\d+(?:[.,]\d+)*/g, '0');
  for (const each of document.querySelectorAll('textarea')) each.value = same(each.value);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = same(texts.currentNode.data);
  // Texts of another length have moved what was scrolled to.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
