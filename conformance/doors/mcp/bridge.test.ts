import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  type CallToolResult,
  type McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { keys } from '../../../clients/typescript/node.ts';
import { program } from '../../harness/program.ts';
import { at } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';

/** `hub mcp` as a host starts it: a process of its own, and a client that cannot sign. */
const START_MS_MAX = 60_000;

describe('the MCP bridge', function suite() {
  this.timeout(START_MS_MAX);
  const folder = mkdtempSync(join(tmpdir(), 'hub-bridge-'));
  const keyFile = join(folder, 'agent.key');
  let world: Fixture;
  let client: Client;

  const connected = async (hub: string, ...more: readonly string[]): Promise<Client> => {
    const host = new Client({ name: 'a host', version: '1' });
    await host.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [
          await program('clients/typescript/cli/main.ts'),
          'mcp',
          '--key',
          keyFile,
          '--hub',
          hub,
          ...more,
        ],
        stderr: 'ignore',
      }),
    );
    return host;
  };
  /** The bridge shows the toolset `default`, whose results are text alone. */
  const textOf = (result: CallToolResult): Record<string, unknown> => {
    const [first] = result.content;
    assert.ok(first?.type === 'text' && result.structuredContent === undefined);
    return JSON.parse(first.text) as Record<string, unknown>;
  };
  const call = async (
    name: string,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    const params = { name, arguments: given };
    const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
    return textOf(result);
  };
  before(async () => {
    // The bridge signs with the time of its machine.
    world = await openFixture();
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    client = await connected(world.hub.url);
  });
  after(async () => {
    await client.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('joins the account of another key before it serves, signed by both', async () => {
    const first = await keys.loadOrGenerate(join(folder, 'first.key'));
    const second = join(folder, 'second.key');
    const joining = ['--key', second, '--join', join(folder, 'first.key')];
    const host = await connected(world.hub.url, ...joining);
    try {
      const params = { name: 'wallet-me', arguments: {} };
      const me = textOf(await host.request({ method: 'tools/call', params }, CallToolResultSchema));
      const { keyId } = await keys.load(second);
      assert.deepEqual([at(me, 'owner'), at(me, 'keyId')], [first.account, keyId]);
    } finally {
      await host.close();
    }
  });

  it('makes a key that its owner alone can read, and shows the tools of the hub', async () => {
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    const { tools, nextCursor } = await client.listTools();
    assert.ok(tools.length > 0);
    assert.ok(nextCursor === undefined || nextCursor.length > 0);
    assert.match(client.getInstructions() ?? '', /sign/i);
  });

  it('signs what the host asks for as the account of the key', async () => {
    const { keyId } = JSON.parse(readFileSync(keyFile, 'utf8')) as { readonly keyId: string };
    const owner = `key:${keyId}`;
    const wallet = await call('wallet', { owner });
    assert.equal(wallet['owner'], owner);
  });

  it('takes a message with the line separator of Unicode in it, which ends no line', async () => {
    const { query } = await call('discovery-search', { q: 'first\u2028second' });
    assert.equal(at(query, 'q'), 'first\u2028second');
  });

  it('hands refusals through whole', async () => {
    const params = { name: 'wallet', arguments: { owner: world.alice.account } };
    const refused = client.request({ method: 'tools/call', params }, CallToolResultSchema);
    await assert.rejects(refused, ({ data }: McpError) => at(data, 'code') === 'wrong-owner');
    const missing = await call('tasks-get', { id: '01a1f866-0d00-7064-9294-e129739d4657' });
    assert.equal(missing['code'], 'not-found');
    assert.ok(String(missing['hint']).length > 0);
  });

  it('lets the host take back a call that waits', async () => {
    const gone = new AbortController();
    const params = { name: 'claim-task', arguments: { wait: 20 } };
    const waiting = client.request({ method: 'tools/call', params }, CallToolResultSchema, {
      signal: gone.signal,
    });
    setTimeout(() => gone.abort(), 300);
    await assert.rejects(waiting);
    const networks = await client.listTools();
    assert.ok(at(networks, 'tools', 0));
  });

  it('says so when the hub does not answer', async () => {
    await assert.rejects(
      connected('http://127.0.0.1:9'),
      /No whole answer from http:\/\/127.0.0.1:9/,
    );
  });
});
