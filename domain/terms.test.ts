import { equal, notEqual } from 'node:assert/strict';
import vectors from '../spec/vectors/terms.json' with { type: 'json' };
import { houseAccount } from './account.ts';
import { instant, seconds } from './instant.ts';
import { canonical } from './json.ts';
import { atomic } from './money.ts';
import { termsDigest, termsDocument } from './terms.ts';
import type { Terms } from './terms.ts';

const starter: Terms = {
  id: '11111111-2222-4333-8444-555555555555',
  revision: 1,
  requester: houseAccount('hub:starter'),
  mode: 'exclusive',
  title: 'Say hello',
  description: 'Deliver any text with the token.',
  requiredSkills: [],
  tags: ['starter'],
  reward: { amount: atomic(50_000n), asset: 'USDC', network: 'sandbox' },
  fees: { hubBps: 300, judgesBps: 0 },
  verification: 'requester',
  acceptance: { kind: 'contains', mode: 'all', values: ['welcome-7'] },
  windows: { autoAcceptSeconds: seconds(60), disputeWindowSeconds: seconds(0) },
  maxAttempts: 3,
  deadline: instant(Date.UTC(2026, 11, 1)),
};

describe('terms', () => {
  it('digests the published vector to the published digest', () => {
    const [vector] = vectors.digests;
    equal(canonical(termsDocument(starter)), vector?.canonical);
    equal(termsDigest(starter), vector?.digest);
    equal(vector?.digest, '816d08f1ea030a1f5fafe61ee9b37a38faa4bdeca3d8566ff7155fbc0e72acce');
  });

  it('does not depend on the order of skills and tags', () => {
    const one = { ...starter, tags: ['b', 'a'], requiredSkills: ['y', 'x'] };
    const other = { ...starter, tags: ['a', 'b'], requiredSkills: ['x', 'y'] };
    equal(termsDigest(one), termsDigest(other));
  });

  const changes: Readonly<Record<string, Partial<Terms>>> = {
    revision: { revision: 2 },
    reward: { reward: { amount: atomic(49_999n), asset: 'USDC', network: 'sandbox' } },
    'a value of the rule': { acceptance: { kind: 'contains', mode: 'all', values: ['welcome-8'] } },
    'the mode of the rule': {
      acceptance: { kind: 'contains', mode: 'any', values: ['welcome-7'] },
    },
    'never auto-accepted': { windows: { disputeWindowSeconds: seconds(0) } },
    deadline: { deadline: instant(Date.UTC(2026, 11, 1) + 1) },
    input: { input: { a: 1 } },
    'a bar for judges': { minReliabilityBps: 6_000 },
    'shares of the reward': { shares: { split: 'equal', winners: 2 } },
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`changes with ${name}`, () => {
      notEqual(termsDigest({ ...starter, ...change }), termsDigest(starter));
    });
  }
});
