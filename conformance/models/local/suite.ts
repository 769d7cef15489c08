import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { chat, eventsIn, mintKey, moneyOf, mustAddUp, receiptsOf, until } from '../_desk.ts';

/** Calls of the desk with a language model that answers, streams and counts for itself. */
const MODEL = 'local/smollm2';
const QUESTION = [{ role: 'user' as const, content: 'What is the capital of France?' }];
const LONG = [{ role: 'user' as const, content: 'Write a long story about a ship.' }];
/** Atomic units of a token in and out, as `run.mjs` prices a million of them in dollars. */
const IN = 1n;
const OUT = 4n;

describe('a language model of this machine', () => {
  let world: Fixture;
  let client: OpenAI;
  before(async () => {
    const given = ['HUB_MODEL_UPSTREAMS', 'HUB_ALLOW_PRIVATE_HOSTS'];
    const env = Object.fromEntries(given.map((name) => [name, process.env[name] ?? '']));
    world = await openFixture({ env });
    await world.fund(world.alice, '1000000');
    client = new OpenAI({ apiKey: await mintKey(world.alice), baseURL: `${world.hub.url}/v1` });
  });
  after(() => world.close());
  const newest = async () => (await receiptsOf(world.alice))[0];

  /** The charge is the counted tokens at their price, to the unit, and never more than was held. */
  function mustCost(receipt: unknown): void {
    mustAddUp(receipt);
    const tokens = (side: string) => BigInt(String(at(receipt, 'usage', side)));
    const price = tokens('inputTokens') * IN + tokens('outputTokens') * OUT;
    const held = BigInt(String(at(receipt, 'held')));
    assert.equal(BigInt(String(at(receipt, 'charged'))), price < held ? price : held);
  }

  it('answers a question, and its own count is what is charged', async () => {
    const before = await moneyOf(world.alice);
    const body = { model: MODEL, messages: QUESTION, max_tokens: 40, temperature: 0 };
    const answer = mustOk(await chat(world.alice, body));
    assert.match(String(at(answer, 'message', 'content')), /Paris/);
    const receipt = at(answer, 'receipt');
    assert.deepEqual(
      ['outcome', 'servedBy', 'finishReason'].map((name) => at(receipt, name)),
      ['completed', 'beside', 'stop'],
    );
    assert.equal(at(receipt, 'usage', 'source'), 'provider');
    mustCost(receipt);
    const after = await moneyOf(world.alice);
    const charged = BigInt(String(at(receipt, 'charged')));
    assert.deepEqual([before.spendable - after.spendable, after.held], [charged, 0n]);
  });

  it('stops at max_tokens and says so', async () => {
    const receipt = at(
      mustOk(await chat(world.alice, { model: MODEL, messages: LONG, max_tokens: 12 })),
      'receipt',
    );
    assert.equal(at(receipt, 'finishReason'), 'length');
    assert.equal(at(receipt, 'usage', 'outputTokens'), 12);
    mustCost(receipt);
  });

  it('streams the same text that it answers at once, with the receipt as the last event', async () => {
    const { alice } = world;
    const body = { model: MODEL, messages: QUESTION, max_tokens: 40, temperature: 0 };
    const whole = mustOk(await chat(alice, body));
    const streamed = await chat(alice, { ...body, stream: true });
    const events = eventsIn(streamed.text);
    const texts = events.flatMap(({ event, data }) =>
      event === 'delta' ? [String(at(JSON.parse(data), 'content'))] : [],
    );
    assert.ok(texts.length > 3, 'came in pieces');
    assert.equal(texts.join(''), at(whole, 'message', 'content'));
    assert.equal(events.at(-1)?.event, 'receipt');
    mustCost(JSON.parse(events.at(-1)?.data ?? '{}'));
  });

  it('serves the client of the compatible door, streamed and not', async () => {
    const ask = { model: MODEL, messages: QUESTION, max_tokens: 40, temperature: 0 };
    const completion = await client.chat.completions.create(ask);
    assert.match(completion.choices[0]?.message.content ?? '', /Paris/);
    const stream = client.chat.completions.stream(ask);
    assert.equal((await stream.finalMessage()).content, completion.choices[0]?.message.content);
    mustCost(await newest());
  });

  it('charges who leaves for what was generated until then', async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: LONG,
      max_tokens: 400,
      stream: true,
    });
    let pieces = 0;
    for await (const chunk of stream) {
      if ((chunk.choices[0]?.delta.content ?? '') !== '') pieces += 1;
      if (pieces === 5) break;
    }
    await until(async () => (await newest())?.['outcome'] === 'closed-early');
    const receipt = await newest();
    mustCost(receipt);
    const written = Number(at(receipt, 'usage', 'outputTokens'));
    assert.ok(written >= 5 && written < 400, `${written} tokens`);
  });

  it('answers several who ask at once, each at its own price', async () => {
    const many = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        chat(world.alice, { model: MODEL, messages: QUESTION, max_tokens: 8 + n }),
      ),
    );
    for (const answer of many) mustCost(at(mustOk(answer), 'receipt'));
    assert.equal((await moneyOf(world.alice)).held, 0n);
  });

  it('rewrites a prompt, or says that rules did', async () => {
    const { alice } = world;
    const text = 'Could you please be so kind as to make a list of the 5 plans of Ada Lovelace?';
    const path = '/api/v1/services/compress-prompt';
    const body = mustOk(await alice.post(path, { caller: alice.account, text, uses: 100_000 }));
    assert.ok(['model', 'rules'].includes(String(body['method'])));
    assert.match(String(body['text']), /5/);
    assert.match(String(body['text']), /Ada Lovelace/);
  });
});
