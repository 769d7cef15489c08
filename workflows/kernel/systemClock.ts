import { instant } from '../../domain/instant.ts';
import type { Clock } from './clock.ts';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  wall: () => instant(Date.now()),
  elapsedMs: () => performance.now(),
};
