import type { Instant } from '../../domain/instant.ts';
import { instant } from '../../domain/instant.ts';
import { dueAt } from '../../domain/poker/clock.ts';
import type { Table } from '../../domain/poker/table.ts';
import type { Hub } from '../kernel/hub.ts';
import { lookAt, tableTopic, type Seen } from './commit.ts';

/** How a reader waits for a table: nothing is kept of it, and its cursor never moves by reading. */
export interface Watch {
  readonly after?: number | undefined;
  /** Seconds. */
  readonly wait: number;
  readonly gone: AbortSignal;
}

/** Timers may ring a little early. */
const TIMER_SLACK_MS = 5;

/** A notification of another process may be lost, so a reader also looks by itself. */
const LOOK_MS = 2_000;

/**
 * The table once `moved` says so, or when the wait is over. It wakes for every commit of the table
 * and when the table's own clock runs out, so it needs no job.
 */
export async function watchTable(
  hub: Hub,
  id: string,
  { after, wait, gone }: Watch,
  moved: (table: Table, first: Table) => boolean,
): Promise<Seen> {
  const until = instant(hub.clock.now() + wait * 1000);
  let rest = wait * 1000;
  let first: Table | undefined;
  for (;;) {
    const published = hub.notifier.published(tableTopic(id));
    const seen = await lookAt(hub, id, after);
    const { table } = seen;
    first ??= table;
    const left = Math.min(until - hub.clock.now(), rest);
    if (after === undefined || left <= 0 || gone.aborted || moved(table, first)) return seen;
    const due: Instant | undefined = dueAt(table);
    const ms = due === undefined ? left : Math.min(left, Math.max(due - hub.clock.now(), 1));
    const sleep = Math.min(ms, LOOK_MS);
    const began = performance.now();
    const rang = await hub.notifier.wait(tableTopic(id), published, sleep, gone);
    if (rang) continue;
    rest -= sleep;
    // A wait that ended before its time was ended from outside: the hub shuts down.
    if (performance.now() - began + TIMER_SLACK_MS < sleep) return lookAt(hub, id, after);
  }
}
