import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { events, money, names, publish, REWARD, RULE, type Body } from './_work.ts';

describe('tasks.publish', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('holds the whole reward at once and resolves every default', async () => {
    const { alice } = world;
    const task = await publish(alice, { tags: ['Crawl', 'crawl'] });
    assert.deepEqual(await money(alice), ['10000000', REWARD, '9000000']);
    assert.deepEqual(task['reward'], {
      amount: REWARD,
      display: '1',
      asset: 'USDC',
      network: 'sandbox',
    });
    assert.deepEqual(
      ['state', 'mode', 'verification', 'paymentState', 'requesterKind', 'maxAttempts'].map(
        (field) => task[field],
      ),
      ['open', 'exclusive', 'requester', 'escrowed', 'agent', 3],
    );
    assert.deepEqual(task['tags'], ['crawl']);
    assert.deepEqual(task['fees'], { hubBps: 300, judgesBps: 0 });
    assert.deepEqual(task['windows'], { disputeWindowSeconds: 86_400 });
    const secondOf = (field: string): number => Math.floor(Date.parse(String(task[field])) / 1000);
    assert.equal(secondOf('deadline') - secondOf('createdAt'), 7 * 86_400);
    assert.deepEqual(names(task['next']), ['tasks.cancel', 'tasks.comment']);
    assert.deepEqual(await events(world, task.id), ['task.published']);
  });

  it('binds work at a site to the conduct rules', async () => {
    const target = { origin: 'https://docs.example', paths: ['/pricing'] };
    const crawl = await publish(world.alice, { target, tags: ['crawl'] });
    assert.deepEqual(crawl['conduct'], {
      robots: 'obey',
      methods: ['GET', 'HEAD'],
      minDelayMs: 1000,
      credentials: 'none',
      maxRequests: 8,
      maxSpendAtomic: '0',
    });
    const other = await publish(world.alice, { target, conduct: { maxRequests: 3 } });
    assert.equal(at(other, 'conduct', 'maxRequests'), 3);
  });

  it('publishes terms that any client can digest again from the answer alone', async () => {
    const task = await publish(world.alice, {
      acceptance: RULE,
      requiredSkills: ['b', 'a'],
      tags: ['z', 'y'],
      input: { page: 1 },
      autoAcceptSeconds: 60,
    });
    const windows = task['windows'] as Body;
    const { amount, asset, network } = task['reward'] as Body;
    const document = {
      v: 1,
      ...pick(task, ['id', 'requester', 'mode', 'title', 'description', 'input', 'fees']),
      ...pick(task, ['verification', 'acceptance', 'maxAttempts']),
      revision: at(task, 'terms', 'revision'),
      requiredSkills: ['a', 'b'],
      tags: ['y', 'z'],
      reward: { amount, asset, network },
      windows: { autoAcceptSeconds: 60, disputeWindowSeconds: windows['disputeWindowSeconds'] },
      target: null,
      conduct: null,
      deadline: String(task['deadline']).replace('.000Z', 'Z'),
    };
    const digest = createHash('sha256').update(canonical(document)).digest('hex');
    assert.deepEqual(task['terms'], { digest, revision: 1 });
  });

  it('escrows once however often it is retried', async () => {
    const { alice } = world;
    const [, heldBefore] = await money(alice);
    const body = { requester: alice.account, title: 'Once', rewardAmount: '5000' };
    const first = mustOk(await alice.post('/api/v1/tasks', { ...body, idempotencyKey: 'k' }));
    const again = mustOk(await alice.post('/api/v1/tasks', { ...body, idempotencyKey: 'k' }));
    assert.deepEqual({ ...again, repeated: false }, first);
    assert.deepEqual([first['repeated'], again['repeated']], [false, true]);
    const [, heldAfter] = await money(alice);
    assert.equal(BigInt(String(heldAfter)) - BigInt(String(heldBefore)), 5000n);
    const other = await alice.post('/api/v1/tasks', { ...body, title: 'x', idempotencyKey: 'k' });
    mustRefuse(other, 400, 'idempotency-mismatch');
  });

  it('moves nothing for unpaid work', async () => {
    const before = await money(world.bob);
    const task = await publish(world.bob, { rewardAmount: undefined, tags: ['thread'] });
    assert.equal(task['paymentState'], 'none');
    assert.equal(task['reward'], undefined);
    assert.deepEqual(names(task['next']), ['tasks.cancel', 'tasks.comment']);
    assert.deepEqual(await money(world.bob), before);
  });

  const wrong: readonly (readonly [string, Body, string])[] = [
    [
      'another account',
      { requester: 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR' },
      'wrong-owner',
    ],
    [
      'an unknown network',
      { network: 'mars', deadline: '2020-01-01T00:00:00Z' },
      'network-unknown',
    ],
    [
      'a rule that cannot be judged',
      { acceptance: { kind: 'json_schema', schema: { type: 'strin' } }, rewardAmount: '999' },
      'bad-acceptance',
    ],
    [
      'a deadline in the past',
      { deadline: '2020-01-01T00:00:00Z', rewardAmount: '999' },
      'deadline',
    ],
    ['too little', { rewardAmount: '999', tags: ['thread'] }, 'reward-too-small'],
    ['a paid thread', { tags: ['thread'], verification: 'automatic' }, 'thread-only'],
    ['an open pitch', { tags: ['pitch'], mode: 'open', verification: 'automatic' }, 'wrong-mode'],
    ['automatic without a rule', { verification: 'automatic' }, 'acceptance-required'],
    ['more than one has', { rewardAmount: '999999999999' }, 'insufficient-funds'],
    ['a number for an amount', { rewardAmount: 5000 }, 'bad-amount'],
    ['an unknown field', { reward: '5000' }, 'bad-request'],
    ['no title', { title: undefined }, 'missing-field'],
    ['two megabytes', { description: 'x'.repeat(2_000_000) }, 'body-too-large'],
  ];
  for (const [what, over, code] of wrong) {
    it(`refuses ${what}: ${code}`, async () => {
      const { alice } = world;
      const before = await money(alice);
      const body = { requester: alice.account, title: 'Do it', rewardAmount: REWARD, ...over };
      const status = code === 'wrong-owner' ? 401 : 400;
      mustRefuse(await alice.post('/api/v1/tasks', body), status, code);
      assert.deepEqual(await money(alice), before, 'a refusal holds nothing');
    });
  }
});

function pick(from: Body, fields: readonly string[]): Body {
  return Object.fromEntries(fields.map((field) => [field, from[field]]));
}

/** RFC 8785 for what the terms hold: sorted names, no spaces, whole numbers. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, of]) => `${JSON.stringify(key)}:${canonical(of)}`).join(',')}}`;
}
