import assert from 'node:assert/strict';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Cell } from '../connection.ts';
import { openLedgerMemory } from '../ledger/memory.ts';
import type { PostgresConnection } from '../postgresConnection.ts';
import { withPostgres } from '../postgresLeases.ts';
import { openStore } from '../store.ts';
import { askedBy } from './asked.ts';
import { integer, text } from './columns.ts';
import { guardEffects, guardObjects } from './guards.ts';
import { lookup } from './lookup.ts';
import { need, needNew, needShown, type AnyTable, type Need } from './need.ts';
import { table } from './table.ts';
import { readOrder } from './tables.ts';
import { WorkingSet } from './workingSet.ts';
import { commitEffects } from './write.ts';
import { STALE } from './writeObject.ts';

/** A text that is a whole number as well, for keys of either kind. */
const KEY = Array.from({ length: 8 }, () => '1');

describe('the guards of a batch on PostgreSQL', () => {
  let url = '';
  before(async () => {
    const { freshDatabase } = await sharedPostgres();
    url = await freshDatabase();
    await (await openStore(url)).close();
  });

  const isRefused = (
    connection: PostgresConnection,
    name: string,
    rows: readonly (readonly Cell[])[],
  ): Promise<unknown> =>
    commitEffects(connection, [{ name, rows }]).then(
      () => false,
      (error: unknown) => (error as { readonly code?: unknown }).code === STALE || error,
    );

  it('belong to every table that a batch reads', () => {
    const without = readOrder.filter((table) => checkOf(table) === undefined);
    // PostgreSQL numbers by itself.
    assert.deepEqual(
      without.map(({ name }) => name),
      ['ledger_next'],
    );
  });

  it('refuse what has changed since the reading, and pass what has not', async () => {
    await withPostgres(url, async (connection) => {
      for (const table of readOrder) {
        const check = checkOf(table);
        if (check === undefined) continue;
        const rows =
          table.guard === undefined ? await answers(connection, table) : versions(check.text);
        assert.equal(await isRefused(connection, check.name, rows.same), false, table.name);
        assert.equal(await isRefused(connection, check.name, rows.other), true, table.name);
      }
    });
  });
});

describe('what the commit of a batch compares', () => {
  const ROWS = table('rows', { id: text().key(), value: text() });
  const SUMS = lookup('sums', {
    by: { id: text() },
    found: { total: integer() },
    sql: () => ({ total: '1' }),
  });

  /** The keys that are compared, by table, where a transaction inserted the row `made`. */
  function compared(...needs: readonly Need[]): readonly unknown[] {
    const asked = askedBy(needs);
    const set = new WorkingSet('postgres', openLedgerMemory());
    set.expect(asked);
    set.run({ needs: [], decide: (db) => db.put(ROWS, 'made', { id: 'made', value: 'new' }) });
    const order = [ROWS as AnyTable, SUMS as AnyTable];
    return guardEffects(order, asked, undefined, set).map(({ name, rows }) => [
      name.split('_')[1],
      rows.map(([first]) => first).filter((cell) => cell !== sha256Hex('')),
    ]);
  }

  it('is every row that was asked for, found or not', () => {
    assert.deepEqual(compared(need(ROWS, 'one'), need(SUMS, 'one')), [
      ['rows', ['one']],
      ['sums', ['one']],
    ]);
  });

  it('is no row that an answer shows alone, and no insertion under a new id', () => {
    const shown = [needShown(ROWS, 'one'), needShown(SUMS, 'one')];
    assert.deepEqual(compared(...shown, needNew(ROWS, 'made')), []);
    assert.deepEqual(compared(...shown, need(ROWS, 'one')), [['rows', ['one']]]);
  });

  it('is a new id under which nothing was inserted', () => {
    assert.deepEqual(compared(needNew(ROWS, 'unmade')), [['rows', ['unmade']]]);
  });

  it('is all that one digest is of, when a decision rests on a part of it', () => {
    assert.deepEqual(compared(needShown(SUMS, 'one'), need(SUMS, 'two')), [
      ['sums', ['one', 'two']],
    ]);
  });
});

function checkOf(table: AnyTable): { readonly name: string; readonly text: string } | undefined {
  const check = guardObjects([table]).find(({ name }) => name.includes('_guard_'));
  return check && { name: check.name, text: check.create.postgres ?? '' };
}

interface Rows {
  readonly same: readonly (readonly Cell[])[];
  readonly other: readonly (readonly Cell[])[];
}

/** No row has this key: the guard expects none, or one of some version. */
function versions(text: string): Rows {
  const [, at = ''] = /k\.value ->> (\d+) IS NOT NULL/.exec(text) ?? [];
  const key = KEY.slice(0, Number(at));
  assert.ok(key.length > 0, text);
  return { same: [[...key, null]], other: [[...key, '1']] };
}

/** The digest of what the reading answers now, or of another answer. */
async function answers(connection: PostgresConnection, table: AnyTable): Promise<Rows> {
  const text = (table.look ?? table.read?.postgres ?? '').replace('?', '\\?');
  const { rows } = await connection.knex.raw<{ rows: readonly Record<string, unknown>[] }>(
    `SELECT (${text.replace('\\?', '?')}) AS answer`,
    [[JSON.stringify(KEY)]],
  );
  const answer = rows[0]?.['answer'];
  const digest = sha256Hex(typeof answer === 'string' ? answer : '');
  return { same: [[digest], KEY], other: [[sha256Hex('another')], KEY] };
}
