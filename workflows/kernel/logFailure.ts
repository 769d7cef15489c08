import type { Logger } from 'pino';
import { isUnavailable } from '../../db/unavailable.ts';

const LOG_EVERY_MS = 1_000;
const quiet = new WeakMap<Logger, { until: number; unsaid: number }>();

/** One line a second without a stack, however many requests, jobs and connections meet it. */
export function logUnavailable(log: Logger, thrown: unknown): void {
  const state = quiet.get(log) ?? { until: 0, unsaid: 0 };
  quiet.set(log, state);
  const now = performance.now();
  if (now < state.until) {
    state.unsaid += 1;
    return;
  }
  const { unsaid } = state;
  Object.assign(state, { until: now + LOG_EVERY_MS, unsaid: 0 });
  log.error({ why: String(thrown), unsaid }, 'database unavailable');
}

/** Logs a failure of the hub's own work: with its stack, unless the database was away. */
export function logFailure(
  log: Logger,
  thrown: unknown,
  failure: string,
  named: Readonly<Record<string, unknown>> = {},
): void {
  if (isUnavailable(thrown)) logUnavailable(log, thrown);
  else log.error({ err: thrown, ...named }, failure);
}
