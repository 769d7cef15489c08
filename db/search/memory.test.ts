import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { link, linkOf, type Link, type Reader } from '../connection.ts';
import { listedSkill, probedListing } from '../registry/fixture.ts';
import { saveListing } from '../registry/listings.ts';
import type { Store } from '../store.ts';
import { find } from './find.ts';
import { documentsFor, queued } from './queue.ts';
import { indexQueue } from './run.ts';
import { applyQueued } from './write.ts';

const SUITE_MS_MAX = 120_000;
const WORDS = ['weather', 'forecast', 'translate', 'invoice', 'maps', 'court'] as const;
const QUERIES = [...WORDS, 'weather forecast', 'translate invoice maps', 'forecats', 'transl'];
const word = fc.constantFrom(...WORDS);
const step = fc.record({
  listing: fc.nat(5),
  name: word,
  tools: fc.array(word, { maxLength: 3 }),
  /** Who puts it into the index: this process, another one, or a unit that fails. */
  by: fc.constantFrom('own', 'other', 'failing'),
});

/** Puts all that is queued into the index within a unit that fails. */
async function indexInVain(store: Store): Promise<void> {
  const failing = store.write(async (tx) => {
    const entries = await queued(tx, 100, undefined);
    await applyQueued(tx, entries, await documentsFor(tx, entries));
    // Whoever decides may look; what it saw is taken back.
    for (const query of QUERIES) await find(tx, query, KINDS);
    throw new Error('taken back');
  });
  await assert.rejects(failing, /taken back/);
}

/** The same reader, and the texts that it is asked. */
function watching(db: Reader, asked: string[]): Reader {
  const { dialect, knex } = linkOf(db);
  const rows: Link['rows'] = (text, values) => {
    asked.push(text.sqlite);
    return linkOf(db).rows(text, values);
  };
  return { ...db, [link]: { dialect, knex, rows } };
}

onBothDatabases('what is remembered of the search index', (open) => {
  let own: Store;
  let other: Store;
  before(async () => {
    [own, other] = [await open(), await open()];
  });

  it('finds what the index itself has, whoever changed it', async function random() {
    this.timeout(SUITE_MS_MAX);
    const property = fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const { listing: n, name, tools, by } of steps) {
        const listing = probedListing({ origin: `https://agent-${n}.example`, name });
        const skills = tools.map((each, place) => listedSkill(`${each}_${place}`));
        await own.write((tx) => saveListing(tx, { listing, skills }));
        if (by === 'failing') await indexInVain(own);
        else await indexQueue(by === 'own' ? own : other, { atOnce: 3, batchesMax: Infinity });
        await own.read(async (db) => {
          const forgetful: Reader = { ...db, search: undefined };
          for (const query of QUERIES) {
            assert.deepEqual(await find(db, query, KINDS), await find(forgetful, query, KINDS));
          }
        });
      }
    });
    await fc.assert(property, { numRuns: 8 });
  });

  it('answers a query whose words are remembered by reading how often the index changed', async () => {
    const listing = probedListing({ origin: 'https://last.example', name: 'Weather forecast' });
    await own.write((tx) => saveListing(tx, { listing, skills: [] }));
    await indexQueue(own, { atOnce: 100, batchesMax: Infinity });
    // Behind a blank the last word is no beginning of another, which the dictionary would be asked for.
    const query = 'weather forecast ';
    const asked: string[] = [];
    await own.read(async (db) => {
      await find(db, query, KINDS);
      assert.ok((await find(watching(db, asked), query, KINDS)).length > 0);
    });
    assert.equal(asked.length, 1, asked.join('\n'));
    assert.match(asked[0] ?? '', /FROM search_index/);
  });
});
