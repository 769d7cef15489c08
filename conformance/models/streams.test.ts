import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { eventLines } from '../../server/middleware/eventLines.ts';
import {
  chat,
  compat,
  eventsIn,
  HELLO,
  mintKey,
  moneyOf,
  mustAddUp,
  receiptsOf,
  until,
} from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Step,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const LONG = { ...MODEL, id: 'acme/long', contextLength: 300_000, maxAnswerTokens: 200_000 };

hubsOnBothDatabases('a stream of a model', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { models: [MODEL, LONG] })], [upstream]);
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });

  /** A stream that is read by hand, so that it can be left or not read at all. */
  function begin(more: object = {}): Promise<IncomingMessage> {
    const url = new URL('/v1/chat/completions', world.hub.url);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', headers }, resolve);
      sent.on('error', reject);
      const ask = { model: MODEL.id, messages: HELLO, max_tokens: 500, stream: true, ...more };
      sent.end(JSON.stringify(ask));
    });
  }
  const newest = async () => (await receiptsOf(world.alice))[0];
  const isOver = async () => (await newest())?.['outcome'] !== 'running';

  it('hands on the first token before the second is there', async () => {
    let goOn = (): void => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    upstream.play(() => [{ say: 'first' }, { wait }, ...answerOf(1)]);
    const response = await begin();
    let text = '';
    response.on('data', (piece: Buffer) => (text += piece.toString()));
    await until(() => text.includes('first'));
    assert.equal((await newest())?.['outcome'], 'running');
    goOn();
    await until(() => text.includes('[DONE]'));
  });

  it('hands on in one chunk what arrived together, and all of it', async () => {
    const chunk = (delta: object): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const chunks = ['one ', 'two ', 'three'].map((content) => chunk({ content })).join('');
    const raw = `${chunks}${chunk({ tool_calls: [call] })}${chunk({ content: ' after' })}`;
    upstream.play(() => [{ raw }, { finish: 'stop' }]);
    const response = await begin();
    let text = '';
    for await (const piece of response) text += String(piece);
    const deltas = eventsIn(text).flatMap(({ data }) =>
      data === '[DONE]' ? [] : [at(JSON.parse(data), 'choices', 0, 'delta')],
    );
    const given = deltas.map((delta) => at(delta, 'tool_calls', 0, 'id') ?? at(delta, 'content'));
    assert.deepEqual(given.filter(Boolean), ['one two three', 'c1', ' after']);
    const receipt = await newest();
    assert.equal(at(receipt, 'usage', 'source'), 'counted');
    assert.equal(at(receipt, 'usage', 'outputTokens'), 6, 'five words and the call');
  });

  it('keeps the connections to its provider for the next who ask', async () => {
    upstream.play(() => answerOf(1));
    const AT_ONCE = 12;
    const all = () =>
      Promise.all(Array.from({ length: AT_ONCE }, async () => (await begin()).resume()));
    const ended = async (): Promise<void> => {
      const responses = await all();
      await Promise.all(responses.map((each) => until(() => each.complete)));
    };
    await ended();
    const opened = upstream.connections();
    for (let n = 0; n < 3; n += 1) await ended();
    assert.ok(upstream.connections() < opened + AT_ONCE, `${upstream.connections()} were opened`);
  });

  it('is charged for what was generated, to the token, when it is closed early', async () => {
    const never = new Promise<void>(() => undefined);
    const words: readonly Step[] = [{ say: 'one two three ' }, { say: 'four five' }];
    upstream.play(() => [...words, { wait: never }]);
    const before = await moneyOf(world.alice);
    const left = upstream.left();
    const response = await begin();
    let text = '';
    response.on('data', (piece: Buffer) => (text += piece.toString()));
    await until(() => text.includes('four five'));
    response.on('error', () => undefined);
    response.destroy();
    await until(isOver);
    const receipt = await newest();
    // Eleven tokens of prompt at 2, five of answer at 10.
    assert.deepEqual(
      [receipt?.['outcome'], receipt?.['charged'], at(receipt, 'usage', 'outputTokens')],
      ['closed-early', `${11 * 2 + 5 * 10}`, 5],
    );
    mustAddUp(receipt);
    const after = await moneyOf(world.alice);
    assert.deepEqual([before.spendable - after.spendable, after.held], [72n, 0n]);
    await until(() => upstream.left() > left);
  });

  it('pays for the prompt, which the model read, when it is left before its first token', async () => {
    const never = new Promise<void>(() => undefined);
    upstream.play(() => [{ wait: never }]);
    const asked = upstream.asked.length;
    const url = new URL('/v1/chat/completions', world.hub.url);
    const leave = new AbortController();
    const gone = fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: MODEL.id, messages: HELLO, stream: true }),
      signal: leave.signal,
    }).catch(() => 'gone');
    await until(() => upstream.asked.length > asked);
    leave.abort();
    assert.equal(await gone, 'gone');
    await until(isOver);
    const receipt = await newest();
    assert.deepEqual([receipt?.['outcome'], receipt?.['charged']], ['closed-early', '22']);
  });

  it('holds no more than a bound for a caller that does not read', async () => {
    const much = Array.from({ length: 20_000 }, () => ({ say: 'x'.repeat(1_024) }));
    upstream.play(() => [...much, { finish: 'stop' }]);
    const response = await begin({ model: LONG.id, max_tokens: 200_000 });
    response.on('error', () => undefined);
    response.pause();
    let last = -1;
    await until(async () => {
      const seen = upstream.written();
      const isStill = seen === last;
      last = seen;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isStill;
    });
    const all = much.length * 1_024;
    assert.ok(last < all, `${last} of over ${all} bytes left the provider`);
    response.destroy();
    await until(isOver);
    assert.equal((await newest())?.['outcome'], 'closed-early');
  });

  it('ends when its provider takes longer in all than its settings allow', async () => {
    const slow = await startUpstream();
    slow.play(() => Array.from({ length: 40 }, () => [{ say: 'on ' }, { waitMs: 50 }]).flat());
    const own = upstreamFile([localProvider(slow, { totalMs: 400 })], [slow]);
    const other = await open({ env: own.env });
    const agent = await other.agent();
    await other.fund(agent, '1000000');
    const receipt = at(mustOk(await chat(agent)), 'receipt');
    assert.deepEqual([at(receipt, 'outcome'), at(receipt, 'charged')], ['failed', '0']);
    assert.match(String(at(receipt, 'reason')), /longer than 400 ms in all/);
    await slow.close();
    own.remove();
  });

  it('goes to the next provider before its first token, and names both', async () => {
    const [dead, next] = [await startUpstream(), await startUpstream()];
    dead.play(() => ({ status: 503, body: { error: { message: 'full' } } }));
    const dear = { ...MODEL, input: '4', output: '20' };
    const own = upstreamFile(
      [
        localProvider(dead, { name: 'dead' }),
        localProvider(next, { name: 'next', models: [dear] }),
      ],
      [dead, next],
    );
    const other = await open({ env: own.env });
    const agent = await other.agent();
    await other.fund(agent, '1000000');
    const body = { model: MODEL.id, messages: HELLO, max_tokens: 100 };
    const itsKey = await mintKey(agent);
    for (let n = 0; n < 7; n += 1) {
      const receipt = mustOk(await compat(other, '/v1/chat/completions', itsKey, body))['receipt'];
      assert.equal(at(receipt, 'servedBy'), 'next');
      assert.equal(at(receipt, 'held'), `${11 * 4 + 100 * 20}`, 'the dearest is held for');
      assert.equal(at(receipt, 'charged'), `${20 * 4 + 3 * 20}`);
      // After five faults it is asked last, and the next one answers first.
      const refused = [{ provider: 'dead', why: 'The provider answered 503: full' }];
      assert.deepEqual(at(receipt, 'refused'), n < 5 ? refused : []);
    }
    assert.equal(dead.asked.length, 5);
    other.hub.clock.advance(31);
    dead.play(() => answerOf(1));
    const back = mustOk(await compat(other, '/v1/chat/completions', itsKey, body))['receipt'];
    assert.equal(at(back, 'servedBy'), 'dead', 'it is tried again after its rest');
    await Promise.all([dead.close(), next.close()]);
    own.remove();
  });
});

describe('lines of events', () => {
  it('have a comment where nothing comes for a while, and end with their source', async () => {
    let goOn = (): void => undefined;
    let ended = false;
    async function* source() {
      try {
        yield { data: 'one' };
        await new Promise<void>((resolve) => (goOn = resolve));
        yield { event: 'last', data: { two: 2 } };
        yield { data: 'never read' };
      } finally {
        ended = true;
      }
    }
    const lines: string[] = [];
    for await (const line of eventLines(source(), 20)) {
      lines.push(line);
      if (lines.length === 3) goOn();
      if (line.startsWith('event')) break;
    }
    assert.equal(lines[0], 'data: one\n\n');
    assert.deepEqual(lines.slice(1, 3), [': still here\n\n', ': still here\n\n']);
    assert.equal(lines.at(-1), 'event: last\ndata: {"two":2}\n\n');
    await until(() => ended);
  });
});
