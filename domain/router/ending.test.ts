import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { atomic } from '../money.ts';
import type { Price } from '../registry/listing.ts';
import {
  afterQuote,
  attemptEnd,
  chargeOf,
  graver,
  isFault,
  outcomeOf,
  sayEnding,
  sayPaidEnding,
  type Ending,
} from './ending.ts';
import type { Priced, Purse } from './price.ts';
import type { UpstreamReceipt } from './receipt.ts';

const OWNER = 'key:owner' as Account;
const CALLER = 'key:caller' as Account;
const PURSE: Purse = { caller: CALLER, network: 'sandbox', maxPrice: atomic(7n) };
const HELD: Priced = { owner: OWNER, refunds: 'output-schema' };

function usdc(amount: bigint, network?: string): Price {
  return { amount: atomic(amount), asset: 'USDC', ...(network !== undefined && { network }) };
}

describe('router live quotes (choices router.quotes)', () => {
  const sofar = (held: bigint, over: { offered?: boolean; retried?: boolean } = {}) => ({
    held: atomic(held),
    offered: false,
    retried: false,
    ...over,
  });
  const offered = { offered: true };

  it('are tried once more with the quoted amount held', () => {
    const [quote, again] = [usdc(7n, 'base-sepolia'), { retryAt: 7n }];
    assert.deepEqual(afterQuote(quote, HELD, PURSE, sofar(0n)), again);
    // The same amount was held before the first call, and the agent did not know of it.
    assert.deepEqual(afterQuote(quote, HELD, PURSE, sofar(7n)), again);
    assert.deepEqual(afterQuote(quote, HELD, PURSE, sofar(6n, offered)), again);
    assert.deepEqual(afterQuote(usdc(0n), HELD, PURSE, sofar(7n)), { retryAt: 0n });
  });

  it('are prices that no call pays, if they are above the limit or in other money', () => {
    const noPrice = 'It asked for payment and named no price in USDC.';
    const dear = 'It asks 8 atomic USDC; maxPrice is 7.';
    const real = 'It asks for money on base; this call pays on sandbox.';
    assert.deepEqual(afterQuote(undefined, HELD, PURSE, sofar(0n)), { why: noPrice });
    assert.deepEqual(afterQuote(usdc(8n), HELD, PURSE, sofar(0n)), { why: dear });
    assert.deepEqual(afterQuote(usdc(7n, 'base'), HELD, PURSE, sofar(0n)), { why: real });
  });

  it("are not paid on the chain when the agent is the caller's own", () => {
    const own = { ...HELD, owner: CALLER };
    const why = 'It asks 7 atomic USDC; it is yours, and the hub pays only accounts here.';
    assert.deepEqual(afterQuote(usdc(7n), own, PURSE, sofar(0n)), { why });
  });

  it('may be paid on the chain where credit leads nowhere', () => {
    const cases = [
      [
        { refunds: 'none' } as const,
        sofar(0n),
        'It asks 7 atomic USDC; no account here holds its domain, so there is none to credit, and the hub pays only accounts here.',
      ],
      [
        HELD,
        sofar(7n, offered),
        'It asks 7 atomic USDC although that much was held for it; it does not take hub-credit.',
      ],
      [
        HELD,
        sofar(7n, { offered: true, retried: true }),
        'It asks 7 atomic USDC again, although that much was held for it.',
      ],
      [
        HELD,
        sofar(6n, { offered: true, retried: true }),
        'It asks 7 atomic USDC again, although that much was held for it.',
      ],
    ] as const;
    for (const [of, before, why] of cases) {
      assert.deepEqual(afterQuote(usdc(7n), of, PURSE, before), { why, mayPay: true });
    }
  });
});

describe('router endings', () => {
  const message = 'It said so.';
  const served: Ending = { end: 'served', result: {}, empty: false };
  const empty: Ending = { end: 'served', result: {}, empty: true };
  const table: readonly (readonly [
    ending: Ending,
    outcome: string,
    tally: string | undefined,
    fault: boolean,
    says: string,
    saysPaid: string,
  ])[] = [
    [served, 'served', 'ok', false, 'It answered.', 'It answered.'],
    [
      empty,
      'served',
      'ok',
      false,
      'It answered with nothing, so nothing was charged.',
      'It answered with nothing.',
    ],
    [
      { end: 'quoted' },
      'priced',
      'quoted',
      false,
      'It asked for payment.',
      'It asked for payment although it was paid.',
    ],
    [{ end: 'key-needed', message }, 'failed', 'keyNeeded', false, message, message],
    [{ end: 'refused', message, isFault: true }, 'failed', 'failed', true, message, message],
    [{ end: 'refused', message, isFault: false }, 'failed', 'failed', false, message, message],
    [
      { end: 'unmet', message, by: 'acceptance', refused: [] },
      'failed',
      'failed',
      false,
      message,
      message,
    ],
    [{ end: 'broken', message, sent: false }, 'failed', 'timedOut', true, message, message],
    [
      { end: 'broken', message, sent: true },
      'unknown',
      'timedOut',
      true,
      `${message} The request had been sent, so it may have been run; nothing was charged.`,
      `${message} It may have been run.`,
    ],
    [{ end: 'not-called', message }, 'failed', undefined, false, message, message],
  ];
  const settled = { amount: atomic(5n), state: 'settled' } as UpstreamReceipt;
  for (const [ending, outcome, tally, fault, says, saysPaid] of table) {
    it(`${JSON.stringify(ending)} is ${outcome}`, () => {
      assert.deepEqual([outcomeOf(ending), attemptEnd(ending)], [outcome, tally]);
      assert.equal(isFault(ending), fault);
      assert.equal(sayEnding(ending), says);
      const paid = 'It took 5 atomic USDC on the chain, which you were charged.';
      assert.equal(sayPaidEnding(ending, settled), `${saysPaid} ${paid}`);
    });
  }

  it('says where a payment on the chain is', () => {
    const says = (state: UpstreamReceipt['state']) => sayPaidEnding(served, { ...settled, state });
    assert.equal(
      says('open'),
      'It answered. Its payment of 5 atomic USDC is on its way: you are charged when the chain shows it, and have it back when it can settle no more.',
    );
    assert.equal(
      says('returned'),
      'It answered. It did not take its 5 atomic USDC, which you have back.',
    );
  });

  it('charges what was held, and nothing for an empty answer', () => {
    assert.equal(chargeOf({ ...served, empty: false }, atomic(5n)), 5n);
    assert.equal(chargeOf({ ...served, empty: true }, atomic(5n)), 0n);
  });

  it('reports of several attempts the one that matters most', () => {
    const weights = ['failed', 'priced', 'unknown', 'served'] as const;
    for (const [index, lighter] of weights.entries()) {
      for (const heavier of weights.slice(index)) {
        assert.equal(graver(lighter, heavier), heavier);
        assert.equal(graver(heavier, lighter), heavier);
      }
    }
  });
});
