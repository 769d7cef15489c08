import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { instant } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { linkOf, statement, type Cell, type Writer } from '../connection.ts';
import type { Store } from '../store.ts';
import { amount, flag, integer, json, moment, oneOf, text } from './columns.ts';
import { listsOf } from './jsonSql.ts';
import { table, type RowIn } from './table.ts';
import { insertRow, updateRow, writeInside } from './write.ts';
import { makeSqlObjects, writeObject, type SqlObject } from './writeObject.ts';

const SHIPS = table(
  'ships',
  {
    port: text().key(),
    berth: integer().key(),
    name: text().fixed(),
    state: oneOf(['docked', 'gone']),
    cargo: json<readonly string[]>().optional(),
    value: amount(),
    isLit: flag(),
    leftAt: moment().optional(),
    version: integer().guard(),
  },
  { removes: true },
);
/** No column is marked as a guard. */
const BUOYS = table('buoys', { id: text().key(), color: text().optional(), depth: integer() });
type Ship = RowIn<typeof SHIPS>;

const SHIP: Ship = {
  port: 'Kiel',
  berth: 7,
  name: 'Ænna',
  state: 'docked',
  value: atomic(9_007_199_254_740_991n),
  isLit: true,
  version: 1,
};

onBothDatabases('a described table', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
    await store.write(async ({ knex }) => {
      const whole = store.dialect === 'sqlite' ? 'INTEGER' : 'BIGINT';
      await knex.raw(`CREATE TABLE ships (port TEXT, berth ${whole}, name TEXT, state TEXT,
        cargo TEXT, value ${whole}, is_lit ${whole}, left_at ${whole}, version ${whole},
        PRIMARY KEY (port, berth))`);
      await knex.raw(`CREATE TABLE buoys (id TEXT PRIMARY KEY, color TEXT, depth ${whole})`);
      const objects = [SHIPS.insert, SHIPS.update, SHIPS.remove, BUOYS.insert, BUOYS.update];
      await makeSqlObjects(
        knex,
        store.dialect,
        objects.filter((each) => each !== undefined),
      );
    });
  });
  beforeEach(() =>
    store.write(async ({ knex }) => {
      await knex('ships').delete();
      await knex('buoys').delete();
    }),
  );

  const write = (
    object: SqlObject | undefined,
    ...rows: readonly (readonly Cell[] | undefined)[]
  ) =>
    store.write(async (tx) => {
      assert.ok(object !== undefined);
      const given = rows.map((row) => row ?? assert.fail('no cells'));
      await writeInside(linkOf(tx), [{ name: object.name, rows: given }]);
    });
  const read = (tx: Writer, ...keys: readonly Pick<Ship, 'port' | 'berth'>[]) => {
    const { read: texts } = SHIPS;
    assert.ok(texts !== undefined);
    const reading = statement(
      `SELECT (${texts.sqlite}) AS rows`,
      `SELECT (${texts.postgres}) AS rows`,
    );
    return linkOf(tx).rows(reading, [listsOf(store.dialect, keys.map(SHIPS.keyCells))]);
  };
  const found = async (...keys: readonly Pick<Ship, 'port' | 'berth'>[]) => {
    const [answer] = await store.write((tx) => read(tx, ...keys));
    const rows = JSON.parse(String(answer?.['rows'] ?? 'null')) as unknown[][] | null;
    return (rows ?? []).map((cells) => SHIPS.found?.(cells));
  };

  it('reads what it inserted, and finds rows by their whole key alone', async () => {
    const loaded = { ...SHIP, berth: 8, cargo: ['tea', '"'], leftAt: instant(5), isLit: false };
    await write(SHIPS.insert, SHIPS.inserted?.(SHIP), SHIPS.inserted?.(loaded));
    const keys = [SHIP, loaded, { port: 'Kiel', berth: 9 }, { port: 'Lübeck', berth: 7 }];
    const rows = await found(...keys);
    assert.deepEqual(
      new Map(rows.map((row) => row ?? assert.fail())),
      new Map<string, Ship>([
        [SHIPS.id(SHIP), SHIP],
        [SHIPS.id(loaded), loaded],
      ]),
    );
    const raw = await store.read(({ knex }) => knex('ships').where({ berth: 8 }));
    assert.deepEqual(raw.map(SHIPS.fromRow), [loaded]);
  });

  it('updates and deletes a row only as it was read', async () => {
    await write(SHIPS.insert, SHIPS.inserted?.(SHIP));
    const gone: Ship = { ...SHIP, state: 'gone', leftAt: instant(9), name: 'X', version: 2 };
    const stale = { ...SHIP, version: 0 };
    await assert.rejects(write(SHIPS.update, SHIPS.updated?.(gone, stale)), /changed/);
    await assert.rejects(write(SHIPS.remove, SHIPS.removed?.(stale)), /changed/);
    await write(SHIPS.update, SHIPS.updated?.(gone, SHIP));
    assert.deepEqual(
      (await found(SHIP)).map((row) => row?.[1]),
      [{ ...gone, name: 'Ænna' }],
    );
    await assert.rejects(write(SHIPS.update, SHIPS.updated?.(gone, SHIP)), /changed/);
    await write(SHIPS.remove, SHIPS.removed?.(gone));
    assert.deepEqual(await found(SHIP), []);
  });

  it('is written row by row in a unit of single statements', async () => {
    const [one, other] = [SHIP, { ...SHIP, berth: 8 }];
    await store.write(async (tx) => {
      for (const each of [one, other]) await insertRow(tx, SHIPS, each);
      await updateRow(tx, SHIPS, { ...one, isLit: false, version: 2 }, one);
    });
    const stale = store.write((tx) => updateRow(tx, SHIPS, { ...one, state: 'gone' }, one));
    await assert.rejects(stale, /changed/);
    const raw = await store.read(({ knex }) => knex('ships').orderBy('berth'));
    assert.deepEqual(raw.map(SHIPS.fromRow), [{ ...one, isLit: false, version: 2 }, other]);
  });

  it('compares every column that may change where none is marked as a guard', async () => {
    const buoy = { id: 'a', depth: 3 };
    await write(BUOYS.insert, BUOYS.inserted?.(buoy));
    const red = { ...buoy, color: 'red' };
    await assert.rejects(write(BUOYS.update, BUOYS.updated?.(red, { ...buoy, depth: 4 })));
    await assert.rejects(write(BUOYS.update, BUOYS.updated?.(buoy, red)));
    await write(BUOYS.update, BUOYS.updated?.(red, buoy));
    await write(BUOYS.update, BUOYS.updated?.(buoy, red));
    const raw = await store.read(({ knex }) => knex('buoys'));
    assert.deepEqual(raw.map(BUOYS.fromRow), [buoy]);
  });

  it('refuses a damaged cell by the name of its column', () => {
    const row = {
      port: 'Kiel',
      berth: 7,
      name: 'X',
      state: 'sunk',
      value: 1,
      is_lit: 1,
      version: 1,
    };
    assert.throws(() => SHIPS.fromRow(row), /column ships\.state holds string sunk/);
    const torn = { ...row, state: 'gone', value: 0.5 };
    assert.throws(() => SHIPS.fromRow(torn), /column ships\.value holds number 0\.5/);
  });

  it('keeps the objects of another version beside its own', async () => {
    const older = writeObject('buoys', {
      statement: (rows) => `INSERT INTO buoys (id, depth) SELECT $0, 1 FROM ${rows}`,
    });
    await store.write(({ knex }) => makeSqlObjects(knex, store.dialect, [older]));
    await store.write(({ knex }) => makeSqlObjects(knex, store.dialect, [older]));
    await write(older, ['old']);
    await write(BUOYS.insert, BUOYS.inserted?.({ id: 'new', depth: 2 }));
    const raw = await store.read(({ knex }) => knex('buoys').orderBy('id').select('id', 'depth'));
    assert.deepEqual(raw, [
      { id: 'new', depth: 2 },
      { id: 'old', depth: 1 },
    ]);
  });
});
