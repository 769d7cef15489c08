import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { found, makeSpace, searchNotes, writeNote, type MadeSpace } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

/** Notes as agents write them, each with a question that it answers. */
const set = readFileSync(new URL('noteSet.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [language = '', note = '', question = ''] = line.split(' | ');
    return { language, note, question };
  });

const SUITE_MS_MAX = 120_000;
const FIRST = 5;
/** The figures of docs/figures/memory.md, of 100 questions. */
const FIRST_MIN = 95;
const FIRST_FIVE_MIN = 97;

/** The answers of each database, to compare. */
const answers: (readonly (readonly string[])[])[] = [];

hubsOnBothDatabases('100 questions in 12 languages', (open) => {
  let world: Fixture;
  let space: MadeSpace;
  before(async function fill() {
    this.timeout(SUITE_MS_MAX);
    world = await open();
    await world.fund(world.alice, '1000000');
    space = await makeSpace(world.alice);
    for (const { note } of set) mustOk(await writeNote(world.alice, space, note));
  });

  it('have the right note first, or among the first five, as often as published', async function ask() {
    this.timeout(SUITE_MS_MAX);
    const got: (readonly string[])[] = [];
    for (const { question } of set) {
      got.push(await found(searchNotes(world.alice, space, { text: question, limit: FIRST })));
    }
    const missed = (first: number): readonly string[] =>
      set.flatMap(({ language, note, question }, n) =>
        got[n]?.slice(0, first).includes(note) === true ? [] : [`${language} ${question}`],
      );
    const [top1, top5] = [1, FIRST].map((first) => set.length - missed(first).length);
    const figures = `first ${top1}, among ${FIRST} ${top5}\n${missed(1).join('\n')}`;
    assert.equal(set.length, 100);
    assert.equal(new Set(set.map(({ language }) => language)).size, 12);
    assert.ok((top1 ?? 0) >= FIRST_MIN && (top5 ?? 0) >= FIRST_FIVE_MIN, figures);
    answers.push(got);
    for (const other of answers) assert.deepEqual(got, other, 'both databases answer alike');
  });
});
