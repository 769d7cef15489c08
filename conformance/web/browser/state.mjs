import assert from 'node:assert/strict';
import { freePort, startHub } from '../../kinds/dredd/hub.mjs';
import { accessibilityFaults, settled } from './browser.mjs';

/**
 * A page on which nothing is done shows within four seconds that money is frozen, that the hub does
 * not answer or hangs, that its clock stands still and that newer pages exist. A hub of its own is
 * frozen, stopped and started again.
 */
const BANNER_MS_MAX = 4_000;
const TOKEN = 'a-token-of-the-operator-for-this-run';
const REASON = 'A rail is being repaired.';

export async function state({ open, faults, report }) {
  const port = await freePort();
  const start = () => startHub({ port, settings: { HUB_ADMIN_TOKEN: TOKEN } });
  let hub = await start();
  const page = await open({ baseURL: hub.url });
  try {
    await page.goto('/app/agents');
    await settled(page);
    const banner = page.locator('.trouble');
    const shows = async (text) => {
      const began = performance.now();
      await banner.getByText(text).waitFor({ timeout: BANNER_MS_MAX });
      return `${((performance.now() - began) / 1000).toFixed(1)} s`;
    };
    const isWell = () => banner.locator('p').waitFor({ state: 'detached' });

    await operator(hub.url, 'freeze');
    const frozenIn = await shows(`Reason: ${REASON}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    report(
      `frozen money is shown after ${frozenIn}, with the reason, on a page that only stands there`,
    );
    await banner.getByRole('link', { name: 'Status' }).click();
    const verdict = page.locator('main .verdict.bad');
    await verdict.getByText('No money moves at the moment.').waitFor();
    await verdict.getByText('Reading, searching and comments work.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await operator(hub.url, 'thaw');
    await page.getByText('The hub answers and signs every minute.').waitFor();
    await isWell();
    report(
      'the status page is red with since, reason and what still works, until money moves again',
    );

    await stalls(page, shows, isWell);
    report('a clock that stands still is shown, and that money goes on');

    const waits = await hangs(page, shows, isWell);
    report(`a hub that hangs is shown after ${waits}`);

    await page.route(/\/app$/, newerShell);
    await hub.stop();
    const stoppedIn = await shows('The hub does not answer.');
    hub = await start();
    await banner.getByText('The hub does not answer.').waitFor({ state: 'detached' });
    await settled(page);
    report(`a stopped hub is shown after ${stoppedIn}, and the page loads again once it is back`);
    await loadsNewer(page);
    assert.ok(faults.splice(0).every((fault) => /ERR_|Failed to load/.test(fault)));
    report('a tab with pages of an older version offers the new ones, and loads them');
  } finally {
    // It would go on asking a hub that is gone.
    await page.context().close();
    await hub.stop();
  }
}

async function operator(url, action) {
  const body = new URLSearchParams({ action, reason: REASON });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/admin`, { method: 'POST', body, headers, redirect: 'manual' });
  assert.equal(answer.status, 303);
}

async function stalls(page, shows, isWell) {
  await page.route('**/healthz', async (route) => {
    const well = await (await route.fetch()).json();
    const since = new Date(Date.now() - 600_000).toISOString();
    const time = { state: 'stalled', since, reason: 'no pulse was issued after 7' };
    await route.fulfill({ json: { ...well, time } });
  });
  await shows('The clock of the hub stands still.');
  await page.unroute('**/healthz');
  await isWell();
}

async function hangs(page, shows, isWell) {
  const held = [];
  await page.route('**/healthz', (route) => held.push(route));
  const waits = await shows('The hub does not answer.');
  await page.unroute('**/healthz');
  for (const route of held) await route.abort().catch(() => undefined);
  await isWell();
  return waits;
}

/** The shell of a hub that was upgraded names a script that this tab does not have. */
async function newerShell(route) {
  const shell = await route.fetch();
  const body = (await shell.text()).replace(/main-\w+\.js/, 'main-NEWER123.js');
  await route.fulfill({ response: shell, body });
}

async function loadsNewer(page) {
  const button = page.getByRole('button', { name: 'Load the new pages' });
  await button.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.unroute(/\/app$/);
  await button.click();
  await button.waitFor({ state: 'detached' });
  await settled(page);
}
