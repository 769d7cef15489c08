import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onBothDatabases } from '../../../conformance/harness/databases.ts';
import { aQuery, synthetic } from '../../../conformance/search/_synthetic.ts';
import { saveListings } from '../../../db/registry/listings.ts';
import { indexQueue } from '../../../db/search/run.ts';
import type { Store } from '../../../db/store.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { openFolder } from '../files/folder.ts';
import { systemClock } from '../systemClock.ts';
import { openSearch, type Search } from './search.ts';
import { openSnapshots, type Snapshots } from './snapshots.ts';

const SUITE_MS_MAX = 180_000;
/** Far less than a process waits for a snapshot of another one. */
const ENDS_MS_MAX = 20_000;
const LISTINGS = 520;
const TOOLS = 5;
const MORE = 100;
/** Changes after which a snapshot is renewed in these tests. */
const BEHIND = 200;
const QUERIES = 30;

const DAMAGE: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'is missing': (path) => rm(path),
  'is damaged': async (path) =>
    writeFile(path, (await readFile(path)).fill(7, 4_000_000, 4_000_100)),
};

onBothDatabases('a snapshot of the search index', function suite(open) {
  let store: Store;
  let folder: string;
  let snapshots: Snapshots;
  const errors: unknown[] = [];
  const searches: Search[] = [];
  before(async function fill() {
    this.timeout(SUITE_MS_MAX);
    store = await open();
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    const files = openFolder(join(folder, 'files'), join(folder, 'uploads'));
    snapshots = openSnapshots(store, files, systemClock);
    await save(0, LISTINGS);
  });
  afterEach(async () => {
    for (const each of searches.splice(0)) await each.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const save = async (from: number, count: number): Promise<void> => {
    const some = Array.from({ length: count }, (_, n) => synthetic(from + n, TOOLS));
    await store.write((tx) => saveListings(tx, some));
    await indexQueue(store, { atOnce: 128, batchesMax: Infinity });
  };
  /** Opens the search of another process, with snapshots if `by` is given. */
  const opened = (by?: Partial<Snapshots>): Search => {
    const report = (error: unknown): void => void errors.push(error);
    const options = { snapshots: { ...snapshots, ...by }, snapshotBehind: BEHIND };
    const search = openSearch(store, report, by === undefined ? {} : options);
    searches.push(search);
    return search;
  };
  const started = async (by?: Partial<Snapshots>): Promise<Search> => {
    const search = opened(by);
    await search.begin();
    await search.loaded();
    return search;
  };
  const answers = async (of: Search): Promise<unknown> => {
    const texts = Array.from({ length: QUERIES }, (_, n) => aQuery(n));
    return Promise.all(
      texts.map((text) => of.find({ text, kinds: KINDS, order: 'score', count: 20 })),
    );
  };
  /** Checks that a process begins with the newest snapshot, or not, and finds what it should. */
  const mustAnswer = async (isRestored: boolean): Promise<void> => {
    let restores = 0;
    const restore: Snapshots['restore'] = async (...given) => {
      const restored = await snapshots.restore(...given);
      restores += 1;
      return restored;
    };
    const search = await started({ restore });
    assert.deepEqual(await answers(search), await answers(await started()));
    assert.equal(restores, isRestored ? 1 : 0);
  };
  const mustLast = async () => {
    const last = await snapshots.last();
    assert.ok(last !== undefined);
    const path = join(folder, 'files', last.object.slice(0, 2), last.object);
    return { ...last, path };
  };
  const contents = (state: string): Promise<readonly string[]> =>
    store.read((db) => db.knex('file_contents').where({ state }).pluck<string[]>('object'));

  it('is written by one of three processes that start together, and read by all others', async () => {
    let restores = 0;
    const restore: Snapshots['restore'] = async (...given) => {
      restores += 1;
      return snapshots.restore(...given);
    };
    const all = await Promise.all([0, 1, 2].map(() => started({ restore })));
    assert.deepEqual(errors, []);
    assert.equal(restores, 2);
    const right = await answers(await started());
    for (const each of all) assert.deepEqual(await answers(each), right);
    const { object } = await mustLast();
    assert.deepEqual(await contents('kept'), [object]);
    assert.deepEqual(await contents('awaited'), []);
    await mustAnswer(true);
    assert.equal((await mustLast()).object, object);
  }).timeout(SUITE_MS_MAX);

  it('is followed by the changes since', async () => {
    await save(LISTINGS, 20);
    const known = [synthetic(1, TOOLS), synthetic(2, TOOLS)].map(({ listing }) => listing.id);
    await store.write((tx) => tx.knex('listings').whereIn('id', known).update({ karma: 3 }));
    await store.write((tx) => tx.knex('listings').where('id', synthetic(3, 0).listing.id).delete());
    await indexQueue(store, { atOnce: 128, batchesMax: Infinity });
    const { seq } = await mustLast();
    await mustAnswer(true);
    assert.equal((await mustLast()).seq, seq, 'few changes make no new snapshot');
  }).timeout(SUITE_MS_MAX);

  it('is renewed beside the searches when many changes came, and the former one is swept', async () => {
    const search = await started({});
    const former = await mustLast();
    await search.renewSnapshot();
    assert.equal((await mustLast()).object, former.object);
    await save(2 * LISTINGS, MORE);
    const renewed = Promise.all([search.renewSnapshot(), (await started({})).renewSnapshot()]);
    const during = await answers(search);
    await renewed;
    assert.deepEqual(during, await answers(search));
    const next = await mustLast();
    assert.ok(next.seq > former.seq);
    assert.deepEqual(await contents('kept'), [next.object]);
    assert.deepEqual(await contents('loose'), [former.object]);
    assert.deepEqual(errors, []);
    await mustAnswer(true);
  }).timeout(SUITE_MS_MAX);

  for (const [what, damage] of Object.entries(DAMAGE)) {
    it(`is refused and written again when it ${what}`, async () => {
      const { object, path } = await mustLast();
      await damage(path);
      await mustAnswer(false);
      assert.equal(errors.splice(0).length, 1);
      assert.notEqual((await mustLast()).object, object);
      await mustAnswer(true);
    }).timeout(SUITE_MS_MAX);
  }

  const failures: Readonly<Record<string, Snapshots['write']>> = {
    written: () => Promise.reject(new Error('the disk is full')),
    stored: () => Promise.resolve(() => Promise.reject(new Error('the bucket is away'))),
  };
  for (const [what, write] of Object.entries(failures)) {
    it(`is reported when it cannot be ${what}, and the index answers`, async () => {
      const search = await started({
        last: () => Promise.resolve(undefined),
        claim: () => Promise.resolve(true),
        write,
      });
      assert.equal(errors.splice(0).length, 1);
      assert.ok((search.figures().readyMs ?? 0) > 0);
      assert.deepEqual(await answers(search), await answers(await started()));
    }).timeout(SUITE_MS_MAX);
  }

  it('is not waited for by a process that ends', async () => {
    let search: Search | undefined;
    await new Promise<void>((resolve) => {
      const by: Partial<Snapshots> = {
        restore: () => Promise.reject(new Error('it is damaged')),
        claim: () => Promise.resolve(false),
        next: (...given) => {
          resolve();
          return snapshots.next(...given);
        },
      };
      search = opened(by);
      void search.begin();
    });
    await search?.close();
    assert.equal(errors.splice(0).length, 1);
  }).timeout(ENDS_MS_MAX);

  it('leaves a snapshot of another form alone', async () => {
    const rows = (form: string) => store.read((db) => db.knex('search_snapshots').where({ form }));
    const { object } = await mustLast();
    await store.write((tx) => tx.knex('search_snapshots').update({ form: 'another' }));
    await mustAnswer(false);
    assert.deepEqual(errors, []);
    assert.notEqual((await mustLast()).object, object);
    assert.equal((await rows('another')).length, 1);
  }).timeout(SUITE_MS_MAX);
});
