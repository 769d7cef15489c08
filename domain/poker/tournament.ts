/**
 * Levels and prizes of a sit-and-go (choices poker.tables). Prizes add up to the buy-ins to the
 * unit. Levels go by hands, so a slow player buys no time and a replay is exact.
 */
export const STARTING_CHIPS = 1_500n;
export const HANDS_PER_LEVEL = 10;

export interface Blinds {
  readonly smallBlind: bigint;
  readonly bigBlind: bigint;
}

const BIG_BLINDS = [20, 30, 50, 100, 150, 200, 300, 400, 600, 800, 1200, 1600, 2000] as const;

export const LEVELS: readonly Blinds[] = BIG_BLINDS.map((big) => ({
  smallBlind: BigInt(big / 2),
  bigBlind: BigInt(big),
}));

/** Level of the n-th hand, both from 1. */
export function levelOf(n: number): number {
  return Math.floor((n - 1) / HANDS_PER_LEVEL) + 1;
}

/** After the table each blind grows by half to the next hundred. */
export function blindsOfLevel(level: number): Blinds {
  const listed = LEVELS[level - 1];
  if (listed !== undefined) return listed;
  let { smallBlind, bigBlind } = LEVELS[LEVELS.length - 1] ?? { smallBlind: 0n, bigBlind: 0n };
  for (let at = LEVELS.length; at < level && bigBlind < CHIPS_MAX; at += 1) {
    smallBlind = grown(smallBlind);
    bigBlind = grown(bigBlind);
  }
  return { smallBlind, bigBlind };
}

/** Above all the chips of a table a larger blind changes nothing. */
const CHIPS_MAX = STARTING_CHIPS * 9n;

function grown(blind: bigint): bigint {
  const raised = (blind * 3n + 1n) / 2n;
  return ((raised + 99n) / 100n) * 100n;
}

export interface PrizeRow {
  readonly seatsFrom: number;
  readonly seatsTo: number;
  /** Share of each place in basis points, the winner's first. */
  readonly bps: readonly number[];
}

export const PRIZES: readonly PrizeRow[] = [
  { seatsFrom: 2, seatsTo: 3, bps: [10_000] },
  { seatsFrom: 4, seatsTo: 6, bps: [6_500, 3_500] },
  { seatsFrom: 7, seatsTo: 9, bps: [5_000, 3_000, 2_000] },
];

/** Prizes by place from the buy-ins; floored, with the remainder to the best place. */
export function prizesOf(seats: number, pot: bigint): readonly bigint[] {
  const row = PRIZES.find(({ seatsFrom, seatsTo }) => seats >= seatsFrom && seats <= seatsTo);
  if (row === undefined) throw new RangeError(`no prizes for ${seats} seats`);
  const prizes = row.bps.map((share) => (pot * BigInt(share)) / 10_000n);
  const left = pot - prizes.reduce((sum, prize) => sum + prize, 0n);
  return prizes.map((prize, place) => (place === 0 ? prize + left : prize));
}

/** Who finished where; players of one entry share its places. */
export interface Finish {
  readonly seat: number;
  /** Best place, from 1; tied players have the same. */
  readonly place: number;
}

/**
 * Returns the places of the players who lost all chips in one hand, of `left` players before it. A
 * larger stack at the start of the hand is the better place, and equal stacks share theirs.
 */
export function bustPlaces(
  busted: readonly { readonly seat: number; readonly startStack: number }[],
  left: number,
): readonly Finish[] {
  return busted.map(({ seat, startStack }) => {
    const better = busted.filter((other) => other.startStack > startStack).length;
    return { seat, place: left - busted.length + better + 1 };
  });
}

/** Prizes by seat; tied seats share, with the remainder to the lower seat number. */
export function prizesBySeat(
  finishes: readonly Finish[],
  prizes: readonly bigint[],
): ReadonlyMap<number, bigint> {
  const won = new Map<number, bigint>();
  for (const place of new Set(finishes.map((each) => each.place))) {
    const tied = finishes
      .filter((each) => each.place === place)
      .map(({ seat }) => seat)
      .sort((a, b) => a - b);
    const shared = prizes.slice(place - 1, place - 1 + tied.length);
    const total = shared.reduce((sum, prize) => sum + prize, 0n);
    const count = BigInt(tied.length);
    for (const [nth, seat] of tied.entries()) {
      won.set(seat, total / count + (nth < Number(total % count) ? 1n : 0n));
    }
  }
  return won;
}
