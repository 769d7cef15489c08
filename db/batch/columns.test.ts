import assert from 'node:assert/strict';
import { keyIdOf } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { person } from '../../conformance/ledger/book.ts';
import * as columns from './columns.ts';

type AnyColumn = Pick<columns.Column<never>, 'type' | 'toCell'> & {
  readonly fromCell: (cell: unknown, name: string) => unknown;
};
const ACCOUNT = person();
const KEY = keyIdOf(new Uint8Array(32).fill(7));
/** A kind of column, a value with its cell, and cells of the wrong kind. */
const KINDS: readonly [string, AnyColumn, unknown, unknown, readonly unknown[]][] = [
  ['text', columns.text(), 'a', 'a', [1, null, undefined]],
  ['oneOf', columns.oneOf(['a', 'b']), 'b', 'b', ['c', '', null]],
  ['integer', columns.integer(), -3, -3, ['3', 1.5, null, 2 ** 53]],
  ['flag', columns.flag(), true, 1, ['1', null]],
  ['flag', columns.flag(), false, 0, [true]],
  ['moment', columns.moment(), instant(5), 5, ['5', 0.5]],
  ['amount', columns.amount(), atomic(7n), 7, [-1, '7', 0.5]],
  ['signedAmount', columns.signedAmount(), -7n, -7, ['7', 0.5, null]],
  ['account', columns.account(), ACCOUNT, ACCOUNT, ['nobody', 1, null]],
  ['keyId', columns.keyId(), KEY, KEY, [1, null]],
  ['network', columns.network(), 'sandbox', 'sandbox', ['no such network', 1]],
  ['json', columns.json(), { a: [1] }, '{"a":[1]}', [{ a: [1] }, 'no JSON', null]],
];

describe('the columns of a batch', () => {
  for (const [kind, column, value, cell, wrong] of KINDS) {
    it(`keep ${String(cell)} of the kind ${kind}, and read nothing of another kind`, () => {
      assert.deepEqual(column.toCell(value as never), cell);
      assert.deepEqual(column.fromCell(cell, 't.c'), value);
      for (const each of wrong) {
        assert.throws(() => column.fromCell(each, 't.c'), Error, `${kind} of ${String(each)}`);
      }
      assert.equal(column.type, typeof cell === 'number' ? 'int' : 'text');
    });
  }

  it('are plain and required, until they are said to be something else', () => {
    const plain = columns.text();
    assert.deepEqual([plain.role, plain.isOptional], ['plain', false]);
    for (const role of ['key', 'fixed', 'guard', 'counted'] as const) {
      const column = plain[role]();
      assert.deepEqual([column.role, column.isOptional, column.type], [role, false, 'text']);
      assert.equal(column.optional().role, role);
      assert.equal(column.optional().fromCell('a', 't.c'), 'a');
    }
    assert.deepEqual([plain.optional().role, plain.optional().isOptional], ['plain', true]);
    assert.equal(plain.optional().guard().isOptional, true);
  });
});
