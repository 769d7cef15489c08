import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Price } from '../registry/listing.ts';
import { failureSays, saysNothing, tooDeep } from './answer.ts';
import { afterFault, onCall, rests, SOUND, type Breaker } from './breaker.ts';
import { nameable, ranked, suitable, type Candidate } from './candidate.ts';
import { afterQuote, attemptEnd, graver, outcomeOf, type Ending } from './ending.ts';
import { askedPrice, payable, priceOf, type Purse } from './price.ts';
import { mayReview, type Settlement } from './review.ts';
import { select, tried } from './select.ts';

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

  it('tries a named agent whatever the index thinks of it', () => {
    const of = candidate({ flagged: true, availability: 'unreachable', access: 'auth-required' });
    assert.deepEqual(nameable(of, purse(), NOW), { due: 0n });
    const rested = nameable(candidate({ breaker: resting }), purse(), NOW);
    assert.ok('excluded' in rested && rested.excluded === 'resting');
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
    ['more uptime', { uptimeBps: 9_900 }, { uptimeBps: 9_800, karma: 99 }],
    ['karma where uptime is alike', { karma: 3, latencyMs: 900 }, { karma: 2, uptimeBps: 10_000 }],
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
    const after = tried(found.considered, ids[0] ?? '', 'It served.');
    assert.deepEqual([after[0]?.decision, after[0]?.why], ['tried', 'It served.']);
  });

  it('keeps at most a hundred of those it considered', () => {
    const many = Array.from({ length: 300 }, (_, n) => candidate({ listingId: `${1e15 + n}` }));
    assert.equal(select(many, { ...purse(), tryAtMost: 10 }, NOW).considered.length, 100);
  });
});

describe('router live quotes (choices router.quotes)', () => {
  const of = candidate({ owner: OWNER });
  const first = { held: atomic(0n), offered: false, retried: false };
  it('holds the quoted amount, though as much was held before the first call', () => {
    const listed = { held: atomic(7n), offered: false, retried: false };
    assert.deepEqual(afterQuote(usdc(7n, 'base-sepolia'), of, purse(7n), listed), { retryAt: 7n });
  });
  it('tries once more with what was quoted', () => {
    const again = afterQuote(usdc(7n, 'base-sepolia'), of, purse(7n), first);
    assert.deepEqual(again, { retryAt: 7n });
  });
  const table: readonly (readonly [string, ReturnType<typeof afterQuote>, RegExp])[] = [
    ['too dear', afterQuote(usdc(8n), of, purse(7n), first), /maxPrice is 7/],
    ['no price', afterQuote(undefined, of, purse(7n), first), /named no price/],
    ['real money', afterQuote(usdc(7n, 'base'), of, purse(7n), first), /money on base/],
    ['no account to credit', afterQuote(usdc(7n), candidate(), purse(7n), first), /none to credit/],
    [
      'held already',
      afterQuote(usdc(7n), of, purse(7n), { held: atomic(7n), offered: true, retried: false }),
      /does not take hub-credit/,
    ],
    [
      'tried already',
      afterQuote(usdc(6n), of, purse(7n), { held: atomic(7n), offered: true, retried: true }),
      /again/,
    ],
  ];
  for (const [message, found, expected] of table) {
    it(`reports a price: ${message}`, () => {
      assert.ok('why' in found);
      assert.match(found.why, expected);
    });
  }
});

describe('router endings', () => {
  const message = 'It said so.';
  const table: readonly (readonly [Ending, string, string | undefined])[] = [
    [{ end: 'served', result: {}, empty: false }, 'served', 'ok'],
    [{ end: 'quoted' }, 'priced', 'quoted'],
    [{ end: 'key-needed', message }, 'failed', 'keyNeeded'],
    [{ end: 'refused', message, isFault: true }, 'failed', 'failed'],
    [{ end: 'broken', message, sent: false }, 'failed', 'timedOut'],
    [{ end: 'broken', message, sent: true }, 'unknown', 'timedOut'],
    [{ end: 'not-called', message }, 'failed', undefined],
  ];
  for (const [ending, outcome, tally] of table) {
    it(`${JSON.stringify(ending)} is ${outcome}`, () => {
      assert.deepEqual([outcomeOf(ending), attemptEnd(ending)], [outcome, tally]);
    });
  }

  it('reports of several attempts the one that matters most', () => {
    assert.equal(graver('failed', 'priced'), 'priced');
    assert.equal(graver('unknown', 'priced'), 'unknown');
    assert.equal(graver('priced', 'failed'), 'priced');
  });
});

