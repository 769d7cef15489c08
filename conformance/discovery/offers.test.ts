import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { a2aSkills, mcpTools } from '../../generated/doors.ts';
import { callSkill, dataOf, messageOf, post, resultOf } from '../doors/a2a/_door.ts';
import { request, send, toolCall, type Json, type RpcAnswer } from '../doors/mcp/_door.ts';
import type { Agent } from '../harness/agents.ts';
import { operationOf } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { NOTHING } from '../kinds/hints/_walk.ts';

/**
 * The pages that an agent reads first name what the hub offers beside tasks. An agent with a fresh
 * key makes each named call, in the order of the page, by the name that stands there.
 */
const BEGINNINGS = [
  ...['wallet.credit', 'services.credit', 'discovery.handshake', 'poker.list'],
  ...['memory.createSpace', 'files.put', 'hosted.publish', 'time.stamp'],
];
/** Operations that need a task or a server of one's own are refused by their own rules. */
const REFUSED: Readonly<Record<string, string>> = {
  'services.credit': 'not-found',
  'hosted.publish': 'endpoint-refused',
};
const TOOL = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } };
const TABLES = '/api/v1/games/poker/tables';

interface Named {
  readonly name: string;
  readonly operation: string;
  readonly given: Json;
}

interface Page {
  readonly title: string;
  read(world: Fixture): Promise<string>;
  /** The operation that the page's readers call by this name. */
  operation(name: string): string | undefined;
  call(world: Fixture, by: Agent, named: Named, given: Json): Promise<Json>;
}

function structured({ last, text }: RpcAnswer): Json {
  const content = at(last, 'result', 'structuredContent');
  assert.ok(content !== undefined, text);
  return content as Json;
}

const mcpPage = (method: string, params: Json): Page => ({
  title: `the answer of ${method} at the MCP door`,
  read: async (world) => {
    const { last } = await send(world, request(1, method, params));
    return String(at(last, 'result', 'instructions'));
  },
  operation: (name) => mcpTools[name],
  call: async (world, by, { name }, given) =>
    structured(await send(world, toolCall(1, name, given), { by })),
});

const a2aPage = (title: string, read: Page['read']): Page => ({
  title,
  read,
  operation: (name) => a2aSkills[name] ?? mcpTools[name],
  call: async (world, by, { name }, given) => {
    const result = resultOf(await callSkill(world, '1.0', name, given, { by }));
    const artifacts = result['artifacts'] as readonly Json[] | undefined;
    return dataOf(artifacts?.[0] ?? at(result, 'status', 'message') ?? result);
  },
});

const PAGES: readonly Page[] = [
  {
    title: '/llms.txt',
    read: async ({ anyone }) => (await anyone.get('/llms.txt')).text,
    operation: (name) => {
      const [method = '', path = ''] = name.split(' ');
      return operationOf(method, `/api/v1${path}`)?.operationId;
    },
    call: async (_, by, { name }, given) => {
      const [method = '', path = ''] = name.split(' ');
      const filled = `/api/v1${path.replace('{owner}', by.account)}`;
      const { owner: _owner, ...rest } = given;
      const body = path.includes('{owner}') ? rest : given;
      return (await (method === 'GET' ? by.get(filled) : by.post(filled, body))).body;
    },
  },
  mcpPage('initialize', { protocolVersion: '2025-06-18' }),
  mcpPage('server/discover', {}),
  a2aPage('the agent card', async ({ anyone }) =>
    String(mustOk(await anyone.get('/.well-known/agent-card.json'))['description']),
  ),
  a2aPage('the A2A door’s answer to free words', async (world) => {
    const message = messageOf('1.0', [{ text: 'What can I do here?' }]);
    const headers = { 'a2a-version': '1.0' };
    const answer = await post(world, request(1, 'SendMessage', { message }), { headers });
    const [part] = resultOf(answer)['parts'] as readonly Json[];
    return String(part?.['text']);
  }),
];

