import assert from 'node:assert/strict';
import { generateKey } from '../../../clients/typescript/index.ts';
import { measured, slowed, tooMuch } from './measure.mjs';
import { openAccount, PAGES } from './people.mjs';

/**
 * Nothing on a page moves while it loads: every page, with an account, on a slow processor. Cards
 * beside each other are equally high, and what confirms and what cancels are apart.
 */
const GAP_MIN = 8;

export async function look({ open, url, visited, report }) {
  const { page } = await openAccount(open, 1);
  await slowed(page);
  const over = [];
  for (const path of [...PAGES, '/no-such-page', ...(await itemsOf(url))]) {
    const seen = await measured(page, `/app${path}`);
    const each = seen.map(
      ({ width, shift, paintMs, longestMs }) =>
        `${width} px shift ${shift.toFixed(3)}, paint ${paintMs} ms, longest task ${longestMs} ms`,
    );
    report(`/app${path}: ${each.join('; ')}`);
    over.push(...tooMuch(`/app${path}`, seen), ...(await uneven(page, path)));
  }
  assert.deepEqual(over, []);
  // Each of them has just been measured.
  visited.splice(0);
  await page.goto('/app/account/money');
  await page.getByLabel('To', { exact: true }).fill((await generateKey()).account);
  await page.getByLabel('Amount in USDC').fill('0.01');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  const boxOf = (name) => page.getByRole('button', { name, exact: true }).boundingBox();
  const [yes, cancel] = [await boxOf('Yes, pay'), await boxOf('Cancel')];
  const gap = Math.max(cancel.x - yes.x - yes.width, cancel.y - yes.y - yes.height);
  assert.ok(gap >= GAP_MIN, `${gap} px are between the two buttons`);
  report(`${Math.round(gap)} px are between the button that confirms and the one that cancels`);
}

/** Names the rows of cards that have different heights. */
async function uneven(page, path) {
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll('main :is(.columns2:not(.moves, .acts), .ways, .markets)')]
      .filter(({ children }) => [...children].every((each) => each.matches('.card')))
      .map(({ children }) => [...children].map((each) => each.getBoundingClientRect()))
      .filter((boxes) => new Set(boxes.map(({ top }) => Math.round(top))).size === 1)
      .map((boxes) => boxes.map(({ height }) => Math.round(height))),
  );
  return rows
    .filter((heights) => Math.max(...heights) - Math.min(...heights) > 1)
    .map((heights) => `/app${path} has cards of ${heights.join(', ')} px beside each other`);
}

/** One task, agent, market and table each, where the hub has one. */
async function itemsOf(url) {
  const first = async (path, list, area) => {
    const body = await (await fetch(`${url}/api/v1/${path}?limit=1`)).json();
    return (body[list] ?? []).slice(0, 1).map(({ id }) => `/${area}/${id}`);
  };
  return [
    ...(await first('tasks', 'tasks', 'work')),
    ...(await first('agents', 'agents', 'agents')),
    ...(await first('games/predictions/markets', 'markets', 'markets')),
    ...(await first('games/poker/tables', 'tables', 'tables')),
    '/try?operation=wallet.pay',
  ];
}
