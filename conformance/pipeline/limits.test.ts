import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { exchange, plain, type Answer } from '../harness/agents.ts';
import { operations } from '../harness/contract.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { mustBeRefusal, overWire, readAnswer, wireBytes } from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** Rate limits on, the clock in hand (choices pipeline.limits). Each test has a hub of its own. */
const ON = { env: { HUB_RATE_LIMITS: 'true' } };
const ANON_QUOTA = 300;
const SEARCHES = '"searches";q=60;w=60;pk=account';

/** Policy of an operation's `x-limit` as the headers show it. */
const POLICIES: Readonly<Record<string, string>> = {
  money: '"money";q=300;w=60;pk=account',
  act: '"act";q=240;w=60;pk=account',
  search: '"search";q=60;w=60;pk=ip',
  /** The same for a caller that signs. */
  searches: '"searches";q=60;w=60;pk=account',
  verify: '"verify";q=60;w=60;pk=ip',
  submit: '"submit";q=60;w=60;pk=ip',
  stamp: '"stamp";q=120;w=60;pk=ip',
  handshake: '"handshake";q=60;w=3600;pk=ip',
  worlds: '"worlds";q=30;w=60;pk=ip',
  faucet: '"faucet";q=200;w=86400;pk=ip',
  serve: '"serve";q=12000;w=60;pk=account',
};

