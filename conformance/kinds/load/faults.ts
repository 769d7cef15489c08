import { setTimeout as sleep } from 'node:timers/promises';
import { query, type RunningPostgres } from '../../harness/postgres.ts';
import type { LoadedHub } from './hubs.ts';
import type { Watch } from './watch.ts';

/** The faults of a run. The first hub dies only in the warm-up, so its memory can be measured. */
export interface FaultParts {
  readonly hubs: readonly LoadedHub[];
  readonly postgres: RunningPostgres | undefined;
  readonly watch: Watch;
  readonly warmUpMs: number;
  readonly durationMs: number;
}

type Run = (parts: FaultParts) => Promise<void>;

const EVERY_MS_MIN = 18_000;
const ROUNDS_OF_A_LONG_RUN = 48;
/** Nothing is broken so shortly before the end. */
const QUIET_MS = 20_000;
const DATABASE_DOWN_MS = 1_500;
const HUB_DOWN_MS = 300;
const STEP_MS = 20_000;
const STEPPED_FOR_MS = 12_000;

const restarted =
  (kind: 'kill' | 'end', which: 'first' | 'last'): Run =>
  async ({ hubs, watch }) => {
    const hub = which === 'first' ? hubs[0] : hubs.at(-1);
    if (hub === undefined) return;
    const end = watch.begin(kind, [hub.number]);
    await (kind === 'kill' ? hub.kill() : hub.end());
    await sleep(HUB_DOWN_MS);
    await hub.start();
    end();
  };

/** The clock of one hub goes wrong for a while; the other's, and those of its callers, do not. */
const stepped =
  (ms: number, which: 'first' | 'last'): Run =>
  async ({ hubs, watch }) => {
    const hub = which === 'first' ? hubs[0] : hubs.at(-1);
    if (hub === undefined) return;
    const end = watch.begin('clock', [hub.number]);
    hub.step(ms);
    await sleep(STEPPED_FOR_MS);
    hub.step(-ms);
    end();
  };

const databaseRestarted: Run = async ({ hubs, postgres, watch }) => {
  const end = watch.begin('database', numbersOf(hubs));
  await postgres?.restart(DATABASE_DOWN_MS);
  end();
};

const connectionsDropped: Run = async ({ hubs, postgres, watch }) => {
  if (postgres === undefined) return;
  const end = watch.begin('connections', numbersOf(hubs));
  await query(
    postgres.folder,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname LIKE 'test_%' AND pid <> pg_backend_pid()`,
  );
  end();
};

const numbersOf = (hubs: readonly LoadedHub[]): readonly number[] =>
  hubs.map(({ number }) => number);

/** Faults of the hub that may die, of the database, and of the clocks of both. */
const LASTING: readonly Run[] = [
  restarted('kill', 'last'),
  stepped(STEP_MS, 'first'),
  connectionsDropped,
  restarted('kill', 'last'),
  stepped(-STEP_MS, 'last'),
  databaseRestarted,
  restarted('end', 'last'),
  stepped(-STEP_MS, 'first'),
  restarted('kill', 'last'),
  stepped(STEP_MS, 'last'),
];
/** A hub alone is not killed while its memory is watched. */
const LASTING_ALONE: readonly Run[] = [stepped(STEP_MS, 'first'), stepped(-STEP_MS, 'first')];

/** Breaks things until the time is over; the answer waits for the end of the last. */
export async function makeFaults(parts: FaultParts): Promise<void> {
  const { hubs, durationMs, warmUpMs } = parts;
  const began = performance.now();
  const everyMs = Math.max(EVERY_MS_MIN, durationMs / ROUNDS_OF_A_LONG_RUN);
  const lasting = hubs.length > 1 ? LASTING : LASTING_ALONE;
  for (let round = 0; ; round += 1) {
    const next = began + (round + 1) * everyMs;
    if (next > began + durationMs - QUIET_MS) return;
    await sleep(Math.max(0, next - performance.now()));
    const isWarming = performance.now() < began + warmUpMs - everyMs;
    const run =
      isWarming && round % 2 === 0 ? restarted('kill', 'first') : lasting[round % lasting.length];
    await run?.(parts);
  }
}
