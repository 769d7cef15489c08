import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { MODEL, startUpstream, upstreamFile, usageOf } from '../models/_upstream.ts';

const PATH = '/api/v1/services/compress-prompt';
const POLITE =
  'Could you please be so kind as to make a list of the 5 plans of Ada Lovelace, and please note `a  b`?';
type Body = Readonly<Record<string, unknown>>;

hubsOnBothDatabases('services.compressPrompt', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '1000000');
  });
  const ask = (more: Body = {}) =>
    world.alice.post(PATH, { caller: world.alice.account, text: POLITE, ...more });

  it('keeps numbers, names and code, and says what it dropped', async () => {
    const body = mustOk(await ask({ uses: 1_000 }));
    assert.equal(body['text'], 'list the 5 plans of Ada Lovelace, and note `a  b`?');
    assert.deepEqual(
      [body['method'], body['translated'], body['sourceLanguage'], body['tokenCounter']],
      ['rules', false, 'en', 'hub-words'],
    );
    assert.deepEqual(body['kept'], { numbers: 1, code: 1, quotations: 0, addresses: 0, names: 1 });
    assert.ok((body['dropped'] as readonly string[]).length >= 2);
    assert.ok(Number(at(body, 'after', 'tokens')) < Number(at(body, 'before', 'tokens')));
  });

  it('costs 500 and 100 for each started KB when it saves more, and nothing when it does not', async () => {
    const cost = (more: Body) => costOf(world.alice, async () => mustOk(await ask(more)));
    // A token of prompt costs 1 unit at the stand-in.
    const one = mustOk(await ask());
    const saves = Number(at(one, 'before', 'tokens')) - Number(at(one, 'after', 'tokens'));
    assert.deepEqual([one['saved'], one['charge']], [`${saves}`, undefined]);
    const enough = Math.ceil(600 / saves);
    assert.equal(await cost({ uses: enough - 1 }), 0n);
    assert.equal(await cost({ uses: enough }), 600n);
    assert.equal(await cost({ text: `${POLITE} `.repeat(20), uses: 10_000 }), 700n);
    assert.equal(await cost({ text: 'Short.', uses: 1_000_000 }), 0n);
    const once = { uses: 1_000, idempotencyKey: 'once' };
    assert.equal(await cost(once), 600n);
    assert.equal(await cost(once), 0n);
    assert.equal(mustOk(await ask(once))['repeated'], true);
  });

  it('refuses, and then nothing is charged', async () => {
    const cost = await costOf(world.alice, async () => {
      mustRefuse(await ask({ model: 'no/such' }), 400, 'model-unknown');
      mustRefuse(await ask({ network: 'play' }), 400, 'network-refused');
      mustRefuse(await ask({ network: 'moon' }), 400, 'network-unknown');
      mustRefuse(await ask({ text: '' }), 400, 'bad-request');
    });
    assert.equal(cost, 0n);
    const other = { caller: world.bob.account, text: POLITE };
    mustRefuse(await world.alice.post(PATH, other), 401, 'wrong-owner');
    mustRefuse(await world.anyone.post(PATH, other), 401, 'unsigned');
    const poor = await world.agent();
    const body = { caller: poor.account, text: POLITE, uses: 1_000 };
    mustRefuse(await poor.post(PATH, body), 400, 'insufficient-funds');
    const first = { idempotencyKey: 'differs' };
    mustOk(await ask(first));
    mustRefuse(await ask({ ...first, uses: 2 }), 400, 'idempotency-mismatch');
  });

  it('moves a prompt to English by a model, unless that loses something', async () => {
    const upstream = await startUpstream();
    const model = { ...MODEL, rewrites: true };
    const provider = { name: 'acme', baseUrl: upstream.url, backend: 'local', models: [model] };
    const file = upstreamFile([provider], [upstream]);
    const other = await open({ env: file.env });
    const german = 'Bitte schreibe mir eine Liste der 5 Pläne und nicht mehr als das für das Team.';
    const body = { caller: world.alice.account, text: german, uses: 100_000 };
    const asked = () => other.alice;
    await other.fund(asked(), '100000');
    const send = (more: Body = {}) =>
      asked().post(PATH, { ...body, caller: asked().account, ...more });
    const says = (text: string): void =>
      upstream.play(() => [{ say: text }, { finish: 'stop' }, usageOf(90, 9)]);
    says('List the 5 plans for the team, no more.');
    const done = mustOk(await send({ idempotencyKey: 'moved' }));
    assert.deepEqual(
      [done['text'], done['translated'], done['method'], done['sourceLanguage']],
      ['List the 5 plans for the team, no more.', true, 'model', 'de'],
    );
    assert.equal(at(done, 'charge', 'amount'), '600');
    const calls = upstream.asked.length;
    assert.equal(mustOk(await send({ idempotencyKey: 'moved' }))['repeated'], true);
    assert.equal(upstream.asked.length, calls, 'a repeat asks no provider');
    const longest = Number(upstream.asked.at(-1)?.body['max_tokens']);
    assert.ok(longest < 60, 'what is longer than the text saves nothing');
    mustOk(await send({ uses: 1 }));
    assert.equal(
      upstream.asked.length,
      calls,
      'no provider is asked for what cannot be worth its price',
    );
    says('List the plans.');
    assert.equal(mustOk(await send())['method'], 'rules', 'the number was lost');
    upstream.play(() => ({ status: 500, body: {} }));
    assert.equal(mustOk(await send())['method'], 'rules');
    await upstream.close();
    file.remove();
  });
});
