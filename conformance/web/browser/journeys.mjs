import assert from 'node:assert/strict';
import { generateKey } from '../../../clients/typescript/index.ts';
import { looksRight, openAccount } from './people.mjs';

/**
 * Ten journeys from the first page, without a reload. Each has at most the clicks of the shortest
 * way to the same end at a service that people know, and axe finds no fault where it ends.
 */
const JOURNEYS = [
  {
    name: 'find work and claim it',
    known: 'Upwork: Find work, a job, Apply, Submit',
    clicks: 4,
    walk: async ({ click, page }) => {
      await click('link', 'Work');
      await click('link', /Say hello/);
      await click('button', 'Claim this task');
      await page.getByText('You hold this task').waitFor();
    },
  },
  {
    name: 'get test money',
    known: 'Stripe in test mode: Balances, Add to balance, Add',
    clicks: 3,
    walk: async ({ click, page }) => {
      await click('link', /^Account/);
      await click('button', /^Give me 1\.00 test USDC/);
      await page.getByText('came in').waitFor();
    },
  },
  {
    name: 'publish a task',
    known: 'GitHub: Issues, New issue, Create',
    clicks: 3,
    walk: async ({ click, page }) => {
      await click('link', 'Publish a task');
      await page.getByLabel('Title').fill('Name a colour');
      await page.getByLabel('Reward in USDC').fill('0.05');
      await click('button', 'Publish');
      await click('button', 'Yes, publish');
      await page.getByRole('heading', { name: 'Name a colour', level: 1 }).waitFor();
    },
  },
  {
    name: 'find an agent',
    known: "Algolia's search in place: the field, the result",
    clicks: 2,
    walk: async ({ click, page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('everything');
      await click('link', /everything/i, page.getByRole('list', { name: 'Results' }));
      await page.getByRole('heading', { name: 'Observed', exact: true }).waitFor();
    },
  },
  {
    name: 'pay an account',
    known: 'PayPal: Send, Next, Continue, Send now',
    clicks: 4,
    walk: async ({ click, page }) => {
      await click('link', /^Account/);
      await click('link', 'Money', page.getByRole('navigation', { name: /of your account/ }));
      const { account } = await generateKey();
      await page.getByLabel('To', { exact: true }).fill(account);
      await page.getByLabel('Amount in USDC').fill('0.01');
      await click('button', 'Pay');
      await click('button', 'Yes, pay');
      await page.getByText('Paid 0.01 to').waitFor();
    },
  },
  {
    name: 'bet on a market',
    known: 'Polymarket: a market, a side, an amount, Buy, Confirm',
    clicks: 5,
    walk: async ({ click, page }) => {
      await click('link', 'Games');
      await click('link', /^Does the sandbox coin/);
      await click('button', '0.05');
      await click('button', 'Bet');
      await click('button', 'Yes, bet');
      await page.getByText('Staked on yes').waitFor();
    },
  },
  {
    name: 'sit down at a table',
    known: 'PokerStars: Play, a table, Sit down, Buy in',
    clicks: 4,
    walk: async ({ click, page }) => {
      await click('link', 'Games');
      await click('button', 'Play against the house');
      await click('button', 'Sit down');
      await click('button', 'Yes, sit down');
      await page.getByRole('heading', { name: 'Your seat' }).waitFor();
    },
  },
  {
    name: 'verify the books',
    known: 'Etherscan: Verify',
    clicks: 1,
    walk: async ({ click, page }) => {
      await click('link', 'Verify it yourself');
      await page.getByText('balanced', { exact: true }).waitFor();
    },
  },
  {
    name: 'give an agent a limited key',
    known: 'Stripe: Developers, API keys, Create restricted key, Create',
    clicks: 4,
    walk: async ({ click, page }) => {
      await click('link', /^Account/);
      await click('link', 'Keys', page.getByRole('navigation', { name: /of your account/ }));
      await page.getByLabel('At most in a day, in USDC').fill('0.1');
      await click('button', 'Make a limited key');
      await page.getByText('"secretKey"').first().waitFor();
    },
  },
  {
    name: 'send an agent by one prompt',
    known: 'Vercel: Copy prompt',
    clicks: 1,
    walk: async ({ click, page }) => {
      const section = page.getByRole('group', { name: 'Send your agent to its first paid task' });
      await click('button', 'Copy', section.locator('xpath=..'));
      await page.getByText('Copied.').waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(text, /\/llms\.txt and earn your first payment/);
    },
  },
];

export async function journeys({ open, report }) {
  const { page } = await openAccount(open, 2);
  await page.evaluate(() => (globalThis.isSamePage = true));
  for (const { name, known, clicks: most, walk } of JOURNEYS) {
    await page.getByRole('link', { name: 'Agent Exchange', exact: true }).click();
    await page.getByRole('region', { name: 'Paid just now' }).waitFor();
    let clicks = 0;
    const click = async (role, label, within = page) => {
      clicks += 1;
      const exact = typeof label === 'string';
      await within.getByRole(role, { name: label, exact }).first().click();
    };
    await walk({ page, click });
    assert.ok(clicks <= most, `${name} takes ${clicks} clicks, at most ${most}`);
    assert.ok(
      await page.evaluate(() => globalThis.isSamePage === true),
      `${name} reloads the page`,
    );
    await looksRight(page);
    report(`${name}: ${clicks} clicks, ${most} at ${known}`);
  }
}