describe('rate limits', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture(ON);
  });
  afterEach(() => world.close());

  const remaining = (answer: Pick<Answer, 'headers'>): number =>
    Number(answer.headers.get('x-ratelimit-remaining'));
  const policy = (answer: Pick<Answer, 'headers'>): string | null =>
    answer.headers.get('x-ratelimit-policy');

  /** Sends over one connection until the hub refuses; answers how many passed before that. */
  async function passedBefore429(
    headers: readonly (readonly [string, string])[],
    target: string,
  ): Promise<number> {
    const { host, hostname, port } = new URL(world.hub.url);
    const request = wireBytes({ method: 'GET', target, headers: [['Host', host], ...headers] });
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    for (let passed = 0; passed <= 2 * ANON_QUOTA; passed += 1) {
      const answer = readAnswer(socket);
      socket.write(request);
      const { status } = await answer;
      if (status !== 429) continue;
      socket.destroy();
      return passed;
    }
    socket.destroy();
    return Infinity;
  }

  it('let an address ask 300 times a minute, and say when it may ask again', async () => {
    assert.equal(await passedBefore429([], '/api/v1/tasks'), ANON_QUOTA);
    const answer = await world.anyone.get('/api/v1/tasks');
    mustBeRefusal(answer, 429, 'rate-limited');
    const wait = Number(answer.headers.get('retry-after'));
    assert.equal(wait, 1);
    assert.equal(answer.body['retryAfterSeconds'], wait);
    assert.equal(remaining(answer), 0);
    assert.equal(policy(answer), '"anon";q=300;w=60;pk=ip');
    world.hub.clock.advance(wait);
    assert.equal((await world.anyone.get('/api/v1/tasks')).status, 200);
  });

  it('refill evenly: a fifth of the window gives a fifth of the quota', async () => {
    await passedBefore429([], '/nowhere');
    world.hub.clock.advance(12);
    assert.equal(await passedBefore429([], '/nowhere'), ANON_QUOTA / 5);
  });

  for (const target of ['/api/v1/tasks', '/nowhere', '/api/v1/me']) {
    it(`count an unverified signature as well: ${target}`, async () => {
      for (const headers of [
        [['Signature-Input', 'sig1=()']],
        [
          ['Signature-Input', 's=();tag="other"'],
          ['Signature', `s=:${'A'.repeat(86)}==:`],
        ],
      ] as const) {
        world.hub.clock.advance(60);
        assert.equal(await passedBefore429(headers, target), ANON_QUOTA, JSON.stringify(headers));
      }
    });
  }

  it('count a signed read that is public against its account, not against its address', async () => {
    assert.equal(await passedBefore429([], '/api/v1/tasks'), ANON_QUOTA);
    mustBeRefusal(await world.anyone.get('/api/v1/tasks'), 429, 'rate-limited');
    for (const agent of [world.alice, world.bob]) {
      for (const target of ['/api/v1/tasks', '/api/v1/agents', '/api/v1/earnings']) {
        const answer = await agent.send(await agent.signed('GET', target));
        assert.equal(answer.status, 200, target);
        const own = target === '/api/v1/agents' ? SEARCHES : '"signed";q=1200;w=60;pk=account';
        assert.equal(policy(answer), own);
      }
    }
    const next = await world.bob.send(await world.bob.signed('GET', '/api/v1/tasks'));
    assert.equal(remaining(next), 1200 - 4, 'what Alice reads costs Bob nothing');
  });

  it('count the searches of a signer apart from those of its neighbours', async () => {
    const search = async (agent: typeof world.alice): Promise<Answer> =>
      agent.send(await agent.signed('GET', '/api/v1/search?q=pdf'));
    for (let time = 0; time < 60; time += 1) mustOk(await search(world.alice));
    const over = await search(world.alice);
    mustBeRefusal(over, 429, 'rate-limited');
    assert.equal(policy(over), SEARCHES);
    mustOk(await search(world.bob));
    mustOk(await world.anyone.get('/api/v1/search?q=pdf'));
  });

  it('follow their own hint: a signed call passes where an unsigned one is refused', async () => {
    await passedBefore429([], '/api/v1/tasks');
    const refused = await world.anyone.get('/api/v1/tasks');
    assert.match(String(refused.body['hint']), /a signed call counts against its account/);
    mustOk(await world.alice.send(await world.alice.signed('GET', '/api/v1/tasks')));
    const search = await world.alice.signed('GET', '/api/v1/search?q=pdf');
    assert.equal(policy(await world.alice.send(search)), SEARCHES);
  });

  it('count each signature of a public read against its account once', async () => {
    const signed = await world.alice.signed('GET', '/api/v1/tasks');
    const copies = await passedBefore429([...signed.headers], '/api/v1/tasks');
    assert.equal(copies, ANON_QUOTA + 1, 'the first is of the account, its copies of the address');
    const next = await world.alice.send(await world.alice.signed('GET', '/api/v1/earnings'));
    mustBeRefusal(next, 429, 'rate-limited');
    assert.equal(policy(next), '"unverified";q=300;w=60;pk=ip');
  });

  it('hold for keys that are made for public reads: 60 new ones a minute', async () => {
    await passedBefore429([], '/api/v1/tasks');
    let served = 0;
    for (let made = 0; made < 65; made += 1) {
      const agent = await world.agent();
      const answer = await agent.send(await agent.signed('GET', '/api/v1/tasks'));
      served += answer.status === 200 ? 1 : 0;
      if (answer.status !== 200) assert.equal(policy(answer), '"anon";q=300;w=60;pk=ip');
    }
    assert.equal(served, 60);
  });

  it('never hold for the pages that explain a refusal', async () => {
    await passedBefore429([], '/api/v1/tasks');
    await passedBefore429([['Signature-Input', 'sig1=()']], '/api/v1/me');
    const signed = [['Signature-Input', 'sig1=()']] as const;
    for (const target of ['/errors', '/errors/rate-limited', '/errors/no-such-code']) {
      assert.equal(await passedBefore429([], target), Infinity, target);
      assert.equal(await passedBefore429(signed, target), Infinity, target);
    }
    mustBeRefusal(await world.anyone.get('/api/v1/tasks'), 429, 'rate-limited');
    for (const target of ['/errors/rate-limited/', '/errors/../api/v1/tasks', '/errors/A']) {
      assert.equal(await passedBefore429([], target), 0, target);
    }
  });

  it('count bad signatures against the sender, never against the account they name', async () => {
    mustOk(await world.alice.get('/api/v1/me'));
    const bad = await world.alice.signed('GET', '/api/v1/me');
    const headers = [...bad.headers].map(([name, value]) =>
      name === 'signature'
        ? ([name, `sig1=:${'A'.repeat(86)}==:`] as const)
        : ([name, value] as const),
    );
    assert.equal(await passedBefore429(headers, '/api/v1/me'), ANON_QUOTA);
    const sender = await exchange(plain(world.hub, 'GET', '/api/v1/tasks'));
    assert.equal(sender.status, 200, 'what it asks unsigned is counted apart');

    const { host } = new URL(world.hub.url);
    const good = await world.alice.signed('GET', '/api/v1/me');
    const socket = connect({
      host: '127.0.0.1',
      port: Number(new URL(world.hub.url).port),
      localAddress: '127.0.0.2',
    });
    const answer = readAnswer(socket);
    const lines = [['Host', host], ...good.headers] as const;
    socket.write(wireBytes({ method: 'GET', target: '/api/v1/me', headers: lines }));
    const { status, headers: given, text } = await answer;
    socket.destroy();
    assert.equal(status, 200, text);
    assert.equal(given.get('x-ratelimit-policy'), '"signed";q=1200;w=60;pk=account');
    assert.equal(given.get('x-ratelimit-remaining'), '1198');
  });

  it('count a signed caller on its account alone', async () => {
    const first = await world.alice.get('/api/v1/me');
    assert.deepEqual([policy(first), remaining(first)], ['"signed";q=1200;w=60;pk=account', 1199]);
    assert.equal(remaining(await world.alice.get('/api/v1/me')), 1198);
    assert.equal(remaining(await world.bob.get('/api/v1/me')), 1199);
    assert.equal(remaining(await world.anyone.get('/api/v1/tasks')), ANON_QUOTA - 1);
  });

  it('show the policy of every operation that has one of its own', async () => {
    // An API key is asked for before anything is counted on its account.
    const limited = operations.filter(
      ({ raw }) => raw['x-limit'] !== undefined && raw['x-auth'] !== 'api-key',
    );
    assert.ok(limited.length > 20);
    for (const operation of limited) {
      // The caller's own allowance is full again, so the operation's is the tighter one.
      world.hub.clock.advance(60);
      const target = operation.path.replaceAll(/\{[A-Za-z]+\}/g, 'x');
      const signs = operation.raw['x-auth'] !== 'public';
      const request = signs
        ? await (await world.agent()).signed(operation.method, target, {})
        : plain(world.hub, operation.method, target, {});
      const shown = policy(await exchange(request));
      const limit = String(operation.raw['x-limit']);
      const own = signs && limit === 'search' ? 'searches' : limit;
      assert.equal(shown, POLICIES[own], operation.operationId);
    }
  });

  it('refuse over an operation’s own quota and leave the other operations alone', async () => {
    const search = operations.find((each) => each.raw['x-limit'] === 'search');
    assert.ok(search);
    const target = search.path.replaceAll(/\{[A-Za-z]+\}/g, 'x');
    const { host } = new URL(world.hub.url);
    for (let times = 0; times < 60; times += 1) {
      const headers = [['Host', host]] as const;
      const answer = await overWire(world.hub.url, { method: search.method, target, headers });
      assert.notEqual(answer.status, 429);
    }
    const over = await exchange(plain(world.hub, search.method, target));
    assert.equal(mustRefuse(over, 429, 'rate-limited')['retryAfterSeconds'], 1);
    assert.equal(policy(over), POLICIES['search']);
    assert.equal((await world.anyone.get('/api/v1/tasks')).status, 200);
  });
});
