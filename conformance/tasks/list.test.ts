import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, publish, type Body } from './_work.ts';

describe('tasks.list', () => {
  let world: Fixture;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    world = await openFixture();
    const { alice, bob } = world;
    await world.fund(alice, '10000000');
    const small = await publish(alice, { rewardAmount: '2000', requiredSkills: ['ocr'] });
    const large = await publish(alice, { rewardAmount: '900000', mode: 'open', tags: ['Deep'] });
    const thread = await publish(bob, { rewardAmount: undefined, tags: ['thread'] });
    const taken = await publish(alice, { rewardAmount: '5000' });
    await claim(bob, taken.id);
    const gone = await publish(alice, { rewardAmount: '5000' });
    mustOk(await act(alice, gone.id, 'cancel', { requester: alice.account }));
    ids = { small: small.id, large: large.id, thread: thread.id, taken: taken.id, gone: gone.id };
  });
  after(() => world.close());

  const listed = async (query: string): Promise<string> => {
    const { tasks, count } = mustOk(await world.anyone.get(`/api/v1/tasks${query}`));
    const found = (tasks as Body[]).map((task) => task['id']);
    assert.equal(count, found.length);
    const nameOf = (id: unknown): string =>
      Object.entries(ids).find(([, value]) => value === id)?.[0] ?? '?';
    return found.map(nameOf).join(' ');
  };

  const filters: readonly (readonly [string, string])[] = [
    ['', 'gone taken thread large small'],
    ['?state=open', 'thread large small'],
    ['?state=held', 'taken'],
    ['?mode=open', 'large'],
    ['?skill=ocr', 'small'],
    ['?skill=oc', ''],
    ['?payment=escrowed', 'taken large small'],
    ['?payment=none', 'gone thread'],
    ['?minReward=5000', 'gone taken large'],
    ['?tag=DEEP', 'large'],
    ['?tag=thread&state=open', 'thread'],
    ['?network=base', ''],
    ['?state=open&payment=escrowed&minReward=2001', 'large'],
  ];
  for (const [query, is] of filters) {
    it(query === '' ? 'newest first' : query, async () => assert.equal(await listed(query), is));
  }

  it('filters by requester', async () => {
    assert.equal(await listed(`?requester=${world.bob.account}`), 'thread');
    assert.equal(await listed(`?requester=${world.bob.keyId}`), 'thread', 'the bare key id');
  });

  it('pages without gaps and clamps the limit', async () => {
    const first = mustOk(await world.anyone.get('/api/v1/tasks?limit=2'));
    assert.equal((first['tasks'] as Body[]).length, 2);
    const cursor = String(first['nextBefore']);
    assert.equal(await listed(`?limit=2&before=${cursor}`), 'thread large');
    const all = mustOk(await world.anyone.get('/api/v1/tasks?limit=5000'));
    assert.equal(all['limit'], 200);
    assert.equal(all['nextBefore'], undefined);
  });

  it('shows the task as it is now, though no job ran', async () => {
    world.hub.clock.advance(1_800);
    assert.equal(await listed('?state=held'), '');
    assert.equal(await listed('?state=open&minReward=5000'), 'taken large');
  });

  it('refuses what it does not know with the list that works', async () => {
    const state = mustRefuse(
      await world.anyone.get('/api/v1/tasks?state=done'),
      400,
      'unknown-filter',
    );
    assert.deepEqual(state['allowed'], [
      'open',
      'held',
      'delivered',
      'accepted',
      'disputed',
      'paid',
      'refunded',
      'withdrawn',
      'expired',
    ]);
    mustRefuse(await world.anyone.get('/api/v1/tasks?status=open'), 400, 'bad-request');
    mustRefuse(await world.anyone.get('/api/v1/tasks?minReward=-1'), 400, 'bad-amount');
    mustRefuse(await world.anyone.get('/api/v1/tasks?network=mars'), 400, 'network-unknown');
  });
});
