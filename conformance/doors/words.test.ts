import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { operations } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at } from '../harness/must.ts';
import { callSkill, dataOf, resultOf } from './a2a/_door.ts';
import { send, toolCall, type Json } from './mcp/_door.ts';

/**
 * Each door uses its own words: an agent that reads only the tool or skill and its arguments, as
 * answers, refusals and hints name them, gets from a search to being paid.
 */
interface Door {
  readonly name: string;
  readonly word: 'tool' | 'skill';
  ask(world: Fixture, by: Agent, name: string, given: Json): Promise<Json>;
}

const DOORS: readonly Door[] = [
  {
    name: 'MCP',
    word: 'tool',
    async ask(world, by, name, given) {
      const answer = await send(world, toolCall(1, name, given), { by });
      assert.equal(answer.status, 200, answer.text);
      return at(answer.last, 'result', 'structuredContent') as Json;
    },
  },
  ...(['1.0', '0.3'] as const).map((version): Door => ({
    name: `A2A ${version}`,
    word: 'skill',
    async ask(world, by, name, given) {
      const answer = await callSkill(world, version, name, given, { by });
      assert.equal(answer.status, 200, answer.text);
      const result = resultOf(answer);
      const [artifact] = (result['artifacts'] ?? []) as readonly Json[];
      return dataOf(artifact ?? at(result, 'status', 'message') ?? result);
    },
  })),
];

/** Tools of operations; a call of another operation is for callers of HTTP. */
const TOOLS = new Map(
  operations.flatMap(({ operationId, raw }) => {
    const tool = at(raw, 'x-door', 'mcp');
    return tool === undefined ? [] : [[operationId, String(tool)] as const];
  }),
);

for (const { name: doorName, word, ask } of DOORS) {
  describe(`the words of ${doorName}`, () => {
    let world: Fixture;
    beforeEach(async () => {
      world = await openFixture();
      await world.fund(world.alice, '5000000');
    });
    afterEach(() => world.close());

    /** Follows what stands beside a call, with the texts in angle brackets filled in. */
    const follow = (by: Agent, offer: unknown, fill: Json = {}): Promise<Json> => {
      const name = at(offer, word);
      assert.equal(typeof name, 'string', JSON.stringify(offer));
      const given = Object.entries(at(offer, 'arguments') as Json).map(([key, value]) => [
        key,
        value === '<your account>' ? by.account : (fill[key] ?? value),
      ]);
      return ask(world, by, String(name), Object.fromEntries(given) as Json);
    };
    const next = (answer: unknown, action: string): unknown => {
      const all = at(answer, 'next') as readonly Json[];
      const found = all.find((each) => each['action'] === action);
      assert.ok(found !== undefined, `${action} in ${JSON.stringify(all)}`);
      return found['call'];
    };
    const publish = (over: Json = {}): Promise<Json> =>
      ask(world, world.alice, 'publish-task', {
        requester: world.alice.account,
        title: 'Say that it is done',
        rewardAmount: '1000000',
        acceptance: { kind: 'contains', values: ['done'] },
        ...over,
      });

    it('lead from a search over work and delivery to the payment', async () => {
      const { alice, bob } = world;
      await publish({ verification: 'requester' });
      const listed = await ask(world, bob, 'list-tasks', { state: 'open' });
      const [task] = listed['tasks'] as readonly Json[];
      const claim = await follow(bob, next(task, 'tasks.claim'));
      const refused = await follow(bob, claim['deliver'], { result: 'not yet' });
      assert.equal(refused['outcome'], 'refused');
      const again = await follow(bob, refused['retry']);
      const delivered = await follow(bob, again['deliver'], { result: 'done' });
      assert.equal(delivered['outcome'], 'waiting');
      const read = await ask(world, alice, 'tasks-get', { id: task?.['id'] });
      const accepted = await follow(alice, next(read, 'tasks.accept'));
      assert.equal(accepted['state'], 'paid', JSON.stringify(accepted));
      const paid = await ask(world, bob, 'tasks-get', { id: task?.['id'] });
      assert.equal(paid['state'], 'paid');
      const { balance } = await ask(world, bob, 'wallet', { owner: bob.account });
      assert.equal(balance, '970000');
    });

    it('stand beside the calls of a claim that waited for work', async () => {
      const { bob } = world;
      const { id } = await publish();
      const claim = await ask(world, bob, 'claim-task', { wait: 1 });
      assert.equal(at(claim, 'work', 'id'), id);
      const delivered = await follow(bob, claim['deliver'], { result: 'done' });
      assert.equal(delivered['outcome'], 'accepted');
    });

    it('stand in the hint of a refusal, and in its next', async () => {
      const { alice, bob } = world;
      const { id } = await publish();
      await ask(world, bob, 'start-work', { id, agentId: bob.account });
      const given = { id, requester: alice.account };
      const refused = await ask(world, alice, 'tasks-cancel', given);
      const offer = new RegExp(`\\(${word} ([a-z-]+) (\\{.*?\\})\\)`).exec(String(refused['hint']));
      assert.deepEqual(
        [offer?.[1], JSON.parse(offer?.[2] ?? '{}')],
        ['tasks-get', { id }],
        String(refused['hint']),
      );
      const nexts = (refused['next'] ?? []) as readonly Json[];
      for (const each of nexts) assert.ok(at(each, 'call', word), JSON.stringify(each));
    });

    it('stand beside every call of an operation that the door has', async () => {
      await publish();
      const answers = [
        await ask(world, world.bob, 'list-tasks', {}),
        await ask(world, world.bob, 'search-agents', {}),
        await ask(world, world.bob, 'discovery-search', { q: 'done' }),
        await ask(world, world.bob, 'games-list', {}),
        await ask(world, world.bob, 'discovery-quickstart', {}),
        await ask(world, world.bob, 'tasks-welcome', { owner: world.bob.account }),
      ];
      let seen = 0;
      for (const { action, call } of answers.flatMap((each) => callsIn(each))) {
        const tool = action === undefined ? undefined : TOOLS.get(action);
        if (tool === undefined) continue;
        seen += 1;
        assert.equal(at(call, word), tool, JSON.stringify(call));
      }
      assert.ok(seen > 3, String(seen));
    });

    it('are not put into what others wrote', async () => {
      const input = {
        next: [{ call: { method: 'GET', path: '/api/v1/stats' } }],
        hint: 'GET /api/v1/stats',
      };
      const { id } = await publish({ input });
      const read = await ask(world, world.bob, 'tasks-get', { id });
      assert.deepEqual(read['input'], input);
    });
  });
}

/** Every call of an answer, with the operation that stands beside it. */
function callsIn(value: unknown): readonly { readonly action?: string; readonly call: Json }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { action, call } = value as Json;
  const own =
    typeof action === 'string' && typeof call === 'object' ? [{ action, call: call as Json }] : [];
  return [...own, ...Object.values(value).flatMap((each) => callsIn(each))];
}
