import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { instant } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { amount, flag, integer, moment, text } from './columns.ts';
import { shaped, table, type RowIn } from './table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Store } from '../store.ts';
import { NETWORKS, networks } from '../wallet/networks.ts';

const SINGLE = { use: 'single', personal: { apart: 'of a test' } } as const;
const BOATS = shaped(
  table(
    'boats',
    {
      name: text().key(),
      built: moment().fixed(),
      owner: text().orNull(),
      value: amount(),
      isLit: flag(),
      port: text().optional(),
      berth: integer().optional(),
      trips: integer().counted(),
    },
    SINGLE,
  ),
  {
    of: ({ port, berth, ...row }) => ({
      ...row,
      ...(port !== undefined && berth !== undefined && { at: { port, berth } }),
    }),
    flat: ({ at, ...row }) => ({ ...row, ...at }),
  },
);
const LOGS = table('logs', { no: integer().numbered(), word: text() }, SINGLE);
type Boat = RowIn<typeof BOATS>;

const BOAT: Boat = {
  name: 'Ænna',
  built: instant(7),
  owner: null,
  value: atomic(9_007_199_254_740_991n),
  isLit: true,
  trips: 0,
};
const INSERT = statement(BOATS.insertion);
const PUT = statement(`${BOATS.insertion} ON CONFLICT (name) DO UPDATE SET ${BOATS.replacement}`);
const CHANGE = statement(`${BOATS.change} WHERE name = ?`);
const ALL = statement('SELECT * FROM boats ORDER BY name');

onBothDatabases('a table that single statements write', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
    await store.write(async ({ knex }) => {
      const [whole, serial] =
        store.dialect === 'sqlite'
          ? ['INTEGER', 'INTEGER PRIMARY KEY']
          : ['BIGINT', 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'];
      await knex.raw(`CREATE TABLE boats (name TEXT PRIMARY KEY, built ${whole}, owner TEXT,
        value ${whole}, is_lit ${whole}, port TEXT, berth ${whole}, trips ${whole} DEFAULT 4)`);
      await knex.raw(`CREATE TABLE logs (no ${serial}, word TEXT)`);
    });
  });
  beforeEach(() => store.write(({ knex }) => knex('boats').delete()));

  const all = async () => (await store.read((db) => linkOf(db).rows(ALL, []))).map(BOATS.fromRow);

  it('has what was inserted, with null and without what is absent', async () => {
    const moored = {
      ...BOAT,
      name: 'B',
      owner: 'Öz',
      isLit: false,
      at: { port: 'Kiel', berth: 3 },
    };
    await store.write(async (tx) => {
      for (const boat of [BOAT, moored]) await linkOf(tx).rows(INSERT, BOATS.cells(boat));
    });
    // The database fills what the description leaves to it.
    assert.deepEqual(await all(), [
      { ...moored, trips: 4 },
      { ...BOAT, trips: 4 },
    ]);
  });

  it('changes what may change, and neither key nor what is fixed or left to others', async () => {
    await store.write((tx) => linkOf(tx).rows(INSERT, BOATS.cells(BOAT)));
    const other = { ...BOAT, built: instant(9), owner: 'A', value: atomic(1n), trips: 50 };
    await store.write((tx) => linkOf(tx).rows(CHANGE, [...BOATS.changes(other), BOAT.name]));
    assert.deepEqual(await all(), [{ ...other, built: BOAT.built, trips: 4 }]);
    const put = { ...other, owner: null, at: { port: 'Ærø', berth: 0 } };
    await store.write((tx) => linkOf(tx).rows(PUT, BOATS.cells(put)));
    assert.deepEqual(await all(), [{ ...put, built: BOAT.built, trips: 4 }]);
  });

  it('lets the database number its rows', async () => {
    const insert = statement(`${LOGS.insertion} RETURNING *`);
    const words = ['one', 'two'];
    const rows = await store.write(async (tx) => {
      const found = [];
      for (const each of words)
        found.push(...(await linkOf(tx).rows(insert, LOGS.cells({ no: 0, word: each }))));
      return found.map(LOGS.fromRow);
    });
    assert.deepEqual(
      rows.map((row) => row.word),
      words,
    );
    assert.equal((rows[1]?.no ?? 0) - (rows[0]?.no ?? 0), 1);
  });

  it('is found by a view, with null where the database has NULL', async () => {
    const found = await store.look({ needs: [], decide: (db) => db.find(NETWORKS, 'sandbox') });
    const network = (await store.readOne(networks)).find(({ id }) => id === 'sandbox');
    assert.deepEqual(found, network);
    assert.equal(found?.chainId, null);
  });

  it('is written by no batch', () => {
    for (const each of [BOATS, LOGS]) {
      const { look, guard, insert, update } = each;
      assert.deepEqual(
        { look, guard, insert, update },
        {
          look: undefined,
          guard: undefined,
          insert: undefined,
          update: undefined,
        },
      );
    }
  });
});
