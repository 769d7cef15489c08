import assert from 'node:assert/strict';
import { measured, slowed, tooMuch } from './measure.mjs';
import { openAccount, PAGES } from './people.mjs';

/** Nothing on a page moves while it loads: every page, with an account, on a slow processor. */
export async function look({ open, url, tell }) {
  const { page } = await openAccount(open, 1);
  await slowed(page);
  const over = [];
  for (const path of [...PAGES, '/no-such-page', ...(await itemsOf(url))]) {
    const seen = await measured(page, `/app${path}`);
    const each = seen.map(
      ({ width, shift, paintMs, longestMs }) =>
        `${width} px shift ${shift.toFixed(3)}, paint ${paintMs} ms, longest task ${longestMs} ms`,
    );
    tell(`/app${path}: ${each.join('; ')}`);
    over.push(...tooMuch(`/app${path}`, seen));
  }
  assert.deepEqual(over, []);
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
