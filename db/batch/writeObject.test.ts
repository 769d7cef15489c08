import assert from 'node:assert/strict';
import type { Dialect } from '../connection.ts';
import { postgresFunction, writeObject, type WriteText } from './writeObject.ts';

const INSERT: WriteText = {
  statement: (rows) => `INSERT INTO buoys (id, depth) SELECT $0, $10:int FROM ${rows}`,
};

describe('a SQL object that writes rows', () => {
  const textOf = (text: WriteText, dialect: Dialect): string =>
    (writeObject('buoys', text).create[dialect] ?? '').replaceAll(/\s+/g, ' ');

  it('reads its cells by their places, whole numbers as such', () => {
    assert.match(
      textOf(INSERT, 'sqlite'),
      /SELECT \(v\.value ->> 0\), \(v\.value ->> 10\) FROM jsonb_each\(NEW\.cells\) AS v;/,
    );
    assert.match(
      textOf(INSERT, 'postgres'),
      /SELECT \(v\.value ->> 0\), \(\(v\.value ->> 10\)::bigint\) FROM unnest\(cells\)/,
    );
  });

  it('has to hit one row for each that it is given, or as many as it says', () => {
    assert.match(textOf(INSERT, 'sqlite'), /WHERE changes\(\) <> json_array_length\(NEW\.cells\);/);
    assert.match(textOf(INSERT, 'postgres'), /IF hit <> cardinality\(cells\) THEN/);
    const counted: WriteText = {
      ...INSERT,
      hits: (rows, dialect) => `(SELECT sum($1:int) FROM ${rows}) -- ${dialect}`,
    };
    assert.match(
      textOf(counted, 'sqlite'),
      /<> \(SELECT sum\(\(v\.value ->> 1\)\) FROM jsonb_each\(NEW\.cells\) AS v\) -- sqlite;/,
    );
    assert.match(
      textOf(counted, 'postgres'),
      /<> \(SELECT sum\(\(\(v\.value ->> 1\)::bigint\)\) FROM unnest\(cells\) AS v \(value\)\) -- postgres THEN/,
    );
  });

  it('has another name when anything of it differs, so that two versions live side by side', () => {
    const names = [
      writeObject('buoys', INSERT).name,
      writeObject('ships', INSERT).name,
      writeObject('buoys', { statement: (rows) => `DELETE FROM buoys WHERE id IN ${rows}` }).name,
      writeObject('buoys', { ...INSERT, hits: () => '1' }).name,
      postgresFunction('buoys', '() RETURNS void').name,
      postgresFunction('buoys', '() RETURNS int').name,
    ];
    for (const name of names) assert.match(name, /^effect_(?:buoys|ships)_[0-9a-f]{10}$/);
    assert.equal(new Set(names).size, names.length, names.join());
    assert.equal(writeObject('buoys', INSERT).name, names[0]);
    for (const dialect of ['sqlite', 'postgres'] as const)
      assert.ok(textOf(INSERT, dialect).includes(`${names[0]} `));
  });

  it('is a function alone where only PostgreSQL needs it', () => {
    const { name, create } = postgresFunction('buoys', '() RETURNS void');
    assert.deepEqual(create, { postgres: `CREATE FUNCTION ${name} () RETURNS void` });
  });
});
