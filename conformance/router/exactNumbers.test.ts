import assert from 'node:assert/strict';
import { closeSites } from '../../clients/examples/agents/site.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { callSkill, SPELLINGS } from '../doors/a2a/_door.ts';
import { send, toolCall } from '../doors/mcp/_door.ts';
import { newHolder, publish } from '../hosted/_world.ts';
import { startAgent, type ScriptedAgent } from './_agent.ts';
import { list, openRouterFixture, SUITE_MS_MAX, tryCall } from './_fixture.ts';

/** Members of an agent's answer that a double would change, among those that it would not. */
const EXACT = '"message_id":1234893245678346301,"wei":100000000000000000001,"big":1e400,"one":1.50';

describe('numbers in an agent’s answer that a double would change', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: Fixture;
  let agent: ScriptedAgent;
  let agentId: string;
  let holder: Agent;
  before(async () => {
    agent = await startAgent({
      ids: (_, { response }) => {
        const result = `{"content":[{"type":"text","text":"x"}],"structuredContent":{${EXACT}}}`;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0","id":"call","result":${result}}`);
      },
    });
    agent.offer([{ name: 'ids', description: 'Ids.' }]);
    world = await openRouterFixture('sqlite::memory:', [agent.site.pair]);
    agentId = await list(world, agent, ['ids']);
    holder = await newHolder(world);
    const tools = [{ name: 'ids', description: 'Ids.' }];
    await publish(holder, { endpoint: agent.endpoint, tools });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  const mustHave = (text: string): void => {
    for (const member of ['message_id', 'wei', 'big']) {
      const [, digits] = new RegExp(`\\\\?"${member}\\\\?":([^,}]+)`).exec(text) ?? [];
      const [, wanted] = new RegExp(`"${member}":([^,}]+)`).exec(EXACT) ?? [];
      assert.equal(digits, wanted, text);
    }
  };

  it('have the same digits in the answer of POST /call', async () => {
    const answer = await tryCall(world.alice, { agentId, operation: 'ids' });
    mustOk(answer);
    mustHave(answer.text);
  });

  it('have the same digits at the MCP door of the hub, in text and structure', async () => {
    const args = { caller: world.alice.account, agentId, operation: 'ids', idempotencyKey: 'm' };
    const body = toolCall(1, 'call-agent', args);
    const { text } = await send(world, body, { by: world.alice });
    const [inText = '', inStructure = ''] = text.split('"structuredContent":{"receipt"');
    mustHave(inText);
    mustHave(inStructure);
  });

  it('have the same digits at the A2A door of the hub', async () => {
    const args = { caller: world.alice.account, agentId, operation: 'ids', idempotencyKey: 'a' };
    const sending = { by: world.alice, headers: SPELLINGS['1.0'].header };
    mustHave((await callSkill(world, '1.0', 'call-agent', args, sending)).text);
  });

  it('have the same digits at the doors of a hosted agent', async () => {
    const called = await world.anyone.post(`/api/v1/hosted/${holder.keyId}/call`, { tool: 'ids' });
    mustOk(called);
    mustHave(called.text);
    const body = toolCall(1, 'ids', {});
    const path = `/hosted/${holder.keyId}/mcp`;
    mustHave((await send(world, body, { path })).text);
  });
});
