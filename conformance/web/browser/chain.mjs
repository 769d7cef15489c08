import assert from 'node:assert/strict';
import { startDevnet } from './devnet.mjs';
import { looksRight, makeKey, money, sure } from './people.mjs';

/** Money of the devnet's chain, worth nothing: paid in, paid out, and stopped by the brake. */
const PAID_IN = 1_500_000_000n;
const PAID_OUT = 10_000_000n;
const CHAIN_MS_MAX = 90_000;

export async function chain({ open, report }) {
  const devnet = await startDevnet();
  try {
    const page = await open({ baseURL: devnet.url });
    await paysIn(page, devnet, report);
    await paysOut(page, devnet, report);
    await isStopped(page, report);
    // It would go on asking a hub that is gone.
    await page.context().close();
  } finally {
    await devnet.stop();
  }
}

async function paysIn(page, { wallets, pay }, report) {
  await page.goto('/app/account/money');
  await makeKey(page);
  await page.getByRole('button', { name: 'Show my address' }).click();
  const address = await page.getByLabel('Your deposit address').innerText();
  await page.getByText('No deposit has come in.').waitFor();
  await pay(wallets[0], address.trim(), PAID_IN);
  // On a quiet machine its blocks pass between two looks of the page.
  const seen = page.getByText(/^(confirming|credited)$/).first();
  await seen.waitFor({ timeout: CHAIN_MS_MAX });
  report('a transfer to the deposit address is seen');
  await page.getByText('credited', { exact: true }).waitFor({ timeout: CHAIN_MS_MAX });
  await money(page).getByText('1,500.00').first().waitFor();
  await looksRight(page);
  report('it is credited after its blocks, and the money is spendable');
}

async function paysOut(page, { wallets, balanceOf }, report) {
  const [, to] = wallets;
  const before = await balanceOf(to);
  await page.getByLabel('To this address').fill(to);
  await page.getByLabel('Amount to pay out').fill('10');
  const arrives = await page.getByText(/^The address gets/).innerText();
  await sure(page, 'Pay out', 'Yes, pay it out');
  await page.getByText('under way').first().waitFor();
  await page.getByText('confirmed', { exact: true }).waitFor({ timeout: CHAIN_MS_MAX });
  const got = (await balanceOf(to)) - before;
  const promised = BigInt(Math.round(Number(/[\d.]+\d/.exec(arrives)[0]) * 1e6));
  assert.equal(got, promised, 'the wallet has what the page said');
  assert.ok(got > 0n && got <= PAID_OUT);
  await money(page).getByText('1,490.00').first().waitFor();
  report(
    'a withdrawal is sent and confirmed, and the wallet has what the page said that it would get',
  );
}

/** Above the automatic limit it waits for an operator, and can be taken back. */
async function isStopped(page, report) {
  await page.getByLabel('To this address').fill(`0x${'1'.repeat(40)}`);
  await page.getByLabel('Amount to pay out').fill('1200');
  await sure(page, 'Pay out', 'Yes, pay it out');
  await page.getByText('waits for an operator').waitFor();
  await looksRight(page);
  await page.getByRole('button', { name: 'Recall' }).click();
  await page.getByText('recalled', { exact: true }).waitFor();
  await money(page).getByText('1,490.00').first().waitFor();
  report('one above the limits waits for an operator and is recalled; nothing is lost');
}
