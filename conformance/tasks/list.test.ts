import assert from 'node:assert/strict';
import { followHint } from '../harness/follow.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, publish, type Body } from './_work.ts';

describe('tasks.list', () => {
  let world: Fixture;
  let ids: Readonly<Record<string, string>>;
  /** Made by one test, and none of the others' business. */
  const gone = new Set<unknown>();
  before(async () => {
    world = await openFixture();
    const { alice, bob } = world;
    await world.fund(alice, '10000000');
    const small = await publish(alice, {
      rewardAmount: '2000',
      requiredSkills: ['ocr'],
      disputeWindowSeconds: 0,
    });
    const large = await publish(alice, {
      rewardAmount: '900000',
      mode: 'open',
      tags: ['Deep'],
      verification: 'requester',
      description: 'A rare thing, described.',
    });
    const thread = await publish(bob, { rewardAmount: undefined, tags: ['thread'] });
    const taken = await publish(alice, { rewardAmount: '5000' });
    await claim(bob, taken.id);
    const dropped = await publish(alice, { rewardAmount: '5000' });
    mustOk(await act(alice, dropped.id, 'cancel', { requester: alice.account }));
    ids = {
      small: small.id,
      large: large.id,
      thread: thread.id,
      taken: taken.id,
      gone: dropped.id,
    };
  });
  after(() => world.close());

  const listed = async (query: string): Promise<string> => {
    const { tasks, count } = mustOk(await world.anyone.get(`/api/v1/tasks${query}`));
    const all = (tasks as Body[]).map((task) => task['id']);
    assert.equal(count, all.length);
    const found = all.filter((id) => !gone.has(id));
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
    ['?maxReward=5000', 'gone taken small'],
    ['?minReward=3000&maxReward=5000', 'gone taken'],
    ['?tags=deep', 'large'],
    ['?tags=DEEP,thread', ''],
    ['?tags=deep,deep&tag=Deep', 'large'],
    ['?from=2000-01-01T00:00:00Z', 'gone taken thread large small'],
    ['?from=2100-01-01T00:00:00Z', ''],
    ['?to=2000-01-01T00:00:00Z', ''],
    ['?to=1960-01-01T00:00:00Z', ''],
    ['?network=base', ''],
    ['?state=held,withdrawn', 'gone taken'],
    ['?state=open,open', 'thread large small'],
    ['?verification=validator', ''],
    ['?verification=requester&mode=open', 'large'],
    ['?q=rare%20DO', 'large'],
    ['?q=rar', ''],
    ['?q=described&sort=reward', 'large'],
    ['?q=it&sort=oldest&state=open', 'small large thread'],
    ['?maxDisputeWindow=59', 'small'],
    ['?sort=oldest', 'small large thread taken gone'],
    ['?sort=age', 'small large thread taken gone'],
    ['?sort=age&state=open&limit=2', 'small large'],
    ['?sort=reward', 'large gone taken small thread'],
    ['?sort=reward&state=open', 'large small thread'],
    ['?sort=deadline&state=open', 'small large thread'],
    ['?state=open&payment=escrowed&minReward=2001', 'large'],
  ];
  for (const [query, is] of filters) {
    it(query === '' ? 'newest first' : query, async () => assert.equal(await listed(query), is));
  }

  it('filters by requester', async () => {
    assert.equal(await listed(`?requester=${world.bob.account}`), 'thread');
    assert.equal(await listed(`?requester=${world.bob.keyId}`), 'thread', 'the bare key id');
  });

  it('filters by who tried it', async () => {
    assert.equal(await listed(`?worker=${world.bob.account}`), 'taken');
    assert.equal(await listed(`?worker=${world.bob.keyId}&state=open`), '');
    assert.equal(await listed(`?worker=${world.alice.account}`), '');
  });

  it('refuses a span that ends before it begins, and tags that are none or too many', async () => {
    const { anyone } = world;
    const reversed = 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z';
    mustRefuse(await anyone.get(`/api/v1/tasks?${reversed}`), 400, 'not-together');
    for (const tags of [',', 'a,,b', 'a,b,c,d,e,f,g,h,i']) {
      assert.equal((await anyone.get(`/api/v1/tasks?tags=${tags}`)).status, 400, tags);
    }
  });

  it('pages every order without gaps, though tasks change meanwhile', async () => {
    for (const sort of ['newest', 'oldest', 'age', 'reward', 'deadline']) {
      const whole = await listed(`?sort=${sort}`);
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const body = mustOk(await world.anyone.get(`/api/v1/tasks?sort=${sort}&limit=1${cursor}`));
        const [task] = body['tasks'] as Body[];
        found.push(Object.entries(ids).find(([, id]) => id === task?.['id'])?.[0] ?? '?');
        if (body['next'] === undefined) break;
        cursor = `&after=${String(body['next'])}`;
      }
      assert.equal(found.join(' '), whole, sort);
    }
  });

  it('refuses the cursor of another order', async () => {
    const page = async (query: string): Promise<string> =>
      String(mustOk(await world.anyone.get(`/api/v1/tasks?limit=1&${query}`))['next']);
    const byAge = await page('sort=newest');
    const byPay = await page('sort=reward');
    for (const query of [`sort=reward&after=${byAge}`, `after=${byPay}`]) {
      mustRefuse(await world.anyone.get(`/api/v1/tasks?${query}`), 400, 'not-together');
    }
  });

  it('pages without gaps and clamps the limit', async () => {
    const first = mustOk(await world.anyone.get('/api/v1/tasks?limit=2'));
    assert.equal((first['tasks'] as Body[]).length, 2);
    const cursor = String(first['next']);
    assert.equal(await listed(`?limit=2&after=${cursor}`), 'thread large');
    const all = mustOk(await world.anyone.get('/api/v1/tasks?limit=5000'));
    assert.equal(all['limit'], 200);
    assert.equal(all['next'], undefined);
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
    mustRefuse(await world.anyone.get('/api/v1/tasks?state=open,done'), 400, 'unknown-filter');
    for (let before = 0; before < 3; before += 1) {
      const faces = encodeURIComponent(`${'-'.repeat(before)}${'\u{1f600}'.repeat(40)}`);
      mustRefuse(await world.anyone.get(`/api/v1/tasks?q=${faces}`), 400, 'bad-request');
      const names = `/api/v1/tasks?${faces}=1`;
      assert.equal((await world.anyone.get(names)).status, 400);
      assert.equal((await world.anyone.get(`/api/v1/${faces}`)).status, 404);
    }
    mustRefuse(await world.anyone.get('/api/v1/tasks?q=-%25-'), 400, 'bad-request');
    for (const q of ['C', 'a-b', '%C3%A9']) {
      const answer = await world.anyone.get(`/api/v1/tasks?q=${q}`);
      const { hint } = mustRefuse(answer, 400, 'bad-request');
      assert.match(String(hint), new RegExp(`search\\?kind=task&q=${q}\``));
      await followHint(world.anyone, answer);
    }
    mustRefuse(await world.anyone.get('/api/v1/tasks?sort=luck'), 400, 'unknown-filter');
    mustRefuse(await world.anyone.get('/api/v1/tasks?after=x'), 400, 'bad-request');
    mustRefuse(await world.anyone.get('/api/v1/tasks?status=open'), 400, 'bad-request');
    mustRefuse(await world.anyone.get('/api/v1/tasks?minReward=-1'), 400, 'bad-amount');
    mustRefuse(await world.anyone.get('/api/v1/tasks?network=mars'), 400, 'network-unknown');
  });

  it('refuses a word of one letter and leads to the search that finds it', async () => {
    const { alice, anyone } = world;
    const { id } = await publish(alice, { title: 'Port the parser to C' });
    const answer = await anyone.get('/api/v1/tasks?q=C');
    const { hint } = mustRefuse(answer, 400, 'bad-request');
    const path = /`GET (\S+)`/.exec(String(hint))?.[1] ?? '';
    const { results } = mustOk(await anyone.get(path));
    assert.deepEqual(
      (results as Body[]).map((hit) => [hit['kind'], at(hit, 'call', 'path')]),
      [['task', `/api/v1/tasks/${String(id)}`]],
    );
  });

  it('keeps its place in the order by reward when the last reward of a page falls', async () => {
    const { alice, anyone } = world;
    const planner = await world.agent();
    const pitched = { tags: ['pitch', 'sorted'], rewardAmount: '8000', deadline: undefined };
    const high = await publish(alice, pitched);
    const low = await publish(alice, { ...pitched, rewardAmount: '7000' });
    const query = '/api/v1/tasks?tag=sorted&sort=reward&limit=1';
    const first = mustOk(await anyone.get(query));
    const pitch = mustOk(
      await act(planner, high.id, 'pitch', {
        agentId: planner.account,
        plan: 'Mine',
        price: '1000',
      }),
    );
    mustOk(await act(alice, high.id, 'choose', { requester: alice.account, pitchId: pitch['id'] }));
    const second = mustOk(await anyone.get(`${query}&after=${String(first['next'])}`));
    assert.deepEqual(
      (second['tasks'] as Body[]).map((task) => task['id']),
      [low.id],
    );
    for (const id of [high.id, low.id]) gone.add(id);
  });

  it('splits by the moment of publication', async () => {
    world.hub.clock.advance(1);
    const moment = new Date(world.hub.clock.now()).toISOString();
    const { id } = await publish(world.alice, { rewardAmount: '1000' });
    gone.add(id);
    const found = async (query: string): Promise<readonly unknown[]> =>
      (mustOk(await world.anyone.get(`/api/v1/tasks?${query}`))['tasks'] as Body[]).map(
        (task) => task['id'],
      );
    assert.deepEqual(await found(`from=${moment}`), [id]);
    assert.ok(!(await found(`to=${moment}`)).includes(id));
    assert.ok((await found(`to=${moment}`)).length >= 5);
  });
});
