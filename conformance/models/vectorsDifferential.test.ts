import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { packVector, unpackVector } from '../../domain/models/embedding.ts';
import { mustResult, send, toolCall } from '../doors/mcp/_door.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { CHAT, mintKey, receiptsOf, type Body } from './_desk.ts';
import {
  localProvider,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** Numbers that a careless path changes: no float32, tiny, huge, long. */
const VECTORS = [
  [0.1, -0.30000000000000004, 1 / 3, 1e-45],
  [3.4028234e38, -3.4028234e38, -1e-7, 0],
  [1.1754944e-38, 16_777_217, -0.000001, 0.999999999],
];
const TEXTS = ['one two', 'three', 'four'];
/** The hub counts four tokens; the provider bills what it says, at 2 each, and never more. */
const COUNTED = 4;
const EMBED = {
  id: 'acme/embed',
  upstreamId: 'embed-1',
  input: '2',
  dimensions: 4,
  contextLength: 100,
};

const packed = VECTORS.map((vector) => packVector(Float32Array.from(vector)));
const items = (form: 'digits' | 'base64'): Body[] =>
  VECTORS.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: form === 'digits' ? vector : packed[index],
  }));
const unplaced = items('digits').map(({ index: _index, ...item }) => item);

interface Sent {
  readonly name: string;
  readonly data: readonly Body[];
  readonly usage?: Body;
  /** Tokens that are billed. */
  readonly tokens: number;
}

const SENT: readonly Sent[] = [
  {
    name: 'digits',
    data: items('digits'),
    usage: { prompt_tokens: 3, total_tokens: 3 },
    tokens: 3,
  },
  { name: 'base64', data: items('base64'), usage: { prompt_tokens: 2 }, tokens: 2 },
  {
    name: 'base64 last first',
    data: items('base64').reverse(),
    usage: { total_tokens: 1 },
    tokens: 1,
  },
  { name: 'digits without a place', data: unplaced, tokens: COUNTED },
  {
    name: 'more tokens than were held for',
    data: items('digits'),
    usage: { prompt_tokens: 99 },
    tokens: COUNTED,
  },
];

describe('vectors of a provider', () => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let client: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { models: [EMBED] })], [upstream]);
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '10000000');
    const apiKey = await mintKey(world.alice);
    client = new OpenAI({ apiKey, baseURL: `${world.hub.url}/v1`, maxRetries: 0 });
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });

  const asked = { model: EMBED.id, input: TEXTS };
  /** Each form of the call, with its vectors in base64 of float32. */
  const forms: Readonly<Record<string, (nth: number) => Promise<readonly string[]>>> = {
    'the usual form of the client': () => embeddings(),
    digits: () => embeddings('float'),
    base64: () => embeddings('base64'),
    'models.chat': async (nth) => {
      const body = { ...asked, idempotencyKey: `vectors-${nth}` };
      return mustOk(await world.alice.post(CHAT, body))['embeddings'] as string[];
    },
    'the MCP door': async (nth) => {
      const given = { ...asked, caller: world.alice.account, idempotencyKey: `door-${nth}` };
      const call = toolCall(nth, 'models-chat', given);
      return mustResult(await send(world, call, { by: world.alice }))['embeddings'] as string[];
    },
  };
  async function embeddings(form?: 'float' | 'base64'): Promise<readonly string[]> {
    const { data } = await client.embeddings.create({
      ...asked,
      ...(form && { encoding_format: form }),
    });
    assert.deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2],
    );
    return data.map(({ embedding }) => {
      return typeof embedding === 'string' ? embedding : packVector(Float32Array.from(embedding));
    });
  }

  for (const [nth, { name, data, usage, tokens }] of SENT.entries()) {
    it(`arrive in every form with the same numbers, count and price: ${name}`, async () => {
      const body = { object: 'list', data, model: 'embed-1', ...(usage && { usage }) };
      upstream.play(() => ({ status: 200, body }));
      for (const [form, ask] of Object.entries(forms)) {
        const got = await ask(nth);
        assert.deepEqual(got.map(numbersOf), packed.map(numbersOf), form);
        assert.deepEqual(got, packed, form);
        const [receipt] = await receiptsOf(world.alice);
        const { outcome, charged, held, usage: used } = receipt ?? {};
        assert.deepEqual(
          [outcome, held, charged, at(used, 'inputTokens'), at(used, 'outputTokens')],
          ['completed', `${COUNTED * 2}`, `${tokens * 2}`, tokens, 0],
          form,
        );
      }
    });
  }
});

const numbersOf = (text: string): readonly number[] => [...(unpackVector(text) ?? [])];
