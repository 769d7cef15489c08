import assert from 'node:assert/strict';
import { flag, integer, text } from './columns.ts';
import { lookup } from './lookup.ts';
import { lockOf, parentIn, textCell, wholeCell } from './need.ts';
import { table } from './table.ts';

const squeezed = (sql: string | undefined): string => (sql ?? '').replaceAll(/\s+/g, ' ');

describe('the cells of a row', () => {
  it('are refused where they hold another type than their column', () => {
    assert.equal(textCell(['a', 'b'], 1), 'b');
    for (const value of [1, null, undefined])
      assert.throws(() => textCell([value], 0), new RegExp(`cell 0 holds ${typeof value}`));
    assert.equal(wholeCell([7, -1], 1), -1);
    for (const value of ['7', 0.5, 2 ** 53, null])
      assert.throws(() => wholeCell([0, value], 1), new RegExp(`cell 1 holds ${typeof value}`));
  });
});

describe('a lookup', () => {
  const PORTS = table('ports', { name: text().key() }, { use: 'read' });
  const COUNTS = lookup('counts', {
    by: { port: text(), berth: integer() },
    found: { count: integer(), isFull: flag() },
    sql: ({ port, berth }) => ({
      count: `(SELECT count(*) FROM ships s WHERE s.port = ${port} AND s.berth = ${berth})`,
      isFull: '0',
    }),
    from: ({ port }) => `ports p ON p.name = ${port}`,
    where: ({ berth }) => `${berth} > 0`,
    parent: parentIn(PORTS, ({ port }: { readonly port: string }) => port),
  });

  it('has the columns of its key and what it found', () => {
    const key = { port: 'Kiel', berth: 7 };
    assert.equal(COUNTS.id(key), 'Kiel 7');
    assert.deepEqual(COUNTS.keyCells(key), ['Kiel', 7]);
    assert.deepEqual(COUNTS.found?.(['Kiel', 7, 3, 1]), [
      'Kiel 7',
      { ...key, count: 3, isFull: true },
    ]);
    assert.equal(COUNTS.readsUnder?.(key).key, 'Kiel');
  });

  it('reads all of its keys at once, in the words of each database', () => {
    assert.equal(
      squeezed(COUNTS.read?.sqlite),
      'SELECT json_group_array(json_array((k.value ->> 0), (k.value ->> 1), ' +
        '(SELECT count(*) FROM ships s WHERE s.port = (k.value ->> 0) AND s.berth = (k.value ->> 1)), 0)) ' +
        'FROM json_each(?) k CROSS JOIN ports p ON p.name = (k.value ->> 0) WHERE (k.value ->> 1) > 0',
    );
    assert.equal(
      squeezed(COUNTS.read?.postgres),
      'SELECT json_agg(json_build_array((k.value ->> 0), (k.value ->> 1)::bigint, ' +
        '(SELECT count(*) FROM ships s WHERE s.port = (k.value ->> 0) AND s.berth = (k.value ->> 1)::bigint), 0))::text ' +
        'FROM unnest(?::jsonb[]) AS k (value) JOIN ports p ON p.name = (k.value ->> 0) WHERE (k.value ->> 1)::bigint > 0',
    );
  });
});

describe('a lock before a read', () => {
  const berths = table('berths', { port: text().key(), berth: integer().key() }, { lock: 'first' });

  it('takes rows by their keys, in one order for all', () => {
    assert.equal(
      squeezed(lockOf('ships', ['port', 'berth'], ['berth', 'port'], ['', '::bigint'])),
      'SELECT 1 FROM unnest(?::jsonb[]) AS k (value) JOIN ships AS t ' +
        'ON t.port = (k.value ->> 0) AND t.berth = (k.value ->> 1)::bigint ' +
        'ORDER BY t.berth, t.port FOR NO KEY UPDATE OF t',
    );
    assert.match(
      squeezed(berths.lock),
      /\(k\.value ->> 1\)::bigint ORDER BY t\.port, t\.berth FOR/,
    );
  });
});
