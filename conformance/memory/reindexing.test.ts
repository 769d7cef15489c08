import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { found, makeSpace, searchNotes, writeNote, type MadeSpace } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

/** A hub just upgraded from one whose analyser did not fold `ł` and cut words at vowel points. */
const OLD = ['Łukasz has the plans of Łódź', 'الْعَرَبِيَّة is taught here', 'plans for Friday', 'bread'];
/**
 * The words that that analyser had made of the first two, in place of the words that are there now.
 */
const FORMER: readonly (readonly [now: string, former: readonly string[]])[] = [
  ['lukasz', ['łukasz']],
  ['lodz', ['łodz']],
  ['عربيه', ['ع', 'ر', 'ب']],
];
const STEPS_MAX = 100;

hubsOnBothDatabases('notes of an earlier analyser', (open) => {
  let world: Fixture;
  let space: MadeSpace;
  const ids: string[] = [];
  const byText = (text: string, of = world) =>
    found(searchNotes(of.alice, space, { text, limit: 20 }));
  const count = (table: string, where: string): Promise<number> =>
    world.hub.running.hub.store.read(async (db) => {
      const [row] = await db.knex(table).whereRaw(where).count({ count: '*' });
      return Number(row?.['count']);
    });
  const former = (): Promise<void> =>
    world.hub.running.hub.store.write(async ({ knex }) => {
      await knex('note_words').update({ analyser: 0 });
      for (const [now, words] of FORMER) {
        const rows: unknown = await knex('note_words').where({ whole: now });
        const [row] = rows as readonly Readonly<Record<string, unknown>>[];
        assert.ok(row, now);
        await knex('note_words').where({ whole: now }).delete();
        for (const word of words) {
          await knex('note_words').insert({ ...row, stem: word, whole: word });
        }
      }
      await knex.raw(`INSERT INTO note_reindexing (space, done, until, stem, whole, note)
        SELECT no, 0, changes, '', '', 0 FROM memory_spaces WHERE notes > 0`);
    });
  const finish = async (): Promise<void> => {
    for (let step = 0; (await count('note_reindexing', 'true')) > 0; step += 1) {
      assert.ok(step < STEPS_MAX, 'it ends');
      await world.hub.runJob('noteReindexing');
    }
  };
  beforeEach(async () => {
    world ??= await open();
    await world.fund(world.alice, '10000000');
    space = await makeSpace(world.alice);
    ids.length = 0;
    for (const [n, content] of OLD.entries()) {
      const answer = mustOk(await writeNote(world.alice, space, content, { key: `k${n}` }));
      ids.push(String(answer['noteId']));
    }
    await former();
  });
  afterEach(async () => {
    await finish();
    mustOk(await world.alice.post(`${space.path}/delete`, { owner: world.alice.account }));
  });

  it('are found by their former words before, and by the present ones afterwards', async () => {
    assert.deepEqual((await byText('the plans')).length, 2);
    assert.deepEqual(await byText('lodz'), []);
    await finish();
    assert.deepEqual((await byText('the plans')).length, 2);
    assert.deepEqual(await byText('Lodz'), [OLD[0]]);
    assert.deepEqual(await byText('العربية'), [OLD[1]]);
    assert.deepEqual(await byText('ب'), []);
    assert.equal(await count('note_words', 'analyser = 0'), 0);
  });

  it('leave nothing behind when they are overwritten or deleted before they are reached', async () => {
    const { alice } = world;
    mustOk(await writeNote(alice, space, 'nothing in common', { key: 'k1' }));
    mustOk(await writeNote(alice, space, 'Ærøskøbing is new'));
    const gone = { owner: alice.account, noteIds: [ids[0], ids[2]] };
    mustOk(await alice.post(`${space.path}/delete`, gone));
    assert.deepEqual(await byText('plans'), []);
    assert.deepEqual(await byText('taught ع'), []);
    assert.deepEqual(await byText('nothing'), ['nothing in common']);
    assert.deepEqual(await byText('aeroskobing'), ['Ærøskøbing is new']);
    assert.deepEqual(await byText('bread'), ['bread']);
    await finish();
    assert.equal((await byText('bread nothing aeroskobing plans ر')).length, 3);
    assert.equal(await count('note_words', 'analyser = 0'), 0);
    const orphans = 'NOT EXISTS (SELECT 1 FROM notes WHERE notes.no = note_words.note)';
    assert.equal(await count('note_words', orphans), 0);
  });

  it('are analysed once by several processes, in a space that is deleted meanwhile as well', async () => {
    const other = await open({ clock: world.hub.clock });
    const lost = await makeSpace(world.alice);
    mustOk(await writeNote(world.alice, lost, 'soon gone'));
    const { store } = world.hub.running.hub;
    await store.write(({ knex }) =>
      knex.raw(`INSERT INTO note_reindexing (space, done, until, stem, whole, note)
        SELECT no, 0, changes, '', '', 0 FROM memory_spaces WHERE id = '${lost.id}'`),
    );
    await store.write(({ knex }) =>
      knex('note_words').where('stem', 'soon').update({ analyser: 0, stem: 'sooner' }),
    );
    mustOk(await world.alice.post(`${lost.path}/delete`, { owner: world.alice.account }));
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 === 0 ? world : other).hub.runJob('noteReindexing'),
      ),
    );
    await finish();
    assert.equal(await count('note_words', 'analyser = 0'), 0);
    assert.deepEqual(await byText('Lodz'), [OLD[0]]);
    assert.deepEqual((await byText('plan')).length, 2);
  });
});
