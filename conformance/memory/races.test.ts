import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import {
  costOf,
  found,
  grantTo,
  makeSpace,
  MEMORY,
  searchNotes,
  vectors,
  writeNote,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

interface NoteRow {
  readonly space: number;
  readonly author: string;
  readonly content: string;
  readonly embedding: string | null;
  readonly bytes: number;
  readonly words: number;
}
type SpaceRow = Readonly<
  Record<'no' | 'notes' | 'embedded' | 'words' | 'bytes' | 'changes', number>
> & {
  readonly id: string;
};

/** Many write one space at once, by several processes: every sum is what the rows say. */
hubsOnBothDatabases('notes that are written at once', (open) => {
  it('are counted, charged and found exactly', async () => {
    const first = await open();
    const second = await open({ clock: first.hub.clock });
    const next = vectors(31);
    const owner = first.alice;
    await first.fund(owner, '10000000');
    const space = await makeSpace(owner, 'shared');
    const writers = await Promise.all([first.agent(), second.agent(), second.agent()]);
    for (const writer of writers) {
      await first.fund(writer, '1000000');
      mustOk(await grantTo(owner, space, writer.account, { canWrite: true }));
    }
    let stored = 0;
    const written = async (writer: (typeof writers)[number], seed: number): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        const content = `word${(n * seed) % 7} said by ${seed % 2} at ${n % 9}`;
        const more = {
          ...(n % 3 !== 0 && { key: `key ${(n + seed) % 5}` }),
          ...(n % 2 === 0 && { embedding: next() }),
        };
        const note = mustOk(await writeNote(writer, space, content, more));
        if (note['duplicate'] !== true) stored += 1;
      }
    };
    const spent = await Promise.all(
      writers.map((writer, n) => costOf(writer, () => written(writer, n + 2))),
    );
    assert.equal(
      spent.reduce((sum, each) => sum + each, 0n),
      200n * BigInt(stored),
    );
    const { rows, kept } = await first.hub.running.hub.store.read(async (db) => {
      const row = await db.knex<SpaceRow>('memory_spaces').where({ id: space.id }).first();
      assert.ok(row !== undefined);
      return { kept: row, rows: await db.knex<NoteRow>('notes').where({ space: row.no }) };
    });
    const sum = (of: (row: NoteRow) => number): number =>
      rows.reduce((total, row) => total + Number(of(row)), 0);
    assert.deepEqual(
      [kept.notes, kept.embedded, kept.words, kept.bytes, kept.changes].map(Number),
      [
        rows.length,
        sum(({ embedding }) => (embedding === null ? 0 : 1)),
        sum(({ words }) => words),
        sum(({ bytes }) => bytes),
        stored,
      ],
    );
    const usage = mustOk(await owner.get(`${MEMORY}/usage/${owner.account}`));
    assert.deepEqual([usage['notes'], usage['noteBytes']], [rows.length, Number(kept.bytes)]);
    for (const writer of writers) {
      const { quota } = mustOk(await writer.get(`${MEMORY}/usage/${writer.account}`)) as {
        readonly quota: { readonly notesWritten: number };
      };
      assert.equal(
        quota.notesWritten,
        rows.filter(({ author }) => author === writer.account).length,
      );
    }
    // No word of an overwritten note is left behind, and none of a standing one is missing.
    for (let n = 0; n < 7; n += 1) {
      const judge = rows.filter(({ content }) => content.startsWith(`word${n} `)).length;
      const hits = await found(searchNotes(owner, space, { text: `word${n}`, limit: 20 }));
      assert.equal(hits.length, Math.min(20, judge), `word${n}`);
      assert.ok(hits.every((content) => content.startsWith(`word${n} `)));
      const any = await found(searchNotes(owner, space, { text: `said word${n}`, limit: 20 }));
      assert.equal(any.length, Math.min(20, rows.length));
      assert.deepEqual(any.slice(0, judge), hits, 'what has both words comes first');
    }
  });

  it('follow each other under one key, each on what the one before it left', async () => {
    const first = await open();
    const second = await open({ clock: first.hub.clock });
    const owner = first.alice;
    await first.fund(owner, '1000000');
    const space = await makeSpace(owner, 'shared');
    const other = await second.agent();
    await first.fund(other, '1000000');
    mustOk(await grantTo(owner, space, other.account, { canWrite: true }));
    const contents = Array.from(
      { length: 14 },
      (_, n) => `${String.fromCharCode(97 + n)}version of the plan`,
    );
    const outcomes = await Promise.all(
      contents.map((content, n) =>
        writeNote(n % 2 === 0 ? owner : other, space, content, { key: 'plan' }),
      ),
    );
    const overwritten = outcomes.filter((answer) => mustOk(answer)['overwritten'] === true);
    assert.equal(overwritten.length, contents.length - 1);
    const page = mustOk(await owner.get(`${space.path}?key=plan`));
    const history = (page['history'] as readonly { content: string }[]).map((each) => each.content);
    assert.deepEqual([page['count'], history.length, new Set(history).size], [1, 10, 10]);
    const [{ content: latest } = { content: '' }] = page['notes'] as readonly { content: string }[];
    assert.ok(!history.includes(latest));
    for (const content of contents) {
      const [word = ''] = content.split(' ');
      const hits = await found(searchNotes(owner, space, { text: word }));
      assert.deepEqual(hits, content === latest ? [latest] : [], word);
    }
  });
});
