import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { migrateThrough } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { found, searchNotes, writeNote } from './space.ts';

const SUITE_MS_MAX = 60_000;
const BEFORE = migrations.map(({ name }) => name).filter((name) => name < '0140');
const FORMER = 'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
const SPACE = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
/** Number that either database gives to a first row. */
const FIRST = 1;
const NOTE = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c91';

/** The tables before the analyser changed, with a note as that hub indexed it. */
async function formerHub(db: Knex, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.transaction((trx) => migrateThrough(BEFORE, trx, dialect));
  const sums = { notes: 1, embedded: 0, words: 3, bytes: 18, changes: 1, created_at: 0 };
  const space = { id: SPACE, owner: FORMER, name: 'former', kind: 'private', ...sums };
  await db('memory_spaces').insert(space);
  const note = { id: NOTE, space: FIRST, author: FORMER, content: 'plans for Łódź' };
  await db('notes').insert({ ...note, digest: 'd', bytes: 18, words: 3, changed: 1, at: 0 });
  for (const [stem, whole] of [
    ['plan', 'plans'],
    ['for', 'for'],
    ['łodz', 'łodz'],
  ]) {
    await db('note_words').insert({ space: FIRST, stem, whole, note: FIRST, count: 1 });
  }
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  it(`a hub upgraded on ${dialect} finds its former notes at once and by their new words later`, async function upgrade() {
    this.timeout(SUITE_MS_MAX);
    const folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    const file = join(folder, 'hub.sqlite');
    const url =
      dialect === 'sqlite' ? `sqlite:${file}` : await (await sharedPostgres()).emptyDatabase();
    const db = knex(
      dialect === 'sqlite'
        ? { client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true }
        : { client: 'pg', connection: url },
    );
    await formerHub(db, dialect);
    const world = await openFixture({ databaseUrl: url });
    try {
      const { alice } = world;
      await world.fund(alice, '1000000');
      await db('memory_spaces').update({ owner: alice.account });
      const space = { id: SPACE, path: '' };
      const byText = (text: string) => found(searchNotes(alice, space, { text }));
      mustOk(await writeNote(alice, space, 'Łódź is new'));
      assert.deepEqual(await byText('plan'), ['plans for Łódź']);
      assert.deepEqual(await byText('lodz'), ['Łódź is new']);
      for (let step = 0; step < 5; step += 1) await world.hub.runJob('noteReindexing');
      assert.deepEqual(await byText('lodz for plan'), ['plans for Łódź', 'Łódź is new']);
      assert.deepEqual(await db('note_reindexing'), []);
      assert.deepEqual(await db('note_words').where({ analyser: 0 }), []);
    } finally {
      await world.close();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
