import type { Account, KeyId } from '../account.ts';
import { earliest, type Instant } from '../instant.ts';
import type { CommitmentId, Hold, Step } from '../ledger/transfer.ts';
import { atomic, type Atomic } from '../money.ts';
import { windowStart } from './policy.ts';

/**
 * A part of a hold that counts in the windows of one key, and the moment that it was counted at. Two
 * keys count the same money where one held it and the other decided that it is paid.
 */
export interface SpentPart {
  readonly keyId: KeyId;
  readonly at: Instant;
  readonly amount: Atomic;
}

/** A hold with more parts keeps one for each key, which gives back to the windows of the earliest. */
const PARTS_MAX = 32;

/** The parts of each key that lie within an amount, and the rest. What was counted first stays. */
export function splitParts(
  parts: readonly SpentPart[],
  amount: bigint,
): { readonly within: readonly SpentPart[]; readonly beyond: readonly SpentPart[] } {
  const within: SpentPart[] = [];
  const beyond: SpentPart[] = [];
  const room = new Map<KeyId, bigint>();
  for (const part of parts) {
    const left = room.get(part.keyId) ?? amount;
    const fits = part.amount < left ? part.amount : left;
    room.set(part.keyId, left - fits);
    if (fits > 0n) within.push({ ...part, amount: atomic(fits) });
    if (fits < part.amount) beyond.push({ ...part, amount: atomic(part.amount - fits) });
  }
  return { within, beyond };
}

/** Adds up the parts of a key that were counted in one hour, since they give back alike. */
export function mergedParts(parts: readonly SpentPart[]): readonly SpentPart[] {
  const hourly = mergedBy(parts, ({ keyId, at }) => `${keyId} ${windowStart('hour', at)}`);
  return hourly.length <= PARTS_MAX ? hourly : mergedBy(hourly, ({ keyId }) => keyId);
}

function mergedBy(
  parts: readonly SpentPart[],
  nameOf: (part: SpentPart) => string,
): readonly SpentPart[] {
  const merged = new Map<string, SpentPart>();
  for (const part of parts) {
    const name = nameOf(part);
    const { at = part.at, amount = 0n } = merged.get(name) ?? {};
    const sum = atomic(amount + part.amount);
    merged.set(name, { keyId: part.keyId, at: earliest(at, part.at), amount: sum });
  }
  return [...merged.values()];
}

export function sumOf(parts: readonly SpentPart[], keyId?: KeyId): bigint {
  const counted = keyId === undefined ? parts : parts.filter((part) => part.keyId === keyId);
  return counted.reduce((sum, { amount }) => sum + amount, 0n);
}

/** A hold before a transfer, with the parts that were counted when it was opened. */
export interface CountedHold {
  readonly account: Account;
  readonly remaining: bigint;
  readonly parts: readonly SpentPart[];
}

/** An amount that a step takes from an account: by a move, a hold, or a capture from a hold. */
export interface Taking {
  readonly step: Exclude<Step, { readonly verb: 'release' }>;
  readonly account: Account;
  readonly amount: bigint;
  /** The amount that this very transfer released in the account before, under any key. */
  readonly renewed: bigint;
  /** The parts that this money was counted by already. */
  readonly parts: readonly SpentPart[];
}

export interface Flow {
  readonly takings: readonly Taking[];
  /** The parts that came back to their accounts. */
  readonly returned: ReadonlyMap<Account, readonly SpentPart[]>;
}

/** Released money that the same transfer may hold or pay again. */
interface Pool {
  free: bigint;
  parts: readonly SpentPart[];
}

/**
 * Follows the parts of holds through a transfer. A hold that becomes another hold, or a payment,
 * keeps its parts; only what the transfer releases and takes no more comes back to the account.
 */
export function flowOf(
  steps: readonly Step[],
  holds: ReadonlyMap<CommitmentId, CountedHold>,
): Flow {
  const ending = new Ending(holds);
  const captures = steps.flatMap((step) => ending.apply(step));
  const { pools } = ending;
  const takings = steps.flatMap((step): readonly Taking[] => {
    if (step.verb !== 'move' && step.verb !== 'hold') return [];
    const account = step.verb === 'move' ? step.from : step.account;
    const pool = pools.get(account) ?? { free: 0n, parts: [] };
    const { within, beyond } = splitParts(pool.parts, step.amount);
    const renewed = step.amount < pool.free ? step.amount : pool.free;
    pools.set(account, { free: pool.free - renewed, parts: beyond });
    return [{ step, account, amount: step.amount, renewed, parts: within }];
  });
  const returned = [...pools].map(([account, { parts }]) => [account, parts] as const);
  return { takings: [...captures, ...takings], returned: new Map(returned) };
}

/** Works out the releases and captures of a transfer, in their order. */
class Ending {
  readonly pools = new Map<Account, Pool>();
  readonly #holds: ReadonlyMap<CommitmentId, CountedHold>;
  readonly #remaining = new Map<CommitmentId, bigint>();

  constructor(holds: ReadonlyMap<CommitmentId, CountedHold>) {
    this.#holds = holds;
  }

  apply(step: Step): readonly Taking[] {
    if (step.verb !== 'release' && step.verb !== 'capture') return [];
    const hold = this.#holds.get(step.commitment);
    if (hold === undefined) return [];
    const { account } = hold;
    if (step.verb === 'release') {
      const { amount, parts } = this.#reduce(step.commitment, hold, step.amount);
      const pool = this.pools.get(account) ?? { free: 0n, parts: [] };
      this.pools.set(account, { free: pool.free + amount, parts: [...pool.parts, ...parts] });
      return [];
    }
    const sum = step.to.reduce((total, { amount }) => total + amount, 0n);
    const { amount, parts } = this.#reduce(step.commitment, hold, sum);
    return [{ step, account, amount, renewed: 0n, parts }];
  }

  /** Takes an amount out of a hold, all that remains without one, and its parts with it. */
  #reduce(
    id: CommitmentId,
    hold: CountedHold,
    asked: bigint | undefined,
  ): { readonly amount: bigint; readonly parts: readonly SpentPart[] } {
    const before = this.#remaining.get(id) ?? hold.remaining;
    const amount = asked ?? before;
    this.#remaining.set(id, before - amount);
    const inIt = splitParts(hold.parts, before).within;
    return { amount, parts: splitParts(inIt, before - amount).beyond };
  }
}

/**
 * Returns what a key takes for the first time when its account decides on a step. A stake or a bet
 * that goes on was decided by the key that held it; the key that accepts decides on a payout.
 */
export function firstTaken({ step, amount, renewed, parts }: Taking, keyId: KeyId): bigint {
  const goesOn = step.verb === 'hold' && !DECIDED_AGAIN.includes(step.kind);
  const counted = goesOn ? renewed : sumOf(parts, keyId);
  return counted < amount ? amount - counted : 0n;
}

const DECIDED_AGAIN: readonly Hold['kind'][] = ['payout'];
