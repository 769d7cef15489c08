import { instant, type Instant } from '../../domain/instant.ts';
import { readSettings } from '../../server/boot/config.ts';
import { openHub } from '../../server/boot/open.ts';

/**
 * A hub process whose minutes take a quarter of a second, so tests can kill it among its pulses.
 * All processes of a test read one clock, which goes on while a process is gone. Arguments: the
 * beginning of that clock, when that was in the world, and by how much it is faster.
 */
const [beganMs = 0, worldMs = 0, speed = 1] = process.argv.slice(2).map(Number);
/** In the world's time: often enough to see every fast minute end. */
const LOOK_EVERY_MS = 5;

const sinceStartMs = (): number => performance.timeOrigin - worldMs + performance.now();
const now = (): Instant => instant(beganMs + Math.round(sinceStartMs() * speed));
const running = await openHub({
  settings: readSettings(process.env),
  clock: {
    now,
    wall: now,
    elapsedMs: () => performance.now() * speed,
  },
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
// The timers of jobs keep the world's time; this one keeps that of the clock.
for (;;) {
  await running.driver.runOnce('pulse');
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
