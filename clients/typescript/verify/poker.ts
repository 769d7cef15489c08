import { canonical } from '../../../domain/json.ts';
import { webCrypto, type VerifyCrypto } from './crypto.ts';
import { bestOf, RANKS, SUITS } from './pokerHands.ts';

/** Checks a hand without the hub (spec/BYTES.md, deck v1): shuffle, cards, pots and winners. */
export interface PokerHand {
  readonly n: number;
  readonly seed: string;
  readonly commit: string;
  readonly entropy: string;
  readonly voided: boolean;
  readonly button: number;
  readonly sat?: readonly { readonly seat: number; readonly account: string }[];
  readonly players: readonly {
    readonly seat: number;
    readonly account: string;
    readonly startStack: string;
    readonly endStack: string;
  }[];
  readonly cards: {
    readonly board: readonly string[];
    readonly holes: readonly { readonly seat: number; readonly cards: readonly string[] }[];
  };
  readonly actions: readonly {
    readonly seat: number;
    readonly street: string;
    readonly move: string;
    readonly bet: string;
  }[];
  readonly pots: readonly {
    readonly amount: string;
    readonly eligible: readonly number[];
    readonly winners: readonly { readonly seat: number; readonly amount: string }[];
  }[];
  readonly results: readonly unknown[];
}
export type PokerFault = 'commit' | 'entropy' | 'deal' | 'pots' | 'winners' | 'stacks';
export type PokerVerdict =
  | { readonly ok: true; readonly hands: number }
  | { readonly ok: false; readonly n: number; readonly fault: PokerFault; readonly says: string };

type Sha256 = VerifyCrypto['sha256'];
const text = new TextEncoder();

/** Hands of a table in order. The entropy of the first is only checked if it is hand 1. */
export async function verifyHands(
  tableId: string,
  hands: readonly PokerHand[],
  { sha256 }: Pick<VerifyCrypto, 'sha256'> = webCrypto,
): Promise<PokerVerdict> {
  let before: PokerHand | undefined;
  for (const hand of hands) {
    const fault =
      (await faultOfShuffle(tableId, hand, before, sha256)) ??
      (hand.voided ? faultOfVoid(hand) : faultOfPots(hand));
    if (fault !== undefined) return { ok: false, n: hand.n, ...fault };
    before = hand;
  }
  return { ok: true, hands: hands.length };
}

interface Fault {
  readonly fault: PokerFault;
  readonly says: string;
}

async function faultOfShuffle(
  tableId: string,
  hand: PokerHand,
  before: PokerHand | undefined,
  sha256: Sha256,
): Promise<Fault | undefined> {
  const seed = bytesOf(hand.seed);
  const commit = await sha256(join(text.encode('hub/poker/commit/v1|'), seed));
  if (hexOf(commit) !== hand.commit) {
    return { fault: 'commit', says: 'The seed is not the one that was committed to.' };
  }
  const fed = before ?? (hand.n === 1 ? hand : undefined);
  if (before !== undefined && before.n + 1 !== hand.n) {
    return { fault: 'entropy', says: `Hand ${hand.n} does not follow hand ${before.n}.` };
  }
  if (fed !== undefined) {
    const { actions, players, results } = fed;
    const record = fed === hand ? (hand.sat ?? []) : { actions, players, results };
    const entropy = hexOf(await sha256(text.encode(canonical(record))));
    if (entropy !== hand.entropy) {
      return { fault: 'entropy', says: 'The entropy is not the digest of what went before.' };
    }
  }
  const label = `hub/poker/deck/v1|${tableId}|${hand.n}|${hand.entropy}`;
  const deck = await deckOf(await hmac(seed, text.encode(label), sha256), sha256);
  return faultOfDeal(hand, deck);
}

function faultOfDeal(hand: PokerHand, deck: readonly string[]): Fault | undefined {
  const seats = clockwise(
    hand.players.map(({ seat }) => seat),
    hand.button,
  );
  for (const [nth, seat] of seats.entries()) {
    const wanted = [deck[nth], deck[seats.length + nth]].join(' ');
    const got = hand.cards.holes.find((each) => each.seat === seat)?.cards.join(' ');
    if (got !== wanted) return { fault: 'deal', says: `Seat ${seat} was dealt ${wanted}.` };
  }
  const from = 2 * seats.length;
  const board = deck.slice(from, from + hand.cards.board.length).join(' ');
  if (board === hand.cards.board.join(' ')) return undefined;
  return { fault: 'deal', says: `The board was ${board}.` };
}

function faultOfVoid({ players }: PokerHand): Fault | undefined {
  const moved = players.find(({ startStack, endStack }) => startStack !== endStack);
  if (moved === undefined) return undefined;
  return { fault: 'stacks', says: `Seat ${moved.seat} won or lost in a hand that was cancelled.` };
}

