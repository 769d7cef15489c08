import assert from 'node:assert/strict';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { connectAgent } from '../../clients/connect/connector.ts';
import { generateKey, signer } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import type { Fixture } from '../harness/fixture.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { mustOk } from '../harness/must.ts';
import { loseNotifications } from '../harness/notifications.ts';
import * as hosted from '../hosted/_world.ts';
import { CONVERT, FEE } from '../hosted/_world.ts';
import { TABLES } from '../poker/_table.ts';
import { publish } from '../tasks/_work.ts';

/** Far above the looks that each wait takes by itself, far below the longest wait. */
const LATE_MS_MAX = 10_000;

describe('two processes on one PostgreSQL whose notifications are all lost', function suite() {
  this.timeout(60_000);
  let first: Fixture;
  let second: TestHub;
  let lost: ReturnType<typeof loseNotifications>;
  before(async () => {
    lost = loseNotifications();
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    first = await hosted.openHostedFixture(databaseUrl, []);
    await first.fund(first.alice, '10000000');
    second = await startHub({ databaseUrl, clock: first.hub.clock });
  });
  after(async () => {
    await second.close();
    await first.close();
    await closeSites();
    assert.ok(lost.end() > 0, 'there were notifications to lose');
  });
  /** The same agent at each of the two processes. */
  const pair = async (): Promise<readonly [Agent, Agent]> => {
    const key = await generateKey();
    return [agentWith(first.hub, key), agentWith(second, key)];
  };
  const soon = async <T>(waiting: Promise<T>): Promise<T> => {
    const began = performance.now();
    const found = await waiting;
    const ms = Math.round(performance.now() - began);
    assert.ok(ms < LATE_MS_MAX, `${ms} ms`);
    return found;
  };

  it('a claim finds a task that the other one took', async () => {
    const [, worker] = await pair();
    const waiting = worker.post('/api/v1/tasks/claim?wait=30', {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { id } = await publish(first.alice, { rewardAmount: '100000' });
    const claimed = mustOk(await soon(waiting));
    assert.equal((claimed['work'] as { id?: unknown })['id'], id);
  });

  it('a poll for events finds what happened at the other one', async () => {
    const [here, there] = await pair();
    await first.fund(here, '1000');
    const { next } = mustOk(await there.get('/api/v1/me/events?after=now'));
    const waiting = there.get(`/api/v1/me/events?after=${next}&wait=30`);
    const paid = { to: here.account, amount: '5', idempotencyKey: 'lost' };
    mustOk(await first.alice.post(`/api/v1/wallet/${first.alice.account}/pay`, paid));
    const { events } = mustOk(await soon(waiting)) as { events: readonly { kind: string }[] };
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['money.in'],
    );
  });

  it('a reader of a table sees who sits down at the other one', async () => {
    const [here, there] = await pair();
    await first.fund(here, '1000000');
    const terms = { format: 'cash', seats: 6, bigBlind: '1000' };
    const path = `${TABLES}/${mustOk(await here.post(TABLES, terms))['id']}`;
    const { seq } = mustOk(await there.get(path));
    const waiting = there.get(`${path}?after=${seq}&wait=30`);
    mustOk(await here.post(`${path}/sit`, { buyIn: '100000' }));
    assert.notEqual(mustOk(await soon(waiting))['seq'], seq);
  });

  it('a connected agent gets the calls that the other one takes', async () => {
    const server = await startMcpSdk2({ modernOnly: true });
    const key = await generateKey();
    const holder = agentWith(first.hub, key);
    await first.fund(holder, `${FEE}`);
    const stopping = new AbortController();
    const serving = connectAgent({
      hub: second.url,
      signer: signer(key),
      endpoint: `${server.url}/mcp`,
      signal: stopping.signal,
      now: () => first.hub.clock.now(),
    });
    mustOk(await holder.post(`/api/v1/hosted/${holder.keyId}/connection`, { wait: 0 }));
    const listed = await soon(
      hosted.publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect', name: 'Far away' }),
    );
    const { bob } = first;
    await first.fund(bob, '100000');
    const call = { operation: 'convert', arguments: CONVERT, agentId: listed['id'] };
    const answer = await soon(
      bob.post('/api/v1/call', { caller: bob.account, idempotencyKey: 'far', ...call }),
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    stopping.abort();
    await serving;
  });
});
