import { strict as assert } from 'node:assert';
import sqlite3 from 'sqlite3';
import { statement } from './connection.ts';
import { openSqliteConnection } from './sqliteConnection.ts';

describe('a connection to SQLite', () => {
  it('prepares a text once, also when it is put together for each call', async () => {
    const connection = await openSqliteConnection(':memory:', 'copy');
    const { prepare } = sqlite3.Database.prototype;
    const texts: unknown[] = [];
    sqlite3.Database.prototype.prepare = function counted(this: sqlite3.Database, ...given) {
      texts.push(given[0]);
      return prepare.apply(this, given);
    };
    try {
      for (let call = 0; call < 100; call += 1) {
        const [row] = await connection.rows(statement('SELECT ? AS called'), [call]);
        assert.equal(row?.['called'], call);
      }
    } finally {
      sqlite3.Database.prototype.prepare = prepare;
      await connection.close();
    }
    assert.deepEqual(texts, ['SELECT ? AS called']);
  });
});
