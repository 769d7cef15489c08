import { createHash } from 'node:crypto';
import type { Account } from '../account.ts';
import { instant, type Instant } from '../instant.ts';
import { act, type Acted, type ActRefused } from './act.ts';
import { makeMove, startHand } from './betting.ts';
import { parseCards } from './cards.ts';
import type { Card } from './cards.ts';
import { applyClock } from './clock.ts';
import { dealt } from './hand.ts';
import type { Deal, Hand, HandEvent, HandStart, MoveName } from './hand.ts';
import type { Groups } from './linked.ts';
import { openTable, type NewTable } from './opening.ts';
import type { HandRecord } from './record.ts';
import { sitDown, standUp, type Refused, type SatDown, type SitDown } from './seating.ts';
import type { StoodUp } from './seating.ts';
import { Session, type EventKind, type PayOut, type Secrets, type TableEvent } from './session.ts';
import { commitTo } from './shuffle.ts';
import { playerOf, type SeatedPlayer, type Table } from './table.ts';

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
  const shown = [...Object.values(holes), board].flatMap(parseCards);
  const rest = Array.from({ length: 52 }, (_, card) => card).filter(
    (card) => !shown.includes(card),
  );
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

export const OPENED_AT = instant(Date.parse('2026-11-28T12:00:00.000Z'));
export const MINUTE = 60_000;
export const player = (nth: number): Account => `key:player${nth}` as Account;

export const CASH = {
  format: 'cash',
  creator: player(0),
  network: 'sandbox',
  seats: 6,
  bigBlind: 100n,
} as const;
export const SNG = {
  format: 'sng',
  creator: player(0),
  network: 'sandbox',
  seats: 3,
  buyIn: 10_000n,
} as const;

/** A table in memory whose clock the test moves. Seeds and tokens are numbered. */
export class Room {
  table: Table;
  now: Instant = OPENED_AT;
  readonly events: TableEvent[] = [];
  readonly payouts: PayOut[] = [];
  readonly records: HandRecord[] = [];
  private seeds = 1;
  private tokens = 0;
  private readonly secrets: Secrets = {
    open: seedOf,
    fresh: () => {
      const seed = `seed ${(this.seeds += 1)}`;
      return { seed, commit: commitTo(seedOf(seed)) };
    },
    token: () => `token ${(this.tokens += 1)}`,
  };

  constructor(wanted: NewTable) {
    const seed = 'seed 1';
    const opened = openTable(wanted, 'table', OPENED_AT, { seed, commit: commitTo(seedOf(seed)) });
    if ('refused' in opened) throw new Error(opened.why);
    this.table = opened;
  }

  run<T>(work: (session: Session) => T): T {
    const session = new Session(this.table, this.now, this.secrets);
    const outcome = work(session);
    this.table = session.table;
    this.events.push(...session.events);
    this.payouts.push(...session.payouts);
    this.records.push(...session.records);
    return outcome;
  }

  /** Lets time pass, and the clock do what is due then. */
  pass(ms: number, groups: Groups = new Map()): this {
    this.now = instant(this.now + ms);
    this.run((session) => {
      applyClock(session, groups);
    });
    return this;
  }

  sit(nth: number, over: Partial<SitDown> = {}): SatDown | Refused {
    return this.run((session) => sitDown(session, { account: player(nth), party: [], ...over }));
  }

  /** Seats the players 1, 2 and so on with these buy-ins, each at the seat of its number. */
  seat(...buyIns: readonly bigint[]): this {
    for (const [at, buyIn] of buyIns.entries()) {
      const sat = this.sit(at + 1, { buyIn, seat: at + 1 });
      if ('refused' in sat) throw new Error(sat.why);
    }
    return this;
  }

  leave(nth: number): StoodUp | Refused {
    return this.run((session) => standUp(session, player(nth), 'leave'));
  }

  /** The player whose turn it is. */
  get onTurn(): SeatedPlayer | undefined {
    const seat = this.table.dealt?.turn?.seat;
    return this.table.players.find((each) => each.seat === seat && each.state !== 'left');
  }

  /** A move of the player on turn, by its present token. */
  move(move: MoveName, amount?: bigint): Acted | ActRefused {
    const account = this.onTurn?.account ?? player(0);
    const token = this.table.dealt?.turn?.token ?? '';
    const sized = amount === undefined ? {} : { amount };
    return this.run((session) =>
      act(session, { account, token, move, ...sized, signatureDigest: 'signed' }),
    );
  }

  /** Makes the moves in order; throws on one that is refused. */
  play(...moves: readonly string[]): this {
    for (const text of moves) {
      const [name, amount] = text.split(' ');
      const made = this.move(name as MoveName, amount === undefined ? undefined : BigInt(amount));
      if ('refused' in made) throw new Error(`${text}: ${made.why}`);
    }
    return this;
  }

  of(nth: number): SeatedPlayer {
    const found = playerOf(this.table, player(nth));
    if (found === undefined) throw new Error(`player ${nth} does not sit here`);
    return found;
  }

  /** The kinds of events since the last call, with seats and amounts. */
  takeEvents(...kinds: readonly EventKind[]): readonly string[] {
    return this.events
      .splice(0)
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
      .map(({ kind, seat, amount }) => [kind, seat, amount].filter((each) => each !== undefined))
      .map((words) => words.join(' '));
  }
}

function seedOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}