function faultOfPots(hand: PokerHand): Fault | undefined {
  const paid = contributions(hand);
  const folded = new Set(
    hand.actions.filter(({ move }) => move === 'fold').map(({ seat }) => seat),
  );
  const all = [...paid.values()].reduce((sum, chips) => sum + chips, 0n);
  const inPots = hand.pots.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (all !== inPots) return { fault: 'pots', says: `${all} went in and the pots are ${inPots}.` };
  const won = new Map<number, bigint>();
  for (const pot of hand.pots) {
    const fault = faultOfWinners(hand, pot, folded);
    if (fault !== undefined) return fault;
    for (const { seat, amount } of pot.winners) {
      won.set(seat, (won.get(seat) ?? 0n) + BigInt(amount));
    }
  }
  for (const { seat, startStack, endStack } of hand.players) {
    const end = BigInt(startStack) - (paid.get(seat) ?? 0n) + (won.get(seat) ?? 0n);
    if (end !== BigInt(endStack))
      return { fault: 'stacks', says: `Seat ${seat} ends with ${end}.` };
  }
  return undefined;
}

function faultOfWinners(
  { cards, button }: PokerHand,
  { amount, eligible, winners }: PokerHand['pots'][number],
  folded: ReadonlySet<number>,
): Fault | undefined {
  if (eligible.some((seat) => folded.has(seat))) {
    return { fault: 'pots', says: 'A seat that folded could win a pot.' };
  }
  const worth = (seat: number): number => {
    if (eligible.length === 1) return 0;
    const hole = cards.holes.find((each) => each.seat === seat)?.cards ?? [];
    return bestOf([...hole, ...cards.board]);
  };
  const best = Math.max(...eligible.map(worth));
  const right = clockwise(
    eligible.filter((seat) => worth(seat) === best),
    button,
  );
  const count = BigInt(right.length);
  const odd = Number(BigInt(amount) % count);
  const shares = right.map((seat, nth) => [seat, BigInt(amount) / count + (nth < odd ? 1n : 0n)]);
  const got = new Map(winners.map((winner) => [winner.seat, BigInt(winner.amount)]));
  const same =
    got.size === shares.length && shares.every(([seat, part]) => got.get(Number(seat)) === part);
  if (same) return undefined;
  return { fault: 'winners', says: `A pot of ${amount} goes to seats ${right.join(', ')}.` };
}

/** Returns the contribution of each seat, without the unmatched part of a street. */
function contributions({ actions }: PokerHand): ReadonlyMap<number, bigint> {
  const streets = new Map<string, Map<number, bigint>>();
  for (const { seat, street, bet } of actions) {
    const bets = streets.get(street) ?? new Map<number, bigint>();
    streets.set(street, bets.set(seat, BigInt(bet)));
  }
  const paid = new Map<number, bigint>();
  for (const bets of streets.values()) {
    const [top = 0n, second = 0n] = [...bets.values()].sort((a, b) => (a < b ? 1 : -1));
    for (const [seat, bet] of bets) {
      const part = bet === top && top > second ? second : bet;
      paid.set(seat, (paid.get(seat) ?? 0n) + part);
    }
  }
  return paid;
}

function clockwise(seats: readonly number[], position: number): readonly number[] {
  const sorted = [...seats].sort((a, b) => a - b);
  return [
    ...sorted.filter((seat) => seat > position),
    ...sorted.filter((seat) => seat <= position),
  ];
}

/** Fisher-Yates over a stream of HMAC blocks, words that would bias the choice passed over. */
async function deckOf(key: Uint8Array, sha256: Sha256): Promise<readonly string[]> {
  const deck = Array.from(
    { length: 52 },
    (_, card) => RANKS.charAt(card % 13) + SUITS.charAt(Math.floor(card / 13)),
  );
  const words: number[] = [];
  let blocks = 0;
  for (let last = 51; last > 0; last -= 1) {
    const limit = Math.floor(2 ** 32 / (last + 1)) * (last + 1);
    let word = limit;
    while (word >= limit) {
      if (words.length === 0) {
        const count = new Uint8Array(4);
        new DataView(count.buffer).setUint32(0, blocks);
        const block = await hmac(key, count, sha256);
        const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
        for (let at = 0; at < block.length; at += 4) words.push(view.getUint32(at));
        blocks += 1;
      }
      word = words.shift() ?? limit;
    }
    const other = word % (last + 1);
    const [mine = '', theirs = ''] = [deck[last], deck[other]];
    deck[last] = theirs;
    deck[other] = mine;
  }
  return deck;
}

async function hmac(key: Uint8Array, message: Uint8Array, sha256: Sha256): Promise<Uint8Array> {
  const padded = new Uint8Array(64);
  padded.set(key.length > 64 ? await sha256(key) : key);
  const inner = await sha256(
    join(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
