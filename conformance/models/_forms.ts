import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { eventsIn, mintKey, type Body } from './_desk.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Play,
  type Upstream,
} from './_upstream.ts';

/** Steps that the suites of the other forms of a call share. */
export const SEEING = { ...MODEL, id: 'acme/eye', imageTokens: 100, fileTokens: 500 };
/** Parameters beside the usual ones, as an operator lists them. */
const THINKING = {
  ...MODEL,
  id: 'acme/thought',
  parameters: ['temperature', 'top_k', 'thinking', 'reasoning_effort', 'tools', 'tool_choice'],
};
export const NAMED = { name: 'weather', description: 'The weather' };
export const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };

/** Two calls at once, the second before the first is whole. */
export const TWO_CALLS: Play = [
  { tools: [{ index: 0, id: 'c1', function: { name: 'weather', arguments: '{"city":' } }] },
  { tools: [{ index: 1, id: 'c2', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
  { tools: [{ index: 0, function: { arguments: '"Łódź"}' } }] },
  { finish: 'tool_calls' },
  usageOf(60, 12),
];

/** Thought, words, a source and a member that the provider adds. */
export const RICH: Play = [
  { raw: 'data: {"choices":[{"index":0,"delta":{"reasoning_content":"Let me see. "}}]}\n\n' },
  { say: 'It is ' },
  { say: 'sunny.' },
  {
    raw: 'data: {"choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example/","title":"A"}},{"type":"place","name":"Łódź"}],"images":[{"n":1}]}}]}\n\n',
  },
  { finish: 'stop' },
  usageOf(20, 9),
];

export interface FormWorld {
  readonly world: Fixture;
  readonly upstream: Upstream;
  readonly key: string;
}

/** A desk with a model that reads text, one that reads images as well, and one that thinks. */
export function formSuite(title: string, suite: (opened: () => FormWorld) => void): void {
  hubsOnBothDatabases(title, (open) => {
    let opened: FormWorld | undefined;
    let close: () => Promise<void> = () => Promise.resolve();
    before(async () => {
      const upstream = await startUpstream();
      const models = [MODEL, SEEING, THINKING];
      const file = upstreamFile([localProvider(upstream, { models })], [upstream]);
      const world = await open({ env: file.env });
      await world.fund(world.alice, '15000000');
      opened = { world, upstream, key: await mintKey(world.alice) };
      close = async () => {
        await upstream.close();
        file.remove();
      };
    });
    after(() => close());
    suite(() => {
      if (opened === undefined) throw new Error('the suite has not begun');
      return opened;
    });
  });
}

/** The events of a stream as objects. */
export function dataOf(text: string): readonly Body[] {
  return eventsIn(text).map(({ data }) => JSON.parse(data) as Body);
}

/** The names of the events, in order, each once where it repeats. */
export function kindsOf(text: string): readonly string[] {
  const kinds = eventsIn(text).map(({ event = '' }) => event);
  return kinds.filter((kind, n) => kind !== kinds[n - 1]);
}

/** The blocks that the events of a stream add up to, as a client puts them together. */
export function builtBlocks(events: readonly Body[]): readonly unknown[] {
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  let open = -1;
  for (const event of events) {
    const index = Number(event['index']);
    if (event['type'] === 'content_block_start') {
      assert.equal(open, -1, 'one block is open at a time');
      open = index;
      blocks[index] = { ...(event['content_block'] as Body) };
      inputs[index] = '';
    } else if (event['type'] === 'content_block_delta') {
      assert.equal(index, open);
      const { type, ...delta } = event['delta'] as Body;
      const block = blocks[index] ?? {};
      if (type === 'input_json_delta') inputs[index] += String(delta['partial_json']);
      else if (type === 'citations_delta') {
        block['citations'] = [...((block['citations'] ?? []) as unknown[]), delta['citation']];
      } else
        for (const [name, text] of Object.entries(delta))
          block[name] = `${String(block[name])}${String(text)}`;
    } else if (event['type'] === 'content_block_stop') open = -1;
  }
  return blocks.map((block, n) =>
    block['type'] === 'tool_use'
      ? { ...block, input: JSON.parse(inputs[n] ?? '') as unknown }
      : block,
  );
}
