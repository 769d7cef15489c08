import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { mayReview, type Settlement } from './review.ts';

const NOW = instant(1_800_000_000_000);
const OWNER = 'key:owner' as Account;
const CALLER = 'key:caller' as Account;

describe('reviews (choices registry.reviews)', () => {
  const settlement: Settlement = {
    transferId: '00000000-0000-7000-8000-000000000001' as Settlement['transferId'],
    reason: 'call.charge',
    amount: atomic(10_000n),
    network: 'sandbox',
    payer: CALLER,
    payee: OWNER,
    at: NOW,
    call: { listingId: 'a'.repeat(16), operation: 'convert' },
  };
  const about = { listingId: 'a'.repeat(16), holder: OWNER, reviewer: CALLER, linked: false };
  const { call: _, ...plain } = settlement;

  it('are licensed by a paid call of the listing, and by any payment to its holder', () => {
    for (const given of [settlement, { ...plain, reason: 'pay' as const }]) {
      assert.equal(mayReview(given, about), given);
    }
  });

  const notYours = 'The transfer is no payment of yours to key:owner, who holds the listing.';
  const linked = 'The listing is yours, or an account linked to yours.';
  const refusals = [
    [
      'without a holder',
      settlement,
      { ...about, holder: undefined },
      'not-licensed',
      'This listing has no holder: no account has proved it, so none was paid for it.',
    ],
    ['without a settlement', undefined, about, 'not-licensed', notYours],
    ['for another payer', { ...settlement, payer: OWNER }, about, 'not-licensed', notYours],
    ['for another payee', { ...settlement, payee: CALLER }, about, 'not-licensed', notYours],
    [
      'for a call of another listing',
      settlement,
      { ...about, listingId: 'b'.repeat(16) },
      'not-licensed',
      'The transfer paid a call of the listing aaaaaaaaaaaaaaaa.',
    ],
    ['of linked accounts', settlement, { ...about, linked: true }, 'self-dealing', linked],
    [
      'of linked accounts before a missing license',
      undefined,
      { ...about, linked: true },
      'self-dealing',
      linked,
    ],
    [
      'for less than a cent',
      { ...settlement, amount: atomic(9_999n) },
      about,
      'settlement-too-small',
      'The settlement is 9999 atomic; at least 10000 license.',
    ],
  ] as const;
  for (const [title, given, of, refused, why] of refusals) {
    it(`are refused ${title}`, () => assert.deepEqual(mayReview(given, of), { refused, why }));
  }
});
