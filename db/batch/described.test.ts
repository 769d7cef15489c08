import assert from 'node:assert/strict';
import { flag, integer, text } from './columns.ts';
import { cellsOf, keyCells, keySql, keyTexts, named, rowOf } from './described.ts';

const DESCRIBED = {
  keyId: text().key(),
  nthOfDay: integer().key(),
  isOpen: flag(),
  endedAt: integer().optional(),
};
const COLUMNS = named(DESCRIBED);
const KEYS = COLUMNS.slice(0, 2);
const ROW = { keyId: 'a', nthOfDay: 7, isOpen: true };

describe('the described columns of a table', () => {
  it('are named in SQL as their properties are in code', () => {
    const names = named(DESCRIBED).map(({ property, name }) => [property, name]);
    assert.deepEqual(names, [
      ['keyId', 'key_id'],
      ['nthOfDay', 'nth_of_day'],
      ['isOpen', 'is_open'],
      ['endedAt', 'ended_at'],
    ]);
  });

  it('make cells of a row and a row of cells, without what is NULL', () => {
    const read = (cells: readonly unknown[]): unknown => rowOf('t', COLUMNS, (at) => cells[at]);
    for (const row of [ROW, { ...ROW, isOpen: false, endedAt: 0 }]) {
      assert.deepEqual(read(cellsOf(COLUMNS, row)), row);
    }
    assert.deepEqual(cellsOf(COLUMNS, ROW), ['a', 7, 1, null]);
    assert.deepEqual(read(['a', 7, 1]), ROW, 'a cell that was not read');
    const cells: Readonly<Record<string, unknown>> = { key_id: 'a', nth_of_day: 7, is_open: 1 };
    assert.deepEqual(
      rowOf('t', COLUMNS, (_, { name }) => cells[name]),
      ROW,
    );
    assert.throws(() => read(['a', null, 1]), /t\.nth_of_day/);
  });

  it('make the cells of a key: its value, or one of each of its columns', () => {
    assert.deepEqual(keyCells(KEYS.slice(0, 1), 'a'), ['a']);
    assert.deepEqual(keyCells(KEYS, { nthOfDay: 7, keyId: 'a' }), ['a', 7]);
    assert.deepEqual(keyCells(KEYS.slice(0, 1), undefined), [null]);
  });

  it('are read from the keys of a statement, whole numbers on PostgreSQL with their type', () => {
    const texts = keyTexts(KEYS, 'postgres');
    assert.deepEqual(texts, ['(k.value ->> 0)', '(k.value ->> 1)::bigint']);
    assert.deepEqual(keyTexts(KEYS, 'sqlite'), ['(k.value ->> 0)', '(k.value ->> 1)']);
    assert.deepEqual(keySql(KEYS, texts), { keyId: texts[0], nthOfDay: texts[1] });
  });
});
