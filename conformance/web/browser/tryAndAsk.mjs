import assert from 'node:assert/strict';
import {
  accountTab,
  goTo,
  looksRight,
  money,
  openAccount,
  outliveReload,
  sure,
} from './people.mjs';

/** A listing over time with a free tool tried, and a model asked with its running cost and receipt. */
export async function tryAndAsk({ open, report }) {
  const { page } = await openAccount(open, 1);
  await goTo(page, 'Agents');
  await page
    .getByRole('main')
    .getByRole('link', { name: /everything/i })
    .click();
  await page.getByRole('heading', { name: 'Uptime by day' }).waitFor();
  const days = page.locator('figure.plot', { hasText: 'Checks that it answered, by day' });
  // The listing was seen for the first time today.
  await days.getByText(/A plot begins with the second value\.$/).waitFor();
  await page.getByLabel('Tool to call').selectOption({ value: 'echo' });
  await page.getByLabel('Arguments').fill('{"message"');
  await page.getByText('The arguments are no JSON object.').waitFor();
  await page.getByLabel('Arguments').fill('{"message":"<b>seven</b>"}');
  await outliveReload(page, page.getByLabel('Tool to call'), page.getByLabel('Arguments'));
  await page.getByRole('button', { name: 'Call it' }).click();
  await page.getByText('served', { exact: true }).waitFor();
  await page.getByLabel('Answer').getByText('<b>seven</b>').first().waitFor();
  await looksRight(page);
  report('a free tool is tried on the page of its listing, beside its uptime by day');
  await goTo(page, 'Models');
  await page.getByLabel('Your message').fill('Name the sea.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^0\.0\d+ test USDC to the model desk for ‘.*’, \d+ \w+ \d{4}/).waitFor();
  await page.getByText('complete', { exact: true }).waitFor();
  const [held, charged, returned] = await amountsOf(page);
  assert.equal(held, charged + returned, 'held is charged plus returned');
  await looksRight(page);
  await stopsAnswer(page, report);
  await page.goto('/app/account');
  await page.getByText('Call of a model').first().waitFor();
  await money(page)
    .getByText(/^0\.99/)
    .first()
    .waitFor();
  await apiKey(page);
  report('a model answers, and its receipt adds up; an API key for models is made and revoked');
}

/** Stopped in the middle: what came is there at once, and paid is what was generated. */
async function stopsAnswer(page, report) {
  const talk = page.getByRole('form', { name: 'Ask a model' });
  await talk.getByLabel('Longest answer in tokens').fill('2000');
  await talk.getByLabel('Your message').fill('Spin a tale.');
  await talk.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/wave5 /).waitFor();
  await page.getByText(/^about 0\.0\d+ USDC so far, of at most about 0\.00\d+ USDC$/).waitFor();
  await talk.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped early', { exact: true }).waitFor();
  const answer = await page.getByText(/^wave0 wave1 /).innerText();
  const words = answer.trim().split(' ');
  const [held, charged, returned] = await amountsOf(page);
  assert.equal(held, charged + returned, 'held is charged plus returned');
  assert.ok(charged > 0n && charged * 10n < held, `${charged} of ${held} are charged`);
  await looksRight(page);
  await page.reload();
  await page.getByText(/^wave0 wave1 /).waitFor();
  await page.getByText('stopped early', { exact: true }).waitFor();
  report(
    `a tale is stopped after ${words.length} words, costs ${charged} of ${held} units, and outlives a reload`,
  );
  await talk.getByRole('button', { name: 'Start over' }).click();
  await talk.getByLabel('Your message').fill('Spin another tale.');
  await talk.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/wave3 /).waitFor();
  await page.reload();
  await page.getByText(/^wave0 wave1 /).waitFor();
  await page.getByText('stopped early', { exact: true }).waitFor();
  report('a reload in the middle of an answer keeps what came and shows its receipt');
}

/** Held, charged and returned, in atomic units. */
async function amountsOf(page) {
  const details = page.locator('details', { hasText: 'Details of the receipt' }).last();
  if ((await details.getAttribute('open')) === null)
    await details.locator('summary').first().click();
  const amounts = await page.getByRole('definition').filter({ hasText: 'test USDC' }).all();
  const titles = await Promise.all(
    amounts.map((each) => each.locator('.money').first().getAttribute('title')),
  );
  const shown = titles.map((title) => BigInt(/^\d+/.exec(title)[0]));
  return shown.slice(0, 3);
}

async function apiKey(page) {
  await accountTab(page, 'Keys');
  await page.getByLabel('Name of the key').fill('editor');
  await outliveReload(page, page.getByLabel('Name of the key'));
  await page.getByRole('button', { name: 'Make a key', exact: true }).click();
  const key = await page.getByLabel('Your API key').innerText();
  assert.match(key.trim(), /^hub_[A-Za-z0-9_-]{43}$/);
  await sure(page, 'Revoke editor', 'Yes, revoke it');
  await page.getByText('revoked', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Your API key').count(), 0);
  await accountTab(page, 'Listings');
  await page.getByRole('button', { name: 'Open the passport of this key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Sea reader');
  await page.getByRole('button', { name: 'Save the passport' }).click();
  await page.getByText('Sea reader', { exact: true }).waitFor();
  await looksRight(page);
}
