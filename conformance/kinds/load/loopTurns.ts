import { waitedMs } from '../../harness/waitedMs.ts';

/**
 * Loaded into a hub first (`node --import`): measures how late its event loop is by its own doing.
 * On a busy machine a ready thread waits; Linux reports for how long, and that is no work of the
 * hub's. On `loop` it answers its parent the milliseconds of every tick since the last `loop`.
 */
const EVERY_MS = 10;

let delays: number[] = [];
let [last, waited] = [performance.now(), waitedMs()];
setInterval(() => {
  const [now, waitedNow] = [performance.now(), waitedMs()];
  const late = Math.max(0, now - last - EVERY_MS);
  // As much of the waiting as is surely behind the moment at which this tick was due.
  const starved = Math.max(0, waitedNow - waited - EVERY_MS);
  delays.push(Math.max(0, late - starved));
  [last, waited] = [now, waitedNow];
}, EVERY_MS).unref();

process.on('message', (asked) => {
  if (asked !== 'loop') return;
  process.send?.(delays);
  delays = [];
});
