import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { base58 } from '@scure/base';
import { accessibilityFaults, settled } from './browser.mjs';
import { accountTab, goTo, makeKey, outliveReload, PAGES, sure } from './people.mjs';

/** From an empty browser to the first payment; other pages are looked at while silence accepts. */
const PAID_MS_MAX = 150_000;

export async function firstPaidTask({ open, url, report }) {
  const page = await open();
  await earn(page, report);
  await findsAgent(page, report);
  await refusesTampered(page, { url, report });
  const narrow = await open({ colorScheme: 'dark', viewport: { width: 320, height: 720 } });
  const paths = [...PAGES, '/no-such-page', await taskPath(page), await agentPath(page)];
  await accessible({ page, narrow, paths, report });
  await getsPaid(page, report);
  await survivesReload(page, report);
  await paysAndJoins(page, report);
}

export async function earn(page, report) {
  await page.goto('/app');
  await page.getByRole('link', { name: 'Open an account' }).click();
  await makeKey(page);
  await page.getByText('Nothing has moved yet.').waitFor();
  report('a key is made in the browser and opens an account');
  await goTo(page, 'Work');
  await page.getByLabel('From').selectOption({ label: 'starter tasks' });
  await page.getByRole('link', { name: 'Say hello' }).first().click();
  await page.getByRole('button', { name: 'Claim this task' }).click();
  await page.getByText('You hold this task').waitFor();
  await page.getByLabel('Result', { exact: true }).fill('hello');
  await outliveReload(page, page.getByLabel('Result', { exact: true }));
  await page.getByLabel('Result', { exact: true }).fill('hello, welcome-7');
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('Delivered.').waitFor();
  await page.getByText('It pays you 0.0485 test USDC').waitFor();
  report('the starter task is claimed from the board and delivered');
}

async function findsAgent(page, report) {
  await goTo(page, 'Agents');
  await page
    .getByLabel('Search agents', { exact: true })
    .pressSequentially('everything', { delay: 150 });
  await page.getByText('shown for “everything”').waitFor();
  await page
    .getByRole('main')
    .getByRole('link', { name: /everything/i })
    .click();
  await page.getByRole('heading', { name: 'Claimed', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Observed', exact: true }).waitFor();
  await page.getByRole('cell', { name: /^echo/i }).first().waitFor();
  report('a listing is found by typing, and shows claimed beside observed');
}

/** A genuine pulse is verified, and the same with one digit changed is not. */
async function refusesTampered(page, { url, report }) {
  const pulse = await newestPulse(url);
  await goTo(page, 'Trust');
  await page.getByText('balanced', { exact: true }).waitFor();
  const text = page.getByLabel('Paste it, or drop a file here');
  await page
    .getByText('pulse verified in this browser')
    .or(page.getByText('pulses verified in this browser'))
    .waitFor();
  await text.fill(JSON.stringify(pulse));
  await page.getByText('Verified.').waitFor();
  const changed = { ...pulse, body: { ...pulse.body, leaves: pulse.body.leaves + 1 } };
  await text.fill(JSON.stringify(changed));
  const alert = page.getByRole('alert');
  await alert.getByText('Not genuine.').waitFor();
  assert.equal(await page.getByText('Verified.').count(), 0);
  await text.fill('{"body":');
  await alert.getByText('This is no JSON object.').waitFor();
  report('a genuine pulse is verified, and a tampered one is refused, without the hub');
}

const PULSE_MS_MAX = 130_000;

/** The first minute of a new hub ends within the second. */
async function newestPulse(url) {
  const deadline = Date.now() + PULSE_MS_MAX;
  for (;;) {
    const { body } = await (await fetch(`${url}/api/v1/time`)).json();
    if (body.head !== undefined) {
      return (await fetch(`${url}/api/v1/time/pulses/${body.head.seq}`)).json();
    }
    assert.ok(Date.now() < deadline, 'a minute is signed');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Pages with an account, wide in light, and without one, narrow in dark. */
export async function accessible({ page, narrow, paths, report }) {
  const looks = [
    ['light, wide, with an account', page],
    ['dark, narrow, without one', narrow],
  ];
  const found = [];
  for (const [look, seen] of looks) {
    for (const path of paths) {
      await seen.goto(`/app${path}`);
      await settled(seen);
      for (const fault of await accessibilityFaults(seen))
        found.push(`${path} (${look}): ${fault}`);
      const isWider = await seen.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      if (isWider) found.push(`${path} (${look}) scrolls sideways`);
    }
  }
  assert.deepEqual(found, []);
  report(`${paths.length} pages have no fault that axe finds, and none scrolls sideways at 320 px`);
}

async function firstPath(page, api, list, area) {
  const items = await page.evaluate(async (path) => (await fetch(path)).json(), api);
  return `/${area}/${items[list][0].id}`;
}
const taskPath = (page) => firstPath(page, '/api/v1/tasks?limit=1', 'tasks', 'work');
const agentPath = (page) => firstPath(page, '/api/v1/agents?limit=1', 'agents', 'agents');

export async function getsPaid(page, report) {
  await page.goto('/app/account');
  await page.getByText('Reward for work').waitFor({ timeout: PAID_MS_MAX });
  const money = page.getByRole('list', { name: 'Your money' });
  await money.getByText('0.0485').first().waitFor();
  report('the money is on the account, and the statement says why');
}

async function survivesReload(page, report) {
  await page.getByRole('button', { name: /^Give me 1\.00 test USDC/ }).click();
  await page.getByText('came in').waitFor();
  await page.reload();
  await page.getByRole('list', { name: 'Your money' }).getByText('1.0485').first().waitFor();
  await goTo(page, 'Status');
  await page.getByText('clock is live').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  report('the faucet gives test money; reload and history keep the account');
}

/** Money goes to another account after one more question; a second key has to sign for itself. */
async function paysAndJoins(page, report) {
  await accountTab(page, 'Money');
  await page.getByLabel('To', { exact: true }).fill(`key:${freshKeyId()}`);
  await page.getByLabel('Amount in USDC').fill('0.25');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('Payments cannot be taken back.').waitFor();
  await page.getByRole('button', { name: 'Yes, pay' }).click();
  await page.getByText('Paid 0.25 to').waitFor();
  await page.getByRole('list', { name: 'Your money' }).getByText('0.7985').first().waitFor();
  const other = freshKeyId();
  await accountTab(page, 'Keys');
  await page.getByLabel('The other key').fill(`key:${other}`);
  await sure(page, 'Join this key', 'Yes, join it');
  await page.getByText(`wallet.bindKey`).filter({ hasText: other }).waitFor();
  await page.getByText('has to sign as well').waitFor();
  report('a payment is asked about once more and made; a second key has to sign as well');
}

function freshKeyId() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return base58.encode(new Uint8Array(Buffer.from(x, 'base64url')));
}
