import assert from 'node:assert/strict';
import type { Outbound } from '../../workflows/kernel/outbound/fetcher.ts';
import { openAgentClient, type AgentClient } from '../../workflows/kernel/outbound/agentClient.ts';
import type { Exchange, AgentResponse } from '../../workflows/kernel/outbound/response.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import {
  startMcpOld,
  startMcpSdk1,
  type Sdk1Options,
} from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites, type Site } from '../../clients/examples/agents/site.ts';
import { closeWorld, guard } from './_fixture.ts';

/** Every era of MCP, served by the official SDKs. */
interface EraCase {
  readonly title: string;
  readonly start: () => Promise<Site>;
  readonly path: string;
  readonly transport: string;
  readonly protocolVersion: string;
}

const sdk1 = (title: string, options: Sdk1Options): EraCase => ({
  title: `SDK v1, ${title}`,
  start: () => startMcpSdk1(options),
  path: '/mcp',
  transport: 'streamable-http',
  protocolVersion: '2025-11-25',
});
const ERAS: readonly EraCase[] = [
  sdk1('JSON, no sessions', {}),
  sdk1('event streams, no sessions', { json: false }),
  sdk1('JSON, sessions', { sessions: true }),
  sdk1('event streams, sessions', { sessions: true, json: false }),
  {
    title: 'SDK v2, both eras',
    start: () => startMcpSdk2(),
    path: '/mcp',
    transport: 'streamable-http',
    protocolVersion: '2026-07-28',
  },
  {
    title: 'SDK v2, modern only',
    start: () => startMcpSdk2({ modernOnly: true }),
    path: '/mcp',
    transport: 'streamable-http',
    protocolVersion: '2026-07-28',
  },
  {
    title: 'HTTP+SSE of 2024-11-05',
    start: () => startMcpOld(),
    path: '/sse',
    transport: 'sse',
    protocolVersion: '2024-11-05',
  },
];

describe('speak: MCP of every era', () => {
  let outbound: Outbound;
  let agents: AgentClient;
  let site: Site;
  afterEach(async () => {
    await closeWorld();
    await closeSites();
  });
  const openFor = (started: Site): void => {
    site = started;
    outbound = guard({ opened: [site.pair] });
    agents = openAgentClient(outbound, systemClock);
  };
  const text = (response: AgentResponse): string =>
    response.kind === 'result' ? JSON.stringify(response.result) : JSON.stringify(response);

  for (const { title, start, path, transport, protocolVersion } of ERAS) {
    it(`${title}: is opened, listed and called, known or not`, async () => {
      openFor(await start());
      const endpoint = site.url + path;
      const opening = await agents.openMcp({ endpoint });
      assert.ok(opening.kind === 'open', JSON.stringify(opening));
      const { session } = opening;
      assert.deepEqual([session.transport, session.protocolVersion], [transport, protocolVersion]);
      const page = await session.request({ id: 'list', method: 'tools/list', params: {} });
      assert.match(JSON.stringify(page.kind === 'answer' && page.reply), /list-currencies/);
      const called = await agents.callToolIn(session, 'list-currencies', {});
      assert.match(text(called), /EUR USD JPY/);
      await session.close();
      for (const door of [{ endpoint }, { endpoint, transport, protocolVersion }]) {
        const response = await agents.callTool(door, 'convert', { amount: 1, note: 'ünï' });
        assert.match(text(response), /convert/);
        assert.ok(response.kind === 'result' && !response.isError);
        assert.match(Buffer.from(response.bytes).toString('utf8'), /convert/);
      }
      const nothing = outbound.report();
      assert.deepEqual([nothing.calls, nothing.attempts], [0, 0], 'nothing is left open');
    });
  }

  it('asks a server without sessions once, and opens a session for each call of one that has', async () => {
    openFor(await startMcpSdk1());
    const endpoint = `${site.url}/mcp`;
    for (let n = 0; n < 3; n += 1) await agents.callTool({ endpoint }, 'list-currencies', {});
    const opened = site.bodies.filter((body) => body.includes('"method":"initialize"'));
    assert.equal(opened.length, 1);
    await closeSites();
    openFor(await startMcpSdk1({ sessions: true }));
    const other = { endpoint: `${site.url}/mcp`, protocolVersion: '2025-11-25' };
    for (let n = 0; n < 2; n += 1) await agents.callTool(other, 'list-currencies', {});
    assert.equal(site.requests.filter((each) => each.startsWith('DELETE')).length, 2);
  });

  it('reports every exchange in order', async () => {
    openFor(await startMcpSdk1());
    const seen: string[] = [];
    const onExchange = ({ method, end }: Exchange): void => {
      seen.push(`${method} ${end.kind === 'answer' ? end.status : end.reason}`);
    };
    await agents.callTool({ endpoint: `${site.url}/mcp` }, 'list-currencies', {}, { onExchange });
    assert.deepEqual(seen.slice(1), [
      'initialize 200',
      'notifications/initialized 202',
      'tools/call 200',
    ]);
    assert.match(seen[0] ?? '', /^server\/discover 4\d\d$/);
  });
});
