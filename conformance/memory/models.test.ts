import assert from 'node:assert/strict';
import { tried, type Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustPreview, mustRefuse } from '../harness/must.ts';
import { moneyOf, mustAddUp, receiptsOf, until, type Body } from '../models/_desk.ts';
import {
  embedded,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from '../models/_upstream.ts';
import {
  costOf,
  found,
  grantTo,
  makeSpace,
  searchNotes,
  SPACES,
  writeNote,
  type MadeSpace,
} from './space.ts';

const WORDS = ['red', 'green', 'blue', 'loud', 'quiet'];
/** 100 USD per million tokens, so that each token costs 100 atomic units. */
const EMBEDS = {
  id: 'acme/embed',
  upstreamId: 'embed-1',
  input: '100',
  dimensions: WORDS.length + 1,
  contextLength: 60,
};

/** A vector that says which of the words a text has; synonyms have the same place. */
function meaning(text: string): readonly number[] {
  const known = text.toLowerCase().replaceAll('crimson', 'red').replaceAll('silent', 'quiet');
  return [...WORDS.map((word) => (known.includes(word) ? 1 : 0)), 0.01];
}

hubsOnBothDatabases('memory with a model', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let space: MadeSpace;
  before(async () => {
    upstream = await startUpstream();
    file = upstreamFile([localProvider(upstream, { models: [MODEL, EMBEDS] })], [upstream]);
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
    await world.fund(world.bob, '10000000');
  });
  beforeEach(async () => {
    upstream.play((body) => embedded(body, meaning));
    space = await makeSpace(world.alice, 'shared', { model: EMBEDS.id });
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });
  const asks = (): number => upstream.asked.length;

  it('makes a space of the model, with its dimensions, and refuses what makes no vectors', async () => {
    const { alice } = world;
    const shown = at(mustOk(await alice.get(space.path)), 'space') as Body;
    assert.deepEqual([shown['model'], shown['dimensions']], [EMBEDS.id, 6]);
    const make = (more: Body) =>
      alice.post(SPACES, { owner: alice.account, name: 'wrong', ...more });
    mustRefuse(await make({ model: 'acme/none' }), 400, 'model-unknown');
    mustRefuse(await make({ model: MODEL.id }), 400, 'bad-request');
    mustRefuse(await make({ model: EMBEDS.id, dimensions: 5 }), 400, 'bad-request');
  });

  it('charges the vector of a note once, with the note, and nothing for one that is there', async () => {
    const { alice } = world;
    const idempotencyKey = `red-${String(asks())}`;
    const before = asks();
    const cost = await costOf(alice, async () => {
      const note = mustOk(await writeNote(alice, space, 'red and loud', { idempotencyKey }));
      const receipt = note['receipt'] as Body;
      mustAddUp(receipt);
      assert.deepEqual(
        [note['embedded'], receipt['service'], receipt['outcome'], receipt['charged']],
        [true, 'memory.write', 'completed', '300'],
      );
      const again = mustOk(await writeNote(alice, space, 'red and loud', { idempotencyKey }));
      assert.deepEqual([again['noteId'], again['repeated']], [note['noteId'], true]);
      const twin = mustOk(await writeNote(alice, space, 'red and loud'));
      assert.deepEqual([twin['duplicate'], twin['receipt']], [true, undefined]);
    });
    assert.deepEqual([cost, asks() - before], [500n, 1]);
    assert.equal((await moneyOf(alice)).held, 0n);
  });

  it('finds by meaning and by words, and bills the question with the search', async () => {
    const { alice, bob } = world;
    mustOk(await grantTo(alice, space, bob.account));
    for (const text of ['red apples', 'quiet rooms', 'a loud, green parrot', 'invoice 4711']) {
      mustOk(await writeNote(alice, space, text));
    }
    const cost = await costOf(bob, async () => {
      const answer = mustOk(await searchNotes(bob, space, { text: 'crimson' }));
      assert.deepEqual([answer['by'], at(answer, 'results', 0, 'content')], ['both', 'red apples']);
      assert.equal(at(answer, 'receipt', 'service'), 'memory.search');
    });
    assert.equal(cost, 500n + 200n, 'two tokens of the question, whatever the provider says');
    // No vector says 4711: its word does.
    assert.equal(
      (await found(searchNotes(bob, space, { text: 'silent 4711' })))[0],
      'invoice 4711',
    );
    const before = asks();
    const byText = searchNotes(bob, space, { text: 'crimson', by: 'text' });
    assert.deepEqual([await found(byText), asks() - before], [[], 0]);
    const byVector = { text: 'silent', by: 'embedding', limit: 1 };
    assert.deepEqual(await found(searchNotes(bob, space, byVector)), ['quiet rooms']);
  });

  it('buys no vector where none can find anything, and nothing found is free', async () => {
    const { alice } = world;
    const before = asks();
    const cost = await costOf(alice, async () => {
      const empty = mustOk(await searchNotes(alice, space, { text: 'red' }));
      assert.deepEqual(
        [empty['count'], empty['charge'], empty['receipt']],
        [0, undefined, undefined],
      );
    });
    assert.deepEqual([cost, asks() - before], [0n, 0]);
    mustOk(await writeNote(alice, space, 'red', { metadata: { year: 2026 } }));
    const where = [{ name: 'year', is: 2025 }];
    const bought = asks();
    const none = await costOf(alice, async () => {
      mustOk(await searchNotes(alice, space, { text: 'red', where }));
    });
    assert.deepEqual([none, asks() - bought], [0n, 0]);
  });

  it('stores and charges nothing when the model fails or the note may not be written', async () => {
    const { alice, bob } = world;
    const refused = async (who: Agent, code: string): Promise<void> => {
      const cost = await costOf(who, async () => {
        const answer = await writeNote(who, space, 'blue');
        assert.equal(answer.body['code'], code, answer.text);
      });
      assert.equal(cost, 0n);
    };
    const before = asks();
    await refused(bob, 'not-granted');
    assert.equal(asks(), before, 'no vector is bought for a note that may not be written');
    upstream.play(() => ({ status: 500, body: {} }));
    await refused(alice, 'model-failed');
    upstream.play(() => ({
      status: 200,
      body: { data: [{ index: 0, embedding: [0, 0, 0, 0, 0, 0] }], usage: { prompt_tokens: 1 } },
    }));
    await refused(alice, 'model-failed');
    mustRefuse(await writeNote(alice, space, 'blue '.repeat(70)), 400, 'too-many-tokens');
    assert.equal(at(mustOk(await alice.get(space.path)), 'space', 'notes'), 0);
    await until(async () => (await moneyOf(alice)).held === 0n);
  });

  it('refuses an account that has the price of the note and not of its vector', async () => {
    const poor = await world.agent();
    await world.fund(poor, '299');
    const own = await makeSpace(poor, 'private', { model: EMBEDS.id });
    mustRefuse(await writeNote(poor, own, 'red green blue'), 400, 'insufficient-funds');
    assert.equal((await moneyOf(poor)).spendable, 299n);
    await world.fund(poor, '201');
    mustOk(await writeNote(poor, own, 'red green blue'));
    assert.equal((await moneyOf(poor)).spendable, 0n);
  });

  it('writes, overwrites and deletes a batch in one call with one call of the model', async () => {
    const { alice } = world;
    mustOk(await writeNote(alice, space, 'red', { key: 'old' }));
    mustOk(await writeNote(alice, space, 'green', { key: 'stays' }));
    const before = asks();
    const notes = [
      { content: 'blue', key: 'new', metadata: { kind: 'colour' } },
      { content: 'loud', key: 'stays' },
      { content: 'loud', key: 'twice' },
      { content: 'own vector', embedding: [0, 0, 0, 0, 1, 0] },
    ];
    const cost = await costOf(alice, async () => {
      const body = { owner: alice.account, notes, deleteKeys: ['old', 'never'] };
      const done = mustOk(await alice.post(`${space.path}/import`, body));
      const { added, overwritten, deleted, duplicates } = done;
      assert.deepEqual([added, overwritten, deleted, duplicates], [3, 1, 1, 0]);
      assert.equal(at(done, 'receipt', 'charged'), '300', 'three tokens of two texts');
      assert.deepEqual(upstream.asked.at(-1)?.body['input'], ['blue', 'loud']);
      const again = mustOk(
        await alice.post(`${space.path}/import`, { ...body, deleteKeys: ['x'] }),
      );
      assert.deepEqual([again['duplicates'], again['charge']], [4, undefined]);
    });
    assert.deepEqual([cost, asks() - before], [800n + 300n, 1]);
    const quiet = { text: 'silent', by: 'embedding', limit: 1 };
    assert.deepEqual(await found(searchNotes(alice, space, quiet)), ['own vector']);
  });

  it('charges one note for calls at once with one key, and returns what else was held', async () => {
    const { alice } = world;
    const idempotencyKey = `at-once-${String(asks())}`;
    const cost = await costOf(alice, async () => {
      const calls = Array.from({ length: 4 }, () =>
        writeNote(alice, space, 'green and blue', { idempotencyKey }),
      );
      const ids = (await Promise.all(calls)).map((answer) => mustOk(answer)['noteId']);
      assert.equal(new Set(ids).size, 1);
      await until(async () => (await moneyOf(alice)).held === 0n);
    });
    assert.equal(cost, 200n + 300n);
    const receipts = await receiptsOf(alice);
    for (const receipt of receipts) mustAddUp(receipt);
  });

  it('quotes the note with its vector by a dry run, and asks no provider', async () => {
    const { alice } = world;
    const before = asks();
    const body = { author: alice.account, spaceId: space.id, content: 'red and blue' };
    const preview = mustPreview(await tried(alice, '/api/v1/memory', body));
    assert.equal(preview['stopsBefore'], 'the upstream model');
    const entries = preview['entries'] as readonly Body[];
    const held = entries.filter(({ kind }) => kind === 'hold').map(({ delta }) => delta);
    assert.deepEqual([held, asks() - before], [['500'], 0], JSON.stringify(entries));
  });
});
