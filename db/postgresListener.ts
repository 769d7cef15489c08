import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { clientConfig, isPooled } from './postgresConnection.ts';
import { mustTakeWrites, openNodes } from './postgresNodes.ts';
import { CHANNEL } from './postgresSender.ts';
import { SILENT_MS_MAX, watchSilence, type Sockets } from './postgresSilence.ts';

const RECONNECT_MS = 1_000;
const PROBE_MS = 2_000;

/** A pooler in transaction mode: the connection that listens is another one a moment later. */
class NotificationsLost extends Error {
  override readonly name = 'NotificationsLost';

  constructor() {
    super('the pooler does not pass on notifications');
  }
}

export interface PostgresListener {
  close(): Promise<void>;
}

export interface Silence {
  readonly sockets: Sockets;
  readonly onSilence: (node: string) => void;
}

/**
 * A connection that only listens; it misses notifications while it reconnects: no wait needs one.
 * @param notify Sends a notification with a payload on another connection.
 * @throws NotificationsLost when a pooler stands between that loses them.
 */
export async function openListener(
  url: string,
  { sockets, onSilence }: Silence,
  onNotification: (notification: pg.Notification) => void,
  notify: (payload: string) => Promise<unknown>,
  report: (error: unknown) => void,
): Promise<PostgresListener> {
  const nodes = openNodes(url);
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    for (let failed = 1; ; failed += 1) {
      try {
        return await openAt(nodes.current());
      } catch (error) {
        if (failed >= nodes.count) throw error;
      }
    }
  };
  const openAt = async (node: string): Promise<void> => {
    const next = new pg.Client(clientConfig(node, sockets.open));
    next.on('error', report);
    try {
      await next.connect();
      await mustTakeWrites(next);
      await next.query(`LISTEN ${CHANNEL}`);
      if (await isPooled(next)) await mustReceive(next, notify);
    } catch (error) {
      nodes.leave(node);
      await next.end().catch(() => undefined);
      throw error;
    }
    next.on('notification', onNotification);
    next.on('end', reopenLater);
    watchSilence(next, () => {
      report(new Error(`PostgreSQL did not answer for ${SILENT_MS_MAX / 1_000} s`));
      nodes.rest(node);
      onSilence(node);
      sockets.destroy();
    });
    client = next;
    if (closed) await next.end();
  };
  const reopenLater = (): void => {
    if (closed) return;
    retry = setTimeout(() => {
      open().catch((error: unknown) => {
        report(error);
        reopenLater();
      });
    }, RECONNECT_MS);
    retry.unref();
  };
  await open();
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/** @throws NotificationsLost when a notification of another connection does not arrive in time. */
async function mustReceive(
  client: pg.Client,
  notify: (payload: string) => Promise<unknown>,
): Promise<void> {
  const probe = `probe ${randomUUID()}`;
  let timer: NodeJS.Timeout | undefined;
  const received = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new NotificationsLost()), PROBE_MS);
    client.on('notification', ({ payload }) => {
      if (payload === probe) resolve();
    });
  });
  received.catch(() => undefined);
  try {
    await notify(probe);
    await received;
  } finally {
    clearTimeout(timer);
    client.removeAllListeners('notification');
  }
}
