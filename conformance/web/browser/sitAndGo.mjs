import assert from 'node:assert/strict';
import { goTo, looksRight, money, openAccount, outliveReload, pressMove, sure } from './people.mjs';

/** A tournament of two, played on two pages, watched on a third: checked down, then all in. */
const CHECKED_DOWN = 2;
const PLAYED_MS_MAX = 240_000;
const TURN_MS = 250;

export async function sitAndGo({ open, report }) {
  const [one, two] = await Promise.all([openAccount(open, 1), openAccount(open, 1)]);
  const watcher = await open({ colorScheme: 'dark', viewport: { width: 320, height: 720 } });
  const path = await opensTable(one.page);
  await sits(one.page, path);
  await watcher.goto(path);
  await watcher.getByText('1 of 2 seats taken').waitFor();
  await sits(two.page, path);
  await watcher.getByText(/^Hand 1,/).waitFor();
  report('a tournament is opened, and both sit down; a third page watches without an account');
  await looksRight(watcher);
  await looksRight(one.page);
  const played = await plays([one.page, two.page]);
  await watcher.getByText('The tournament is won.').waitFor();
  report(`${played} hands are played to the end, each move seen by all pages as it is made`);
  await everyHandVerified(one.page, played, 'verified, commitment seen before the seed');
  await everyHandVerified(watcher, played, 'verified, commitment seen before the seed');
  await watcher.reload();
  await everyHandVerified(watcher, played, 'verified');
  await looksRight(one.page);
  await looksRight(watcher);
  await refusesTampered(one.page, report);
  const sums = await Promise.all([one.page, two.page].map(balance));
  assert.deepEqual(sums.sort(), ['0.95', '1.05'], 'the prize is both prices');
  report('every shuffle is verified in the page, and the prize is on the account of the winner');
}

async function opensTable(page) {
  await page.goto('/app/games');
  await page.getByText('Open a table').click();
  await page.getByLabel('Price of a seat in USDC').fill('0.05');
  await page.getByLabel('Name', { exact: true }).fill('Two of us');
  await page.getByRole('button', { name: 'Open this table' }).click();
  await page.getByRole('heading', { name: 'Two of us', level: 1 }).waitFor();
  return new URL(page.url()).pathname;
}

async function sits(page, path) {
  await page.goto(path);
  const name = page.getByLabel('Your name at the table');
  await name.fill('Ann');
  await outliveReload(page, name);
  await sure(page, 'Sit down', 'Yes, sit down');
  await page.getByRole('heading', { name: 'Your seat' }).waitFor();
}

/** The player on turn presses a button, until the table says that it is over. */
async function plays(pages) {
  const deadline = performance.now() + PLAYED_MS_MAX;
  const [first] = pages;
  const won = first.getByText('The tournament is won.');
  while (!(await won.isVisible())) {
    assert.ok(performance.now() < deadline, 'the tournament ends');
    for (const page of pages) await moves(page);
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
  return first.getByText(/^Hand \d+$/).count();
}

async function moves(page) {
  const word = await page.getByText(/^Hand \d+, .* It is your turn\.$/).allInnerTexts();
  if (word.length === 0) return;
  const hand = Number(/\d+/.exec(word[0])?.[0]);
  const names =
    hand <= CHECKED_DOWN ? [/^Check$/, /^Call/, /^All in/] : [/^All in/, /^Call/, /^Check$/];
  await pressMove(page, names);
}

async function everyHandVerified(page, played, words) {
  await page
    .getByText(words, { exact: true })
    .nth(played - 1)
    .waitFor();
  assert.equal(await page.getByText('not genuine').count(), 0);
}

/** The record of a hand is checked on the page of trust; one card more for a friend is found out. */
async function refusesTampered(page, report) {
  await page.getByRole('button', { name: 'Copy the record of hand 2', exact: true }).click();
  await page.getByText('Copied.').waitFor();
  const record = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  await goTo(page, 'Trust');
  const text = page.getByLabel('Paste it, or drop a file here');
  await text.fill(JSON.stringify(record));
  await page.getByText('Hands of poker, dealt again here').waitFor();
  const alert = page.getByRole('alert');
  const second = record.hands.find(({ n }) => n === 2);
  const [{ cards }] = second.cards.holes;
  for (const change of [
    () => cards.reverse().splice(0, 1, cards[0] === 'As' ? 'Ah' : 'As'),
    () => (second.seed = second.seed.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a'))),
  ]) {
    change();
    await text.fill(JSON.stringify(record));
    await alert.getByText('Not genuine.').waitFor();
    await alert.getByText('hand 2').waitFor();
    assert.equal(await page.getByText('Verified.').count(), 0);
  }
  await text.fill(JSON.stringify({ tableId: 'x', hands: [{ n: 1 }] }));
  await alert.getByText('It has not the form of a published hand.').waitFor();
  report(
    'a saved hand is verified on the page of trust, and refused when a card or the seed differs',
  );
}

async function balance(page) {
  await page.goto('/app/account');
  const tile = money(page).getByRole('listitem').filter({ hasText: 'balance' });
  return /^[\d.]+/.exec(await tile.innerText())[0];
}
