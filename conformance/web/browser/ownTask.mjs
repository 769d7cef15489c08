import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { goTo, looksRight, openAccount, sure } from './people.mjs';

/** One person alone: a task of their own is done and paid, then they earn and keep the receipt. */
const DONE_MS_MAX = 120_000;
const KEYS_LATE_MS = 1_500;

export async function ownTask({ open, report }) {
  const { page } = await openAccount(open, 1);
  await publishes(page);
  await page.getByText('Wait for a worker.').or(page.getByText('Wait: a worker has')).waitFor();
  await page.getByText('Look at the result below').waitFor({ timeout: DONE_MS_MAX });
  await page.getByText('Done by the sandbox worker').waitFor();
  await looksRight(page);
  await sure(page, 'Accept and pay', 'Yes, pay');
  await page.getByText('Done: the worker was paid.').waitFor();
  await looksRight(page);
  report('a task of their own is published with tags, done by the sandbox worker, and paid');
  await keepsFilters(page, report);
  await earns(page);
  report('a result is delivered and paid, and the history has one claim');
  await keepsReceipt(page, report);
  await waives(page, report);
}

async function publishes(page) {
  await page.goto('/app/publish');
  assert.equal(await page.getByText('A title is missing.').count(), 0, 'nothing is wrong yet');
  await page.getByLabel('Reward in USDC').fill('0.1');
  await page.getByText('A title is missing.').waitFor();
  await page.getByLabel('Title').fill('One line about rivers');
  await page.getByText('Who gets what').waitFor();
  await page.getByText('0.097', { exact: true }).waitFor();
  await page.getByText('More: input, skills').click();
  await page.getByLabel('Tags').fill('try, two words');
  await page.getByText('A tag has letters').waitFor();
  await page.getByLabel('Tags').fill('try, Rivers');
  await page.getByLabel('Site that the work is about').fill('https://rivers.example/list');
  await page.getByText('More: attempts and times').click();
  await page.getByLabel('Attempts for each worker').selectOption('2');
  await looksRight(page);
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByRole('heading', { name: 'One line about rivers', level: 1 }).waitFor();
  await page.getByText('try, rivers').waitFor();
}

/** A task leads back to the board as it was filtered, and starter tasks are one card. */
async function keepsFilters(page, report) {
  await page.goto('/app/work');
  await page.getByRole('link', { name: /^Your first paid task:/ }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Say hello', exact: true }).count(), 0);
  await looksRight(page);
  await page.getByLabel('State').selectOption({ label: 'paid' });
  await page.getByLabel('Tag').fill('rivers');
  await page.getByRole('link', { name: 'One line about rivers' }).click();
  await page.getByRole('heading', { level: 1, name: 'One line about rivers' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Work', exact: true }).click();
  await page.getByRole('link', { name: 'One line about rivers' }).waitFor();
  assert.match(page.url(), /state=paid&tag=rivers$/);
  report('starter tasks are one card, and the filters of the board outlive a visit to a task');
}

async function earns(page) {
  await page.goto('/app/work?tag=sandbox:requester');
  await page.getByRole('link', { name: 'Write one line about the sea' }).first().click();
  await page.getByText('Claim this task, then deliver').waitFor();
  await page.getByRole('button', { name: 'Claim this task' }).click();
  await page.getByText('You hold this task').waitFor();
  await page.reload();
  await page.getByLabel('Result', { exact: true }).fill('The sea is wide.');
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('You were paid.').waitFor({ timeout: DONE_MS_MAX });
  assert.equal(await page.getByText('Claimed again').count(), 0, 'the page claims once');
}

async function keepsReceipt(page, report) {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const file = await (await saved).path();
  await looksRight(page);
  // The receipt is pasted before the keys of the hub have arrived.
  await page.route('**/keys', async (route) => {
    await page.waitForTimeout(KEYS_LATE_MS);
    await route.continue();
  });
  await goTo(page, 'Trust');
  const text = page.getByLabel('Paste it, or drop a file here');
  const receipt = await readFile(file, 'utf8');
  await text.fill(receipt);
  await page.getByText('Verified.').waitFor({ timeout: DONE_MS_MAX });
  await text.fill(receipt.replace('One line about', 'Two lines about').replace('sea', 'lake'));
  await page.getByRole('alert').getByText('Not genuine.').waitFor();
  report(
    'the receipt is downloaded, verified on the page of trust, and refused when it is changed',
  );
}

/** A result that the rule accepted waits for its window; the requester can pay at once. */
async function waives(page, report) {
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill('A word about the moon');
  await page.getByLabel('Reward in USDC').fill('0.05');
  await page.getByText('More: input, skills').click();
  await page.getByLabel('Tags').fill('try');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Words').fill('moon');
  await page.getByLabel('Who decides').selectOption({ label: 'the rule alone' });
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByText('Do nothing and the worker is paid').waitFor({ timeout: DONE_MS_MAX });
  await looksRight(page);
  await sure(page, 'Pay now, without time to dispute', 'Yes, pay now');
  await page.getByText('Done: the worker was paid.').waitFor();
  report('a requester pays before the window ends, and the button says so');
}
