import { readPause } from '../../db/operator/pause.ts';
import { readChain } from '../../db/time/pulses.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { chainState, wrongClock, type ChainState } from '../../workflows/index.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { readInTime } from './readInTime.ts';

/** One part of the hub; `since` and `reason` are there while it does not work. */
interface Part<State extends string> {
  readonly state: State;
  readonly since?: string;
  readonly reason?: string;
}

/** The state of this process, as `/healthz` answers it to pages (choices operator.state). */
export interface HubState {
  /** A page that reads another start looks for newer pages. */
  readonly startedAt: string;
  readonly money: Part<'moves' | 'frozen'>;
  readonly writes: Part<'accepted' | 'refused'>;
  readonly time: Part<'live' | 'stalled'>;
}

/** The database is read at most so often, however many pages ask. */
const SHARED_MS = 1_000;
const NO_WRITES = 'The database does not answer, or only reads.';
const NO_FILES = 'The disk takes no files.';
const WRONG_BOOKS = 'The books of this process do not balance, and people look at them.';

export function openHubState(hub: Hub): () => Promise<HubState> {
  const { clock, store, health } = hub;
  const startedAt = iso(clock.now());
  let refusedSince: Instant | undefined;
  let chain: ChainState = { state: 'live' };
  let pauseReason: string | undefined;
  let shared: { readonly at: number; readonly state: Promise<HubState> } | undefined;

  const read = async (): Promise<HubState> => {
    const found = await readInTime(hub, async (db) => ({
      pause: await readPause(db),
      chain: await readChain(db),
    }));
    const now = clock.now();
    if (found !== undefined) {
      pauseReason = found.pause?.reason;
      chain = chainState(now, found.chain, wrongClock(hub));
    }
    const fault = found === undefined ? NO_WRITES : health.takesFiles() ? undefined : NO_FILES;
    refusedSince = fault === undefined ? undefined : (refusedSince ?? now);
    const frozen = store.frozenSince();
    return {
      startedAt,
      money:
        frozen === undefined
          ? { state: 'moves' }
          : { state: 'frozen', since: iso(frozen), reason: pauseReason ?? WRONG_BOOKS },
      writes:
        fault === undefined || refusedSince === undefined
          ? { state: 'accepted' }
          : { state: 'refused', since: iso(refusedSince), reason: fault },
      time: chain.state === 'live' ? chain : { ...chain, since: iso(chain.since) },
    };
  };
  return () => {
    const at = clock.elapsedMs();
    if (shared === undefined || at - shared.at >= SHARED_MS) shared = { at, state: read() };
    return shared.state;
  };
}
