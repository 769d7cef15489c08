import assert from 'node:assert/strict';
import { goTo, looksRight, openAccount, pressMove, sure } from './people.mjs';

/** One person alone on a sandbox, with its scripted agents: markets and a hand of poker. */
const RESOLVED_MS_MAX = 300_000;
const PLAYED_MS_MAX = 240_000;
const TURN_MS = 250;

export async function marketsAlone({ open, report }) {
  const { page } = await openAccount(open, 2);
  const coinPath = await betsOnCoin(page);
  report('a bet is placed on the market of the sandbox agents');
  await opensMarket(page, 'a number of this hub', async () => {
    await page.getByLabel('Number', { exact: true }).selectOption('tasks.open');
    await page.getByLabel('Yes when it is').selectOption('gte');
    await page.getByLabel('Limit').fill('1');
  });
  await page.getByText('You created this market').waitFor();
  await page.getByText('the hub counts the number').waitFor({ timeout: RESOLVED_MS_MAX });
  await page.getByText('The number at closing').waitFor({ timeout: RESOLVED_MS_MAX });
  await looksRight(page);
  report('a market on a number of the hub is opened, and resolves itself');
  await opensMarket(page, 'the sandbox judge, to try it alone', async () => {
    await page.getByLabel('Question').fill('Is this the first market that I open?');
    await page.getByLabel('Outcome').selectOption('yes');
  });
  await page.getByText('The judge saw').waitFor({ timeout: RESOLVED_MS_MAX });
  report('a market of their own gets bets and is resolved by the sandbox judge');
  await page.goto(coinPath);
  await getsSettled(page);
  report('the bet is settled after the coin was tossed');
}

/** A bet on the market that the sandbox agents keep open; returns the address of the market. */
export async function betsOnCoin(page) {
  await goTo(page, 'Games');
  await page.getByText('sandbox: resolves itself').first().waitFor();
  await looksRight(page);
  const coin = page.getByRole('link', { name: /^Does the sandbox coin/ }).first();
  await coin.click();
  await page.getByRole('radio', { name: 'yes' }).check();
  await page.getByRole('button', { name: '0.25', exact: true }).click();
  await page.getByText('this bet brings back').waitFor();
  const outcomes = page.getByRole('table', { name: 'What 0.25 would bring back' });
  await outcomes.getByRole('row', { name: /^yes .*\(\+[\d.]+\)$/ }).waitFor();
  await outcomes.getByRole('row', { name: /^no .*\(\+[\d.]+\)$/ }).waitFor();
  await sure(page, 'Bet', 'Yes, bet');
  await page.getByText('Staked on yes').waitFor();
  await looksRight(page);
  return new URL(page.url()).pathname;
}

export async function getsSettled(page) {
  await page.getByText('Came back').waitFor({ timeout: RESOLVED_MS_MAX });
  await page.getByRole('heading', { name: 'Outcome' }).waitFor();
  await looksRight(page);
}

async function opensMarket(page, judge, fill) {
  await page.goto('/app/games');
  await page.getByText('Open a market').click();
  await page.getByLabel('Decided by').selectOption({ label: judge });
  await fill();
  await page.getByLabel('Takes bets for').selectOption({ label: '1 minute' });
  await page
    .getByRole('button', { name: 'List this market' })
    .and(page.locator(':enabled'))
    .waitFor();
  await looksRight(page);
  await sure(page, 'List this market', 'Yes, list it');
  await page.getByRole('heading', { name: 'Odds over time' }).waitFor();
}

/** A hand is won against the players of the house, and its story read. */
export async function handAlone({ open, faults, report }) {
  const { page } = await openAccount(open, 1);
  await winsHand(page, faults);
  report('a hand is won, shown in words with its hole cards, and the player stands up');
}

export async function winsHand(page, faults) {
  await goTo(page, 'Games');
  await page.getByRole('button', { name: 'Play against the house' }).click();
  await page.getByRole('heading', { name: '[house] practice', level: 1 }).waitFor();
  await sure(page, 'Sit down', 'Yes, sit down');
  await page.getByRole('heading', { name: 'Your seat' }).waitFor();
  await page.getByText(/^Hand 1,/).waitFor();
  await looksRight(page);
  const won = page.getByText(/Seat \d \(you\) takes/).first();
  const deadline = performance.now() + PLAYED_MS_MAX;
  while ((await won.count()) === 0) {
    assert.ok(performance.now() < deadline, 'a hand is won');
    // A player whose stack is lost stands up, and sits down again with another one.
    if (await page.getByRole('heading', { name: 'Sit down' }).isVisible()) {
      await sure(page, 'Sit down', 'Yes, sit down');
      await page.getByRole('heading', { name: 'Your seat' }).waitFor();
    }
    await raises(page);
    await page.waitForTimeout(TURN_MS);
  }
  await page.getByText('The hand in words').first().click();
  await page
    .getByText(/posts the big blind/)
    .first()
    .waitFor();
  await page
    .getByText(/Seat \d \(you\) (shows|does not show).*wins/)
    .first()
    .waitFor();
  const players = page.getByRole('region', { name: /^Players in the last/ });
  await players.getByRole('row', { name: /\(you\)/ }).waitFor();
  await looksRight(page);
  assert.equal(await page.getByText('not genuine').count(), 0);
  await page.getByRole('button', { name: 'Stand up' }).click();
  await page.getByRole('heading', { name: 'Sit down' }).waitFor({ timeout: PLAYED_MS_MAX });
  // The page waits at a seat that ends, which the hub answers with a refusal.
  const refused = faults.splice(0);
  assert.ok(
    refused.every((fault) => /status of 400/.test(fault)),
    refused.join('\n'),
  );
}

/** The house folds to pressure: raise, else call; everything in asks a second time. */
async function raises(page) {
  if ((await page.getByText(/It is your turn\.$/).count()) === 0) return;
  await pressMove(page, [/^(Raise to|Bet) /, /^Check$/, /^Call/, /^All in/]);
}
