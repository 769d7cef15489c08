import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { looksRight, money, openAccount, sure } from './people.mjs';

/**
 * Two browsers: a private job of days with files is offered to one worker by name, who shows signs
 * of life. The terms change at once and by consent, and a proposed end is refused.
 */
const MB = 1_048_576;
/** The page reads 1 MB at once, so the brief has a last part of five bytes. */
const BRIEF_MB = 20;
const BRIEF = Buffer.alloc(BRIEF_MB * MB + 5, 'tide ');
const RESULT = Buffer.alloc(30 * MB, 'low,high\n1,2\n');
const TITLE = 'Three days of tides';

export async function terms({ open, report }) {
  const [requester, worker] = await Promise.all([openAccount(open, 2), openAccount(open, 1)]);
  await publishes(requester.page, worker.account);
  report('a private task with a file, days of time and a worker by name is published');
  await accepts(worker.page);
  report('the worker finds it under the work that waits for it, and accepts it');
  await resumesDownload(worker.page);
  report(
    'the file of the brief is stopped and goes on behind what arrived; its digest is compared',
  );
  await reports(worker.page, requester.page);
  report('a sign of life renews the claim, and the requester sees the progress');
  await amends(requester.page, worker.page);
  report('a raise applies at once, a clarification when the other side agrees, an end not at all');
  await delivers(worker.page, requester.page);
  report('a result with a file is delivered, saved by the requester, and paid');
}

async function publishes(page, account) {
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill(TITLE);
  await page.getByLabel('Description').fill('The file has the readings.');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'readings.bin', mimeType: 'application/octet-stream', buffer: BRIEF });
  await page.getByText(/^SHA-256 [0-9a-f]{12}…$/).waitFor();
  await page.getByLabel('Reward in USDC').fill('0.5');
  await page.getByLabel('Who reads brief, result and messages').selectOption('parties');
  const offered = page.getByLabel('Offer it first to');
  await offered.fill('Maria');
  await page.getByText('It is offered to at most 20 accounts').waitFor();
  await offered.fill(account);
  await page.getByLabel('They alone may claim it for').selectOption({ label: '1 day' });
  await page.getByText('More: attempts and times').click();
  await page
    .getByLabel('A worker without a sign of life loses it after')
    .selectOption({ label: '1 day' });
  await page.getByLabel('Signs of life keep it for').selectOption({ label: '3 days' });
  await looksRight(page);
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await page.getByText('A private task').waitFor();
  await page.getByText('Offered first to').waitFor();
  await looksRight(page);
}

async function accepts(page) {
  await page.goto('/app/account/work');
  await page.getByRole('button', { name: `Accept the task “${TITLE}”` }).waitFor();
  await page.goto('/app/account');
  await page.getByRole('heading', { name: 'Work waiting for you' }).waitFor();
  await looksRight(page);
  await page.getByRole('button', { name: `Accept the task “${TITLE}”` }).click();
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Deliver', exact: true }).waitFor();
}

async function resumesDownload(page) {
  const offsets = [];
  const held = [];
  const parts = /\/api\/v1\/tasks\/[^/]+\/files\//;
  await page.route(parts, (route) => {
    offsets.push(Number(new URL(route.request().url()).searchParams.get('offset')));
    if (offsets.length === 2) return held.push(route);
    return route.continue();
  });
  await page.getByRole('button', { name: 'Save readings.bin', exact: true }).click();
  await page.getByText('1.0 MB of 21.0 MB').waitFor();
  const stop = page.getByRole('button', { name: 'Stop: Save readings.bin' });
  while (held.length === 0) await page.waitForTimeout(50);
  await stop.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('Continue', { exact: true }).click(),
  ]);
  await page.unroute(parts);
  assert.ok(readFileSync(await download.path()).equals(BRIEF));
  const behind = Array.from({ length: BRIEF_MB }, (_, part) => (part + 1) * MB);
  assert.deepEqual(offsets, [0, MB, ...behind]);
  await page.getByText('Saved: its bytes have this digest.').waitFor();
}

async function reports(worker, requester) {
  await worker.getByText('Show that you work on it').click();
  await worker.getByLabel('How much is done, in percent').fill('140');
  await worker.getByText('A whole number from 0 to 100.').waitFor();
  await worker.getByLabel('How much is done, in percent').fill('40');
  await worker.getByLabel('How far it is, in your words').fill('Two of five days are read.');
  await worker.getByRole('button', { name: 'Still working' }).click();
  await worker.getByText('Two of five days are read.').first().waitFor();
  await looksRight(worker);
  await requester.getByText('Two of five days are read.').first().waitFor();
  await requester.getByRole('progressbar', { name: 'Progress of the worker' }).waitFor();
  await looksRight(requester);
}

async function proposes(page, kind, label, value) {
  const form = page.getByRole('form', { name: 'Change the terms' });
  if (!(await form.isVisible()))
    await page.locator('summary').getByText('Change the terms').click();
  await form.getByLabel('What becomes different').selectOption(kind);
  await form.getByLabel(label).fill(value);
  await sure(page, 'Change the terms', 'Yes, change them');
}

async function amends(requester, worker) {
  await proposes(requester, 'reward', 'New reward in USDC', '0.75');
  await requester.getByText('reward 0.75 test USDC').waitFor();
  await requester.getByText('applied', { exact: true }).waitFor();
  const added = 'Heights in metres.';
  await proposes(requester, 'clarification', 'Words that are added to the description', added);
  await worker.getByText('The other side proposes to change the terms.').waitFor();
  await looksRight(worker);
  await sure(worker, 'Agree', 'Yes, agree');
  await worker.getByText('Added by agreement').waitFor();
  await requester.getByText('Added by agreement').waitFor();
  await proposes(worker, 'split', 'The worker gets, in USDC', '0.25');
  await requester.getByText('the work ends: 0.25 test USDC to the worker').waitFor();
  await sure(requester, 'Do not agree', 'Yes, refuse it');
  await worker.getByText('not agreed', { exact: true }).waitFor();
  await looksRight(requester);
}

async function delivers(worker, requester) {
  const form = worker.getByRole('form', { name: 'Deliver' });
  await form
    .getByRole('textbox', { name: 'Result', exact: true })
    .fill('The table is in the file.');
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'tides.csv', mimeType: 'text/csv', buffer: RESULT });
  await form.getByRole('button', { name: 'Deliver', exact: true }).click();
  await worker.getByText('Delivered.').waitFor();
  const [download] = await Promise.all([
    requester.waitForEvent('download'),
    requester.getByRole('button', { name: 'Save tides.csv', exact: true }).click(),
  ]);
  assert.ok(readFileSync(await download.path()).equals(RESULT));
  await looksRight(requester);
  await sure(requester, 'Accept and pay', 'Yes, pay');
  await requester.getByText('Done: the worker was paid.').waitFor();
  await worker.goto('/app/account');
  // 1.00 of its own, 0.7275 of the reward, less what its file costs to store.
  await money(worker).getByText('1.725').first().waitFor();
}
