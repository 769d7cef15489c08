import assert from 'node:assert/strict';
import { accessibilityFaults, settled } from './browser.mjs';
import { accountOf, goTo, looksRight, openAccount } from './people.mjs';

/**
 * The first minutes of a person without an account: a tool is called by its form before there is a
 * key, the account page leads to the first task and counts down to its payment, the header follows
 * the money, and the receipt is a sentence that another browser checks from a link.
 */
const PAID_MS_MAX = 150_000;
const LIVE_MS_MAX = 3_000;

export async function firstMinutes({ open, report }) {
  const page = await open();
  await callsBeforeKey(page);
  report('a tool is called by its form, and the key is made with the press');
  await doesFirstTask(page);
  report('the account page leads to the first task, and counts down to its payment');
  await followsMoney(page, open);
  report('the header shows what can be spent and what is held as soon as money moves');
  await sharesReceipt(page, open);
  report('a receipt is one sentence, and a link shows and checks it in another browser');
}

async function callsBeforeKey(page) {
  await page.goto('/app/agents');
  await page
    .getByRole('main')
    .getByRole('link', { name: /everything/i })
    .first()
    .click();
  await page.getByLabel('Tool to call').selectOption('get-sum');
  const button = page.getByRole('button', { name: 'Call it' });
  await page.getByText(/^Fill in “/).waitFor();
  assert.ok(await button.isDisabled());
  const [first, second] = [
    page.getByLabel('a', { exact: true }),
    page.getByLabel('b', { exact: true }),
  ];
  await first.fill('seven');
  await page.getByText('“a” is a number, such as 5 or 0.25.').first().waitFor();
  await first.fill('4.50');
  await second.fill('2');
  assert.deepEqual(JSON.parse(await page.getByLabel('Arguments').inputValue()), { a: 4.5, b: 2 });
  await page.getByLabel('Arguments').fill('{"a":40,"b":2}');
  assert.equal(await first.inputValue(), '40');
  assert.deepEqual(await accessibilityFaults(page), []);
  const before = await page.evaluate(async () => (await indexedDB.databases()).length);
  assert.equal(await page.locator('header .purse').count(), 0, 'there is no account yet');
  await button.click();
  await page.getByText('served', { exact: true }).waitFor();
  await page.getByLabel('Answer').getByText('42').first().waitFor();
  await page
    .getByText(/^Nothing was paid for ‘get-sum’, \d+ \w{3} \d{4}, \d\d:\d\d UTC\.$/)
    .waitFor();
  await page.locator('header .purse').waitFor();
  assert.ok(before <= 1);
  await looksRight(page);
  await page.getByLabel('Tool to call').selectOption('get-tiny-image');
  await page.getByRole('button', { name: 'Call it' }).click();
  await page.getByRole('img', { name: 'A picture that the tool returned' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
}

async function doesFirstTask(page) {
  await goTo(page, 'Account');
  await page.getByRole('link', { name: 'Do your first task: earns 0.0485 test USDC' }).click();
  await page.getByRole('button', { name: 'Claim this task' }).click();
  await page.getByText('You hold this task').waitFor();
  await page.getByLabel('Result', { exact: true }).fill('hello, welcome-7');
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('Delivered.').waitFor();
  await goTo(page, 'Account');
  const waiting = page.locator('section', { hasText: 'What you wait for' });
  const left = waiting.getByText(/^in \d:\d\d$/);
  const before = await left.textContent();
  await page.waitForFunction(
    ([text]) => !document.body.textContent.includes(`silence accepts it ${text}`),
    [before],
  );
  await looksRight(page);
}

async function followsMoney(page, open) {
  const purse = page.locator('header .purse');
  // Nothing is pressed here: an event announces the payment.
  await purse.getByText('0.0485').waitFor({ timeout: PAID_MS_MAX });
  const payer = await openAccount(open, 1);
  await payer.page.goto('/app/account/money');
  await payer.page.getByLabel('To', { exact: true }).fill(await accountOf(page));
  await payer.page.getByLabel('Amount in USDC').fill('0.25');
  await payer.page.getByRole('button', { name: 'Pay', exact: true }).click();
  await payer.page.getByRole('button', { name: 'Yes, pay' }).click();
  await payer.page.getByText('Paid 0.25 to').waitFor();
  await purse.getByText('0.2985').waitFor({ timeout: LIVE_MS_MAX });
  await payer.page.goto('/app/publish');
  await payer.page.getByLabel('Title').fill('A task that holds money');
  await payer.page.getByLabel('Description').fill('Nothing to do.');
  await payer.page.getByLabel('Reward in USDC').fill('0.5');
  await payer.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await payer.page.getByRole('button', { name: /^Yes/ }).click();
  await payer.page.waitForURL(/\/app\/work\//);
  const held = payer.page.locator('header .purse');
  await held.getByText('0.50 held').waitFor({ timeout: LIVE_MS_MAX });
  await held.getByText('0.25', { exact: false }).first().waitFor();
  assert.deepEqual(await accessibilityFaults(payer.page), []);
  await payer.page.context().close();
}

async function sharesReceipt(page, open) {
  await page.goto('/app/account/work');
  await page.getByRole('main').getByRole('link', { name: 'Say hello' }).first().click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  await saved;
  const sentence =
    /^0\.0485 test USDC to you for ‘Say hello’, \d+ \w{3} \d{4}, \d\d:\d\d UTC, checked by this browser\.$/;
  await page.getByText(sentence).waitFor();
  await looksRight(page);
  await page.getByRole('button', { name: 'Copy a link to this receipt' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open();
  await other.goto(link);
  await other
    .getByText(/^0\.0485 test USDC to key:\S+ for ‘Say hello’, .* UTC, checked by this browser\.$/)
    .waitFor();
  await settled(other);
  assert.deepEqual(await accessibilityFaults(other), []);
  await other.emulateMedia({ media: 'print' });
  assert.equal(await other.getByRole('heading', { name: 'Seals' }).isVisible(), false);
  assert.ok(await other.locator('.receipt').isVisible());
  await other.context().close();
}
