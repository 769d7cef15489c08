import assert from 'node:assert/strict';
import { giveUpSeat, goTo, looksRight, openAccount, sure, takeSeat } from './people.mjs';

/** A market from its question to the payout: one asks, two bet, one judges. */
const CLOSED_MS_MAX = 90_000;
const JUDGED = 'Will the harbour bell ring at noon today?';

export async function market({ open, world, report }) {
  const people = await Promise.all([1, 1, 1, 1].map((usdc) => openAccount(open, usdc)));
  const [asker, right, wrong, judge] = people.map(({ page }) => page);
  await takeSeat(judge, world.verdicts);
  const path = await lists(asker);
  report('a market is listed, after its wording was read while it was typed');
  await bets(right, path, { side: 'yes', amount: '0.3', back: '0.30' });
  await bets(wrong, path, { side: 'no', amount: '0.2', back: '0.497' });
  await right.getByText('Odds after 2 bets').waitFor();
  await looksRight(right);
  report('two bets are made, each for the payout that was shown, and the odds are drawn');
  await judge.goto(path);
  await judge.getByRole('heading', { name: 'Resolve it' }).waitFor({ timeout: CLOSED_MS_MAX });
  await judge.getByLabel('What you saw at the source').fill('The bell rang.');
  await sure(judge, 'Resolve it', 'Yes, pay it out');
  await judge.getByText('The judge saw').waitFor();
  // The stake of 0.3, and the 0.2 of the other side less the judge's hundredth.
  await right.getByText('Came back').waitFor();
  await right.getByText('0.498').first().waitFor();
  await looksRight(right);
  await wrong.getByText('Came back').waitFor();
  const returned = await wrong.getByRole('definition').filter({ hasText: '0.00' }).count();
  assert.equal(returned, 1, 'the losing stake is gone');
  await giveUpSeat(judge);
  report('a judge resolves it, and the page of each bettor shows what came back');
}

async function lists(page) {
  await goTo(page, 'Games');
  await page.getByText('Open a market').click();
  await page.getByLabel('Question').fill('Will it be nice?');
  await page.getByLabel('Source').fill('the news');
  await page.getByText('What a judge would miss').waitFor();
  await page.getByLabel('Question').fill(JUDGED);
  await page.getByLabel('Takes bets for').selectOption({ label: '1 minute' });
  const list = page.getByRole('button', { name: 'List this market' });
  await list.and(page.locator(':enabled')).waitFor();
  await looksRight(page);
  await sure(page, 'List this market', 'Yes, list it');
  await page.getByRole('heading', { name: JUDGED, level: 1 }).waitFor();
  await page.getByText('There is no bet yet.').waitFor();
  return new URL(page.url()).pathname;
}

async function bets(page, path, { side, amount, back }) {
  await page.goto(path);
  await page.getByRole('radio', { name: side }).check();
  await page.getByLabel('Stake in USDC').fill(amount);
  await page.getByText(`this bet brings back ${back} test USDC`).waitFor();
  await sure(page, 'Bet', 'Yes, bet');
  await page.getByText(`Staked on ${side}`).waitFor();
}
