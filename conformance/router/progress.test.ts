import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeSites } from '../../clients/examples/agents/site.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { startAgent, text, type ScriptedAgent, type Tool } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, tryCall } from './_fixture.ts';

/** Longer than an agent is waited for without a word. */
const LONG_MS = 23_000;
const REPORT_EVERY_MS = 8_000;

/** Reports progress, under the token of its call or another, and answers at the end. */
const reporting =
  (token?: string): Tool =>
  async ({ meta }, { response }) => {
    const own = (meta as { readonly progressToken?: string } | undefined)?.progressToken;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (message: object): void => {
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    };
    for (let at = 0; at + REPORT_EVERY_MS < LONG_MS; at += REPORT_EVERY_MS) {
      await sleep(REPORT_EVERY_MS);
      const params = { progressToken: token ?? own, progress: at };
      send({ method: 'notifications/progress', params });
    }
    await sleep(LONG_MS % REPORT_EVERY_MS);
    send({ id: 'call', result: text('done') });
    response.end();
  };

describe('router.call of an agent that takes long', function suite() {
  this.timeout(place.SUITE_MS_MAX);
  let world: Fixture;
  let agent: ScriptedAgent;
  before(async () => {
    agent = await startAgent({
      reporting: reporting(),
      stranger: reporting('another'),
      quick: (_, reply) => reply.result(text('done')),
      silent: async (_, reply) => {
        await sleep(3_000);
        reply.result(text('done'));
      },
    });
    world = await place.openRouterFixture('sqlite::memory:', [agent.site.pair]);
    await list(world, agent, ['reporting', 'stranger', 'quick', 'silent']);
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  const outcome = async (operation: string, waitSeconds?: number): Promise<unknown> => {
    const body = { endpoint: agent.endpoint, operation, ...(waitSeconds && { waitSeconds }) };
    return receiptOf(await call(world.alice, body))['outcome'];
  };

  it('waits longer while it reports progress of this call, and no longer otherwise', async () => {
    const waits = [outcome('reporting', 40), outcome('stranger', 40), outcome('reporting')];
    assert.deepEqual(await Promise.all(waits), ['served', 'unknown', 'unknown']);
  });

  it('waits no longer than the caller says, and asks for progress only where it helps', async () => {
    assert.equal(await outcome('silent', 1), 'unknown');
    assert.equal(await outcome('quick', 20), 'served');
    assert.equal(agent.calls.at(-1)?.meta, undefined);
    assert.equal(await outcome('quick', 60), 'served');
    assert.deepEqual(agent.calls.at(-1)?.meta, { progressToken: 'call' });
    const body = { endpoint: agent.endpoint, operation: 'quick', waitSeconds: 61 };
    mustRefuse(await tryCall(world.alice, body), 400, 'bad-request');
  });
});
