import assert from 'node:assert/strict';
import { PAGES } from './people.mjs';

/**
 * Measures the wait on a slow phone: each page opens uncached, and the wait for its heading is
 * worked out for throttled 4G and a processor four times as slow, from what no load of the machine
 * changes: waiting requests, bytes, and the time of the page's own thread.
 */
const LATENCY_MS = 150;
const BYTES_PER_MS = 1_600 / 8;
const CPU_SLOWER = 4;
const LOADS = 5;
const CONTENT_MS_MAX = 1_000;
const BYTES_MAX = 150 * 1024;

export async function speed({ open, report }) {
  const over = [];
  for (const path of PAGES) {
    const loads = [];
    for (let load = 0; load < LOADS; load += 1) loads.push(await measured(open, `/app${path}`));
    const [best] = loads.sort((a, b) => a.ms - b.ms);
    const kilobytes = (best.bytes / 1024).toFixed(1);
    const { ms, trips, cpuMs } = best;
    report(`/app${path}: ${ms} ms (${trips} trips, ${cpuMs} ms computed), ${kilobytes} kB in all`);
    if (ms > CONTENT_MS_MAX) over.push(`/app${path} shows its content after ${ms} ms`);
    if (best.bytes > BYTES_MAX) over.push(`/app${path} loads ${kilobytes} kB`);
  }
  assert.deepEqual(over, []);
}

async function measured(open, path) {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Performance.enable');
  await page.addInitScript(markContent);
  // A request of the page to the hub waits until its own work up to here has been read.
  let release;
  const isRead = new Promise((resolve) => (release = resolve));
  await page.route('**/api/**', (route) => isRead.then(() => route.continue()));
  await page.goto(path);
  await page.waitForFunction(() => globalThis.contentMs !== undefined);
  const { metrics } = await session.send('Performance.getMetrics');
  const cpuMs = Math.round(metrics.find(({ name }) => name === 'ThreadTime').value * 1000);
  release();
  const loads = await page.evaluate(loadsOfContent);
  const trips = tripsOf(loads);
  const carried = loads.reduce((sum, { size }) => sum + size, 0);
  await page.waitForLoadState('networkidle');
  await page.context().close();
  const ms = Math.round(trips * LATENCY_MS + carried / BYTES_PER_MS + cpuMs * CPU_SLOWER);
  return { ms, trips, cpuMs, bytes };
}

/** Runs in the page: remembers when its heading was there. */
function markContent() {
  const observer = new MutationObserver(() => {
    if (document.querySelector('main h1') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => (globalThis.contentMs = performance.now()));
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Runs in the page: the shell, and the scripts and styles that came before its content. */
function loadsOfContent() {
  const [shell] = performance.getEntriesByType('navigation');
  const assets = performance
    .getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.includes('/assets/') && responseEnd <= contentMs);
  return [
    // The files that the shell names are asked for as soon as its first bytes are there.
    { from: 0, to: shell.responseStart, size: shell.transferSize },
    ...assets.map(({ startTime, responseEnd, transferSize }) => ({
      from: startTime,
      to: responseEnd,
      size: transferSize,
    })),
  ];
}

/** The longest chain of loads of which each began when the one before had ended. */
function tripsOf(loads) {
  const depths = [];
  for (const load of loads.sort((a, b) => a.from - b.from)) {
    const before = depths.filter(({ to }) => to <= load.from).map(({ depth }) => depth);
    depths.push({ to: load.to, depth: 1 + Math.max(0, ...before) });
  }
  return Math.max(...depths.map(({ depth }) => depth));
}
