import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { sseEvents } from '../../clients/typescript/streams.ts';
import { act, claim, publish, RULE, type Body } from '../tasks/_work.ts';

const EVENTS = '/api/v1/me/events';

hubsOnBothDatabases('wallet.events by kind', (open) => {
  let world: Fixture;
  let worker: Agent;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '50000000');
    worker = await world.agent();
    await deliver();
  });

  async function deliver(): Promise<void> {
    const terms = { acceptance: RULE, disputeWindowSeconds: 0, rewardAmount: '1000000' };
    const { id } = await publish(world.alice, terms);
    const claimToken = await claim(worker, id);
    mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
  }
  const page = async (query: string): Promise<Body> =>
    mustOk(await worker.get(`${EVENTS}?${query}`));
  const kinds = (body: Body): string =>
    (body['events'] as Body[]).map(({ kind }) => kind).join(' ');

  const filters: readonly (readonly [string, string])[] = [
    ['task', 'task.claimed task.accepted task.paid'],
    ['money', 'money.in'],
    ['task.paid', 'task.paid'],
    ['money.in,task.claimed', 'task.claimed money.in'],
    ['money.out', ''],
    ['task.auto-accepted', ''],
    ['approval,policy,key,pitch,panel,solution,lease,delivery', ''],
    ['task,task.paid,money', 'task.claimed task.accepted task.paid money.in'],
  ];
  for (const [types, is] of filters) {
    it(`lists ${types}, with a cursor behind everything`, async () => {
      const body = await page(`types=${types}`);
      assert.deepEqual([kinds(body), body['count']], [is, is === '' ? 0 : is.split(' ').length]);
      assert.equal(body['next'], (await page('limit=200'))['next']);
      assert.equal(body['hasMore'], false);
    });
  }

  it('finds a kind behind pages of others, and pages without a gap', async () => {
    const found: string[] = [];
    for (let after = '0', hasMore: unknown = true; hasMore === true;) {
      const body = await page(`types=task.paid,money.in&limit=1&after=${after}`);
      if (body['count'] !== 0) found.push(kinds(body));
      after = String(body['next']);
      hasMore = body['hasMore'];
    }
    assert.deepEqual(found, ['task.paid', 'money.in']);
  });

  it('waits over events of other kinds, and streams the wanted ones alone', async () => {
    const { next } = await page('after=now');
    const waited = page(`types=money.in&wait=20&after=${String(next)}`);
    await deliver();
    assert.equal(kinds(await waited), 'money.in');
    const leave = new AbortController();
    const request = await worker.signed('GET', `${EVENTS}?types=money&stream=true&after=0`);
    const stream = await fetch(new Request(request, { signal: leave.signal }));
    for await (const { data } of sseEvents(stream)) {
      assert.equal(kinds(JSON.parse(data) as Body), 'money.in money.in');
      break;
    }
    leave.abort();
  });

  it('refuses a kind that no event has', async () => {
    for (const types of ['tasks', 'money.', '', 'task,', 'Money']) {
      mustRefuse(await worker.get(`${EVENTS}?types=${types}`), 400, 'bad-request');
    }
  });
});
