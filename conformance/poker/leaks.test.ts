import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { act } from '../../domain/poker/act.ts';
import { legalMoves } from '../../domain/poker/betting.ts';
import { cardText } from '../../domain/poker/cards.ts';
import { applyClock } from '../../domain/poker/clock.ts';
import { instant } from '../../domain/instant.ts';
import { openTable } from '../../domain/poker/opening.ts';
import { Session, type TableEvent } from '../../domain/poker/session.ts';
import { sitDown } from '../../domain/poker/seating.ts';
import { seated, type Table } from '../../domain/poker/table.ts';
import { presentTable } from '../../handlers/poker/present.ts';
import { presentSeat } from '../../handlers/poker/present/seat.ts';
import { encode } from '../../workflows/kernel/encode.ts';
import { randomSource } from './peers/counts.ts';
import { dealFor } from '../../workflows/poker/cards.ts';
import { tableSecrets, type Dealer } from '../../workflows/poker/secrets.ts';

/**
 * Every answer about a table over a thousand hands, on the engine and the presenters alone: a card
 * that was not shown is in none of them, by value, by length or by order. Answers have no etag
 * (get.test.ts), so there is none to compare.
 */
const HANDS = 1_000;
const PLAYERS = 4;
const random = randomSource(1_009);

function dealer(): Dealer {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = { keyId: 'key:leaks', sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) };
  const keys = { current: () => key, find: () => key };
  // Among the keys of a hub only these two are asked for when cards are dealt.
  return { keys: keys as unknown as Dealer['keys'], random: (bytes) => randomBytes(bytes) };
}

/** The table that the same play has come to with other cards in the deck. */
function withOtherCards(hub: Dealer, table: Table): Table {
  const { dealt } = table;
  assert.ok(dealt !== undefined);
  return { ...table, dealt: { ...dealt, seed: tableSecrets(hub).fresh().seed } };
}

const CARD = /"([2-9TJQKA][cdhs])"/g;

function cardsIn(text: string): readonly string[] {
  return [...text.matchAll(CARD)].map(([, card = '']) => card);
}

/** An answer with every card that was shown taken out, so that only its shape is left. */
function masked(text: string): string {
  return text.replace(CARD, '"--"');
}

function shapeOf(value: unknown): string {
  return masked(JSON.stringify(value));
}

class Watched {
  readonly hub = dealer();
  events: TableEvent[] = [];
  table: Table;
  now = 1_800_000_000_000;
  answers = 0;

  constructor() {
    const terms = { format: 'cash' as const, seats: 6, bigBlind: 100n, creator: account(0) };
    const made = openTable(
      { ...terms, network: 'sandbox' as Table['network'], maxBuyIn: 10_000_000_000n },
      '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90',
      instant(this.now),
      tableSecrets(this.hub).fresh(),
    );
    assert.ok(!('refused' in made));
    this.table = made;
    for (let nth = 0; nth < PLAYERS; nth += 1) {
      this.change((session) => {
        const buyIn = 10_000_000_000n;
        const sat = sitDown(session, { account: account(nth), buyIn, party: [] });
        assert.ok(!('refused' in sat));
      });
    }
  }

  change(work: (session: Session) => void): void {
    const session = new Session(this.table, instant(this.now), tableSecrets(this.hub));
    applyClock(session, new Map());
    work(session);
    this.table = session.table;
    this.events = [...this.events, ...session.events].slice(-200);
  }

  /** Checks all that a visitor and each of the players can read now. */
  check(): void {
    const { hub, table, events } = this;
    const { dealt } = table;
    if (dealt === undefined) return;
    const inHand = events.filter(({ hand }) => hand === dealt.hand.n);
    const shown = new Set(inHand.flatMap((event) => event.cards ?? []));
    const since = { after: table.seq - inHand.length, events: inHand };
    const open = JSON.stringify(encode('PokerTable', presentTable(hub, table, since)));
    for (const card of cardsIn(open)) assert.ok(shown.has(card), `${card} is public`);
    this.answers += 1;
    // Length and order are those of any other deal, which reveals nothing of the cards.
    const isCompared = this.answers % 16 === 1;
    const other = withOtherCards(hub, table);
    if (isCompared)
      assert.equal(shapeOf(encode('PokerTable', presentTable(hub, other, since))), masked(open));
    for (const player of seated(table)) {
      const view = JSON.stringify(encode('PokerSeatView', presentSeat(hub, table, player, since)));
      const own = (dealFor(hub, table).holes.get(player.seat) ?? []).map(cardText);
      for (const card of cardsIn(view)) {
        assert.ok(shown.has(card) || own.includes(card), `${card} is seen by seat ${player.seat}`);
      }
      assert.ok(!view.includes('"seed"') && !view.includes(dealt.seed));
      if (isCompared)
        assert.equal(
          shapeOf(encode('PokerSeatView', presentSeat(hub, other, player, since))),
          masked(view),
        );
      this.answers += 1;
    }
  }

  move(): void {
    const { dealt } = this.table;
    if (dealt?.turn === undefined) {
      this.now += 1_000;
      this.change(() => undefined);
      return;
    }
    const { turn, hand } = dealt;
    const player = seated(this.table).find(({ seat }) => seat === turn.seat);
    assert.ok(player !== undefined);
    const legal = legalMoves(hand).filter(({ move }) => move !== 'allin' || random(8) === 0);
    const { move, minimum } = legal[random(legal.length)] ?? { move: 'fold' };
    this.change((session) => {
      const amount = minimum === undefined ? {} : { amount: BigInt(minimum) };
      const by = { account: player.account, token: turn.token, signatureDigest: '0'.repeat(64) };
      const acted = act(session, { ...by, move, ...amount });
      assert.ok(!('refused' in acted));
    });
  }
}

function account(nth: number): Table['creator'] {
  return `key:player${nth}` as Table['creator'];
}

describe('answers about a table', function suite() {
  this.timeout(120_000);
  it(`show no card that was not revealed, over ${HANDS} hands`, () => {
    let watched = new Watched();
    let [hands, answers] = [0, 0];
    for (let steps = 0; hands < HANDS; steps += 1) {
      const before = watched.table.hands;
      watched.move();
      const answered = watched.answers;
      watched.check();
      answers += watched.answers - answered;
      hands += watched.table.hands - before;
      // A player has lost all: the rest is played at a new table.
      if (seated(watched.table).length < PLAYERS || steps % 400 === 399) watched = new Watched();
      assert.ok(steps < HANDS * 100);
    }
    assert.ok(hands >= HANDS && answers > HANDS * PLAYERS);
  });
});
