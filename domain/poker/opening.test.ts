import assert from 'node:assert/strict';
import { AMOUNT_MAX } from '../money.ts';
import { CASH, OPENED_AT, SNG } from './fixture.ts';
import { openTable, type NewTable, type Refused } from './opening.ts';
import type { Table } from './table.ts';

const FIRST = { seed: 'seed', commit: 'commit' };
const NINTH = AMOUNT_MAX / 9n;

const open = (wanted: NewTable): Table | Refused => openTable(wanted, 'id', OPENED_AT, FIRST);
const opened = (wanted: NewTable): Table => {
  const table = open(wanted);
  if ('refused' in table) throw new Error(table.why);
  return table;
};
const termsOf = (wanted: NewTable) => {
  const { name, blinds, minBuyIn, maxBuyIn, buyIn } = opened(wanted);
  return { name, blinds, minBuyIn, maxBuyIn, buyIn };
};

describe('a new table', () => {
  it('is open, empty and committed to the deck of its first hand', () => {
    assert.deepEqual(opened({ ...SNG, name: 'Late night' }), {
      engine: 1,
      id: 'id',
      format: 'sng',
      network: 'sandbox',
      creator: SNG.creator,
      seats: 3,
      name: 'Late night',
      buyIn: 10_000n,
      actSeconds: 30,
      createdAt: OPENED_AT,
      state: 'open',
      seq: 0,
      privateSeq: 0,
      players: [],
      hands: 0,
      nextSeed: 'seed',
      nextCommit: 'commit',
      refusals: [],
      everSat: false,
    });
    assert.equal(opened({ ...CASH, actSeconds: 5 }).actSeconds, 5);
  });

  it('has the usual blinds and buy-ins where its creator names none', () => {
    assert.deepEqual(termsOf({ ...CASH, bigBlind: 1_001n }), {
      name: "Hold'em 500/1001",
      blinds: { smallBlind: 500n, bigBlind: 1_001n },
      minBuyIn: 40_040n,
      maxBuyIn: 100_100n,
      buyIn: undefined,
    });
    const own = { smallBlind: 100n, minBuyIn: 100n, maxBuyIn: 100n, name: 'Even' };
    assert.deepEqual(termsOf({ ...CASH, ...own }), {
      name: 'Even',
      blinds: { smallBlind: 100n, bigBlind: 100n },
      minBuyIn: 100n,
      maxBuyIn: 100n,
      buyIn: undefined,
    });
  });

  it('is named by its terms when nothing of its name can be seen', () => {
    assert.equal(opened({ ...CASH, name: ' \u200b ' }).name, "Hold'em 50/100");
    assert.equal(opened({ ...SNG, name: '\u202e' }).name, 'Sit-and-go 10000');
    assert.equal(opened(SNG).name, 'Sit-and-go 10000');
  });

  it('takes the smallest and the largest stakes', () => {
    assert.equal(opened({ ...CASH, bigBlind: 2n }).blinds?.smallBlind, 1n);
    assert.equal(opened({ ...CASH, maxBuyIn: NINTH }).maxBuyIn, NINTH);
    assert.equal(opened({ ...SNG, buyIn: 1_000n }).buyIn, 1_000n);
    assert.equal(opened({ ...SNG, buyIn: NINTH }).buyIn, NINTH);
  });

  it('is refused with the field that is out of its bounds', () => {
    const over = NINTH + 1n;
    const most = `is at most ${NINTH}; got`;
    const cases: readonly (readonly [NewTable, Refused['refused'], string, string])[] = [
      [{ ...CASH, bigBlind: 1n }, 'below-minimum', 'bigBlind', 'The big blind is at least 2.'],
      [
        { ...CASH, smallBlind: 0n },
        'below-minimum',
        'smallBlind',
        'The small blind is at least 1.',
      ],
      [
        { ...CASH, smallBlind: 101n },
        'not-together',
        'smallBlind',
        'The small blind 101 is above the big blind.',
      ],
      [
        { ...CASH, minBuyIn: 99n },
        'not-together',
        'minBuyIn',
        'minBuyIn is at least one big blind; got 99.',
      ],
      [
        { ...CASH, minBuyIn: 10_001n },
        'not-together',
        'minBuyIn',
        'minBuyIn 10001 is above maxBuyIn 10000.',
      ],
      [
        { ...CASH, maxBuyIn: 3_999n },
        'not-together',
        'maxBuyIn',
        'minBuyIn 4000 is above maxBuyIn 3999.',
      ],
      [{ ...CASH, maxBuyIn: over }, 'buyin-range', 'maxBuyIn', `maxBuyIn ${most} ${over}.`],
      [
        { ...CASH, bigBlind: NINTH },
        'buyin-range',
        'bigBlind',
        `maxBuyIn ${most} ${NINTH * 100n}.`,
      ],
      [{ ...SNG, buyIn: 999n }, 'below-minimum', 'buyIn', 'The buy-in is at least 1000; got 999.'],
      [{ ...SNG, buyIn: over }, 'buyin-range', 'buyIn', `The buy-in ${most} ${over}.`],
    ];
    for (const [wanted, refused, field, why] of cases) {
      assert.deepEqual(open(wanted), { refused, why, field: `body.${field}` });
    }
  });
});
