import assert from 'node:assert/strict';
import { openLedgerMemory } from '../ledger/memory.ts';
import { askedBy, type Asked } from './asked.ts';
import { integer, text } from './columns.ts';
import { openRowMemory, type RowMemory } from './memory.ts';
import { need, needNew, type AnyTable } from './need.ts';
import { table } from './table.ts';
import type { Decider } from './transaction.ts';
import { WorkingSet } from './workingSet.ts';

const PORTS = table(
  'ports',
  { name: text().key(), ships: integer() },
  { remembered: 'rows', removes: true },
);
const CALLS = table('calls', { name: text().key() }, { remembered: 'new keys' });
const TOLLS = table('tolls', { name: text().key() });
const OPEN = table(
  'locks',
  { name: text().key(), state: text() },
  { remembered: 'rows', only: { state: 'open' } },
);

const asking = (...names: readonly string[]): Asked =>
  askedBy(names.map((name) => need(PORTS, name)));

/** Keeps what a batch found, by versions 1, 2 …, and wrote as version 9. */
function keep(
  memory: RowMemory,
  asked: Asked,
  found: readonly (readonly [name: string, ships: number])[],
  decide: (db: Decider) => void = () => undefined,
): void {
  const set = new WorkingSet('postgres', openLedgerMemory());
  set.expect(asked);
  const rows = found.map((cells, at) => [...cells, String(at + 1)]);
  set.load(PORTS as AnyTable, JSON.stringify(rows), true);
  set.run({ needs: [], decide });
  memory.keep(asked, set, '9');
}

const known = (memory: RowMemory, asked: Asked): unknown =>
  memory
    .recall(asked)
    .known.map(({ id, row, version }) => [
      id,
      (row as { readonly ships?: number } | undefined)?.ships,
      version,
    ]);

const refusal = (name: string): Error => Object.assign(new Error('changed'), { table: name });

describe('rows that a process remembers', () => {
  it('are those that its batches found, missed and wrote, with their versions', () => {
    const memory = openRowMemory();
    const asked = asking('Kiel', 'Bremen', 'Husum');
    keep(
      memory,
      asked,
      [
        ['Kiel', 1],
        ['Bremen', 2],
      ],
      (db) => db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 3 }),
    );
    const expected = [
      ['Kiel', 1, '1'],
      ['Bremen', 3, '9'],
      ['Husum', undefined, undefined],
    ];
    assert.deepEqual(known(memory, asked), expected);
    assert.equal(memory.recall(asked).unknown.size, 0);
  });

  it('have to be read when they were never met', () => {
    const memory = openRowMemory();
    keep(memory, asking('Kiel'), [['Kiel', 1]]);
    const { unknown } = memory.recall(asking('Kiel', 'Bremen'));
    assert.deepEqual([...(unknown.get(PORTS as AnyTable)?.keys() ?? [])], ['Bremen']);
  });

  it('are missing once a batch removed them', () => {
    const memory = openRowMemory();
    keep(memory, asking('Kiel'), [['Kiel', 1]], (db) => db.remove(PORTS, 'Kiel'));
    assert.deepEqual(known(memory, asking('Kiel')), [['Kiel', undefined, undefined]]);
  });

  it('are forgotten when a batch was refused that they were part of', () => {
    const memory = openRowMemory();
    keep(memory, asking('Kiel', 'Bremen'), [
      ['Kiel', 1],
      ['Bremen', 2],
    ]);
    memory.forget(asking('Kiel'), refusal('tolls'));
    assert.deepEqual(known(memory, asking('Kiel', 'Bremen')), [['Bremen', 2, '2']]);
  });

  it('stay few: the ones that were used last', () => {
    const memory = openRowMemory(true, 2);
    for (const name of ['Kiel', 'Bremen', 'Husum']) keep(memory, asking(name), [[name, 1]]);
    const found = known(memory, asking('Kiel', 'Bremen', 'Husum'));
    assert.deepEqual(found, [
      ['Bremen', 1, '1'],
      ['Husum', 1, '1'],
    ]);
  });

  it('are read first for a while in a table that often changed meanwhile', () => {
    const memory = openRowMemory();
    keep(memory, asking('Kiel'), [['Kiel', 1]]);
    memory.forget(asking('Bremen'), refusal('ports'));
    memory.forget(asking('Bremen'), refusal('ports'));
    assert.deepEqual(known(memory, asking('Kiel')), []);
    for (let nth = 0; nth < 62; nth += 1) assert.deepEqual(known(memory, asking('Kiel')), []);
    assert.deepEqual(known(memory, asking('Kiel')), [['Kiel', 1, '1']]);
  });

  it('are missing once they are no longer of those that their table finds', () => {
    const memory = openRowMemory();
    const asked = askedBy([need(OPEN, 'east'), need(OPEN, 'west')]);
    const set = new WorkingSet('postgres', openLedgerMemory());
    set.expect(asked);
    set.run({
      needs: [],
      decide(db) {
        db.put(OPEN, 'east', { name: 'east', state: 'open' });
        db.put(OPEN, 'west', { name: 'west', state: 'shut' });
      },
    });
    memory.keep(asked, set, '9');
    const found = memory.recall(asked).known.map(({ id, version }) => [id, version]);
    assert.deepEqual(found, [
      ['east', '9'],
      ['west', undefined],
    ]);
  });

  it('are taken as missing under an id that all who ask have just made', () => {
    const memory = openRowMemory();
    const asked = askedBy([
      needNew(TOLLS, 'Kiel'),
      needNew(TOLLS, 'Husum'),
      need(TOLLS, 'Husum'),
      need(TOLLS, 'Bremen'),
      needNew(TOLLS, 'Bremen'),
    ]);
    const { known: found, unknown } = memory.recall(asked);
    assert.deepEqual(
      found.map(({ id, row }) => [id, row]),
      [['Kiel', undefined]],
    );
    assert.deepEqual([...(unknown.get(TOLLS as AnyTable)?.keys() ?? [])], ['Husum', 'Bremen']);
  });

  it('are none of a table that is not marked, and the new keys of one that has only such', () => {
    const memory = openRowMemory();
    const asked = askedBy([need(CALLS, 'first'), need(TOLLS, 'Kiel')]);
    const { known: found, unknown } = memory.recall(asked);
    assert.deepEqual(
      found.map(({ id, row }) => [id, row]),
      [['first', undefined]],
    );
    assert.deepEqual([...unknown.keys()], [TOLLS as AnyTable]);
  });
});
