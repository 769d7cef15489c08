import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Agent } from '../../harness/agents.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { mustOk } from '../../harness/must.ts';
import { makeSpace } from '../../memory/space.ts';
import { attempt, type Everyday, type Listed } from './_choice.ts';
import { request, send, toolCall, type Json } from './_door.ts';

/**
 * `npm run mcp:choice` prints the table: ten everyday tasks, done by a scripted chooser that has the
 * words of the task and what a host shows it. The page has the same figures.
 */
const SUITE_MS_MAX = 120_000;
const TASKS = 10;
const DONE_MIN = 9;
const WAYS: Readonly<Record<string, { readonly path: string; readonly only?: readonly string[] }>> =
  {
    default: { path: '/mcp?toolsets=default' },
    all: { path: '/mcp?toolsets=all' },
    search: { path: '/mcp?toolsets=default', only: ['search-tools', 'call-tool'] },
  };

describe('ten everyday tasks over MCP', function suite() {
  this.timeout(SUITE_MS_MAX);
  const rows: Record<string, Row> = {};

  for (const [way, { path, only }] of Object.entries(WAYS)) {
    it(`are done with ${only === undefined ? `the toolset ${way}` : 'search alone'}`, async () => {
      const world = await openFixture();
      try {
        const { last, text } = await send(world, request(1, 'tools/list', {}), { path });
        const all = (last['result'] as Json)['tools'] as readonly Listed[];
        const listed = only === undefined ? all : all.filter(({ name }) => only.includes(name));
        const tokens = encode(only === undefined ? text : JSON.stringify(listed)).length;
        rows[way] = { tools: listed.length, tokens, ...(await played(world, path, listed)) };
      } finally {
        await world.close();
      }
    });
  }

  it('have the figures that the page has', () => {
    if (process.env['PRINT_TABLE'] !== undefined) console.table(rows);
    const page = readFileSync('docs/mcp.md', 'utf8');
    for (const [way, { tools, tokens, done, first, calls }] of Object.entries(rows)) {
      const rounded = (Math.round(tokens / 100) * 100).toLocaleString('en-US');
      const cells = [way, tools, rounded, `${done} of 10`, `${first} of 10`, calls].map(String);
      const line = new RegExp(`^\\| *${cells.join(' *\\| *')} *\\|$`, 'm');
      assert.match(page, line, cells.join(' | '));
      assert.ok(done >= DONE_MIN, way);
    }
  });
});

interface Row {
  readonly tools: number;
  readonly tokens: number;
  /** Tasks that were done, and those of them whose first tool was the right one. */
  readonly done: number;
  readonly first: number;
  readonly calls: number;
}

async function played(
  world: Fixture,
  path: string,
  listed: readonly Listed[],
): Promise<Omit<Row, 'tools' | 'tokens'>> {
  const hasTools = listed.length > 2;
  let [done, first, calls] = [0, 0, 0];
  for (const place of Array(TASKS).keys()) {
    // Each has agents and work of its own, so that no wrong call is in the way of another task.
    const { task, by } = (await everyday(world))[place] ?? assert.fail();
    const call = async (name: string, given: Json): Promise<Json | undefined> => {
      const { last } = await send(world, toolCall(1, name, given), { path, by });
      const { isError, content } = (last['result'] ?? { isError: true }) as Json;
      const [{ text = '{}' } = {}] = (content ?? []) as readonly { readonly text?: string }[];
      return isError === true ? undefined : (JSON.parse(text) as Json);
    };
    const outcome = await attempt(task, listed, call);
    // A search is a call as well.
    const least = hasTools ? 1 : 2;
    done += Number(outcome.isDone);
    first += Number(outcome.isDone && outcome.calls === least);
    calls += outcome.calls;
  }
  return { done, first, calls };
}

interface Due {
  readonly task: Everyday;
  readonly by: Agent;
}

/** Two agents with money, open and claimed work, and a space. */
async function everyday(world: Fixture): Promise<readonly Due[]> {
  const [requester, worker] = [await world.agent(), await world.agent()];
  await world.fund(requester, '5000000');
  await world.fund(worker, '5000000');
  const publish = async (title: string): Promise<string> => {
    const rule = { kind: 'contains', values: ['yes'] };
    const task = { requester: requester.account, title, rewardAmount: '50000', acceptance: rule };
    return String(mustOk(await requester.post('/api/v1/tasks', task))['id']);
  };
  const held = await publish('Say yes');
  const body = { agentId: worker.account };
  const { claimToken } = mustOk(await worker.post(`/api/v1/tasks/${held}/claim`, body));
  const cancelled = await publish('Say no');
  await publish('Say maybe');
  const { id: spaceId } = await makeSpace(worker);
  const has = (name: string) => (answer: Json) => answer[name] !== undefined;
  const due = (by: Agent, says: string, given: Json, isDone: Everyday['isDone']): Due => ({
    by,
    task: { says, given: { idempotencyKey: says, ...given }, isDone },
  });
  const { account } = worker;
  return [
    due(worker, 'What is my balance?', {}, has('wallet')),
    due(worker, 'Submit my solution of the task', { id: held, claimToken, result: 'yes' }, (each) =>
      ['accepted', 'waiting'].includes(String(each['outcome'])),
    ),
    due(
      requester,
      'Cancel the task that I published',
      { id: cancelled, requester: requester.account },
      (each) => each['state'] === 'withdrawn',
    ),
    due(worker, 'Claim a task from the queue', { agentId: account }, has('claimToken')),
    due(
      requester,
      'Publish a task that pays for the word yes',
      { requester: requester.account, title: 'Say yes again', rewardAmount: '60000' },
      (each) => each['title'] === 'Say yes again',
    ),
    due(
      worker,
      'Pay 0.25 USDC to another account',
      { owner: account, to: requester.account, amount: '250000' },
      has('transferId'),
    ),
    due(worker, 'Search for agents that read a PDF', { q: 'pdf' }, has('agents')),
    due(worker, 'Stamp the digest of my document', { digest: 'ab'.repeat(32) }, has('body')),
    due(
      worker,
      'Create a poker table',
      { format: 'cash', seats: 6, bigBlind: '1000' },
      has('bigBlind'),
    ),
    due(
      worker,
      'Write a note into memory',
      { author: account, spaceId, content: 'The key is under the mat.' },
      has('noteId'),
    ),
  ];
}
