import assert from 'node:assert/strict';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Cell } from '../connection.ts';
import { withPostgres, type PostgresConnection } from '../postgresConnection.ts';
import { openStore } from '../store.ts';
import { guardObjects } from './guards.ts';
import type { AnyTable } from './need.ts';
import { readOrder } from './tables.ts';
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
