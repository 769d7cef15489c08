import { settled } from './browser.mjs';

/**
 * Measures a page as the browser itself reports it while it loads at three widths on a processor four times as
 * slow: layout shifts, the first paint and long tasks. Each scenario ends with its pages.
 */
const CPU_SLOWER = 4;
const WIDTHS = [390, 1280, 1440];
const SHIFT_MAX = 0.05;
/** Late answers move a page as well. */
const LATE_MS = 600;
/** Addresses of items are alike: one of each kind is measured. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{16}\b/g;

/** Makes a page report its loading, slowly. */
export async function slowed(page) {
  await page.addInitScript(observe);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
}

/** Loads an address at every width. */
export async function measured(page, path) {
  const seen = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
    await page.goto(path);
    await settled(page);
    await page.waitForTimeout(LATE_MS);
    seen.push({ width, ...(await page.evaluate(() => globalThis.seen())) });
  }
  return seen;
}

export const tooMuch = (path, seen) =>
  seen.flatMap(({ width, shift, moved, isWider, broken }) => [
    ...(shift > SHIFT_MAX ? [`${path} at ${width} px moves by ${shift}: ${moved}`] : []),
    ...(isWider ? [`${path} is wider than ${width} px`] : []),
    ...broken.map((number) => `${path} at ${width} px breaks the number ${number}`),
  ]);

/**
 * Loads each kind of page that a scenario has visited once more, as the person who visited it, and
 * returns what moves too much. `done` has the kinds that a scenario before has measured.
 */
export async function measureVisited({ visited, done, url, report }) {
  const over = [];
  const all = [];
  for (const { address, context } of visited.splice(0)) {
    const { origin, pathname, search } = new URL(address);
    const kind = pathname.replaceAll(ID, '*');
    if (origin !== url || !/^\/(app|docs|errors|keys|$)/.test(pathname) || done.has(kind)) continue;
    const page = await context.newPage().catch(() => undefined);
    if (page === undefined) continue;
    done.add(kind);
    await slowed(page);
    const seen = await measured(page, pathname + search);
    await page.close();
    all.push({ kind, seen });
    over.push(...tooMuch(kind, seen));
  }
  if (all.length > 0) report(inWords(all));
  return over;
}

function inWords(all) {
  const most = (name) => Math.max(...all.flatMap(({ seen }) => seen.map((each) => each[name])));
  const kinds = all.map(({ kind }) => kind).join(' ');
  const figures = `shift ${most('shift').toFixed(3)}, first paint ${most('paintMs')} ms, longest task ${most('longestMs')} ms`;
  return `${kinds}: at most ${figures} on a slow processor`;
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
  const isBroken = ({ firstChild }) => {
    const range = document.createRange();
    range.selectNodeContents(firstChild);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  };
  globalThis.seen = () => ({
    shift,
    broken: [...document.querySelectorAll('.money:not(.exact)')]
      .filter((each) => each.firstChild !== null && isBroken(each))
      .map((each) => each.textContent),
    isWider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    moved: [...moved]
      .sort(([, a], [, b]) => b - a)
      .map(([name, by]) => `${by.toFixed(3)} ${name}`)
      .slice(0, 6)
      .join(' | '),
    paintMs: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
    longestMs: Math.round(longest),
  });
}
