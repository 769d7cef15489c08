import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites, notFound, startSite, type Site } from '../../clients/examples/agents/site.ts';
import type { Fixture } from '../harness/fixture.ts';
import { callsOf } from '../harness/hints.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { holdsDomain } from '../passport/_held.ts';
import { echo, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import { call, receiptOf, spendable } from '../router/_fixture.ts';
import * as place from './_world.ts';
import { FEE, newHolder, paid, PRICED, publish, tryPublish, type Body } from './_world.ts';

const JOB = { name: 'job', description: 'Does a job.' };

for (const [database, url] of DATABASES) {
  describe(`hosted.publish (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let sites: readonly Site[] = [];
    let endpoints: readonly string[] = [];
    let html: Site;
    let away: Site;
    let endless: Site;
    let twice: ScriptedAgent;
    before(async () => {
      sites = await Promise.all([
        startMcpSdk1(),
        startMcpSdk1({ sessions: true, json: false }),
        startMcpSdk2(),
        startMcpSdk2({ modernOnly: true }),
        ...Array.from({ length: 12 }, () => startMcpSdk1()),
      ]);
      html = await startSite((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<h1>Hello</h1>');
      });
      away = await startSite((_, response) => {
        response.writeHead(307, { location: `${sites[9]?.url}/mcp` });
        response.end();
      });
      endless = await startSite((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"jsonrpc":"2.0","id":1,"result":{"tools":[');
        const more = (): void => {
          while (response.writable && response.write('{"name":"a"},'.repeat(5_000)));
        };
        response.on('drain', more);
        more();
      });
      twice = await startAgent({ job: echo });
      twice.offer([
        { name: 'job', description: 'The first.' },
        { name: 'job', description: 'The second.' },
        { name: 'odd', description: 'No object.', inputSchema: [] },
      ]);
      endpoints = sites.map((site) => `${site.url}/mcp`);
      const pairs = [...sites, html, away, endless, twice.site].map(({ pair }) => pair);
      world = await place.openHostedFixture(await url(), [...pairs, '127.0.0.1:1']);
    });
    after(async () => {
      await world.close();
      await closeSites();
    });
    const endpoint = (nth: number): string => endpoints[nth] ?? '';
    const stepsOf = (dial: unknown): readonly string[] =>
      (at(dial, 'steps') as readonly Body[]).map(({ step, outcome }) => `${step} ${outcome}`);

    it('lists servers of both SDKs, in both eras, for one fee, step by step', async () => {
      for (const nth of [0, 1, 2, 3]) {
        const holder = await newHolder(world);
        let listed: Body = {};
        const cost = await paid(holder, async () => {
          listed = await publish(holder, { endpoint: endpoint(nth), name: 'Currencies' });
        });
        assert.equal(cost, FEE);
        const { id, keyId, kind, relisted, charge, dial } = listed;
        assert.deepEqual([keyId, kind, relisted], [holder.keyId, 'mcp', false]);
        assert.equal(at(charge, 'amount'), '250000');
        assert.equal(listed['listedEndpoint'], `${world.hub.url}/hosted/${holder.keyId}/mcp`);
        assert.deepEqual(stepsOf(dial), [
          'resolve ok',
          'connect ok',
          'handshake ok',
          'list ok',
          'tool ok',
          'tool ok',
        ]);
        assert.deepEqual([at(dial, 'toolsSeen'), at(dial, 'toolsMissing')], [3, []]);
        const found = mustOk(await world.anyone.get(`/api/v1/agents/${String(id)}`));
        assert.equal(found['name'], 'Currencies');
        assert.deepEqual(
          [found['availability'], found['verification'], found['passportKeyId']],
          ['live', 'hosted', holder.keyId],
        );
        assert.ok(
          !JSON.stringify(found).includes(endpoint(nth)),
          'the endpoint is not shown to others',
        );
      }
    });

    it('shows it in lists, feed, passport and me, with the price that a call costs', async () => {
      const holder = await newHolder(world);
      const { id } = await publish(holder, { endpoint: endpoint(4), name: 'Shown' });
      await world.hub.runJob('searchIndex');
      const list = mustOk(await world.anyone.get('/api/v1/agents?q=Shown'));
      const found = (list['agents'] as readonly Body[]).find((each) => each['id'] === id);
      assert.equal(found?.['name'], 'Shown');
      const skill = (found?.['skills'] as readonly Body[]).find(({ name }) => name === 'convert');
      assert.equal(at(skill, 'price', 'amount'), '2000');
      const feed = await world.anyone.get('/api/v1/agents.ndjson');
      assert.ok(feed.text.includes(String(id)));
      const passport = mustOk(await world.anyone.get(`/api/v1/passport/${holder.keyId}`));
      assert.equal(at(passport, 'listings', 0, 'verification'), 'hosted');
      const me = mustOk(await holder.get('/api/v1/me'));
      assert.equal(at(me, 'listings', 0, 'hosted'), true);
      // A tool that was declared without a schema has the one of the endpoint.
      const full = mustOk(await world.anyone.get(`/api/v1/agents/${String(id)}`));
      const skills = full['skills'] as readonly Body[];
      const convert = skills.find(({ name }) => name === 'convert');
      assert.deepEqual(at(convert, 'inputSchema', 'required'), ['amount', 'from', 'to']);
      assert.deepEqual([convert?.['access'], at(convert, 'price', 'amount')], ['paid', '2000']);
    });

    it('lists again for free, with another endpoint, and a repeat is the first answer', async () => {
      const holder = await newHolder(world);
      const body = { endpoint: endpoint(5), idempotencyKey: 'same' };
      const first = await publish(holder, body);
      const again = await publish(holder, body);
      assert.deepEqual([again['repeated'], again['charge']], [true, first['charge']]);
      const cost = await paid(holder, async () => {
        const tools = [PRICED[0]];
        const moved = await publish(holder, { endpoint: endpoint(6), tools, name: 'Moved' });
        assert.deepEqual([moved['relisted'], moved['charge']], [true, undefined]);
        assert.equal(moved['id'], first['id']);
        const found = mustOk(await world.anyone.get(`/api/v1/agents/${String(first['id'])}`));
        assert.deepEqual(
          [found['name'], (found['skills'] as readonly Body[]).length],
          ['Moved', 1],
        );
      });
      assert.equal(cost, 0n);
      mustRefuse(await tryPublish(holder, { ...body, name: 'x' }), 400, 'idempotency-mismatch');
    });

    it('charges once when it is sent three times at once', async () => {
      const holder = await world.agent();
      await world.fund(holder, '2000000');
      const cost = await paid(holder, async () => {
        const answers = await Promise.all(
          [1, 2, 3].map(() => tryPublish(holder, { endpoint: endpoint(7) })),
        );
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 200],
        );
      });
      assert.equal(cost, FEE);
    });

    it('pays the holder for calls of the router, to the unit', async () => {
      const [holder, caller] = [await newHolder(world), await world.agent()];
      const { id } = await publish(holder, { endpoint: endpoint(8) });
      await world.fund(caller, '5000');
      const args = { amount: 1, from: 'EUR', to: 'USD' };
      const body = { agentId: id, operation: 'convert', arguments: args, maxPrice: '2000' };
      const receipt = receiptOf(await call(caller, body));
      assert.deepEqual(
        [receipt['outcome'], receipt['cost'], receipt['paidTo']],
        ['served', '2000', holder.account],
      );
      assert.deepEqual([await spendable(holder), await spendable(caller)], [2_000n, 3_000n]);
      const picked = await call(caller, {
        operation: 'convert',
        arguments: args,
        maxPrice: '2000',
      });
      assert.equal(receiptOf(picked)['outcome'], 'served');
    });

    describe('refuses and charges nothing:', () => {
      const refusals: readonly (readonly [string, () => Body, string, RegExp])[] = [
        ['a private address', () => ({ endpoint: 'http://10.1.2.3/mcp' }), 'endpoint-refused', /./],
        ['the hub itself', () => ({ endpoint: `${world.hub.url}/mcp` }), 'endpoint-refused', /./],
        ['a page', () => ({ endpoint: `${html.url}/` }), 'endpoint-not-dialable', /handshake/],
        [
          'one that redirects',
          () => ({ endpoint: `${away.url}/mcp` }),
          'endpoint-not-dialable',
          /handshake/,
        ],
        [
          'one that never ends its answer',
          () => ({ endpoint: `${endless.url}/mcp` }),
          'endpoint-not-dialable',
          /handshake/,
        ],
        ['nobody', () => ({ endpoint: 'http://127.0.0.1:1/' }), 'endpoint-not-dialable', /connect/],
        [
          'a name that leads nowhere',
          () => ({ endpoint: 'https://nobody.invalid/mcp' }),
          'endpoint-refused',
          /local use/,
        ],
        [
          'a tool that is not there',
          () => ({ endpoint: endpoint(9), tools: [{ name: 'konvert', description: 'No.' }] }),
          'tool-not-offered',
          /no tool konvert/,
        ],
        [
          'a name twice',
          () => ({ endpoint: endpoint(9), tools: [PRICED[0], PRICED[0]] }),
          'bad-tools',
          /list-currencies/,
        ],
        [
          'a schema of no object',
          () => ({
            endpoint: endpoint(9),
            tools: [{ ...PRICED[0], inputSchema: { type: 'array' } }],
          }),
          'bad-tools',
          /type/,
        ],
        ['play money', () => ({ endpoint: endpoint(9), network: 'play' }), 'network-refused', /./],
        ['no network', () => ({ endpoint: endpoint(9), network: 'moon' }), 'network-unknown', /./],
      ];
      for (const [name, body, code, says] of refusals) {
        it(name, async () => {
          const holder = await newHolder(world);
          const refused = mustRefuse(await tryPublish(holder, body()), 400, code);
          assert.match(String(refused['error']), says);
          if (code.startsWith('endpoint-not') || code.startsWith('tool')) {
            const { steps } = refused['dial'] as { steps: readonly Body[] };
            const [fault] = steps.filter(({ outcome }) => outcome === 'failed');
            assert.ok(String(fault?.['mend']).length > 10, 'the first fault says what to mend');
          }
          assert.equal(await spendable(holder), FEE);
          const passport = await world.anyone.get(`/api/v1/passport/${holder.keyId}`);
          assert.equal(passport.status, 404, 'nothing of it is kept');
        });
      }

      const faults: readonly (readonly [string, readonly Body[], (tools: Body[]) => unknown])[] = [
        ['a name twice', [PRICED[0] ?? {}, PRICED[0] ?? {}], (tools) => tools.splice(1, 1)],
        [
          'a type that there is not',
          [{ ...PRICED[0], inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }],
          ([tool]) => delete tool?.['inputSchema'],
        ],
        [
          'a description of nothing',
          [{ ...PRICED[0], description: '\u200b' }],
          ([tool]) => Object.assign(tool ?? {}, { description: 'Lists the currencies.' }),
        ],
      ];
      for (const [nth, [name, given, mend]] of faults.entries()) {
        it(`${name}, with a hint that works when it is followed`, async () => {
          const holder = await newHolder(world);
          const body = { endpoint: endpoint(12 + nth), tools: given.map((tool) => ({ ...tool })) };
          const { hint, field } = mustRefuse(await tryPublish(holder, body), 400, 'bad-tools');
          assert.ok(String(hint).includes(String(field)), String(hint));
          const calls = callsOf(String(hint)).map(({ method, path }) => `${method} ${path}`);
          assert.deepEqual(calls, ['POST /api/v1/hosted']);
          assert.equal(await spendable(holder), FEE);
          mend(body.tools);
          mustOk(await tryPublish(holder, body));
        });
      }

      it('another hosted agent, the key of another, and an endpoint that is listed', async () => {
        const [first, second] = [await newHolder(world), await newHolder(world)];
        const { listedEndpoint } = await publish(first, { endpoint: endpoint(10) });
        const loop = await tryPublish(second, { endpoint: listedEndpoint });
        mustRefuse(loop, 400, 'endpoint-refused');
        const theirs = await tryPublish(second, { endpoint: endpoint(11), keyId: first.keyId });
        mustRefuse(theirs, 400, 'key-not-bound');
        const same = await tryPublish(second, { endpoint: endpoint(10) });
        mustRefuse(same, 400, 'hosted-exists');
        assert.equal(await spendable(second), FEE);
      });

      it('another passport at an endpoint whose domain this one has proved', async () => {
        const [squatter, holder] = [await newHolder(world), await newHolder(world)];
        const body = { endpoint: endpoint(15) };
        const { id } = await publish(squatter, body);
        mustRefuse(await tryPublish(holder, body), 400, 'hosted-exists');
        await holdsDomain(world, holder, new URL(body.endpoint).host);
        await publish(holder, body);
        assert.equal((await world.anyone.get(`/api/v1/agents/${String(id)}`)).status, 404);
        mustRefuse(await tryPublish(squatter, body), 400, 'endpoint-refused');
      });

      it('an account without the fee', async () => {
        const poor = await world.agent();
        await world.fund(poor, `${FEE - 1n}`);
        const refused = await tryPublish(poor, { endpoint: endpoint(11) });
        mustRefuse(refused, 400, 'insufficient-funds');
        const other = await newHolder(world);
        // The endpoint was not taken by who could not pay.
        await publish(other, { endpoint: endpoint(11) });
      });
    });

    it('takes the first of two tools of one name, and none with a schema of no object', async () => {
      const holder = await newHolder(world);
      const { dial } = await publish(holder, { endpoint: twice.endpoint, tools: [JOB] });
      assert.equal(at(dial, 'toolsSeen'), 2);
    });

    it('is no page of MCP for a server that answers 404', async () => {
      const site = await startSite((_, response) => notFound(response));
      const holder = await newHolder(world);
      const refused = await tryPublish(holder, { endpoint: `${site.url}/mcp` });
      mustRefuse(refused, 400, 'endpoint-refused');
    });
  });
}
