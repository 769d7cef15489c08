import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onBothDatabases } from '../../../conformance/harness/databases.ts';
import { synthetic } from '../../../conformance/search/_synthetic.ts';
import { saveListings } from '../../../db/registry/listings.ts';
import { indexPage } from '../../../db/search/rows.ts';
import { indexQueue } from '../../../db/search/run.ts';
import type { Store } from '../../../db/store.ts';
import type { IndexRow } from '../../../domain/search/found.ts';
import type { FileStore } from '../files/fileStore.ts';
import { openFolder } from '../files/folder.ts';
import { systemClock } from '../systemClock.ts';
import { checkSearch } from './check.ts';
import { inProcess } from './host.ts';
import { openSnapshots } from './snapshots.ts';

const LISTINGS = 60;
const TOOLS = 3;

onBothDatabases('the comparison of index and documents', function suite(open) {
  let store: Store;
  let folder: string;
  let files: FileStore;
  beforeEach(async () => {
    store = await open();
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    files = openFolder(join(folder, 'files'), join(folder, 'uploads'));
    await save(0, LISTINGS);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const save = async (from: number, count: number): Promise<void> => {
    const some = Array.from({ length: count }, (_, n) => synthetic(from + n, TOOLS));
    await store.write((tx) => saveListings(tx, some));
    await indexQueue(store, { atOnce: 128, batchesMax: Infinity });
  };
  /** Stores a snapshot of all documents but those that `leaves` names. */
  const writeSnapshot = async (leaves: (row: IndexRow) => boolean): Promise<void> => {
    const { rows, until } = await store.read((db) => indexPage(db, 0, 10_000));
    const host = inProcess();
    const kept = (JSON.parse(rows) as readonly IndexRow[]).filter((row) => !leaves(row));
    await host.ask({ is: 'take', rows: JSON.stringify(kept) });
    host.known = until;
    const snapshots = openSnapshots(store, files, systemClock);
    await snapshots.claim(undefined);
    await (
      await snapshots.write(host)
    )();
  };
  const check = () => store.read((db) => checkSearch(db, files));
  const none = () => false;

  it('finds no difference without a snapshot, with one, and with changes after it', async () => {
    const whole = { missing: [], surplus: [], notFound: [], queued: 0 };
    const before = await check();
    assert.deepEqual(before, { ...before, ...whole, snapshot: 'none' });
    assert.equal(before.documents, LISTINGS * (1 + TOOLS));
    assert.ok(before.searched > before.documents / 4, `${before.searched} were searched`);
    await writeSnapshot(none);
    await save(LISTINGS, 5);
    const after = await check();
    assert.deepEqual(after, { ...after, ...whole, snapshot: 'read' });
    assert.equal(after.documents, (LISTINGS + 5) * (1 + TOOLS));
  });

  it('reports a snapshot whose bytes are damaged, and compares what a start would make', async () => {
    await writeSnapshot(none);
    const [sub = ''] = await readdir(join(folder, 'files'));
    const [name = ''] = await readdir(join(folder, 'files', sub));
    const path = join(folder, 'files', sub, name);
    await writeFile(path, (await readFile(path)).fill(7, 400, 500));
    const { snapshot, missing, surplus } = await check();
    assert.deepEqual([snapshot, missing, surplus], ['unreadable', [], []]);
  });

  it('names the documents that a snapshot lacks, and does not find them', async () => {
    const { id } = synthetic(7, TOOLS).listing;
    await writeSnapshot(([, ref]) => ref === id);
    const { missing, surplus, notFound } = await check();
    const expected = [`agent ${id}`, ...[1, 2].map((part) => `skill ${id}#${part}`), `skill ${id}`];
    assert.deepEqual([...missing].sort(), expected.sort());
    assert.deepEqual(surplus, []);
    assert.ok(notFound.length > 0 && notFound.every((each) => missing.includes(each)));
  });

  it('names the documents that the database lost behind a snapshot', async () => {
    await writeSnapshot(none);
    const { id } = synthetic(9, TOOLS).listing;
    await store.write(async ({ knex }) => {
      await knex('search_documents').where({ ref: id, kind: 0 }).delete();
    });
    const { missing, surplus } = await check();
    assert.deepEqual([missing, surplus], [[], [`agent ${id}`]]);
  });
});
