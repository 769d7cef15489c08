import { clockwiseFrom } from './hand.ts';

/**
 * The dead button (TDA 32, choices poker.blinds). Invariant: the big blind moves to the next player
 * every hand, so no player pays it twice running and none is passed over. The small blind and the
 * button follow it, even to seats that are empty by now.
 */
export interface Positions {
  readonly button: number;
  /** Absent when the small blind is dead. */
  readonly smallBlindSeat?: number;
  readonly bigBlindSeat: number;
  /** Position of the small blind, dead or not: where the button goes next. */
  readonly smallBlindPosition: number;
  /** The seats that are dealt in, ascending. */
  readonly players: readonly number[];
}

export interface Before {
  readonly smallBlindPosition: number;
  readonly bigBlindSeat: number;
}

/** The first hand: the button is drawn among the players. */
export function firstPositions(players: readonly number[], nth: number): Positions {
  const sorted = [...players].sort((a, b) => a - b);
  const button = sorted[nth];
  if (button === undefined || sorted.length < 2) throw new RangeError('a hand needs two players');
  const order = clockwiseFrom(sorted, button);
  const [small, big] = sorted.length === 2 ? [button, order[0]] : order;
  if (small === undefined || big === undefined) throw new RangeError('a hand needs two players');
  return {
    button,
    smallBlindSeat: small,
    bigBlindSeat: big,
    smallBlindPosition: small,
    players: sorted,
  };
}

/** `ready` are at least two; a waiting seat is dealt in when the big blind reaches it. */
export function nextPositions(
  before: Before,
  ready: readonly number[],
  waiting: readonly number[],
): Positions {
  const big = clockwiseFrom([...ready, ...waiting], before.bigBlindSeat)[0];
  if (big === undefined) throw new RangeError('a hand needs two players');
  const players = [...new Set([...ready, big])].sort((a, b) => a - b);
  if (players.length < 2) throw new RangeError('a hand needs two players');
  if (players.length === 2) {
    const button = players.find((seat) => seat !== big) ?? big;
    return {
      button,
      smallBlindSeat: button,
      bigBlindSeat: big,
      smallBlindPosition: button,
      players,
    };
  }
  const position = before.bigBlindSeat;
  const posts = ready.includes(position) && position !== big;
  return {
    button: before.smallBlindPosition,
    ...(posts && { smallBlindSeat: position }),
    bigBlindSeat: big,
    smallBlindPosition: position,
    players,
  };
}
