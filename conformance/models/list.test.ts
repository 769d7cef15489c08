import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';
import { chat, CHAT, eventsIn, moneyOf, mustAddUp, type Body } from './_desk.ts';
import { answerOf, MODEL, startUpstream, upstreamFile } from './_upstream.ts';

const LIST = '/api/v1/models';
const modelsOf = (body: Body): readonly Body[] => body['models'] as readonly Body[];

describe('models.list', () => {
  it('offers a sandbox with agents another stand-in, whose answer is not the question', async () => {
    const world = await openFixture({ env: { HUB_SANDBOX_AGENTS: 'true' } });
    const body = mustOk(await world.anyone.get(LIST));
    assert.deepEqual(
      modelsOf(body).map(({ id }) => id),
      ['hub/echo', 'hub/letters', 'hub/words'],
    );
    await world.fund(world.alice, '100000');
    const messages = [{ role: 'user', content: 'Name the sea.' }];
    const ask = { model: 'hub/letters', messages, max_tokens: 100 };
    const answer = mustOk(await world.alice.post(CHAT, ask));
    const shown = '████ 4 Name\n███ 3 the\n███ 3 sea\n3 words, 10 letters.';
    assert.equal(at(answer, 'message', 'content'), shown);
    mustAddUp(answer['receipt']);
    await world.close();
  });

  it('offers the stand-in on test money to a hub without providers', async () => {
    const world = await openFixture();
    const body = mustOk(await world.anyone.get(LIST));
    const [echo] = modelsOf(body);
    assert.deepEqual(
      [body['count'], echo?.['id'], echo?.['backend'], echo?.['buysOn'], body['defaultMaxTokens']],
      [2, 'hub/echo', 'mock', ['sandbox'], 4096],
    );
    assert.deepEqual(echo?.['usdPerMillionTokens'], { input: '1', output: '2' });
    await world.fund(world.alice, '100000');
    const ask = {
      model: 'hub/echo',
      messages: [{ role: 'user', content: 'one two three four' }],
      max_tokens: 3,
    };
    const before = await moneyOf(world.alice);
    const answer = mustOk(await world.alice.post(CHAT, ask));
    assert.deepEqual(
      [at(answer, 'message', 'content'), answer['finishReason']],
      ['one two three ', 'length'],
    );
    // 4 words, 4 around the message and 3 before the answer; 3 words of answer at 2 each.
    assert.deepEqual(
      [at(answer, 'receipt', 'held'), at(answer, 'receipt', 'charged')],
      ['17', '17'],
    );
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 17n);
    const streamed = eventsIn((await world.alice.post(CHAT, { ...ask, stream: true })).text);
    mustAddUp(JSON.parse(streamed.at(-1)?.data ?? '{}'));
    await world.close();
  });

  it('names providers cheapest first, with the margin in their prices', async () => {
    const [cheap, dear] = [await startUpstream(), await startUpstream()];
    const file = upstreamFile(
      [
        { name: 'dear', baseUrl: dear.url, models: [{ ...MODEL, input: '3', output: '15' }] },
        {
          name: 'cheap',
          baseUrl: cheap.url,
          marginPercent: 12.5,
          models: [{ ...MODEL, input: '0.15', output: '0.6', contextLength: 16_000 }],
        },
      ],
      [cheap, dear],
    );
    const world = await openFixture({ env: file.env });
    const [model] = modelsOf(mustOk(await world.anyone.get(LIST)));
    const idle = { resting: false, measured: { asked: 0 } };
    assert.deepEqual(model?.['providers'], [
      { name: 'cheap', usdPerMillionTokens: { input: '0.16875', output: '0.675' }, ...idle },
      { name: 'dear', usdPerMillionTokens: { input: '3', output: '15' }, ...idle },
    ]);
    assert.deepEqual(
      [model?.['contextLength'], model?.['backend'], model?.['buysOn']],
      [16_000, 'upstream', ['base']],
      'test money buys no paid tokens',
    );
    assert.deepEqual(modelsOf(mustOk(await world.anyone.get(`${LIST}?q=ACME`))).length, 1);
    assert.deepEqual(modelsOf(mustOk(await world.anyone.get(`${LIST}?q=none`))), []);
    await world.close();
    await Promise.all([cheap.close(), dear.close()]);
    file.remove();
  });

  it('shows what was measured here, and prices that are what is charged', async () => {
    const upstream = await startUpstream();
    const provider = { name: 'acme', baseUrl: upstream.url, backend: 'local', models: [MODEL] };
    const file = upstreamFile([provider], [upstream]);
    const world = await openFixture({ env: file.env });
    await world.fund(world.alice, '1000000');
    const measured = async (): Promise<Body> => {
      world.hub.clock.advance(6);
      return modelsOf(mustOk(await world.anyone.get(LIST)))[0]?.['measured'] as Body;
    };
    assert.deepEqual(await measured(), { calls: 0, windowHours: 24 });
    for (let n = 0; n < 3; n += 1) {
      upstream.play(() => [
        { say: 'a ' },
        { waitMs: 30 },
        { act: () => world.hub.clock.advance(1) },
        ...answerOf(3),
      ]);
      const receipt = at(mustOk(await chat(world.alice)), 'receipt');
      const [input, output] = [
        at(receipt, 'usage', 'inputTokens'),
        at(receipt, 'usage', 'outputTokens'),
      ];
      const [listed] = modelsOf(mustOk(await world.anyone.get(LIST)));
      const price = listed?.['usdPerMillionTokens'] as Record<string, string>;
      const cost =
        Number(input) * Number(price['input']) + Number(output) * Number(price['output']);
      assert.equal(at(receipt, 'charged'), `${Math.ceil(cost)}`);
    }
    upstream.play(() => ({ status: 500, body: {} }));
    mustOk(await chat(world.alice));
    const figures = await measured();
    assert.deepEqual([figures['calls'], figures['uptime']], [4, 0.75]);
    assert.deepEqual([figures['firstTokenMs'], figures['tokensPerSecond']], [0, 2]);
    await world.close();
    await upstream.close();
    file.remove();
  });
});
