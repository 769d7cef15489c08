import assert from 'node:assert/strict';
import {
  giveUpSeat,
  looksRight,
  money,
  openAccount,
  outliveReload,
  sure,
  takeSeat,
} from './people.mjs';

/**
 * Three browsers: one publishes, one works, one judges. A result is rejected and the next one
 * accepted; on another task the rule accepts at once, the requester objects, and the judge rules.
 */
const DRAWN_MS_MAX = 90_000;

export async function publishAndDispute({ open, world, report }) {
  const [requester, worker, judge] = await Promise.all([
    openAccount(open, 3),
    openAccount(open),
    openAccount(open, 1),
  ]);
  await rejectedThenPaid(requester.page, worker.page);
  report('a task is published by hand, its first result rejected with a reason, its second paid');
  await takeSeat(judge.page, world.verdicts);
  await judge.page.getByText('No dispute waits for you.').waitFor();
  await looksRight(judge.page);
  report('a third account takes a seat as a judge');
  await readsRecord(judge.page);
  report('the page of the judges is ordered, and leads to the measured record of a seat');
  const path = await acceptedByRule(requester.page, worker.page);
  report('a rule is tried while it is typed, and accepts a delivery at once');
  await disputed(requester.page, judge.page, path);
  report(
    'the payout is disputed, the judge rules from the list of its cases, and both sides see it',
  );
  await giveUpSeat(judge.page);
  await worker.page.goto('/app/account');
  // 0.0485 of the small task at once; half of the frozen payout less the arbiter's hundredth.
  await money(worker.page).getByText('1.0088').first().waitFor();
}

/** Judges that are not measured have no place in an order by reliability. */
async function readsRecord(page) {
  const { pathname } = new URL(page.url());
  const seats = page.getByRole('region', { name: 'Seats' });
  const order = page.getByLabel('Order');
  await order.selectOption('most reliable first');
  await seats.or(page.getByText('No judge is measured yet.')).waitFor();
  await order.selectOption('newest first');
  await seats
    .getByRole('link', { name: /^measured record/ })
    .first()
    .click();
  await page.getByRole('columnheader', { name: 'Share', exact: true }).first().waitFor();
  await looksRight(page);
  await page.goto(pathname);
}

async function rejectedThenPaid(requester, worker) {
  await requester.goto('/app/work');
  await requester.getByRole('link', { name: 'Publish a task' }).click();
  await requester.getByLabel('Title').fill('Name a colour');
  await requester.getByLabel('Description').fill('One word. I decide myself.');
  await requester.getByLabel('Reward in USDC').fill('0.05');
  await requester.reload();
  assert.equal(await requester.getByLabel('Title').inputValue(), 'Name a colour');
  await sure(requester, 'Publish', 'Yes, publish');
  await requester.getByRole('heading', { name: 'Name a colour', level: 1 }).waitFor();
  const { pathname } = new URL(requester.url());
  await claimAndDeliver(worker, pathname, 'seven');
  await requester.getByLabel('Reason').fill('Seven is no colour.');
  await sure(requester, 'Reject', 'Yes, reject it');
  await requester.getByText('Seven is no colour.').first().waitFor();
  await worker.getByText('Seven is no colour.').first().waitFor();
  await claimAndDeliver(worker, pathname, 'teal');
  await sure(requester, 'Accept and pay', 'Yes, pay');
  await requester.getByText('Reward for work').waitFor();
  await looksRight(requester);
}

async function claimAndDeliver(page, path, result) {
  await page.goto(path);
  await page.getByRole('button', { name: 'Claim this task' }).click();
  await page.getByRole('textbox', { name: 'Result', exact: true }).fill(result);
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText(/^(Delivered|Accepted)\./).waitFor();
}

/** The reward is above what the scripted judges may rule on, which leaves the draw to this one. */
async function acceptedByRule(requester, worker) {
  await requester.goto('/app/publish');
  await requester.getByLabel('Title').fill('Two cities by the sea');
  await requester.getByRole('button', { name: 'Add a condition' }).click();
  await requester.getByLabel('The result').selectOption({ label: 'is long enough at a place' });
  await requester.getByLabel('Place').fill('/cities');
  await requester.getByLabel('At least').fill('2');
  const good = requester.getByLabel('A result that should pass');
  await good.fill('Lisbon, Oslo');
  await requester.getByText('write it as JSON').waitFor();
  await good.fill('{"cities":["Lisbon","Oslo"]}');
  await requester.getByText('would pass').waitFor();
  await requester.getByLabel('A result that should not').fill('{"cities":["Paris"]}');
  await requester.getByText('would be refused').waitFor();
  await requester.getByLabel('At least').fill('3');
  await requester.getByText('That is not what you meant').waitFor();
  await requester.getByLabel('At least').fill('2');
  await requester.getByText('would pass').waitFor();
  await looksRight(requester);
  // More than the scripted judges of the sandbox may rule on, so that the third account is drawn.
  await requester.getByLabel('Reward in USDC').fill('2');
  await requester.getByLabel('Who decides').selectOption({ label: 'the rule alone' });
  await requester.getByText('More: attempts and times').click();
  await requester.getByLabel('Time to dispute').selectOption({ label: '5 minutes' });
  await sure(requester, 'Publish', 'Yes, publish');
  await requester.getByRole('heading', { name: 'Two cities by the sea', level: 1 }).waitFor();
  const { pathname } = new URL(requester.url());
  await claimAndDeliver(worker, pathname, '{"cities":["Porto","Paris"]}');
  return pathname;
}

async function disputed(requester, judge, path) {
  await requester.getByLabel('Reason').fill('Paris is not by the sea.');
  await sure(requester, 'Dispute the payout', 'Yes, dispute it');
  await requester.getByRole('heading', { name: 'The dispute' }).waitFor();
  await requester.getByText('waits for the arbiter').waitFor({ timeout: DRAWN_MS_MAX });
  await requester.getByText('The arbiter reads the task').waitFor();
  await looksRight(requester);
  await judge.reload();
  await judge.getByText('Paris is not by the sea.').waitFor({ timeout: DRAWN_MS_MAX });
  await judge.getByLabel('Your ruling').selectOption({ label: 'split between both' });
  const share = judge.getByLabel('Share of the worker, in percent');
  await share.fill('60');
  await judge.getByLabel('Your reasons').fill('One of the two is.');
  await outliveReload(judge, judge.getByLabel('Your ruling'), share);
  await share.fill('50');
  await looksRight(judge);
  await sure(judge, 'Rule on it', 'Yes, rule so');
  await judge.getByText('No dispute waits for you.').waitFor();
  await requester.goto(path);
  await requester.getByText('split between both').waitFor();
  await requester.getByText('One of the two is.', { exact: true }).waitFor();
  await looksRight(requester);
}
