import assert from 'node:assert/strict';
import { onBothDatabases } from '../../../conformance/harness/databases.ts';
import { listedSkill, probedListing } from '../../../db/registry/fixture.ts';
import { saveListings, type Probed } from '../../../db/registry/listings.ts';
import { indexQueue } from '../../../db/search/run.ts';
import type { Store } from '../../../db/store.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { openSearch, type Search } from './search.ts';

const SUITE_MS_MAX = 180_000;
const MANY = 900;

function named(name: string, n: number, tools = 1): Probed {
  const skills = Array.from({ length: tools }, (_, at) => listedSkill(`tool_${n}_${at}`));
  return { listing: probedListing({ origin: `https://agent-${n}.example`, name }), skills };
}

onBothDatabases('the search of a process', function suite(open) {
  let store: Store;
  let search: Search;
  before(async () => {
    store = await open();
    search = opened(store);
  });
  after(() => search.close());

  const opened = (of: Store): Search =>
    openSearch(of, (error) => {
      throw error;
    });
  const save = (of: Store, ...all: readonly Probed[]): Promise<unknown> =>
    of.write((tx) => saveListings(tx, all));
  const refs = async (by: Search, text: string): Promise<readonly string[]> => {
    const found = await by.find({ text, kinds: ['agent'], order: 'score', count: 20 });
    return found.map(({ ref }) => ref);
  };

  it('finds what was written just before, without waiting for a job', async () => {
    const harbour = named('Harbour lights', 1);
    await save(store, harbour);
    assert.deepEqual(await refs(search, 'harbour'), [harbour.listing.id]);
    await save(store, named('Meadow lights', 1));
    assert.deepEqual(await refs(search, 'harbour'), []);
    assert.deepEqual(await refs(search, 'meadow'), [harbour.listing.id]);
    await store.write((tx) => tx.knex('listings').where('id', harbour.listing.id).delete());
    assert.deepEqual(await refs(search, 'meadow'), []);
  });

  it('ranks by the standing of now', async () => {
    const [one, other] = [named('Orchard keeper', 2), named('Orchard keeper', 3)];
    await save(store, one, other);
    for (const { listing } of [one, other, one]) {
      await store.write(async (tx) => {
        await tx.knex('listings').update({ karma: 0 });
        await tx.knex('listings').where('id', listing.id).update({ karma: 5 });
      });
      assert.equal((await refs(search, 'orchard'))[0], listing.id);
    }
  });

  it('answers several at once what it answers each alone', async () => {
    const texts = ['orchard', 'keeper', 'tool_2_0', 'nothing here', '!?', 'orchrad'];
    const asked = texts.map((text) => ({ text, kinds: KINDS, order: 'score', count: 9 }) as const);
    const together = await Promise.all(asked.map((each) => search.find(each)));
    assert.deepEqual(
      together.map(({ length }) => length),
      [4, 4, 4, 0, 0, 4],
    );
    for (const [n, each] of asked.entries()) {
      assert.deepEqual(await search.find(each), together[n]);
    }
  });

  it('follows what another process writes and puts into the index', async () => {
    const theirs = await open();
    const other = opened(theirs);
    const pier = named('Pier master', 4);
    await save(theirs, pier);
    assert.deepEqual(await refs(other, 'pier'), [pier.listing.id]);
    assert.deepEqual(await refs(search, 'pier'), [pier.listing.id]);
    await save(store, named('Quay master', 4));
    await Promise.all([refs(search, 'quay'), refs(other, 'quay')]);
    assert.deepEqual(await refs(other, 'pier'), []);
    assert.deepEqual(await refs(other, 'quay'), [pier.listing.id]);
    await other.close();
  });

  it('answers out of the database while a large index loads, and out of a worker then', async () => {
    for (let from = 10; from < 10 + MANY; from += 300) {
      const some = Array.from({ length: 300 }, (_, n) => named(`Mill ${from + n}`, from + n, 4));
      await save(store, ...some);
    }
    const tower = named('Watch tower', 5);
    await save(store, tower);
    await indexQueue(store, { atOnce: 128, batchesMax: Infinity });
    const fresh = opened(store);
    assert.deepEqual(await refs(fresh, 'watch tower'), [tower.listing.id], 'while it loads');
    await fresh.loaded();
    assert.deepEqual(await refs(fresh, 'watch tower'), [tower.listing.id]);
    assert.deepEqual(await refs(fresh, 'wach tower'), [tower.listing.id], 'the index forgives');
    assert.equal((await refs(fresh, 'mill')).length, 20);
    const barn = named('Barn owl', 6);
    await save(store, barn);
    assert.deepEqual(await refs(fresh, 'barn owl'), [barn.listing.id], 'the worker follows');
    await fresh.close();
  }).timeout(SUITE_MS_MAX);
});
