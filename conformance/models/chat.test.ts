import assert from 'node:assert/strict';
import { tried } from '../harness/agents.ts';
import { at, mustOk, mustPreview, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { chat, CHAT, eventsIn, HELLO, moneyOf, mustAddUp, receiptsOf, until } from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  usageOf,
  type Play,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

hubsOnBothDatabases('models.chat', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { firstTokenMs: 400, idleMs: 400 })], [upstream]);
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });
  const playing = (play: Play): void => upstream.play(() => play);

  it('is tried without a provider, and what ends the trial is no failure of the hub', async () => {
    const { alice } = world;
    const { log } = world.hub.running.hub;
    const { error } = log;
    const failures: unknown[] = [];
    log.error = (...words: readonly unknown[]) => void failures.push(words);
    const asked = upstream.asked.length;
    const before = await moneyOf(alice);
    const body = { caller: alice.account, model: 'acme/small', messages: HELLO, max_tokens: 100 };
    const preview = mustPreview(await tried(alice, CHAT, body));
    assert.equal(preview['stopsBefore'], 'the upstream model');
    assert.equal(at(preview, 'entries', 0, 'delta'), `${11 * 2 + 100 * 10}`);
    log.error = error;
    assert.deepEqual(failures, []);
    assert.deepEqual([upstream.asked.length, await moneyOf(alice)], [asked, before]);
  });

  it('holds prompt and max_tokens, charges the usage and returns the rest', async () => {
    const { alice } = world;
    playing(answerOf(3, 20));
    const before = await moneyOf(alice);
    const answer = mustOk(await chat(alice));
    assert.deepEqual(answer['message'], { role: 'assistant', content: 'word0 word1 word2 ' });
    const receipt = answer['receipt'];
    // 2 a token in and 10 out; the prompt counts 4 tokens, with 4 around it and 3 before the answer.
    assert.deepEqual(
      ['outcome', 'held', 'charged', 'returned', 'servedBy', 'maxTokens', 'finishReason'].map(
        (name) => at(receipt, name),
      ),
      ['completed', `${11 * 2 + 100 * 10}`, '70', `${22 + 1000 - 70}`, 'acme', 100, 'stop'],
    );
    assert.deepEqual(at(receipt, 'usage'), {
      inputTokens: 20,
      outputTokens: 3,
      source: 'provider',
    });
    const after = await moneyOf(alice);
    assert.deepEqual([before.spendable - after.spendable, after.held], [70n, 0n]);
    const page = mustOk(await alice.get(`/api/v1/wallet/${alice.account}/statement?limit=3`));
    const reasons = (page['entries'] as readonly Record<string, unknown>[]).map((e) => e['reason']);
    assert.ok(reasons.includes('model.charge') && reasons.includes('model.return'));
    const asked = upstream.asked.at(-1)?.body;
    assert.deepEqual(
      [asked?.['model'], asked?.['max_tokens'], asked?.['stream']],
      ['small-1', 100, true],
    );
  });

  it('is free and says why when the provider fails, in any of its ways', async () => {
    const { alice } = world;
    const failures: readonly (readonly [Play, RegExp])[] = [
      [{ status: 500, body: { error: { message: 'out of memory' } } }, /500.*out of memory/],
      [{ status: 429, body: 'x' }, /429/],
      [{ status: 400, body: { error: { message: 'bad tool' } } }, /400.*bad tool/],
      [
        [{ say: 'a ' }, { waitMs: 50 }, { cut: true }],
        /ended before its body was whole|broken off/,
      ],
      [[{ say: 'a ' }, { end: true }], /broke off before the end/],
      [[{ say: 'a ' }, { waitMs: 1_500 }], /silent for 400 ms/],
      [[{ waitMs: 1_500 }], /no token within 400 ms/],
      [[{ raw: 'data: {nonsense\n\n' }], /no JSON object/],
      [[{ say: 'a ' }, { raw: 'data: {"error":{"message":"boom"}}\n\n' }], /boom/],
    ];
    for (const [play, why] of failures) {
      playing(play);
      const before = await moneyOf(alice);
      const answer = mustOk(await chat(alice));
      const receipt = answer['receipt'];
      assert.deepEqual(
        [at(receipt, 'outcome'), at(receipt, 'charged'), answer['message']],
        ['failed', '0', undefined],
      );
      assert.match(String(at(receipt, 'reason')), why);
      mustAddUp(receipt);
      assert.deepEqual(await moneyOf(alice), before);
      // Five faults in a row would have it rest.
      playing(answerOf(1));
      mustOk(await chat(alice));
    }
  });

  it('bills what a provider says it used, unless that cannot be true', async () => {
    const { alice } = world;
    const words = [{ say: 'one two ' }, { say: 'three' }, { finish: 'stop' }] as const;
    const counted = { inputTokens: 11, outputTokens: 3, source: 'counted' };
    const by = (inputTokens: number, outputTokens: number): object => ({
      inputTokens,
      outputTokens,
      source: 'provider',
    });
    const cases: readonly (readonly [Play, object])[] = [
      [[...words], counted],
      [[...words, usageOf(9, 3), usageOf(12, 4)], by(12, 4)],
      [[usageOf(12, 0), ...words, usageOf(12, 4)], by(12, 4)],
      [[...words, usageOf(1_000_000, 3)], counted],
      [[...words, usageOf(12, 99_999)], counted],
      [[...words, usageOf(12, 0)], counted],
      [[...words, { usage: { prompt_tokens: -1, completion_tokens: 'many' } }], counted],
    ];
    for (const [play, usage] of cases) {
      playing(play);
      const receipt = mustOk(await chat(alice))['receipt'];
      assert.deepEqual(at(receipt, 'usage'), usage);
      const { inputTokens, outputTokens } = usage as Record<string, number>;
      const cost = (inputTokens ?? 0) * 2 + (outputTokens ?? 0) * 10;
      assert.equal(at(receipt, 'charged'), `${cost}`);
      mustAddUp(receipt);
    }
  });

  it('never charges more than it held', async () => {
    playing([{ say: 'w '.repeat(30) }, { finish: 'length' }, usageOf(80, 5)]);
    const receipt = mustOk(await chat(world.alice, { max_tokens: 5 }))['receipt'];
    assert.deepEqual([at(receipt, 'held'), at(receipt, 'charged')], ['72', '72']);
  });

  it('streams pieces as they come, and the last event is the receipt', async () => {
    playing(answerOf(3));
    const answer = await chat(world.alice, { stream: true, idempotencyKey: 'streamed' });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const events = eventsIn(answer.text);
    const texts = events.flatMap(({ event, data }) =>
      event === 'delta' ? [String(at(JSON.parse(data), 'content'))] : [],
    );
    assert.equal(texts.join(''), 'word0 word1 word2 ');
    const last = events.at(-1);
    assert.equal(last?.event, 'receipt');
    const receipt = JSON.parse(last?.data ?? '{}') as Record<string, unknown>;
    assert.deepEqual([receipt['outcome'], receipt['repeated']], ['completed', false]);

    const again = eventsIn(
      (await chat(world.alice, { stream: true, idempotencyKey: 'streamed' })).text,
    );
    assert.deepEqual(
      again.map(({ event }) => event),
      ['receipt'],
    );
    assert.deepEqual(JSON.parse(again[0]?.data ?? '{}'), { ...receipt, repeated: true });
  });

  it('ends a stream that fails with the receipt, too', async () => {
    playing([{ say: 'a ' }, { waitMs: 50 }, { cut: true }]);
    const last = eventsIn((await chat(world.alice, { stream: true })).text).at(-1);
    const receipt: unknown = JSON.parse(last?.data ?? '{}');
    assert.deepEqual([last?.event, at(receipt, 'outcome')], ['receipt', 'failed']);
    playing(answerOf(1));
    mustOk(await chat(world.alice));
  });

  it('answers the receipt, not the text, to a repeat', async () => {
    const { alice } = world;
    playing(answerOf(2));
    const first = mustOk(await chat(alice, { idempotencyKey: 'one' }));
    const asked = upstream.asked.length;
    const again = mustOk(await chat(alice, { idempotencyKey: 'one' }));
    assert.deepEqual(
      [again['repeated'], again['message'], again['receipt'], upstream.asked.length],
      [true, undefined, first['receipt'], asked],
    );
    mustRefuse(
      await chat(alice, { idempotencyKey: 'one', max_tokens: 7 }),
      400,
      'idempotency-mismatch',
    );
    const failing = { idempotencyKey: 'two', model: 'no/such' };
    mustRefuse(await chat(alice, failing), 400, 'model-unknown');
    mustOk(await chat(alice, { ...failing, model: MODEL.id }));
  });

  it('answers the running receipt to a repeat that comes before the end', async () => {
    const { alice } = world;
    let goOn = (): void => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    const asked = upstream.asked.length;
    playing([{ say: 'a ' }, { wait }, ...answerOf(1)]);
    const first = chat(alice, { idempotencyKey: 'under way' });
    await until(() => upstream.asked.length > asked);
    const again = mustOk(await chat(alice, { idempotencyKey: 'under way' }));
    assert.deepEqual(
      [again['repeated'], again['message'], at(again, 'receipt', 'outcome')],
      [true, undefined, 'running'],
    );
    assert.equal(at(again, 'receipt', 'charged'), '0');
    goOn();
    assert.equal(at(mustOk(await first), 'receipt', 'id'), at(again, 'receipt', 'id'));
    assert.equal(upstream.asked.length, asked + 1);
  });

  it('lowers max_tokens to what the model gives', async () => {
    playing(answerOf(1));
    await world.fund(world.alice, '1000000');
    const long = mustOk(await chat(world.alice, { max_tokens: 900_000 }));
    assert.equal(at(long, 'receipt', 'maxTokens'), MODEL.maxAnswerTokens);
    const usual = mustOk(await world.alice.post(CHAT, { model: MODEL.id, messages: HELLO }));
    assert.equal(at(usual, 'receipt', 'maxTokens'), 4_096);
  });

  it('refuses what no money would help, and charges nothing', async () => {
    const { alice } = world;
    const before = await moneyOf(alice);
    mustRefuse(await chat(alice, { n: 2 }), 400, 'n-above-one');
    mustRefuse(await chat(alice, { model: 'acme/none' }), 400, 'model-unknown');
    mustRefuse(await chat(alice, { network: 'play' }), 400, 'play-money');
    mustRefuse(await chat(alice, { network: 'moon' }), 400, 'network-unknown');
    const long = [{ role: 'user', content: 'word '.repeat(33_000) }];
    mustRefuse(await chat(alice, { messages: long }), 400, 'too-many-tokens');
    mustRefuse(
      await chat(alice, { messages: [{ role: 'user', content: [] }] }),
      400,
      'bad-request',
    );
    mustRefuse(await chat(alice, { messages: [] }), 400, 'bad-request');
    const huge = [{ role: 'user', content: 'a'.repeat(2_200_000) }];
    mustRefuse(await chat(alice, { messages: huge }), 400, 'body-too-large');
    assert.deepEqual(await moneyOf(alice), before);
  });

  it('refuses who is short, and quotes who has no account', async () => {
    const poor = await world.agent();
    const body = mustRefuse(await chat(poor), 400, 'insufficient-funds');
    assert.match(String(body['error']), /needs 1022 atomic units/);
    const ask = { model: MODEL.id, messages: HELLO, max_tokens: 100 };
    const quote = await world.anyone.post(CHAT, ask);
    assert.deepEqual(
      [quote.status, quote.body['code'], quote.body['x402Version'], quote.body['accepts']],
      [402, 'payment-required', 1, []],
    );
    assert.match(String(quote.body['error']), /at most 1022 atomic USDC/);
    assert.deepEqual(await receiptsOf(poor), []);
  });

  it('keeps each account below its ceiling of a day, calls under way counted', async () => {
    const rich = await world.agent();
    for (let n = 0; n < 3; n += 1) await world.fund(rich, '10000000');
    playing(answerOf(1));
    const dear = { max_tokens: 8_192 };
    // 81,942 each: 244 fit below 20,000,000.
    await world.hub.running.hub.store.write((tx) =>
      tx.knex('model_spend').insert({
        day: Math.floor(world.hub.clock.now() / 86_400_000) * 86_400_000,
        payer: rich.account,
        network: 'sandbox',
        amount: 19_950_000,
      }),
    );
    const refused = mustRefuse(await chat(rich, dear), 400, 'model-ceiling');
    assert.match(String(refused['error']), /20000000 atomic units a day leaves 50000 until/);
    mustOk(await chat(rich));
    await world.hub.running.hub.store.write((tx) =>
      tx.knex('model_spend').where({ payer: rich.account }).decrement('amount', 19_950_000),
    );
  });

  it('keeps all accounts together below the ceiling of the hub', async () => {
    const other = await world.agent();
    await world.fund(other, '1000000');
    playing(answerOf(1));
    const everybody = (change: 'increment' | 'decrement', amount: number) =>
      world.hub.running.hub.store.write((tx) =>
        tx
          .knex('model_spend')
          .where({ payer: 'everybody', network: 'sandbox' })
          [change]('amount', amount),
      );
    mustOk(await chat(other));
    const [row] = (await world.hub.running.hub.store.read((db) =>
      db.knex('model_spend').where({ payer: 'everybody', network: 'sandbox' }),
    )) as readonly { readonly amount: number | string }[];
    const left = 500_000_000 - Number(row?.amount) - 1_000;
    await everybody('increment', left);
    const refused = mustRefuse(await chat(other), 400, 'model-ceiling');
    assert.match(String(refused['error']), /whole hub of 500000000 atomic units a day leaves 1000/);
    await everybody('decrement', left);
    mustOk(await chat(other));
  });
});
