import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Agent } from '../harness/agents.ts';
import { until } from '../harness/waiting.ts';
import { echo, text } from '../router/_agent.ts';
import { call, receiptOf, spendable, tryCall, walletOf } from '../router/_fixture.ts';
import { barrier, FREE, JOB, openScripted, pathOf, takeDown, type Scripted } from './_scripted.ts';
import * as place from './_world.ts';
import { callsOf, newHolder, paid, publish, tryPublish, type Body } from './_world.ts';

for (const [database, url] of DATABASES) {
  describe(`hosted.delete (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let desk: Scripted;
    before(async () => {
      desk = await openScripted(await url(), 8);
    });
    after(() => desk.close());
    const buyer = async (): Promise<Agent> => {
      const caller = await desk.world.agent();
      await desk.world.fund(caller, '5000');
      return caller;
    };
    const jobOf = (listing: Body): Body => ({
      agentId: listing['id'],
      operation: 'job',
      maxPrice: '700',
    });
    /** The totals of the index, as its changes add up. */
    const countsOf = async (): Promise<readonly number[]> => {
      const { store } = desk.world.hub.running.hub;
      const rows = await store.read((db) =>
        db
          .knex<Readonly<Record<'listed' | 'live', number>>>('listing_counts')
          .select('listed', 'live'),
      );
      return (['listed', 'live'] as const).map((name) =>
        rows.reduce((sum, row) => sum + Number(row[name]), 0),
      );
    };

    it('takes a listing out of every list and address, and keeps what it earned', async () => {
      const { world, listed } = desk;
      const before = await countsOf();
      const { holder, listing } = await listed(0, { name: 'Vanishing' });
      const caller = await buyer();
      const { id: receiptId } = receiptOf(await call(caller, jobOf(listing)));
      await world.hub.runJob('searchIndex');
      const down = mustOk(await takeDown(holder));
      assert.deepEqual([down['live'], at(down, 'totals', 'earned')], [false, '700']);
      assert.ok(typeof down['takenDownAt'] === 'string');
      await world.hub.runJob('searchIndex');
      const id = String(listing['id']);
      const { anyone } = world;
      mustRefuse(await anyone.get(`/api/v1/agents/${id}`), 404, 'not-found');
      mustRefuse(await anyone.get(`/api/v1/agents/${holder.keyId}`), 404, 'not-found');
      const lists = ['agents?q=Vanishing', 'agents?includeUnavailable=true', 'agents.ndjson'];
      for (const path of lists) {
        assert.ok(!(await anyone.get(`/api/v1/${path}`)).text.includes(id), path);
      }
      assert.deepEqual(
        mustOk(await anyone.get(`/api/v1/passport/${holder.keyId}`))['listings'],
        [],
      );
      assert.deepEqual(mustOk(await holder.get('/api/v1/me'))['listings'], []);
      mustRefuse(await tryCall(caller, jobOf(listing)), 404, 'not-found');
      const free = { tool: 'free', arguments: {} };
      mustRefuse(await anyone.post(pathOf(holder, 'call'), free), 404, 'not-found');
      const card = `/hosted/${holder.keyId}/.well-known/agent-card.json`;
      mustRefuse(await anyone.get(card), 404, 'not-found');
      const verify = `/api/v1/verify?url=${encodeURIComponent(String(listing['listedEndpoint']))}`;
      mustRefuse(await anyone.get(verify), 400, 'endpoint-refused');
      assert.deepEqual(await countsOf(), before, 'the counts of the index are as before it');
      assert.equal(await spendable(holder), 700n);
      const calls = await callsOf(holder);
      assert.equal(at(calls, 'calls', 0, 'receiptId'), receiptId);
      assert.equal(calls['takenDownAt'], down['takenDownAt']);
      const { receipts } = mustOk(await caller.get('/api/v1/call/receipts'));
      assert.deepEqual([at(receipts, 0, 'id'), at(receipts, 0, 'cost')], [receiptId, '700']);
      await world.hub.runJob('hostedLook');
      mustRefuse(await anyone.get(`/api/v1/agents/${id}`), 404, 'not-found');
    });

    for (const [ending, reply, cost] of [
      ['served', { content: [{ type: 'text', text: 'done' }] }, '700'],
      ['failed', undefined, '0'],
    ] as const) {
      it(`lets a call that is under way end as ${ending}, with its money where it belongs`, async () => {
        const { agents, listed } = desk;
        const agent = agents[1];
        assert.ok(agent !== undefined);
        const held = barrier();
        agent.tools.set('job', async (_, answer) => {
          await held.pass();
          if (reply === undefined) answer.send(500, {});
          else answer.result(reply);
        });
        const { holder, listing } = await listed(1);
        const caller = await buyer();
        const calling = call(caller, jobOf(listing));
        await held.reached;
        assert.equal((await walletOf(caller))['held'], '700');
        mustOk(await takeDown(holder));
        held.open();
        const receipt = receiptOf(await calling);
        assert.deepEqual([receipt['outcome'], receipt['cost']], [ending, cost]);
        assert.deepEqual(await walletOf(caller), {
          balance: `${5_000n - BigInt(cost)}`,
          held: '0',
          spendable: `${5_000n - BigInt(cost)}`,
        });
        assert.equal(await spendable(holder), BigInt(cost));
        const { totals } = await callsOf(holder);
        assert.deepEqual([at(totals, ending), at(totals, 'earned')], [1, cost]);
        agent.tools.set('job', echo);
      });
    }

    it('hands a waiting call to an agent that stays connected', async () => {
      const { world } = desk;
      const holder = await newHolder(world);
      const poll = async (body: Body = {}): Promise<readonly Body[]> =>
        mustOk(await holder.post(pathOf(holder, 'connection'), { wait: 0, ...body }))[
          'calls'
        ] as readonly Body[];
      const answer = async (isOver: () => boolean): Promise<void> => {
        let answers: readonly Body[] = [];
        await until(async () => {
          const calls = await poll({ answers });
          answers = calls.map(({ id, body }) => ({ id, ...replyTo(String(body ?? '')) }));
          return isOver();
        });
      };
      await poll();
      let isListed = false;
      const publishing = publish(holder, {
        endpoint: 'http://127.0.0.1:9/mcp',
        via: 'connect',
        tools: [FREE],
      }).finally(() => (isListed = true));
      await answer(() => isListed);
      await publishing;
      let isCalled = false;
      const calling = world.anyone
        .post(pathOf(holder, 'call'), { tool: 'free', arguments: {} })
        .finally(() => (isCalled = true));
      await until(async () => {
        const rows = await world.hub.running.hub.store.read((db) => db.knex('hosted_letters'));
        return rows.length > 0;
      });
      mustOk(await takeDown(holder));
      await answer(() => isCalled);
      assert.equal(mustOk(await calling)['outcome'], 'served');
      const calls = await callsOf(holder);
      assert.deepEqual([calls['live'], at(calls, 'totals', 'served')], [false, 1]);
    });

    it('frees the endpoint, and the key publishes again for free with its totals', async () => {
      const { world, agents, listed } = desk;
      const { holder, listing } = await listed(2);
      const endpoint = agents[2]?.endpoint;
      receiptOf(await call(await buyer(), jobOf(listing)));
      mustOk(await takeDown(holder));
      const other = await newHolder(world);
      const theirs = await publish(other, { endpoint, tools: [FREE] });
      const offer = { endpoint, tools: [FREE, JOB] };
      mustRefuse(await tryPublish(holder, offer), 400, 'hosted-exists');
      mustOk(await takeDown(other));
      let again: Body = {};
      const cost = await paid(holder, async () => {
        again = await publish(holder, { ...offer, name: 'Back' });
      });
      assert.deepEqual([cost, again['relisted'], again['charge']], [0n, true, undefined]);
      assert.equal(again['id'], listing['id']);
      assert.notEqual(theirs['id'], listing['id']);
      const shown = mustOk(await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`));
      assert.deepEqual([shown['name'], shown['availability']], ['Back', 'live']);
      const { totals, takenDownAt } = await callsOf(holder);
      assert.deepEqual([at(totals, 'earned'), takenDownAt], ['700', undefined]);
      receiptOf(await call(await buyer(), jobOf(listing)));
      assert.equal(at(await callsOf(holder), 'totals', 'earned'), '1400');
    });

    it('gives a listing that comes back the reports that it had', async () => {
      const { world, agents, listed } = desk;
      const { holder, listing } = await listed(3);
      const reporter = await world.agent();
      const path = `/api/v1/agents/${String(listing['id'])}/reports`;
      const text = 'It asks for secrets.';
      const body = { reporter: reporter.account, reason: 'hostile', text };
      const made = mustOk(await reporter.post(path, body));
      mustOk(await takeDown(holder));
      mustRefuse(await reporter.post(path, body), 404, 'not-found');
      mustRefuse(await world.anyone.get(path), 404, 'not-found');
      await publish(holder, { endpoint: agents[3]?.endpoint, tools: [FREE] });
      const shown = mustOk(await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`));
      assert.equal(shown['openReports'], 1);
      assert.deepEqual(at(mustOk(await world.anyone.get(path)), 'reports', 0), made);
      mustRefuse(await reporter.post(path, body), 400, 'already-reported');
      mustOk(await reporter.post(`${path}/${String(made['id'])}`, { withdraw: true }));
      mustOk(await takeDown(holder));
      await publish(holder, { endpoint: agents[3]?.endpoint, tools: [FREE] });
      const { reports } = mustOk(await world.anyone.get(path));
      assert.deepEqual(
        (reports as readonly Body[]).map(({ id, state }) => [id, state]),
        [[made['id'], 'withdrawn']],
      );
    });

    it('answers a repeat alike, and refuses other accounts and keys without a listing', async () => {
      const { world, listed } = desk;
      const { holder, listing } = await listed(4);
      const stranger = await world.agent();
      mustOk(await stranger.get('/api/v1/me'));
      mustRefuse(await takeDown(stranger, holder), 400, 'key-not-bound');
      const theirs = { owner: holder.account };
      const forged = await stranger.post(pathOf(holder, 'delete'), theirs);
      mustRefuse(forged, 401, 'wrong-owner');
      mustRefuse(await takeDown(stranger), 404, 'not-found');
      mustRefuse(await world.anyone.post(pathOf(holder, 'delete'), theirs), 401, 'unsigned');
      mustOk(await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`));
      const first = mustOk(await takeDown(holder));
      world.hub.clock.advance(5);
      assert.deepEqual(mustOk(await takeDown(holder)), first);
    });

    it('does not bring a listing back when a look that began before it ends', async () => {
      const { world, agents, listed } = desk;
      const tools = [{ name: 'ping', description: 'Answers.' }];
      const held = barrier();
      agents[5]?.offer(tools);
      agents[5]?.tools.set('ping', async (_, reply) => {
        await held.pass();
        reply.result(text('pong'));
      });
      const { holder, listing } = await listed(5, { tools });
      const look = world.hub.runJob('hostedLook');
      await held.reached;
      mustOk(await takeDown(holder));
      held.open();
      await look;
      mustRefuse(
        await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`),
        404,
        'not-found',
      );
      assert.equal((await callsOf(holder))['live'], false);
    });

    it('stays whole when it is published, renamed, reported, called and taken down at once', async () => {
      const { world, agents, listed } = desk;
      const { holder, listing } = await listed(6);
      const caller = await buyer();
      const reporter = await world.agent();
      const path = `/api/v1/agents/${String(listing['id'])}/reports`;
      const offer = { endpoint: agents[6]?.endpoint, tools: [FREE, JOB] };
      const answers = await Promise.all(
        [1, 2, 3].flatMap((nth) => [
          takeDown(holder),
          tryPublish(holder, offer),
          holder.post('/api/v1/hosted', {
            owner: holder.account,
            keyId: holder.keyId,
            name: `Name ${nth}`,
          }),
          tryCall(caller, jobOf(listing)),
          reporter.post(path, { reporter: reporter.account, reason: 'broken' }),
          holder.get('/api/v1/hosted'),
        ]),
      );
      for (const { status, text: body } of answers) assert.ok(status < 500, body);
      const { totals, takenDownAt } = await callsOf(holder);
      const earned = BigInt(String(at(totals, 'earned')));
      assert.equal(await spendable(holder), earned);
      assert.equal(await spendable(caller), 5_000n - earned);
      assert.equal((await walletOf(caller))['held'], '0');
      const shown = await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`);
      assert.equal(shown.status, takenDownAt === undefined ? 200 : 404);
    });
  });
}

/** Returns the answer of an MCP server with the free tool to one request. */
function replyTo(body: string): Body {
  const headers = { 'content-type': 'application/json' };
  const { id, method } = JSON.parse(body === '' ? '{}' : body) as Body;
  if (id === undefined) return { status: 202, headers: {}, body: '' };
  const results: Body = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'scripted', version: '1' },
    },
    'tools/list': { tools: [{ ...FREE, inputSchema: { type: 'object' } }] },
    'tools/call': text('here'),
  };
  const result = results[String(method)];
  const error = { code: -32_601, message: 'Method not found' };
  const rest = result === undefined ? { error } : { result };
  return { status: 200, headers, body: JSON.stringify({ jsonrpc: '2.0', id, ...rest }) };
}
