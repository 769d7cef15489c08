import assert from 'node:assert/strict';
import { settled } from './browser.mjs';
import { openAccount, PAGES } from './people.mjs';

/**
 * Nothing on a page moves while it loads. Each page opens at three widths, with an account, on a
 * processor four times as slow; the browser itself reports shifts, the first paint and long tasks.
 */
const CPU_SLOWER = 4;
const WIDTHS = [390, 1280, 1440];
const SHIFT_MAX = 0.05;
/** Late answers move a page as well. */
const LATE_MS = 600;

export async function look({ open, url, tell }) {
  const { page } = await openAccount(open, 1);
  await page.addInitScript(observe);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
  const over = [];
  for (const path of [...PAGES, '/no-such-page', ...(await itemsOf(url))]) {
    const seen = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
      seen.push({ width, ...(await measured(page, `/app${path}`)) });
    }
    const each = seen.map(
      ({ width, shift, paintMs, longestMs }) =>
        `${width} px shift ${shift.toFixed(3)}, paint ${paintMs} ms, longest task ${longestMs} ms`,
    );
    tell(`/app${path}: ${each.join('; ')}`);
    for (const { width, shift, moved } of seen) {
      if (shift > SHIFT_MAX) over.push(`/app${path} at ${width} px moves by ${shift}: ${moved}`);
    }
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

async function measured(page, path) {
  await page.goto(path);
  await settled(page);
  await page.waitForTimeout(LATE_MS);
  return page.evaluate(() => globalThis.seen());
}

/** Runs in the page: collects what the browser reports of its own loading. */
function observe() {
  let shift = 0;
  let longest = 0;
  const moved = new Map();
  const nameOf = (node) =>
    node?.nodeType === 1
      ? `${node.tagName.toLowerCase()}.${node.className} “${(node.textContent ?? '').slice(0, 24)}”`
      : String(node?.textContent ?? 'gone').slice(0, 24);
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      shift += value;
      for (const { node, previousRect: a, currentRect: b } of sources) {
        const name = `${nameOf(node)} ${Math.round(a.y)}+${Math.round(a.height)}→${Math.round(b.y)}+${Math.round(b.height)}`;
        moved.set(name, (moved.get(name) ?? 0) + value);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  globalThis.seen = () => ({
    shift,
    moved: [...moved]
      .sort(([, a], [, b]) => b - a)
      .map(([name, by]) => `${by.toFixed(3)} ${name}`)
      .slice(0, 6)
      .join(' | '),
    paintMs: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
    longestMs: Math.round(longest),
  });
}
