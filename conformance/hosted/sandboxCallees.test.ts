import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScriptedAgents } from '../../clients/sandbox/agents.ts';
import { listCallees, openCallees } from '../../clients/sandbox/callees.ts';
import type { Endpoint } from '../../clients/sandbox/endpoint.ts';
import type { RunningAgents } from '../../clients/sandbox/run.ts';
import { CALLEE_NAMES, CALLEES, toolOf, type Callee } from '../../clients/sandbox/tools.ts';
import { DATABASES } from '../harness/databases.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { call, receiptOf, spendable } from '../router/_fixture.ts';
import * as place from './_world.ts';
import type { Body } from './_world.ts';

for (const [database, url] of DATABASES) {
  describe(`agents to call on a sandbox (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let folder: string;
    let world: Fixture;
    let endpoint: Endpoint;
    let callees: RunningAgents;
    let caller: Agent;
    let listings: readonly Body[] = [];

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hub-callees-'));
      endpoint = await openCallees();
      world = await place.openHostedFixture(await url(), [endpoint.pair]);
      const cast = await openScriptedAgents(folder);
      const { hub } = world;
      callees = listCallees(cast, endpoint, { baseUrl: hub.url, now: () => hub.clock.now() });
      assert.deepEqual(await callees.look(), []);
      caller = await world.agent();
      await world.fund(caller, '1000000');
      listings = mustOk(await world.anyone.get('/api/v1/agents'))['agents'] as Body[];
    });
    after(async () => {
      await world.close();
      await endpoint.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const idOf = (callee: Callee): string => {
      const listed = listings.find(({ name }) => name === `${CALLEE_NAMES[callee]} (sandbox)`);
      return String(listed?.['id']);
    };
    const ask = (callee: Callee, args: object): Promise<Body> =>
      call(caller, {
        agentId: idOf(callee),
        operation: toolOf(callee).name,
        arguments: args,
        maxPrice: '2000',
      });
    const outcome = (answer: Body): unknown => at(receiptOf(answer), 'outcome');

    it('are listed once each, and not again while they stand', async () => {
      assert.equal(listings.length, CALLEES.length);
      for (const callee of CALLEES) assert.notEqual(idOf(callee), 'undefined', callee);
      assert.deepEqual(await callees.look(), []);
      const again = mustOk(await world.anyone.get('/api/v1/agents'))['agents'] as Body[];
      assert.equal(again.length, CALLEES.length);
    });

    it('count words for nothing', async () => {
      const before = await spendable(caller);
      const answer = await ask('counter', { text: 'Hello you. How are you?' });
      assert.equal(outcome(answer), 'served');
      const counted = { words: 5, letters: 23, sentences: 2 };
      assert.deepEqual(at(answer, 'result', 'structuredContent'), counted);
      assert.equal(await spendable(caller), before);
    });

    it('sell a forecast for its price, the same for the same city', async () => {
      const before = await spendable(caller);
      const rows = async () => {
        const answer = await ask('forecast', { city: 'Lisbon', days: 2 });
        assert.equal(outcome(answer), 'served');
        return at(answer, 'result', 'structuredContent', 'rows') as Body[];
      };
      const first = await rows();
      assert.deepEqual(
        first.map(({ day }) => day),
        [1, 2],
      );
      assert.deepEqual(await rows(), first);
      assert.equal(before - (await spendable(caller)), 4_000n);
    });

    it('fail on purpose, and take no money then', async () => {
      const before = await spendable(caller);
      assert.equal(outcome(await ask('faulty', {})), 'failed');
      assert.equal(await spendable(caller), before);
    });

    it('answer as a stream', async () => {
      const answer = await ask('slow', { from: 1 });
      assert.equal(outcome(answer), 'served');
      assert.match(JSON.stringify(at(answer, 'result')), /Lift-off/);
    });

    it('return a picture with a file beside it', async () => {
      const answer = await ask('painter', { values: [10, 50] });
      assert.equal(outcome(answer), 'served');
      const [image, file] = at(answer, 'result', 'content') as Body[];
      const bytes = Buffer.from(String(image?.['data']), 'base64');
      assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
      assert.equal(bytes.readUInt32BE(16), 40);
      assert.equal(at(file, 'resource', 'text'), '10\n50');
    });
  });
}
