import { createHmac } from 'node:crypto';
import { sha256 } from './digest.ts';

/**
 * The verifiable draw of judges and arbiters (choices validators.draw). Invariant: the order
 * follows from seed and pool alone, the seed from a random that the head pulse committed to and
 * only the next one shows: the hub cannot choose it, no party foresees it, all can repeat it.
 */
export interface Candidate {
  readonly account: string;
  /** Above zero. */
  readonly weight: bigint;
  /** Candidates of one group are linked; a draw has at most one of them. */
  readonly group: string;
}

export interface DrawPlace {
  /** The 32 bytes that the next pulse shows, in hex. */
  readonly random: string;
  readonly taskId: string;
  readonly attemptId: string;
  /** From 1; a draw that is made again is another one. */
  readonly round: number;
}

/** Linear in the stake: splitting one over many keys gains nothing. A free seat is light. */
const WEIGHT_MIN = 1_000n;

export function weightOf(stake: bigint): bigint {
  return stake > WEIGHT_MIN ? stake : WEIGHT_MIN;
}

export function drawSeed(kind: 'panel' | 'arbiter', place: DrawPlace): Uint8Array {
  const { random, taskId, attemptId, round } = place;
  return sha256(`hub/draw/v1|${kind}|${random}|${taskId}|${attemptId}|${round}`);
}

/**
 * Returns the pool in the order drawn. Pick k, from 0, is HMAC-SHA256(seed, u32be(k)) as a
 * big-endian number modulo the weight that is left, walked along the account names in the order of
 * their code units. A pick leaves the pool with all of its group.
 */
export function drawOrder<T extends Candidate>(seed: Uint8Array, pool: readonly T[]): readonly T[] {
  let left = [...pool].sort((a, b) => (a.account < b.account ? -1 : 1));
  const order: T[] = [];
  while (left.length > 0) {
    const picked = pick(seed, order.length, left);
    order.push(picked);
    left = left.filter(({ group }) => group !== picked.group);
  }
  return order;
}

function pick<T extends Candidate>(seed: Uint8Array, k: number, pool: readonly T[]): T {
  const total = pool.reduce((sum, { weight }) => sum + weight, 0n);
  let left = numberOf(seed, k) % total;
  for (const candidate of pool) {
    if (left < candidate.weight) return candidate;
    left -= candidate.weight;
  }
  throw new RangeError('a weight in the pool is not above zero');
}

function numberOf(seed: Uint8Array, k: number): bigint {
  const message = Buffer.alloc(4);
  message.writeUInt32BE(k);
  return BigInt(`0x${createHmac('sha256', seed).update(message).digest('hex')}`);
}
