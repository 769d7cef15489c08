import { readFile } from 'node:fs/promises';
import { betsOnCoin, getsSettled, winsHand } from './alone.mjs';
import { accountTab, goTo, makeKey, money, sure } from './people.mjs';

/** A new user follows the pages: paid work, a task, a market, a hand, a note, a receipt. */
const DONE_MS_MAX = 180_000;

export async function newcomer({ open, faults, report }) {
  const page = await open();
  await page.goto('/');
  await page.getByRole('link', { name: 'Open an account' }).click();
  await makeKey(page);
  for (const balance of ['1.00', '2.00']) {
    await page.getByRole('button', { name: /^Give me 1\.00 test USDC/ }).click();
    await money(page).getByText(balance).first().waitFor();
  }
  await earns(page);
  await verifiesReceipt(page);
  report('the first page leads to an account, a paid task and its verified receipt');
  const coin = await betsOnCoin(page);
  await hires(page);
  report('a task of their own is done by the sandbox worker, and paid');
  await winsHand(page, faults);
  report('a hand is won against the house');
  await findsNote(page);
  report('a note is written and found by its words');
  await goTo(page, 'Games');
  const market = page.locator(`a[href="${coin}"]`).first();
  await market.waitFor({ state: 'attached' });
  // One that is settled is in the list of those, which is closed at first.
  if (!(await market.isVisible())) await page.getByText('Settled markets').click();
  await market.click();
  await getsSettled(page);
  report('the market of the bet is resolved');
}

async function earns(page) {
  await goTo(page, 'Home');
  await page.getByRole('link', { name: 'Claim the first task' }).click();
  await page.getByRole('link', { name: 'Say hello' }).first().click();
  await page.getByRole('button', { name: 'Claim this task' }).click();
  await page.getByLabel('Result', { exact: true }).fill('hello, welcome-7');
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('You were paid.').waitFor({ timeout: DONE_MS_MAX });
}

async function verifiesReceipt(page) {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const receipt = await readFile(await (await saved).path(), 'utf8');
  await goTo(page, 'Trust');
  await page.getByLabel('Paste it, or drop a file here').fill(receipt);
  await page.getByText('Verified.').waitFor({ timeout: DONE_MS_MAX });
}

async function hires(page) {
  await goTo(page, 'Home');
  await page.getByRole('link', { name: 'Publish a task' }).click();
  await page.getByLabel('Title').fill('One line about rivers');
  await page.getByLabel('Reward in USDC').fill('0.1');
  await page.getByRole('button', { name: 'Let it do this task' }).click();
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByText('Look at the result below').waitFor({ timeout: DONE_MS_MAX });
  await sure(page, 'Accept and pay', 'Yes, pay');
  await page.getByText('Done: the worker was paid.').waitFor();
}

async function findsNote(page) {
  await goTo(page, 'Account');
  await accountTab(page, 'Storage');
  await page.getByLabel('Name of a new space').fill('tides');
  await page.getByRole('button', { name: 'Make a space' }).click();
  const write = page.getByRole('form', { name: 'Write a note' });
  await write.getByLabel('Key of the note').fill('high');
  await write.getByLabel('Text of the note').fill('High water is at seven.');
  await write.getByRole('button', { name: 'Write a note' }).click();
  await page.getByText('Written.').waitFor();
  await page.getByLabel('Words to search for').fill('when is high water');
  await page.getByRole('button', { name: 'Search the notes' }).click();
  await page.getByRole('list', { name: 'Notes found' }).getByText('at seven').waitFor();
}
