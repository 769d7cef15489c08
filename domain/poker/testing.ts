import { parseCards } from './cards.ts';
import type { Card } from './cards.ts';
import { makeMove, startHand } from './betting.ts';
import { dealt } from './hand.ts';
import type { Deal, Hand, HandEvent, HandStart, MoveName } from './hand.ts';

/** Hands written as text, for tests: `3:raise 300` is a move of seat 3. */
export interface Written {
  readonly blinds: readonly [number, number];
  /** Stacks of seats 1, 2, and so on; 0 is an empty seat. */
  readonly stacks: readonly number[];
  readonly button: number;
  readonly small?: number;
  readonly big: number;
  /** Hole cards by seat, and the board; any that are not said come from what is left. */
  readonly holes?: Readonly<Record<number, string>>;
  readonly board?: string;
}

export class Played {
  hand: Hand;
  readonly deal: Deal;
  readonly events: HandEvent[] = [];

  constructor(written: Written) {
    const stacks = written.stacks
      .map((stack, nth) => ({ seat: nth + 1, stack: stack }))
      .filter(({ stack }) => stack > 0n);
    this.deal = dealOf(
      written,
      stacks.map(({ seat }) => seat),
    );
    const start: HandStart = {
      n: 1,
      smallBlind: written.blinds[0],
      bigBlind: written.blinds[1],
      button: written.button,
      ...(written.small !== undefined && { smallBlindSeat: written.small }),
      bigBlindSeat: written.big,
      stacks,
    };
    const step = startHand(start, this.deal);
    this.hand = step.hand;
    this.events.push(...step.events);
  }

  /** Makes the moves in order; throws on one that is not legal. */
  play(...moves: readonly string[]): this {
    for (const text of moves) {
      const step = this.attempt(text);
      if (typeof step === 'string') throw new Error(`${text}: ${step}`);
    }
    return this;
  }

  attempt(text: string): string | undefined {
    const [, seat, move, amount] = /^(\d):(\w+)(?: (\d+))?$/.exec(text) ?? [];
    const step = makeMove(
      this.hand,
      {
        seat: Number(seat),
        move: move as MoveName,
        ...(amount !== undefined && { amount: Number(amount) }),
      },
      this.deal,
    );
    if ('illegal' in step) return step.illegal;
    this.hand = step.hand;
    this.events.push(...step.events);
    return undefined;
  }
}

function dealOf({ holes = {}, board = '', button }: Written, seats: readonly number[]): Deal {
  const said = [...Object.values(holes), board].flatMap(parseCards);
  const rest = Array.from({ length: 52 }, (_, card) => card).filter((card) => !said.includes(card));
  const plain = dealt(rest, seats, button);
  const named = Object.entries(holes).map(([seat, text]): [number, [Card, Card]] => {
    const [first = 0, second = 0] = parseCards(text);
    return [Number(seat), [first, second]];
  });
  const turned = parseCards(board);
  return {
    holes: new Map([...plain.holes, ...named]),
    board: turned.length === 5 ? turned : plain.board,
  };
}
