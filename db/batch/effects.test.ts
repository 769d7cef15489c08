import assert from 'node:assert/strict';
import { effectsOf, unmadeOf } from './effects.ts';
import type { Slot } from './need.ts';
import type { AnyTable } from './need.ts';
import type { SqlObject } from './writeObject.ts';

interface Thing {
  readonly id: string;
  readonly size: number;
}

const object = (name: string): SqlObject => ({ name, create: {} });
const cellsOf = ({ id, size }: Thing) => [id, size] as const;
const THINGS = {
  name: 'things',
  id: (id: string) => id,
  keyCells: (id: string) => [id],
  insert: object('insert_things'),
  inserted: cellsOf,
  update: object('update_things'),
  updated: (now: Thing, before: Thing) => [...cellsOf(now), before.size],
  remove: object('remove_things'),
  removed: cellsOf,
};
/** Rows that the reading makes where there is none. */
const MADE = {
  name: 'made',
  id: (id: string) => id,
  keyCells: (id: string) => [id],
  unmake: object('unmake_made'),
  unmade: ({ id, size }: Thing) => (size === 0 ? [id] : undefined),
};
const tables = (...of: readonly object[]): readonly AnyTable[] => of as readonly AnyTable[];
const thing = (id: string, size = 1): Thing => ({ id, size });

/** The slots of each table, by the ids of their rows. */
function slots(...of: readonly (readonly [table: object, rows: readonly Slot[]])[]) {
  const all = new Map(of);
  const idOf = ({ before, now }: Slot): string => ((now ?? before) as Thing | undefined)?.id ?? '';
  return {
    tables: () => of.map(([table]) => table as AnyTable),
    slotsOf: (table: object) =>
      (all.get(table) ?? []).map((slot): readonly [string, Slot] => [idOf(slot), slot]),
  };
}

describe('the effects of a batch', () => {
  it('insert, update and remove what changed, in the order of ids', () => {
    const [same, b, d] = [thing('same'), thing('b'), thing('d')];
    const set = slots([
      THINGS,
      [
        { before: undefined, now: thing('c') },
        { before: same, now: same },
        { before: d, now: thing('d', 2) },
        { before: undefined, now: thing('a') },
        { before: b, now: thing('b', 2) },
        { before: thing('z'), now: undefined },
        { before: thing('y'), now: undefined },
        { before: undefined, now: undefined },
      ],
    ]);
    assert.deepEqual(effectsOf(set, tables(THINGS)), [
      {
        name: 'insert_things',
        rows: [
          ['a', 1],
          ['c', 1],
        ],
      },
      {
        name: 'update_things',
        rows: [
          ['b', 2, 1],
          ['d', 2, 1],
        ],
      },
      {
        name: 'remove_things',
        rows: [
          ['y', 1],
          ['z', 1],
        ],
      },
    ]);
  });

  it('keep the order of rows that are only added', () => {
    const { update: _, updated: __, ...added } = THINGS;
    const rows = ['c', 'a', 'b'].map((id): Slot => ({ before: undefined, now: thing(id) }));
    const [effect] = effectsOf(slots([added, rows]), tables(added));
    assert.deepEqual(
      effect?.rows.map(([id]) => id),
      ['c', 'a', 'b'],
    );
  });

  it('follow the order of tables, and remove in the opposite one', () => {
    const [insert, remove] = [object('insert_others'), object('remove_others')];
    const others = { ...THINGS, name: 'others', insert, remove };
    const rows = [
      { before: undefined, now: thing('a') },
      { before: thing('b'), now: undefined },
    ];
    const set = slots([THINGS, rows], [others, rows]);
    assert.deepEqual(
      effectsOf(set, tables(THINGS, others)).map(({ name }) => name),
      ['insert_things', 'insert_others', 'remove_others', 'remove_things'],
    );
  });

  it('leave out tables whose rows follow from others', () => {
    const derived = { ...THINGS, isDerived: true };
    const set = slots([derived, [{ before: undefined, now: thing('a') }]]);
    assert.deepEqual(effectsOf(set, tables(derived)), []);
  });

  it('are refused for a table that is not listed', () => {
    const others = { ...THINGS, name: 'others' };
    const set = slots([others, [{ before: undefined, now: thing('a') }]]);
    assert.throws(() => effectsOf(set, tables(THINGS)), /others is not among the tables written/);
  });

  it('are refused where a table is not written like this', () => {
    const read = { name: 'read', id: String, keyCells: () => [] };
    const changes: readonly Slot[] = [
      { before: undefined, now: thing('a') },
      { before: thing('a'), now: thing('a', 2) },
      { before: thing('a'), now: undefined },
    ];
    for (const each of changes) {
      const effects = (): unknown => effectsOf(slots([read, [each]]), tables(read));
      assert.throws(effects, /read is not written like this/);
    }
    const { insert: _, ...bare } = THINGS;
    const set = slots([bare, [{ before: undefined, now: thing('a') }]]);
    assert.throws(() => effectsOf(set, tables(bare)), /rows have an object that writes them/);
  });
});

describe('rows that the reading made', () => {
  it('are deleted where no transaction changed them', () => {
    const [made, old] = [thing('made', 0), thing('old', 1)];
    const set = slots([
      MADE,
      [
        { before: made, now: made },
        { before: old, now: old },
        { before: thing('changed', 0), now: thing('changed', 5) },
        { before: undefined, now: undefined },
      ],
    ]);
    assert.deepEqual(unmadeOf(set, tables(THINGS, MADE)), [
      { name: 'unmake_made', rows: [['made']] },
    ]);
    assert.deepEqual(unmadeOf(slots([MADE, []]), tables(MADE)), []);
  });
});
