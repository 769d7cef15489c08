import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { startHub } from '../../kinds/dredd/hub.mjs';
import { settled } from './browser.mjs';
import { unpacked } from './install.mjs';
import { makeKey, PAGES } from './people.mjs';

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
/** Refers to all points; a smoothed edge is no difference, a line that moved is. */
const OTHER_MAX = 0.004;
const ROWS_SHOWN = 2;

export async function pictures({ open, accept, report }) {
  if ((await unpacked()) === undefined) {
    report(
      'not compared: the pictures are those of the browser that npm brings, which is not here',
    );
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  const hub = await startHub();
  try {
    const found = [];
    let count = 0;
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await open({ ...options, baseURL: hub.url, deviceScaleFactor: SCALE });
      await page.goto('/app/account');
      await makeKey(page);
      for (const [name, path] of await pathsOf(page)) {
        const other = await compared(page, { name: `${name}-${look}`, path, accept });
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
  const { tasks } = await page.evaluate(async () => (await fetch('/api/v1/tasks?limit=1')).json());
  return [
    ...PAGES.map((path) => [path.slice(1).replace('/', '-') || 'home', `/app${path}`]),
    ...(tasks.length === 0 ? [] : [['task', `/app/work/${tasks[0].id}`]]),
    ['try', '/app/try?operation=tasks.publish'],
    ['missing', '/app/no-such-page'],
    ['contract', '/docs'],
    ['operation', '/docs#tasks.publish'],
    ['errors', '/errors'],
    ['error', '/errors/busy'],
    ['keys', '/keys'],
  ];
}

async function compared(page, { name, path, accept }) {
  await page.goto(path);
  await settled(page);
  await page.evaluate(writeOver, ROWS_SHOWN);
  const shown = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = join(FOLDER, `${name}.png`);
  if (accept) {
    if (!existsSync(file) || differs(readFileSync(file), shown) !== undefined) {
      writeFileSync(file, shown);
    }
    return undefined;
  }
  const why = existsSync(file) ? differs(readFileSync(file), shown) : 'it is not accepted yet';
  if (why === undefined) return undefined;
  const kept = process.env.WEB_PICTURES;
  if (kept !== undefined) writeFileSync(join(kept, `${name}.png`), shown);
  return `${name}: ${why}`;
}

function differs(before, after) {
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (a.width !== b.width || a.height !== b.height) return 'it has another size';
  const other = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.2 });
  const share = other / (a.width * a.height);
  return share > OTHER_MAX ? `${(share * 100).toFixed(2)} % of its points differ` : undefined;
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
      .replace(/\d+(?:[.,]\d+)*/g, '0');
  for (const each of document.querySelectorAll('textarea')) each.value = same(each.value);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = same(texts.currentNode.data);
  // Texts of another length have moved what was scrolled to.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
