import assert from 'node:assert/strict';
import { accessibilityFaults } from './browser.mjs';
import { accountTab, goTo, openAccount, picture, sure } from './people.mjs';

/**
 * The parts of every page: a search by keyboard that finds while one types, the balance beside the
 * account, a menu on a phone. And the statement, which joins what belongs together.
 */
export async function header({ open, report }) {
  const { page, account } = await openAccount(open, 1);
  await findsByKeyboard(page);
  report('"/" opens the search, results come while one types, and arrows and Enter open one');
  await page.locator('header').getByText('1.00 test USDC').waitFor();
  await page.locator('header').getByText('sandbox', { exact: true }).waitFor();
  await asksTwice(page);
  report('the balance and the network stand beside the account; a payment can be called off');
  await readsStatement(page, account);
  report('the statement has a line for each cause, a column of exact units, and a file');
  await opensMenu(open);
  report('on a phone a menu has the pages and the search');
}

async function findsByKeyboard(page) {
  await page.goto('/app/trust');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Find agents and tasks' });
  assert.ok(await search.evaluate((field) => field === document.activeElement));
  await page.keyboard.type('everything', { delay: 40 });
  const results = page.getByRole('list', { name: 'Results' });
  await results
    .getByRole('link', { name: /everything/i })
    .first()
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await picture(page, '-search');
  await page.keyboard.press('Escape');
  await results.waitFor({ state: 'detached' });
  await search.fill('everything');
  await results.waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Observed', exact: true }).waitFor();
  await results.waitFor({ state: 'detached' });
}

async function asksTwice(page) {
  await goTo(page, 'Account');
  await accountTab(page, 'Money');
  await page.getByLabel('To', { exact: true }).fill('external:burned');
  await page.getByLabel('Amount in USDC').fill('0.5');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('Payments cannot be taken back.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
  assert.equal(await page.getByText('Payments cannot be taken back.').count(), 0);
}

/** A task that is published and taken back holds money and gives it back, in one line. */
async function readsStatement(page, account) {
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill('Name a colour');
  await page.getByLabel('Reward in USDC').fill('0.05');
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByRole('heading', { name: 'Name a colour', level: 1 }).waitFor();
  await page.goto('/app/account/money');
  const table = page.getByRole('region', { name: 'Statement' });
  const held = table.getByRole('row').filter({ hasText: 'Reward put in escrow' });
  await held.getByText('0.05').first().waitFor();
  await page.getByRole('button', { name: 'Exact values' }).click();
  await table.getByRole('columnheader', { name: 'Exact units' }).waitFor();
  await held.getByText('50000', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Exact values' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `statement-${account.slice(4, 12)}.csv`);
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await table.boundingBox();
  const width = await table.locator('table').evaluate((each) => each.scrollWidth);
  assert.ok(width <= Math.ceil(box.width), `the statement is ${width} of ${box.width} px wide`);
  assert.deepEqual(await accessibilityFaults(page), []);
  await picture(page, '-statement');
}

async function opensMenu(open) {
  const page = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.goto('/app');
  const menu = page.getByRole('button', { name: 'Menu' });
  const work = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Work' });
  assert.equal(await work.isVisible(), false);
  await menu.click();
  await work.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await picture(page, '-menu');
  await work.click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  assert.equal(await work.isVisible(), false);
}
