import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import {
  MCP,
  mustFault,
  mustResult,
  readRpc,
  send,
  toolCall,
  type Json,
  type RpcAnswer,
} from './_door.ts';
import { publishWork } from './_town.ts';
import { seated, settle } from '../../harness/waiting.ts';

/** Calls that wait: what wakes them, what ends them, and what is said meanwhile. */
const WAIT_SECONDS = 30;

describe('a tool call that waits', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
  });
  afterEach(() => world.close());

  const claim = (id: string | number, wait = WAIT_SECONDS, meta?: Json): Json =>
    toolCall(id, 'claim-task', { wait }, meta);
  const cancel = (requestId: string | number, by?: Agent): Promise<RpcAnswer> => {
    const params = { requestId, reason: 'no longer' };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    return send(world, message, by && { by });
  };
  /** A call under way, and whether it has been answered. */
  const open = (call: Json, by: Agent) => {
    const entry = { answered: false, answer: send(world, call, { by }) };
    void entry.answer.then(() => {
      entry.answered = true;
    });
    return entry;
  };

  it('is answered by what it waits for', async () => {
    const waiting = open(claim(1), world.bob);
    await seated(world.hub, 1);
    assert.equal(waiting.answered, false);
    const title = await publishWork(world);
    const { work } = mustResult(await waiting.answer);
    assert.equal((work as Json)['title'], title);
  });

  it('says with a token that it is alive, then answers in the same stream', async () => {
    const answer = await send(world, claim('w', 2, { progressToken: 'p1' }), { by: world.bob });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const progress = answer.messages.slice(0, -1);
    assert.ok(progress.length >= 1);
    const reported = progress.map((each) => {
      assert.equal(each['method'], 'notifications/progress');
      const { progressToken, progress: value } = each['params'] as Json;
      assert.equal(progressToken, 'p1');
      return Number(value);
    });
    assert.deepEqual(
      reported,
      reported.map((_, index) => index + 1),
      'it rises',
    );
    assert.equal(answer.last['id'], 'w');
    assert.equal(mustResult(answer)['work'], null);
  });

  it('answers in plain JSON to a client that asks for no progress or takes no stream', async () => {
    const silent = await send(world, claim(1, 2), { by: world.bob });
    assert.equal(silent.headers.get('content-type'), 'application/json');
    const deaf = await send(world, claim(2, 2, { progressToken: 1 }), {
      by: world.bob,
      headers: { accept: 'application/json' },
    });
    assert.equal(deaf.headers.get('content-type'), 'application/json');
    assert.equal(mustResult(deaf)['work'], null);
  });

  it('is refused under its own status before anything is said', async () => {
    const meta = { progressToken: 1 };
    mustFault(await send(world, claim(1, 2, meta)), 401, -32_060, 1);
    const signed = await world.bob.signed('POST', MCP, claim(1, 1, meta));
    const text = await signed.clone().text();
    const { url, headers } = signed;
    const once = async () => readRpc(await fetch(url, { method: 'POST', headers, body: text }));
    assert.equal((await once()).status, 200);
    assert.equal(mustFault(await once(), 401, -32_060, 1)['code'], 'replayed');
  });

  it('ends early, empty-handed, when its signer cancels it', async () => {
    const waiting = open(claim('c'), world.bob);
    await seated(world.hub, 1);
    assert.equal((await cancel('c', world.bob)).status, 202);
    assert.equal(mustResult(await waiting.answer)['work'], null);
  });

  it('is cancelled by its own caller and id alone', async () => {
    const waiting = open(claim(7), world.bob);
    await seated(world.hub, 1);
    await cancel(7);
    await cancel(7, world.alice);
    await cancel('7', world.bob);
    await cancel(8, world.bob);
    await settle();
    assert.equal(waiting.answered, false);
    await cancel(7, world.bob);
    assert.equal(mustResult(await waiting.answer)['work'], null);
  });

  it('frees its id when it ends: a late cancellation ends no later call', async () => {
    mustResult(await open(claim(3, 1), world.bob).answer);
    await cancel(3, world.bob);
    const waiting = open(claim(3), world.bob);
    await seated(world.hub, 1);
    assert.equal(waiting.answered, false);
    await cancel(3, world.bob);
    await waiting.answer;
  });

  it('is refused a cancellation whose signature fails', async () => {
    const params = { requestId: 1 };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    const signed = await world.bob.signed('POST', MCP, message);
    const answer = await readRpc(
      await fetch(signed.url, {
        method: 'POST',
        headers: signed.headers,
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      }),
    );
    assert.equal(answer.status, 401);
  });

  it('ends when its caller hangs up: the work goes to another worker', async () => {
    const hangUp = new AbortController();
    const signed = await world.bob.signed('POST', MCP, claim(1));
    const gone = fetch(signed, { signal: hangUp.signal }).catch(() => 'gone');
    await seated(world.hub, 1);
    hangUp.abort();
    assert.equal(await gone, 'gone');
    await seated(world.hub, 0);
    const title = await publishWork(world);
    const carol = await world.agent();
    const { work } = mustResult(await send(world, claim(1, 1), { by: carol }));
    assert.equal((work as Json)['title'], title);
  });
});
