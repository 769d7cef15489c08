import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Price } from '../registry/listing.ts';
import { SOUND, type Breaker } from './breaker.ts';
import { nameable, ranked, suitable, type Candidate } from './candidate.ts';
import { askedPrice, payable, priceOf, type Purse } from './price.ts';
import { select, selectNamed, tried } from './select.ts';

const NOW = instant(1_800_000_000_000);
const OWNER = 'key:owner' as Account;
const CALLER = 'key:caller' as Account;

function usdc(amount: bigint, network?: string): Price {
  return { amount: atomic(amount), asset: 'USDC', ...(network !== undefined && { network }) };
}

function candidate(given: Partial<Candidate> = {}): Candidate {
  return {
    listingId: 'aaaaaaaaaaaaaaaa',
    name: 'Agent',
    kind: 'mcp',
    endpoint: 'https://agent.dev/mcp',
    transport: 'streamable-http',
    access: 'open',
    availability: 'live',
    uptimeBps: 10_000,
    latencyMs: 100,
    karma: 0,
    flagged: false,
    refunds: 'output-schema',
    breaker: SOUND,
    ...given,
  };
}

function purse(maxPrice?: bigint, network: Purse['network'] = 'sandbox'): Purse {
  return { caller: CALLER, network, ...(maxPrice !== undefined && { maxPrice: atomic(maxPrice) }) };
}

/** Returns the price due, or the reason of the exclusion. */
function verdict(of: Partial<Candidate>, max?: bigint, network?: Purse['network']): string {
  const found = suitable(candidate(of), purse(max, network), NOW);
  return 'due' in found ? `${found.due}` : found.excluded;
}

describe('router prices (choices router.money)', () => {
  const held = { owner: OWNER };
  const table: readonly (readonly [string, Partial<Candidate>, bigint | undefined, string])[] = [
    ['no price is free', {}, undefined, '0'],
    ['no price is free of a holder too', held, undefined, '0'],
    ['a price of nothing is free', { listed: usdc(0n), ...held }, undefined, '0'],
    [
      'without maxPrice free tools only',
      { listed: usdc(1n), ...held },
      undefined,
      'over-max-price',
    ],
    ['a maxPrice of 0 is the same', { listed: usdc(1n), ...held }, 0n, 'over-max-price'],
    ['up to maxPrice', { listed: usdc(500n), ...held }, 500n, '500'],
    ['never maxPrice itself', { listed: usdc(500n), ...held }, 900n, '500'],
    ['above it', { listed: usdc(501n), ...held }, 500n, 'over-max-price'],
    ['no holder: free', { listed: usdc(500n) }, 500n, '0'],
    ['no holder, above maxPrice: not worth a try', { listed: usdc(501n) }, 500n, 'over-max-price'],
    ['the caller holds it: free', { listed: usdc(500n), owner: CALLER }, 500n, '0'],
    ['test money for test quotes', { listed: usdc(5n, 'base-sepolia'), ...held }, 5n, '5'],
    ['no test money for real quotes', { listed: usdc(5n, 'base'), ...held }, 5n, 'other-money'],
    ['nor for other chains', { listed: usdc(5n, 'polygon'), ...held }, 5n, 'other-money'],
    [
      'a fresh live quote outranks the index',
      { listed: usdc(5n), quoted: { price: usdc(9n), at: instant(NOW - 59_999) }, ...held },
      9n,
      '9',
    ],
    [
      'an old one does not',
      { listed: usdc(5n), quoted: { price: usdc(9n), at: instant(NOW - 60_000) }, ...held },
      9n,
      '5',
    ],
  ];
  for (const [message, of, max, expected] of table) {
    it(message, () => assert.equal(verdict(of, max), expected));
  }

  it('pays real quotes with real money, by either name of the chain', () => {
    for (const network of ['base', 'eip155:8453', undefined]) {
      const found = payable(usdc(5n, network), purse(5n, 'base'), 'none');
      assert.deepEqual(found, { due: 5n });
    }
    assert.ok('refused' in payable(usdc(5n, 'base-sepolia'), purse(5n, 'base'), 'none'));
    assert.ok('refused' in payable(usdc(5n, 'base'), purse(5n, 'play'), 'none'));
    assert.deepEqual(payable(usdc(0n, 'polygon'), purse(), 'none'), { due: 0n });
  });

  it('pays a call with a rule only to a holder that refunds by such rules', () => {
    const withRule = { ...purse(5n), acceptHash: 'f'.repeat(64) };
    for (const refunds of ['none', 'output-schema'] as const) {
      const found = suitable(candidate({ listed: usdc(5n), ...held, refunds }), withRule, NOW);
      assert.equal('excluded' in found && found.excluded, 'no-refund');
    }
    const refunding = candidate({ listed: usdc(5n), ...held, refunds: 'acceptance' });
    assert.deepEqual(suitable(refunding, withRule, NOW), { due: 5n });
    assert.deepEqual(suitable(candidate(), withRule, NOW), { due: 0n });
  });

  it('says why a price is not paid', () => {
    const withRule = { ...purse(5n), acceptHash: 'f'.repeat(64) };
    const cases = [
      [usdc(1n), purse(), 'over-max-price', 'It asks 1 atomic USDC; no maxPrice was given.'],
      [usdc(1n), purse(0n), 'over-max-price', 'It asks 1 atomic USDC; maxPrice is 0.'],
      [usdc(6n), withRule, 'over-max-price', 'It asks 6 atomic USDC; maxPrice is 5.'],
      [
        usdc(5n, 'base'),
        withRule,
        'other-money',
        'It asks for money on base; this call pays on sandbox.',
      ],
      [
        usdc(5n),
        withRule,
        'no-refund',
        'It takes money for answers that break the rule of a caller; send none to pay it.',
      ],
    ] as const;
    for (const [price, of, refused, why] of cases) {
      assert.deepEqual(payable(price, of, 'none'), { refused, why });
      const named = selectNamed(candidate({ listed: price, ...held }), of, NOW);
      assert.deepEqual(named, { excluded: refused, why });
    }
  });

  it('knows no price where none was ever named', () => {
    assert.equal(askedPrice(candidate(), NOW), undefined);
    assert.deepEqual(priceOf(candidate(), purse(), NOW), { due: 0n });
  });
});

