import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { askLangChain } from '../../../clients/examples/frameworks/langchain.ts';
import { askWithTools, type Model } from '../../../clients/examples/frameworks/openai.ts';
import {
  createHub,
  generateKey,
  hubTools,
  unwrap,
  type Hub,
} from '../../../clients/typescript/index.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at } from '../../harness/must.ts';
import { program } from '../../harness/program.ts';

/** The examples for frameworks, each with a scripted model that reads its wallet and pays. */
const TOOLS = ['wallet-me', 'wallet-pay'];
const RUN_MS_MAX = 120_000;

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}
type Turn = ToolCall | string;

/** An OpenAI-style endpoint that says its turns one by one and keeps what it was asked. */
async function scriptedModel(): Promise<{
  readonly model: Model;
  readonly asked: () => readonly unknown[];
  play(turns: readonly Turn[]): void;
  close(): void;
}> {
  let [turns, asked]: [readonly Turn[], unknown[]] = [[], []];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const turn = turns[asked.length] ?? 'nothing more';
      asked.push(JSON.parse(text));
      const id = `call-${asked.length}`;
      const message =
        typeof turn === 'string'
          ? { role: 'assistant', content: turn }
          : {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id,
                  type: 'function',
                  function: { name: turn.name, arguments: JSON.stringify(turn.arguments) },
                },
              ],
            };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ id, object: 'chat.completion', created: 1, model: 'm', choices, usage }),
      );
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    model: { baseURL: `http://127.0.0.1:${address.port}/v1`, apiKey: 'none', model: 'm' },
    asked: () => asked,
    play: (next) => {
      turns = next;
      asked = [];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('tools for frameworks', function suite() {
  this.timeout(RUN_MS_MAX);
  let world: Fixture;
  let scripted: Awaited<ReturnType<typeof scriptedModel>>;

  before(async () => {
    world = await openFixture();
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    scripted = await scriptedModel();
  });
  after(async () => {
    scripted.close();
    await world.close();
  });

  const payer = async (): Promise<Hub> => {
    const key = await generateKey();
    await world.fund({ ...world.alice, account: key.account }, '1000000');
    return createHub({ baseUrl: world.hub.url, key });
  };
  const spendable = async (hub: Hub): Promise<string> =>
    unwrap(await hub.GET('/api/v1/me')).wallet.spendable;

  for (const [name, ask] of [
    ['an OpenAI-style list', askWithTools],
    ['a LangChain toolkit', askLangChain],
  ] as const) {
    it(`are ${name}, by which a model reads its wallet and pays`, async () => {
      const hub = await payer();
      const { account } = await generateKey();
      const pay = { owner: hub.account, to: account, idempotencyKey: `by ${name}` };
      scripted.play([
        { name: 'wallet-me', arguments: {} },
        { name: 'wallet-pay', arguments: { ...pay, amount: '900000000' } },
        { name: 'wallet-pay', arguments: { ...pay, amount: '250000' } },
        'I paid 0.25 USDC.',
      ]);
      assert.equal(await ask(hub, scripted.model, TOOLS, 'Pay a quarter.'), 'I paid 0.25 USDC.');
      assert.equal(await spendable(hub), '750000');
      const [first, read, refused, paid] = scripted.asked().map((one) => JSON.stringify(one));
      assert.match(first ?? '', /"tools":\[/);
      assert.match(first ?? '', /"name":"wallet-pay"/);
      assert.doesNotMatch(first ?? '', /wallet-withdraw/, 'only what was allowed');
      assert.match(read ?? '', /spendable/);
      assert.match(refused ?? '', /insufficient-funds/, 'the refusal is the answer to the model');
      assert.match(paid ?? '', /transferId/);
    });
  }

  it('are those that were allowed and no other, whatever the model names', async () => {
    const hub = await payer();
    const { call } = await hubTools(hub, ['wallet-me']);
    assert.match(await call('wallet-me', ''), /spendable/);
    assert.match(await call('wallet-me', '{broken'), /spendable/);
    const pay = { owner: hub.account, to: world.alice.account, amount: '5', idempotencyKey: 'x' };
    assert.equal(await call('wallet-pay', pay), 'There is no tool wallet-pay.');
    assert.equal(await spendable(hub), '1000000');
    await assert.rejects(() => hubTools(hub, ['wallet-steal']), /no tool wallet-steal/);
  });

  it('are an MCP configuration, which starts what it says', async () => {
    const config: unknown = JSON.parse(
      readFileSync('clients/examples/frameworks/mcp.json', 'utf8'),
    );
    const entry = at(at(config, 'mcpServers'), 'agent-exchange');
    const args: unknown = at(entry, 'args');
    assert.equal(at(entry, 'command'), 'npx');
    assert.ok(Array.isArray(args));
    // `clients/typescript/pack.test.ts` runs the package from a hub.
    assert.deepEqual(args.slice(0, 2), ['--yes', 'http://127.0.0.1:4020/client.tgz']);
    const folder = mkdtempSync(join(tmpdir(), 'hub-mcp-'));
    const host = new Client({ name: 'a host', version: '1' });
    const words = [...args.slice(2).map(String), '--hub', world.hub.url];
    await host.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [await program('clients/typescript/cli/main.ts'), ...words],
        cwd: folder,
        stderr: 'ignore',
      }),
    );
    try {
      const params = { name: 'wallet-me', arguments: {} };
      const me = await host.request({ method: 'tools/call', params }, CallToolResultSchema);
      assert.match(JSON.stringify(me.content), /owner\\":\\"key:/);
    } finally {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
