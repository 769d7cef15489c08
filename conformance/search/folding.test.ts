import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { found, makeSpace, searchNotes, writeNote, type MadeSpace } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { fill, listing } from '../registry/_index.ts';

/** A name as it is written, and as it is typed on a keyboard without its letters. */
const NAMES: readonly (readonly [written: string, typed: string])[] = [
  ['Łukaszewicz', 'lukaszewicz'],
  ['Jørgensenkanal', 'jorgensenkanal'],
  ['Ærøskøbing', 'aeroskobing'],
  ['Œuvrette', 'oeuvrette'],
  ['Straßenbahn', 'strassenbahn'],
  ['Đàlạtcity', 'dalatcity'],
  ['Işıklar', 'ışıklar'],
  ['þingvellir', 'thingvellir'],
  ['العَرَبِيَّة', 'العربية'],
  ['עִבְרִית', 'עברית'],
];

hubsOnBothDatabases('letters that other keyboards lack', (open) => {
  let world: Fixture;
  let space: MadeSpace;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '1000000');
    space = await makeSpace(world.alice);
    for (const [written] of NAMES) mustOk(await writeNote(world.alice, space, written));
    await fill(
      world,
      NAMES.map(([name], n) => listing(`names${n}.example`, { name, description: '' })),
    );
  });

  it('are found by what is typed in their place, in notes and in GET /search alike', async () => {
    for (const [written, typed] of NAMES) {
      for (const text of [typed, typed.toUpperCase(), written]) {
        assert.deepEqual(await found(searchNotes(world.alice, space, { text })), [written], text);
        const path = `/api/v1/search?q=${encodeURIComponent(text)}&kind=agent`;
        const results = mustOk(await world.anyone.get(path))['results'];
        const [first] = results as readonly Readonly<Record<string, unknown>>[];
        assert.equal(first?.['title'], written, text);
      }
    }
  });
});