describe('router exclusions (choices router.candidates)', () => {
  const resting: Breaker = { faults: 5, restsUntil: instant(NOW + 1) };
  const table: readonly (readonly [string, Partial<Candidate>])[] = [
    ['private-address', { barred: 'It is private.', flagged: true }],
    ['injection-flagged', { flagged: true, availability: 'unreachable' }],
    ['not-live', { availability: 'unreachable', breaker: resting }],
    ['not-live', { availability: 'not-speaking' }],
    ['not-live', { availability: 'unknown' }],
    ['resting', { breaker: resting, access: 'auth-required' }],
    ['key-needed', { access: 'auth-required', listed: usdc(9n), owner: OWNER }],
    ['closed', { access: 'closed', listed: usdc(9n), owner: OWNER }],
    ['0', { availability: 'unstable' }],
    ['0', { access: 'unknown' }],
    ['0', { breaker: { faults: 5, restsUntil: NOW } }],
  ];
  for (const [expected, of] of table) {
    it(`${expected} for ${JSON.stringify(of, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))}`, () => {
      assert.equal(verdict(of), expected);
    });
  }

  it('says why an agent is not called', () => {
    const cases: readonly (readonly [Partial<Candidate>, string])[] = [
      [{ barred: 'It is private.' }, 'It is private.'],
      [
        { flagged: true },
        'Texts of this agent give instructions to their reader; it is never picked.',
      ],
      [{ availability: 'not-speaking' }, 'At the last looks it was not-speaking.'],
      [
        { breaker: resting },
        '5 calls in a row got no answer from its address; it is tried again after 2027-01-15T08:00:00.001Z.',
      ],
      [{ access: 'auth-required' }, 'It asks for a key, and the router sends none.'],
      [{ access: 'closed' }, 'It refused this operation when it was asked.'],
      [{ listed: usdc(3n) }, 'It asks 3 atomic USDC; maxPrice is 2.'],
    ];
    for (const [of, why] of cases) {
      const found = suitable(candidate(of), purse(2n), NOW);
      assert.equal('excluded' in found && found.why, why);
    }
  });

  it('tries a named agent whatever the index thinks of it', () => {
    const of = candidate({ flagged: true, availability: 'unreachable', access: 'auth-required' });
    assert.deepEqual(nameable(of, purse(), NOW), { due: 0n });
    const rested = nameable(candidate({ breaker: resting }), purse(), NOW);
    assert.ok('excluded' in rested && rested.excluded === 'resting');
    assert.deepEqual(selectNamed(of, purse(), NOW), { candidate: of, due: 0n });
    const paid = candidate({ flagged: true, listed: usdc(5n), owner: OWNER });
    assert.deepEqual(selectNamed(paid, purse(9n), NOW), { candidate: paid, due: 5n });
  });
});

