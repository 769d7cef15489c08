import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { disputed, ruled, arbiterOf } from '../tasks/_disputing.ts';
import { act, claim, publish, RULE, submit, type Body } from '../tasks/_work.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';

const EVENTS = '/api/v1/me/events';

async function page(agent: Agent, query = ''): Promise<Body> {
  return mustOk(await agent.get(`${EVENTS}${query}`));
}

async function kinds(agent: Agent, query = ''): Promise<string> {
  return kindsOf(await page(agent, query));
}

function kindsOf(body: Body): string {
  return (body['events'] as Body[]).map(({ kind }) => kind).join(' ');
}

/** The cursor behind all that has happened. */
async function now(agent: Agent): Promise<string> {
  return String((await page(agent, '?after=now'))['next']);
}

onEachDatabase('wallet.events', (url) => {
  let driver: PanelDriver;
  let world: Fixture;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 1 });
    world = driver.world;
  });
  after(() => driver.close());

  it('is empty for an account to which nothing happened', async () => {
    const agent = await world.agent();
    const body = await page(agent);
    assert.deepEqual(
      [body['count'], body['events'], body['next'], body['hasMore'], body['dropped']],
      [0, [], '0', false, undefined],
    );
    assert.equal(body['contentIsUntrusted'], true);
  });

  it('reports to each party of a task what it did, and money to the unit', async () => {
    const { alice } = world;
    const worker = await world.agent();
    const [ofAlice, ofWorker] = [await now(alice), await now(worker)];
    const terms = { acceptance: RULE, disputeWindowSeconds: 0, rewardAmount: '1000000' };
    const { id } = await publish(alice, terms);
    const claimToken = await claim(worker, id);
    mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
    const own = await page(worker, `?after=${ofWorker}`);
    assert.equal(kindsOf(own), 'task.claimed task.accepted task.paid money.in');
    const [claimed, , paid, money] = own['events'] as Body[];
    assert.deepEqual(
      [claimed?.['taskId'], claimed?.['actor'], claimed?.['state'], paid?.['state']],
      [id, worker.account, 'held', 'paid'],
    );
    assert.deepEqual([at(money, 'entry', 'amount'), money?.['network']], ['970000', 'sandbox']);
    assert.equal(own['next'], '3.1@sandbox');
    const theirs = await kinds(alice, `?after=${ofAlice}`);
    assert.deepEqual(theirs.split(' ').sort(), [
      'money.hold',
      'money.out',
      'money.out',
      'money.release',
      'task.accepted',
      'task.claimed',
      'task.paid',
      'task.published',
    ]);
  });

  it('is given again for the same cursor, and pages without a gap', async () => {
    const { alice } = world;
    const whole = await page(alice, '?limit=200');
    assert.ok(Number(whole['count']) > 8);
    const found: unknown[] = [];
    for (let after = ''; ;) {
      const body = await page(alice, `?limit=3${after}`);
      assert.deepEqual(await page(alice, `?limit=3${after}`), body);
      found.push(...(body['events'] as Body[]));
      after = `&after=${String(body['next'])}`;
      if (body['hasMore'] !== true) break;
    }
    assert.deepEqual(found, whole['events']);
    assert.equal((await page(alice, '?limit=9999'))['limit'], 200);
  });

  it('shows an account nothing of another one', async () => {
    const stranger = await world.agent();
    assert.equal(await kinds(stranger, '?limit=200'), '');
    const cursor = await now(world.alice);
    assert.equal(await kinds(stranger, `?after=${cursor}`), '');
    mustRefuse(await world.anyone.get(EVENTS), 401, 'unsigned');
    mustRefuse(await stranger.get(`${EVENTS}?owner=${world.alice.account}`), 400, 'bad-request');
  });

  it('reports comments, except those of the reader', async () => {
    const { alice, bob } = world;
    const { id } = await publish(alice);
    const [ofAlice, ofBob] = [await now(alice), await now(bob)];
    const say = async (by: Agent, over: Body = {}): Promise<unknown> =>
      mustOk(await act(by, id, 'comments', { author: by.account, body: 'Hm?', ...over }))['id'];
    const first = await say(bob);
    await say(alice, { parentId: first });
    await say(alice);
    const reported = await page(alice, `?after=${ofAlice}`);
    assert.equal(kindsOf(reported), 'comment.posted');
    assert.deepEqual(
      [at(reported, 'events', 0, 'commentId'), at(reported, 'events', 0, 'actor')],
      [first, bob.account],
    );
    assert.equal(await kinds(bob, `?after=${ofBob}`), 'comment.posted');
    for (const parentId of [first, undefined]) await say(bob, parentId ? { parentId } : {});
    const unread = async (by: Agent, from: unknown): Promise<unknown[]> =>
      ((await page(by, `?after=${String(from)}`))['events'] as Body[]).map(
        (each) => each['unread'],
      );
    // Alice wrote twice after the first, and the other two came after that.
    assert.deepEqual([await unread(alice, ofAlice), await unread(bob, ofBob)], [[1, 1, 2], [1]]);
  });

  it('reports draws to a judge, and the end of a dispute to its parties', async () => {
    const judge = driver.judges[0]?.agent ?? assert.fail('one judge');
    const before = await now(judge);
    const { id } = await publish(world.alice, { verification: 'validator' });
    mustOk(await submit(world.bob, id, 'The work.'));
    await world.hub.runJob('panels');
    const drawn = await page(judge, `?after=${before}`);
    assert.equal(kindsOf(drawn), 'judge.drawn');
    assert.equal(at(drawn, 'events', 0, 'taskId'), id);
    await driver.sit();

    const [ofJudge, ofBob] = [await now(judge), await now(world.bob)];
    const work = await disputed(driver);
    assert.equal((await arbiterOf(driver, work.id)).account, judge.account);
    await ruled(driver, work.id, 'rejected');
    assert.match(
      await kinds(judge, `?after=${ofJudge}`),
      /^dispute\.drawn dispute\.your-turn dispute\.ruled.*money\.in/,
    );
    assert.match(
      await kinds(world.bob, `?after=${ofBob}&limit=200`),
      /task\.disputed .*dispute\.ruled/,
    );
  });

  it('reports to a rival that another result was taken', async () => {
    const { alice, bob } = world;
    const rival = await world.agent();
    const { id } = await publish(alice, { mode: 'open', verification: 'requester' });
    const offer = async (agent: Agent): Promise<unknown> =>
      mustOk(await act(agent, id, 'solution', { agentId: agent.account, result: 1 }))['solutionId'];
    const [solutionId] = [await offer(bob), await offer(rival)];
    const before = await now(rival);
    mustOk(await act(alice, id, 'accept', { requester: alice.account, solutionId }));
    assert.equal(await kinds(rival, `?after=${before}`), 'attempt.superseded');
  });

  it('wakes a wait for a payment and for a task, and ends an idle one', async () => {
    const { alice } = world;
    const reader = await world.agent();
    const first = page(reader, `?after=${await now(reader)}&wait=30`);
    mustOk(await pay(alice, reader, '5'));
    const money = await first;
    assert.equal(kindsOf(money), 'money.in');
    const second = page(reader, `?after=${String(money['next'])}&wait=30`);
    const { id } = await publish(alice);
    await claim(reader, id);
    assert.equal(kindsOf(await second), 'task.claimed');
    const idle = await page(reader, '?after=now&wait=1');
    assert.equal(idle['count'], 0);
  });

  it('lets an account keep four waits open, the oldest of more ends early', async () => {
    const reader = await world.agent();
    const waits = Array.from({ length: 5 }, () => page(reader, '?after=0&wait=30'));
    assert.equal((await Promise.race(waits))['count'], 0);
    mustOk(await pay(world.alice, reader, '5'));
    const ended = (await Promise.all(waits)).map(kindsOf);
    assert.deepEqual(ended.sort(), ['', 'money.in', 'money.in', 'money.in', 'money.in']);
  });

  it('streams pages from the cursor on, until its reader leaves', async () => {
    const reader = await world.agent();
    const request = await reader.signed('GET', `${EVENTS}?after=0&stream=true`);
    const leave = new AbortController();
    const response = await fetch(new Request(request, { signal: leave.signal }));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const stream = response.body?.getReader() ?? assert.fail('a body');
    const seen: string[] = [];
    for (const amount of ['5', '6']) {
      mustOk(await pay(world.alice, reader, amount));
      let text = ': still here\n\n';
      // On a slow machine a comment may come first, which keeps the connection open.
      while (text.startsWith(':')) text = new TextDecoder().decode((await stream.read()).value);
      assert.match(text, /^event: events\nid: \S+\nretry: 1000\ndata: \{.*\}\n\n$/);
      const data = JSON.parse(text.slice(text.indexOf('{'))) as Body;
      assert.equal(/^id: (\S+)$/m.exec(text)?.[1], data['next']);
      seen.push(`${kindsOf(data)} ${String(at(data, 'events', 0, 'entry', 'amount'))}`);
    }
    assert.deepEqual(seen, ['money.in 5', 'money.in 6']);
    leave.abort();
  });

  it('is continued by the id of the last event, which wins over the cursor of its address', async () => {
    const reader = await world.agent();
    for (const amount of ['5', '6', '7']) mustOk(await pay(world.alice, reader, amount));
    const all = await page(reader, '?after=0');
    const first = await page(reader, '?after=0&limit=1');
    const ask = async (id: string, query: string): Promise<Response> => {
      const request = await reader.signed('GET', `${EVENTS}${query}`);
      request.headers.set('last-event-id', id);
      return fetch(request);
    };
    const rest = await ask(String(first['next']), '?after=0');
    const { events, next } = (await rest.json()) as Body;
    assert.equal(next, all['next']);
    assert.deepEqual(events, (all['events'] as readonly unknown[]).slice(1));
    const stream = await ask(String(first['next']), '?after=0&stream=true');
    const reading = stream.body?.getReader() ?? assert.fail('a body');
    const chunk = await reading.read();
    const text = new TextDecoder().decode(chunk.value);
    assert.equal(/^id: (\S+)$/m.exec(text)?.[1], next);
    await reading.cancel();
    const refused = await ask('nonsense', '');
    assert.equal(refused.status, 400);
    assert.equal(((await refused.json()) as Body)['field'], 'header.last-event-id');
  });

  it('says how many events are kept no longer, and goes on behind them', async () => {
    const { alice, hub } = world;
    const worker = await world.agent();
    const { id } = await publish(alice);
    const start = await now(worker);
    await claim(worker, id);
    hub.clock.advance(91 * 86_400);
    await hub.runJob('eventExpiry');
    const gone = await page(worker, `?after=${start}`);
    assert.deepEqual([gone['count'], gone['dropped']], [0, 1]);
    const again = await page(worker, `?after=${String(gone['next'])}`);
    assert.deepEqual([again['count'], again['dropped']], [0, undefined]);
  });

  it('leaves networks out of a cursor on which the account has no books', async () => {
    const agent = await world.agent();
    await world.fund(agent, '1000');
    const made = Array.from({ length: 10 }, (_, n) => `.7@net${n}`).join('');
    const page = mustOk(await agent.get(`/api/v1/me/events?after=0${made}`));
    assert.equal(page['next'], '0.1@sandbox');
  });

  it('refuses what is no cursor', async () => {
    for (const after of ['x', '-1', '1.', '1.2@', '1.2@BASE', `1${'0'.repeat(20)}`]) {
      const query = `?after=${encodeURIComponent(after)}`;
      mustRefuse(await world.alice.get(`${EVENTS}${query}`), 400, 'bad-request');
    }
  });

  async function pay(from: Agent, to: Agent, amount: string) {
    const body = { to: to.account, amount, idempotencyKey: `${to.keyId}${amount}` };
    return from.post(`/api/v1/wallet/${from.account}/pay`, body);
  }
});

describe('wallet.events of two processes on one PostgreSQL', function suite() {
  this.timeout(60_000);

  it('wake a wait in one for what the other commits', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const world = await openFixture({ databaseUrl });
    const { alice } = world;
    const second = await startHub({ databaseUrl, clock: world.hub.clock });
    const key = await generateKey();
    const [here, there] = [agentWith(world.hub, key), agentWith(second, key)];
    await world.fund(alice, '5000000');
    const { id } = await publish(alice);
    const wait = page(there, '?after=0&wait=30');
    await claim(here, id);
    const seen = await wait;
    assert.equal(kindsOf(seen), 'task.claimed');
    const paid = page(there, `?after=${String(seen['next'])}&wait=30`);
    await world.fund(here, '7');
    assert.equal(kindsOf(await paid), 'money.in');
    await second.close();
    await world.close();
  });
});
