import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import {
  costOf,
  found,
  grantTo,
  makeSpace,
  searchNotes,
  vectors,
  writeNote,
  type MadeSpace,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

type Line = Readonly<Record<string, unknown>>;

function bring(owner: Agent, space: MadeSpace, lines: string, more: Line = {}): Promise<Answer> {
  return owner.post(`${space.path}/import`, { owner: owner.account, lines, ...more });
}

hubsOnBothDatabases('memory.import', (open) => {
  const next = vectors(5);
  let world: Fixture;
  let from: MadeSpace;
  let exported = '';
  const queries = [next(), next(), next()];
  before(async () => {
    world = await open();
    const { alice, bob } = world;
    await world.fund(alice, '10000000');
    await world.fund(bob, '10000000');
    from = await makeSpace(alice, 'shared');
    mustOk(await grantTo(alice, from, bob.account, { canWrite: true }));
    for (let n = 0; n < 30; n += 1) {
      const more = { embedding: next(), ...(n % 3 === 0 && { key: `key ${n}` }) };
      mustOk(
        await writeNote(n % 2 === 0 ? alice : bob, from, `note ${n} of the "old" space\n`, more),
      );
    }
    mustOk(await writeNote(alice, from, 'without an embedding'));
    const answer = await alice.get(`${from.path}/export`);
    assert.equal(answer.status, 200);
    exported = answer.text;
  });

  it('makes the same space of an export: contents, order, vectors and grants', async () => {
    const { alice, bob } = world;
    const to = await makeSpace(alice, 'shared');
    const cost = await costOf(alice, async () => {
      const done = mustOk(await bring(alice, to, exported));
      const { added, overwritten, duplicates, grants } = done;
      assert.deepEqual([added, overwritten, duplicates, grants], [31, 0, 0, 1]);
      assert.equal(at(done, 'charge', 'amount'), '6200');
    });
    assert.equal(cost, 6200n);
    for (const embedding of queries) {
      const search = { embedding, limit: 20 };
      const [before, after] = [
        mustOk(await searchNotes(alice, from, search)),
        mustOk(await searchNotes(alice, to, search)),
      ];
      const shown = (answer: Line): unknown =>
        (answer['results'] as readonly Line[]).map(({ content, key, distance }) => [
          content,
          key,
          distance,
        ]);
      assert.deepEqual(shown(after), shown(before));
    }
    assert.deepEqual(at(mustOk(await bob.get(to.path)), 'access', 'youMay'), ['read', 'write']);
    const again = await alice.get(`${to.path}/export`);
    const reported = (text: string): readonly unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
        .filter(({ line }) => line === 'note')
        .map(({ content, key, embeddingBase64 }) => [content, key, embeddingBase64]);
    assert.deepEqual(reported(again.text), reported(exported), 'a second export says the same');
  });

  it('is idempotent: the same lines again cost nothing and change nothing', async () => {
    const { alice } = world;
    const to = await makeSpace(alice);
    mustOk(await bring(alice, to, exported));
    const before = mustOk(await alice.get(to.path));
    const cost = await costOf(alice, async () => {
      const { added, overwritten, duplicates, grants, charge } = mustOk(
        await bring(alice, to, exported),
      );
      assert.deepEqual([added, overwritten, duplicates, grants, charge], [0, 0, 31, 0, undefined]);
    });
    assert.equal(cost, 0n);
    assert.deepEqual(mustOk(await alice.get(to.path)), before);
  });

  it('overwrites keys that hold something else, and makes the importer the author', async () => {
    const { alice, bob } = world;
    const to = await makeSpace(bob);
    mustOk(await writeNote(bob, to, 'what was here', { key: 'key 0' }));
    const { added, overwritten } = mustOk(await bring(bob, to, exported));
    assert.deepEqual([added, overwritten], [30, 1]);
    const page = mustOk(await bob.get(`${to.path}?limit=200`));
    assert.ok((page['notes'] as readonly Line[]).every(({ author }) => author === bob.account));
    assert.deepEqual(await found(searchNotes(bob, to, { text: 'what was here' })), []);
    mustRefuse(await alice.get(to.path), 400, 'not-granted');
  });

  it('is all or nothing, once for a key, and unpaid is nothing', async () => {
    const poor = await world.agent();
    await world.fund(poor, '6199');
    const to = await makeSpace(poor);
    const once = { idempotencyKey: 'import-once' };
    mustRefuse(await bring(poor, to, exported, once), 400, 'insufficient-funds');
    assert.equal(at(mustOk(await poor.get(to.path)), 'space', 'notes'), 0);
    await world.fund(poor, '1');
    const first = mustOk(await bring(poor, to, exported, once));
    assert.deepEqual(mustOk(await bring(poor, to, exported, once)), { ...first, repeated: true });
    const other = '{"line":"note","content":"another"}';
    mustRefuse(await bring(poor, to, other, once), 400, 'idempotency-mismatch');
  });

  it('makes 200 grants of a shared space, no more, and none of a private one', async () => {
    const { alice } = world;
    const grantees = await Promise.all(
      Array.from({ length: 201 }, async () => (await generateKey()).account),
    );
    const lines = (from: number, to: number): string =>
      grantees
        .slice(from, to)
        .map((grantee) => JSON.stringify({ line: 'grant', grantee, canWrite: false }))
        .join('\n');
    const shared = await makeSpace(alice, 'shared');
    for (const at of [0, 100]) {
      assert.equal(mustOk(await bring(alice, shared, lines(at, at + 100)))['grants'], 100);
    }
    mustRefuse(await bring(alice, shared, lines(200, 201)), 400, 'ceiling-reached');
    assert.equal(mustOk(await bring(alice, shared, lines(100, 200)))['grants'], 0);
    const alone = await makeSpace(alice);
    assert.equal(mustOk(await bring(alice, alone, lines(0, 1)))['grants'], 0);
    assert.deepEqual(at(mustOk(await alice.get(alone.path)), 'access', 'grants'), []);
  });

  it('takes no note over the limit of the account, nor of who cannot pay its rent', async () => {
    const owner = await world.agent();
    await world.fund(owner, '1000');
    const to = await makeSpace(owner);
    const one = '{"line":"note","content":"one"}';
    const two = `${one}\n{"line":"note","content":"two"}`;
    mustOk(await bring(owner, to, one));
    // The test does not make ten thousand notes, or wait a year for rent: it sets both where the
    // hub stores them.
    const set = (values: Line): Promise<unknown> =>
      world.hub.running.hub.store.write(async (tx) => {
        await tx.knex('memory_accounts').where({ account: owner.account }).update(values);
      });
    await set({ notes_written: 10_000 });
    const cost = await costOf(owner, async () => {
      mustRefuse(await bring(owner, to, two), 400, 'notes-full');
      mustOk(await bring(owner, to, one));
    });
    assert.equal(cost, 0n);
    await set({ notes_written: 1, read_only: 1, note_bytes: 100 * 2 ** 20 });
    mustRefuse(await bring(owner, to, two), 400, 'memory-read-only');
    assert.equal(at(mustOk(await owner.get(to.path)), 'space', 'notes'), 1);
    await set({ read_only: 0, note_bytes: 3 });
  });

  it('refuses lines that are none, and says which', async () => {
    const { alice } = world;
    const to = await makeSpace(alice);
    const good = '{"line":"note","content":"good"}';
    const wrong: readonly (readonly [string, string, RegExp])[] = [
      [`${good}\n{"line":"no`, 'bad-lines', /Line 2 is no JSON object/],
      ['{"content":"x"}', 'bad-lines', /Line 1 names no `line`/],
      [`{"line":"note","content":"x","key":"${'k'.repeat(129)}"}`, 'bad-lines', /over 128/],
      [Array.from({ length: 101 }, () => good).join('\n'), 'bad-lines', /Line 101/],
      [`{"line":"note","content":"${'x'.repeat(8193)}"}`, 'note-too-long', /8193 bytes/],
      ['{"line":"note","content":""}', 'note-too-long', /line 1 is empty/],
      ['{"line":"note","content":"x","embeddingBase64":"AAAA"}', 'bad-embedding', /Line 1/],
      [
        `{"line":"note","content":"x","embeddingBase64":"${Buffer.alloc(3072).toString('base64')}"}`,
        'bad-embedding',
        /Line 1/,
      ],
      [
        `{"line":"note","content":"x","embeddingBase64":"${Buffer.alloc(3072, 0xff).toString('base64')}"}`,
        'bad-embedding',
        /Line 1/,
      ],
    ];
    const cost = await costOf(alice, async () => {
      for (const [lines, code, why] of wrong) {
        assert.match(String(mustRefuse(await bring(alice, to, lines), 400, code)['error']), why);
      }
      mustRefuse(await bring(alice, to, ''), 400, 'bad-request');
    });
    assert.equal(cost, 0n);
    assert.equal(at(mustOk(await alice.get(to.path)), 'space', 'notes'), 0);
  });

  it('goes into no space of another account', async () => {
    const { alice, bob } = world;
    mustRefuse(await bring(bob, from, exported), 400, 'not-granted');
    const nowhere = '/api/v1/memory/spaces/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await bring(bob, { id: '', path: nowhere }, exported), 404, 'not-found');
    const forged = await alice.post(`${from.path}/import`, { owner: bob.account, lines: 'x' });
    mustRefuse(forged, 401, 'wrong-owner');
    mustRefuse(await bring(alice, from, exported, { network: 'play' }), 400, 'network-refused');
    mustRefuse(await bring(alice, from, exported, { network: 'moon' }), 400, 'network-unknown');
  });
});
