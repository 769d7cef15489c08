import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { until } from '../../conformance/harness/waiting.ts';
import { AT, person, uuid } from '../../conformance/ledger/book.ts';
import { keyIdOf } from '../../domain/account.ts';
import { NONCES } from '../nonces.ts';
import type { Store } from '../store.ts';
import { table } from './table.ts';
import { integer, text } from './columns.ts';
import { decideIn } from './inside.ts';
import type { Decider } from './transaction.ts';
import { insertRow, RowsChanged, updateRow } from './write.ts';

const KEY = keyIdOf(new Uint8Array(32).fill(7));
const PARTS = table('parts', { id: text().key(), count: integer() }, { use: 'append' });
const SHOWN = table('shown', { id: text().key(), count: integer() }, { use: 'read' });

onBothDatabases('a transaction inside a unit of single statements', (open) => {
  let store: Store;
  let nonce: string;
  before(async () => {
    store = await open();
  });
  beforeEach(() => {
    nonce = uuid();
  });

  const key = (of = nonce) => ({ keyId: KEY, nonce: of });
  const row = (of = nonce) => ({ ...key(of), seenAt: AT });
  const isTaken = (of = nonce): Promise<boolean> =>
    store.read(async ({ knex }) => (await knex('nonces').where({ nonce: of })).length === 1);

  it('loads what it looks up, and hands over what happens after the commit', async () => {
    const [account, done] = [person(), [] as string[]];
    const stop = store.onPublish((topic) => done.push(topic));
    const answer = await store.write(async (tx) => {
      const found = await decideIn(tx, {
        needs: [],
        decide(db) {
          const before = [db.find(NONCES, key('none')), db.find(NONCES, key())];
          db.put(NONCES, key(), row());
          db.publish(`topic ${nonce}`);
          db.afterCommit(() => done.push('hook'));
          db.noted.push({ account, at: AT, kind: 'test', subjectId: nonce });
          db.posted.push('transfer');
          return before;
        },
      });
      assert.deepEqual([tx.posted, done], [['transfer'], []]);
      return found;
    });
    assert.deepEqual(answer, [undefined, undefined]);
    assert.equal(await isTaken(), true);
    await until(() => done.length === 2);
    assert.deepEqual([...done].sort(), ['hook', `topic ${nonce}`]);
    const noted = await store.read(({ knex }) => knex('account_events').where({ account }));
    assert.equal(noted.length, 1);
    stop();
  });

  it('leaves nothing when it refuses, and the unit goes on', async () => {
    const other = uuid();
    await store.write(async (tx) => {
      const refused = decideIn(tx, {
        needs: [],
        decide(db) {
          db.put(NONCES, key(), row());
          throw new Error('no');
        },
      });
      await assert.rejects(refused, /^Error: no$/);
      await decideIn(tx, { needs: [], decide: (db) => db.put(NONCES, key(other), row(other)) });
    });
    assert.deepEqual([await isTaken(), await isTaken(other)], [false, true]);
  });

  it('is ended when it asks for more rows at each attempt', async () => {
    let runs = 0;
    const decide = (db: Decider): void => {
      runs += 1;
      db.find(NONCES, key(`${nonce} ${runs}`));
    };
    const circle = store.write((tx) => decideIn(tx, { needs: [], decide }));
    await assert.rejects(circle, new RegExp(`more rows at each attempt.* ${nonce} 16$`));
  });

  it('says that rows changed where another one inserted the same since it looked', async () => {
    const twice = store.write(async (tx) => {
      await insertRow(tx, NONCES, row());
      await insertRow(tx, NONCES, row());
    });
    await assert.rejects(twice, (error: Error) => {
      // SQLite has one writer, so there the caller inserted it itself.
      assert.equal(error instanceof RowsChanged, store.dialect === 'postgres');
      return true;
    });
  });

  it('writes only what the description of a table has', async () => {
    const part = { id: 'a', count: 1 };
    const shown = store.write((tx) => insertRow(tx, SHOWN, part));
    await assert.rejects(shown, /takes new rows/);
    const changed = store.write((tx) => updateRow(tx, PARTS, { ...part, count: 2 }, part));
    await assert.rejects(changed, /rows of the table change/);
  });
});
