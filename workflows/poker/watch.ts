import type { Instant } from '../../domain/instant.ts';
import { instant } from '../../domain/instant.ts';
import { dueAt } from '../../domain/poker/clock.ts';
import type { Table } from '../../domain/poker/table.ts';
import type { Hub } from '../../server/hub/hub.ts';
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
  let first: Table | undefined;
  for (;;) {
    const published = hub.notifier.published(tableTopic(id));
    const seen = await lookAt(hub, id, after);
    const { table } = seen;
    first ??= table;
    const left = until - hub.clock.now();
    if (after === undefined || left <= 0 || gone.aborted || moved(table, first)) return seen;
    const due: Instant | undefined = dueAt(table);
    const sleep = due === undefined ? left : Math.min(left, Math.max(due - hub.clock.now(), 1));
    const rang = await hub.notifier.wait(tableTopic(id), published, sleep, gone);
    // A wait that ended before anything was due was ended from outside: the hub shuts down.
    const ranOut = due !== undefined && hub.clock.now() + TIMER_SLACK_MS >= due;
    if (!rang && !ranOut) return lookAt(hub, id, after);
  }
}
