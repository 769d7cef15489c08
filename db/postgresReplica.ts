import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPool, type PostgresConnection } from './postgresConnection.ts';
import { leasesOf, type Lease } from './postgresLeases.ts';
import { openNodes } from './postgresNodes.ts';
import { openSockets } from './postgresSilence.ts';

/** A replica for reads; used only while it has everything that the leader had `lagMsMax` ago. */
export interface Replica {
  /** Reads from the replica, or undefined while it lags or is away. */
  lease(): Lease | undefined;
  /** Leaves the replica until it has shown again how far it is: a read of it failed. */
  leave(): void;
  close(): Promise<void>;
}

export interface ReplicaParts {
  readonly url: string;
  readonly connections: number;
  readonly lagMsMax: number;
  readonly leader: Lease;
  readonly report: (error: unknown) => void;
}

const LOOK_MS = 250;
const SILENT_MS_MAX = 3_000;
/** Moments that are remembered while a replica lags; it catches up with one of them. */
const SAMPLES_MAX = 400;
/** The position in the log: what a leader wrote, and what a replica shows. */
const POSITION = `SELECT (
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END
  - '0/0')::text AS at`;

interface Sample {
  readonly ms: number;
  readonly at: bigint;
}

export function openReplica(parts: ReplicaParts): Replica {
  const { url, connections, lagMsMax, leader, report } = parts;
  const sockets = openSockets();
  const pool = postgresPool(url, connections, report, sockets.open);
  const reading = leasesOf(pool, openNodes(url), [], () => Promise.resolve());
  const stopped = new AbortController();
  const samples: Sample[] = [];
  /** Everything that was committed by then is shown by the replica. */
  let completeTo = -Infinity;
  let isAway = false;
  const look = async (): Promise<void> => {
    const ms = performance.now();
    samples.push({ ms, at: await positionOf(leader) });
    if (samples.length > SAMPLES_MAX) samples.shift();
    const shown = await positionOf(reading);
    const count = samples.findLastIndex(({ at }) => at <= shown) + 1;
    completeTo = Math.max(completeTo, samples.splice(0, count).at(-1)?.ms ?? completeTo);
  };
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      // A read that waits for a replica that sends nothing more fails, and the leader answers it.
      const silence = setTimeout(() => sockets.destroy(), SILENT_MS_MAX);
      await look().then(
        () => (isAway = false),
        (error: unknown) => {
          // Said once: the leader serves what the replica does not.
          if (!isAway) report(error);
          isAway = true;
        },
      );
      clearTimeout(silence);
      await sleep(LOOK_MS, undefined, { signal: stopped.signal, ref: false }).catch(
        () => undefined,
      );
    }
  };
  const watching = watch();
  return {
    lease: () => (performance.now() - completeTo <= lagMsMax ? reading : undefined),
    leave: () => void (completeTo = -Infinity),
    async close() {
      stopped.abort();
      await watching;
      await pool.end();
    },
  };
}

async function positionOf(lease: Lease): Promise<bigint> {
  const { rows } = await lease(({ knex }: PostgresConnection) =>
    knex.raw<{ readonly rows: readonly { readonly at: string }[] }>(POSITION),
  );
  return BigInt(rows[0]?.at ?? 0);
}
