import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { termsDigest, type Terms } from '../terms.ts';
import { at, DAY, draft, must, published, REQUESTER, T0, type Over } from './fixture.ts';
import { digestOf, publish } from './publish.ts';

const RULE = { kind: 'contains', values: ['x'] } as const;
const REWARD = { amount: 1_000_000n, asset: 'USDC', network: 'sandbox' };
const taskOf = (over: Over) => published(over).task;

describe('a publication', () => {
  it('opens the task with the defaults of its terms, and holds the reward', () => {
    const { task, ...change } = must(publish(draft(), 'task', T0));
    const { terms, ...rest } = task;
    assert.deepEqual(rest, {
      id: 'task',
      requester: REQUESTER,
      mode: 'exclusive',
      verification: 'requester',
      title: 'Do it',
      description: '',
      requiredSkills: [],
      tags: [],
      reward: REWARD,
      fees: { hubBps: 300, judgesBps: 0 },
      windows: { disputeWindowSeconds: DAY },
      maxAttempts: 3,
      deadline: at(7 * DAY),
      state: 'open',
      amendments: 0,
      attempts: 0,
      comments: 0,
      pitches: 0,
      createdAt: T0,
      judges: [],
    });
    assert.equal(terms.revision, 1);
    const event = { at: T0, event: 'task.published', state: 'open', actor: REQUESTER };
    assert.deepEqual(change, { attempts: [], events: [event], money: { step: 'escrow' } });
  });

  it('holds nothing for unpaid work', () => {
    const change = must(publish(draft({ unpaid: true }), 'task', T0));
    assert.ok(!('money' in change) && !('reward' in change.task));
  });

  it('keeps the terms that its requester says', () => {
    const given: Over = {
      mode: 'open',
      verification: 'validator',
      description: 'All of it.',
      requiredSkills: ['ocr'],
      input: { a: 1 },
      acceptance: RULE,
      minReliabilityBps: 6_000,
      target: { origin: 'https://a.example' },
      maxAttempts: 5,
    };
    const deadline = instant(T0 + 400_900);
    const windows = { autoAcceptSeconds: 60, disputeWindowSeconds: 0 };
    const task = taskOf({ ...given, ...windows, deadline, tags: ['Data', 'data', 'WEB'] });
    const { conduct: _, ...kept } = task;
    assert.deepEqual(kept, {
      ...taskOf({}),
      ...given,
      tags: ['data', 'web'],
      terms: task.terms,
      fees: { hubBps: 300, judgesBps: 100 },
      windows,
      deadline: at(400),
    });
  });

  it('is decided by its rule if it has one, and else by its requester', () => {
    const verification = (over: Over): string => taskOf(over).verification;
    assert.equal(verification({ acceptance: RULE }), 'automatic');
    assert.equal(verification({}), 'requester');
    const shares = { places: [10_000] };
    assert.equal(verification({ acceptance: RULE, shares }), 'requester');
    assert.equal(verification({ acceptance: RULE, verification: 'requester' }), 'requester');
  });

  it('pays judges a hundredth where a panel judges', () => {
    const judgesBps = (over: Over): number => taskOf(over).fees.judgesBps;
    assert.equal(judgesBps({ verification: 'validator' }), 100);
    assert.equal(judgesBps({ acceptance: RULE }), 0);
  });
});

describe('the conduct at the site of a task', () => {
  const target = { origin: 'https://a.example' };
  const standing = {
    robots: 'obey',
    methods: ['GET', 'HEAD'],
    minDelayMs: 1_000,
    credentials: 'none',
    maxSpendAtomic: 0n,
    maxRequests: 50,
  };

  it('has the standing rules, wherever there is a site or a rule for it', () => {
    assert.deepEqual(taskOf({ target }).conduct, standing);
    assert.deepEqual(taskOf({ conduct: {} }).conduct, standing);
    assert.ok(!('conduct' in taskOf({})));
  });

  it('sends at most fifty requests, eight when it crawls, and fewer if the requester says so', () => {
    const requests = (maxRequests: number | undefined, ...tags: readonly string[]) => {
      const conduct = maxRequests === undefined ? {} : { maxRequests };
      return taskOf({ target, conduct, tags }).conduct?.maxRequests;
    };
    assert.deepEqual([requests(49), requests(50), requests(51)], [49, 50, 50]);
    const crawls = [undefined, 7, 8, 9].map((most) => requests(most, 'Crawl'));
    assert.deepEqual(crawls, [8, 7, 8, 8]);
  });

  it('is tightened by the requester', () => {
    const conduct = { methods: ['GET'], minDelayMs: 5_000, maxSpendAtomic: atomic(7n) } as const;
    assert.deepEqual(taskOf({ conduct }).conduct, { ...standing, ...conduct });
  });
});

describe('the digest of the terms', () => {
  const full: Over = {
    description: 'All of it.',
    requiredSkills: ['ocr'],
    tags: ['data'],
    input: { a: 1 },
    acceptance: RULE,
    verification: 'validator',
    minReliabilityBps: 6_000,
    autoAcceptSeconds: 60,
    target: { origin: 'https://a.example' },
    conduct: { maxSpendAtomic: atomic(7n) },
  };

  it('is that of the whole deal', () => {
    const task = taskOf(full);
    const terms: Terms = {
      id: 'task',
      revision: 1,
      requester: REQUESTER,
      mode: 'exclusive',
      title: 'Do it',
      description: 'All of it.',
      requiredSkills: ['ocr'],
      tags: ['data'],
      input: { a: 1 },
      reward: { amount: atomic(1_000_000n), asset: 'USDC', network: 'sandbox' },
      fees: { hubBps: 300, judgesBps: 100 },
      verification: 'validator',
      acceptance: RULE,
      minReliabilityBps: 6_000,
      windows: task.windows,
      target: { origin: 'https://a.example' },
      conduct: { ...task.conduct, maxSpendAtomic: '7' },
      maxAttempts: 3,
      deadline: at(7 * DAY),
    };
    assert.deepEqual(task.terms, { digest: termsDigest(terms), revision: 1 });
    assert.equal(digestOf('task', task, 2), termsDigest({ ...terms, revision: 2 }));
    const shares = { places: [10_000], undecided: 'return' } as const;
    assert.equal(digestOf('task', { ...task, shares }, 1), termsDigest({ ...terms, shares }));
  });

  it('is another one for each deal that differs', () => {
    const deals: readonly Over[] = [
      full,
      {},
      { unpaid: true },
      { ...full, input: { a: 2 } },
      { ...full, minReliabilityBps: 6_001 },
      { ...full, acceptance: { ...RULE, values: ['y'] } },
      { ...full, target: { origin: 'https://b.example' } },
      { ...full, conduct: { maxSpendAtomic: atomic(8n) } },
      { shares: { places: [10_000] } },
      { shares: { places: [6_000, 4_000] } },
      { target: { origin: 'https://a.example' } },
    ];
    const digests = deals.map((deal) => taskOf(deal).terms.digest);
    assert.equal(new Set(digests).size, deals.length);
  });
});
