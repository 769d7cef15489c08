import { strict as assert } from 'node:assert';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { listedSkill, probedListing } from '../registry/fixture.ts';
import { saveListings } from '../registry/listings.ts';
import type { Store } from '../store.ts';
import { indexQueue } from './run.ts';
import { searchAll, type Hit, type Search } from './search.ts';

const WORDS = ['weather forecast', 'translate text', 'court maps', 'weather maps'];
const search = (text: string, more: Partial<Search> = {}): Search => {
  return { text, kinds: KINDS, state: undefined, limit: 5, ...more };
};

onBothDatabases('several searches at once', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
    const all = WORDS.map((name, n) => ({
      listing: probedListing({ origin: `https://agent-${n}.example`, name }),
      skills: [listedSkill(name.replace(' ', '_')), listedSkill('forecast_all')],
    }));
    const silent = probedListing({
      origin: 'https://silent.example',
      name: 'Weather',
      availability: 'unreachable',
    });
    await store.write((tx) => saveListings(tx, [...all, { listing: silent, skills: [] }]));
    await indexQueue(store, { atOnce: 100, batchesMax: Infinity });
  });

  const run = (...searches: readonly Search[]): Promise<readonly (readonly Hit[])[]> =>
    store.read((db) => searchAll(db, searches));

  it('answer each what it answers alone', async () => {
    const searches = [
      ...WORDS.map((text) => search(text)),
      search('weather forecast', { limit: 1 }),
      search('weather forecast', { kinds: ['skill'] }),
      search('weather', { kinds: ['task', 'comment'], state: 'open' }),
      search('nothing that is there'),
      search('forecats', { limit: 50 }),
      search('!?'),
    ];
    const together = await run(...searches);
    assert.deepEqual(
      together.map(({ length }) => length),
      [5, 3, 5, 5, 1, 5, 0, 0, 9, 0],
    );
    for (const [nth, each] of searches.entries())
      assert.deepEqual(together[nth], (await run(each))[0]);
  });

  it('put what does not answer behind what fits nearly as well', async () => {
    const [hits = []] = await run(search('weather', { kinds: ['agent'] }));
    const names = hits.map(({ shown }) => shown.kind === 'agent' && shown.of.name);
    assert.deepEqual(names.slice(0, 3), ['weather forecast', 'weather maps', 'Weather']);
  });

  it('leave out what is gone since it was put into the index', async () => {
    await store.write((tx) => tx.knex('listings').where('name', 'court maps').delete());
    const [hits = []] = await run(search('court'));
    assert.deepEqual(hits, []);
  });
});
