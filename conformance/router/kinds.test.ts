import assert from 'node:assert/strict';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, spendable, tryCall } from './_fixture.ts';

const URI = 'file:///report.txt';
const CONTENTS = { contents: [{ uri: URI, mimeType: 'text/plain', text: 'Calm seas.' }] };
const PROMPT = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Summarize the tides.' } }],
};

describe('router.call of resources and prompts', function suite() {
  this.timeout(place.SUITE_MS_MAX);
  let world: Fixture;
  let agent: ScriptedAgent;
  let agentId = '';
  before(async () => {
    agent = await startAgent({
      echo,
      same: charging(() => '5000'),
      [`resources/read ${URI}`]: (_, reply) => reply.result(CONTENTS),
      'resources/read file:///empty': (_, reply) => reply.result({ contents: [] }),
      'resources/read file:///blank': (_, reply) =>
        reply.result({ contents: [{ uri: 'file:///blank', text: ' \u200b' }] }),
      'resources/read same': (_, reply) => reply.result(CONTENTS),
      'prompts/get tides': (_, reply) => reply.result(PROMPT),
    });
    world = await place.openRouterFixture('sqlite::memory:', [agent.site.pair]);
    await world.fund(world.alice, '900000000');
    const holder = await world.agent();
    agentId = await list(world, agent, ['echo', 'same'], { holder, price: '5000' });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  it('hands over a resource with a receipt that names it', async () => {
    const answer = await call(world.alice, { agentId, kind: 'resource', operation: URI });
    const receipt = receiptOf(answer);
    assert.equal(receipt['outcome'], 'served', String(receipt['why']));
    assert.equal(receipt['operation'], `resource ${URI}`);
    assert.deepEqual(answer['result'], CONTENTS);
  });

  it('hands over a prompt with its arguments, by the address of the agent', async () => {
    const body = { kind: 'prompt', operation: 'tides', arguments: { port: 'Kiel' } };
    const answer = await call(world.alice, { endpoint: agent.endpoint, ...body });
    assert.equal(receiptOf(answer)['outcome'], 'served');
    assert.deepEqual(answer['result'], PROMPT);
    assert.deepEqual(agent.calls.at(-1)?.args, { port: 'Kiel' });
  });

  it('takes no price of a tool that has the name of a resource', async () => {
    const before = await spendable(world.alice);
    const body = { agentId, kind: 'resource', operation: 'same', maxPrice: '5000' };
    const receipt = receiptOf(await call(world.alice, body));
    assert.deepEqual([receipt['outcome'], receipt['cost']], ['served', '0']);
    assert.equal(await spendable(world.alice), before);
  });

  it('fails with what the server says of one that it lacks, and charges nothing', async () => {
    const body = { agentId, kind: 'prompt', operation: 'none' };
    const receipt = receiptOf(await call(world.alice, body));
    assert.deepEqual([receipt['outcome'], receipt['cost']], ['failed', '0']);
  });

  it('charges nothing for a resource that says nothing', async () => {
    for (const operation of ['file:///empty', 'file:///blank']) {
      const body = { agentId, kind: 'resource', operation };
      const receipt = receiptOf(await call(world.alice, body));
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['served', '0'], operation);
      assert.match(String(receipt['why']), /nothing|empty/);
    }
  });

  it('refuses what it cannot route, and says what to send', async () => {
    const rows: readonly (readonly [body: object, field: string])[] = [
      [{ kind: 'resource', operation: URI }, 'body.agentId'],
      [{ agentId, kind: 'resource', operation: URI, arguments: {} }, 'body.arguments'],
      [{ agentId, kind: 'prompt', operation: 'x'.repeat(300) }, 'body.operation'],
    ];
    for (const [body, field] of rows) {
      const refused = await tryCall(world.alice, body as { operation: string });
      mustRefuse(refused, 400, 'bad-request');
      assert.equal(at(refused.body, 'field'), field);
    }
    mustRefuse(
      await tryCall(world.alice, { agentId, kind: 'sampling', operation: URI }),
      400,
      'unknown-field-value',
    );
  });
});