describe('router order (Router rule 1)', () => {
  const better: readonly (readonly [string, Partial<Candidate>, Partial<Candidate>])[] = [
    ['open before paid', { access: 'open' }, { access: 'paid' }],
    [
      'paid before never measured',
      { access: 'paid', listed: usdc(9n), owner: OWNER },
      { access: 'unknown' },
    ],
    [
      'never measured before unpayable',
      { access: 'unknown' },
      { access: 'paid', listed: usdc(9n) },
    ],
    [
      'access before price',
      { access: 'open' },
      { access: 'unknown', listed: usdc(1n), owner: OWNER },
    ],
    [
      'cheaper first',
      { access: 'paid', listed: usdc(2n), owner: OWNER, karma: -50 },
      { access: 'paid', listed: usdc(3n), owner: OWNER, karma: 90 },
    ],
    ['live before unstable', { karma: -1 }, { availability: 'unstable', karma: 99 }],
    ['fewer faults in a row', {}, { breaker: { faults: 2 }, karma: 99 }],
    ['more uptime', { uptimeBps: 9_900 }, { uptimeBps: 9_899, karma: 99 }],
    [
      'karma where uptime is alike in whole percent',
      { karma: 3, uptimeBps: 9_800, latencyMs: 900 },
      { karma: 2, uptimeBps: 9_899 },
    ],
    [
      'paid without a known price before never measured',
      { access: 'paid' },
      { access: 'unknown', listed: usdc(1n), owner: OWNER },
    ],
    [
      'open before never measured, though no account can be paid for it',
      { access: 'open', listed: usdc(9n) },
      { access: 'unknown' },
    ],
    [
      'never measured without a holder before one that asks for a key',
      { access: 'unknown', listed: usdc(9n) },
      { access: 'auth-required', listed: usdc(1n) },
    ],
    ['faster', { latencyMs: 10 }, { latencyMs: 11 }],
  ];
  for (const [message, first, second] of better) {
    it(message, () => {
      const a = candidate({ ...first, listingId: 'f'.repeat(16) });
      const b = candidate({ ...second, listingId: '0'.repeat(16) });
      assert.deepEqual(ranked([b, a], purse(9n), NOW), [a, b]);
      assert.deepEqual(ranked([a, b], purse(9n), NOW), [a, b]);
    });
  }

  it('tries a limited number, and reports all', () => {
    const ids = ['1', '2', '3', '4'].map((digit) => digit.repeat(16));
    const all = ids.map((listingId) => candidate({ listingId }));
    const shut = candidate({ listingId: '0'.repeat(16), access: 'closed' });
    const found = select([shut, ...all], { ...purse(), tryAtMost: 2 }, NOW);
    assert.deepEqual(
      found.offers.map((each) => each.candidate.listingId),
      ids.slice(0, 2),
    );
    assert.deepEqual(
      found.considered.map(({ decision }) => decision),
      ['not-needed', 'not-needed', 'not-needed', 'not-needed', 'closed'],
    );
  });

  it('shows of each candidate its price and why it was not called', () => {
    const paid = candidate({ access: 'paid', listed: usdc(2n), owner: OWNER });
    const dear = candidate({ listingId: 'b'.repeat(16), listed: usdc(9n) });
    const { considered } = select([dear, paid], { ...purse(5n), tryAtMost: 1 }, NOW);
    const open = {
      listingId: 'a'.repeat(16),
      name: 'Agent',
      access: 'paid',
      price: usdc(2n),
      decision: 'not-needed',
      why: 'It could have been called; enough others came before it.',
    };
    const shut = {
      listingId: 'b'.repeat(16),
      name: 'Agent',
      access: 'open',
      price: usdc(9n),
      decision: 'over-max-price',
      why: 'It asks 9 atomic USDC; maxPrice is 5.',
    };
    assert.deepEqual(considered, [open, shut]);
    const served = { ...open, decision: 'tried', why: 'It served.' };
    assert.deepEqual(tried(considered, open.listingId, 'It served.'), [served, shut]);
    const [free] = select([candidate()], { ...purse(), tryAtMost: 1 }, NOW).considered;
    assert.ok(free !== undefined && !('price' in free));
  });

  it('keeps at most a hundred of those it considered', () => {
    const many = Array.from({ length: 300 }, (_, n) => candidate({ listingId: `${1e15 + n}` }));
    assert.equal(select(many, { ...purse(), tryAtMost: 10 }, NOW).considered.length, 100);
  });
});
