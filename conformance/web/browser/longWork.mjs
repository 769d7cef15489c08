import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { looksRight, openAccount } from './people.mjs';

/** Long work shows how much is done and how fast; broken by the network, it goes on where it was. */
export async function longWork({ open, faults, report }) {
  const { page } = await openAccount(open, 1);
  await page.goto('/app/account/storage');
  await resumesExport(page, faults);
  report('an export that the network breaks goes on where it was, and is whole');
  await resumesUpload(page, faults);
  report('an upload that the network breaks sends the missing parts alone');
  await downloadsOwn(page);
  report('a download shows how much of it has arrived');
}

const PART_BYTES = 4_194_304;
/** Three parts, the last of which is small. */
const BYTES = Buffer.alloc(2 * PART_BYTES + 100_000, 'tide ');

async function resumesUpload(page, faults) {
  const sent = [];
  let isBroken = true;
  await page.route('**/api/v1/files', async (route) => {
    const { key } = route.request().postDataJSON();
    if (isBroken && key.endsWith('.part-1')) return route.abort('internetdisconnected');
    sent.push(key);
    return route.continue();
  });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'sea.bin', mimeType: 'text/plain', buffer: BYTES });
  await page.getByRole('button', { name: 'Store the file' }).click();
  const resume = page.getByRole('button', { name: 'Continue' });
  await resume.waitFor();
  await page.getByText('4.2 MB of 8.5 MB').waitFor();
  await looksRight(page);
  isBroken = false;
  await resume.click();
  await page.getByText('sea.bin is stored.').waitFor();
  await page.unroute('**/api/v1/files');
  assert.deepEqual(sent, ['sea.bin.part-0', 'sea.bin.part-1', 'sea.bin.part-2', 'sea.bin']);
  const broken = faults.splice(0);
  assert.ok(
    broken.every((fault) => /ERR_INTERNET_DISCONNECTED/.test(fault)),
    broken.join('\n'),
  );
}

async function downloadsOwn(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download sea.bin' }).click(),
  ]);
  assert.ok(readFileSync(await download.path()).equals(BYTES));
}

async function resumesExport(page, faults) {
  let asked = 0;
  const cursors = [];
  await page.route('**/export?*', async (route) => {
    asked += 1;
    cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
    if (asked > 1) return route.abort('internetdisconnected');
    const answer = await route.fetch();
    const body = await answer.json();
    // A young account has one page; its first answer says that there is another one.
    const isFirst = asked === 1;
    return route.fulfill({
      response: answer,
      json: isFirst ? { ...body, hasMore: true, nextCursor: 'a-second-page' } : body,
    });
  });
  const save = page.getByRole('button', { name: 'Export my account' });
  await save.click();
  await page.getByText('Continue', { exact: true }).waitFor();
  await page.unroute('**/export?*');
  const shown = await page.locator('.long-work').filter({ hasText: 'rows' }).innerText();
  const rows = Number(/(\d+) rows/.exec(shown)[1]);
  assert.ok(rows > 0);
  await page.route('**/export?*', async (route) => {
    cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
    return route.fulfill({ json: { count: 1, hasMore: false, rows: [{ table: 'x', row: {} }] } });
  });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(lines.length, rows + 1, 'nothing is lost or asked for twice');
  assert.equal(cursors.at(-1), 'a-second-page');
  assert.ok(cursors.slice(1).every((cursor) => cursor === 'a-second-page'));
  await page.unroute('**/export?*');
  await looksRight(page);
  const broken = faults.splice(0);
  assert.ok(
    broken.every((fault) => /ERR_INTERNET_DISCONNECTED/.test(fault)),
    broken.join('\n'),
  );
}
