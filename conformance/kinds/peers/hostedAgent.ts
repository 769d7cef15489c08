// The hosted bench's agent: one MCP server under two keys, one dialled and one connected.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAgent, openConnection } from '../../../clients/connect/connector.ts';
import { startMcpSdk2 } from '../../../clients/examples/agents/mcpSdk2.ts';
import { createHub, generateKey, signer, unwrap } from '../../../clients/typescript/index.ts';
import { echo, startAgent, type Tool } from '../../router/_agent.ts';

const WORK_MS = 20;
const TOOLS = [
  { name: 'slow', description: 'Works a while and serves its arguments back.' },
  { name: 'free', description: 'Serves its arguments back.' },
  { name: 'paid', description: 'Serves its arguments back.', priceAtomic: '1000' },
];
type Via = 'dial' | 'connect';

/** Bare answers, and the same tools in a server as people build them. */
const slow: Tool = async (call, reply) => {
  await sleep(WORK_MS);
  await echo(call, reply);
};
const bare = await startAgent({ free: echo, paid: echo, slow });
bare.offer(TOOLS);
const tools = TOOLS.map(({ name, description }) => {
  return { name, description, inputSchema: { type: 'object' as const, properties: {} } };
});
const answer = (_: string, args: Readonly<Record<string, unknown>>): string => JSON.stringify(args);
const sdk = await startMcpSdk2({ offer: { name: 'bench', tools, answer } });
const endpoints = { bare: bare.endpoint, sdk: `${sdk.url}/mcp` };

async function list(baseUrl: string, endpoint: string, via: Via): Promise<object> {
  const key = await generateKey();
  const hub = createHub({ baseUrl, key });
  const params = { path: { owner: key.account } };
  const body = { amount: '250000', idempotencyKey: 'fee' };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params, body }));
  if (via === 'connect') {
    const { signal } = new AbortController();
    const connection = { hub: baseUrl, signer: signer(key), endpoint, signal };
    await openConnection(connection);
    void connectAgent(connection);
  }
  const { account: owner, keyId } = key;
  const listed = unwrap(
    await hub.POST('/api/v1/hosted', { body: { owner, keyId, endpoint, via, tools: TOOLS } }),
  );
  return { id: listed.id, keyId, address: listed.listedEndpoint };
}

process.send?.({ endpoints, pairs: [bare.site.pair, sdk.pair] });
process.once('disconnect', () => process.exit(0));
process.on('message', ({ hub }: { readonly hub: string }) => {
  void (async () => {
    const dialled = await list(hub, endpoints.bare, 'dial');
    const connected = await list(hub, endpoints.bare, 'connect');
    const dialledSdk = await list(hub, endpoints.sdk, 'dial');
    process.send?.({ listed: { dialled, connected, dialledSdk } });
  })();
});