describe('router breaker', () => {
  it('closes after five faults, twice as long each time, up to ten minutes', () => {
    let breaker = SOUND;
    const rest: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      breaker = afterFault(breaker, NOW);
      rest.push(((breaker.restsUntil ?? NOW) - NOW) / 1000);
    }
    assert.deepEqual(rest, [0, 0, 0, 0, 30, 60, 120, 240, 480, 600, 600, 600]);
    assert.ok(rests(breaker, instant(NOW + 599_999)));
    assert.ok(!rests(breaker, instant(NOW + 600_000)));
  });

  it('lets one call try after a rest', () => {
    const rested: Breaker = { faults: 5, restsUntil: instant(NOW - 1) };
    assert.ok(!rests(rested, NOW));
    assert.ok(rests(onCall(rested, NOW), instant(NOW + 20_000)));
    assert.equal(onCall({ faults: 2 }, NOW).restsUntil, undefined);
  });
});

describe('router answers', () => {
  it('knows an answer that says nothing', () => {
    const empty: readonly (readonly ['mcp' | 'a2a', unknown])[] = [
      ['mcp', { content: [] }],
      ['mcp', {}],
      ['a2a', {}],
      ['a2a', { message: { parts: [] } }],
      ['a2a', { kind: 'message', parts: [] }],
      ['a2a', { task: { status: { state: 'TASK_STATE_COMPLETED' } } }],
      ['a2a', null],
    ];
    for (const [kind, result] of empty)
      assert.ok(saysNothing(kind, result), JSON.stringify(result));
    const full: readonly (readonly ['mcp' | 'a2a', unknown])[] = [
      ['mcp', { content: [{ type: 'text', text: '' }] }],
      ['mcp', { content: [], structuredContent: null }],
      ['a2a', { message: { parts: [{ text: 'Hi.' }] } }],
      ['a2a', { task: { status: { state: 'TASK_STATE_WORKING' } } }],
      ['a2a', { status: { state: 'completed' }, artifacts: [{}] }],
      ['a2a', { tasks: [] }],
    ];
    for (const [kind, result] of full)
      assert.ok(!saysNothing(kind, result), JSON.stringify(result));
  });

  it('repeats what the agent said of its failure, on one line', () => {
    const said = { content: [{ type: 'text', text: 'No\u202esuch\ncurrency' }] };
    assert.equal(failureSays(said), 'It says that it failed: Nosuch currency');
    const task = { task: { status: { message: { parts: [{ text: 'Out of ink' }] } } } };
    assert.equal(failureSays(task), 'It says that it failed: Out of ink');
    assert.equal(failureSays(null), 'It says that it failed.');
  });

  it('measures depth without following it to the end', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100_000; n += 1) deep = [deep];
    assert.ok(tooDeep(deep));
    assert.ok(!tooDeep({ a: [{ b: 1 }] }));
  });
});

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
  const table = [
    ['a paid call', settlement, about, 'ok'],
    ['a plain payment', { ...plain, reason: 'pay' }, about, 'ok'],
    ['no holder', settlement, { ...about, holder: undefined }, 'not-licensed'],
    ['no settlement', undefined, about, 'not-licensed'],
    ['another payer', { ...settlement, payer: OWNER }, about, 'not-licensed'],
    ['another payee', { ...settlement, payee: CALLER }, about, 'not-licensed'],
    [
      'a call of another listing',
      settlement,
      { ...about, listingId: 'b'.repeat(16) },
      'not-licensed',
    ],
    ['linked accounts', settlement, { ...about, linked: true }, 'self-dealing'],
    ['too little', { ...settlement, amount: atomic(9_999n) }, about, 'settlement-too-small'],
  ] as const;
  for (const [message, given, of, expected] of table) {
    it(`${message}: ${expected}`, () => {
      const found = mayReview(given, of);
      assert.equal('refused' in found ? found.refused : 'ok', expected);
    });
  }
});
