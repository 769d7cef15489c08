import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { mcpTools } from '../../../generated/doors.ts';
import type { Agent } from '../../harness/agents.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { watchLoop } from '../../harness/loopWork.ts';
import { mustFault, mustResult, request, send, toolCall, type Json } from './_door.ts';

/** The toolset for a model: few tools, few tokens, and still everything. */
const DEFAULT = '/mcp?toolsets=default';
const TOOLS_MAX = 12;
const TOKENS_MAX = 6_000;
/** Processor time with the parsing of 300 KB; it was 2,800 for a query of that length. */
const HELD_MS_MAX = 60;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly description?: string;
    readonly properties: Json;
    readonly required?: readonly string[];
  };
}

describe('the toolset default of the MCP door', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const toolsAt = async (path: string): Promise<readonly Listed[]> => {
    const { last } = await send(world, request(1, 'tools/list', {}), { path });
    return (last['result'] as Json)['tools'] as readonly Listed[];
  };
  /** Calls at the default address and reads the text, which is all that the result has. */
  const call = async (name: string, given: Json, by?: Agent): Promise<Json> => {
    const answer = await send(world, toolCall(1, name, given), {
      path: DEFAULT,
      ...(by !== undefined && { by }),
    });
    const result = answer.last['result'] as Json;
    assert.ok(result !== undefined, answer.text);
    assert.equal(result['structuredContent'], undefined, 'an answer is there once');
    const [{ text = '' } = {}] = result['content'] as readonly { readonly text?: string }[];
    return JSON.parse(text) as Json;
  };

  it('has at most twelve tools, which cost at most 6,000 tokens', async () => {
    const tools = await toolsAt(DEFAULT);
    assert.ok(tools.length <= TOOLS_MAX, String(tools.length));
    const tokens = encode(JSON.stringify(tools)).length;
    assert.ok(tokens <= TOKENS_MAX, `${tokens} tokens`);
  });

  it('lists arguments that the tools have, and all that they require', async () => {
    const whole = new Map((await toolsAt('/mcp')).map((tool) => [tool.name, tool]));
    for (const { name, inputSchema } of await toolsAt(DEFAULT)) {
      const other = whole.get(name);
      if (other === undefined) continue;
      const known = Object.keys(other.inputSchema.properties);
      const own = Object.keys(inputSchema.properties);
      assert.deepEqual(
        own.filter((each) => !known.includes(each)),
        [],
        name,
      );
      for (const each of inputSchema.required ?? [])
        assert.ok(own.includes(each), `${name} ${each}`);
      const { description = '' } = inputSchema;
      for (const each of known) assert.ok(own.includes(each) || description.includes(each), each);
      assert.deepEqual(inputSchema.required, other.inputSchema.required);
    }
  });

  it('goes beside other toolsets, with each tool once', async () => {
    const names = (await toolsAt('/mcp?toolsets=default,wallet')).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of ['search-tools', 'wallet-pay', 'wallet-withdraw'])
      assert.ok(names.includes(name));
  });

  it('is enough to hire, to be paid and to pay, with results that are text alone', async () => {
    const [requester, worker] = [await world.agent(), await world.agent()];
    await world.fund(requester, '100000');
    const task = await call(
      'publish-task',
      {
        requester: requester.account,
        title: 'Say yes',
        rewardAmount: '50000',
        requiredSkills: ['yes'],
        acceptance: { kind: 'contains', values: ['yes'] },
        disputeWindowSeconds: 0,
      },
      requester,
    );
    const given = { skills: ['yes'], minReward: '50000' };
    const claim = await call('claim-task', given, worker);
    const id = String(task['id']);
    assert.equal((claim['work'] as Json)['id'], id);
    const { claimToken } = claim;
    const outcome = await call('submit-solution', { id, claimToken, result: 'yes' }, worker);
    assert.equal(outcome['outcome'], 'accepted');
    assert.equal((await call('tasks-get', { id }))['state'], 'paid');
    const { wallet } = await call('wallet-me', {}, worker);
    assert.equal((wallet as Json)['spendable'], '48500');
    const to = requester.account;
    const paid = await call(
      'wallet-pay',
      { owner: worker.account, to, amount: '500', idempotencyKey: 'k' },
      worker,
    );
    assert.equal(paid['amount'], '500');
    const refused = await call(
      'wallet-pay',
      { owner: worker.account, to, amount: '9000000', idempotencyKey: 'l' },
      worker,
    );
    assert.equal(refused['code'], 'insufficient-funds');
  });

  it('finds the tools of everyday words, each within the first three', async () => {
    const wanted: Readonly<Record<string, string>> = {
      'withdraw my money': 'wallet-withdraw',
      'dispute a payout': 'tasks-dispute',
      'create a poker table': 'poker-create',
      'bet on a prediction market': 'predictions-bet',
      'store a file': 'files-put',
      'write a memory note': 'memory-write',
      'stamp a digest with time': 'time-stamp',
      'milestones chain of steps': 'chains-create',
      'limit the spending of a key': 'wallet-set-policy',
      'reject a result': 'tasks-reject',
      'chat with a model': 'models-chat',
      'register as a validator': 'validators-register',
    };
    for (const [query, name] of Object.entries(wanted)) {
      const { tools } = await call('search-tools', { query });
      const names = (tools as readonly Listed[]).map((tool) => tool.name);
      assert.ok(names.includes(name), `${query}: ${names.join()}`);
      assert.ok(names.length <= 3);
    }
    const { tools } = await call('search-tools', { query: 'task', limit: 10 });
    assert.equal((tools as readonly unknown[]).length, 10);
    const nothing = await call('search-tools', { query: 'zzzz' });
    const behind = await call('search-tools', { query: `${'zzzz '.repeat(40)}dispute` });
    assert.equal(behind['found'], 0, 'a query ends after 200 letters');
    assert.equal((nothing['names'] as readonly unknown[]).length, Object.keys(mcpTools).length);
    mustFault(
      await send(world, toolCall(1, 'search-tools', {}), { path: DEFAULT }),
      200,
      -32_602,
      1,
    );
  });

  // A message that names a tool of files may be long.
  it('holds no loop for long queries and names', async () => {
    for (const [name, given] of [
      ['search-tools', { query: `files-put ${'dispute '.repeat(40_000)}` }],
      ['A'.repeat(300_000), { query: 'files-put' }],
    ] as const) {
      await send(world, toolCall(1, 'search-tools', { query: 'warm' }), { path: DEFAULT });
      const loop = watchLoop();
      await send(world, toolCall(1, name, given), { path: DEFAULT });
      const ms = loop.end();
      assert.ok(!(ms > HELD_MS_MAX), `${name.slice(0, 20)} held the loop for ${ms} ms`);
    }
  });

  it('calls what was found, at every address', async () => {
    const agent = await world.agent();
    const wrapped = { name: 'wallet-statement', arguments: { owner: agent.account } };
    assert.deepEqual((await call('call-tool', wrapped, agent))['entries'], []);
    const plain = await send(world, toolCall(1, 'call-tool', { name: 'hub-stats' }));
    assert.ok(
      mustResult(plain)['listings'] !== undefined || plain.text.includes('structuredContent'),
    );
    for (const bad of [{}, { name: 'call-tool' }, { name: 'no-such' }, { name: 1 }]) {
      mustFault(await send(world, toolCall(1, 'call-tool', bad)), 200, -32_602, 1);
    }
  });

  it('takes names of one grammar, area-verb, and names the nearest of an unknown one', async () => {
    for (const [tool, operation] of Object.entries(mcpTools)) {
      const kebab = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      for (const name of [tool, operation, kebab.replace('.', '-'), kebab.replace('.', '_')]) {
        const answer = await send(world, toolCall(1, name, 'not an object' as unknown as Json));
        assert.match(answer.text, /arguments must be an object/, name);
      }
    }
    const nearest: readonly (readonly [string, string | undefined])[] = [
      ['publish-tsak', 'publish-task'],
      ['claim-tasks', 'claim-task'],
      ['tasks-publis', 'publish-task'],
      ['walet-me', 'wallet-me'],
      ['fly-to-the-moon', undefined],
    ];
    for (const [name, meant] of nearest) {
      const { text } = await send(world, toolCall(1, name, {}));
      if (meant === undefined) assert.match(text, /search-tools finds/);
      else assert.match(text, new RegExp(`Call ${meant}\\.`), text);
    }
  });
});
