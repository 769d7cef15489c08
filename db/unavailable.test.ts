import assert from 'node:assert/strict';
import { isUnavailable } from './unavailable.ts';

describe('a database that cannot serve', () => {
  const coded = (code: string): Error => Object.assign(new Error('x'), { code });
  for (const code of ['SQLITE_FULL', 'SQLITE_BUSY', '57P01', '53100', '08006', 'ECONNREFUSED']) {
    it(`says ${code}, by itself or as a cause`, () => {
      assert.ok(isUnavailable(coded(code)));
      assert.ok(isUnavailable(new Error('unit', { cause: coded(code) })));
    });
  }

  it('says so in the words of its driver', () => {
    assert.ok(isUnavailable(new Error('Connection terminated unexpectedly')));
    assert.ok(isUnavailable(new Error('timeout exceeded when trying to connect')));
  });

  it('says so behind the statement that Knex writes before the words of the driver', () => {
    const words = 'Client has encountered a connection error and is not queryable';
    assert.ok(isUnavailable(new Error(words)));
    assert.ok(isUnavailable(new Error(`select * from "markets" limit $1 - ${words}`)));
    assert.ok(isUnavailable(new Error('select 1 - Connection terminated unexpectedly')));
  });

  it('is not blamed because a value of the statement has the words of the driver', () => {
    const statement = `insert into "notes" values (' - Connection terminated') - duplicate key`;
    assert.ok(!isUnavailable(new Error(statement)));
  });

  it('is not blamed for a bug', () => {
    for (const each of [coded('23505'), coded('SQLITE_CONSTRAINT'), new TypeError('x'), 'text']) {
      assert.ok(!isUnavailable(each));
    }
  });
});
