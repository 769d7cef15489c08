import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { looksRight, openAccount } from './people.mjs';

/** Long work shows how much is done and how fast; broken by the network, it goes on where it was. */
export async function longWork({ open, faults, tell }) {
  const { page } = await openAccount(open, 1);
  await page.goto('/app/account/storage');
  await resumesExport(page, faults);
  tell('an export that the network breaks goes on where it was, and is whole');
}

async function resumesExport(page, faults) {
  let asked = 0;
  const cursors = [];
  await page.route('**/export?*', async (route) => {
    asked += 1;
    cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
    if (asked > 1) return route.abort('internetdisconnected');
    const answer = await route.fetch();
    const body = await answer.json();
    // A young account has one page; its first answer says that there is another one.
    const isFirst = asked === 1;
    return route.fulfill({
      response: answer,
      json: isFirst ? { ...body, hasMore: true, nextCursor: 'a-second-page' } : body,
    });
  });
  const save = page.getByRole('button', { name: 'Export my account' });
  await save.click();
  await page.getByText('Continue', { exact: true }).waitFor();
  await page.unroute('**/export?*');
  const shown = await page.locator('.long-work').filter({ hasText: 'rows' }).innerText();
  const rows = Number(/(\d+) rows/.exec(shown)[1]);
  assert.ok(rows > 0);
  await page.route('**/export?*', async (route) => {
    cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
    return route.fulfill({ json: { count: 1, hasMore: false, rows: [{ table: 'x', row: {} }] } });
  });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(lines.length, rows + 1, 'nothing is lost or asked for twice');
  assert.equal(cursors.at(-1), 'a-second-page');
  assert.ok(cursors.slice(1).every((cursor) => cursor === 'a-second-page'));
  await page.unroute('**/export?*');
  await looksRight(page);
  const broken = faults.splice(0);
  assert.ok(
    broken.every((fault) => /ERR_INTERNET_DISCONNECTED/.test(fault)),
    broken.join('\n'),
  );
}
