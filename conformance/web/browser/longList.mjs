import assert from 'node:assert/strict';
import { looksRight } from './people.mjs';

/**
 * A list of 10,000 agents is scrolled: loaded as it is read, a handful of rows at a time, with so
 * little work per frame that sixty fit into a second. Time itself is only reported.
 */
const ROWS = 10_000;
const ROWS_THERE_MAX = 250;
/** A sixtieth of a second, of which half is left to the browser's other threads. */
const COMPUTED_MS_MAX = 8;
const FRAMES = 240;
/** Pixels of each frame: a quick hand, and a much quicker one. */
const [STEP_PX, RUSH_PX] = [100, 300];
/** Twice the height that is rushed through. */
const STILL_ROWS = 1_600;

export async function longList({ open, faults, report }) {
  const page = await open();
  const asked = await fabricate(page);
  await page.goto('/app/agents?all=1');
  await page.getByRole('link', { name: 'Agent 1', exact: true }).waitFor();
  await looksRight(page);
  await walksByKeyboard(page);
  report('arrows, j and k go from row to row');
  const jumps = await toTheEnd(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('link', { name: `Agent ${ROWS}`, exact: true }).waitFor();
  assert.equal(new Set(asked).size, asked.length, 'no page of the list is asked for twice');
  report(`${ROWS} rows are read to the end in ${asked.length} pages and ${jumps} looks`);
  for (const step of [STEP_PX, RUSH_PX]) {
    const found = await scrolled(page, step);
    assert.ok(found.rows <= ROWS_THERE_MAX, `${found.rows} rows are in the page`);
    const { computedMs } = found;
    assert.ok(computedMs <= COMPUTED_MS_MAX, `${computedMs} ms are computed for each frame`);
    report(`at most ${found.rows} rows in the page; ${inWords(found, step)}`);
  }
  const still = await scrolledStill(open);
  report(`the same rows without a script, all of them there; ${inWords(still, RUSH_PX)}`);
  await comesBack(page);
  report('who opens one of them and comes back is at the same row');
  await goesOnAfterFailure(page);
  // The browser says on the console that the page did not come, as it should.
  assert.ok(faults.splice(0).every((fault) => /ERR_FAILED/.test(fault)));
  report('a page of the list that fails says so at its place, and is asked for again');
}

async function walksByKeyboard(page) {
  const row = (place) => page.getByRole('link', { name: `Agent ${place}`, exact: true });
  await row(1).focus();
  for (const [key, place] of [
    ['ArrowDown', 2],
    ['j', 3],
    ['k', 2],
    ['ArrowUp', 1],
    ['ArrowUp', 1],
  ]) {
    await page.keyboard.press(key);
    assert.ok(await row(place).evaluate((link) => link === document.activeElement), key);
  }
}

/** The hub has few agents of its own: its answers are written here, in the form of its own. */
async function fabricate(page) {
  const asked = [];
  await page.goto('/app');
  const whole = await page.evaluate(async () =>
    (await fetch('/api/v1/agents?includeUnavailable=true')).json(),
  );
  const [one] = whole.agents;
  // Pages that are loaded again to be measured get the same answers.
  const context = page.context();
  await context.route('**/api/v1/agents?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const limit = Number(query.get('limit'));
    const from = Number(query.get('cursor') ?? 0);
    asked.push(from);
    const to = Math.min(from + limit, ROWS);
    const agents = Array.from({ length: to - from }, (_, index) => {
      const place = from + index + 1;
      const description = `${one.description ?? ''} ${'It reads. '.repeat(place % 40)}`;
      return {
        ...one,
        id: `${one.id.slice(0, -5)}${10_000 + place}`,
        name: `Agent ${place}`,
        description,
      };
    });
    const next = to < ROWS ? { next: String(to) } : {};
    return route.fulfill({
      json: { ...whole, agents, count: agents.length, hasMore: to < ROWS, ...next },
    });
  });
  // Each of them is, when it is opened, the one that the hub has.
  await context.route(/\/api\/v1\/agents\/[0-9a-f-]+/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/agents\/[0-9a-f-]+/, `agents/${one.id}`),
    }),
  );
  return asked;
}

