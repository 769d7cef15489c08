import assert from 'node:assert/strict';
import { looksRight, money, openAccount, pressMove, sure } from './people.mjs';

/** A cash table of two: some hands are played, one stands up, and nothing of both stacks is lost. */
const HANDS = 2;
const PLAYED_MS_MAX = 180_000;
const TURN_MS = 250;

export async function cashTable({ open, faults, report }) {
  const [one, two] = await Promise.all([openAccount(open, 1), openAccount(open, 1)]);
  await one.page.goto('/app/games');
  await one.page.getByText('Open a table').click();
  await one.page.getByLabel('Kind').selectOption({ label: 'cash' });
  await one.page.getByLabel('Big blind in USDC').fill('0.01');
  await one.page.getByLabel('Name', { exact: true }).fill('Small coins');
  await one.page.getByRole('button', { name: 'Open this table' }).click();
  await one.page.getByRole('heading', { name: 'Small coins', level: 1 }).waitFor();
  const { pathname } = new URL(one.page.url());
  for (const { page } of [one, two]) {
    await page.goto(pathname);
    await sure(page, 'Sit down', 'Yes, sit down');
    await page.getByRole('heading', { name: 'Your seat' }).waitFor();
  }
  let presses = await playsOn([one.page, two.page]);
  await looksRight(one.page);
  report(`a cash table is opened, both buy in, and ${HANDS} hands are played`);
  await one.page.getByRole('button', { name: 'Stand up' }).click();
  presses += await standsUp([one.page, two.page]);
  await two.page.getByRole('button', { name: 'Stand up' }).click();
  await two.page.getByRole('heading', { name: 'Sit down' }).waitFor();
  const [first, second] = [await spendable(one.page), await spendable(two.page)];
  assert.equal(first + second, 2_000_000n, 'all of both stacks is on the accounts again');
  // The console has a refusal for each wait at a seat that ended, and for a press that came too late.
  const refusals = faults.splice(0);
  const isExpected = refusals.every((fault) => /status of 400/.test(fault));
  assert.ok(isExpected && refusals.length <= 2 + presses, refusals.join('\n'));
  report('one stands up, the other follows, and both stacks are on their accounts to the unit');
}

const playsOn = (pages) =>
  playUntil(pages, async ([first]) => (await first.getByText(/^Hand \d+$/).count()) >= HANDS);

/** A player that stands up within a hand leaves after it. */
const standsUp = (pages) =>
  playUntil(pages, ([first]) => first.getByRole('heading', { name: 'Sit down' }).isVisible());

/** Moves at every turn until the table has come to a state; returns how often a move was pressed. */
async function playUntil(pages, isReached) {
  const deadline = performance.now() + PLAYED_MS_MAX;
  let presses = 0;
  while (!(await isReached(pages))) {
    assert.ok(performance.now() < deadline, 'the hand ends');
    for (const page of pages) presses += await moves(page);
    await pages[0].waitForTimeout(TURN_MS);
  }
  return presses;
}

/** Presses a move if it is the turn of the page's player; returns the number of presses. */
async function moves(page) {
  if ((await page.getByText(/It is your turn\.$/).count()) === 0) return 0;
  return pressMove(page, [/^Check$/, /^Call/]);
}

async function spendable(page) {
  await page.goto('/app/account');
  const tile = money(page).getByRole('listitem').filter({ hasText: 'balance' });
  const title = await tile.locator('.money').first().getAttribute('title');
  return BigInt(/^\d+/.exec(title)[0]);
}
