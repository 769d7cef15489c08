import { createHash, createHmac } from 'node:crypto';
import { DECK_SIZE, type Card } from './cards.ts';
import { canonical } from '../json.ts';

/**
 * `deck v1` (choices poker.shuffle): a committed shuffle that every client can repeat. The hub
 * commits to a seed before the hand that feeds the entropy ends; seed and entropy together give the
 * key, and the key gives the deck without bias. spec/BYTES.md has every byte.
 */
export const DECK_VERSION = 1;
export const SEED_BYTES = 32;

const COMMIT_PREFIX = 'hub/poker/commit/v1|';
const DECK_PREFIX = 'hub/poker/deck/v1|';
const WORDS = 2 ** 32;

export function commitTo(seed: Uint8Array): string {
  return createHash('sha256').update(COMMIT_PREFIX).update(seed).digest('hex');
}

/** Digest of what the players did after the commitment; of the seats for the first hand. */
export function entropyOf(publicRecord: unknown): string {
  return createHash('sha256').update(canonical(publicRecord)).digest('hex');
}

export interface Draw {
  readonly seed: Uint8Array;
  readonly tableId: string;
  readonly n: number;
  /** 64 hex characters. */
  readonly entropy: string;
}

export function deckKey({ seed, tableId, n, entropy }: Draw): Uint8Array {
  return createHmac('sha256', seed).update(`${DECK_PREFIX}${tableId}|${n}|${entropy}`).digest();
}

/** The deck in the order in which it is dealt. */
export function shuffledDeck(key: Uint8Array): readonly Card[] {
  return shuffled(
    key,
    Array.from({ length: DECK_SIZE }, (_, card) => card),
  );
}

/** Fisher-Yates over a stream of HMAC blocks; a word that would bias the choice is passed over. */
function shuffled<T>(key: Uint8Array, items: readonly T[]): readonly T[] {
  const mixed = [...items];
  const next = words(key);
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const choices = last + 1;
    const limit = Math.floor(WORDS / choices) * choices;
    let word = next();
    while (word >= limit) word = next();
    const other = word % choices;
    const [mine, theirs] = [mixed[last], mixed[other]];
    if (mine === undefined || theirs === undefined) throw new RangeError('a place is in the list');
    mixed[last] = theirs;
    mixed[other] = mine;
  }
  return mixed;
}

function words(key: Uint8Array): () => number {
  let block = Buffer.alloc(0);
  let blocks = 0;
  let at = 0;
  return () => {
    if (at === block.length) {
      const count = Buffer.alloc(4);
      count.writeUInt32BE(blocks);
      block = createHmac('sha256', key).update(count).digest();
      blocks += 1;
      at = 0;
    }
    at += 4;
    return block.readUInt32BE(at - 4);
  };
}

/** Which of `count` occupied seats, in ascending order, has the button of the first hand. */
export function firstButton(key: Uint8Array, count: number): number {
  return createHmac('sha256', key).update('button').digest().readUInt32BE(0) % count;
}

/** Draws the seats of a tournament: the players, in the order in which they sat down, mixed. */
export function drawnSeats<T>(key: Uint8Array, players: readonly T[]): readonly T[] {
  return shuffled(createHmac('sha256', key).update('seats').digest(), players);
}
