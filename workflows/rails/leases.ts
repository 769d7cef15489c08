import {
  holdsLease,
  readLease,
  releaseLeases,
  takeLease,
  type LeaseHolder,
} from '../../db/rails/leases.ts';
import type { Writer } from '../../db/store.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { perHub } from '../kernel/perHub.ts';
import { pause } from '../kernel/x402/pause.ts';

/**
 * Leases for what one process does at a time (choices rails.leases). A holder that does not renew
 * for six seconds of this process's own clock is dead, whatever either wall clock says.
 */
const DEAD_MS = 6_000;
const RENEWED_SECONDS = seconds(DEAD_MS / 1_000);

/** Longer than a dead holder is waited for. */
const LOOKS_MAX = 20;
const LOOK_EVERY_MS = 500;

/** Runs a transaction that commits only while the lease is held; otherwise throws `LeaseLost`. */
export type LeasedWrite = <T>(work: (tx: Writer) => Promise<T>) => Promise<T>;

/** Another process took the lease over. What it was held for is that process's work now. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

interface ObservedHolder extends LeaseHolder {
  /** When it was first seen so, in `elapsedMs`. */
  readonly sinceMs: number;
  /** It changed while this process watched, so its holder renews it. */
  readonly renews: boolean;
}

const stateOf = perHub((hub) => ({
  holder: hub.ids.uuid(),
  seen: new Map<string, ObservedHolder>(),
}));

export const watchLease = (network: NetworkId): string => `watch:${network}`;
export const walletLease = (network: NetworkId): string => `wallet:${network}`;

/** Takes or renews a lease. Returns its token, or undefined while another process holds it. */
async function tend(hub: Hub, name: string): Promise<number | undefined> {
  const { holder, seen } = stateOf(hub);
  const mine = { holder, untilAt: plus(hub.clock.now(), RENEWED_SECONDS) };
  const before = seen.get(name);
  const dead = before !== undefined && ageOf(hub, before) >= DEAD_MS ? before : undefined;
  const { token, other } = await hub.store.write(async (tx) => {
    const taken = await takeLease(tx, name, mine, dead);
    return { token: taken, other: taken === undefined ? await readLease(tx, name) : undefined };
  });
  if (other === undefined) {
    seen.delete(name);
  } else if (other.holder !== before?.holder || other.untilAt !== before.untilAt) {
    const renews = before !== undefined;
    seen.set(name, { ...other, sinceMs: hub.clock.elapsedMs(), renews });
  }
  return token;
}

function ageOf(hub: Hub, { sinceMs }: ObservedHolder): number {
  return hub.clock.elapsedMs() - sinceMs;
}

/** Does `work` if this process holds the lease, or can take it; ends it when the lease is lost. */
export async function withLease(
  hub: Hub,
  name: string,
  work: (write: LeasedWrite) => Promise<void>,
): Promise<void> {
  const token = await tend(hub, name);
  if (token === undefined) return;
  const { holder } = stateOf(hub);
  const write: LeasedWrite = (unit) =>
    hub.store.write(async (tx) => {
      if (!(await holdsLease(tx, name, holder, token))) throw new LeaseLost(name);
      return unit(tx);
    });
  try {
    await work(write);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    hub.log.warn({ lease: name }, 'another process took the lease over');
  }
}

/** Renews the leases of this process while their work runs, and takes those of dead holders. */
export async function tendLeases(hub: Hub): Promise<void> {
  for (const network of hub.chains.networks) {
    await tend(hub, watchLease(network));
    const { treasury } = await hub.chains.wallets(network);
    if (treasury !== undefined) await tend(hub, walletLease(network));
  }
}

/** Waits until a live process sends from the hot wallet. Returns false if none does in time. */
export async function walletIsTended(hub: Hub, network: NetworkId): Promise<boolean> {
  const name = walletLease(network);
  for (let look = 1; ; look += 1) {
    if ((await tend(hub, name)) !== undefined) return true;
    const other = stateOf(hub).seen.get(name);
    if (other?.renews === true && ageOf(hub, other) < DEAD_MS) return true;
    if (look >= LOOKS_MAX) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/** At a clean stop, so that the next process starts at once. */
export async function endLeases(hub: Hub): Promise<void> {
  if (hub.chains.networks.length === 0) return;
  try {
    await hub.store.write((tx) => releaseLeases(tx, stateOf(hub).holder));
  } catch (error) {
    logFailure(hub.log, error, 'leases were not released; they end by themselves');
  }
}
