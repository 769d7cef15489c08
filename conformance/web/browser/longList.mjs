import assert from 'node:assert/strict';
import { createHub, generateKey } from '../../../clients/typescript/index.ts';
import { looksRight, openAccount } from './people.mjs';

/**
 * A statement of ten thousand entries, all of them real payments to the account of a page, is
 * scrolled from end to end, and the page keeps up with the screen.
 */
const ENTRIES = 10_000;
const TOGETHER = 64;
/** Frames of a second; what is slower than two of them is a frame that was missed. */
const FRAME_MS = 1000 / 60;
const SCROLLS = 3;
/** A machine that does much else misses some; a page that computes in each frame misses most. */
const MISSED_MAX = 0.05;
const ROWS_IN_PAGE_MAX = 100;

export async function longList({ open, url, tell }) {
  const { page, account } = await openAccount(open);
  await paysOften(url, account);
  tell(`${ENTRIES} payments are made to the account of a page`);
  await page.reload();
  const box = page.getByRole('region', { name: 'Statement' });
  await box.waitFor();
  await toTheEnd(page, box);
  const rows = await box.locator('tbody tr:not(.room)').count();
  assert.ok(rows <= ROWS_IN_PAGE_MAX, `${rows} rows are in the page`);
  assert.equal(await box.getByRole('table').getAttribute('aria-rowcount'), String(ENTRIES + 1));
  const frames = [];
  for (let nth = 0; nth < SCROLLS; nth += 1) frames.push(await scrolled(box));
  const [best] = frames.sort((a, b) => a.missed - b.missed);
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  tell(
    `the whole of it is scrolled in ${best.count} frames at ${best.perSecond.toFixed(1)} a second; ` +
      `${percent(best.missed)} of them are late, the longest ${best.longest.toFixed(1)} ms; ${rows} rows are in the page`,
  );
  assert.ok(best.missed <= MISSED_MAX, `${percent(best.missed)} of the frames are late`);
  await box.getByRole('row').nth(1).waitFor();
  await looksRight(page);
}

async function paysOften(url, to) {
  const key = await generateKey();
  const hub = createHub({ baseUrl: url, key });
  const credit = await hub.POST('/api/v1/wallet/{owner}/credit', {
    params: { path: { owner: key.account } },
    body: { amount: '1000000', idempotencyKey: 'long-list' },
  });
  assert.equal(credit.response.status, 200);
  let left = ENTRIES;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const { response } = await hub.POST('/api/v1/wallet/{owner}/pay', {
        params: { path: { owner: key.account } },
        body: { to, amount: '1', idempotencyKey: `long-${left}` },
      });
      assert.equal(response.status, 200);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, lane));
}

/** Older entries are asked for as the end comes into sight, until there are no more. */
async function toTheEnd(page, box) {
  const older = page.getByRole('button', { name: 'Older' });
  while ((await older.count()) > 0) {
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Scrolls the box from its beginning to its end, a step in each frame, and tells what frames took. */
function scrolled(box) {
  return box.evaluate(async (element, frameMs) => {
    element.scrollTo(0, 0);
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let settle = 0; settle < 10; settle += 1) await nextFrame();
    const steps = 300;
    const end = element.scrollHeight - element.clientHeight;
    const times = [await nextFrame()];
    for (let step = 1; step <= steps; step += 1) {
      element.scrollTo(0, (end * step) / steps);
      times.push(await nextFrame());
    }
    const took = times.slice(1).map((time, nth) => time - times[nth]);
    const whole = times.at(-1) - times[0];
    return {
      count: took.length,
      perSecond: (took.length * 1000) / whole,
      missed: took.filter((ms) => ms > 1.5 * frameMs).length / took.length,
      longest: Math.max(...took),
    };
  }, FRAME_MS);
}
