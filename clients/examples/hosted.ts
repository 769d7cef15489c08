import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createHub, generateKey, signRequest, signer, unwrap } from '../typescript/index.ts';
import { keys } from '../typescript/node.ts';
import { startMcpSdk2 } from './agents/mcpSdk2.ts';
import { wallet, type Person } from './accounts.ts';
import { eventually, fail, line, step, story, usdc } from './scenario.ts';
import { throwawayHub, type ThrowawayHub } from './throwaway.ts';

/** From an empty folder to the first paid call of an agent that has no address; all is asserted. */
const FEE = 250_000n;
const PRICE = 2_000n;
const PURSE = 1_000_000n;

async function fund(baseUrl: string, account: string, amount: bigint): Promise<void> {
  const hub = createHub({ baseUrl });
  const params = { path: { owner: account } };
  unwrap(
    await hub.POST('/api/v1/wallet/{owner}/credit', { params, body: { amount: `${amount}` } }),
  );
}

/** The agent's side: a key, a server of the official SDK, and one command. */
async function host(
  hub: ThrowawayHub,
  folder: string,
  endpoint: string,
): Promise<{ readonly address: URL; readonly agent: ReturnType<ThrowawayHub['command']> }> {
  assert.deepEqual(await readdir(folder), []);
  const file = join(folder, 'agent.key');
  const key = await keys.loadOrGenerate(file);
  line(`its account is ${key.account}`);
  await fund(hub.baseUrl, key.account, FEE);
  line(`${usdc(FEE)} of test money for the fee`);
  const words = ['host', '--key', file, '--hub', hub.baseUrl, '--endpoint', endpoint];
  const lines: string[] = [];
  step('It connects out: hubctl host --key agent.key --endpoint … --prices convert=2000');
  const started = performance.now();
  const agent = hub.command(
    [...words, '--name', 'Currencies', '--prices', `convert=${PRICE}`],
    (text) => {
      lines.push(text);
      line(text);
    },
  );
  const address = await eventually('the address', async () =>
    lines.find((text) => text.startsWith('http')),
  );
  line(`listed after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return { address: new URL(address), agent };
}

/** The caller's side: an ordinary MCP client, with a signature in its fetch for what costs money. */
async function call(buyer: Person, key: Parameters<typeof signer>[0], address: URL): Promise<void> {
  step('A visitor calls the free tool with an ordinary MCP client');
  const visitor = new Client({ name: 'visitor', version: '1.0.0' });
  await visitor.connect(new StreamableHTTPClientTransport(address));
  const { tools } = await visitor.listTools();
  line(`tools: ${tools.map(({ name }) => name).join(', ')}`);
  const free = await visitor.callTool({ name: 'list-currencies', arguments: {} });
  assert.match(JSON.stringify(free.content), /EUR USD JPY/);
  line(`list-currencies answers ${JSON.stringify(free.content)}`);
  const args = { amount: 12.5, from: 'EUR', to: 'USD' };
  const unpaid = await visitor.callTool({ name: 'convert', arguments: args });
  assert.equal(unpaid.isError, true);
  line(`convert answers ${String((unpaid.structuredContent as { error: string }).error)}`);
  await visitor.close();

  step('A hub account calls the paid tool: the same client, with requests that are signed');
  const paying = new Client({ name: 'buyer', version: '1.0.0' });
  const signing = signer(key);
  const fetchSigned: typeof fetch = async (input, init) =>
    fetch(await signRequest(new Request(input, init), signing));
  await paying.connect(new StreamableHTTPClientTransport(address, { fetch: fetchSigned }));
  const served = await paying.callTool({ name: 'convert', arguments: args });
  assert.match(JSON.stringify(served.content), /12\.5/);
  const receipt = served._meta?.['hub/receipt'] as { cost: string; paidTo: string; id: string };
  assert.equal(receipt.cost, `${PRICE}`);
  line(
    `it served; receipt ${receipt.id}: ${usdc(receipt.cost)} to ${receipt.paidTo.slice(0, 12)}…`,
  );
  await paying.close();
  assert.equal((await wallet(buyer)).balance, `${PURSE - PRICE}`);
}

async function earned(hub: ThrowawayHub, folder: string): Promise<void> {
  step('The agent looks at what came');
  const key = await keys.load(join(folder, 'agent.key'));
  const agent = { ...createHub({ baseUrl: hub.baseUrl, key }), ...key };
  const params = { path: { keyId: key.keyId } };
  const state = unwrap(await agent.GET('/api/v1/hosted/{keyId}/calls', { params }));
  for (const { tool, outcome, price, caller, durationMs } of state.calls) {
    line(`${tool} ${outcome} in ${durationMs} ms for ${usdc(price)} (${caller.slice(0, 12)}…)`);
  }
  assert.deepEqual([state.live, state.totals.earned, state.totals.served], [true, `${PRICE}`, 2]);
  assert.equal((await wallet(agent)).balance, `${PRICE}`);
  line(`balance ${usdc(PRICE)}: all of the price, none of it to the hub`);
}

async function demo(): Promise<void> {
  step('A hub starts; it may dial no private address');
  const hub = await throwawayHub();
  const folder = await mkdtemp(join(tmpdir(), 'agent-'));
  try {
    line(`it answers at ${hub.baseUrl}`);
    step('An agent starts in an empty folder, an MCP server that listens on its machine alone');
    const server = await startMcpSdk2();
    const startedAt = performance.now();
    const { address, agent } = await host(hub, folder, `${server.url}/mcp`);
    const buyer = await generateKey();
    const hubOf = { ...createHub({ baseUrl: hub.baseUrl, key: buyer }), ...buyer };
    await fund(hub.baseUrl, buyer.account, PURSE);
    await call(hubOf, buyer, address);
    const took = ((performance.now() - startedAt) / 1000).toFixed(1);
    line(`from the empty folder to the first paid call: ${took} s`);
    await earned(hub, folder);
    agent.kill('SIGTERM');
    await once(agent, 'exit');
    await server.close();
  } finally {
    await hub.discard();
    await rm(folder, { recursive: true, force: true });
  }
}

await story('An agent without an address is paid', demo).catch(fail);
