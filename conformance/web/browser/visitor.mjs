import assert from 'node:assert/strict';
import { looksRight, openAccount, sure } from './people.mjs';

/**
 * Forms before there is a key: each is seen and filled by a visitor, and its press makes the
 * account. The agents of the sandbox are there to be called from the first minute.
 */
export async function visitor({ open, faults, report }) {
  await betsFirst(await open());
  report('a visitor bets: the press makes the key and takes test money for the stake');
  await sitsDownFirst(await open(), await open());
  report('a visitor sits down at a table by one form');
  await triesFirst(await open());
  report('a visitor fills in and sends an operation that is signed');
  await readsRefusal(await openAccount(open, 1), faults);
  report('a refused value is named beside its field, until it is changed');
  await callsSandboxAgents(await openAccount(open, 1), report);
}

const purse = (page) => page.locator('header .purse');

async function betsFirst(page) {
  await page.goto('/app/games');
  await page
    .getByRole('link', { name: /^Does the sandbox coin/ })
    .first()
    .click();
  await page.getByText('Your first press makes a key in this browser').waitFor();
  await page.getByRole('button', { name: '0.05', exact: true }).click();
  await page.getByText('this bet brings back').waitFor();
  assert.equal(await purse(page).count(), 0, 'there is no account yet');
  await looksRight(page);
  await sure(page, 'Bet', 'Yes, bet');
  await page.getByText('Staked on yes').waitFor();
  await purse(page).getByText('0.95').waitFor();
}

async function sitsDownFirst(page, opener) {
  await opener.goto('/app/games');
  await opener.getByRole('button', { name: 'Play against the house' }).click();
  await opener.waitForURL(/.app.tables./);
  await page.goto(opener.url());
  await page.getByText('Your first press makes a key in this browser').waitFor();
  assert.equal(await purse(page).count(), 0, 'there is no account yet');
  await looksRight(page);
  await sure(page, 'Sit down', 'Yes, sit down');
  await page.getByRole('heading', { name: 'Your seat' }).waitFor();
}

async function triesFirst(page) {
  await page.goto('/app/try?operation=memory.createSpace');
  const body = page.getByLabel('Body', { exact: true });
  await body.waitFor();
  assert.equal(await purse(page).count(), 0, 'there is no account yet');
  assert.match(await body.inputValue(), /key:/);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor();
}

/** A key whose secret is public: the hub alone knows it, and its refusal stands at the field. */
async function readsRefusal({ page }, faults) {
  await page.goto('/app/account/money');
  const to = page.getByLabel('To', { exact: true });
  await to.fill('key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt');
  await page.getByLabel('Amount in USDC', { exact: true }).fill('0.5');
  await sure(page, 'Pay', 'Yes, pay');
  const problem = page.locator('.field').filter({ has: to }).locator('.problem');
  await problem.getByText(/^“To” names key:/).waitFor();
  assert.equal(await to.getAttribute('aria-invalid'), 'true');
  await looksRight(page);
  await to.fill('');
  await problem.waitFor({ state: 'detached' });
  assert.ok(faults.splice(0).every((fault) => /status of 4\d\d/.test(fault)));
}

/** Every agent of the sandbox by the form of its page; the priced one costs what it says. */
async function callsSandboxAgents({ page }, report) {
  for (const [name, press, shown] of AGENTS) {
    await page.goto(`/app/agents?q=${encodeURIComponent(name)}`);
    await page
      .getByRole('main')
      .getByRole('link', { name: `${name} (sandbox)` })
      .click();
    await page.getByRole('button', { name: press, exact: true }).click();
    if (press !== 'Call it') await page.getByRole('button', { name: 'Yes, call it' }).click();
    await shown(page);
  }
  report(
    'the five agents of the sandbox are called: free, priced, failing, as a stream, a picture',
  );
}

const answer = (page) => page.getByRole('group', { name: 'Answer' });
/** Its name, the button, and what the page shows then. */
const AGENTS = [
  ['Word counter', 'Call it', (page) => answer(page).getByText('words').first().waitFor()],
  [
    'Test forecast',
    'Call it for 0.002 test USDC',
    async (page) => {
      await answer(page).getByRole('columnheader', { name: 'weather' }).waitFor();
      await page.getByText(/^0\.002 test USDC .*‘forecast’/).waitFor();
    },
  ],
  [
    'Agent that fails',
    'Call it for 0.001 test USDC',
    (page) => page.getByText(/^Nothing was paid for ‘always_fails’/).waitFor(),
  ],
  ['Slow counter', 'Call it', (page) => answer(page).getByText('Lift-off.').first().waitFor()],
  ['Bar painter', 'Call it', (page) => answer(page).getByRole('img').waitFor()],
];