/** Frames without a new row after which the list counts as stopped, also on a busy machine. */
const STILL_LOOKS_MAX = 1_000;

/** Looks at the end of what is there until there is no more of it. */
async function toTheEnd(page) {
  return page.evaluate(async (most) => {
    const root = document.documentElement;
    let [looks, height] = [0, 0];
    for (let still = 0; still <= most; still += 1) {
      looks += 1;
      scrollTo(0, root.scrollHeight);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (document.querySelector('main .pages + .actions') === null) return looks;
      if (root.scrollHeight > height) [still, height] = [0, root.scrollHeight];
    }
    throw new Error(`the list stops at ${height} px`);
  }, STILL_LOOKS_MAX);
}

/** Measures what this browser can draw here: copies of rows that never change, without a hub. */
async function scrolledStill(open) {
  const page = await open();
  await fabricate(page);
  await page.goto('/app/agents?all=1');
  await page.getByRole('link', { name: 'Agent 1', exact: true }).waitFor();
  await page.evaluate((many) => {
    const rows = [...document.querySelectorAll('[role=listitem]')];
    const list = rows[0].parentElement.cloneNode();
    for (let n = 0; n < many; n += 1) list.append(rows[n % rows.length].cloneNode(true));
    document.body.replaceChildren(list);
  }, STILL_ROWS);
  const found = await scrolled(page, RUSH_PX);
  await page.context().close();
  return found;
}

function inWords({ computedMs, framesPerSecond, late }, step) {
  return (
    `${step} px a frame, ${FRAMES} of them: ${computedMs.toFixed(1)} ms computed for each, ` +
    `${framesPerSecond.toFixed(1)} a second, ${late} later than its turn`
  );
}

/** From the middle on, one step for each frame. */
async function scrolled(page, step) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const computed = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime').value * 1_000;
  };
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await page.waitForTimeout(500);
  const before = await computed();
  const { rows, tookMs, late } = await page.evaluate(
    async ({ frames, step }) => {
      const started = performance.now();
      let most = 0;
      let late = 0;
      let last = started;
      for (let frame = 0; frame < frames; frame += 1) {
        scrollBy(0, step);
        const at = await new Promise((resolve) => requestAnimationFrame(resolve));
        if (at - last > 25) late += 1;
        last = at;
        if (frame % 10 === 0) {
          most = Math.max(most, document.querySelectorAll('[role=listitem]').length);
        }
      }
      return { rows: most, tookMs: performance.now() - started, late };
    },
    { frames: FRAMES, step },
  );
  const computedMs = ((await computed()) - before) / FRAMES;
  await session.detach();
  return { rows, computedMs, late, framesPerSecond: (FRAMES * 1_000) / tookMs };
}

async function comesBack(page) {
  const seen = await page.evaluate(() => {
    const links = [...document.querySelectorAll('[role=listitem] h2 a')];
    const link = links.find((each) => each.getBoundingClientRect().top > 100);
    link.focus();
    return { name: link.textContent, top: link.getBoundingClientRect().top };
  });
  await page.getByRole('link', { name: seen.name, exact: true }).click();
  await page.getByRole('heading', { name: 'Claimed', exact: true }).waitFor();
  await page.goBack();
  const link = page.getByRole('link', { name: seen.name, exact: true });
  await link.waitFor();
  const isSeen = () => link.evaluate((each) => Math.round(each.getBoundingClientRect().top));
  const deadline = performance.now() + 10_000;
  while (Math.abs((await isSeen()) - seen.top) > 200) {
    assert.ok(performance.now() < deadline, `the row is at ${await isSeen()}, not ${seen.top}`);
    await page.waitForTimeout(100);
  }
}

async function goesOnAfterFailure(page) {
  await page.route('**/api/v1/agents?*cursor=*', (route) => route.abort());
  const found = page.waitForResponse(/agents\?.*q=seven/);
  await page.getByLabel('Search agents', { exact: true }).fill('seven');
  await found;
  await page.getByRole('link', { name: 'Agent 1', exact: true }).waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('alert').waitFor();
  await page.unroute('**/api/v1/agents?*cursor=*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
}