/** Every call of the page's line of offers. */
function namedIn(page: Page, text: string): readonly Named[] {
  const line = /^(?:- )?Also here[^:\n]*: (.+)\.$/m.exec(text)?.[1] ?? '';
  return line.split('; ').flatMap((offer) =>
    offer
      .slice(offer.indexOf(': ') + 2)
      .split(', ')
      .map((call) => {
        const [, name = '', given] =
          /^([^{]+?|[A-Z]+ \S+?)(?: (\{".*\}))?$/.exec(call.replaceAll('`', '')) ?? [];
        const operation = page.operation(name);
        assert.ok(operation !== undefined, `${page.title} names ${call}, which is nothing`);
        return { name, operation, given: (given ? JSON.parse(given) : {}) as Json };
      }),
  );
}

describe('what the first pages offer beside tasks', () => {
  let world: Fixture;
  let table: string;
  before(async () => {
    world = await openFixture();
    const body = { format: 'cash', seats: 6, bigBlind: '1000' };
    table = String(mustOk(await world.alice.post(TABLES, body))['id']);
  });
  after(() => world.close());

  /** Returns the arguments that a call needs beside those that the page gives. */
  const argumentsOf = (operation: string, { account, keyId }: Agent, spaceId: unknown): Json => {
    const known: Readonly<Record<string, Json>> = {
      'wallet.credit': { owner: account, amount: '1000000', idempotencyKey: 'first money' },
      'services.credit': { borrower: account, taskId: NOTHING, wantedAtomic: '50000' },
      'poker.sit': { id: table, buyIn: '100000' },
      'memory.createSpace': { owner: account, name: 'notes', kind: 'private' },
      'memory.write': { author: account, spaceId, content: 'I was here.' },
      'memory.search': { reader: account, spaceId, text: 'here' },
      'files.put': { owner: account, key: 'a', contentBase64: 'QUJD' },
      'files.get': { owner: account, key: 'a' },
      'hosted.publish': { owner: account, keyId, endpoint: 'https://127.0.0.1/mcp', tools: [TOOL] },
      'time.stamp': { digest: createHash('sha256').update(account).digest('hex') },
    };
    return known[operation] ?? {};
  };

  for (const page of PAGES) {
    it(`are calls that a new key can send, in ${page.title}`, async () => {
      const by = await world.agent();
      const named = namedIn(page, await page.read(world));
      const names = named.map(({ operation }) => operation);
      assert.deepEqual(
        BEGINNINGS.filter((operation) => !names.includes(operation)),
        [],
      );
      let spaceId: unknown;
      for (const each of named) {
        const given = { ...argumentsOf(each.operation, by, spaceId), ...each.given };
        const answer = await page.call(world, by, each, given);
        if (each.operation === 'memory.createSpace') spaceId = answer['id'];
        const where = `${each.name} ${JSON.stringify(answer)}`;
        assert.equal(answer['code'], REFUSED[each.operation], where);
        if (each.operation === 'discovery.handshake')
          assert.equal(at(answer, 'path', 'intent'), 'play', where);
      }
    });
  }

  it('names test money where the hub gives some, on the network that it is of', async () => {
    for (const [network, faucet, shown] of [
      ['sandbox', 'false', /^(?!.*\/credit`).*an advance on a claimed task/],
      [
        'play',
        'true',
        /without a deposit: `POST \/wallet\/\{owner\}\/credit \{"network":"sandbox"\}`/,
      ],
      ['base', 'true', /^(?!.*without a deposit).*an advance on a claimed task/],
    ] as const) {
      const other = await openFixture({ env: { HUB_NETWORK: network, FAUCET_ENABLED: faucet } });
      try {
        const { text } = await other.anyone.get('/llms.txt');
        const line = text.split('\n').find((each) => each.includes('Also here')) ?? '';
        assert.match(line.replace('`POST /services/credit`', ''), shown);
        const [page] = PAGES;
        assert.ok(page !== undefined);
        const call = namedIn(page, text).find(({ operation }) => operation === 'wallet.credit');
        if (call === undefined) continue;
        const given = { amount: '5', idempotencyKey: 'k', ...call.given };
        const gave = await page.call(other, other.bob, call, given);
        assert.equal(gave['network'], 'sandbox', JSON.stringify(gave));
      } finally {
        await other.close();
      }
    }
  });
});
